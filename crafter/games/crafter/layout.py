"""The state of a batch of games: one table of fields.

The engine in JAX, which has no 64-bit numbers and other bookkeeping, has a table of its
own in `crafter.games.crafter.jax.state`.

B is the number of games, (X, Y) the area, N the number of slots for objects, C the
number of chunks. Objects of a game stand in slots 0 ... `object_count` - 1 in index
order; slot 0 is the player. A slot is free again when its object is gone, and later
objects move up, so that N bounds the objects alive at one time, not those of an
episode. At most one object stands on a cell, so no game needs more than X * Y slots.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crafter.games.crafter import tables

_ITEMS = len(tables.ITEMS)
_ACHIEVEMENTS = len(tables.ACHIEVEMENT)
_KINDS = tables.KINDS
_SHORT = np.iinfo(np.int16).max


#: Types of numbers that are as small as the game allows.
SLOT, CELL = "slot", "cell"


class Field(NamedTuple):
    """One array of the state.

    Attributes:
      dtype: NumPy dtype; `SLOT` for one that holds numbers of slots, `CELL` for one
        that holds columns and rows.
      shape: Dimensions after B: numbers, or names explained in the module.
      meaning: What it holds, with its unit.
    """

    dtype: type | str
    shape: tuple[int | str, ...]
    meaning: str


#: Field name -> dtype, shape and meaning. What every step needs comes first, in one
#: piece: with a thousand games, half of the time of a step is waiting for memory.
FIELDS = {
    "seed_hash": Field(np.uint64, (), "hash of the seed, for the seeds of episodes"),
    "episode": Field(np.int64, (), "number of the episode, from 1"),
    "step": Field(np.int64, (), "steps since reset"),
    "clock_offset": Field(np.int64, (), "steps added to `step` for the time of day"),
    "daylight": Field(np.float64, (), "0 (darkest) to 1 (noon)"),
    "random_position": Field(np.int64, (), "position in the words"),
    "object_count": Field(np.int64, (), "objects alive"),
    "removed_count": Field(np.int64, (), "objects removed but not swept yet"),
    "next_id": Field(np.int64, (), "index of the next object"),
    "next_joined": Field(np.int64, (), "order of the next joining"),
    "chunk_count": Field(np.int64, (), "chunks that exist"),
    "action": Field(np.int64, (), "action carried out"),
    "hunger": Field(np.float64, (), "counter, steps"),
    "thirst": Field(np.float64, (), "counter, steps"),
    "fatigue": Field(np.float64, (), "counter, steps"),
    "recover": Field(np.float64, (), "counter, steps"),
    "last_health": Field(np.int32, (), "health after the player's update"),
    "rewarded_health": Field(np.int32, (), "health at the end of the last step"),
    "inventory": Field(np.int32, (_ITEMS,), "amounts"),
    "achievements": Field(np.int32, (_ACHIEVEMENTS,), "counters"),
    "sleeping": Field(np.bool_, (), "whether the player is asleep"),
    "ended": Field(np.bool_, (), "terminated or truncated"),
    "object_kind": Field(np.uint8, ("N",), "semantic id; 0 for just removed"),
    "object_x": Field(CELL, ("N",), "column, cells"),
    "object_y": Field(CELL, ("N",), "row, cells"),
    "object_health": Field(np.int32, ("N",), "health; unused for the player"),
    "object_facing": Field(np.int32, ("N",), "direction of player and arrows"),
    "object_counter": Field(np.int32, ("N",), "cooldown, reload or grown"),
    "object_id": Field(np.int64, ("N",), "index in the episode, from 1"),
    "object_joined": Field(np.int64, ("N",), "order of joining its chunk"),
    "materials": Field(np.uint8, ("X", "Y"), "material ids"),
    "occupants": Field(SLOT, ("X", "Y"), "slot + 1 of the object, 0 for none"),
    "random_key": Field(np.uint32, (624,), "words of the generator MT19937"),
    "chunk_order": Field(np.int32, ("C",), "chunk numbers in order of creation"),
    "chunk_exists": Field(np.uint8, ("C",), "whether the chunk exists"),
    "chunk_space": Field(np.int32, ("C", tables.MATERIALS), "cells per material"),
    "chunk_population": Field(np.int32, ("C", _KINDS), "objects per kind"),
}


def shape(field: Field, area: tuple[int, int], max_objects: int) -> tuple[int, ...]:
    """Returns the dimensions of a field in one game.

    Args:
      field: The field.
      area: Map size (x, y) in cells.
      max_objects: Number of object slots.
    """
    chunks = tables.chunk_grid(area).count
    sizes = {"X": area[0], "Y": area[1], "N": max_objects, "C": chunks}
    return tuple(sizes[d] if isinstance(d, str) else d for d in field.shape)


def dtype(area: tuple[int, int], max_objects: int) -> np.dtype:
    """Returns the structured dtype of one game; a batch is an array of these.

    Args:
      area: Map size (x, y) in cells.
      max_objects: Number of object slots.
    """
    sizes = {SLOT: max_objects, CELL: max(area)}
    fields = []
    for name, field in FIELDS.items():
        kind: type | str = field.dtype
        if isinstance(kind, str):
            kind = np.int16 if sizes[kind] < _SHORT else np.int32
        fields.append((name, kind, shape(field, area, max_objects)))
    return np.dtype(fields, align=True)
