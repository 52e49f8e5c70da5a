"""Capacity of object slots: how many a game has, and when it needs more.

A game has `max_objects` slots. Removed objects keep theirs until the end of the step,
so a step needs more slots than there are live objects. With n objects at its start, S
of them skeletons, C chunks on the map, and K balanced kinds, it uses at most

    n + S + 1 + K * C

slots:

- The player carries out one action, which places at most one object: 1.
- Of the other objects only skeletons add any: one arrow each. Only objects present at
  the start of the step act, each once: S.
- Then removed objects are swept. Balancing visits each existing chunk once per kind,
  and each time adds at most one creature: K * C.

A game with fewer slots is not stepped but reported, and the engine first enlarges all
games. Growth is bounded: n and S are at most the number of cells.
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
    """Returns the initial number of slots for a map size.

    Example:
      >>> default_max_objects((64, 64)), default_max_objects((9, 7))
      (512, 128)
    """
    return max(_LEAST, power_of_two(area[0] * area[1] // _CELLS_PER_SLOT))


def power_of_two(number: int) -> int:
    """Returns the smallest power of two that is at least `number`."""
    return 1 << max(0, number - 1).bit_length()


def grown(games: np.ndarray, area: tuple[int, int], max_objects: int) -> np.ndarray:
    """Returns a copy of games with more slots.

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
