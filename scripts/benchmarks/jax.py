"""The engines in JAX: batches that play inside one scan, and the parts of a step.

Craftax is measured as its own baselines run it, with optimistic resets: one new world
per 16 games and step, shared out among the games that end. The wrapper is ours, since
the package has none, and cheaper than that of the baselines.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Collection, Iterator
from typing import Any

import jax
import jax.numpy as jnp

import crafter.games.crafter.jax as crafter_jax
from benchmarks import games as batches
from benchmarks import turns
from benchmarks.games import STEPS
from crafter.functional.wrappers import BatchEnvWrapper, OptimisticResetVecEnvWrapper

OURS, COMPILED = "ours", "ours, compiled engine"
CRAFTAX = "Craftax"
_RESET_RATIO = 16  # as in the Craftax baselines
_CRAFTAX_STEPS = 10  # in one scan of Craftax
# Games that start together die together; after so many steps they no longer do.
_WARM_UP = 400
# Craftax makes as many worlds in every step, so it needs no warm-up.
_LONGEST_WARM_UP = 30.0  # seconds


def measure(args: argparse.Namespace) -> None:
    """Measures all kinds and sizes of all packages, and prints tables."""
    players = {label(*player): prepare(args, *player) for player in chosen(args)}
    results = turns.alternate(players, args.rounds)
    turns.print_results(device(), results)
    turns.print_pairs(pairs(list(chosen(args)), results), results)


def device() -> str:
    """Returns what the figures depend on."""
    return f"{jax.devices()[0].device_kind}, JAX {jax.__version__}"


def chosen(args: argparse.Namespace) -> Iterator[tuple[str, str, int]]:
    """Yields package, kind of observation and number of games of what is measured."""
    ours = (OURS, COMPILED) if args.compiled else (OURS,)
    yield from itertools.product(ours, args.kinds, args.games)
    if args.published_craftax:
        kinds = [kind for kind in args.kinds if kind != "compact"]
        sizes = args.craftax_games or args.games
        yield from itertools.product((CRAFTAX,), kinds, sizes)


def label(package: str, kind: str, games: int) -> str:
    """Returns the name of a batch in tables."""
    return f"{package}, {kind}, {games:,} games"


def prepare(
    args: argparse.Namespace, package: str, kind: str, games: int
) -> turns.Play:
    """Makes a batch, warm."""
    turns.progress(f"compiling {label(package, kind, games)}")
    steps = args.jax_steps if package == OURS else _CRAFTAX_STEPS
    if package == COMPILED:
        return batches.program(kind, games, args.threads, _WARM_UP, args.jax_steps)
    return batch(package, kind, games, steps, args.craftax)


def pairs(
    measured: Collection[tuple[str, str, int]], results: turns.Results
) -> Iterator[turns.Pair]:
    """Yields batches of ours and Craftax: of the same size, and the best of each."""

    def best(package: str, kind: str) -> int:
        def rate(games: int) -> float:
            return turns.median(results[label(package, kind, games)][STEPS])

        return max(groups[package, kind], key=rate)

    groups: dict[tuple[str, str], list[int]] = {}
    for package, kind, games in measured:
        groups.setdefault((package, kind), []).append(games)
    for (ours, kind), mine in groups.items():
        theirs = groups.get((CRAFTAX, kind))
        if ours == CRAFTAX or theirs is None:
            continue
        sizes = [(games, games) for games in sorted({*mine} & {*theirs})]
        if len(mine) + len(theirs) > 2:
            sizes.append((best(ours, kind), best(CRAFTAX, kind)))
        for one, two in sizes:
            said = f"{one:,}" if one == two else f"at best {one:,} and {two:,}"
            names = label(ours, kind, one), label(CRAFTAX, kind, two)
            text = f"{ours} and {CRAFTAX}, {kind}, {said} games"
            yield turns.Pair(text, *names, STEPS)


def name(kind: str, larger: bool) -> str:
    """Returns the id of ours with an observation; of Craftax if `larger`."""
    return f"{'Craftax' if larger else 'Crafter'}-{kind.capitalize()}-v1"


def make(package: str, kind: str, games: int, larger: bool) -> Any:
    """Returns a batch of games that start anew when they end; of Craftax if `larger`.

    Args:
        package: `OURS` or `CRAFTAX`.
        kind: Kind of the observation.
        games: Number of games.
        larger: Whether the game is Craftax.
    """
    if package == OURS:
        return BatchEnvWrapper(crafter_jax.make(name(kind, larger)), games)
    from craftax.craftax_env import make_craftax_env_from_name

    game = "Craftax" if larger else "Craftax-Classic"
    theirs = f"{game}-{kind.capitalize()}-v1"
    env = make_craftax_env_from_name(theirs, auto_reset=False)
    return OptimisticResetVecEnvWrapper(env, games, min(_RESET_RATIO, games))


def compiled(function: Any, *arguments: Any, **options: Any) -> tuple[Any, list[float]]:
    """Returns a compiled function, and seconds and processor seconds that it took."""
    begin, cpu = time.perf_counter(), time.process_time()
    program = jax.jit(function, **options).lower(*arguments).compile()
    return program, [time.perf_counter() - begin, time.process_time() - cpu]


def batch(package: str, kind: str, games: int, steps: int, larger: bool) -> turns.Play:
    """Makes a batch that plays scans of some steps; see `make`."""
    envs, key = make(package, kind, games, larger), jax.random.key(0)
    params = envs.default_params
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


def stages(kinds: list[str], games: int, rounds: int, larger: bool) -> turns.Results:
    """Measures the parts of a step, each compiled by itself.

    Kernels are the fusions in the compiled program, bytes what it accesses in memory as
    the compiler counts it.
    """
    envs = {k: crafter_jax.make(name(k, larger), auto_reset=False) for k in kinds}
    env = envs[kinds[0]]
    keys = jax.random.split(jax.random.key(0), games)
    _, state = jax.jit(jax.vmap(env.reset))(keys)
    actions = jax.random.randint(keys[0], (games,), 0, env.num_actions)
    parts: dict[str, tuple[Any, ...]] = {
        # Nobody looks at the observation, so it is left out.
        "rules": (lambda *args: env.step_env(*args)[1:], keys, state, actions),
        "new world": (lambda key: env.reset_env(key)[1], keys),
        **{f"{kind} observation": (e.get_obs, state) for kind, e in envs.items()},
    }
    return turns.alternate(
        {n: stage(games, *part) for n, part in parts.items()}, rounds
    )


def stage(games: int, function: Any, *arguments: Any) -> turns.Play:
    """Makes what runs a part of a step for all games."""
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
