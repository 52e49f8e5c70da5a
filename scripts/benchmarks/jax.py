"""The part of scripts/benchmark.py that measures the engine in JAX.

    python scripts/benchmark.py --jax                         our engine
    python scripts/benchmark.py --jax --published-craftax     and Craftax-Classic
    python scripts/benchmark.py --jax --published-craftax --games 64 256 1024 4096
    python scripts/benchmark.py --jax --published-craftax --compiled    the batched
        engine, too, stepped by programs
    python scripts/benchmark.py --jax --stages                where our time goes
    python scripts/benchmark.py --jax --craftax --published-craftax    the larger game
    python scripts/benchmark.py --jax --games 1024 65536 1048576 --craftax-games 1024 \
        65536 --published-craftax --stages                    for a GPU

Each size of each package is compiled once and then played in alternating rounds, with
random actions and new episodes, all inside one scan. Craftax is installed into a folder
of its own; it uses the same JAX.

Craftax is measured as its own baselines run it, with optimistic resets: one new world
per 16 games and step, shared out among the games that end. The wrapper is ours, since
the package has none, and cheaper than that of the baselines. Rows with "auto-reset" are
the mode in the package, which makes a world per game and step. Ratios are taken round
by round: at each size that both have, and at the size that is best for each.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from reference.releases import CRAFTAX as CRAFTAX_RELEASE

import crafter.games.crafter.jax as crafter_jax
from benchmarks import xla
from benchmarks.tables import OURS, print_lines
from crafter.functional.wrappers import BatchEnvWrapper, OptimisticResetVecEnvWrapper

COMPILED = f"{OURS}, compiled engine"
CRAFTAX, AUTO_RESET = "Craftax", "Craftax, auto-reset"
_RESET_RATIO = 16  # as in the Craftax baselines
_ACTIONS = 17  # of Crafter
# Games that start together die together; after so many steps they no longer do.
_WARM_UP = 400
# Craftax makes as many worlds in every step, so it needs no warm-up.
_LONGEST_WARM_UP = 30.0  # seconds


class Subject(NamedTuple):
    """What is measured.

    Attributes:
        package: `OURS`, `COMPILED`, `CRAFTAX` or `AUTO_RESET`.
        kind: Kind of the observation.
        games: Number of games.
        run: Plays a number of steps in all games and returns steps per second.
        steps: How many it plays in each game.
        compile_seconds: Time to compile reset and step.
        compile_cpu_seconds: Time of all cores for it, which other work does not change.
        bytes_per_game: Size of a state in JAX, if it is there.
    """

    package: str
    kind: str
    games: int
    run: Callable[[], float]
    steps: int
    compile_seconds: float
    compile_cpu_seconds: float
    bytes_per_game: int | None


def name(kind: str, larger: bool) -> str:
    """Return the id of ours with an observation; of Craftax if `larger`."""
    return f"{'Craftax' if larger else 'Crafter'}-{kind.capitalize()}-v1"


def make(package: str, kind: str, games: int, larger: bool) -> Any:
    """Return a batch of games that start anew when they end; of Craftax if `larger`."""
    if package == OURS:
        return BatchEnvWrapper(crafter_jax.make(name(kind, larger)), games)
    from craftax.craftax_env import (  # type: ignore[import-not-found]
        make_craftax_env_from_name,
    )

    game = "Craftax" if larger else "Craftax-Classic"
    theirs = f"{game}-{kind.capitalize()}-v1"
    env = make_craftax_env_from_name(theirs, auto_reset=package == AUTO_RESET)
    if package == AUTO_RESET:
        return BatchEnvWrapper(env, games)
    return OptimisticResetVecEnvWrapper(env, games, min(_RESET_RATIO, games))


def prepare(
    package: str, kind: str, games: int, steps: int, larger: bool = False
) -> Subject:
    """Compile a batch of games."""
    envs, key = make(package, kind, games, larger), jax.random.key(0)
    params = envs.default_params
    start, start_cpu = time.perf_counter(), time.process_time()
    compiled_reset = jax.jit(envs.reset).lower(key, params).compile()
    obs, state = compiled_reset(key, params)
    actions = jnp.zeros(games, jnp.int32)
    jax.jit(envs.step).lower(key, state, actions, params).compile()
    compile_seconds = time.perf_counter() - start
    compile_cpu_seconds = time.process_time() - start_cpu

    def play(state: Any, key: jax.Array) -> tuple[Any, jax.Array]:
        def one(carry: Any, key: jax.Array) -> tuple[Any, jax.Array]:
            act_key, step_key = jax.random.split(key)
            actions = jax.random.randint(act_key, (games,), 0, envs.num_actions)
            obs, state, reward, _, _ = envs.step(step_key, carry[0], actions, params)
            return (state, obs), reward.sum()

        (state, obs), rewards = jax.lax.scan(
            one, (state, obs_zero), jax.random.split(key, steps)
        )
        seen = [leaf.sum(dtype=jnp.float32) for leaf in jax.tree.leaves(obs)]
        return state, rewards.sum() + sum(seen)

    obs_zero = jax.tree.map(jnp.zeros_like, obs)
    play_compiled = jax.jit(play, donate_argnums=0).lower(state, key).compile()
    size = sum(leaf.nbytes for leaf in jax.tree.leaves(state)) // games
    games_now = [state, 0]

    def run() -> float:
        begin = time.perf_counter()
        games_now[1] += 1
        games_now[0], total = play_compiled(
            games_now[0], jax.random.fold_in(key, games_now[1])
        )
        jax.block_until_ready(total)
        return games * steps / (time.perf_counter() - begin)

    times = compile_seconds, compile_cpu_seconds
    return Subject(package, kind, games, run, steps, *times, size)


def prepare_compiled(kind: str, games: int, threads: int, steps: int) -> Subject:
    """Compile a program that steps a batch of the compiled engine."""
    envs = xla.make(kind, games, threads)
    envs.reset(seed=0)
    functions = envs.xla()
    handle, recv, _, step = functions
    _, now = jax.jit(recv)(handle)

    def play(handle: Any, now: Any, key: jax.Array) -> Any:
        def one(carry: Any, key: jax.Array) -> Any:
            actions = jax.random.randint(key, (games,), 0, _ACTIONS)
            return step(carry[0], actions), None

        return jax.lax.scan(one, (handle, now), jax.random.split(key, steps))[0]

    key = jax.random.key(0)
    start, start_cpu = time.perf_counter(), time.process_time()
    play_compiled = jax.jit(play).lower(handle, now, key).compile()
    times = time.perf_counter() - start, time.process_time() - start_cpu
    played = [0]

    def run() -> float:
        begin = time.perf_counter()
        played[0] += 1
        handle = functions[0]  # The games live as long as somebody has these.
        results = play_compiled(handle, now, jax.random.fold_in(key, played[0]))
        jax.block_until_ready(results)
        return games * steps / (time.perf_counter() - begin)

    return Subject(COMPILED, kind, games, run, steps, *times, None)


def warm_up(subject: Subject) -> None:
    """Let games come to different moments of their lives."""
    begin = time.perf_counter()
    for _ in range(-(-_WARM_UP // subject.steps)):
        subject.run()
        if time.perf_counter() - begin > _LONGEST_WARM_UP:
            break


def measure(args: argparse.Namespace) -> None:
    """Measure all kinds and sizes and print a table."""
    if args.compiled and args.craftax:
        raise SystemExit("--compiled measures Crafter; leave out --craftax.")
    if args.stages:
        for games in args.games:
            print_stages(args.kinds, games, args.rounds, args.craftax)
    else:
        print_rates(args)


def print_stages(kinds: list[str], games: int, rounds: int, larger: bool) -> None:
    """Print what the parts of a step cost, each compiled by itself.

    Kernels are the fusions in the compiled program, bytes what it accesses in memory as
    the compiler counts it.
    """
    envs = {
        kind: crafter_jax.make(name(kind, larger), auto_reset=False) for kind in kinds
    }
    env = envs[kinds[0]]
    keys = jax.random.split(jax.random.key(0), games)
    _, state = jax.jit(jax.vmap(env.reset))(keys)
    actions = jax.random.randint(keys[0], (games,), 0, env.num_actions)
    stages: dict[str, tuple[Any, ...]] = {
        # Nobody looks at the observation, so it is left out.
        "rules": (lambda *args: env.step_env(*args)[1:], keys, state, actions),
        "new world": (lambda key: env.reset_env(key)[1], keys),
    }
    for kind, one in envs.items():
        stages[f"{kind} observation"] = one.get_obs, state
    lines = [["", "us/game", "kernels", "bytes/game", "compile s", "of CPU"]]
    for stage, (function, *arguments) in stages.items():
        start, start_cpu = time.perf_counter(), time.process_time()
        compiled: Any = jax.jit(jax.vmap(function)).lower(*arguments).compile()
        times = time.perf_counter() - start, time.process_time() - start_cpu
        jax.block_until_ready(compiled(*arguments))
        played = []
        for _ in range(rounds):
            begin = time.perf_counter()
            jax.block_until_ready(compiled(*arguments))
            played.append(time.perf_counter() - begin)
        kernels = compiled.as_text().count(" fusion(")
        accessed = compiled.cost_analysis()["bytes accessed"] / games
        spent = f"{statistics.median(played) / games * 1e6:.4f}"
        figures = f"{kernels:,}", f"{accessed:,.0f}", *(f"{t:.1f}" for t in times)
        lines.append([stage, spent, *figures])
    print(f"{jax.devices()[0].device_kind}, {games:,} games")
    print_lines(lines)


def prepare_all(args: argparse.Namespace) -> Iterator[Subject]:
    """Compile all kinds and sizes of all packages."""
    for kind in args.kinds:
        for games in args.games:
            yield prepare(OURS, kind, games, args.jax_steps, args.craftax)
            if args.compiled:
                yield prepare_compiled(kind, games, args.threads, args.jax_steps)
    if not args.published_craftax:
        return
    sys.path.append(str(CRAFTAX_RELEASE.install(args.craftax_folder)))  # Ours first.
    for kind in args.kinds:
        for games in args.craftax_games or args.games:
            packages = (CRAFTAX,) if args.no_auto_reset else (CRAFTAX, AUTO_RESET)
            for package in packages if kind != "compact" else ():
                yield prepare(package, kind, games, args.craftax_steps, args.craftax)


def print_rates(args: argparse.Namespace) -> None:
    """Print steps per second, compile times and ratios."""
    subjects = list(prepare_all(args))
    for subject in subjects:
        warm_up(subject)
    rounds = [[subject.run() for subject in subjects] for _ in range(args.rounds)]
    rates = dict(zip(subjects, zip(*rounds)))
    print(f"{jax.devices()[0].device_kind}, JAX {jax.__version__}")
    lines = [
        ["", "games", "steps/s", "least", "most", "compile s", "of CPU", "bytes/game"]
    ]
    for subject, values in rates.items():
        figures = (statistics.median(values), min(values), max(values))
        lines.append(
            [
                f"{subject.package}, {subject.kind}",
                f"{subject.games:,}",
                *(f"{figure:,.0f}" for figure in figures),
                f"{subject.compile_seconds:.1f}",
                f"{subject.compile_cpu_seconds:.1f}",
                "" if subject.bytes_per_game is None else f"{subject.bytes_per_game:,}",
            ]
        )
    print_lines(lines)
    if args.published_craftax:
        for package in dict.fromkeys(s.package for s in subjects if is_ours(s.package)):
            print_lines([[f"{package}, times as fast as", "median", "least", "most"]])
            print_lines(list(ratios(rates, package)))


def is_ours(package: str) -> bool:
    """Return whether a package is this one."""
    return package in (OURS, COMPILED)


def ratios(
    rates: dict[Subject, tuple[float, ...]], package: str
) -> Iterator[list[str]]:
    """Compare the steps per second of one of ours with Craftax's, round by round.

    Args:
        rates: What was measured, by round.
        package: Which of ours.

    Yields:
        What is compared, and the median, least and largest ratio.
    """

    def sizes(package: str, kind: str) -> dict[int, tuple[float, ...]]:
        chosen = {
            s: r for s, r in rates.items() if (s.package, s.kind) == (package, kind)
        }
        return {subject.games: values for subject, values in chosen.items()}

    for kind, other in dict.fromkeys((s.kind, s.package) for s in rates):
        ours, theirs = sizes(package, kind), sizes(other, kind)
        if is_ours(other):
            continue
        for games in sorted(ours.keys() & theirs.keys()):
            label = f"{other}, {kind}, {games:,} games"
            yield compared(label, ours[games], theirs[games])
        if len(ours) + len(theirs) > 2:
            one, two = best(ours), best(theirs)
            label = f"{other}, {kind}, best of each: {one:,} and {two:,} games"
            yield compared(label, ours[one], theirs[two])


def best(sizes: dict[int, tuple[float, ...]]) -> int:
    """Return the number of games with most steps per second."""
    return max(sizes, key=lambda games: statistics.median(sizes[games]))


def compared(label: str, ours: tuple[float, ...], theirs: tuple[float, ...]) -> list:
    """Return a line with the ratios of the rounds."""
    by_round = [one / other for one, other in zip(ours, theirs)]
    figures = statistics.median(by_round), min(by_round), max(by_round)
    return [label, *(f"{figure:.1f}x" for figure in figures)]
