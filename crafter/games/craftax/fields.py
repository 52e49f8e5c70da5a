"""State of a game as a dict of arrays: a table of fields with their ranges.

Names, shapes and meaning are those of the published game. `capture` and `restore` are
inverses of each other.
"""

from __future__ import annotations

import functools
import operator
import pathlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core import ruleset
from crafter.core.state_io import KINDS, Field
from crafter.games.craftax.engine import World
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import Tables

Arrays = dict[str, np.ndarray]

#: Field of the classes of mobs -> attribute of a floor.
MOBS = {
    **{f"{kind}_mobs": kind for kind in ("melee", "passive", "ranged")},
    **{f"{by}_projectiles": f"{by}_projectiles" for by in ("mob", "player")},
}
#: Fields that `World.fill` sets.
_FILLED = ("map", "item_map", "light_map", "down_ladders", "up_ladders")

# Bound of unlimited numbers; adding a whole episode still fits int32.
_LARGE = 10**9
#: Default ranges, by dtype.
_RANGES: dict[str, dict[str, Any]] = {
    "int32": {"low": 0, "high": _LARGE},
    "float32": {"low": -_LARGE, "high": _LARGE},
    "uint8": {"low": 0},
    "bool": {},
}


class _Row(NamedTuple):
    """Row of the table: where the game stores a field, and its range.

    Attributes:
      owner: Key in `_owners` of the object that has the attributes.
      parts: Attributes or keys of the owner; several for a vector.
      type: dtype of the field.
      low, high: Range; a string is a key of `limits`, `None` is no bound.
    """

    owner: str
    parts: tuple[str, ...]
    type: np.dtype
    low: Any = None
    high: Any = None


def _row(of: str, parts: str, type: str, **edges: Any) -> _Row:
    return _Row(of, tuple(parts.split()), np.dtype(type), **_RANGES[type] | edges)


#: Content of `fields.yaml`.
LISTED = ruleset.read(pathlib.Path(__file__).with_suffix(".yaml"))
_FIELDS = {name: _row(**row) for name, row in LISTED["published"].items()}


def rows(tables: Tables) -> dict[str, _Row]:
    """Returns the table, including the items of the rules."""
    items = {
        f"inventory.{name}": _row("inventory", name, "int32", high=name)
        for name in tables.inventory_keys
    }
    return {**_FIELDS, **items}


def limits(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    """Returns the named bounds of the table -> value."""
    size, most = parameters.map_size, parameters.max_attribute
    kinds = {
        kind: tables.species.get(kind, tables.projectiles) for kind in MOBS.values()
    }
    walled = not parameters.god_mode
    return {
        "block": len(tables.block_names) - 1,
        "item": len(tables.item_names) - 1,
        "cell": size - 1,
        "least place": 0 if walled else -_LARGE,
        "place": size - 1 if walled else _LARGE,
        "level": len(tables.floors) - 1,
        "direction": len(tables.direction_names),
        "attribute": most,
        "element": len(tables.elements),
        **{name: row.base + row.per * most for name, row in tables.maxima.items()},
        **tables.most,
        **{f"{kind} type": len(own) - 1 for kind, own in kinds.items()},
    }


def _owners(world: World, player: Player) -> dict[str, Any]:
    slots = {
        kind: [getattr(floor, kind) for floor in world.floors] for kind in MOBS.values()
    }
    return {
        "world": world,
        "floors": world.floors,
        "plants": world.plants,
        "player": player,
        "attributes": dict(player.attributes),
        "inventory": player.inventory,
        **slots,
    }


def capture(world: World, player: Player) -> Arrays:
    """Returns copies of all fields of a game."""
    owners = _owners(world, player)
    return typed(
        world.tables,
        {
            name: _get(owners[row.owner], row.parts)
            for name, row in rows(world.tables).items()
        },
    )


def typed(tables: Tables, values: Mapping[str, Any]) -> Arrays:
    """Returns copies of all fields, with the dtypes of the table."""
    return {n: np.array(values[n], row.type) for n, row in rows(tables).items()}


def _get(owner: Any, parts: tuple[str, ...]) -> Any:
    if isinstance(owner, dict):
        return owner[parts[0]]
    read = operator.attrgetter(*parts)
    return _each(read, owner) if isinstance(owner, list) else read(owner)


def _each(read: Any, owners: list[Any]) -> list[Any]:
    return [_each(read, own) if isinstance(own, list) else read(own) for own in owners]


def restore(
    state: Mapping[str, Any], tables: Tables, parameters: Parameters
) -> tuple[World, Player]:
    """Builds a game from its fields.

    Args:
      state: Field -> array, with the shapes set by the parameters.
      tables: The rules.
      parameters: The arguments of the environment.
    """
    world = World(tables, parameters)
    player = Player(world)
    world.fill(*(np.asarray(state[name]) for name in _FILLED))
    for floor, marks in zip(world.floors, state["mob_map"]):
        floor.occupied_map[:] = marks
    owners = _owners(world, player)
    for name, row in rows(tables).items():
        if name not in (*_FILLED, "mob_map"):
            _set(owners[row.owner], row.parts, np.asarray(state[name]).tolist())
    player.attributes = owners["attributes"]
    return world, player


def _set(owner: Any, parts: tuple[str, ...], value: Any) -> None:
    if isinstance(owner, list):
        for own, values in zip(owner, value):
            _set(own, parts, values)
    elif isinstance(owner, dict):
        owner[parts[0]] = value
    else:
        for part, number in zip(parts, value if len(parts) > 1 else (value,)):
            setattr(owner, part, number)


@functools.lru_cache(maxsize=8)
def layout(tables: Tables, parameters: Parameters) -> dict[str, Field]:
    """Returns field -> kind, shape and range."""
    world = World(tables, parameters)
    listed, values = rows(tables), capture(world, Player(world))
    kinds = {letter: kind for kind, letters in KINDS.items() for letter in letters}
    return {
        name: Field(
            kinds[value.dtype.kind], value.shape, listed[name].low, listed[name].high
        )
        for name, value in values.items()
    }
