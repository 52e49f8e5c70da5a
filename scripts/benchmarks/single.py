"""Measure the speed and the memory of the environment.

    python scripts/benchmark.py               this package
    python scripts/benchmark.py --published   and Crafter 1.8.3 beside it, with ratios
    python scripts/benchmark.py --vector      the batched engine beside one environment
    python scripts/benchmark.py --jax         the engine in JAX; see benchmark_jax.py

Each package runs in a process of its own, one at a time, in alternating rounds, so that
whatever else the machine does meets both. Figures are medians over the rounds. Actions
are random and the same for both. A step is timed alone; when an episode is done, the
reset that follows is timed too, and counts only in the row "steps with resets".
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import math
import os
import platform
import pstats
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from published import InstallError, default_folder, import_published, install

OURS, PUBLISHED = "ours", "published"

LARGE_AREAS = ((64, 64), (128, 128), (256, 256))

# Views of growing size with seven pixels a cell, and the observation that they fill.
LARGE_VIEWS = ((9, 9), (17, 17), (33, 33))

MEMORY_STEPS = 300


@dataclass
class Row:
    """One line of a table.

    Attributes:
        label: What was measured.
        unit: Unit of the figures.
        values: Package to figure.
        more_is_better: Whether a ratio above 1 is an advantage when ours is larger.
    """

    label: str
    unit: str
    values: dict[str, float]
    more_is_better: bool = False

    def cells(self, packages: list[str]) -> list[str]:
        """Return the texts of the line."""
        texts = [f"{self.label} [{self.unit}]"]
        texts += [format_figure(self.values[p]) for p in packages if p in self.values]
        if len(self.values) > 1 and all(self.values.values()):
            ratio = self.values[PUBLISHED] / self.values[OURS]
            texts.append(f"{1 / ratio if self.more_is_better else ratio:.1f}x")
        return texts


def format_figure(value: float) -> str:
    """Write a figure with at least three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def print_table(title: str, packages: list[str], rows: list[Row]) -> None:
    """Print a table with one column for each package, and their ratio."""
    heads = [title, *packages, *(["ours is better by"] if len(packages) > 1 else [])]
    print_lines([heads, *(row.cells(packages) for row in rows)])


def print_lines(lines: list[list[str]]) -> None:
    """Print lines of cells, the first column to the left and the others right."""
    count = max(len(line) for line in lines)
    widths = [
        max(len(line[i]) for line in lines if i < len(line)) for i in range(count)
    ]
    print()
    for line in lines:
        first = line[0].ljust(widths[0])
        print("  ".join([first, *(c.rjust(w) for c, w in zip(line[1:], widths[1:]))]))


class Package:
    """One of the two packages in a process of its own.

    Args:
        name: `OURS` or `PUBLISHED`.
        folder: Where the published package is installed.
    """

    def __init__(self, name: str, folder: Path | None):
        self.name = name
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), load, (name, folder))

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of this module in the process and wait for its result."""
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


def load(name: str, folder: Path | None) -> None:
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
    load(OURS, None)
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


def progress(text: str) -> None:
    """Show on the terminal what is being measured."""
    if sys.stderr.isatty():
        print(f"\r{text:<60}", end="\r", file=sys.stderr, flush=True)


def print_machine() -> None:
    """Print what the figures depend on."""
    parts = [f"Python {platform.python_version()}", f"NumPy {np.__version__}"]
    parts += [f"{platform.system()} {platform.machine()}", f"{os.cpu_count()} cores"]
    if hasattr(os, "getloadavg"):
        parts.append(f"load average {os.getloadavg()[0]:.1f}")
    print(", ".join(parts))


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--published", action="store_true", help="also Crafter 1.8.3")
    parser.add_argument("--steps", type=int, default=5000, help="default: %(default)s")
    parser.add_argument("--resets", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument(
        "--no-scaling", action="store_true", help="leave out larger areas and views"
    )
    parser.add_argument(
        "--scratch",
        type=Path,
        default=default_folder(),
        metavar="DIR",
        help="where the published package is installed (default: %(default)s)",
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="show where our time goes, and nothing else",
    )
    parser.add_argument(
        "--vector",
        action="store_true",
        help="the batched engine, and nothing else; needs the extra 'vector'",
    )
    parser.add_argument(
        "--threads",
        type=int,
        default=2,
        help="with --vector: also this many threads (default: %(default)s)",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="with --vector: only show that it works, in a few seconds",
    )
    add_jax_arguments(parser)
    args = parser.parse_args()
    for name in ("steps", "resets", "rounds", "threads"):
        if getattr(args, name) < 1:
            parser.error(f"--{name} must be at least 1, not {getattr(args, name)}.")
    return args


def add_jax_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `benchmark_jax` needs."""
    group = parser.add_argument_group("the engine in JAX; needs the extra 'jax'")
    group.add_argument("--jax", action="store_true", help="this, and nothing else")
    group.add_argument(
        "--published-craftax", action="store_true", help="and Craftax-Classic beside it"
    )
    group.add_argument("--kinds", nargs="+", default=["compact", "symbolic", "pixels"])
    group.add_argument("--games", nargs="+", type=int, default=[1024])
    group.add_argument("--craftax-games", nargs="+", type=int, default=[16])
    group.add_argument("--jax-steps", type=int, default=50, help="steps in one scan")
    group.add_argument("--craftax-steps", type=int, default=10)
    group.add_argument(
        "--stages", action="store_true", help="what the parts of a step cost"
    )
    group.add_argument(
        "--craftax-folder", type=Path, default=default_folder().parent / "craftax"
    )


def main() -> int:
    """Run the command line program."""
    args = parse_arguments()
    print_machine()
    if args.jax:
        import benchmark_jax

        benchmark_jax.measure(args)
        return 0
    if args.profile:
        profile(args)
        return 0
    names, folder = [OURS], None
    if args.published:
        names.append(PUBLISHED)
        try:
            folder = install(args.scratch)
        except InstallError as error:
            print(error, file=sys.stderr)
            return 1
    if args.vector:
        import benchmark_vector  # it imports this module

        benchmark_vector.measure(args, folder)
        return 0
    packages = [Package(name, folder) for name in names]
    try:
        print_table("Speed", names, measure_speed(packages, args))
        if not args.no_scaling:
            print_table(
                "Larger areas and views", names, measure_scaling(packages, args)
            )
    finally:
        for package in packages:
            package.__exit__()
    print_table("Memory", names, measure_memory(names, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
