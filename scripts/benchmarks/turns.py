"""Subjects that take turns, and tables of their figures and ratios."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

#: Plays a round; takes its number, and returns figures by name and unit, as in
#: `{"steps [1/s]": 4000.0}`. More is better if the unit is 1/s, else less.
Play = Callable[[int], dict[str, float]]
#: Subject -> figure -> its value in each round.
Results = dict[str, dict[str, list[float]]]


class Subject(NamedTuple):
    """A measured program.

    Attributes:
        name: Its name in tables.
        make: Makes what plays, warm.
        arguments: Of `make`.
        load: Imports what `make` needs, and is not counted as memory; takes the same
            arguments.
    """

    name: str
    make: Callable[..., Play]
    arguments: tuple[Any, ...] = ()
    load: Callable[..., Any] | None = None


class Pair(NamedTuple):
    """Two subjects that are compared.

    Attributes:
        label: What is compared.
        ours: Name of our subject.
        theirs: Name of the other one.
        figure: Name of the figure.
    """

    label: str
    ours: str
    theirs: str
    figure: str


# In the process of a subject.

_play: Play | None = None
_loaded = 0.0


def _begin(subject: Subject) -> None:
    global _play, _loaded
    if subject.load:
        subject.load(*subject.arguments)
    gc.collect()
    _loaded = _memory()
    _play = subject.make(*subject.arguments)


def _round(number: int) -> dict[str, float]:
    assert _play
    return _play(number)


def _added_memory() -> float:
    gc.collect()
    return _memory() - _loaded


def _memory() -> float:
    """Returns the resident memory of this process in MB; nan except on Linux."""
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return float("nan")
    return int(dict(line.split(":", 1) for line in lines)["VmRSS"].split()[0]) / 1000


# Measuring.


def take_turns(subjects: Sequence[Subject], rounds: int) -> Results:
    """Lets subjects play in alternating rounds, each in a process of its own."""
    context, pools = get_context("spawn"), {}
    with contextlib.ExitStack() as stack:
        for subject in subjects:
            progress(f"preparing {subject.name}")
            pool = stack.enter_context(ProcessPoolExecutor(1, context))
            pool.submit(_begin, subject).result()
            pools[subject.name] = pool
        players: dict[str, Play] = {
            name: functools.partial(_ask, pool) for name, pool in pools.items()
        }
        results = alternate(players, rounds)
        for name, pool in pools.items():
            results[name]["memory [MB]"] = [pool.submit(_added_memory).result()]
    return results


def _ask(pool: ProcessPoolExecutor, number: int) -> dict[str, float]:
    return pool.submit(_round, number).result()


def alternate(players: dict[str, Play], rounds: int) -> Results:
    """Lets players play in alternating rounds in this process."""
    results: Results = {name: {} for name in players}
    for number in range(rounds):
        for name, play in players.items():
            progress(f"round {number + 1}/{rounds}, {name}")
            for figure, value in play(number).items():
                results[name].setdefault(figure, []).append(value)
    return results


def start_time(subject: Subject, **environment: str) -> float:
    """Returns the seconds from the start of Python until a subject is warm.

    Raises:
        RuntimeError: If it does not start; with what it printed.
    """
    progress(f"start of {subject.name}")
    make = subject.make
    program = f"from {make.__module__} import {make.__name__} as make\n"
    program += f"from pathlib import *\nmake(*{subject.arguments!r})"
    paths = [str(Path(__file__).parents[1]), *sys.path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment}
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{subject.name} does not start: {done.stderr.strip()}")
    return time.perf_counter() - begin


# Tables.


def print_results(title: str, results: Results) -> None:
    """Prints the median of each figure, with a row per subject."""
    figures = list(dict.fromkeys(f for row in results.values() for f in row))
    lines = [[title, *figures]]
    for name, row in results.items():
        cells = [format_figure(median(row[f])) if f in row else "" for f in figures]
        lines.append([name, *cells])
    print_lines(lines)


def print_pairs(pairs: Iterable[Pair], results: Results) -> None:
    """Prints how many times as good ours is, with medians, least and most of rounds."""
    lines = [["", "ours", "theirs", "ours is better by", "least", "most"]]
    for pair in pairs:
        ours, theirs = (results[n].get(pair.figure, []) for n in pair[1:3])
        ratios = [one / other for one, other in zip(ours, theirs) if one and other]
        if not pair.figure.endswith("1/s]"):
            ratios = [1 / ratio for ratio in ratios]
        if ratios:
            both = [format_figure(median(values)) for values in (ours, theirs)]
            found = median(ratios), min(ratios), max(ratios)
            lines.append([pair.label, *both, *(f"{ratio:.3g}x" for ratio in found)])
    if lines[1:]:
        print_lines(lines)


def median(values: Iterable[float]) -> float:
    """Returns the median of the figures that could be measured."""
    return statistics.median([v for v in values if v == v] or [float("nan")])


def format_figure(value: float) -> str:
    """Writes a figure with at least three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def print_lines(lines: list[list[str]]) -> None:
    """Prints lines of cells, the first column to the left and the others right."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    print()
    for first, *rest in lines:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:]))
        print("  ".join([first.ljust(widths[0]), *cells]))


def progress(text: str) -> None:
    """Shows on the terminal what is being measured."""
    if sys.stderr.isatty():
        print(f"\r{text:<60}", end="\r", file=sys.stderr, flush=True)


def print_machine() -> None:
    """Prints what the figures depend on."""
    parts = [f"Python {platform.python_version()}", f"NumPy {np.__version__}"]
    parts += [f"{platform.system()} {platform.machine()}", f"{os.cpu_count()} cores"]
    if hasattr(os, "getloadavg"):
        parts.append(f"load average {os.getloadavg()[0]:.1f}")
    print(", ".join(parts))
