"""State of a batch of games as a structured dtype.

Maps have the axes floor, row, column. Block and item of a cell share a number, `block +
blocks * item`; the positions of creatures are stored in their slots. Only dark floors
store light. A floor is generated when the player first enters it; see `worldgen`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.compiled.pcg64 import FIELDS
from crafter.games.craftax import tables as game_tables
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.parameters import Parameters

#: Fields of a projectile slot. Dead projectiles keep flying, even off the map.
_SHOT = [
    ("row", np.int32),
    ("col", np.int32),
    ("drow", np.int8),
    ("dcol", np.int8),
    ("alive", np.uint8),
    ("type", np.uint8),
]


def dtype(tables: game_tables.Tables, parameters: Parameters) -> np.dtype:
    """Returns the structured dtype of one game; a batch is an array of these.

    Args:
      tables: The rules.
      parameters: The arguments of the game.
    """
    data, size = tables.data, parameters.map_size
    floors, place = len(tables.floors), np.min_scalar_type(-size)
    mobs = len(t.CLASSES), floors, max(t.slots(parameters))
    shots = len(t.SHOOTERS), floors, max(t.shot_slots(parameters))
    effects = len(data["potions"]["effects"])
    dark = np.count_nonzero(t.dark_floors(tables) >= 0)
    fields = [
        ("seed_hash", np.uint64),
        *FIELDS,
        ("begun", np.dtype(FIELDS, align=True)),  # the stream before the world
        ("episode", np.int64),
        ("step", np.int64),
        ("start", np.int64),  # `timestep` at which the episode began
        ("world", np.int32),  # index in the pool; -1 for a new world
        ("action", np.int32),
        # The player.
        *((name, np.int32) for name in ("level", "row", "col", "direction")),
        ("xp", np.int64),
        ("health", np.float64),
        ("vitals", np.int64, len(t.VITALS)),
        ("counters", np.float64, len(t.COUNTERS)),
        ("attributes", np.int64, len(t.ATTRIBUTES)),
        ("items", np.int32, len(tables.held)),
        ("sleeping", bool),
        ("resting", bool),
        ("ended", bool),
        ("learned_spells", np.uint8, len(data["spells"])),
        ("enchantments", np.uint8, len(t.WEAPONS)),
        ("armour_enchantments", np.uint8, len(data["inventory"]["armour"]["each"])),
        ("achievements", np.uint8, len(tables.achievement_names)),
        ("unlocked", np.uint8, len(tables.achievement_names)),  # in the latest step
        ("gained", np.float64),  # reward for achievements in the latest step
        # The world.
        ("timestep", np.int64),
        ("light_level", np.float64),
        ("boss_progress", np.int64),
        ("boss_timer", np.int64),
        ("potion_mapping", np.min_scalar_type(effects), effects),
        ("monsters_killed", np.int64, floors),
        ("chest_opened", np.uint8, floors),
        ("made", np.uint8, floors),
        ("down_ladder", place, (floors, 2)),
        ("up_ladder", place, (floors, 2)),
        ("plants", np.dtype(_plant(place), align=True), parameters.max_growing_plants),
        ("mobs", np.dtype(_mob(place), align=True), mobs),
        ("shots", np.dtype(_SHOT, align=True), shots),
        ("cells", t.code_type(tables), (floors, size, size)),
        ("dark_light", np.float32, (dark, size, size)),
    ]
    return np.dtype(fields, align=True)


def _mob(place: np.dtype) -> list[Any]:
    """Returns the fields of a creature slot.

    `alive` is 2 if the creature's cell counts as free, as `ghosts` allows.
    """
    return [
        ("cooldown", np.int32),
        ("health", np.float32),
        ("row", place),
        ("col", place),
        ("alive", np.uint8),
        ("type", np.uint8),
    ]


def _plant(place: np.dtype) -> list[Any]:
    """Returns the fields of a plant slot."""
    return [("age", np.int32), ("row", place), ("col", place), ("growing", np.uint8)]
