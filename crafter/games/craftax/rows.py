"""Rows of the tables with all names resolved to ids; `tables` makes them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

#: Classes of creatures.
CLASSES = ("passive", "melee", "ranged")
ATTRIBUTES = ("dexterity", "strength", "intelligence")
#: Damage or defence: physical, fire, ice.
Vector = tuple[float, float, float]
_NONE = (0.0, 0.0, 0.0)


@dataclasses.dataclass(frozen=True)
class Action:
    """An action: its verb, and what the verb acts on."""

    name: str
    verb: str
    what: str | None
    key: str


@dataclasses.dataclass(frozen=True)
class Species:
    """A kind of creature.

    Attributes:
      name: Its name.
      health: Points of health when it appears.
      damage: What a blow does: physical, fire, ice.
      defence: Part of each component that is taken off a hit.
      barred: For each block id, 1 if it may not enter.
      achievement: Id of the achievement for killing it.
      projectile: Id of what it shoots, or `None`.
      spawns_on: For each block id, 1 if it may appear there.
    """

    name: str
    health: float
    barred: bytes
    achievement: int
    spawns_on: bytes
    damage: Vector = _NONE
    defence: Vector = _NONE
    projectile: int | None = None


@dataclasses.dataclass(frozen=True)
class Projectile:
    """A kind of projectile; `grows` names the factor of the player it grows with."""

    name: str
    damage: Vector
    grows: str | None = None


@dataclasses.dataclass(frozen=True)
class FloorRules:
    """Features of a floor.

    Attributes:
      name: Its name.
      achievement: Id of the achievement for entering it, or `None`.
      species: Id of the species that appears, by class.
      chances: Chance per step that one appears, by class, single precision.
      night: What darkness adds to the chance of melee creatures.
    """

    name: str
    achievement: int | None
    species: dict[str, int]
    chances: dict[str, float]
    night: float


@dataclasses.dataclass(frozen=True)
class Linear:
    """A quantity that grows with an attribute of the player."""

    base: float
    attribute: str
    per: float

    def of(self, values: Mapping[str, float]) -> int:
        """Returns the quantity, cut to a whole number."""
        return int(self.base + self.per * values[self.attribute])


@dataclasses.dataclass(frozen=True)
class Collect:
    """Yield of a block to `do`; see `collect` in `data.yaml`."""

    pickaxe: int = 0
    gives: Mapping[str, int] = dataclasses.field(default_factory=dict)
    chance: float = 1.0
    restores: Mapping[str, int] = dataclasses.field(default_factory=dict)
    resets: str | None = None
    achievement: int | None = None
    leaves: int | None = None


@dataclasses.dataclass(frozen=True)
class Place:
    """Placement of a block or an item; see `place` in `data.yaml`.

    Attributes:
      uses: Item -> how many it costs.
      block: Id of the block that it puts, or `None`.
      item: Id of the item that it puts, or `None`.
      where: For each block id, 1 if it may be placed there.
      over_items: For each block id, 1 if an item there is no obstacle.
      achievement: Id of the achievement.
    """

    uses: Mapping[str, int]
    where: bytes
    over_items: bytes
    achievement: int
    block: int | None = None
    item: int | None = None


@dataclasses.dataclass(frozen=True)
class Recipe:
    """Recipe; see `recipes` in `data.yaml`."""

    near: tuple[int, ...]
    uses: Mapping[str, int]
    raises: Mapping[str, int] = dataclasses.field(default_factory=dict)
    gives: Mapping[str, int] = dataclasses.field(default_factory=dict)
    achievement: int | None = None


@dataclasses.dataclass(frozen=True)
class Spell:
    """A spell; its id is its place among the learned ones."""

    id: int
    projectile: int
    mana: int
    learned: int
    achievement: int


@dataclasses.dataclass(frozen=True)
class Element:
    """Enchantment of a table: its name, its id, and the gem that it costs."""

    id: int
    name: str
    gem: str
