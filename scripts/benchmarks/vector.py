"""The part of scripts/benchmark.py that measures the batched engine.

Steps are random, and worlds are renewed when a game ends, within the time that is
measured; a call that starts a game is no step of it. Before a measurement the games
play on until they are at different moments of their lives.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from benchmarks.single import Package, median, rates, resident_memory, time_steps
from benchmarks.tables import OURS, PUBLISHED, format_figure, print_lines, progress

KINDS = ("pixels", "compact", "symbolic")
ACTIONS = 17
_PIECE = 16  # steps between two looks at the clock

# What the time of compiled code goes into; everything else is Python's own time.
PARTS = ("worldgen", "rules", "drawing")

START = """
import gymnasium, crafter
envs = gymnasium.make_vec("CrafterReward-v1", num_envs=2)
envs.reset(seed=0)
envs.step([0, 0])
"""


@dataclass
class Plan:
    """How much is measured.

    Attributes:
        sizes: Numbers of environments.
        threads: Numbers of threads.
        warm_up: Steps before a measurement; random games last about 200.
        seconds: Least time of a measurement.
        worlds: Number of worlds that are generated for the time of one.
        memory_envs: Number of environments whose memory is measured.
        reference_steps: Steps of the single environment, in all rounds.
        rounds: Number of alternating rounds.
        first_use: Whether to compile in an empty cache.
        seed: Seed of worlds and actions.
    """

    sizes: tuple[int, ...]
    threads: tuple[int, ...]
    warm_up: int
    seconds: float
    worlds: int
    memory_envs: int
    reference_steps: int
    rounds: int
    first_use: bool
    seed: int


def make_plan(args: argparse.Namespace) -> Plan:
    """Return what the options of the command line ask for."""
    threads = tuple(sorted({1, 2, args.threads}))
    if args.quick:
        return Plan((1, 4), (1, 2), 2, 0.01, 2, 32, 4, 1, False, args.seed)
    sizes = (1, 16, 64, 256, 1024, 4096)
    steps, rounds, seed = args.steps, args.rounds, args.seed
    return Plan(sizes, threads, 300, 1.0, 512, 1024, steps, rounds, True, seed)


def measure(args: argparse.Namespace, folder: Path | None) -> None:
    """Measure and print everything.

    Args:
        args: Options of the command line.
        folder: Where the published package is installed, or `None` to compare with
            our single environment.
    """
    plan = make_plan(args)
    if args.quick:
        print("Quick: this shows that the measurements work, not what they measure.")
    if plan.first_use:
        print_first_use()
    with Package(OURS, None) as batch:
        best = print_scaling(batch, plan)
        reference = OURS if folder is None else PUBLISHED
        with Package(reference, folder) as single:
            print_speed(batch, single, best, plan)
        progress("worlds")
        milliseconds = 1000 * batch.run(time_worlds, plan.worlds, plan.seed)
    print(f"\nOne world on one core [ms]  {format_figure(milliseconds)}")
    print_memory(plan)
    print_shares(plan, {kind: size for kind, (size, _) in best.items()})


# --- In a process of its own ----------------------------------------------------------

_batches: dict[tuple[str, int, int, bool], Batch] = {}


class Batch:
    """A batch that is played on and on.

    Args:
        kind: Kind of the observation.
        count: Number of environments.
        threads: Number of threads.
        copy: Whether observations are copied.
        seed: Seed of worlds and actions.
    """

    def __init__(self, kind: str, count: int, threads: int, copy: bool, seed: int):
        options: dict[str, Any] = {"observation": kind, "threads": threads}
        self.envs = gymnasium.make_vec(
            "crafter:CrafterReward-v1", num_envs=count, copy=copy, **options
        )
        self.envs.reset(seed=seed)
        self._random = np.random.RandomState(seed)
        self._starting = 0

    def play(self, steps: int) -> tuple[int, float]:
        """Play at random; return the steps that games took, and the seconds."""
        envs, taken = self.envs, 0
        actions = self._random.randint(0, ACTIONS, size=(steps, envs.num_envs))
        start = time.perf_counter()
        for row in actions:
            _, _, terminated, truncated, _ = envs.step(row)
            taken += envs.num_envs - self._starting
            # These start anew in the next call instead of taking a step.
            self._starting = int(np.count_nonzero(terminated | truncated))
        return taken, time.perf_counter() - start

    def rate(self, seconds: float) -> float:
        """Return the steps per second of all games together."""
        taken, spent = 0, 0.0
        while spent < seconds:
            more, time_spent = self.play(_PIECE)
            taken, spent = taken + more, spent + time_spent
        return taken / spent


def time_batch(
    kind: str, count: int, threads: int, copy: bool, plan: Plan, keep: bool = False
) -> float:
    """Return the steps per second of a batch, after warming it up.

    Args:
        kind: Kind of the observation.
        count: Number of environments.
        threads: Number of threads.
        copy: Whether observations are copied.
        plan: How long to measure.
        keep: Whether the next call goes on with the batch.
    """
    key = kind, count, threads, copy
    batch = _batches.get(key)
    if batch is None:
        batch = Batch(*key, plan.seed)
        batch.play(plan.warm_up)
    if keep:
        _batches[key] = batch
    rate = batch.rate(plan.seconds)
    if not keep:
        batch.envs.close()
    return rate


def time_worlds(count: int, seed: int) -> float:
    """Return the seconds of a reset on one core, world and first look."""
    batch = Batch("compact", count, 1, False, seed)  # compiles
    start = time.perf_counter()
    batch.envs.reset()
    return (time.perf_counter() - start) / count


def memory_of_batch(kind: str, count: int) -> float:
    """Return the memory that one more environment of a batch takes, in kB."""
    Batch(kind, 1, 1, False, 0).play(2)  # what does not grow with the number
    before = resident_memory("VmRSS")
    batch = Batch(kind, count, 1, False, 0)
    batch.play(_PIECE)
    return 1000 * (resident_memory("VmRSS") - before) / count


def shares_of_time(kind: str, count: int, plan: Plan) -> dict[str, float]:
    """Return the part of the time of one thread that each of `PARTS` takes."""
    batch = Batch(kind, count, 1, False, plan.seed)
    batch.play(plan.warm_up)
    engine = batch.envs.unwrapped._engine  # type: ignore[attr-defined]
    play, spent, resets = engine._play, 0.0, 0

    def timed(over: np.ndarray, *args: Any) -> Any:
        nonlocal spent, resets
        start = time.perf_counter()
        result = play(over, *args)
        spent += time.perf_counter() - start
        resets += len(over)
        return result

    engine._play = timed
    total = looks = 0.0
    rounds = 0
    everyone, nothing = np.arange(count), np.zeros(0, np.int64)
    while total < plan.seconds:
        total += batch.play(_PIECE)[1]
        rounds += _PIECE
        # All are looked at in every round; this looks at them once more.
        work = engine._work(nothing, nothing, everyone, nothing)
        start = time.perf_counter()
        engine.observer.play(work, engine._grounds[0], engine._sketches[0])
        looks += time.perf_counter() - start
    drawing = rounds * looks / (rounds // _PIECE)
    start = time.perf_counter()
    play(everyone)
    world = (time.perf_counter() - start - drawing / rounds) / count
    worldgen = resets * world
    parts = worldgen, spent - worldgen - drawing, drawing
    return {part: seconds / total for part, seconds in zip(PARTS, parts)}


# --- Sections -------------------------------------------------------------------------


def print_first_use() -> None:
    """Print the time from the start of a process to its first step."""
    with tempfile.TemporaryDirectory() as cache:
        for title in ("compiles everything", "reads the compiled code"):
            progress(f"a process that {title}")
            start = time.perf_counter()
            process = subprocess.run(
                [sys.executable, "-c", START],
                cwd=Path(__file__).parents[2],
                env={**os.environ, "NUMBA_CACHE_DIR": cache},
                check=True,
                stderr=subprocess.PIPE,
                text=True,
            )
            seconds = time.perf_counter() - start
            figure = format_figure(seconds)
            print(f"\nStart to first step, {title} [s]  {figure}")
            if process.stderr:
                print(f"  It says: {process.stderr.strip()}")


def print_scaling(batch: Package, plan: Plan) -> dict[str, tuple[int, int]]:
    """Print steps per second by the numbers of environments and threads.

    Returns:
        Kind -> the numbers of environments and threads that were the fastest.
    """
    heads = [f"{kind}, {_threads(n)}" for kind in KINDS for n in plan.threads]
    lines = [["Steps with resets [1/s]", *heads]]
    figures: dict[str, dict[tuple[int, int], float]] = {kind: {} for kind in KINDS}
    for size in plan.sizes:
        for kind in KINDS:
            for threads in plan.threads:
                progress(f"{size} envs, {kind}, {_threads(threads)}")
                rate = batch.run(time_batch, kind, size, threads, False, plan)
                figures[kind][size, threads] = rate
        cells = [
            format_figure(figures[k][size, n]) for k in KINDS for n in plan.threads
        ]
        lines.append([_envs(size), *cells])
    print_lines(lines)
    return {kind: max(rates, key=rates.__getitem__) for kind, rates in figures.items()}


def _envs(count: int) -> str:
    return "1 env" if count == 1 else f"{count} envs"


def _threads(count: int) -> str:
    return "1 thread" if count == 1 else f"{count} threads"


def print_speed(
    batch: Package, single: Package, best: dict[str, tuple[int, int]], plan: Plan
) -> None:
    """Print steps per second beside a single environment, in alternating rounds."""
    rows = [(kind, False) for kind in KINDS] + [("pixels", True)]
    figures: list[list[float]] = [[] for _ in rows]
    references = []
    steps = -(-plan.reference_steps // plan.rounds)
    for number in range(plan.rounds):
        for (kind, copy), rates_of_row in zip(rows, figures):
            progress(f"round {number + 1}/{plan.rounds}, {kind}")
            call = (kind, *best[kind], copy, plan, True)
            rates_of_row.append(batch.run(time_batch, *call))
        progress(f"round {number + 1}/{plan.rounds}, {single.name}")
        seed = plan.seed + number
        times = single.run(time_steps, {"seed": plan.seed}, steps, seed)
        references.append(rates(times)[-1])
    reference = median(tuple(references))
    name = "Crafter 1.8.3" if single.name == PUBLISHED else "the single Env"
    lines = [["Steps with resets [1/s]", "", "ratio"]]
    lines.append([f"{name}, one process", format_figure(reference), ""])
    for (kind, copy), rates_of_row in zip(rows, figures):
        size, threads = best[kind]
        copies = ", copies" if copy else ""
        rate = median(tuple(rates_of_row))
        label = f"{kind}{copies}, {_envs(size)}, {_threads(threads)}"
        ratio = format_figure(rate / reference)
        lines.append([label, format_figure(rate), f"{ratio}x"])
    print_lines(lines)


def print_memory(plan: Plan) -> None:
    """Print the memory of an environment, each kind in a fresh process."""
    lines = [[f"Memory per env, of {plan.memory_envs} [kB]", ""]]
    for kind in KINDS:
        progress(f"memory, {kind}")
        with Package(OURS, None) as package:
            memory = package.run(memory_of_batch, kind, plan.memory_envs)
        lines.append([kind, format_figure(memory)])
    print_lines(lines)


def print_shares(plan: Plan, sizes: dict[str, int]) -> None:
    """Print where the time goes, each kind in a fresh process."""
    lines = [["Share of the time, 1 thread [%]", *PARTS, "rest"]]
    for kind in KINDS:
        progress(f"shares, {kind}")
        with Package(OURS, None) as package:
            shares = package.run(shares_of_time, kind, sizes[kind], plan)
        values = [*shares.values(), 1 - sum(shares.values())]
        lines.append([kind, *(f"{100 * value:.1f}" for value in values)])
    print_lines(lines)
