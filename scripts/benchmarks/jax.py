"""Benchmarks of the JAX engines: batches inside one scan, and the stages of a step.

Craftax is measured as in its own baselines, with optimistic resets: one new world per
16 games and step, shared among the games that end. The wrapper is ours, since the
package has none, and cheaper than that of the baselines.
"""

import argparse
import itertools
import time
from typing import Any

import jax
import jax.numpy as jnp

import crafter.games.crafter.jax as crafter_jax
from benchmarks import games as batches
from benchmarks.alternating import STEPS, Play, alternate, progress
from benchmarks.figures import print_ratios, print_results
from crafter.functional.wrappers import BatchEnvWrapper, OptimisticResetVecEnvWrapper

_RESET_RATIO = 16  # as in the Craftax baselines
_CRAFTAX_STEPS = 10  # per scan of Craftax
# Games that start together also end together; after this many steps they no longer do.
_WARM_UP = 400
# Craftax makes the same number of worlds in every step, so it needs no warm-up.
_LONGEST_WARM_UP = 30.0  # seconds


def device() -> str:
    """Returns the device and the JAX version."""
    return f"{jax.devices()[0].device_kind}, JAX {jax.__version__}"


def measure(args: argparse.Namespace) -> None:
    """Measures batches of all sizes, kind by kind, and prints tables."""
    for kind in args.kinds:
        ours: dict[str, Play] = {}
        theirs: dict[str, Play] = {}
        for count in args.games:
            name = f"{kind}, {count:,} games"
            progress(f"compiling {name}")
            envs = make(kind, count, args.craftax)
            ours[f"ours, {name}"] = batch(envs, count, args.jax_steps)
            if args.compiled:
                options = kind, count, args.threads, _WARM_UP, args.jax_steps
                ours[f"ours, compiled engine, {name}"] = batches.program(*options)
        sizes = args.craftax_games or args.games
        for count in sizes if args.published_craftax and kind != "compact" else ():
            name = f"Craftax, {kind}, {count:,} games"
            progress(f"compiling {name}")
            theirs[name] = batch(make_published(kind, count, args.craftax), count)
        results = alternate({**ours, **theirs}, args.rounds)
        print_results(device(), results)
        print_ratios(results, ours, theirs)


def name_of(kind: str, larger: bool) -> str:
    """Returns our id for an observation kind; of Craftax if `larger`."""
    return f"{'Craftax' if larger else 'Crafter'}-{kind.capitalize()}-v1"


def make(kind: str, games: int, larger: bool) -> Any:
    """Returns a batch of our games with auto-reset."""
    return BatchEnvWrapper(crafter_jax.make(name_of(kind, larger)), games)


def make_published(kind: str, games: int, larger: bool) -> Any:
    """Returns a batch of the published Craftax, or Craftax-Classic if not `larger`."""
    from craftax.craftax_env import make_craftax_env_from_name

    game = "Craftax" if larger else "Craftax-Classic"
    theirs = f"{game}-{kind.capitalize()}-v1"
    env = make_craftax_env_from_name(theirs, auto_reset=False)
    return OptimisticResetVecEnvWrapper(env, games, min(_RESET_RATIO, games))


def compiled(function: Any, *arguments: Any, **options: Any) -> tuple[Any, list[float]]:
    """Compiles a function; also returns the wall-clock and CPU seconds it took."""
    begin, cpu = time.perf_counter(), time.process_time()
    program = jax.jit(function, **options).lower(*arguments).compile()
    return program, [time.perf_counter() - begin, time.process_time() - cpu]


def batch(envs: Any, games: int, steps: int = _CRAFTAX_STEPS) -> Play:
    """Makes a subject that plays a batch, `steps` steps per scan."""
    key, params = jax.random.key(0), envs.default_params
    reset, spent = compiled(envs.reset, key, params)
    obs, state = reset(key, params)
    _, more = compiled(envs.step, key, state, jnp.zeros(games, jnp.int32), params)
    nothing = jax.tree.map(jnp.zeros_like, obs)

    def scan(state: Any, key: jax.Array) -> tuple[Any, jax.Array]:
        def one(carry: Any, key: jax.Array) -> tuple[Any, jax.Array]:
            act_key, step_key = jax.random.split(key)
            actions = jax.random.randint(act_key, (games,), 0, envs.num_actions)
            obs, state, reward, _, _ = envs.step(step_key, carry[0], actions, params)
            return (state, obs), reward.sum()

        keys = jax.random.split(key, steps)
        (state, obs), rewards = jax.lax.scan(one, (state, nothing), keys)
        seen = [leaf.sum(dtype=jnp.float32) for leaf in jax.tree.leaves(obs)]
        return state, rewards.sum() + sum(seen)

    play_scan, _ = compiled(scan, state, key, donate_argnums=0)
    keys = iter(map(jax.random.key, itertools.count(1)))
    constants = {
        "compile reset and step [s]": spent[0] + more[0],
        "of CPU [s]": spent[1] + more[1],
        "state of a game [B]": sum(x.nbytes for x in jax.tree.leaves(state)) // games,
    }

    def play(number: int) -> dict[str, float]:
        nonlocal state
        begin = time.perf_counter()
        state, total = play_scan(state, next(keys))
        jax.block_until_ready(total)
        return {STEPS: games * steps / (time.perf_counter() - begin), **constants}

    begin = time.perf_counter()
    for _ in range(-(-_WARM_UP // steps)):
        play(0)
        if time.perf_counter() - begin > _LONGEST_WARM_UP:
            break
    return play


def measure_stages(args: argparse.Namespace) -> None:
    """Measures the stages of a step, each compiled separately, and prints tables.

    Kernels are the fusions in the compiled program; bytes are its memory accesses as
    counted by the compiler.
    """
    envs = {
        kind: crafter_jax.make(name_of(kind, args.craftax), auto_reset=False)
        for kind in args.kinds
    }
    env = envs[args.kinds[0]]
    for count in args.games:
        keys = jax.random.split(jax.random.key(0), count)
        _, state = jax.jit(jax.vmap(env.reset))(keys)
        actions = jax.random.randint(keys[0], (count,), 0, env.num_actions)
        parts: dict[str, tuple[Any, ...]] = {
            # The observation is unused, so the compiler drops it.
            "rules": (lambda *args: env.step_env(*args)[1:], keys, state, actions),
            "new world": (lambda key: env.reset_env(key)[1], keys),
            **{f"{kind} observation": (e.get_obs, state) for kind, e in envs.items()},
        }
        players = {name: stage(count, *part) for name, part in parts.items()}
        title = f"{device()}, {count:,} games"
        print_results(title, alternate(players, args.rounds))


def stage(games: int, function: Any, *arguments: Any) -> Play:
    """Makes a subject that runs one stage of a step for all games."""
    program, spent = compiled(jax.vmap(function), *arguments)
    jax.block_until_ready(program(*arguments))
    constants = {
        "kernels": program.as_text().count(" fusion("),
        "bytes per game": program.cost_analysis()["bytes accessed"] / games,
        "compile [s]": spent[0],
        "of CPU [s]": spent[1],
    }

    def play(number: int) -> dict[str, float]:
        begin = time.perf_counter()
        jax.block_until_ready(program(*arguments))
        return {
            "per game [us]": 1e6 * (time.perf_counter() - begin) / games
        } | constants

    return play
