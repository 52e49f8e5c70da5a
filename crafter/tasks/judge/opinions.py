"""Opinions on attempts, of a judge, of people or by scores, and the files of them.

An opinion rates one attempt, or says which one of two on the same scene is better. What
a dimension was not said about is `missing`; it is never a value, and it is not the same
as a dimension that does not apply, which is `None`. A file has one JSON object a line:
a header that says of which kind the opinions are and whose, then a line per opinion.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

from crafter.core import journal
from crafter.core.journal import JournalError
from crafter.core.validation import fail, one_of
from crafter.tasks.catalogue.dimensions import DIMENSIONS, LABELS, OUTCOMES
from crafter.tasks.catalogue.tasks import category_of
from crafter.tasks.scoring import Scored
from crafter.tasks.scoring import files as scores

#: Version of the form of the files.
FORMAT = 1
#: Stands where a word was asked for and none was understood.
MISSING = "missing"
#: What stands for the verdict of a comparison in all, beside the dimensions.
OVERALL = "overall"
#: What an opinion of each kind can say of a dimension.
WORDS = {"ratings": tuple(LABELS), "comparisons": OUTCOMES}
#: What a judge may have been shown; people see all of it.
EVIDENCE = ("frames", "events", "both")
#: By how much one has to be better, in a dimension and in the overall score.
MARGIN, OVERALL_MARGIN = 0.05, 0.02
#: Below this, both are bad.
BAD = 0.10

_OTHER: Mapping[str | None, str] = {"A": "B", "B": "A"}
_AGENTS = {"ratings": ("agent",), "comparisons": ("a", "b")}
_PLACE = ("item", "task", "category", "level", "scene")
_ROUNDING = 1e-9


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

    Raises:
      ValueError: If there is no such kind or evidence.
    """

    kind: str
    source: str
    evidence: str = "both"
    details: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        one_of("kind", self.kind, WORDS)
        one_of("evidence", self.evidence, EVIDENCE)
        if not isinstance(self.source, str):
            fail("source", "a text", self.source)


@dataclasses.dataclass(frozen=True)
class Opinion:
    """What is thought of one attempt, or which one of two is thought better.

    Attributes:
      item: Id of the scene, `task/level/index`.
      task: Name of the task.
      category: Its category.
      level: Its difficulty.
      scene: Hash of the scene.
      agents: Who made the attempt, or the attempts A and B.
      said: Dimension, or `overall` -> label or outcome, `missing`, or `None` where it
        does not apply.
      source: Whose opinion it is; taken from the header.
      details: Further fields of the line, such as `attempt`, its number where an agent
        made several, `control`, `consistent` and `answer`.
    """

    item: str
    task: str
    category: str
    level: str
    scene: str
    agents: tuple[str, ...]
    said: Mapping[str, str | None]
    source: str = ""
    details: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        words = (*WORDS[self.kind], MISSING)
        for name, value in self.said.items():
            one_of("dimension", name, (*DIMENSIONS, OVERALL))
            if value is not None:
                one_of(name, value, words)

    @property
    def kind(self) -> str:
        """`ratings` or `comparisons`."""
        return "ratings" if len(self.agents) == 1 else "comparisons"

    @property
    def control(self) -> str | None:
        """Name of the control that the item is, `None` for one of interest."""
        return self.details.get("control")

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells the opinion from others of the same source."""
        names = ("attempt", "attempt_a", "attempt_b", "control")
        return (self.item, self.agents, *(self.details.get(name) for name in names))

    def turned(self) -> Opinion:
        """Returns the same comparison with B as A."""
        agents, said = self.agents[::-1], swapped(self.said)
        return dataclasses.replace(self, agents=agents, said=said)


def swapped(said: Mapping[str, str | None]) -> dict[str, str | None]:
    """Returns verdicts on (b, a) as verdicts on (a, b)."""
    return {name: _OTHER.get(word, word) for name, word in said.items()}


# Reading.


def read(path: str | os.PathLike) -> tuple[Source, list[Opinion]]:
    """Reads a file of opinions.

    A last line that is cut off, as when a program was killed, is left out. Where a line
    repeats the item of an earlier one, the later one holds.

    Raises:
      OpinionsError: If the file cannot be read, is damaged, or has another format.
    """
    try:
        head, *rows = journal.read(path) or [{}]
        source = _source(head)
        lines = [_opinion(row, source, number) for number, row in enumerate(rows, 2)]
    except (OSError, JournalError, OpinionsError) as error:
        raise OpinionsError(f"{os.fspath(path)}: {error}") from error
    return source, list({one.key: one for one in lines}.values())


def _source(value: dict[str, Any]) -> Source:
    if value.pop("format", None) != FORMAT:
        raise OpinionsError(f"line 1 is no header of opinions in the format {FORMAT}.")
    known = {n: value.pop(n) for n in ("kind", "source", "evidence") if n in value}
    try:
        return Source(**known, details=value)
    except (TypeError, ValueError) as error:
        raise OpinionsError(f"line 1 is no header of opinions: {error}") from None


def _opinion(row: dict[str, Any], head: Source, number: int) -> Opinion:
    try:
        place = {name: row.pop(name) for name in _PLACE}
        agents = tuple(row.pop(name) for name in _AGENTS[head.kind])
        if head.kind == "ratings":
            said = row.pop("labels")
        else:
            said = {**row.pop("outcomes"), OVERALL: row.pop(OVERALL, None)}
        given = {"agents": agents, "said": said, "source": head.source}
        return Opinion(**place, **given, details=row)
    except KeyError as error:
        raise OpinionsError(f"line {number} lacks {error}.") from None
    except ValueError as error:
        raise OpinionsError(f"line {number}: {error}") from None


def gather(
    paths: Iterable[str | os.PathLike], kind: str | None = None
) -> list[Opinion]:
    """Returns the opinions in files of one kind, without the controls of judges.

    Args:
      paths: Files of opinions or of scores, or folders of scores.
      kind: `ratings` or `comparisons`, which scores are turned into; by default that
        of the opinions, or ratings.

    Raises:
      OpinionsError: If a file is damaged or of another kind.
    """
    found: list[Opinion] = []
    scored: list[Scored] = []
    for path in map(pathlib.Path, paths):
        if path.is_dir() or _has_scores(path):
            scored += scores.read(path)
            continue
        head, own = read(path)
        kind = kind or head.kind
        if head.kind != kind:
            raise OpinionsError(f"{path}: expected {kind}, it holds {head.kind}.")
        found += [one for one in own if one.control is None]
    return found + by_scores(scored, kind or "ratings")


def _has_scores(path: pathlib.Path) -> bool:
    try:
        return scores.is_scores(journal.read(path))
    except JournalError:
        return False  # what is wrong with it is said when it is read


# Writing.


def write(path: str | os.PathLike, head: Source, opinions: Iterable[Opinion]) -> None:
    """Writes a file of opinions; it appears when it is whole.

    Raises:
      ValueError: If an opinion is of another kind, or says what nobody can say.
    """
    rows = [header(head), *(line(opinion, head) for opinion in opinions)]
    journal.replace(path, "".join(f"{row}\n" for row in rows))


def header(head: Source) -> str:
    """Returns the first line of a file."""
    fixed = {"format": FORMAT, "kind": head.kind, "source": head.source}
    return _dump({**fixed, "evidence": head.evidence, **head.details})


def line(opinion: Opinion, head: Source) -> str:
    """Returns the line of an opinion.

    Raises:
      ValueError: If it is of another kind, or says what nobody can say.
    """
    if opinion.kind != head.kind:
        raise ValueError(f"Expected {head.kind}, got {opinion!r}.")
    said: dict[str, Any] = {"labels": opinion.said}
    if opinion.kind == "comparisons":
        outcomes = {n: word for n, word in opinion.said.items() if n != OVERALL}
        said = {"outcomes": outcomes, OVERALL: opinion.said.get(OVERALL)}
    return _dump({**named(opinion), **said, **opinion.details})


def named(opinion: Opinion) -> dict[str, Any]:
    """Returns the fields of a line that say what it is an opinion on."""
    place = {name: getattr(opinion, name) for name in _PLACE}
    return {**place, **dict(zip(_AGENTS[opinion.kind], opinion.agents))}


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


# By scores.


def by_scores(scored: Iterable[Scored], kind: str) -> list[Opinion]:
    """Returns scores as ratings, or comparisons of all two agents on the same scene."""
    if kind == "ratings":
        return [_by_scores((one,), one.labels) for one in scored]
    scenes: dict[Any, dict[str, Scored]] = {}
    for one in scored:
        scenes.setdefault(one.key, {})[one.agent] = one
    return [
        _by_scores((a, b), _outcomes(a, b))
        for ours in scenes.values()
        for a, b in itertools.combinations(ours.values(), 2)
    ]


def _by_scores(of: tuple[Scored, ...], said: Mapping[str, str | None]) -> Opinion:
    one = of[0]
    item = f"{one.task}/{one.level}/{one.index}"
    place = (item, one.task, category_of(one.task), one.level, one.scene)
    return Opinion(*place, tuple(x.agent for x in of), said, "scores")


def _outcomes(a: Scored, b: Scored) -> dict[str, str | None]:
    """Returns which attempt is better.

    No errors to recognise count as all of them recognised, if the other attempt has
    some. In all, success comes first, then the overall score.
    """
    said: dict[str, str | None] = {}
    for name in DIMENSIONS:
        first, second = a.scores.get(name), b.scores.get(name)
        if name == "error_recognition" and (first is None) != (second is None):
            first, second = (1.0 if x is None else x for x in (first, second))
        said[name] = _outcome(first, second, MARGIN)
    done = [one.verdict == "DONE" for one in (a, b)]
    said[OVERALL] = _outcome(a.overall, b.overall, OVERALL_MARGIN)
    if done[0] != done[1]:
        said[OVERALL] = "A" if done[0] else "B"
    return said


def _outcome(a: float | None, b: float | None, margin: float) -> str | None:
    """Returns which of two values from 0 to 1 is better."""
    if a is None or b is None:
        return None
    if abs(a - b) > margin + _ROUNDING:
        return "A" if a > b else "B"
    return "both_bad" if max(a, b) < BAD else "tie"
