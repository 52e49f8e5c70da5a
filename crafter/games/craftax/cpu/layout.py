"""The record that holds one game of a batch.

Floors stand in their order, then rows and columns. Blocks and items of a cell share a
number, see `tables.codes`; where creatures stand is known from their slots. Only floors
that are not bright everywhere store light. A floor is made when somebody comes there,
see `worldgen`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.compiled.pcg64 import FIELDS
from crafter.games.craftax import tables as game_tables
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.parameters import Parameters

#: A slot of a creature or a projectile; only the latter move by themselves. `alive` is
#: 2 for a creature whose cell counts as free, which the switch `ghosts` brings about.
_SLOT = [
    ("row", np.int32),
    ("col", np.int32),
    ("cooldown", np.int32),
    ("health", np.float32),
    ("alive", np.uint8),
    ("type", np.uint8),
    ("drow", np.int8),
    ("dcol", np.int8),
]
_PLANT = [
    ("row", np.int16),
    ("col", np.int16),
    ("age", np.int32),
    ("growing", np.uint8),
]


def dtype(tables: game_tables.Tables, parameters: Parameters) -> np.dtype:
    """Returns the dtype of the record of a game.

    Args:
      tables: The rules.
      parameters: The arguments of the game.
    """
    data, size = tables.data, parameters.map_size
    floors = len(tables.floors)
    mobs = len(t.CLASSES), floors, max(t.slots(parameters))
    shots = len(t.SHOOTERS), floors, max(t.shot_slots(parameters))
    fields = [
        ("seed_hash", np.uint64),
        *FIELDS,
        ("episode", np.int64),
        ("world", np.int64),  # its number in a pool; -1 for one of its own
        ("step", np.int64),
        ("start", np.int64),  # the time at which the episode began
        ("ended", bool),
        ("action", np.int64),
        # The player.
        *((name, np.int64) for name in ("level", "row", "col", "direction", "xp")),
        ("health", np.float64),
        ("vitals", np.int64, len(t.VITALS)),
        ("counters", np.float64, len(t.COUNTERS)),
        ("attributes", np.int64, len(t.ATTRIBUTES)),
        ("maxima", np.int64, 1 + len(t.VITALS)),  # the first one is that of health
        ("factors", np.float64, len(t.FACTORS)),
        ("sleeping", bool),
        ("resting", bool),
        ("items", np.int32, len(t.item_names(tables))),
        ("learned", np.uint8, len(data["spells"])),
        ("enchantments", np.int64, len(t.WEAPONS)),
        ("armour_enchantments", np.int64, len(data["inventory"]["armour"]["each"])),
        ("achievements", np.uint8, len(tables.achievement_names)),
        ("unlocked", np.uint8, len(tables.achievement_names)),  # in the latest step
        ("gained", np.float64),  # what the achievements of a step are worth
        # The world.
        ("timestep", np.int64),
        ("light_level", np.float64),
        ("boss_progress", np.int64),
        ("boss_timer", np.int64),
        ("potions", np.int64, len(data["potions"]["effects"])),
        ("killed", np.int64, floors),
        ("opened", np.uint8, floors),
        ("down", np.int32, (floors, 2)),
        ("up", np.int32, (floors, 2)),
        ("plants", np.dtype(_PLANT, align=True), parameters.max_growing_plants),
        ("mobs", np.dtype(_SLOT, align=True), mobs),
        ("shots", np.dtype(_SLOT, align=True), shots),
        *_maps(tables, size),
    ]
    return np.dtype(fields, align=True)


def _maps(tables: game_tables.Tables, size: int) -> list[Any]:
    """Returns the fields of the floors, and of what they are made of when entered."""
    floors, rooms = len(tables.floors), tables.data["rooms"]
    building = len(rooms["floors"]), rooms["count"]
    return [
        ("made", np.uint8, floors),
        ("begun", np.dtype(FIELDS, align=True)),
        ("furnished", np.dtype(FIELDS, align=True)),
        ("corner", np.int16, (*building, 2)),
        *((n, np.uint8, (*building, 2)) for n in ("extent", "chest", "fountain")),
        ("wet", np.uint8, building),
        ("joined", np.uint8, building),
        ("cells", t.code_type(tables), (floors, size, size)),
        ("light", np.float32, (int((t.dark_floors(tables) >= 0).sum()), size, size)),
    ]
