"""Opinions on attempts, of a judge, of people or by scores, and the files of them.

An opinion rates one attempt, or says which one of two on the same scene is better. What
a dimension was not said about is `missing`; it is never a value, and it is not the same
as a dimension that does not apply, which is `None`. A file of opinions is one of
results, see `crafter.tasks.episodes.results`: its header says of which kind the
opinions are and whose, then comes a line per opinion.
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
#: Stands where a word was asked for and none was understood.
MISSING = "missing"
#: What stands for the verdict of a comparison in all, beside the dimensions.
OVERALL = "overall"
#: What an opinion of each kind can say of a dimension.
WORDS = {"ratings": tuple(LABELS), "comparisons": OUTCOMES}
#: By how much one has to be better, in a dimension and in the overall score.
MARGIN, OVERALL_MARGIN = 0.05, 0.02
#: Below this, both are bad.
BAD = 0.10

_OTHER: Mapping[str | None, str] = {"A": "B", "B": "A"}
_PLACE = ("item", "task", "category", "level", "scene")
_ROUNDING = 1e-9


def header(kind: str, source: str, evidence: str, **details: Any) -> dict[str, Any]:
    """Returns the first line of a file.

    Args:
      kind: `ratings` or `comparisons`.
      source: `judge:MODEL` or `human:NAME`.
      evidence: What was looked at: `frames`, `events` or `both`.
      **details: Further fields, such as the settings of the judge.
    """
    head = {"format": FORMAT, "kind": kind, "source": source, "evidence": evidence}
    return {**head, **details}


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
      details: Further fields of the line, such as `attempt`, its number where an agent
        made several, `control`, `consistent` and `answer`.
      header: What the header of a file of them has at least; class attribute.
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

    def about(self) -> dict[str, Any]:
        """Returns the fields of its line that say on what it is an opinion."""
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
    """Returns the header and the opinions of a file.

    Where a line repeats the item of an earlier one, the later one holds.

    Raises:
      tasks.episodes.results.RunError: If they cannot be read.
      crafter.core.journal.JournalError: If it is damaged.
    """
    head, found = results.read(path, Opinion)
    return head, list({one.key: one for one in found}.values())


def gather(
    paths: Iterable[str | os.PathLike], kind: str | None = None
) -> list[Opinion]:
    """Returns the opinions in files of one kind, without the controls of judges.

    Args:
      paths: Files of opinions or of scores, or folders of scores.
      kind: `ratings` or `comparisons`, which scores are turned into; by default that
        of the opinions, or ratings.

    Raises:
      ValueError: If a file is damaged or of another kind.
    """
    found: list[Opinion] = []
    scored: list[Scored] = []
    for path in map(pathlib.Path, paths):
        if path.is_dir() or scores.is_scores(journal.read(path)):
            scored += scores.read(path)
            continue
        head, own = read(path)
        kind = kind or head["kind"]
        if head["kind"] != kind:
            raise ValueError(f"{path}: expected {kind}, it holds {head['kind']}.")
        found += [one for one in own if one.control is None]
    return found + by_scores(scored, kind or "ratings")


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
    return Opinion(*place, tuple(x.agent for x in of), said)


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
