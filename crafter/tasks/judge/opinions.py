"""Opinions on attempts by judges, people or scores, and their files.

An opinion rates one attempt or compares two on the same scene. A label that was not
given is `missing` and never counts as a value; a dimension that does not apply is
`None`. Files of opinions have the form of result files, see
`crafter.tasks.episodes.results`: a header with kind and source, then a line each.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from crafter.core import journal
from crafter.core.validation import one_of
from crafter.tasks.catalogue.dimensions import DIMENSIONS, LABELS, OUTCOMES
from crafter.tasks.catalogue.tasks import category_of
from crafter.tasks.episodes import results
from crafter.tasks.scoring import Scored
from crafter.tasks.scoring import files as scores

#: Version of the form of the files.
FORMAT = 1
#: Label that was requested and not given.
MISSING = "missing"
#: Name of the overall verdict of a comparison.
OVERALL = "overall"
#: Kind of opinions -> valid labels.
WORDS = {"ratings": tuple(LABELS), "comparisons": OUTCOMES}
#: Smallest difference that decides a comparison, per dimension and overall.
MARGIN, OVERALL_MARGIN = 0.05, 0.02
#: Scores below this are bad.
BAD = 0.10

_OTHER: Mapping[str | None, str] = {"A": "B", "B": "A"}
_PLACE = ("item", "task", "category", "level", "scene")
_ROUNDING = 1e-9


def header(kind: str, source: str, evidence: str, **details: Any) -> dict[str, Any]:
    """Returns the first line of a file.

    Args:
      kind: `ratings` or `comparisons`.
      source: `judge:MODEL` or `human:NAME`.
      evidence: `frames`, `events` or `both`.
      **details: Further fields, such as the settings of the judge.
    """
    head = {"format": FORMAT, "kind": kind, "source": source, "evidence": evidence}
    return {**head, **details}


@dataclasses.dataclass(frozen=True)
class Opinion:
    """Rating of one attempt, or comparison of two.

    Attributes:
      item: Id of the scene, `task/level/index`.
      task: Name of the task.
      category: Its category.
      level: Its difficulty.
      scene: Hash of the scene.
      agents: The agent of the attempt, or of the attempts A and B.
      said: Dimension, or `overall` -> label or outcome, `missing`, or `None` where it
        does not apply.
      details: Further fields of the line, such as `attempt`, a number among several of
        an agent, `control`, `consistent` and `answer`.
      header: Required fields in the header of files; class attribute.
    """

    header: ClassVar = frozenset({"kind", "source", "evidence"})

    item: str
    task: str
    category: str
    level: str
    scene: str
    agents: tuple[str, ...]
    said: Mapping[str, str | None]
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
        """Name of the control, or `None`."""
        return self.details.get("control")

    @property
    def key(self) -> tuple[Any, ...]:
        """Unique key among opinions of the same source."""
        names = ("attempt", "attempt_a", "attempt_b", "control")
        return (self.item, self.agents, *(self.details.get(name) for name in names))

    def turned(self) -> Opinion:
        """Returns the comparison with A and B exchanged."""
        agents, said = self.agents[::-1], swapped(self.said)
        return dataclasses.replace(self, agents=agents, said=said)

    def about(self) -> dict[str, Any]:
        """Returns the fields of its line that identify the item."""
        names = ("agent",) if self.kind == "ratings" else ("a", "b")
        place = {name: getattr(self, name) for name in _PLACE}
        return {**place, **dict(zip(names, self.agents))}

    def as_data(self) -> dict[str, Any]:
        """Returns the line of a file."""
        said: dict[str, Any] = {"labels": self.said}
        if self.kind == "comparisons":
            outcomes = dict(self.said)
            said = {OVERALL: outcomes.pop(OVERALL, None), "outcomes": outcomes}
        return {**self.about(), **said, **self.details}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Opinion:
        """Returns the opinion of a line.

        Raises:
          KeyError, ValueError: If it makes no sense.
        """
        row = dict(data)
        place = {name: row.pop(name) for name in _PLACE}
        agents: tuple[str, ...]
        if "labels" in row:
            agents, said = (row.pop("agent"),), row.pop("labels")
        else:
            agents = row.pop("a"), row.pop("b")
            said = {**row.pop("outcomes"), OVERALL: row.pop(OVERALL, None)}
        return cls(**place, agents=agents, said=said, details=row)


def swapped(said: Mapping[str, str | None]) -> dict[str, str | None]:
    """Returns verdicts on (b, a) as verdicts on (a, b)."""
    return {name: _OTHER.get(word, word) for name, word in said.items()}


def read(path: str | os.PathLike) -> tuple[dict[str, Any], list[Opinion]]:
    """Returns the header and the opinions of a file; later lines override earlier ones.

    Raises:
      tasks.episodes.results.RunError: If they cannot be read.
      crafter.core.journal.JournalError: If it is damaged.
    """
    head, opinions = results.read(path, Opinion)
    return head, list({one.key: one for one in opinions}.values())


def gather(
    paths: Iterable[str | os.PathLike], kind: str | None = None
) -> list[Opinion]:
    """Returns the opinions in files of one kind, without the controls of judges.

    Args:
      paths: Files of opinions or of scores, or folders of scores.
      kind: `ratings` or `comparisons`, into which scores are converted; by default the
        kind of the opinions, or ratings.

    Raises:
      ValueError: If a file is damaged or of another kind.
    """
    opinions: list[Opinion] = []
    scored: list[Scored] = []
    for path in map(pathlib.Path, paths):
        if path.is_dir() or scores.is_scores(journal.read(path)):
            scored += scores.read(path)
            continue
        head, own = read(path)
        kind = kind or head["kind"]
        if head["kind"] != kind:
            raise ValueError(f"{path}: expected {kind}, got {head['kind']}.")
        opinions += [one for one in own if one.control is None]
    return opinions + by_scores(scored, kind or "ratings")


# Opinions from scores.


def by_scores(scored: Iterable[Scored], kind: str) -> list[Opinion]:
    """Returns scores as ratings, or as comparisons of all pairs on a scene."""
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
    return Opinion(*place, tuple(x.agent for x in of), said)


def _outcomes(a: Scored, b: Scored) -> dict[str, str | None]:
    """Returns the outcome of each dimension, and overall.

    An attempt without errors counts as one that recognised all, if the other one has
    errors. Overall, success comes first, then the overall score.
    """
    outcomes: dict[str, str | None] = {}
    for name in DIMENSIONS:
        first, second = a.scores.get(name), b.scores.get(name)
        if name == "error_recognition" and (first is None) != (second is None):
            first, second = (1.0 if x is None else x for x in (first, second))
        outcomes[name] = _outcome(first, second, MARGIN)
    done = [one.verdict == "DONE" for one in (a, b)]
    outcomes[OVERALL] = _outcome(a.overall, b.overall, OVERALL_MARGIN)
    if done[0] != done[1]:
        outcomes[OVERALL] = "A" if done[0] else "B"
    return outcomes


def _outcome(a: float | None, b: float | None, margin: float) -> str | None:
    """Returns the outcome of comparing two values from 0 to 1."""
    if a is None or b is None:
        return None
    if abs(a - b) > margin + _ROUNDING:
        return "A" if a > b else "B"
    return "both_bad" if max(a, b) < BAD else "tie"
