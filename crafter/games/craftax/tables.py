"""Rules with all names resolved to ids.

`load` converts a set of rules to `Tables`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from crafter.games.craftax.rows import (
    CLASSES,
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

#: Names in `data.yaml` -> attributes of rows.
_RENAMED = {"moves": "barred", "shoots": "projectile"}
_LIT = 13  # minimum light of a visible cell, as a byte; switch `byte_light`

R = TypeVar("R")


def single(value: float) -> float:
    """Rounds a number to single precision, in which the game compares."""
    return float(np.float32(value))


class Tables:
    """A set of rules, compiled for play.

    Rows hold ids instead of names; `data` has the other entries as in `data.yaml`.

    Args:
      rules: The rules.

    Attributes:
      rules: The rules.
      data: Their sections, as in `data.yaml`.
      digest: Hash of the rules; equal rules have equal digests.
      applied: Names of the applied repairs and switches.
      dim: Cells with more light than this are visible.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.data: Mapping[str, Any] = rules.data
        self.digest = rules.digest
        self.applied = rules.applied
        self.dim = self._read_dim()
        self._read_names()
        self._read_blocks()
        self._read_player()
        self._read_creatures()
        self._read_floors()
        self._read_verbs()

    def __reduce__(self) -> tuple[Callable[[Rules], Tables], tuple[Rules]]:
        """Pickles the rules; equal rules share one object per process."""
        return load, (self.rules,)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores tables of an older version, pickled with fewer attributes."""
        self.__dict__.update(Tables(Rules(state["data"])).__dict__)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tables:
        """Returns itself: tables are immutable."""
        return self

    def _read_dim(self) -> np.float32:
        """Returns the light above which cells are visible."""
        if "byte_light" in self.applied:
            return np.nextafter(np.float32(_LIT / 255), np.float32(0))
        return np.float32(self.data["view"]["dim"])

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
        #: Block id -> 1 if it can hold a torch.
        self.holds_torch = bytes(
            row.get("torch", False) for row in self.data["blocks"].values()
        )
        spawning = self.data["spawning"]
        self.spawn_blocks = self._set_of(spawning["blocks"])
        self.graveyard_blocks = self._set_of(spawning["graveyard_blocks"])
        self.breakable = self._set_of(self.data["behaviour"]["projectile"]["breaks"])

    def below(self, thing: str) -> np.ndarray:
        """Returns the blocks where a thing may be placed under creatures, by `crowded`.

        Args:
          thing: A key of the section `place`.

        Returns:
          bool of shape (blocks,).
        """
        kinds = [row["kind"] for row in self.data["blocks"].values()]
        anywhere = thing in ("torch", "plant")
        return np.array(
            [anywhere or (thing == "stone" and k == "water") for k in kinds]
        )

    def _read_player(self) -> None:
        data = self.data
        self.maxima = {name: Linear(**row) for name, row in data["maxima"].items()}
        self.factors = {
            name: Linear(1, row["attribute"], row["per"])
            for name, row in data["factors"].items()
        }
        #: Inventory item -> names of its numbers, or `None` for a single number.
        self.inventory_keys: dict[str, tuple[str, ...] | None] = {
            name: None if "each" not in row else _each(name, row["each"])
            for name, row in data["inventory"].items()
        }
        keys = self.inventory_keys.items()
        #: Name of an inventory number -> its index, in the order of the rules.
        self.held = _ids(part for name, parts in keys for part in parts or (name,))
        #: Inventory item, its maximum, and whether it has several numbers.
        self.limits = tuple(
            (name, row["max"], "each" in row) for name, row in data["inventory"].items()
        )
        #: Item -> its highest tier or amount.
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

    def part(self, item: str) -> slice:
        """Returns the slice of an item's numbers in `held`."""
        parts = self.inventory_keys[item] or (item,)
        return slice(self.held[parts[0]], self.held[parts[0]] + len(parts))

    def per_item(self, read: Callable[[Mapping[str, Any]], int]) -> np.ndarray:
        """Returns `read` of each item's rules, for all numbers in `held`."""
        rows = self.data["inventory"].values()
        return np.hstack([[read(row)] * len(row.get("each", [0])) for row in rows])

    def _read_creatures(self) -> None:
        data = self.data
        self.projectile_ids = _ids(data["projectiles"])
        self.projectiles = tuple(self._rows(Projectile, data["projectiles"]).values())
        self.species = {
            kind: tuple(
                self._rows(
                    Species, data["creatures"][kind], spawns_on=self.spawn_blocks
                ).values()
            )
            for kind in CLASSES
        }

        #: Species name -> its class and id.
        self.species_ids = {
            species.name: (kind, number)
            for kind, rows in self.species.items()
            for number, species in enumerate(rows)
        }

    def _read_floors(self) -> None:
        ids = {kind: _ids(self.data["creatures"][kind]) for kind in CLASSES}
        self.floors = tuple(
            FloorRules(
                name=name,
                achievement=self.achievement_ids.get(row.get("achievement")),
                species={kind: ids[kind][row[kind]] for kind in CLASSES},
                chances={kind: single(row["chances"][kind]) for kind in CLASSES},
                night=single(row["chances"]["night"]),
            )
            for name, row in self.data["floors"].items()
        )
        self.boss_floor = len(self.floors) - 1

    def _read_verbs(self) -> None:
        data = self.data
        self.place = self._rows(Place, data["place"], over_items=self._set_of(()))
        self.recipes = self._rows(Recipe, data["recipes"])
        self.spells = {
            name: self._row(Spell, row, id=number, projectile=self.projectile_ids[name])
            for number, (name, row) in enumerate(data["spells"].items())
        }
        collect = self._rows(Collect, data["collect"])
        self.collect = {self.block_ids[name]: row for name, row in collect.items()}
        elements = enumerate(data["enchanting"]["elements"].items(), 1)
        #: Block id of an enchantment table -> its element.
        self.elements = {
            self.block_ids[row["block"]]: Element(number, name, row["gem"])
            for number, (name, row) in elements
        }

    def _rows(
        self, kind: type[R], rows: Mapping[str, Any], **usual: Any
    ) -> dict[str, R]:
        """Returns rows by name, including the name if they have such a field."""
        named = "name" in kind.__annotations__
        return {
            name: self._row(kind, row, **usual, **({"name": name} if named else {}))
            for name, row in rows.items()
        }

    def _row(self, kind: type[R], row: Mapping[str, Any], **more: Any) -> R:
        """Returns a row with names resolved to ids."""
        resolve: dict[str, Callable[[Any], Any]] = {
            **dict.fromkeys(("achievement", "learned"), self.achievement_ids.get),
            **dict.fromkeys(("block", "leaves"), self.block_ids.get),
            **dict.fromkeys(("damage", "defence"), _vector),
            **dict.fromkeys(("over_items", "spawns_on"), self._set_of),
            "item": self.item_ids.get,
            "where": self._places,
            "near": lambda names: tuple(self.block_ids[name] for name in names),
            "health": float,
            "chance": single,
            "barred": self.barred.get,
            "projectile": self.projectile_ids.get,
        }
        for name, value in row.items():
            name = _RENAMED.get(name, name)
            more[name] = resolve[name](value) if name in resolve else value
        return kind(**more)

    def _places(self, names: Sequence[str]) -> bytes:
        """Returns, for each block id, 1 if it is one of the named places."""
        groups = {
            "free": bytes(1 - solid for solid in self.solid),
            "torch": self.holds_torch,
        }
        sets = [groups.get(name) or self._set_of([name]) for name in names]
        return bytes(map(max, zip(*sets)))

    def _set_of(self, names: Any) -> bytes:
        """Returns, for each block id, 1 if it is among the names."""
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


_shared_tables = functools.lru_cache(maxsize=32)(Tables)


def load(rules: Any = None) -> Tables:
    """Returns the tables of a set of rules; equal rules share one object.

    Args:
      rules: `published` (the default), `repaired`, `puffer`, the path of a YAML file
        with changes, or a mapping of changes; see `crafter.core.ruleset.Rules.load`.
        Tables are returned unchanged.

    Raises:
      crafter.games.craftax.rules.RulesError: If the rules are invalid.
    """
    if isinstance(rules, Tables):
        return rules
    return _shared_tables(Rules.load(rules))
