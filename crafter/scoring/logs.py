"""Logs: a `stats.jsonl` with a line per episode, as `crafter.Recorder` writes it.

Task and method are in the name of a folder above it, `<task>-<method>`, such as
`logdir/crafter_reward-ppo/0/stats.jsonl`.

Source: Crafter 1.8.3, the format of its statistics.
"""

from __future__ import annotations

import array
import json
import math
import pathlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from crafter.core.short_repr import brief
from crafter.scoring.benchmark import CRAFTER, Benchmark
from crafter.scoring.records import Path, check_keys, checked_made_by
from crafter.scoring.runs import OtherStartWarning, Run, RunError

#: File in the folder of logs, or above it, that says what made them: a JSON object.
MADE_BY = "made_by.json"

_REPORT_LINES = 1000  # lines between two reports of progress


def find_logs(
    path: Path, name: str | None = None, benchmark: Benchmark = CRAFTER
) -> dict[pathlib.Path, tuple[str, str, str]]:
    """Finds the logs in a folder, or takes one.

    Args:
      path: A `stats.jsonl`, or a folder with such files at any depth.
      name: `<task>-<method>` of the logs, if no folder says it.
      benchmark: What the runs are of.

    Returns:
      Path to task, method and seed, in the order of the paths, numbers by value. The
      seed is the path of the folder below `<task>-<method>`.

    Raises:
      RunError: If no folder above a log is called `<task>-<method>`, or the name is
        not of this form.
    """
    path = pathlib.Path(path)
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
    folders = list(log.absolute().parents)
    if name is not None:
        split = benchmark.split_name(name)
        if split is None:
            raise RunError(
                f"expected a name such as {benchmark.examples}, not {name!r}"
            )
        above = path.absolute() if path.is_dir() else folders[1]
        return *split, _seed(folders[0], above)
    for folder in folders:
        split = benchmark.split_name(folder.name)
        if split is not None:
            return *split, _seed(folders[0], folder)
    raise RunError(
        f"{log}: expected a folder above it whose name says task and method, such as "
        f"{benchmark.examples}"
    )


def _seed(folder: pathlib.Path, above: pathlib.Path) -> str:
    seed = folder.relative_to(above).as_posix()
    return "0" if seed == "." else seed


def read_log(
    path: Path,
    task: str,
    method: str,
    seed: str,
    budget: float = math.inf,
    progress: Callable[[int], None] | None = None,
    benchmark: Benchmark = CRAFTER,
) -> Run:
    """Reads the lines of a `stats.jsonl` until the budget is used up.

    The line that exceeds the budget and those after it are left out. So are episodes
    that did not begin with a plain reset, lines with an entry `start`, but their steps
    are steps of the training and use up the budget. Lines are read one by one: an
    episode takes about 110 bytes of memory, so a run within the budget takes at most
    110 MB.

    Args:
      path: The file.
      task: Task of the run.
      method: Method of the run.
      seed: Seed of the run.
      budget: Steps that count.
      progress: Called from time to time with the number of bytes read since the last
        call.
      benchmark: What the run is of.

    Raises:
      RunError: If a line is not that of an episode; the message says line and reason.
      OSError: If the file cannot be read.

    Warns:
      OtherStartWarning: If episodes are left out for how they began.
    """
    path = pathlib.Path(path)
    parse = LineParser(benchmark)
    width = len(benchmark.keys)
    lengths, rewards = array.array("q"), array.array("d")
    counts = array.array("i")
    steps = others = 0
    with path.open("rb") as file:
        for number, line in enumerate(_reported(file, path, progress), 1):
            try:
                length, reward, numbers, start = parse(line)
                steps += length
                if steps > budget:
                    break
                if start is not None:
                    others += 1
                    continue
                counts.extend(numbers)
            except (ValueError, OverflowError) as error:
                raise RunError(f"{path}, line {number}: {error}") from None
            lengths.append(length)
            rewards.append(reward)
    if others:
        _warn_of_others(path, others)
    return Run(
        task,
        method,
        seed,
        length=np.array(lengths, np.int64),
        reward=np.array(rewards),
        achievements=np.array(counts, np.int32).reshape(-1, width),
        source=str(path),
        made_by=_made_by(path),
        benchmark=benchmark,
    )


def _warn_of_others(path: pathlib.Path, count: int) -> None:
    warnings.warn(
        f"{path}: left out {count} episodes that began from a saved state or with "
        "options of reset, as their lines say",
        OtherStartWarning,
        stacklevel=3,
    )


def _made_by(log: pathlib.Path) -> Mapping[str, Any]:
    """Returns what made a log, as a file beside it or in the folder above says."""
    for folder in (log.parent, log.parent.parent):
        path = folder / MADE_BY
        if path.exists():
            try:
                content = json.loads(path.read_bytes())
            except ValueError as error:
                raise RunError(f"{path}: not a JSON file: {error}") from None
            return checked_made_by(content, str(path))
    return {}


def _reported(
    file: Iterable[bytes], path: pathlib.Path, progress: Callable[[int], None] | None
) -> Iterator[bytes]:
    """Yields lines and reports how many bytes; those not read in the end too."""
    size, read, reported = path.stat().st_size, 0, 0
    try:
        for number, line in enumerate(file):
            read += len(line)
            if progress and number % _REPORT_LINES == 0:
                progress(read - reported)
                reported = read
            yield line
    finally:
        if progress:
            progress(size - reported)


class LineParser:
    """Reads the lines of episodes.

    Args:
      benchmark: What they are episodes of.
    """

    def __init__(self, benchmark: Benchmark):
        self._benchmark = benchmark
        self._keys = benchmark.keys
        self._needed = dict.fromkeys(("length", "reward", *self._keys)).keys()

    def __call__(self, line: bytes) -> tuple[int, float, list[int], str | None]:
        """Returns length, return and counters of an episode, and how it began.

        The last is `None` for a plain reset.

        Raises:
          ValueError: If the line is not that of an episode; the message says why.
        """
        record = _read_object(line)
        if record.keys() != self._needed:  # All of them, and others that do no harm?
            check_keys(record, self._needed, self._benchmark)
        length, reward = record["length"], record["reward"]
        if type(length) is not int or length < 1:
            raise ValueError(
                f"length should be a positive integer, not {brief(length)}"
            )
        if type(reward) not in (int, float) or not math.isfinite(reward):
            raise ValueError(f"reward should be a finite number, not {brief(reward)}")
        return length, reward, self._counts(record), record.get("start")

    def _counts(self, record: dict[str, Any]) -> list[int]:
        counts = [record[key] for key in self._keys]
        if {*map(type, counts)} == {int} and min(counts) >= 0:
            return counts
        wrong = next(
            key for key in self._keys if type(record[key]) is not int or record[key] < 0
        )
        raise ValueError(
            f"{wrong} should be a count from 0, not {brief(record[wrong])}"
        )


def _read_object(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"not a whole JSON object ({error}); if the program was killed while it "
            "wrote this line, delete the line"
        ) from None
    if not isinstance(record, dict):
        raise ValueError(f"expected a JSON object, not {brief(record)}")
    return record
