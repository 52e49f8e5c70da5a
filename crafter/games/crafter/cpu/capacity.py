"""Slots for objects: how many a game has, and when it needs more.

A game has `max_objects` slots. Removed objects keep theirs until the end of the step,
so a step needs more slots than there are objects alive. With n objects at its start, S
of them skeletons, and C chunks on the map, it uses at most

    n + S + 1 + K * C

slots, K being the number of kinds that balance:

- The player carries out one action, and an action places at most one object: 1.
- Of the others only skeletons add something, an arrow, and those that act are the ones
  that were there at the start of the step, each once: S.
- After that the removed ones are swept. Balancing looks at each existing chunk once per
  kind, and adds at most one creature each time: K * C.

A game that has less than this is not stepped but reported, and the engine gives
all games more first. Growing ends: n and S are at most the number of cells.
"""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.crafter import layout
from crafter.games.crafter import tables as t

_KINDS = len(t.BALANCE_KIND)
_CELLS_PER_SLOT = 8  # a generated world has about one object per 30 cells
_LEAST = 128


def default_max_objects(area: tuple[int, int]) -> int:
    """Returns how many slots the games of an area start with.

    Example:
      >>> default_max_objects((64, 64)), default_max_objects((9, 7))
      (512, 128)
    """
    return max(_LEAST, power_of_two(area[0] * area[1] // _CELLS_PER_SLOT))


def power_of_two(number: int) -> int:
    """Returns the lowest power of two that is not below a number."""
    return 1 << max(0, number - 1).bit_length()


def grown(games: np.ndarray, area: tuple[int, int], max_objects: int) -> np.ndarray:
    """Returns games with more slots.

    Args:
      games: Records of `layout.dtype`, shape (B,).
      area: Map size (x, y) in cells.
      max_objects: The new number of slots.
    """
    larger = np.zeros(len(games), layout.dtype(area, max_objects))
    for name in games.dtype.names or ():
        old = games[name]
        larger[name][tuple(slice(length) for length in old.shape)] = old
    return larger


@inner
def is_crowded(g):
    """Returns whether a game might run out of slots in its next step."""
    slots = g.object_kind.shape[0]
    free = slots - g.object_count - 1 - _KINDS * g.chunk_exists.shape[0]
    if free >= g.object_count:
        return False  # enough even if all were skeletons
    for i in range(g.object_count):
        if g.object_kind[i] == t.SKELETON:
            free -= 1
    return free < 0
