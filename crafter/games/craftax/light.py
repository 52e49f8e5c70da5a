"""Light of the floors: torches, arrivals and lava.

Source: Craftax 1.6.1, world generation and torch placement.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core.grid import frozen


@functools.lru_cache
def patch(reach: int, fade: float) -> np.ndarray:
    """Returns the light around a torch or an arrival.

    Args:
      reach: Reach along rows and columns, in cells.
      fade: Euclidean distance at which the light fades to 0, in cells.

    Returns:
      float32 of shape (2 reach + 1, 2 reach + 1), 1 at the centre.
    """
    offset = np.arange(-reach, reach + 1)
    distance = np.sqrt(offset[:, None] ** 2 + offset**2)
    return frozen(np.maximum(1 - distance / fade, 0).astype(np.float32))


def arrival(
    cell: tuple[int, int], size: int, rule: Mapping[str, Any], *, cut: bool
) -> np.ndarray:
    """Returns the light around the cell where the player arrives, 0 elsewhere.

    Args:
      cell: Row and column.
      size: Rows and columns of the map.
      rule: Arguments of `patch`.
      cut: Whether the patch is clipped at the edge of the map. In the published game it
        is shifted inside at the lower and right edges, and jumps to the opposite edge
        at the upper and left ones.

    Returns:
      float32 of shape (size, size).
    """
    light, reach = patch(**rule), rule["reach"]
    canvas = np.zeros((size + 2 * reach,) * 2, np.float32)
    last = size - len(light)
    row, column = cell
    if not cut:
        row, column = (min(p - reach, last) if p >= reach else last for p in cell)
        row, column = row + reach, column + reach
    canvas[row : row + len(light), column : column + len(light)] = light
    return canvas[reach:-reach, reach:-reach]


def glow(lava: Any, rule: Mapping[str, float], xp: Any = np) -> Any:
    """Returns the light that lava adds to its own and the eight adjacent cells.

    Args:
      lava: Mask of lava, bool of shape (floors, rows, columns).
      rule: Light of the cell itself (`centre`), of cells `beside` it and `diagonal`.
      xp: Array module: `numpy` or `jax.numpy`.

    Returns:
      float32 of the same shape.
    """
    # Indexed by the three counts of glowing cells, so that all sums round alike.
    counts = np.arange(5, dtype=np.float32)
    here = counts[:2, None, None] * np.float32(rule["centre"])
    beside = counts[:, None] * np.float32(rule["beside"])
    table = (here + beside) + counts * np.float32(rule["diagonal"])
    padded = xp.pad(lava.astype(np.int32), ((0, 0), (1, 1), (1, 1)))
    rows, middle = padded[:, :-2] + padded[:, 2:], padded[:, 1:-1]
    sides = rows[..., 1:-1] + middle[..., :-2] + middle[..., 2:]
    corners = rows[..., :-2] + rows[..., 2:]
    place = (middle[..., 1:-1] * 5 + sides) * 5 + corners
    return xp.take(xp.asarray(table.ravel()), place, mode="clip")
