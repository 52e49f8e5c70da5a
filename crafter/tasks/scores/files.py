"""Files of scores: a header line, then one JSON object per attempt.

A line is written when its attempt is scored, so that at most the one in progress is
lost; a line that was cut off does not count. Files whose name ends in `.gz` are packed.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crafter.core import journal
from crafter.core.journal import Journal
from crafter.tasks.dimensions import DIMENSIONS, SCORED
from crafter.tasks.results import find
from crafter.tasks.scores.scoring import mean_of

#: Raised when the lines, or their meaning, change.
FORMAT = 1
KIND = "scores"
#: The files of a folder that hold scores.
PATTERNS = ("scores*.jsonl", "scores*.jsonl.gz")


class ScoreFileError(ValueError):
    """A file of scores is damaged or of another kind; the message says where."""


@dataclasses.dataclass(frozen=True)
class Head:
    """The header of a file of scores.

    Attributes:
      score_version: Of the definitions of the scores.
      suite: Name of the suite.
      sha256: Of the suite.
      agent: Name of the agent.
      references: How the references were found, see `Solutions.settings`; empty, and
        not in the file, for those that come with the package.
    """

    score_version: int
    suite: str
    sha256: str
    agent: str
    references: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """Returns the content of the line."""
        data = {"format": FORMAT, "kind": KIND, **dataclasses.asdict(self)}
        if not self.references:
            del data["references"]
        return data


@dataclasses.dataclass(frozen=True)
class Scored:
    """An attempt and its scores.

    Attributes:
      task: Its task, a name or an expression.
      level: Its difficulty.
      index: Number of the scene.
      scene: Hash of the scene.
      agent: Who made it.
      attempt: File of its records, relative to the folder of the run.
      verdict: `DONE` or `FAILED`.
      reason: Why it failed, or `None`.
      steps: How many steps it took.
      budget: How many it might have taken.
      reference_steps: How many the reference takes, or `None` without one.
      scores: Dimension -> value from 0 to 1, or `None` where it does not apply.
      overall: Mean of the dimensions that apply; `None` if there are none.
      dimensions: How many of them apply.
      errors: How many errors were found in it.
      milestones: Name -> share of it that was reached, 0 to 1.
      first_failed_milestone: The first one, in the order in which they are needed,
        that was not reached; `None` if all were.
      death_cause: What killed the player, several joined by `+`; `None` if nothing did.
    """

    task: str
    level: str
    index: int
    scene: str
    agent: str
    attempt: str
    verdict: str
    reason: str | None
    steps: int
    budget: int
    reference_steps: int | None
    scores: Mapping[str, float | None]
    overall: float | None
    dimensions: int
    errors: int
    milestones: Mapping[str, float]
    first_failed_milestone: str | None
    death_cause: str | None

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What tells its scene from those of other attempts of the agent."""
        return self.task, self.level, self.index, self.scene


def read(paths: str | os.PathLike | Iterable[str | os.PathLike]) -> list[Scored]:
    """Reads files of scores.

    Args:
      paths: Files, or folders in which all of `PATTERNS` are read; one or several.

    Returns:
      The scored attempts, file by file.

    Raises:
      ScoreFileError: If a file is damaged or of another kind, there is none, or an
        attempt of an agent is there twice with different scores.
    """
    found: dict[tuple[Any, ...], Scored] = {}
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    for path in find(paths, PATTERNS, "scores"):
        head, scored = read_file(path)
        for one in scored:
            key = (head.sha256, one.agent, *one.key)
            if found.setdefault(key, one) != one:
                raise ScoreFileError(
                    f"{path}: {one.key} of {one.agent} is there with other scores, too."
                )
    return list(found.values())


def read_file(path: str | os.PathLike) -> tuple[Head, list[Scored]]:
    """Returns the header and the scored attempts of a file.

    Raises:
      ScoreFileError: If it is damaged or of another kind.
    """
    return _parsed(journal.read(path), path)


def resume(head: Head, path: str | os.PathLike) -> tuple[Journal, list[Scored]]:
    """Opens a file to go on with it.

    Args:
      head: What the file is of; it is begun if there is none, or nothing in it.
      path: The file; not packed.

    Returns:
      The open file, and what it holds already.

    Raises:
      ScoreFileError: If it holds other scores.
      crafter.core.journal.JournalError: If it is damaged, or another process has it
        open.
    """
    file = Journal(path)
    if not file.rows:
        file.append(_dump(head.as_data()))
        return file, []
    try:
        found, scored = _parsed(file.rows, path)
        if (
            dataclasses.replace(found, suite=head.suite) != head
        ):  # paths of packs differ
            raise ScoreFileError(
                f"{os.fspath(path)} holds other scores: it has "
                f"{_dump(found.as_data())}, wanted is {_dump(head.as_data())}. Choose "
                "another file, or the same options to go on."
            )
    except ScoreFileError:
        file.close()
        raise
    return file, scored


def append(file: Journal, scored: Scored) -> None:
    """Adds a line to a file."""
    file.append(_dump(dataclasses.asdict(scored)))


def _parsed(
    rows: Sequence[Mapping[str, Any]], path: str | os.PathLike
) -> tuple[Head, list[Scored]]:
    if not rows:
        raise ScoreFileError(f"{os.fspath(path)} has no complete line.")
    values: list[Any] = []
    try:
        for row in rows:
            values.append(_scored(dict(row)) if values else _head(dict(row)))
    except (ValueError, TypeError, KeyError) as error:
        raise ScoreFileError(
            f"{os.fspath(path)}, line {len(values) + 1}: no line of scores: {error}."
        ) from None
    return values[0], values[1:]


def _head(value: dict[str, Any]) -> Head:
    form = (value.pop("format"), value.pop("kind"))
    if form != (FORMAT, KIND):
        raise ValueError(f"format and kind are {form}, not {(FORMAT, KIND)}")
    return Head(**value)


def _scored(value: dict[str, Any]) -> Scored:
    if value["scores"].keys() == DIMENSIONS.keys():  # before version 3
        value["scores"] = {name: value["scores"][name] for name in SCORED}
        value["overall"], value["dimensions"] = mean_of(value["scores"])
    scored = Scored(**value)
    if list(scored.scores) != list(SCORED):
        raise ValueError(f"expected scores in {list(SCORED)}")
    shares = [*scored.scores.values(), scored.overall, *scored.milestones.values()]
    wrong = [x for x in shares if x is not None and not 0 <= x <= 1]
    if wrong:
        raise ValueError(f"expected values from 0 to 1, got {wrong}")
    return scored


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
