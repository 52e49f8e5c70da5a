"""Run files: logs and score files.

A log is a `stats.jsonl` with a line per episode, as written by `crafter.Recorder`. A
folder above it is named after task and method, `<task>-<method>`, such as
`logdir/crafter_reward-ppo/0/stats.jsonl`.

A score file is called `<task>-<method>.json` and is a JSON list with an object per run.
A run has `task`, `method`, `seed`, and lists with a value per episode: `xs` (training
steps at its end), `length`, `reward` (its return) and `achievement_<name>` for all
achievements. It may have `made_by`, an object that describes the origin of the run. The
file may be compressed, `<task>-<method>.json.gz`. Runs of a setup other than the
published one name it as `setup`, as do lines of logs.

Source: Crafter 1.8.3, the formats of its statistics and score files.
"""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import journal
from crafter.core.files import read_bytes
from crafter.core.game import DEFAULT_SETUP
from crafter.core.validation import integer, number, raising, sequence, short_repr
from crafter.scoring.benchmark import Benchmark, find_benchmark
from crafter.scoring.runs import OtherStartWarning, Run, RunError, ShortRunWarning

Path = str | os.PathLike[str]

#: File in the log folder, or its parent, on the origin of the logs: a JSON object.
MADE_BY = "made_by.json"

_ENDINGS = (".json", ".json.gz")
_SHOWN = 8  # names in a message
_COUNT = "achievement_"  # key prefix of counts
_MOST = 2**31 - 1  # maximum of all numbers
# Valid types of a key's numbers, their minimum, and the dtype of the array;
# achievements are not listed.
_KINDS: dict[str, tuple[set[type], int, Any]] = {
    "length": ({int}, 1, np.int64),
    "reward": ({int, float}, -_MOST, np.float64),
}


def load_runs(
    paths: Iterable[Path],
    budget: int | None = None,
    strict: bool = False,
    benchmark: Benchmark | None = None,
) -> list[Run]:
    """Loads runs, without the episodes that end after the budget.

    Args:
      paths: Score files, `stats.jsonl` files, or folders with `stats.jsonl` files at
        any depth or with score files called `<task>-<method>.json`.
      budget: Steps per training; by default those of the benchmark.
      strict: Whether to reject runs with fewer steps than the budget.
      benchmark: Benchmark of the runs; by default `find_benchmark()`.

    Returns:
      The runs with an episode within the budget, grouped by method, in the order of the
      paths.

    Raises:
      RunError: If a file is damaged, two runs have the same seed or different setups,
        no run has an episode within the budget, or, if `strict`, one has none or too
        few steps.
      OSError: If a file cannot be read.

    Warns:
      ShortRunWarning: If runs have fewer steps than the budget, or no episode and are
        left out, unless `strict`.
      OtherStartWarning: If episodes without a plain reset are left out; their steps use
        up the budget.
    """
    benchmark = benchmark or find_benchmark()
    budget = benchmark.budget if budget is None else budget
    groups: dict[str, dict[str, Run]] = {}  # by method, then by seed
    for path in map(pathlib.Path, paths):
        for run in _read(path, budget, benchmark):
            method = groups.setdefault(f"{run.task}-{run.method}", {})
            first = method.setdefault(run.seed, run)
            if first is not run:
                raise RunError(
                    f"two runs of {run.task}-{run.method} have the seed {run.seed}, in "
                    f"{first.source} and in {run.source}"
                )
    runs = [run for method in groups.values() for run in method.values()]
    setups = {run.setup: run for run in runs}
    if len(setups) > 1:
        each = " and ".join(f"{run} has {setup}" for setup, run in setups.items())
        raise RunError(f"runs of different setups cannot be compared: {each}")
    for message in _shortcomings(groups, runs, budget):
        if strict or not any(run.episodes for run in runs):
            raise RunError(message)
        warnings.warn(message, ShortRunWarning, stacklevel=2)
    return [run for run in runs if run.episodes]


def _read(path: pathlib.Path, budget: int, benchmark: Benchmark) -> Iterator[Run]:
    """Yields the runs of a file or folder, cut off at the budget."""
    files, logs = find_scores(path, benchmark), _find_logs(path)
    if not files and not logs:
        tasks = " or ".join(f"{task}-*.json" for task in benchmark.tasks)
        raise RunError(
            f"{path}: expected a score file (.json or .json.gz), a stats.jsonl, or a "
            f"folder with stats.jsonl or {tasks} files in it"
        )
    for file in files:
        for run in read_scores(file, benchmark):
            yield run.within(budget)
    for log in logs:
        yield _read_log(log, budget, benchmark)


def _shortcomings(
    groups: Mapping[str, Mapping[str, Run]], runs: Sequence[Run], budget: int
) -> Iterator[str]:
    """Yields messages about runs without episodes or with too few steps."""
    empty = [str(run) for run in runs if not run.episodes]
    if empty:
        yield f"{_listed(empty)}: no episode ends within {budget:,} steps; left out"
    for name, method in groups.items():
        short = [run for run in method.values() if run.episodes]
        short = [run for run in short if run.is_short(budget)]
        if short:
            seeds = [f"seed {run.seed} has {run.steps:,}" for run in short]
            sources = list(dict.fromkeys(run.source for run in short))
            yield (
                f"{name}: fewer steps than the budget of {budget:,}: {_listed(seeds)} "
                f"(in {_listed(sources)})"
            )


def _listed(names: Sequence[str]) -> str:
    """Returns the first few names, and the number of further ones."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


# Validation.


def _keys(benchmark: Benchmark) -> tuple[str, ...]:
    """Returns the keys of an episode's numbers."""
    return ("length", "reward", *benchmark.keys)


def _object(value: Any, needed: Collection[str] = ()) -> dict[str, Any]:
    """Returns a JSON object with the needed keys.

    Raises:
      ValueError: If it is not an object, lacks a key, or counts an unknown achievement.
    """
    if not isinstance(value, dict):
        raise ValueError(f"expected a JSON object, not {short_repr(value)}")
    missing = [key for key in needed if key not in value]
    if missing:
        raise ValueError(f"{_listed(missing)} missing")
    unknown = [k for k in value if k.startswith(_COUNT) and k not in needed]
    if unknown:
        names = _listed(unknown)
        raise ValueError(f"unknown achievements {names}")
    return value


def _numbers(key: str, values: Sequence[Any]) -> np.ndarray:
    """Returns the numbers of a key as an array: float64 for rewards, int64 or int32."""
    kinds, low, dtype = _KINDS.get(key, ({int}, 0, np.int32))
    array = (
        np.array(values, float)
        if {*map(type, values)} <= kinds
        else np.full(1, -np.inf)
    )
    if not ((array >= low) & (array <= _MOST)).all():  # false for NaN
        check = number if key == "reward" else integer
        for place, value in enumerate(values, 1):  # one of them raises
            with raising(ValueError, f"episode {place}: "):
                check(key, value, low, _MOST)
    return array.astype(dtype)


def _make_run(
    identity: tuple[str, str, str],
    columns: Mapping[str, Sequence[Any]],
    benchmark: Benchmark,
    **names: Any,
) -> Run:
    """Returns a run.

    Args:
      identity: Task, method and seed.
      columns: Key -> a value per episode.
      benchmark: The benchmark.
      **names: Further attributes of the run.

    Raises:
      ValueError: If a value is invalid.
    """
    length, reward, *counts = (_numbers(k, columns[k]) for k in _keys(benchmark))
    achievements = np.stack(counts, 1)
    return Run(*identity, length, reward, achievements, benchmark=benchmark, **names)


# Logs.


def _find_logs(path: pathlib.Path) -> list[pathlib.Path]:
    """Returns the logs in a folder at any depth, or the file itself."""
    if path.is_dir():
        return sorted(path.rglob("stats.jsonl"))
    return [path] if path.suffix == ".jsonl" else []


def _identity(log: pathlib.Path, benchmark: Benchmark) -> tuple[str, str, str]:
    """Returns task, method and seed of a log.

    The seed is the folder's path below `<task>-<method>`.

    Raises:
      RunError: If no folder above a log is called `<task>-<method>`.
    """
    folder, *above = log.absolute().parents
    for parent in (folder, *above):
        split = benchmark.split_name(parent.name)
        if split is not None:
            seed = folder.relative_to(parent).as_posix()
            return *split, "0" if seed == "." else seed
    raise RunError(
        f"{log}: expected a parent folder named after task and method, such as "
        f"{benchmark.examples}"
    )


def _read_log(path: pathlib.Path, budget: int, benchmark: Benchmark) -> Run:
    """Reads a `stats.jsonl`."""
    identity, made_by = _identity(path, benchmark), _find_made_by(path)
    with raising(RunError, f"{path}: ", OverflowError):
        columns: dict[str, list[Any]] = {key: [] for key in _keys(benchmark)}
        setups: set[str] = set()
        for record in _episodes(path, budget, benchmark):
            setups.add(_setup(record))
            for key, values in columns.items():
                values.append(record[key])
        if len(setups) > 1:
            raise ValueError(f"episodes of different setups: {_listed(sorted(setups))}")
        names = {"source": str(path), "made_by": made_by}
        setup = (setups or {DEFAULT_SETUP}).pop()
        return _make_run(identity, columns, benchmark, **names, setup=setup)


def _episodes(
    path: pathlib.Path, budget: int, benchmark: Benchmark
) -> Iterator[dict[str, Any]]:
    """Yields the lines of a `stats.jsonl` until the budget is used up.

    The line that exceeds the budget is left out, and all after it. So are episodes
    without a plain reset (lines with an entry `start`), but their steps use up the
    budget.
    """
    steps = skipped = 0
    with path.open("rb") as file:
        for place, line in enumerate(file, 1):
            with raising(ValueError, f"line {place}: "):
                record = _parse_line(line, _keys(benchmark))
            steps += record["length"] if type(record["length"]) is int else 0
            if steps > budget:
                break
            if record.get("start") is None:
                yield record
            else:
                skipped += 1
    if skipped:
        warnings.warn(
            f"{path}: left out {skipped} episodes that began from a saved state or "
            "with reset options",
            OtherStartWarning,
            stacklevel=2,
        )


def _parse_line(line: bytes, keys: Collection[str]) -> dict[str, Any]:
    """Returns the object of a line."""
    try:
        return _object(json.loads(line), keys)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(
            f"not a whole JSON object ({error}); if the program was killed while it "
            "wrote this line, delete the line"
        ) from None


def _find_made_by(log: pathlib.Path) -> Mapping[str, Any]:
    """Returns the content of `made_by.json`, from the log's folder or its parent."""
    for folder in (log.parent, log.parent.parent):
        path = folder / MADE_BY
        if path.exists():
            with raising(RunError, f"{path}: "):
                return _object(json.loads(path.read_bytes()))
    return {}


# Score files.


def find_scores(path: Path, benchmark: Benchmark | None = None) -> list[pathlib.Path]:
    """Returns the score files in a folder, sorted, or the file itself.

    Args:
      path: A folder, or a file.
      benchmark: Benchmark whose tasks the names start with; by default
        `find_benchmark()`.
    """
    path = pathlib.Path(path)
    names = benchmark or find_benchmark()
    if not path.is_dir():
        return [path] if path.name.endswith(_ENDINGS) else []
    files = (p for p in sorted(path.iterdir()) if p.name.endswith(_ENDINGS))
    return [p for p in files if names.split_name(p.name.split(".json")[0])]


def read_scores(path: Path, benchmark: Benchmark | None = None) -> list[Run]:
    """Reads a score file.

    Args:
      path: JSON list with an object per run.
      benchmark: Benchmark of the runs; by default `find_benchmark()`.

    Raises:
      RunError: If the file is invalid; the message gives run, episode and reason.
      OSError: If the file cannot be read.
    """
    path = pathlib.Path(path)
    with raising(RunError, f"{path}: "):
        content = read_bytes(path)
    try:
        records = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: not a JSON file: {error}") from None
    if not isinstance(records, list) or not records:
        raise RunError(f"{path}: expected a list of runs, got {short_repr(records)}")
    runs = []
    for place, record in enumerate(records, 1):
        with raising(RunError, f"{path}, run {place}: ", OverflowError):
            runs.append(_read_run(record, path, benchmark or find_benchmark()))
    return runs


def _read_run(record: Any, source: pathlib.Path, benchmark: Benchmark) -> Run:
    """Creates a run from an object of a score file.

    Raises:
      ValueError: If it is not a run; the message says why.
    """
    _object(record, ("task", "method", "seed", "xs", *_keys(benchmark)))
    task = str(record["task"]).replace("-", "_")  # some published names have a hyphen
    if task not in benchmark.tasks:
        tasks = " or ".join(benchmark.tasks)
        raise ValueError(f"task should be {tasks}, not {short_repr(record['task'])}")
    identity = task, str(record["method"]), str(record["seed"])
    names = {"source": str(source), "setup": _setup(record)}
    made_by = _object(record.get("made_by", {}))
    count = len(sequence("xs", record["xs"]))
    columns = {key: sequence(key, record[key], count) for key in _keys(benchmark)}
    run = _make_run(identity, columns, benchmark, **names, made_by=made_by)
    if record["xs"] != run.xs.tolist():
        raise ValueError("xs should be the sums of the lengths up to each episode")
    return run


def _setup(record: Mapping[str, Any]) -> str:
    """Returns the name of the setup of a line or a run."""
    name = record.get("setup", DEFAULT_SETUP)
    if not isinstance(name, str):
        raise ValueError(f"setup should be a text, not {short_repr(name)}")
    return name


def write_scores(path: Path, runs: Sequence[Run]) -> None:
    """Writes runs to a score file atomically, one run per line.

    Args:
      path: The file, by convention `<task>-<method>.json`; `.json.gz` compresses it.
      runs: Runs of one method.

    Raises:
      OSError: If the file cannot be written.
    """
    path = pathlib.Path(path)
    lines = [json.dumps(_record(run), separators=(",", ":")) for run in runs]
    content = ("[" + ",\n".join(lines) + "]\n").encode()
    if path.suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    journal.replace(path, content)


def _record(run: Run) -> dict[str, Any]:
    """Returns the score-file object of a run."""
    lists = {"xs": run.xs, "reward": run.reward.round(1), "length": run.length}
    lists |= dict(zip(run.benchmark.keys, run.achievements.T))
    names: dict[str, Any] = {"task": run.task, "method": run.method, "seed": run.seed}
    if run.setup != DEFAULT_SETUP:
        names["setup"] = run.setup
    if run.made_by:
        names["made_by"] = run.made_by
    return names | {key: values.tolist() for key, values in lists.items()}
