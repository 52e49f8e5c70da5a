"""Verification runs: every scene tried once, kept in a file that can be continued.

The file has one JSON object a line: first what was tried, then a line per scene as it
is finished. A line that is cut off, as when a program was killed, is tried again.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import os
import pathlib
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from crafter.rules import Rules
from crafter.scoring.statistics import wilson_interval
from crafter.tasks import scenes, verify
from crafter.tasks.catalogue import Task
from crafter.tasks.certificates import Certificate

#: Raised when the lines, or their meaning, change.
FORMAT = 1


class VerificationError(ValueError):
    """A file of a verification is damaged, or of another one; the message says why."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is verified.

    Attributes:
      tasks: Names of the tasks.
      levels: Their levels.
      split: From which scenes they begin.
      scenes: How many scenes of each task and level, from index 0.
      known: What the planner knows: `all` or `seen`.
      robust: How many more times each solved scene is tried, under other chances.
      limit: Seconds of processor time for a scene.
      shard: This part, from 0, of so many parts.
    """

    tasks: Sequence[str]
    levels: Sequence[str]
    split: str = "test"
    scenes: int = 10
    known: str = "all"
    robust: int = 0
    limit: float = verify.LIMIT
    shard: tuple[int, int] = (0, 1)

    def jobs(self) -> Iterator[tuple[str, str, int]]:
        """Yields task, level and index of the scenes of this part."""
        part, parts = self.shard
        number = 0
        for index in range(self.scenes):
            for task in self.tasks:
                for level in self.levels:
                    if number % parts == part:
                        yield task, level, index
                    number += 1

    def header(self) -> dict[str, Any]:
        """Returns the first line of the file: what its results depend on."""
        return {
            "verification": FORMAT,
            **verify.versions(),
            "split": self.split,
            "known": self.known,
            "robust": self.robust,
        }


def run(
    plan: Plan, path: str | os.PathLike, rules: Rules | None = None
) -> Iterator[dict[str, Any]]:
    """Tries the scenes that are not in the file yet, and adds them to it.

    Args:
      plan: What is verified.
      path: The file; what is in it already is not tried again.
      rules: The rules of the game; by default those of the published one.

    Yields:
      The line of every scene that was tried now.

    Raises:
      VerificationError: If the file is that of another verification.
    """
    done = {_key(line) for line in _resume(plan, path)}
    with pathlib.Path(path).open("a", encoding="utf-8") as stream:
        for name, level, index in plan.jobs():
            if (name, level, index) in done:
                continue
            line = _try(plan, Task(name, level, rules), index)
            _append(stream, line)
            yield line


def _key(line: Mapping[str, Any]) -> tuple[str, str, int]:
    return line["task"], line["level"], line["index"]


def _try(plan: Plan, task: Task, index: int) -> dict[str, Any]:
    scene = scenes.draw(task, plan.split, index)
    found = verify.solve(task, scene, known=plan.known, limit=plan.limit)
    line = {
        "task": task.name,
        "level": task.difficulty,
        "index": index,
        "scene": scene.hash,
        "budget": task.budget,
        "solved": found.solved,
        "steps": found.steps,
        "reason": found.reason,
        "replans": found.replans,
        "seconds": round(found.seconds, 3),
    }
    if found.certificate is not None:
        line["certificate"] = found.certificate.as_data()
    if found.solved and plan.robust:
        line["robust"] = verify.robustness(task, scene, plan.robust, plan.known)
    return line


def _append(stream: IO[str], line: Mapping[str, Any]) -> None:
    stream.write(json.dumps(line, separators=(",", ":")) + "\n")
    stream.flush()
    os.fsync(stream.fileno())


def _resume(plan: Plan, path: str | os.PathLike) -> list[dict[str, Any]]:
    """Returns the finished lines of a file and removes one that is cut off."""
    place = pathlib.Path(path)
    if not place.exists() or not place.stat().st_size:
        with place.open("w", encoding="utf-8") as stream:
            _append(stream, plan.header())
        return []
    whole = [t for t in place.read_text("utf-8").splitlines(True) if t.endswith("\n")]
    if not whole:
        place.unlink()
        return _resume(plan, path)
    header, lines = _parsed(whole, path)
    if header != plan.header():
        raise VerificationError(
            f"{os.fspath(path)} is the file of another verification: it has {header}, "
            f"wanted is {plan.header()}."
        )
    unfinished = place.with_name(place.name + ".unfinished")
    unfinished.write_text("".join(whole), "utf-8")
    os.replace(unfinished, place)
    return lines


def read(path: str | os.PathLike) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the header and the finished lines of a file.

    Raises:
      VerificationError: If it cannot be read or is damaged.
    """
    try:
        text = pathlib.Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise VerificationError(f"{os.fspath(path)}: {error}") from error
    return _parsed([t for t in text.splitlines(True) if t.endswith("\n")], path)


def _parsed(
    texts: Sequence[str], path: str | os.PathLike
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    values = []
    for number, text in enumerate(texts, 1):
        try:
            value = json.loads(text)
            if number == 1 and value["verification"] != FORMAT:
                raise ValueError(f"format {value['verification']!r}, not {FORMAT}")
            if number > 1:
                _key(value)
        except (ValueError, KeyError, TypeError) as error:
            raise VerificationError(
                f"{os.fspath(path)}, line {number}: no line of a verification: {error}."
            ) from None
        values.append(value)
    if not values:
        raise VerificationError(f"{os.fspath(path)} has no complete line.")
    return values[0], values[1:]


def replay(
    path: str | os.PathLike, sample: float = 1.0, rules: Rules | None = None
) -> Iterator[tuple[dict[str, Any], str | None]]:
    """Plays the certificates of a file again.

    Args:
      path: The file.
      sample: The share of them, always the same ones; at least one.
      rules: The rules of the game.

    Yields:
      The line, and what is wrong with it, or `None`.

    Raises:
      VerificationError: If the file cannot be read or is damaged.
    """
    header, lines = read(path)
    proven = [line for line in lines if "certificate" in line]
    count = min(len(proven), max(1, round(sample * len(proven))))
    for line in random.Random(0).sample(proven, count):
        task = Task(line["task"], line["level"], rules)
        scene = scenes.draw(task, header["split"], line["index"])
        if scene.hash != line["scene"]:
            yield line, "the scene is another one now"
            continue
        try:
            certificate = Certificate.from_data(line["certificate"])
        except ValueError as error:
            yield line, str(error)
            continue
        yield line, verify.check(task, scene, certificate, line["budget"])


# The report.


def report(lines: Sequence[Mapping[str, Any]]) -> str:
    """Returns a report as Markdown: all scenes, then by task and level.

    Args:
      lines: Of one file or several, without headers.
    """
    parts = [_summary(lines), _table_of_reasons(lines), _table(lines)]
    return "\n\n".join(parts) + "\n"


def _rate(lines: Sequence[Mapping[str, Any]]) -> str:
    solved = sum(line["solved"] for line in lines)
    low, high = wilson_interval(solved, len(lines))
    share = 100 * solved / len(lines)
    return f"{solved}/{len(lines)}, {share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def _summary(lines: Sequence[Mapping[str, Any]]) -> str:
    rows = [f"Solved at the first try: {_rate(lines)} of the scenes."]
    for level in dict.fromkeys(line["level"] for line in lines):
        part = [line for line in lines if line["level"] == level]
        seconds = statistics.median(line["seconds"] for line in part)
        rows.append(f"- {level}: {_rate(part)}; median {seconds:.2f} s a scene")
    robust = [line["robust"] for line in lines if "robust" in line]
    if robust:
        fragile = sum(not value["enough"] for value in robust)
        rows.append(f"- robust: {len(robust) - fragile} of {len(robust)}")
    return "\n".join(rows)


def _table_of_reasons(lines: Sequence[Mapping[str, Any]]) -> str:
    counts = collections.Counter(line["reason"] for line in lines if line["reason"])
    rows = [f"| `{reason}` | {n} |" for reason, n in counts.most_common()]
    return "\n".join(["| Reason | Scenes |", "|---|---|", *rows])


def _table(lines: Sequence[Mapping[str, Any]]) -> str:
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for line in lines:
        groups.setdefault((line["task"], line["level"]), []).append(line)
    rows = [_row(key, part) for key, part in groups.items()]
    head = "| Task | Level | Solved | Median steps | Of the budget | Reasons |"
    return "\n".join([head, "|---|---|---|---|---|---|", *rows])


def _row(key: tuple[str, str], part: Sequence[Mapping[str, Any]]) -> str:
    steps = [line["steps"] for line in part if line["solved"]]
    middle = statistics.median(steps) if steps else None
    shown = "–" if middle is None else f"{middle:g}"
    share = "–" if middle is None else f"{100 * middle / part[0]['budget']:.0f} %"
    counts = collections.Counter(line["reason"] for line in part if line["reason"])
    reasons = ", ".join(f"{reason} {n}" for reason, n in counts.most_common())
    return f"| {key[0]} | {key[1]} | {_rate(part)} | {shown} | {share} | {reasons} |"
