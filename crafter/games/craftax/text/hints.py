"""Actions of Craftax that would have an effect now, as far as can be seen."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from crafter.games.craftax.affordances import Ahead, Scene, refusal
from crafter.games.craftax.engine import Position
from crafter.lm.rendering.facts import DARKNESS, VECTORS
from crafter.lm.rendering.observation import Observation

_VULNERABLE = "necromancer_vulnerable"  # how observations name a boss to be hit
_LADDERS = ("ladder_down", "ladder_up")


def available(obs: Observation) -> tuple[str, ...]:
    """Returns the actions that would have an effect, in the order of their ids."""
    if obs.asleep or obs.status["resting"]:
        return ("noop",)
    scene, actions = _Observed(obs), obs.words.rules.actions
    return tuple(row.name for row in actions if refusal(scene, row) is None)


class _Observed(Scene):
    """The scene of an observation, with all ladders open."""

    def __init__(self, obs: Observation) -> None:
        self._obs = obs
        self.tables = tables = obs.words.rules
        boss = tables.data["boss"]["block"]
        front = boss if self.can_hit_boss() else obs.front
        inside = front in tables.block_ids and front != DARKNESS
        # An item in front is what is in front, and no block.
        self._ahead = Ahead(front, tables.item_names[0], inside, False)

    def level(self) -> int:
        """Returns a floor with ways up and down: where it is does not count."""
        return 1

    def facing(self) -> Position:
        """Returns the vector (rows, columns) that the player faces in."""
        column, row = VECTORS[self._obs.facing]
        return row, column

    def maximum(self, vital: str) -> float:
        """Returns the most of health, food, drink, energy or mana."""
        return self._obs.limits[vital]

    def ahead(self) -> Ahead:
        """Returns the cell that the player faces."""
        return self._ahead

    def under(self) -> str:
        """Returns the name of the ladder under the player, if there is one."""
        return next((name for name in self._obs.here if name in _LADDERS), "")

    def monsters_left(self) -> int:
        """Returns 0: what an observation does not say counts as open."""
        return 0

    def amount(self, name: str) -> float:
        """Returns how much of something there is; of tools and armour the tier."""
        attributes = self._obs.status["attributes"]
        if name in attributes:
            return float(attributes[name])
        inventory = self._obs.inventory
        names = [
            name if tier == name else f"{tier}_{name}" for tier in self._tiers(name)
        ]
        owned = (n for n, tier in enumerate(names) if inventory.get(tier))
        return max(owned, default=0) if names else inventory.get(name, 0)

    def _tiers(self, name: str) -> Sequence[str]:
        armour = self.tables.inventory_keys["armour"] or ()
        row = self.tables.data["inventory"].get("armour" if name in armour else name)
        return () if row is None else row.get("tiers", ())

    def around(self) -> Collection[int]:
        """Returns the ids of the blocks in the cells around the player."""
        obs, ids = self._obs, self.tables.block_ids
        reach = range(-obs.words.book.reach, obs.words.book.reach + 1)
        names = {obs.material((dx, dy)) for dx in reach for dy in reach}
        return {ids[name] for name in names if name in ids}

    def is_free(self, direction: Position) -> bool:
        """Returns whether the player could enter the next cell in a direction."""
        ahead = self._obs.at((direction[1], direction[0]))
        return ahead in {*self._obs.words.book.walkable, DARKNESS}

    def can_strike(self) -> bool:
        """Returns whether a living creature is in front."""
        return self._obs.front in self._obs.words.creatures

    def can_hit_boss(self) -> bool:
        """Returns whether the boss is in front and could be hit."""
        return self._obs.front == _VULNERABLE

    def knows(self, spell: str) -> bool:
        """Returns whether the player has learned a spell."""
        return spell in self._obs.status["spells"]

    def enchantment(self, piece: str) -> str:
        """Returns nothing: any piece may still be enchanted."""
        return ""
