"""Opinions on attempts, of a judge or of people, and the files that hold them.

A file has one JSON object a line: a header that says of which kind the opinions are and
whose, then one line per opinion. Opinions are of two kinds: ratings of one attempt and
comparisons of two. What a dimension was not said about is `missing`; it is never a
value, and it is not the same as a dimension that does not apply, which is `None`.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from crafter.core import journal
from crafter.core.journal import JournalError
from crafter.tasks.dimensions import DIMENSIONS, LABELS, OUTCOMES

#: Version of the form of the files.
FORMAT = 1
#: Stands where a label or an outcome was asked for and none was understood.
MISSING = "missing"
#: What an opinion of each kind can say of a dimension.
WORDS = {"ratings": tuple(LABELS), "comparisons": OUTCOMES}
#: What a judge may have been shown; people see all of it.
EVIDENCE = ("frames", "events", "both")


class OpinionsError(ValueError):
    """A file of opinions is damaged or of another kind; the message says where."""


@dataclasses.dataclass(frozen=True)
class Source:
    """Whose opinions a file holds: its header.

    Attributes:
      kind: `ratings` or `comparisons`.
      source: `judge:MODEL`, `human:NAME`, or `scores` for those made of scores.
      evidence: What was looked at: `frames`, `events` or `both`.
      details: Further fields, such as the settings of the judge.
    """

    kind: str
    source: str
    evidence: str = "both"
    details: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Rating:
    """What is thought of one attempt.

    Attributes:
      item: Id of the scene, `task/level/index`.
      task: Name of the task.
      category: Its category.
      level: Its difficulty.
      scene: Hash of the scene.
      agent: Who made the attempt.
      attempt: Number of the attempt, where an agent made several.
      labels: Dimension -> label, `missing`, or `None` where it does not apply.
      source: Whose opinion it is; taken from the header.
      evidence: What was looked at; taken from the header.
      details: Further fields of the line, such as `answer` and `prompt_sha256`.
    """

    item: str
    task: str
    category: str
    level: str
    scene: str
    agent: str
    attempt: int
    labels: Mapping[str, str | None]
    source: str = ""
    evidence: str = ""
    details: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells the opinion from others of the same source."""
        return (self.item, self.agent, self.attempt, self.control)

    @property
    def control(self) -> str | None:
        """Name of the control that the item is, `None` for an attempt of interest."""
        return self.details.get("control")


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Which one of two attempts on the same scene is thought better.

    Attributes:
      item: Id of the scene, `task/level/index`.
      task: Name of the task.
      category: Its category.
      level: Its difficulty.
      scene: Hash of the scene.
      a: Agent of the first attempt.
      b: Agent of the second one.
      outcomes: Dimension -> `A`, `B`, `tie`, `both_bad`, `missing`, or `None` where it
        does not apply.
      overall: The outcome in all; `missing` or `None` where nobody said.
      consistent: Dimension -> whether both orders gave the same verdict.
      source: Whose opinion it is; taken from the header.
      evidence: What was looked at; taken from the header.
      details: Further fields of the line, such as `answers`.
    """

    item: str
    task: str
    category: str
    level: str
    scene: str
    a: str
    b: str
    outcomes: Mapping[str, str | None]
    overall: str | None = None
    consistent: Mapping[str, bool] = dataclasses.field(default_factory=dict)
    source: str = ""
    evidence: str = ""
    details: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells the opinion from others of the same source."""
        attempts = (self.details.get("attempt_a"), self.details.get("attempt_b"))
        return (self.item, self.a, self.b, *attempts, self.control)

    @property
    def control(self) -> str | None:
        """Name of the control that the item is, `None` for a pair of interest."""
        return self.details.get("control")


Opinion = TypeVar("Opinion", Rating, Comparison)
_CLASSES: dict[str, type] = {"ratings": Rating, "comparisons": Comparison}
_OF_HEADER = ("source", "evidence")


# Reading.


def read_ratings(
    paths: Iterable[str | os.PathLike], controls: bool = False
) -> list[Rating]:
    """Returns the ratings in some files.

    Args:
      paths: The files.
      controls: Whether the items that only check the judge are among them.

    Raises:
      OpinionsError: If a file is damaged or holds no ratings.
    """
    return _read_all(paths, "ratings", controls)


def read_comparisons(
    paths: Iterable[str | os.PathLike], controls: bool = False
) -> list[Comparison]:
    """Returns the comparisons in some files.

    Args:
      paths: The files.
      controls: Whether the pairs that only check the judge are among them.

    Raises:
      OpinionsError: If a file is damaged or holds no comparisons.
    """
    return _read_all(paths, "comparisons", controls)


def _read_all(
    paths: Iterable[str | os.PathLike], kind: str, controls: bool
) -> list[Any]:
    found = []
    for path in paths:
        head, opinions = read(path)
        if head.kind != kind:
            raise OpinionsError(f"{path}: expected {kind}, it holds {head.kind}.")
        found += [x for x in opinions if controls or x.control is None]
    return found


def read(path: str | os.PathLike) -> tuple[Source, list[Any]]:
    """Reads a file of opinions.

    A last line that is cut off, as when a program was killed, is left out. Where a line
    repeats the item of an earlier one, the later one holds.

    Returns:
      The header, and the opinions: `Rating` or `Comparison` objects, in the order of
      the file.

    Raises:
      OpinionsError: If the file cannot be read, is damaged, or has another format.
    """
    try:
        head, *rows = journal.read(path) or [{}]
        source = _source(head)
        found: dict[Any, Any] = {}
        for number, row in enumerate(rows, 2):
            opinion = _opinion(row, source, number)
            found[opinion.key] = opinion
    except (OSError, JournalError, OpinionsError) as error:
        raise OpinionsError(f"{os.fspath(path)}: {error}") from error
    return source, list(found.values())


def _source(value: dict[str, Any]) -> Source:
    if value.pop("format", None) != FORMAT or value.get("kind") not in _CLASSES:
        raise OpinionsError(
            f"line 1 is no header of opinions: expected format {FORMAT} and one of the "
            f"kinds {list(_CLASSES)}."
        )
    source, evidence = value.get("source"), value.get("evidence", "both")
    if not isinstance(source, str) or evidence not in EVIDENCE:
        raise OpinionsError(
            f"line 1: expected a source and one of the kinds of evidence "
            f"{list(EVIDENCE)}, got {source!r} and {evidence!r}."
        )
    known = ("kind", *_OF_HEADER)
    details = {name: value[name] for name in value if name not in known}
    return Source(value["kind"], source, evidence, details)


def _opinion(value: dict[str, Any], head: Source, number: int) -> Any:
    kind = _CLASSES[head.kind]
    fields = {field.name: field for field in dataclasses.fields(kind)}
    names = [name for name in fields if name not in (*_OF_HEADER, "details")]
    needed = [name for name in names if _is_required(fields[name])]
    lacking = [name for name in needed if name not in value]
    if lacking:
        raise OpinionsError(f"line {number} lacks {lacking}.")
    given = {name: value[name] for name in names if name in value}
    details = {name: value[name] for name in value if name not in names}
    opinion = kind(**given, source=head.source, evidence=head.evidence, details=details)
    try:
        check(opinion)
    except ValueError as error:
        raise OpinionsError(f"line {number}: {error}") from None
    return opinion


def _is_required(field: dataclasses.Field) -> bool:
    return (
        field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    )


def check(opinion: Rating | Comparison) -> None:
    """Checks what an opinion says of the dimensions.

    Raises:
      ValueError: If it names an unknown dimension, label or outcome.
    """
    if isinstance(opinion, Rating):
        said, words = opinion.labels, WORDS["ratings"]
    else:
        said = {**opinion.outcomes, "overall": opinion.overall}
        words = WORDS["comparisons"]
    for name, value in said.items():
        if name not in DIMENSIONS and name != "overall":
            raise ValueError(f"Expected one of {list(DIMENSIONS)}, got {name!r}.")
        if value is not None and value not in (*words, MISSING):
            raise ValueError(
                f"{name}: expected one of {[*words, MISSING]} or null, got {value!r}."
            )


# Writing.


def write(
    path: str | os.PathLike, head: Source, opinions: Iterable[Rating | Comparison]
) -> None:
    """Writes a file of opinions; it appears when it is whole.

    Raises:
      ValueError: If an opinion is of another kind, or says what nobody can say.
    """
    content = [header_line(head), *(line(opinion, head) for opinion in opinions)]
    journal.replace(path, "".join(content))


def header_line(head: Source) -> str:
    """Returns the first line of a file, with its line break."""
    fixed = {"format": FORMAT, "kind": head.kind, "source": head.source}
    return _dump({**fixed, "evidence": head.evidence, **head.details})


def line(opinion: Rating | Comparison, head: Source) -> str:
    """Returns the line of an opinion, with its line break.

    Raises:
      ValueError: If it is of another kind, or says what nobody can say.
    """
    if type(opinion) is not _CLASSES[head.kind]:
        raise ValueError(f"Expected {head.kind}, got {opinion!r}.")
    check(opinion)
    fields = dataclasses.asdict(opinion)
    own = {n: v for n, v in fields.items() if n not in (*_OF_HEADER, "details")}
    return _dump({**own, **opinion.details})


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
