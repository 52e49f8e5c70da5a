"""The speed and the memory of one environment, and of the published one beside it."""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import gc
import math
import pstats
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from reference.published import import_published

from benchmarks.tables import OURS, PUBLISHED, Row, print_table, progress

LARGE_AREAS = ((64, 64), (128, 128), (256, 256))

# Views of growing size with seven pixels a cell, and the observation that they fill.
LARGE_VIEWS = ((9, 9), (17, 17), (33, 33))

MEMORY_STEPS = 300


class Package:
    """One of the two packages in a process of its own.

    Args:
        name: `OURS` or `PUBLISHED`.
        folder: Where the published package is installed.
        load: What imports the package there; by default `load_crafter`.
    """

    def __init__(
        self,
        name: str,
        folder: Path | None,
        load: Callable[[str, Path | None], None] | None = None,
    ):
        self.name = name
        self._pool = ProcessPoolExecutor(
            1, get_context("spawn"), load or load_crafter, (name, folder)
        )

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of a module in the process and wait for its result."""
        return self._pool.submit(function, *args, **kwargs).result()


# --- In the process of a package ------------------------------------------------------

_crafter: Any = None
_runs: dict[str, Run] = {}


class Run:
    """An environment that is played on and on, by day and by night.

    Args:
        arguments: Arguments of `Env`.
    """

    def __init__(self, arguments: dict[str, Any]):
        self._env = _crafter.Env(**arguments)
        self._steps = -1

    @property
    def started(self) -> bool:
        """Whether there was a reset."""
        return self._steps >= 0

    def reset(self) -> float:
        """Start an episode; return the seconds it took."""
        start = time.perf_counter()
        self._env.reset()
        self._steps = 0
        return time.perf_counter() - start

    def step(self, action: int) -> tuple[float, bool]:
        """Take a step; return the seconds it took and whether the episode is done."""
        start = time.perf_counter()
        outcome = self._env.step(action)
        seconds = time.perf_counter() - start
        self._steps += 1
        return seconds, any(outcome[2:-1])  # Between reward and info.

    @property
    def phase(self) -> str:
        """Time of day; at night the image has noise."""
        return "night" if 148 <= self._steps % 300 <= 272 else "day"


def load_crafter(name: str, folder: Path | None) -> None:
    """Import a package."""
    global _crafter
    if name == PUBLISHED:
        assert folder is not None
        _crafter = import_published(folder)
    else:
        import crafter

        _crafter = crafter


def run_of(arguments: dict[str, Any]) -> Run:
    """Return the run with these arguments, made on the first call."""
    key = repr(arguments)
    if key not in _runs:
        _runs[key] = Run(arguments)
    return _runs[key]


def time_steps(arguments: dict[str, Any], count: int, seed: int) -> dict[str, float]:
    """Time random steps.

    Args:
        arguments: Arguments of `Env`.
        count: Number of steps.
        seed: Seed of the actions.

    Returns:
        Number and seconds of the steps by day, of those by night, and the seconds of
        the resets.
    """
    run = run_of(arguments)
    if not run.started:
        run.reset()
        run.step(0)  # The first image also prepares the textures.
    result = dict.fromkeys(("day", "day s", "night", "night s", "reset s"), 0.0)
    for action in np.random.RandomState(seed).randint(0, 17, size=count).tolist():
        seconds, done = run.step(action)
        result[run.phase] += 1
        result[f"{run.phase} s"] += seconds
        if done:
            result["reset s"] += run.reset()
    return result


def time_resets(arguments: dict[str, Any], count: int) -> float:
    """Return the mean seconds of a reset."""
    run = run_of(arguments)
    return sum(run.reset() for _ in range(count)) / count


def memory_of_env(arguments: dict[str, Any]) -> dict[str, float]:
    """Measure what one environment adds to the memory of a process, in MB.

    Returns:
        `kept` and `peak`: resident memory after some steps, and its peak on the way,
        over the memory after the import. `objects`: peak of what Python allocated, for
        a second environment.
    """
    gc.collect()
    before = resident_memory("VmRSS")
    play_a_little(arguments)
    gc.collect()
    result = {name: resident_memory(key) - before for name, key in MEMORY_KEYS.items()}
    tracemalloc.start()
    play_a_little(arguments)
    result["objects"] = tracemalloc.get_traced_memory()[1] / 1e6
    return result


MEMORY_KEYS = {"kept": "VmRSS", "peak": "VmHWM"}


def resident_memory(key: str) -> float:
    """Read an entry of Linux's memory status of this process, in MB."""
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return float("nan")
    entries = dict(line.split(":", 1) for line in lines)
    return int(entries[key].split()[0]) * 1024 / 1e6


def play_a_little(arguments: dict[str, Any]) -> None:
    """Make an environment and take some steps in it."""
    run = Run(arguments)
    run.reset()
    for action in np.random.RandomState(0).randint(0, 17, size=MEMORY_STEPS).tolist():
        if run.step(action)[1]:
            run.reset()


# --- Sections -------------------------------------------------------------------------


def measure(args: argparse.Namespace, names: list[str], folder: Path | None) -> None:
    """Print the tables of some packages.

    Args:
        args: The command line.
        names: `OURS`, and `PUBLISHED` for a comparison.
        folder: Where the published package is installed.
    """
    with contextlib.ExitStack() as stack:
        packages = [stack.enter_context(Package(name, folder)) for name in names]
        print_table("Speed", names, measure_speed(packages, args))
        if not args.no_scaling:
            print_table(
                "Larger areas and views", names, measure_scaling(packages, args)
            )
    print_table("Memory", names, measure_memory(names, folder))


def measure_speed(packages: list[Package], args: argparse.Namespace) -> list[Row]:
    """Measure steps and resets with default arguments, in alternating rounds."""
    arguments = {"seed": args.seed}
    rows = [
        Row("steps, resets not counted", "1/s", {}, more_is_better=True),
        Row("  by day", "1/s", {}, more_is_better=True),
        Row("  by night", "1/s", {}, more_is_better=True),
        Row("steps with resets", "1/s", {}, more_is_better=True),
        Row("one reset", "ms", {}),
    ]
    figures: dict[str, list[list[float]]] = {p.name: [] for p in packages}
    for number in range(args.rounds):
        for package in packages:
            progress(f"round {number + 1}/{args.rounds}, {package.name}")
            steps, resets = (
                -(-args.steps // args.rounds),
                -(-args.resets // args.rounds),
            )
            t = package.run(time_steps, arguments, steps, args.seed + number)
            reset = package.run(time_resets, arguments, resets)
            figures[package.name].append([*rates(t), 1000 * reset])
    for name, rounds in figures.items():
        for row, values in zip(rows, zip(*rounds)):
            row.values[name] = median(values)
    return rows


def rates(t: dict[str, float]) -> list[float]:
    """Return steps per second: all, by day, by night, and with resets."""
    steps, seconds = t["day"] + t["night"], t["day s"] + t["night s"]
    pairs = [(steps, seconds), (t["day"], t["day s"]), (t["night"], t["night s"])]
    pairs.append((steps, seconds + t["reset s"]))
    return [count / time if time else float("nan") for count, time in pairs]


def median(values: tuple[float, ...]) -> float:
    """Return the median of the figures that could be measured."""
    return statistics.median([v for v in values if v == v] or [float("nan")])


def measure_scaling(packages: list[Package], args: argparse.Namespace) -> list[Row]:
    """Measure resets of larger areas and steps with larger views."""
    rows = []
    for area in LARGE_AREAS:
        rows.append(Row(f"one reset, {describe('area', area, LARGE_AREAS)}", "ms", {}))
        for package in packages:
            progress(f"{rows[-1].label}, {package.name}")
            arguments = {"seed": args.seed, "area": area}
            seconds = package.run(
                time_resets, arguments, 3 if package.name == OURS else 1
            )
            rows[-1].values[package.name] = 1000 * seconds
    for view in LARGE_VIEWS:
        rows.append(Row(f"one step, {describe('view', view, LARGE_VIEWS)}", "us", {}))
        for package in packages:
            progress(f"{rows[-1].label}, {package.name}")
            size = (7 * view[0], 7 * view[1])
            arguments = {"seed": args.seed, "view": view, "size": size}
            t = package.run(time_steps, arguments, 300, args.seed)
            rows[-1].values[package.name] = 1e6 / rates(t)[0]
    return rows


def describe(name: str, cells: tuple[int, int], all_sizes: Sequence[tuple]) -> str:
    """Name a size, and how many times the cells of the first one it has."""
    times = math.prod(cells) / math.prod(all_sizes[0])
    return f"{name} {cells[0]}x{cells[1]} ({times:.3g}x the cells)"


def measure_memory(names: list[str], folder: Path | None) -> list[Row]:
    """Measure the memory of one environment, each in a fresh process."""
    labels = {
        "kept": "memory of one env over the import",
        "peak": "  peak on the way",
        "objects": "  peak of Python's allocations",
    }
    rows = {key: Row(label, "MB", {}) for key, label in labels.items()}
    for name in names:
        progress(f"memory, {name}")
        with Package(name, folder) as package:
            for key, value in package.run(memory_of_env, {"seed": 0}).items():
                rows[key].values[name] = value
    return list(rows.values())


def profile(args: argparse.Namespace) -> None:
    """Print where the time of our steps and resets goes."""
    load_crafter(OURS, None)
    time_steps({"seed": 0}, 0, 0)  # Makes the environment.
    calls: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("steps", lambda: time_steps({"seed": 0}, args.steps, args.seed)),
        ("resets", lambda: time_resets({"seed": 0}, args.resets)),
    )
    for name, call in calls:
        profiler = cProfile.Profile()
        profiler.runcall(call)
        print(f"\n--- Profile of {name}")
        pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(25)
