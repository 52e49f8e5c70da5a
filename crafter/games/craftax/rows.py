"""Rows of the rule tables, with names resolved to ids; built by `tables`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

#: Classes of creatures.
CLASSES = ("passive", "melee", "ranged")
#: The same in the order in which they act and are struck.
ACTING = ("melee", "passive", "ranged")
ATTRIBUTES = ("dexterity", "strength", "intelligence")
#: Damage or defence: physical, fire, ice.
Vector = tuple[float, float, float]
_NONE = (0.0, 0.0, 0.0)


@dataclasses.dataclass(frozen=True)
class Action:
    """An action: its verb and the object of the verb."""

    name: str
    verb: str
    what: str | None
    key: str


@dataclasses.dataclass(frozen=True)
class Species:
    """A species of creatures.

    Attributes:
      name: Its name.
      health: Initial health.
      damage: Melee damage: physical, fire, ice.
      defence: Fraction absorbed of each component of a hit.
      barred: For each block id, 1 if it may not enter.
      achievement: Id of the achievement for killing it.
      projectile: Id of the projectile it shoots, or `None`.
      spawns_on: For each block id, 1 if it may spawn there.
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
    """A kind of projectile; `grows` names the player's factor of its damage."""

    name: str
    damage: Vector
    grows: str | None = None


@dataclasses.dataclass(frozen=True)
class FloorRules:
    """Features of a floor.

    Attributes:
      name: Its name.
      achievement: Id of the achievement for entering it, or `None`.
      species: Class -> id of the species that spawns.
      chances: Class -> spawn chance per step, single precision.
      night: Chance of melee creatures added by darkness.
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
        """Returns the quantity, truncated to an integer."""
        return int(self.base + self.per * values[self.attribute])


@dataclasses.dataclass(frozen=True)
class Collect:
    """Effect of `do` on a block; see `collect` in `data.yaml`."""

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
      uses: Item -> cost.
      block: Id of the placed block, or `None`.
      item: Id of the placed item, or `None`.
      where: For each block id, 1 if it may be placed there.
      over_items: For each block id, 1 if items there do not block it.
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
    """A spell; its id is its index in `learned_spells`."""

    id: int
    projectile: int
    mana: int
    learned: int
    achievement: int


@dataclasses.dataclass(frozen=True)
class Element:
    """Element of an enchantment table: its name, id and gem."""

    id: int
    name: str
    gem: str


def columns(
    prefix: str, rows: Iterable[Any], **orders: Iterable[str]
) -> dict[str, list[Any]]:
    """Returns the fields of rows of one type as lists with an entry per row.

    Sets of blocks become uint8 arrays, and `None` becomes -1. Names become indices into
    an order, and amounts by name become lists in an order; names without an order are
    left out.

    Args:
      prefix: Prepended to the names of fields.
      rows: Rows of one of the classes above.
      **orders: Field -> its names, in order.
    """
    places = {field: list(names) for field, names in orders.items()}

    def entry(field: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return [value.get(name, 0) for name in places[field]]
        if isinstance(value, bytes):
            return np.frombuffer(value, np.uint8)
        if isinstance(value, str):
            return places[field].index(value)
        return -1 if value is None else value

    values = [vars(row) for row in rows]
    return {
        prefix + field: [entry(field, row[field]) for row in values]
        for field, value in values[0].items()
        if field in orders or not isinstance(value, (str, Mapping))
    }
