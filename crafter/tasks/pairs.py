"""Comparisons of attempts on the same scene, by their scores; and which to compare."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence

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


# Which to compare.


def choose(
    present: Mapping[str, Sequence[str]], count: int | None = None, seed: int = 0
) -> list[tuple[str, str, str]]:
    """Returns which agents are compared on which items.

    Args:
      present: Item -> agents with an attempt at it.
      count: How many pairs of each item, by default all. They are random, but those
        that were taken less often before come first, so that all pairs of agents, and
        so all agents, meet about equally often.
      seed: Of the choice.

    Returns:
      Item and two agents, in the order of the items and the agents.

    Example:
      >>> choose({"x": ["a", "b", "c"]}, 1, seed=1)
      [('x', 'a', 'b')]
    """
    rng = random.Random(seed)
    taken: dict[frozenset[str], int] = {}
    found = []
    for item, agents in present.items():
        pairs = list(itertools.combinations(agents, 2))
        if count is not None and count < len(pairs):
            order = sorted(
                range(len(pairs)),
                key=lambda n: (taken.get(frozenset(pairs[n]), 0), rng.random()),
            )
            pairs = [pairs[n] for n in sorted(order[:count])]
        for pair in pairs:
            taken[frozenset(pair)] = taken.get(frozenset(pair), 0) + 1
            found.append((item, *pair))
    return found


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


def compare_all(
    scored: Iterable[Scored],
    agents: Sequence[str] | None = None,
    count: int | None = None,
    seed: int = 0,
) -> list[Comparison]:
    """Returns comparisons of the attempts on the same scenes.

    Args:
      scored: The attempts, of any agents.
      agents: Those that are compared, by default all.
      count: How many pairs of each scene; see `choose`.
      seed: Of the choice.

    Raises:
      ValueError: If an agent has no attempt.
    """
    scenes: dict[str, dict[str, Scored]] = {}
    there: dict[str, None] = {}
    for one in scored:
        there[one.agent] = None
        scenes.setdefault(f"{item_of(one)}/{one.scene}", {})[one.agent] = one
    absent = [name for name in agents or () if name not in there]
    if absent:
        raise ValueError(f"No attempts of {absent}; there are those of {list(there)}.")
    order = list(there) if agents is None else list(agents)
    present = {
        item: [name for name in order if name in ours] for item, ours in scenes.items()
    }
    chosen = choose(present, count, seed)
    return [compare(scenes[item][a], scenes[item][b]) for item, a, b in chosen]


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
