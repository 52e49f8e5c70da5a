"""Benchmark subjects: single games of either package, and compiled batches.

All play randomly without end and reset finished episodes. Each factory returns a
function that plays one round; see `turns.Play`. Imports happen in its own process only.
"""

import importlib
import itertools
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.alternating import STEPS, Play

_PIECE = 16  # steps of a batch between two clock readings
_SCAN = 64  # steps per scan, as in a rollout of Craftax's baselines


# Single games.


def load_crafter(*arguments: Any) -> Any:
    """Imports Crafter: the published one if the last argument is its folder."""
    folder = arguments[-1]
    if folder is not None:
        from reference.published import import_published

        return import_published(folder)
    import crafter

    return crafter


def crafter_game(steps: int, resets: int, folder: Path | None) -> Play:
    """Makes a single game of Crafter, with day and night steps timed separately."""
    env = load_crafter(folder).Env(seed=0)
    now = 0

    def reset() -> float:
        nonlocal now
        begin = time.perf_counter()
        env.reset()
        now = 0
        return time.perf_counter() - begin

    def play(number: int) -> dict[str, float]:
        nonlocal now
        counts, spent, resetting = [0, 0], [0.0, 0.0], 0.0
        for action in np.random.RandomState(number).randint(0, 17, steps):
            begin = time.perf_counter()
            outcome = env.step(action)
            seconds = time.perf_counter() - begin
            now += 1
            night = 148 <= now % 300 <= 272  # night noise in the image
            counts[night] += 1
            spent[night] += seconds
            if any(outcome[2:-1]):  # between reward and info
                resetting += reset()
        alone = sum(reset() for _ in range(resets)) / resets
        return {
            "steps alone [1/s]": steps / sum(spent),
            "by day [1/s]": counts[0] / spent[0] if counts[0] else float("nan"),
            "by night [1/s]": counts[1] / spent[1] if counts[1] else float("nan"),
            STEPS: steps / (sum(spent) + resetting),
            "one reset [ms]": 1000 * alone,
        }

    reset()
    env.step(0)  # The first image also loads the textures.
    return play


def load_craftax(*arguments: Any) -> None:
    """Imports Craftax: the published one if the last argument is its folder."""
    if (folder := arguments[-1]) is None:
        importlib.import_module("crafter.games.craftax")
    else:
        sys.path.append(str(folder))  # Our packages take precedence.
        importlib.import_module("craftax.craftax_env")


def craftax_game(
    kind: str, auto_reset: bool, seconds: float, resets: int, folder: Path | None
) -> Play:
    """Makes a single game of Craftax; the published one is compiled."""
    load_craftax(folder)
    make = our_craftax if folder is None else published_craftax
    reset, step = make(kind, auto_reset)

    def play(number: int) -> dict[str, float]:
        actions = np.random.default_rng(number).integers(43, size=1000).tolist()
        begin, steps = time.perf_counter(), 0
        for action in itertools.cycle(actions):
            step(action)
            steps += 1
            if (elapsed := time.perf_counter() - begin) >= seconds:
                break
        begin = time.perf_counter()
        for _ in range(resets):
            reset()
        alone = (time.perf_counter() - begin) / resets
        return {STEPS: steps / elapsed, "one reset [ms]": 1000 * alone}

    reset()
    step(0)
    return play


def our_craftax(kind: str, auto_reset: bool) -> tuple[Any, Any]:
    """Returns functions that reset and step our game; it resets itself at the end."""
    from crafter.games.craftax import Env

    env = Env(kind, seed=0)

    def step(action: int) -> None:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()

    return env.reset, step


def published_craftax(kind: str, auto_reset: bool) -> tuple[Any, Any]:
    """Returns compiled functions that reset and step the published game."""
    import jax
    from craftax.craftax_env import make_craftax_env_from_name

    env = make_craftax_env_from_name(f"Craftax-{kind.title()}-v1", auto_reset)
    params, keys = env.default_params, iter(map(jax.random.key, itertools.count()))
    begin = jax.jit(lambda key: env.reset(key, params))
    go_on = jax.jit(lambda key, state, action: env.step(key, state, action, params))
    state: Any = None

    def reset() -> None:
        nonlocal state
        obs, state = begin(next(keys))
        np.asarray(obs)  # The agent needs it on the host.

    def step(action: int) -> None:
        nonlocal state
        obs, state, reward, done, _ = go_on(next(keys), state, action)
        _, _, done = map(np.asarray, (obs, reward, done))
        if done and not auto_reset:
            reset()

    return reset, step


# Batches of the compiled engine.

#: Prefix of the observation kinds of Craftax.
LARGER = "craftax "
#: Suffixes of batch kinds: worlds from a pool, and results that are copied.
POOL, COPIES = ", pool", ", copies"


def make_batch(kind: str, count: int, threads: int) -> Any:
    """Returns a vector environment; the prefix and suffix of `kind` set its options."""
    import gymnasium

    name, comma, end = kind.partition(",")
    larger = name.startswith(LARGER)
    pool: dict[str, Any] = {"world_pool": 512} if comma + end == POOL else {}
    return gymnasium.make_vec(
        "crafter:Craftax-Symbolic-v1" if larger else "crafter:CrafterReward-v1",
        num_envs=count,
        observation=name.removeprefix(LARGER),
        threads=threads,
        copy=comma + end == COPIES,
        **pool,
    )


def load_batch(kind: str, count: int, threads: int, *arguments: Any) -> None:
    """Allocates the memory that does not grow with the number of games."""
    envs = make_batch(kind, 1, threads)
    envs.reset(seed=0)
    envs.step([0])
    envs.close()


def batch(kind: str, count: int, threads: int, warm_up: int, seconds: float) -> Play:
    """Makes a batch; calls that only start an episode do not count as steps."""
    envs = make_batch(kind, count, threads)
    envs.reset(seed=0)
    random = np.random.RandomState(0)
    starting = 0

    def play_piece(steps: int) -> int:
        nonlocal starting
        taken = 0
        for row in random.randint(0, envs.single_action_space.n, (steps, count)):
            _, _, terminated, truncated, _ = envs.step(row)
            taken += count - starting
            starting = int(np.count_nonzero(terminated | truncated))
        return taken

    def play(number: int) -> dict[str, float]:
        taken, begin = 0, time.perf_counter()
        while not taken or time.perf_counter() - begin < seconds:
            taken += play_piece(_PIECE)
        return {STEPS: taken / (time.perf_counter() - begin)}

    play_piece(1 + warm_up)
    return play


def worlds(kind: str, count: int) -> Play:
    """Makes a single-threaded batch that is reset again and again."""
    envs = make_batch(kind, count, 1)
    envs.reset(seed=0)

    def play(number: int) -> dict[str, float]:
        begin = time.perf_counter()
        envs.reset()
        return {"one world [ms]": 1000 * (time.perf_counter() - begin) / count}

    return play


def published_batch(kind: str, count: int, folder: Path) -> Play:
    """Makes a batch of the published Craftax, run as in its own baselines."""
    load_craftax(folder)
    from benchmarks import jax

    return jax.batch(jax.make_published(kind, count, larger=True), count)


def program(
    kind: str, count: int, threads: int, warm_up: int, steps: int = _SCAN
) -> Play:
    """Makes a batch that a JAX program steps, `steps` steps per scan."""
    import jax

    envs = make_batch(kind, count, threads)
    envs.reset(seed=0)
    handle, recv, _, step = envs.xla()
    carry = jax.jit(recv)(handle)

    def scan(handle: Any, results: Any, key: Any) -> Any:
        def one(carry: Any, key: Any) -> tuple[Any, None]:
            return step(carry[0], jax.random.randint(key, (count,), 0, 17)), None

        return jax.lax.scan(one, (handle, results), jax.random.split(key, steps))[0]

    compiled = jax.jit(scan, donate_argnums=(0, 1))
    keys = iter(map(jax.random.key, itertools.count()))

    def play(number: int) -> dict[str, float]:
        nonlocal carry
        begin = time.perf_counter()
        carry = jax.block_until_ready(compiled(*carry, next(keys)))
        return {STEPS: count * steps / (time.perf_counter() - begin)}

    for _ in range(1 + warm_up // steps):
        play(0)
    return play
