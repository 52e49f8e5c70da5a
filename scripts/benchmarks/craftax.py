"""The part of scripts/benchmark.py that measures the larger game.

    python scripts/benchmark.py --craftax               this package
    python scripts/benchmark.py --craftax --published   and Craftax 1.6.1 beside it

Craftax is installed on request, with its JAX, into `--craftax-folder`; a folder that
has it is used as it is. If JAX is installed beside this package, that one is used.

Each side plays one game at a time in a process of its own, in alternating rounds. Both
get random actions and hand over observation, reward and end after each step. The
published side is compiled; it may use all cores, ours uses one. It is measured in its
auto-reset mode, which makes a world in every step, and without, where an episode that
has ended is followed by a reset as in ours. Resets count in the time of the steps.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import itertools
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from benchmarks.single import MEMORY_KEYS, Package, median, resident_memory
from benchmarks.tables import OURS, PUBLISHED, Row, print_table, progress

KINDS = ("symbolic", "pixels")
_ACTIONS = 43
_MEMORY_STEPS = 100

#: Programs that print a line after their first step.
_STARTS = {
    OURS: """
from crafter.games.craftax import Env
env = Env("{kind}", seed=0)
env.reset()
env.step(0)
print("stepped", flush=True)
""",
    PUBLISHED: """
import sys
sys.path.append({folder!r})
import jax
from craftax.craftax_env import make_craftax_env_from_name
env = make_craftax_env_from_name("Craftax-{title}-v1", auto_reset=True)
key = jax.random.key(0)
_, state = jax.jit(env.reset)(key, env.default_params)
jax.block_until_ready(jax.jit(env.step)(key, state, 0, env.default_params))
print("stepped", flush=True)
""",
}


class Side(NamedTuple):
    """One of the two packages.

    Attributes:
        name: `OURS` or `PUBLISHED`.
        folder: Where the published package is installed.
    """

    name: str
    folder: Path | None = None


class Game(Protocol):
    """A game that starts anew when it ends."""

    def reset(self) -> None:
        """Start an episode."""

    def step(self, action: int) -> None:
        """Play a step, and start an episode if this one is over."""


# --- In the process of a package ------------------------------------------------------

_name = OURS
_games: dict[tuple[str, bool], Game] = {}


def load(name: str, folder: Path | None) -> None:
    """Import a package."""
    global _name
    _name = name
    if name == OURS:
        import crafter.craftax  # noqa: F401
    else:
        sys.path.append(str(folder))  # What is installed beside us comes first.
        import craftax.craftax_env  # type: ignore[import-not-found]
        import jax

        assert craftax and jax


def our_game(kind: str) -> Game:
    """Return a game of this package."""
    from crafter.games.craftax import Env

    env = Env(kind, seed=0)

    class Ours:
        def reset(self) -> None:
            env.reset()

        def step(self, action: int) -> None:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()

    return Ours()


def published_game(kind: str, auto_reset: bool) -> Game:
    """Return a game of the published package, compiled when first used."""
    import jax
    from craftax.craftax_env import make_craftax_env_from_name

    name = f"Craftax-{kind.title()}-v1"
    env = make_craftax_env_from_name(name, auto_reset=auto_reset)
    params = env.default_params

    @jax.jit
    def reset(key: Any) -> Any:
        key, now = jax.random.split(key)
        return env.reset(now, params), key

    @jax.jit
    def step(key: Any, state: Any, action: Any) -> Any:
        key, now = jax.random.split(key)
        obs, state, reward, done, _ = env.step(now, state, action, params)
        return (obs, reward, done), state, key

    class Theirs:
        def __init__(self) -> None:
            self._key, self._state = jax.random.key(0), None

        def reset(self) -> None:
            (obs, self._state), self._key = reset(self._key)
            np.asarray(obs)

        def step(self, action: int) -> None:
            seen, self._state, self._key = step(self._key, self._state, action)
            _, _, done = map(np.asarray, seen)  # An agent needs them here.
            if done and not auto_reset:
                self.reset()

    return Theirs()


def game_of(kind: str, auto_reset: bool = True) -> Game:
    """Return the game with this observation, started and warm after the first call."""
    auto_reset = auto_reset and _name == PUBLISHED
    if (kind, auto_reset) not in _games:
        game = our_game(kind) if _name == OURS else published_game(kind, auto_reset)
        _games[kind, auto_reset] = game
        game.reset()
        game.step(0)
    return _games[kind, auto_reset]


def step_rate(kind: str, auto_reset: bool, seconds: float, seed: int) -> float:
    """Play for some seconds; return steps per second."""
    game, random = game_of(kind, auto_reset), np.random.default_rng(seed)
    actions = itertools.cycle(random.integers(_ACTIONS, size=1000).tolist())
    begin, elapsed, steps = time.perf_counter(), 0.0, 0
    while elapsed < seconds:
        game.step(next(actions))
        steps += 1
        elapsed = time.perf_counter() - begin
    return steps / elapsed


def reset_time(kind: str, count: int) -> float:
    """Return the mean seconds of a reset."""
    game = game_of(kind)
    begin = time.perf_counter()
    for _ in range(count):
        game.reset()
    return (time.perf_counter() - begin) / count


def memory_of_game(kind: str) -> dict[str, float]:
    """Measure what one game adds to the memory of a fresh process, in MB.

    Returns:
        `kept` and `peak`: resident memory after some steps, and its peak on the way,
        over the memory after the import.
    """
    gc.collect()
    before = resident_memory("VmRSS")
    game = game_of(kind)
    for action in np.random.default_rng(0).integers(_ACTIONS, size=_MEMORY_STEPS):
        game.step(int(action))
    gc.collect()
    return {name: resident_memory(key) - before for name, key in MEMORY_KEYS.items()}


# --- Sections -------------------------------------------------------------------------


def measure(args: argparse.Namespace, folder: Path | None) -> None:
    """Print the tables.

    Args:
        args: The command line.
        folder: Where the published package is installed; `None` to leave it out.
    """
    sides = [Side(OURS)] + ([Side(PUBLISHED, folder)] if folder else [])
    names = [side.name for side in sides]
    for kind in args.craftax_kinds:
        rows = measure_speed(sides, kind, args)
        rows += [measure_start(sides, kind, args.starts), *measure_memory(sides, kind)]
        print_table(f"Craftax, {kind}", names, rows)


def measure_speed(sides: list[Side], kind: str, args: argparse.Namespace) -> list[Row]:
    """Measure steps and resets in alternating rounds."""
    figures: dict[str, list[tuple[float, ...]]] = {side.name: [] for side in sides}
    with contextlib.ExitStack() as stack:
        packages = [stack.enter_context(Package(*side, load=load)) for side in sides]
        for number, package in itertools.product(range(args.rounds), packages):
            progress(f"{kind}, round {number + 1}/{args.rounds}, {package.name}")
            seed = args.seed + number
            rates = [
                package.run(step_rate, kind, auto_reset, args.seconds, seed)
                for auto_reset in (True, False)
            ]
            seconds = package.run(reset_time, kind, -(-args.resets // args.rounds))
            figures[package.name].append((*rates, 1000 * seconds))
    rows = [
        Row("steps with resets", "1/s", {}, more_is_better=True),
        Row("  theirs without auto-reset", "1/s", {}, more_is_better=True),
        Row("one reset", "ms", {}),
    ]
    for name, rounds in figures.items():
        for row, values in zip(rows, zip(*rounds)):
            row.values[name] = median(values)
    return rows


def measure_start(sides: list[Side], kind: str, times: int) -> Row:
    """Measure the time from starting Python to the first step."""
    row = Row("starting Python to the first step", "s", {})
    for side in sides:
        progress(f"{kind}, start, {side.name}")
        row.values[side.name] = median(
            tuple(start_time(side, kind) for _ in range(times))
        )
    return row


def start_time(side: Side, kind: str) -> float:
    """Return the seconds that a new process takes to its first step."""
    program = _STARTS[side.name].format(
        kind=kind, title=kind.title(), folder=str(side.folder)
    )
    begin = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        lines = itertools.takewhile(lambda line: "stepped" not in line, process.stdout)
        printed = list(lines)
        seconds = time.perf_counter() - begin
    if process.returncode:
        raise RuntimeError(f"The program of {side.name} failed: {''.join(printed)}")
    return seconds


def measure_memory(sides: list[Side], kind: str) -> list[Row]:
    """Measure the memory of one game, each in a fresh process."""
    labels = {"kept": "memory over the import", "peak": "  peak on the way"}
    rows = {key: Row(label, "MB", {}) for key, label in labels.items()}
    for side in sides:
        progress(f"{kind}, memory, {side.name}")
        with Package(*side, load=load) as package:
            for key, value in package.run(memory_of_game, kind).items():
                rows[key].values[side.name] = value
    return list(rows.values())
