"""Runs: the episodes of one training, read from files and written to them.

A run comes from one of two kinds of file:

- `stats.jsonl`, as `crafter.Recorder` writes it: a line per episode. Task and method
  are in the name of a folder above it, `<task>-<method>`, such as
  `logdir/crafter_reward-ppo/0/stats.jsonl`.
- `<task>-<method>.json`, a score file: a list with an object per seed.

`load_runs` reads files and folders of both. Input that is not as it should be is
refused with a `RunError` that says file, place and reason.

Source: Crafter 1.8.3, the format of its score files and of its statistics.
"""

from __future__ import annotations

import array
import contextlib
import dataclasses
import functools
import json
import math
import operator
import os
import pathlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter import constants

__all__ = [
    "BUDGET",
    "MADE_BY",
    "TIME_LIMIT",
    "Run",
    "RunError",
    "ShortRunWarning",
    "find_logs",
    "find_scores",
    "load_runs",
    "read_log",
    "read_scores",
    "write_scores",
]

Path = str | os.PathLike[str]

#: File in the folder of logs, or above it, that says what made them: a JSON object.
MADE_BY = "made_by.json"
#: Environment steps of a training that count.
BUDGET = 1_000_000
#: Steps after which an episode ends. A run may lack as many of its budget, since its
#: last episode does not count unless it ended in time.
TIME_LIMIT = 10_000

_KEYS = tuple(f"achievement_{name}" for name in constants.achievements)
_LINE_KEYS = dict.fromkeys(("length", "reward", *_KEYS)).keys()
# Lists of a run in a score file, with their types as of `array.array`.
_COLUMNS = {"xs": "q", "length": "q", "reward": "d", **dict.fromkeys(_KEYS, "i")}
_WORDS = {"q": "an integer", "i": "an integer below 2 ** 31", "d": "a number"}
_counts = operator.itemgetter(*_KEYS)
_NAME = re.compile(r"(crafter[_-](?:no)?reward)-(.+)")
_SHOWN = 8  # names in a message
_REPORT_LINES = 1000  # lines between two reports of progress


class RunError(ValueError):
    """Runs that are not as they should be; says file, place and reason."""


class ShortRunWarning(UserWarning):
    """Runs with fewer steps than the budget."""


@dataclasses.dataclass(frozen=True, eq=False)
class Run:
    """The episodes of one training, in order.

    Attributes:
      task: `crafter_reward` or `crafter_noreward`.
      method: Name of the agent, such as `ppo`.
      seed: Which of the runs of the method it is.
      length: Steps of each episode, int64 (n,).
      reward: Return of each episode, float64 (n,).
      achievements: How often each was done in each episode, int32 (n, 22), in the order
        of `crafter.constants.achievements`.
      source: Where the run was read, for messages.
      made_by: What made the run, as the file says: command, version, commit and so on.

    Raises:
      RunError: If the arrays do not fit together or hold what is impossible.
    """

    task: str
    method: str
    seed: str
    length: np.ndarray
    reward: np.ndarray
    achievements: np.ndarray
    source: str = ""
    made_by: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Checks the arrays."""
        count = len(self.length)
        for name, shape in [
            ("length", (count,)),
            ("reward", (count,)),
            ("achievements", (count, len(_KEYS))),
        ]:
            found = getattr(self, name).shape
            if found != shape:
                raise RunError(f"{self}: {name} should have shape {shape}, not {found}")
        self._check("length is not positive", self.length < 1)
        self._check("return is not a finite number", ~np.isfinite(self.reward))
        for key, counts in zip(_KEYS, self.achievements.T):
            self._check(f"{key} is negative", counts < 0)

    def _check(self, fault: str, wrong: np.ndarray) -> None:
        if wrong.any():
            raise RunError(f"{self}, episode {np.argmax(wrong) + 1}: {fault}")

    def __str__(self) -> str:
        """Names the run for people."""
        where = f"{self.source}, " if self.source else ""
        return f"{where}{self.task}-{self.method}, seed {self.seed}"

    @functools.cached_property
    def xs(self) -> np.ndarray:
        """Steps of the training at the end of each episode, int64 (n,)."""
        return np.cumsum(self.length, dtype=np.int64)

    @property
    def steps(self) -> int:
        """Steps of all episodes together."""
        return int(self.length.sum())

    @property
    def episodes(self) -> int:
        """Number of episodes."""
        return len(self.length)

    def within(self, budget: int) -> Run:
        """Returns the run without the episodes that end after a number of steps."""
        return self.part(self.xs <= budget)

    def part(self, chosen: np.ndarray | slice) -> Run:
        """Returns a run of some of the episodes."""
        return dataclasses.replace(
            self,
            length=self.length[chosen],
            reward=self.reward[chosen],
            achievements=self.achievements[chosen],
        )

    def is_short(self, budget: int = BUDGET) -> bool:
        """Returns whether it has too few steps to fill a budget."""
        return self.steps < budget - TIME_LIMIT


# Reading everything.


def load_runs(
    paths: Iterable[Path],
    budget: int = BUDGET,
    strict: bool = False,
    name: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Run]:
    """Reads runs and leaves out the episodes that end after the budget.

    Args:
      paths: Score files, `stats.jsonl` files, or folders with `stats.jsonl` files at
        any depth or with score files called `crafter_*.json`.
      budget: Steps of each training that count.
      strict: Whether runs with fewer steps than the budget are refused.
      name: `<task>-<method>` of the logs, if no folder says it.
      progress: Called now and then with the number of bytes read since the last call.

    Returns:
      The runs, those of a method together and in the order of the paths.

    Raises:
      RunError: If a file is damaged, two runs have the same seed, a run has no episode
        within the budget, or, if `strict`, too few steps.
      OSError: If a file cannot be read.

    Warns:
      ShortRunWarning: If runs have fewer steps than the budget, unless `strict`.
    """
    runs: list[Run] = []
    for path in map(pathlib.Path, paths):
        runs += _read(path, budget, name, progress)
    _check_seeds(runs)
    _check_steps(runs, budget, strict)
    order = list(dict.fromkeys((run.task, run.method) for run in runs))
    return sorted(runs, key=lambda run: order.index((run.task, run.method)))


def _read(
    path: pathlib.Path,
    budget: int,
    name: str | None,
    progress: Callable[[int], None] | None,
) -> Iterator[Run]:
    """Yields the runs of a file or folder, cut to the budget."""
    files = find_scores(path)
    logs = find_logs(path, name)
    if not files and not logs:
        raise RunError(
            f"{path}: expected a score file (.json), a stats.jsonl, or a folder with "
            "stats.jsonl or crafter_*.json files in it"
        )
    for file in files:
        for run in read_scores(file):
            yield run.within(budget)
        if progress:
            progress(file.stat().st_size)
    for log, identity in logs.items():
        yield read_log(log, *identity, budget=budget, progress=progress)


def _check_seeds(runs: Sequence[Run]) -> None:
    found: dict[tuple[str, str, str], Run] = {}
    for run in runs:
        first = found.setdefault((run.task, run.method, run.seed), run)
        if first is not run:
            raise RunError(
                f"two runs of {run.task}-{run.method} have the seed {run.seed}, in "
                f"{first.source} and in {run.source}"
            )


def _check_steps(runs: Sequence[Run], budget: int, strict: bool) -> None:
    for run in runs:
        if not run.episodes:
            raise RunError(f"{run}: no episode ends within {budget:,} steps")
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
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _split_name(name: str) -> tuple[str, str] | None:
    """Returns task and method, or None if the name is not of the form."""
    found = _NAME.fullmatch(name)
    return (found[1].replace("-", "_"), found[2]) if found else None


# Logs.


def find_logs(
    path: Path, name: str | None = None
) -> dict[pathlib.Path, tuple[str, str, str]]:
    """Finds the logs in a folder, or takes one.

    Args:
      path: A `stats.jsonl`, or a folder with such files at any depth.
      name: `<task>-<method>` of the logs, if no folder says it.

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
    return {log: _identity(log, path, name) for log in logs}


def _natural(path: pathlib.Path) -> list[tuple[bool, int, str]]:
    """Returns a key that sorts run 2 before run 10."""
    parts = re.findall(r"\d+|\D+", str(path))
    return [(not p.isdigit(), int(p) if p.isdigit() else 0, p) for p in parts]


def _identity(
    log: pathlib.Path, path: pathlib.Path, name: str | None
) -> tuple[str, str, str]:
    """Returns task, method and seed of a log."""
    folders = list(log.absolute().parents)
    if name is not None:
        split = _split_name(name)
        if split is None:
            raise RunError(
                f"expected a name such as crafter_reward-ppo or crafter_noreward-rnd, "
                f"not {name!r}"
            )
        above = path.absolute() if path.is_dir() else folders[1]
        return *split, _seed(folders[0], above)
    for folder in folders:
        split = _split_name(folder.name)
        if split is not None:
            return *split, _seed(folders[0], folder)
    raise RunError(
        f"{log}: expected a folder above it whose name says task and method, such as "
        "crafter_reward-ppo or crafter_noreward-rnd"
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
) -> Run:
    """Reads the lines of a `stats.jsonl` until the budget is used up.

    The line that exceeds the budget and those after it are left out. Lines are read one
    by one: an episode takes about 110 bytes of memory, so a run within the budget takes
    at most 110 MB.

    Args:
      path: The file.
      task: Task of the run.
      method: Method of the run.
      seed: Seed of the run.
      budget: Steps that count.
      progress: Called now and then with the number of bytes read since the last call.

    Raises:
      RunError: If a line is not that of an episode; says the line and the reason.
      OSError: If the file cannot be read.
    """
    path = pathlib.Path(path)
    lengths, rewards = array.array("q"), array.array("d")
    counts = array.array("i")
    steps = 0
    with path.open("rb") as file:
        for number, line in enumerate(_reported(file, path, progress), 1):
            try:
                length, reward, numbers = _parse(line)
                counts.extend(numbers)
            except (ValueError, OverflowError) as error:
                raise RunError(f"{path}, line {number}: {error}") from None
            steps += length
            if steps > budget:
                del counts[-len(_KEYS) :]
                break
            lengths.append(length)
            rewards.append(reward)
    return Run(
        task,
        method,
        seed,
        length=np.array(lengths, np.int64),
        reward=np.array(rewards),
        achievements=np.array(counts, np.int32).reshape(-1, len(_KEYS)),
        source=str(path),
        made_by=_made_by(path),
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
            return _checked_made_by(content, str(path))
    return {}


def _checked_made_by(content: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(content, dict):
        raise RunError(f"{place}: made_by should be an object, not {_brief(content)}")
    return content


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


def _parse(line: bytes) -> tuple[int, float, list[int]]:
    """Returns length, return and counters of an episode.

    Raises:
      ValueError: If the line is not that of an episode; says the reason.
    """
    try:
        record = json.loads(line)
    except ValueError as error:
        raise ValueError(
            f"not a whole JSON object ({error}); if the program was killed while it "
            "wrote this line, delete the line"
        ) from None
    if not isinstance(record, dict):
        raise ValueError(f"expected a JSON object, not {_brief(record)}")
    if record.keys() != _LINE_KEYS:  # All of them, and others that do no harm?
        _check_keys(record, _LINE_KEYS)
    length, reward = record["length"], record["reward"]
    if type(length) is not int or length < 1:
        raise ValueError(f"length should be a positive integer, not {_brief(length)}")
    if type(reward) not in (int, float) or not math.isfinite(reward):
        raise ValueError(f"reward should be a finite number, not {_brief(reward)}")
    counts = [*_counts(record)]
    if {*map(type, counts)} != {int} or min(counts) < 0:
        wrong = next(k for k in _KEYS if type(record[k]) is not int or record[k] < 0)
        raise ValueError(
            f"{wrong} should be a count from 0, not {_brief(record[wrong])}"
        )
    return length, reward, counts


def _check_keys(record: Mapping[str, Any], needed: Iterable[str]) -> None:
    missing = [key for key in needed if key not in record]
    if missing:
        raise ValueError(f"{_listed(missing)} missing")
    unknown = [
        key for key in record if key.startswith("achievement_") and key not in _KEYS
    ]
    if unknown:
        raise ValueError(
            f"{_listed(unknown)} unknown; an achievement that Crafter does not have"
        )


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + "..."


# Score files.


def find_scores(path: Path) -> list[pathlib.Path]:
    """Returns the score files in a folder, sorted, or the file itself."""
    path = pathlib.Path(path)
    if path.is_dir():
        return [p for p in sorted(path.glob("crafter_*.json")) if _split_name(p.stem)]
    return [path] if path.suffix == ".json" else []


def read_scores(path: Path) -> list[Run]:
    """Reads a score file.

    Args:
      path: JSON list with an object per run, or a single object. An object has `task`,
        `method`, `seed`, and lists with a value per episode: `xs` (steps of the
        training at its end), `length`, `reward` (its return) and `achievement_<name>`
        for all achievements. It may have `made_by`, an object that says what made it.

    Raises:
      RunError: If the file is something else; says run, episode and reason.
      OSError: If the file cannot be read.
    """
    path = pathlib.Path(path)
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise RunError(f"{path}: not a JSON file: {error}") from None
    records = content if isinstance(content, list) else [content]
    if not records:
        raise RunError(f"{path}: there is no run in it")
    return [_read_run(path, number, record) for number, record in enumerate(records, 1)]


def _read_run(path: pathlib.Path, number: int, record: Any) -> Run:
    place = f"{path}, run {number}"
    if not isinstance(record, dict):
        raise RunError(f"{place}: expected a JSON object, not {_brief(record)}")
    names = ("task", "method", "seed")
    try:
        _check_keys(record, (*names, *_COLUMNS))
        columns = {key: _column(record, key, code) for key, code in _COLUMNS.items()}
    except ValueError as error:
        raise RunError(f"{place}: {error}") from None
    run = Run(
        **{key: str(record[key]) for key in names} | {"task": _task(record, place)},
        length=columns["length"],
        reward=columns["reward"],
        achievements=np.stack([columns[key] for key in _KEYS], 1),
        source=str(path),
        made_by=_checked_made_by(record.get("made_by", {}), place),
    )
    wrong = columns["xs"] != run.xs
    if wrong.any():
        episode = int(np.argmax(wrong))
        raise RunError(
            f"{run}, episode {episode + 1}: xs is {columns['xs'][episode]}, but the "
            f"sum of the lengths is {run.xs[episode]}"
        )
    return run


def _task(record: Mapping[str, Any], place: str) -> str:
    task = str(record["task"]).replace("-", "_")  # Published with a hyphen too.
    if task not in ("crafter_reward", "crafter_noreward"):
        raise RunError(
            f"{place}: task should be crafter_reward or crafter_noreward, not "
            f"{_brief(record['task'])}"
        )
    return task


def _column(record: Mapping[str, Any], key: str, code: str) -> np.ndarray:
    """Returns a value per episode.

    Args:
      record: Object of a run.
      key: Which list.
      code: Type of its values, as of `array.array`.

    Raises:
      ValueError: If they are not as many numbers as there are lengths.
    """
    values, lengths = record[key], record["length"]
    if not isinstance(lengths, list) or not lengths:
        raise ValueError("length should be a list with a number per episode")
    if not isinstance(values, list) or len(values) != len(lengths):
        raise ValueError(f"{key} should be a list of {len(lengths)} values, as length")
    wrong = _first_wrong(values, code)
    if wrong is not None:
        raise ValueError(
            f"episode {wrong + 1}: {key} should be {_WORDS[code]}, not "
            f"{_brief(values[wrong])}"
        )
    return np.array(array.array(code, values))


def _first_wrong(values: Sequence[Any], code: str) -> int | None:
    """Returns the place of the first value that is no number of a type, if any."""
    kinds = {int, float} if code == "d" else {int}
    if {*map(type, values)} <= kinds:
        with contextlib.suppress(OverflowError):
            array.array(code, values)
            return None
    for place, value in enumerate(values):
        if type(value) not in kinds:
            return place
        try:
            array.array(code, [value])
        except OverflowError:
            return place
    return None


def write_scores(path: Path, runs: Sequence[Run]) -> None:
    """Writes runs as a score file, one run a line, whole or not at all.

    Args:
      path: The file, by custom `<task>-<method>.json`.
      runs: Runs of one method.

    Raises:
      OSError: If the file cannot be written.
    """
    path = pathlib.Path(path)
    unfinished = path.with_name(f".{path.name}.unfinished")
    lines = [json.dumps(_record(run), separators=(",", ":")) for run in runs]
    unfinished.write_text("[" + ",\n".join(lines) + "]\n", "utf-8")
    unfinished.replace(path)


def _record(run: Run) -> dict[str, Any]:
    """Returns the object of a run in a score file."""
    lists = {"xs": run.xs, "reward": run.reward.round(1), "length": run.length}
    lists |= dict(zip(_KEYS, run.achievements.T))
    names: dict[str, Any] = {"task": run.task, "method": run.method, "seed": run.seed}
    if run.made_by:
        names["made_by"] = run.made_by
    return names | {key: values.tolist() for key, values in lists.items()}
