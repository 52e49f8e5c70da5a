"""Runs subjects in alternating rounds."""

import contextlib
import functools
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

#: The figure that every subject has.
STEPS = "steps with resets [1/s]"
#: Plays a round; takes its index and returns figures by name and unit, such as
#: `{"steps [1/s]": 4000.0}`. Higher is better if the unit is 1/s, otherwise lower.
Play = Callable[[int], dict[str, float]]
#: Subject -> figure -> its value in each round.
Results = dict[str, dict[str, list[float]]]


class Subject(NamedTuple):
    """A program to measure.

    Attributes:
        name: Its name in tables.
        make: Makes the function that plays, already warmed up.
        arguments: Arguments of `make`.
        load: Imports what `make` needs, before memory is measured; takes the same
            arguments.
    """

    name: str
    make: Callable[..., Play]
    arguments: tuple[Any, ...] = ()
    load: Callable[..., Any] | None = None


# Runs in the process of a subject.

_play: Play | None = None
_loaded = 0.0


def _begin(subject: Subject) -> None:
    global _play, _loaded
    if subject.load:
        subject.load(*subject.arguments)
    gc.collect()
    _loaded = memory()
    _play = subject.make(*subject.arguments)


def _round(number: int) -> dict[str, float]:
    assert _play
    return _play(number)


def _memory_growth() -> float:
    gc.collect()
    return memory() - _loaded


def memory(process: int | str = "self") -> float:
    """Returns the resident memory of a process in MB; NaN except on Linux."""
    try:
        lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    except OSError:
        return float("nan")
    return int(dict(line.split(":", 1) for line in lines)["VmRSS"].split()[0]) / 1000


# Measuring.


def take_turns(subjects: Sequence[Subject], rounds: int) -> Results:
    """Runs subjects in alternating rounds, each in its own process."""
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
            results[name]["memory [MB]"] = [pool.submit(_memory_growth).result()]
    return results


def _ask(pool: ProcessPoolExecutor, number: int) -> dict[str, float]:
    return pool.submit(_round, number).result()


def alternate(players: dict[str, Play], rounds: int) -> Results:
    """Runs players in alternating rounds in this process."""
    results: Results = {name: {} for name in players}
    for number in range(rounds):
        for name, play in players.items():
            progress(f"round {number + 1}/{rounds}, {name}")
            for figure, value in play(number).items():
                results[name].setdefault(figure, []).append(value)
    return results


def start_time(subject: Subject, **environment: str) -> float:
    """Returns the seconds from the start of Python until a subject is warmed up.

    Raises:
        RuntimeError: If it fails to start; with its output.
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


def progress(text: str) -> None:
    """Shows on the terminal what is being measured."""
    if sys.stderr.isatty():
        print(f"\r{text:<60}", end="\r", file=sys.stderr, flush=True)
