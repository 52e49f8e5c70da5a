"""Files of runs: logs and score files.

A log is a `stats.jsonl` with a line per episode, as `crafter.Recorder` writes it. Task
and method are in the name of a folder above it, `<task>-<method>`, such as
`logdir/crafter_reward-ppo/0/stats.jsonl`.

A score file is called `<task>-<method>.json` and is a JSON list with an object per run,
which has `task`, `method`, `seed`, and lists with a value per episode: `xs` (steps of
the training at its end), `length`, `reward` (its return) and `achievement_<name>` for
all achievements. It may have `made_by`, an object that says what made the run, and may
be compressed by gzip, `<task>-<method>.json.gz`.

Source: Crafter 1.8.3, the formats of its statistics and score files.
"""

from __future__ import annotations

import array
import gzip
import json
import os
import pathlib
import re
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.short_repr import brief
from crafter.scoring.benchmark import Benchmark, find_benchmark
from crafter.scoring.runs import OtherStartWarning, Run, RunError, ShortRunWarning

Path = str | os.PathLike[str]

#: File in the folder of logs, or above it, that says what made them: a JSON object.
MADE_BY = "made_by.json"

_ENDINGS = (".json", ".json.gz")
_SHOWN = 8  # names in a message
_REPORT_LINES = 1000  # lines between two reports of progress


def load_runs(
    paths: Iterable[Path],
    budget: int | None = None,
    strict: bool = False,
    name: str | None = None,
    progress: Callable[[int], None] | None = None,
    benchmark: Benchmark | None = None,
) -> list[Run]:
    """Reads runs and leaves out the episodes that end after the budget.

    Args:
      paths: Score files, `stats.jsonl` files, or folders with `stats.jsonl` files at
        any depth or with score files called `<task>-<method>.json`.
      budget: Steps of each training that count; by default those of the benchmark.
      strict: Whether runs with fewer steps than the budget are refused.
      name: `<task>-<method>` of the logs, if no folder says it.
      progress: Called with the number of bytes read since its last call.
      benchmark: What the runs are of; by default `find_benchmark()`.

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
        their steps use up the budget.
    """
    benchmark = benchmark or find_benchmark()
    budget = benchmark.budget if budget is None else budget
    runs: list[Run] = []
    for path in map(pathlib.Path, paths):
        runs += _read(path, budget, name, progress or (lambda count: None), benchmark)
    _check_seeds(runs)
    runs = _with_episodes(runs, budget, strict)
    _check_steps(runs, budget, strict)
    order = list(dict.fromkeys((run.task, run.method) for run in runs))
    return sorted(runs, key=lambda run: order.index((run.task, run.method)))


def _read(
    path: pathlib.Path,
    budget: int,
    name: str | None,
    progress: Callable[[int], None],
    benchmark: Benchmark,
) -> Iterator[Run]:
    """Yields the runs of a file or folder, cut to the budget."""
    files, logs = find_scores(path, benchmark), _find_logs(path, name, benchmark)
    if not files and not logs:
        tasks = " or ".join(f"{task}-*.json" for task in benchmark.tasks)
        raise RunError(
            f"{path}: expected a score file (.json or .json.gz), a stats.jsonl, or a "
            f"folder with stats.jsonl or {tasks} files in it"
        )
    for file in files:
        for run in read_scores(file, benchmark):
            yield run.within(budget)
        progress(file.stat().st_size)
    for log, identity in logs.items():
        yield _read_log(log, identity, budget, progress, benchmark)


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
    """Returns the runs that have an episode; others may have just started."""
    empty = [str(run) for run in runs if not run.episodes]
    if empty:
        message = f"{_listed(empty)}: no episode ends within {budget:,} steps"
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
            f"{name}: fewer steps than the budget of {budget:,}: {_listed(seeds)} "
            f"(in {_listed(sources)})"
        )
        if strict:
            raise RunError(message)
        warnings.warn(message, ShortRunWarning, stacklevel=3)


def _listed(names: Sequence[str]) -> str:
    """Returns the first few names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


# Checks.


def _check_keys(record: Mapping[str, Any], benchmark: Benchmark, *others: str) -> None:
    """Checks that an episode or a run has the keys of the benchmark.

    Raises:
      ValueError: If something is missing, or the benchmark lacks an achievement.
    """
    needed = (*others, "length", "reward", *benchmark.keys)
    missing = [key for key in needed if key not in record]
    if missing:
        raise ValueError(f"{_listed(missing)} missing")
    found = {key for key in record if key.startswith("achievement_")}
    unknown = sorted(found.difference(benchmark.keys))
    if unknown:
        raise ValueError(
            f"{_listed(unknown)} unknown; the game has no such achievement"
        )


def _packed(
    code: str, values: Sequence[Any], name: Callable[[int], str]
) -> array.array[Any]:
    """Returns numbers as an array.

    Args:
      code: Type of the numbers, as of `array.array`; `d` takes integers too.
      values: The numbers.
      name: Position -> what it is, for messages.

    Raises:
      ValueError: If a value is of another type or too large.
    """
    kinds = {int, float} if code == "d" else {int}
    if not {*map(type, values)} <= kinds:
        place = next(i for i, value in enumerate(values) if type(value) not in kinds)
        what = "a number" if code == "d" else "an integer"
        raise ValueError(f"{name(place)} should be {what}, not {brief(values[place])}")
    try:
        return array.array(code, values)
    except OverflowError:
        bits = 8 * array.array(code).itemsize
        place = next(i for i, value in enumerate(values) if abs(value) >> (bits - 1))
        raise ValueError(f"{name(place)} should fit into {bits} bits") from None


def _checked_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected a JSON object, not {brief(value)}")
    return value


# Logs.


def _find_logs(
    path: pathlib.Path, name: str | None, benchmark: Benchmark
) -> dict[pathlib.Path, tuple[str, str, str]]:
    """Finds the logs in a folder at any depth, or takes one.

    Returns:
      Path to task, method and seed, in the order of the paths, numbers by value. The
      seed is the path of the folder below `<task>-<method>`.

    Raises:
      RunError: If no folder above a log is called `<task>-<method>`, or the name is
        not of this form.
    """
    if path.is_dir():
        logs = sorted(path.rglob("stats.jsonl"), key=_natural)
    else:
        logs = [path] if path.suffix == ".jsonl" else []
    return {log: _identity(log, path, name, benchmark) for log in logs}


def _natural(path: pathlib.Path) -> list[tuple[bool, int, str]]:
    """Returns a key that sorts run 2 before run 10."""
    parts = re.findall(r"\d+|\D+", str(path))
    return [(not p.isdigit(), int(p) if p.isdigit() else 0, p) for p in parts]


def _identity(
    log: pathlib.Path, path: pathlib.Path, name: str | None, benchmark: Benchmark
) -> tuple[str, str, str]:
    """Returns task, method and seed of a log."""
    folder, *above = log.absolute().parents
    if name is not None:
        top = path.absolute() if path.is_dir() else above[0]
        named = {top: name}
    else:
        named = {parent: parent.name for parent in (folder, *above)}
    for parent, text in named.items():
        split = benchmark.split_name(text)
        if split is not None:
            seed = folder.relative_to(parent).as_posix()
            return *split, "0" if seed == "." else seed
    if name is not None:
        raise RunError(f"expected a name such as {benchmark.examples}, not {name!r}")
    raise RunError(
        f"{log}: expected a folder above it whose name says task and method, such as "
        f"{benchmark.examples}"
    )


def _read_log(
    path: pathlib.Path,
    identity: tuple[str, str, str],
    budget: int,
    progress: Callable[[int], None],
    benchmark: Benchmark,
) -> Run:
    """Reads the lines of a `stats.jsonl` until the budget is used up.

    The line that exceeds the budget and those after it are left out. So are episodes
    that did not begin with a plain reset, lines with an entry `start`, but their steps
    use up the budget. An episode takes about 110 bytes of memory.

    Args:
      path: The file.
      identity: Task, method and seed of the run.
      budget: Steps that count.
      progress: Called with the number of bytes read since its last call.
      benchmark: What the run is of.
    """
    lengths, rewards = array.array("q"), array.array("d")
    counts = array.array("i")
    steps = others = 0
    for numbers, reward, start in _read_lines(path, progress, benchmark):
        steps += numbers[0]
        if steps > budget:
            break
        if start is not None:
            others += 1
            continue
        lengths.append(numbers[0])
        rewards += reward
        counts += numbers[1:]
    if others:
        warnings.warn(
            f"{path}: left out {others} episodes that began from a saved state or with "
            "options of reset, as their lines say",
            OtherStartWarning,
            stacklevel=2,
        )
    return Run(
        *identity,
        length=np.array(lengths, np.int64),
        reward=np.array(rewards),
        achievements=np.array(counts, np.int32).reshape(-1, len(benchmark.keys)),
        source=str(path),
        made_by=_find_made_by(path),
        benchmark=benchmark,
    )


def _read_lines(
    path: pathlib.Path, progress: Callable[[int], None], benchmark: Benchmark
) -> Iterator[tuple[array.array[int], array.array[float], Any]]:
    """Yields length and counts, return, and start of each episode of a log."""
    keys = ("length", *benchmark.keys)
    usual = {"reward", *keys}
    with path.open("rb") as file:
        for number, line in enumerate(_reported(file, path, progress), 1):
            try:
                record = _parsed(line)
                if record.keys() != usual:
                    _check_keys(record, benchmark)
                numbers = _packed("i", [record[key] for key in keys], keys.__getitem__)
                reward = _packed("d", [record["reward"]], lambda place: "reward")
            except ValueError as error:
                raise RunError(f"{path}, line {number}: {error}") from None
            yield numbers, reward, record.get("start")


def _parsed(line: bytes) -> dict[str, Any]:
    """Returns the object of a line."""
    try:
        return _checked_object(json.loads(line))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(
            f"not a whole JSON object ({error}); if the program was killed while it "
            "wrote this line, delete the line"
        ) from None


def _find_made_by(log: pathlib.Path) -> Mapping[str, Any]:
    """Returns the content of `made_by.json`, beside a log or in the folder above."""
    for folder in (log.parent, log.parent.parent):
        path = folder / MADE_BY
        if path.exists():
            try:
                return _checked_object(json.loads(path.read_bytes()))
            except ValueError as error:
                raise RunError(f"{path}: {error}") from None
    return {}


def _reported(
    file: Iterable[bytes], path: pathlib.Path, progress: Callable[[int], None]
) -> Iterator[bytes]:
    """Yields lines and reports progress; in the end, unread bytes too."""
    size, read, reported = path.stat().st_size, 0, 0
    try:
        for number, line in enumerate(file):
            read += len(line)
            if number % _REPORT_LINES == 0:
                progress(read - reported)
                reported = read
            yield line
    finally:
        progress(size - reported)


# Score files.


def find_scores(path: Path, benchmark: Benchmark | None = None) -> list[pathlib.Path]:
    """Returns the score files in a folder, sorted, or the file itself.

    Args:
      path: A folder, or a file.
      benchmark: Whose tasks the names begin with; by default `find_benchmark()`.
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
      path: JSON list with an object per run, or a single object.
      benchmark: What the runs are of; by default `find_benchmark()`.

    Raises:
      RunError: If the file is something else; the message says run, episode and reason.
      OSError: If the file cannot be read.
    """
    path = pathlib.Path(path)
    content = path.read_bytes()
    try:
        if path.suffix == ".gz":
            content = gzip.decompress(content)
        records = json.loads(content)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RunError(f"{path}: not compressed by gzip, or cut off: {error}") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: not a JSON file: {error}") from None
    records = records if isinstance(records, list) else [records]
    if not records:
        raise RunError(f"{path}: there is no run in it")
    runs = []
    for number, record in enumerate(records, 1):
        try:
            runs.append(_read_run(record, str(path), benchmark or find_benchmark()))
        except RunError:
            raise
        except ValueError as error:
            raise RunError(f"{path}, run {number}: {error}") from None
    return runs


def _read_run(record: Any, source: str, benchmark: Benchmark) -> Run:
    """Returns the run of an object in a score file.

    Raises:
      ValueError: If it is not a run; the message says why.
    """
    _checked_object(record)
    _check_keys(record, benchmark, "task", "method", "seed", "xs")
    task = str(record["task"]).replace("-", "_")  # Published with a hyphen too.
    if task not in benchmark.tasks:
        tasks = " or ".join(benchmark.tasks)
        raise ValueError(f"task should be {tasks}, not {brief(record['task'])}")
    run = Run(
        task,
        str(record["method"]),
        str(record["seed"]),
        length=_column(record, "length", "q"),
        reward=_column(record, "reward", "d"),
        achievements=np.stack([_column(record, k, "i") for k in benchmark.keys], 1),
        source=source,
        made_by=_checked_object(record.get("made_by", {})),
        benchmark=benchmark,
    )
    xs = _column(record, "xs", "q")
    wrong = np.flatnonzero(xs != run.xs)
    if len(wrong):
        raise ValueError(
            f"episode {wrong[0] + 1}: xs is {xs[wrong[0]]}, but the sum of the lengths "
            f"is {run.xs[wrong[0]]}"
        )
    return run


def _column(record: Mapping[str, Any], key: str, code: str) -> np.ndarray:
    """Returns a number per episode of a run in a score file.

    Raises:
      ValueError: If it is not a list of as many numbers as there are lengths.
    """
    values, lengths = record[key], record["length"]
    if not isinstance(lengths, list) or not lengths:
        raise ValueError("length should be a list with a number per episode")
    if not isinstance(values, list) or len(values) != len(lengths):
        raise ValueError(f"{key} should be a list of {len(lengths)} values, as length")
    return np.array(_packed(code, values, lambda place: f"episode {place + 1}: {key}"))


def write_scores(path: Path, runs: Sequence[Run]) -> None:
    """Writes runs as a score file, one run a line, whole or not at all.

    Args:
      path: The file, by custom `<task>-<method>.json`; `.json.gz` compresses it.
      runs: Runs of one method.

    Raises:
      OSError: If the file cannot be written.
    """
    path = pathlib.Path(path)
    unfinished = path.with_name(f".{path.name}.unfinished")
    lines = [json.dumps(_record(run), separators=(",", ":")) for run in runs]
    content = ("[" + ",\n".join(lines) + "]\n").encode()
    if path.suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    unfinished.write_bytes(content)
    unfinished.replace(path)


def _record(run: Run) -> dict[str, Any]:
    """Returns the object of a run in a score file."""
    lists = {"xs": run.xs, "reward": run.reward.round(1), "length": run.length}
    lists |= dict(zip(run.benchmark.keys, run.achievements.T))
    names: dict[str, Any] = {"task": run.task, "method": run.method, "seed": run.seed}
    if run.made_by:
        names["made_by"] = run.made_by
    return names | {key: values.tolist() for key, values in lists.items()}
