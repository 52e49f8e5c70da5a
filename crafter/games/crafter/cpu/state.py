"""Conversion between records and saved games.

Saved games have the format of `crafter.games.crafter.state`. A record of `layout.dtype`
stores the same numbers in a different layout, and counts maintained by compiled rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.compiled.engine import seed_hash
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu.world import count_space
from crafter.games.crafter.objects import KINDS, Player
from crafter.games.crafter.state import StateError

_LARGEST = 2**30  # of counters, to leave room for growth
#: Fields that are the same in both formats.
_SAME: tuple[str, ...] = (
    "random_key",
    "random_position",
    "daylight",
    "materials",
    "next_id",
)
_SAME += ("inventory", "achievements", "sleeping", "action")
_SAME += ("episode", "step", "clock_offset", "ended")
_OBJECT = ("id", "kind", "health")

# A record has one counter per object; only the player needs more.
assert all(len(cls.fields) <= 1 for cls in KINDS.values() if cls is not Player)


def unload(game: Any) -> dict[str, np.ndarray]:
    """Returns the fields of a saved game that are stored in a record.

    Args:
      game: Record of `layout.dtype`.
    """
    count, grid = int(game["object_count"]), t.chunk_grid(game["materials"].shape)
    columns = ("id", "kind", "health", "x", "y", "facing", "counter", "joined")
    slots = {name: game[f"object_{name}"][:count].astype(np.int64) for name in columns}
    slots["health"][0] = game["inventory"][t.HEALTH]
    turned = slots["facing"] >= 0
    counters = np.zeros((count, len(Player.fields)))
    counters[:, 0] = slots["counter"]
    counters[0] = [game[name] for name in Player.fields]
    order = game["chunk_order"][: game["chunk_count"]]
    ranks = np.zeros(grid.count, np.int64)
    ranks[order] = np.arange(len(order))
    chunks = ranks[grid.number(slots["x"], slots["y"])]
    return {
        **{name: _widened(game[name]) for name in _SAME},
        "last_health": int(game["rewarded_health"]),
        **{f"object_{name}": slots[name] for name in _OBJECT},
        "object_position": np.stack([slots["x"], slots["y"]], 1),
        "object_facing": t.DIRECTIONS[slots["facing"]] * turned[:, None],
        "object_counters": counters,
        "chunk_corner": np.array([grid.corner(n) for n in order.tolist()]),
        "chunk_members": np.bincount(chunks, minlength=len(order)),
        "chunk_object": slots["id"][np.lexsort((slots["joined"], chunks))],
    }


def _widened(value: Any) -> np.ndarray:
    """Returns a copy of a field, with int32 widened to int64."""
    array = np.array(value)
    return array.astype(np.int64) if array.dtype == np.int32 else array


def load(game: Any, value: Mapping[str, np.ndarray]) -> None:
    """Writes a saved game to a record.

    Args:
      game: Record of `layout.dtype` with at least as many slots as objects.
      value: Result of `crafter.games.crafter.state.capture`.

    Raises:
      crafter.games.crafter.state.StateError: If a number is too large for a record.
    """
    for name in ("achievements", "object_health", "object_counters"):
        if value[name].max() > _LARGEST:
            raise StateError(
                f"The batched engine supports {name} up to {_LARGEST}, got "
                f"{value[name].max():.0f}."
            )
    game["seed_hash"] = seed_hash(int(str(value["seed"])))
    for name in _SAME:
        game[name] = value[name]
    game["rewarded_health"] = value["last_health"]
    for name, number in zip(Player.fields, value["object_counters"][0]):
        game[name] = number
    count_space(game)
    _load_objects(game, value)
    _load_chunks(game, value)


def _load_objects(game: Any, value: Mapping[str, np.ndarray]) -> None:
    (x, y), count = value["object_position"].T, len(value["object_id"])
    same = (value["object_facing"][:, None] == t.DIRECTIONS).all(-1)
    counters = value["object_counters"][:, 0].copy()
    counters[0] = 0  # the player has its own fields
    columns = {name: value[f"object_{name}"] for name in _OBJECT}
    columns |= {"x": x, "y": y, "counter": counters}
    columns["facing"] = np.where(same.any(1), same.argmax(1), -1)
    for name, column in columns.items():
        game[f"object_{name}"][:count] = column
    game["object_count"], game["removed_count"] = count, 0
    game["occupants"] = 0
    game["occupants"][x, y] = np.arange(1, count + 1)


def _load_chunks(game: Any, value: Mapping[str, np.ndarray]) -> None:
    grid, ids = t.chunk_grid(game["materials"].shape), value["object_id"]
    order = grid.number(*value["chunk_corner"].T)
    game["chunk_exists"], game["chunk_population"] = 0, 0
    game["chunk_count"] = len(order)
    game["chunk_order"][: len(order)] = order
    game["chunk_exists"][order] = 1
    numbers = grid.number(*value["object_position"].T)
    np.add.at(game["chunk_population"], (numbers, value["object_kind"]), 1)
    slots = np.searchsorted(ids, value["chunk_object"])
    game["object_joined"][slots] = np.arange(len(ids))
    game["next_joined"] = len(ids)
