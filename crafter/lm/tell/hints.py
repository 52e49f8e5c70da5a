"""Which actions would have an effect now, as far as can be seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from crafter import constants
from crafter.lm.tell.words import OUTSIDE, VECTORS, WORDS

if TYPE_CHECKING:
    from crafter.lm.tell.observation import Observation

_CREATURES = frozenset([*WORDS["hostile"], "cow"])


def available(obs: Observation) -> tuple[str, ...]:
    """Returns the actions that would have an effect, in the order of their ids."""
    possible = set(_possible(obs))
    return tuple(name for name in constants.actions if name in possible)


def _possible(obs: Observation) -> Iterator[str]:
    yield "noop"
    for name, vector in VECTORS.items():
        if name != obs.facing or obs.at(vector) in constants.walkable_by["player"]:
            yield f"move_{name}"
    if can_use(obs):
        yield "do"
    if obs.inventory["energy"] < obs.limits["energy"]:
        yield "sleep"
    for name, rule in constants.place.items():
        if has(obs.inventory, rule["uses"]) and obs.front in rule["where"]:
            yield f"place_{name}"
    for name, rule in constants.make.items():
        if has(obs.inventory, rule["uses"]) and set(rule["nearby"]) <= near(obs):
            yield f"make_{name}"


def can_use(obs: Observation) -> bool:
    """Tells whether `do` would have an effect on what is in front."""
    if obs.front in _CREATURES or obs.front == "ripe plant":
        return True
    rule = constants.collect.get(obs.front)
    return rule is not None and has(obs.inventory, rule["require"])


def has(inventory: Mapping[str, int], needs: Mapping[str, int]) -> bool:
    """Tells whether an inventory holds at least these amounts.

    Example:
      >>> has({"wood": 1}, {"wood": 2})
      False
    """
    return all(inventory.get(item, 0) >= amount for item, amount in needs.items())


def near(obs: Observation) -> set[str]:
    """Returns the materials near enough for crafting; none at left and upper edge."""
    if OUTSIDE in (obs.material((-1, 0)), obs.material((0, -1))):
        return set()
    reach = range(-constants.world["nearby"], constants.world["nearby"] + 1)
    return {obs.material((dx, dy)) for dx in reach for dy in reach}
