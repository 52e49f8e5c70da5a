"""Positions and distances in words."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

from crafter.lm.rendering.facts import VECTORS, Offset
from crafter.lm.rendering.words import INTERFACE

if TYPE_CHECKING:
    from crafter.lm.rendering.observation import Observation


def where(offset: Offset, directions: str = "screen") -> str:
    """Returns an offset in words.

    Args:
      offset: Cells to the right and down.
      directions: A key of `directions` in interface.yaml.

    Example:
      >>> where((4, -2)), where((-1, 0), "compass"), where((0, 0))
      ('4 right, 2 up', '1 west', 'here')
    """
    words = INTERFACE["directions"][directions]
    dx, dy = offset
    parts = []
    if dx:
        parts.append(f"{abs(dx)} {words['right' if dx > 0 else 'left']}")
    if dy:
        parts.append(f"{abs(dy)} {words['down' if dy > 0 else 'up']}")
    return ", ".join(parts) or "here"


def octant(offset: Offset) -> int:
    """Returns which of eight directions an offset lies in, clockwise from up.

    Example:
      >>> octant((0, -3)), octant((3, 1)), octant((2, 2))
      (0, 2, 3)
    """
    return round(math.atan2(offset[0], -offset[1]) / (math.pi / 4)) % 8


def moves(obs: Observation) -> dict[Offset, int]:
    """Returns how many moves it takes to stand on each cell, on open ground in view."""
    walkable = obs.words.book.walkable
    counts = {(0, 0): 0}
    queue = deque([(0, 0)])
    while queue:
        x, y = queue.popleft()
        for dx, dy in VECTORS.values():
            cell = x + dx, y + dy
            if cell not in counts and obs.at(cell) in walkable:
                counts[cell] = counts[x, y] + 1
                queue.append(cell)
    return counts


def moves_beside(counts: dict[Offset, int], offset: Offset) -> int | None:
    """Returns the moves to stand beside a place; `None` if no way is seen."""
    x, y = offset
    beside = [(x + dx, y + dy) for dx, dy in VECTORS.values()]
    return min((counts[cell] for cell in beside if cell in counts), default=None)
