"""Which attempts are compared: pairs on the same scene."""

from __future__ import annotations

import collections
import itertools
import random
from collections.abc import Sequence

from crafter.tasks.judge.items import Item, ItemsError

Pair = tuple[Item, Item]


def pairs_of(
    items: Sequence[Item],
    per_scene: int | None = None,
    within: bool = False,
    seed: int = 0,
) -> list[Pair]:
    """Returns the pairs of attempts to compare, scene by scene.

    Args:
      items: The attempts.
      per_scene: How many pairs of a scene are drawn, so that all agents are in about
        as many pairs; by default all pairs.
      within: Whether attempts of the same agent are compared, such as those of one
        that was trained for longer, rather than those of different agents.
      seed: Of the drawing.

    Raises:
      ItemsError: If there is no pair.
      ValueError: If `per_scene` is not positive.
    """
    if per_scene is not None and per_scene < 1:
        raise ValueError(f"per_scene must be at least 1, got {per_scene!r}.")
    scenes: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        scenes.setdefault((item.id, item.scene), []).append(item)
    found: list[Pair] = []
    counts: collections.Counter[str] = collections.Counter()
    chance = random.Random(seed)
    for here in scenes.values():
        possible = [
            (a, b)
            for a, b in itertools.combinations(here, 2)
            if (a.agent == b.agent) == within
        ]
        if per_scene is None:
            found += possible
        else:
            found += _balanced(possible, per_scene, counts, chance)
    if not found:
        whose = "of the same agent" if within else "of different agents"
        raise ItemsError(f"There are no two attempts {whose} on the same scene.")
    return found


def _balanced(
    possible: list[Pair],
    count: int,
    counts: collections.Counter[str],
    chance: random.Random,
) -> list[Pair]:
    """Draws pairs; those whose attempts were drawn least often come first."""
    rest = chance.sample(possible, len(possible))
    drawn: list[Pair] = []
    while rest and len(drawn) < count:
        pair = min(rest, key=lambda p: sum(counts[name] for name in names(p)))
        rest.remove(pair)
        counts.update(names(pair))
        drawn.append(pair)
    return drawn


def names(pair: Pair) -> tuple[str, str]:
    """Returns what the two of a pair are called, also where one agent made both."""
    a, b = pair
    if a.agent != b.agent:
        return a.agent, b.agent
    return f"{a.agent}#{a.attempt}", f"{b.agent}#{b.attempt}"
