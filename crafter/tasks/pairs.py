"""Comparisons of attempts on the same scene, by their scores."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from crafter.tasks import catalogue
from crafter.tasks.dimensions import DIMENSIONS, label
from crafter.tasks.opinions import MISSING, Comparison, Rating, Source
from crafter.tasks.ratings import Meeting
from crafter.tasks.scores import Scored

#: By how much one has to be better, in a dimension and in the overall score.
MARGIN, OVERALL_MARGIN = 0.05, 0.02
#: Below this, both are bad.
BAD = 0.10
#: Source of opinions that are made of scores.
SCORES = "scores"
#: What stands for the verdict in all, beside the dimensions.
OVERALL = "overall"
#: Category of a goal that is not in the catalogue.
OTHER = "other"

_ROUNDING = 1e-9


def item_of(scored: Scored) -> str:
    """Returns the id of the scene of an attempt, `task/level/index`."""
    return f"{scored.task}/{scored.level}/{scored.index}"


def category_of(task: str) -> str:
    """Returns the category of a task; `other` if it is not in the catalogue."""
    return catalogue.category_of(task, OTHER)


# Comparisons.


def outcome(a: float, b: float, margin: float = MARGIN) -> str:
    """Returns which of two values from 0 to 1 is better.

    Example:
      >>> outcome(0.9, 0.8), outcome(0.09, 0.05), outcome(0.5, 0.55)
      ('A', 'both_bad', 'tie')
    """
    if abs(a - b) > margin + _ROUNDING:
        return "A" if a > b else "B"
    return "both_bad" if max(a, b) < BAD else "tie"


def compare(a: Scored, b: Scored) -> Comparison:
    """Returns which of two attempts on the same scene is better, by their scores.

    No errors to recognise count as all of them recognised, if the other attempt has
    some. In all, success comes first, then the overall score.

    Raises:
      ValueError: If the scenes differ, or the agent is the same.
    """
    if a.key != b.key or a.agent == b.agent:
        raise ValueError(
            f"Expected attempts of two agents on one scene, got {a.key} by {a.agent} "
            f"and {b.key} by {b.agent}."
        )
    outcomes: dict[str, str | None] = {}
    for name in DIMENSIONS:
        first, second = a.scores.get(name), b.scores.get(name)
        if name == "error_recognition" and (first is None) != (second is None):
            first, second = (1.0 if x is None else x for x in (first, second))
        if first is None or second is None:
            outcomes[name] = None
        else:
            outcomes[name] = outcome(first, second)
    return Comparison(
        item=item_of(a),
        task=a.task,
        category=category_of(a.task),
        level=a.level,
        scene=a.scene,
        a=a.agent,
        b=b.agent,
        outcomes=outcomes,
        overall=_overall(a, b),
        source=SCORES,
    )


def _overall(a: Scored, b: Scored) -> str | None:
    done = [one.verdict == "DONE" for one in (a, b)]
    if done[0] != done[1]:
        return "A" if done[0] else "B"
    if a.overall is None or b.overall is None:
        return None
    return outcome(a.overall, b.overall, OVERALL_MARGIN)


def compare_all(scored: Iterable[Scored]) -> list[Comparison]:
    """Returns comparisons of all attempts of two agents on the same scenes."""
    scenes: dict[tuple[str, str], dict[str, Scored]] = {}
    for one in scored:
        scenes.setdefault((item_of(one), one.scene), {})[one.agent] = one
    return [
        compare(a, b)
        for ours in scenes.values()
        for a, b in itertools.combinations(ours.values(), 2)
    ]


def meetings(found: Iterable[Comparison], dimension: str = OVERALL) -> list[Meeting]:
    """Returns what can be rated: comparisons that have an outcome of a dimension."""
    return [
        Meeting(one.a, one.b, word)
        for one in found
        for word in [one.overall if dimension == OVERALL else one.outcomes[dimension]]
        if word is not None and word != MISSING
    ]


def header() -> Source:
    """Returns the header of a file of comparisons by scores."""
    details = {"margin": MARGIN, "overall_margin": OVERALL_MARGIN, "bad": BAD}
    return Source("comparisons", SCORES, "events", details)


def as_rating(scored: Scored) -> Rating:
    """Returns scores as a rating: the word for each of them."""
    return Rating(
        item=item_of(scored),
        task=scored.task,
        category=category_of(scored.task),
        level=scored.level,
        scene=scored.scene,
        agent=scored.agent,
        attempt=0,
        labels={
            name: None if value is None else label(value)
            for name, value in scored.scores.items()
        },
        source=SCORES,
        evidence="events",
    )
