"""Which actions of Crafter would have an effect now, as far as can be seen."""

from __future__ import annotations

from collections.abc import Iterator

from crafter.games.crafter.affordances import has, ready
from crafter.lm.rendering.facts import OUTSIDE, VECTORS
from crafter.lm.rendering.observation import Observation


def available(obs: Observation) -> tuple[str, ...]:
    """Returns the actions that would have an effect, in the order of their ids."""
    possible = set(_possible(obs))
    return tuple(name for name in obs.words.rules.actions if name in possible)


def _possible(obs: Observation) -> Iterator[str]:
    rules = obs.words.rules
    yield "noop"
    for name, vector in VECTORS.items():
        if name != obs.facing or obs.at(vector) in rules.walkable_by["player"]:
            yield f"move_{name}"
    if can_use(obs):
        yield "do"
    if obs.inventory["energy"] < obs.limits["energy"]:
        yield "sleep"
    yield from ready(rules, obs.inventory, obs.front, near(obs))


def can_use(obs: Observation) -> bool:
    """Returns whether `do` would have an effect on what is in front."""
    if obs.front in obs.words.creatures or obs.front == "ripe plant":
        return True
    rule = obs.words.rules.collect.get(obs.front)
    return rule is not None and has(obs.inventory, rule["require"])


def near(obs: Observation) -> set[str]:
    """Returns the materials near enough for crafting; none at left and upper edge."""
    if OUTSIDE in (obs.material((-1, 0)), obs.material((0, -1))):
        return set()
    distance = obs.words.rules.world["nearby"]
    reach = range(-distance, distance + 1)
    return {obs.material((dx, dy)) for dx in reach for dy in reach}
