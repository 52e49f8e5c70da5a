"""Actions of Crafter that would have an effect now, as far as can be seen."""

from __future__ import annotations

from crafter.games.crafter import affordances
from crafter.lm.rendering.facts import OUTSIDE, VECTORS, Offset
from crafter.lm.rendering.observation import Observation


def available(obs: Observation) -> tuple[str, ...]:
    """Returns the actions that would have an effect, in the order of their ids."""
    return affordances.available(_Observed(obs))


class _Observed(affordances.Scene):
    """The scene of an observation."""

    def __init__(self, obs: Observation) -> None:
        self._obs = obs
        self.rules, self.inventory = obs.words.rules, obs.inventory
        self.limits, self.facing = obs.limits, VECTORS[obs.facing]
        self.ripe = obs.front == "ripe plant"
        stands = obs.front in obs.words.creatures or self.ripe
        self.kind = ("plant" if self.ripe else obs.front) if stands else None
        self.material = obs.front

    def near(self) -> set[str]:
        """Returns the materials near enough for crafting; none at left, upper edge."""
        obs = self._obs
        if OUTSIDE in (obs.material((-1, 0)), obs.material((0, -1))):
            return set()
        distance = self.rules.world["nearby"]
        reach = range(-distance, distance + 1)
        return {obs.material((dx, dy)) for dx in reach for dy in reach}

    def is_free(self, direction: Offset) -> bool:
        """Returns whether the player could enter the next cell in a direction."""
        return self._obs.at(direction) in self.rules.walkable_by["player"]
