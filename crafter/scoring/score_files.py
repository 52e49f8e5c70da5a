"""Score files: `<task>-<method>.json`, a list with an object per seed.

They may be compressed by gzip, `<task>-<method>.json.gz`.

Source: Crafter 1.8.3, the format of its score files.
"""

from __future__ import annotations

import array
import contextlib
import gzip
import json
import pathlib
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.short_repr import brief
from crafter.scoring.benchmark import CRAFTER, Benchmark
from crafter.scoring.records import Path, check_keys, checked_made_by
from crafter.scoring.runs import Run, RunError

# Lists of a run besides those of the achievements, with types as of `array.array`.
_CODES = {"xs": "q", "length": "q", "reward": "d"}
_ENDINGS = (".json", ".json.gz")
_WORDS = {"q": "an integer", "i": "an integer below 2 ** 31", "d": "a number"}


def find_scores(path: Path, benchmark: Benchmark = CRAFTER) -> list[pathlib.Path]:
    """Returns the score files in a folder, sorted, or the file itself.

    Args:
      path: A folder, or a file.
      benchmark: Whose tasks the names begin with.
    """
    path = pathlib.Path(path)
    if path.is_dir():
        return [p for p in sorted(path.iterdir()) if benchmark.split_name(_stem(p))]
    return [path] if path.name.endswith(_ENDINGS) else []


def _stem(path: pathlib.Path) -> str:
    """Returns the name of a score file without its ending, else nothing."""
    for ending in _ENDINGS:
        if path.name.endswith(ending):
            return path.name.removesuffix(ending)
    return ""


def read_scores(path: Path, benchmark: Benchmark = CRAFTER) -> list[Run]:
    """Reads a score file.

    Args:
      path: JSON list with an object per run, or a single object. An object has `task`,
        `method`, `seed`, and lists with a value per episode: `xs` (steps of the
        training at its end), `length`, `reward` (its return) and `achievement_<name>`
        for all achievements. It may have `made_by`, an object that says what made it.
      benchmark: What the runs are of.

    Raises:
      RunError: If the file is something else; the message says run, episode and reason.
      OSError: If the file cannot be read.
    """
    path = pathlib.Path(path)
    try:
        content = json.loads(_read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: not a JSON file: {error}") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RunError(f"{path}: not compressed by gzip, or cut off: {error}") from None
    records = content if isinstance(content, list) else [content]
    if not records:
        raise RunError(f"{path}: there is no run in it")
    numbered = enumerate(records, 1)
    return [_read_run(path, number, record, benchmark) for number, record in numbered]


def _read_bytes(path: pathlib.Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def _read_run(
    path: pathlib.Path, number: int, record: Any, benchmark: Benchmark
) -> Run:
    place = f"{path}, run {number}"
    if not isinstance(record, dict):
        raise RunError(f"{place}: expected a JSON object, not {brief(record)}")
    names = ("task", "method", "seed")
    codes = {**_CODES, **dict.fromkeys(benchmark.keys, "i")}
    try:
        check_keys(record, (*names, *codes), benchmark)
        columns = {key: _column(record, key, code) for key, code in codes.items()}
    except ValueError as error:
        raise RunError(f"{place}: {error}") from None
    run = Run(
        task=_task(record, place, benchmark),
        method=str(record["method"]),
        seed=str(record["seed"]),
        length=columns["length"],
        reward=columns["reward"],
        achievements=np.stack([columns[key] for key in benchmark.keys], 1),
        source=str(path),
        made_by=checked_made_by(record.get("made_by", {}), place),
        benchmark=benchmark,
    )
    wrong = columns["xs"] != run.xs
    if wrong.any():
        episode = int(np.argmax(wrong))
        raise RunError(
            f"{run}, episode {episode + 1}: xs is {columns['xs'][episode]}, but the "
            f"sum of the lengths is {run.xs[episode]}"
        )
    return run


def _task(record: Mapping[str, Any], place: str, benchmark: Benchmark) -> str:
    task = str(record["task"]).replace("-", "_")  # Published with a hyphen too.
    if task not in benchmark.tasks:
        raise RunError(
            f"{place}: task should be {' or '.join(benchmark.tasks)}, not "
            f"{brief(record['task'])}"
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
            f"{brief(values[wrong])}"
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
