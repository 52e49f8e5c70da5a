"""Runs from any mixture of logs and score files."""

from __future__ import annotations

import pathlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence

from crafter.scoring.benchmark import CRAFTER, Benchmark
from crafter.scoring.logs import find_logs, read_log
from crafter.scoring.records import Path, listed
from crafter.scoring.runs import Run, RunError, ShortRunWarning
from crafter.scoring.score_files import find_scores, read_scores


def load_runs(
    paths: Iterable[Path],
    budget: int | None = None,
    strict: bool = False,
    name: str | None = None,
    progress: Callable[[int], None] | None = None,
    benchmark: Benchmark = CRAFTER,
) -> list[Run]:
    """Reads runs and leaves out the episodes that end after the budget.

    Args:
      paths: Score files, `stats.jsonl` files, or folders with `stats.jsonl` files at
        any depth or with score files called `<task>-<method>.json`.
      budget: Steps of each training that count; by default those of the benchmark.
      strict: Whether runs with fewer steps than the budget are refused.
      name: `<task>-<method>` of the logs, if no folder says it.
      progress: Called from time to time with the number of bytes read since the last
        call.
      benchmark: What the runs are of.

    Returns:
      The runs with an episode within the budget, those of a method together and in the
      order of the paths.

    Raises:
      RunError: If a file is damaged, two runs have the same seed, no run has an episode
        within the budget, or, if `strict`, one has none or too few steps.
      OSError: If a file cannot be read.

    Warns:
      ShortRunWarning: If runs have fewer steps than the budget, or no episode and are
        left out, unless `strict`.
      OtherStartWarning: If episodes are left out that did not start like the others;
        see `read_log`.
    """
    budget = benchmark.budget if budget is None else budget
    runs: list[Run] = []
    for path in map(pathlib.Path, paths):
        runs += _read(path, budget, name, progress, benchmark)
    _check_seeds(runs)
    runs = _with_episodes(runs, budget, strict)
    _check_steps(runs, budget, strict)
    order = list(dict.fromkeys((run.task, run.method) for run in runs))
    return sorted(runs, key=lambda run: order.index((run.task, run.method)))


def _read(
    path: pathlib.Path,
    budget: int,
    name: str | None,
    progress: Callable[[int], None] | None,
    benchmark: Benchmark,
) -> Iterator[Run]:
    """Yields the runs of a file or folder, cut to the budget."""
    files = find_scores(path, benchmark)
    logs = find_logs(path, name, benchmark)
    if not files and not logs:
        raise RunError(
            f"{path}: expected a score file (.json or .json.gz), a stats.jsonl, or a "
            f"folder with stats.jsonl or {benchmark.pattern} files in it"
        )
    for file in files:
        for run in read_scores(file, benchmark):
            yield run.within(budget)
        if progress:
            progress(file.stat().st_size)
    for log, identity in logs.items():
        yield read_log(
            log, *identity, budget=budget, progress=progress, benchmark=benchmark
        )


def _check_seeds(runs: Sequence[Run]) -> None:
    found: dict[tuple[str, str, str], Run] = {}
    for run in runs:
        first = found.setdefault((run.task, run.method, run.seed), run)
        if first is not run:
            raise RunError(
                f"two runs of {run.task}-{run.method} have the seed {run.seed}, in "
                f"{first.source} and in {run.source}"
            )


def _with_episodes(runs: Sequence[Run], budget: int, strict: bool) -> list[Run]:
    """Returns the runs that have an episode; others were perhaps just started."""
    empty = [str(run) for run in runs if not run.episodes]
    if empty:
        message = f"{listed(empty)}: no episode ends within {budget:,} steps"
        if strict or len(empty) == len(runs):
            raise RunError(message)
        warnings.warn(f"{message}; left out", ShortRunWarning, stacklevel=3)
    return [run for run in runs if run.episodes]


def _check_steps(runs: Sequence[Run], budget: int, strict: bool) -> None:
    short: dict[str, list[Run]] = {}
    for run in runs:
        if run.is_short(budget):
            short.setdefault(f"{run.task}-{run.method}", []).append(run)
    for name, those in short.items():
        seeds = [f"seed {run.seed} has {run.steps:,}" for run in those]
        sources = list(dict.fromkeys(run.source for run in those))
        message = (
            f"{name}: fewer steps than the budget of {budget:,}: {listed(seeds)} "
            f"(in {listed(sources)})"
        )
        if strict:
            raise RunError(message)
        warnings.warn(message, ShortRunWarning, stacklevel=3)
