"""Rules with all names resolved to ids.

`load` turns a set of rules into `Tables`. What every set of rules shares, the ids and
the generation of worlds, is also here by name: `block_ids`, `item_ids`, `floor_names`,
`terrain`, `rooms`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.games.craftax.rows import (
    Action,
    Collect,
    Element,
    FloorRules,
    Linear,
    Place,
    Projectile,
    Recipe,
    Species,
    Spell,
    Vector,
)
from crafter.games.craftax.rules import Rules

CLASSES = ("passive", "melee", "ranged")
_NO_DAMAGE = (0.0, 0.0, 0.0)


def single(value: float) -> float:
    """Returns a number rounded to single precision, in which the game compares."""
    return float(np.float32(value))


class Tables:
    """A set of rules, ready to play by.

    Rows hold ids instead of names; `data` has the rest as in `data.yaml`.

    Args:
      rules: The rules.

    Attributes:
      rules: The rules.
      data: Their sections, as in `data.yaml`.
      digest: Text that two sets of rules share if they are equal.
      repairs: Names of the repairs that are applied.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.data: Mapping[str, Any] = rules.data
        self.digest = rules.digest
        self.repairs = rules.applied
        self._read_names()
        self._read_blocks()
        self._read_player()
        self._read_creatures()
        self._read_floors()
        self._read_verbs()

    def _read_names(self) -> None:
        data = self.data
        self.block_names: tuple[str, ...] = tuple(data["blocks"])
        self.item_names: tuple[str, ...] = tuple(data["items"])
        self.floor_names: tuple[str, ...] = tuple(data["floors"])
        self.achievement_names: tuple[str, ...] = tuple(data["achievements"])
        self.direction_names: tuple[str, ...] = tuple(data["directions"])
        self.block_ids = _ids(self.block_names)
        self.item_ids = _ids(self.item_names)
        self.achievement_ids = _ids(self.achievement_names)
        #: Vectors by direction id; id 0 is no direction.
        self.vectors: tuple[tuple[int, int], ...] = (
            (0, 0),
            *((row, col) for row, col in data["directions"].values()),
        )
        self.actions = tuple(
            Action(name, row["verb"], row.get("what"), row["key"])
            for name, row in data["actions"].items()
        )
        self.action_names = tuple(data["actions"])

    def _read_blocks(self) -> None:
        kinds = [row["kind"] for row in self.data["blocks"].values()]
        self.solid = bytes(kind == "solid" for kind in kinds)
        #: Movement -> for each block id, 1 if it is barred.
        self.barred = {
            name: bytes(kind == "solid" or kind in bars for kind in kinds)
            for name, bars in self.data["movements"].items()
        }
        #: Block id -> 1 if a torch may stand there.
        self.holds_torch = bytes(
            row.get("torch", False) for row in self.data["blocks"].values()
        )
        spawning = self.data["spawning"]
        self.spawn_blocks = self._set_of(spawning["blocks"])
        self.graveyard_blocks = self._set_of(spawning["graveyard_blocks"])
        self.breakable = self._set_of(self.data["behaviour"]["projectile"]["breaks"])

    def _read_player(self) -> None:
        data = self.data
        self.maxima = {name: Linear(**row) for name, row in data["maxima"].items()}
        self.factors = {
            name: Linear(1, row["attribute"], row["per"])
            for name, row in data["factors"].items()
        }
        #: Item of the inventory -> names of its numbers, or `None` for one number.
        self.inventory_keys: dict[str, tuple[str, ...] | None] = {
            name: None if "each" not in row else _each(name, row["each"])
            for name, row in data["inventory"].items()
        }
        #: Item of the inventory, the most of it, and whether it is several numbers.
        self.limits = tuple(
            (name, row["max"], "each" in row) for name, row in data["inventory"].items()
        )
        #: Item -> its best tier, or the most of it.
        self.most: dict[str, int] = {
            name: len(row["tiers"]) - 1 if "tiers" in row else row["max"]
            for name, row in data["inventory"].items()
        }
        rewards = data["rewards"]
        self.weights: tuple[float, ...] = tuple(
            rewards[category] for category in data["achievements"].values()
        )
        self.possessions = tuple(
            (item, amount, self.achievement_ids[name])
            for item, row in data["possessions"].items()
            for amount, name in row.items()
        )

    def _read_creatures(self) -> None:
        data = self.data
        self.projectiles = tuple(
            Projectile(name, _vector(row["damage"]), row.get("grows"))
            for name, row in data["projectiles"].items()
        )
        self.projectile_ids = _ids(data["projectiles"])
        self.species = {
            kind: tuple(
                self._species(name, row)
                for name, row in data["creatures"][kind].items()
            )
            for kind in CLASSES
        }

    def _species(self, name: str, row: Mapping[str, Any]) -> Species:
        shoots, ground = row.get("shoots"), row.get("spawns_on")
        return Species(
            name=name,
            health=float(row["health"]),
            damage=_vector(row.get("damage", _NO_DAMAGE)),
            defence=_vector(row.get("defence", _NO_DAMAGE)),
            barred=self.barred[row["moves"]],
            achievement=self.achievement_ids[row["achievement"]],
            projectile=None if shoots is None else self.projectile_ids[shoots],
            spawns_on=self.spawn_blocks if ground is None else self._set_of(ground),
        )

    def _read_floors(self) -> None:
        ids = {kind: _ids(self.data["creatures"][kind]) for kind in CLASSES}
        self.floors = tuple(
            FloorRules(
                name=name,
                achievement=self._achievement(row),
                species={kind: ids[kind][row[kind]] for kind in CLASSES},
                chances={kind: single(row["chances"][kind]) for kind in CLASSES},
                night=single(row["chances"]["night"]),
            )
            for name, row in self.data["floors"].items()
        )
        self.boss_floor = len(self.floors) - 1

    def _read_verbs(self) -> None:
        data = self.data
        self.collect = {
            self.block_ids[name]: self._collect(row)
            for name, row in data["collect"].items()
        }
        self.place = {name: self._place(row) for name, row in data["place"].items()}
        self.recipes = {
            name: self._recipe(row) for name, row in data["recipes"].items()
        }
        self.spells = {
            name: Spell(
                number,
                self.projectile_ids[name],
                row["mana"],
                self.achievement_ids[row["learned"]],
                self.achievement_ids[row["achievement"]],
            )
            for number, (name, row) in enumerate(data["spells"].items())
        }
        #: Block id of an enchantment table -> its element.
        self.elements = {
            self.block_ids[row["block"]]: Element(number, name, row["gem"])
            for number, (name, row) in enumerate(
                data["enchanting"]["elements"].items(), 1
            )
        }

    def _collect(self, row: Mapping[str, Any]) -> Collect:
        fields = dict(row)
        fields["achievement"] = self._achievement(row)
        if "leaves" in row:
            fields["leaves"] = self.block_ids[row["leaves"]]
        fields["chance"] = single(row.get("chance", 1.0))
        return Collect(**fields)

    def _place(self, row: Mapping[str, Any]) -> Place:
        groups = {
            "free": bytes(1 - solid for solid in self.solid),
            "torch": self.holds_torch,
        }
        sets = [groups.get(name) or self._set_of([name]) for name in row["where"]]
        block, item = row.get("block"), row.get("item")
        return Place(
            uses=row["uses"],
            block=None if block is None else self.block_ids[block],
            item=None if item is None else self.item_ids[item],
            where=bytes(map(max, zip(*sets))),
            over_items=self._set_of(row.get("over_items", ())),
            achievement=self.achievement_ids[row["achievement"]],
        )

    def _recipe(self, row: Mapping[str, Any]) -> Recipe:
        return Recipe(
            near=tuple(self.block_ids[name] for name in row["near"]),
            uses=row["uses"],
            raises=row.get("raises", {}),
            gives=row.get("gives", {}),
            achievement=self._achievement(row),
        )

    def _achievement(self, row: Mapping[str, Any]) -> int | None:
        name = row.get("achievement")
        return None if name is None else self.achievement_ids[name]

    def _set_of(self, names: Any) -> bytes:
        """Returns for each block id 1 if it is among the names."""
        return bytes(name in names for name in self.block_names)


def _each(name: str, parts: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of the numbers of armour or potions."""
    prefix = "potion_" if name == "potions" else ""
    return tuple(prefix + part for part in parts)


def _ids(names: Any) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _vector(numbers: Any) -> Vector:
    physical, fire, ice = (single(number) for number in numbers)
    return physical, fire, ice


@functools.cache
def _named(name: str) -> Tables:
    return Tables(Rules.named(name))


def load(rules: Any = "published") -> Tables:
    """Returns a set of rules.

    Args:
      rules: `published`, `repaired`, the path of a YAML file with changes, or a
        mapping of changes; see `crafter.core.ruleset.Rules.load`.

    Raises:
      crafter.games.craftax.rules.RulesError: If the rules are impossible.
    """
    if isinstance(rules, str) and rules in Rules.variants:
        return _named(rules)
    return Tables(Rules.load(rules))


_PUBLISHED = load()
block_ids = _PUBLISHED.block_ids
item_ids = _PUBLISHED.item_ids
floor_names = _PUBLISHED.floor_names
terrain: Mapping[str, Any] = _PUBLISHED.data["terrain"]
rooms: Mapping[str, Any] = _PUBLISHED.data["rooms"]
