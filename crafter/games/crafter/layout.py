"""State of a batch of games as a structured dtype.

The JAX engine has no 64-bit numbers and other bookkeeping, and so its own table in
`crafter.games.crafter.jax.state`.

Objects of a game occupy slots 0 ... `object_count` - 1 in index order; slot 0 is the
player. When an object is removed, later objects move up, so that the slots bound the
objects alive at one time, not those of an episode. A cell holds at most one object, so
no game needs more slots than cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.games.crafter import tables


def dtype(area: tuple[int, int], slots: int) -> np.dtype:
    """Returns the structured dtype of one game; a batch is an array of these.

    The fields used in every step come first and contiguous: with a thousand games, a
    step spends half of its time waiting for memory.

    Args:
      area: Map size (x, y) in cells.
      slots: Number of slots for objects.
    """
    slot, cell = map(_smallest, (slots, max(area)))
    chunks = tables.chunk_grid(area).count
    items, achievements = len(tables.ITEMS), len(tables.ACHIEVEMENT)
    fields: list[Any] = [
        ("seed_hash", np.uint64),  # hash of the seed, for the seeds of episodes
        ("episode", np.int64),  # number of the episode, from 1
        ("step", np.int64),  # steps since reset
        ("clock_offset", np.int64),  # steps added to `step` for the time of day
        ("daylight", np.float64),  # 0 (darkest) to 1 (noon)
        ("random_position", np.int64),  # index of the next random word
        ("object_count", np.int64),  # objects alive
        ("removed_count", np.int64),  # objects removed but not swept yet
        ("next_id", np.int64),  # index of the next object
        ("next_joined", np.int64),  # `object_joined` of the next object
        ("chunk_count", np.int64),  # existing chunks
        ("action", np.int64),  # executed action
        ("hunger", np.float64),  # counter, steps
        ("thirst", np.float64),  # counter, steps
        ("fatigue", np.float64),  # counter, steps
        ("recover", np.float64),  # counter, steps
        ("last_health", np.int32),  # health after the player's update
        ("rewarded_health", np.int32),  # health at the end of the last step
        ("inventory", np.int32, (items,)),  # amounts
        ("achievements", np.int32, (achievements,)),  # counters
        ("unlocked", np.uint8, (achievements,)),  # in the latest step
        ("sleeping", np.bool_),  # whether the player is asleep
        ("ended", np.bool_),  # terminated or truncated
        ("object_kind", np.uint8, (slots,)),  # semantic id; 0 for just removed
        ("object_x", cell, (slots,)),  # column, cells
        ("object_y", cell, (slots,)),  # row, cells
        ("object_health", np.int32, (slots,)),  # health; unused for the player
        ("object_facing", np.int32, (slots,)),  # direction of player and arrows
        ("object_counter", np.int32, (slots,)),  # cooldown, reload or grown
        ("object_id", np.int64, (slots,)),  # index in the episode, from 1
        ("object_joined", np.int64, (slots,)),  # order of joining its chunk
        ("materials", np.uint8, area),  # material ids
        ("occupants", slot, area),  # slot + 1 of the object, 0 for none
        ("random_key", np.uint32, (624,)),  # state of the MT19937 generator
        ("chunk_order", np.int32, (chunks,)),  # chunk numbers in creation order
        ("chunk_exists", np.uint8, (chunks,)),  # whether the chunk exists
        ("chunk_space", np.int32, (chunks, tables.MATERIALS)),  # cells per material
        ("chunk_population", np.int32, (chunks, tables.KINDS)),  # objects per kind
    ]
    return np.dtype(fields, align=True)


def _smallest(most: int) -> type:
    """Returns the smallest dtype for numbers up to `most`."""
    return np.int16 if most < np.iinfo(np.int16).max else np.int32
