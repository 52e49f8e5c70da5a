"""Exploration: goes where most new cells come into view for the distance."""

from __future__ import annotations

import math

import numpy as np

from crafter.core.grid import Cell, neighbours
from crafter.games.craftax.players.belief import UNKNOWN
from crafter.games.craftax.players.outlook import Outlook

Heading = tuple[float, float]

#: The longest way to look around, and steps that every such way counts more.
_FARTHEST, _OVERHEAD = 60.0, 6.0
#: Share of the steps ahead that do not count, so that it does not turn around.
_PERSISTENCE = 0.4
#: Blocks of the overworld near which the way down is, within some cells, and how much
#: more these count.
_LADDER_GROUND, _NEAR = ("path", "stone", "coal", "iron"), 4
_LIKELY = 2.0


def explore(outlook: Outlook, heading: Heading) -> tuple[list[str], Heading]:
    """Goes to a place with a view of unknown cells.

    Args:
      outlook: The moment.
      heading: Direction of the last such way, of length 1.

    Returns:
      The actions, and the direction of the way.
    """
    best = _best(outlook, heading)
    way = None if best is None else outlook.reach.to([best])
    if way is None or best is None:
        return ["noop"], heading
    return outlook.walk(way.cells), _direction(outlook.scene.at, best)


def _best(outlook: Outlook, heading: Heading) -> Cell | None:
    scene, worth = outlook.scene, _gains(outlook)
    edge, best, most = [], None, 0.0
    for cell, cost in outlook.reach.distances(_FARTHEST).items():
        if scene.block(cell) == UNKNOWN:
            edge.append((cost, cell))
            continue
        ahead = sum((a - b) * h for a, b, h in zip(cell, scene.at, heading))
        rate = worth[cell] / (cost + _OVERHEAD - _PERSISTENCE * min(ahead, cost))
        if cost and rate > most:
            best, most = cell, rate
    if best is not None and scene.level in outlook.belief.bright:
        return best
    # In the dark nothing is seen from afar.
    fresh = [place for place in edge if _borders_on_known(outlook, place[1])]
    return min(fresh, default=(0.0, None))[1]


def _gains(outlook: Outlook) -> np.ndarray:
    """Returns how much that is new would be in view from each cell.

    Ladders stand on certain ground, so that what lies near it counts more.
    """
    scene, tables = outlook.scene, outlook.tables
    names = () if scene.level else _LADDER_GROUND
    ids = [tables.block_ids[name] for name in names]
    likely = _sum_around(np.isin(scene.floor.block_map, ids), (_NEAR, _NEAR)) > 0
    fresh = ~outlook.belief.seen[scene.level] * (1.0 + _LIKELY * likely)
    rows, columns = tables.data["view"]["cells"]
    return _sum_around(fresh, (rows // 2, columns // 2))


def _sum_around(numbers: np.ndarray, reach: tuple[int, int]) -> np.ndarray:
    """Returns for each cell the sum over the rectangle around it."""
    rows, columns = reach
    pad = ((rows + 1, rows), (columns + 1, columns))
    total = np.pad(numbers.astype(float), pad).cumsum(0).cumsum(1)
    high, wide = 2 * rows + 1, 2 * columns + 1
    found: np.ndarray = total[high:, wide:] - total[:-high, wide:]
    return found - total[high:, :-wide] + total[:-high, :-wide]


def _borders_on_known(outlook: Outlook, cell: Cell) -> bool:
    scene = outlook.scene
    return any(c in scene.floor and scene.block(c) != UNKNOWN for c in neighbours(cell))


def _direction(at: Cell, to: Cell) -> Heading:
    away = to[0] - at[0], to[1] - at[1]
    length = max(1.0, math.hypot(*away))
    return away[0] / length, away[1] / length
