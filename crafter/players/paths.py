"""Ways over a grid: Dijkstra's algorithm. Names no game.

Cells are (row, column). A way goes from a cell to one of the four beside it, and pays
the cost of the cell that it enters.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection

import numpy as np

Cell = tuple[int, int]


def cheapest_way(
    costs: np.ndarray, start: Cell, goals: Collection[Cell], limit: float = np.inf
) -> list[Cell] | None:
    """Returns the cheapest way from a cell to one of several.

    Args:
      costs: What it costs to enter each cell, positive; infinite where it is barred.
        Float of shape (rows, columns). A goal may always be entered, at a cost of 1
        if it is barred.
      start: Where the way begins.
      goals: Where it may end; those outside the grid are left aside.
      limit: Ways that cost more are not looked for.

    Returns:
      The cells of the way, start and end included, or `None` if there is none.

    Example:
      >>> costs = np.array([[1, 9, 1], [1, 1, 1]])
      >>> cheapest_way(costs, (0, 0), [(0, 2)])
      [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)]
    """
    rows, columns = costs.shape
    width = columns + 2
    price = _framed(costs)
    ends = {
        (row + 1) * width + column + 1
        for row, column in goals
        if 0 <= row < rows and 0 <= column < columns
    }
    for end in ends:
        if price[end] == np.inf:
            price[end] = 1.0
    first = (start[0] + 1) * width + start[1] + 1
    came_from = _search(price, width, first, ends, limit)
    if came_from is None:
        return None
    end, before = came_from
    way = [end]
    while way[-1] != first:
        way.append(before[way[-1]])
    return [(cell // width - 1, cell % width - 1) for cell in reversed(way)]


def _framed(costs: np.ndarray) -> list[float]:
    """Returns the costs row by row, with a frame that bars the way."""
    framed = np.pad(costs.astype(float), 1, constant_values=np.inf)
    values: list[float] = framed.ravel().tolist()
    return values


def _search(
    price: list[float], width: int, start: int, ends: set[int], limit: float
) -> tuple[int, dict[int, int]] | None:
    """Returns the end that was found, and for each cell the one before it."""
    best = {start: 0.0}
    before: dict[int, int] = {}
    queue = [(0.0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in ends:
            return cell, before
        if cost > best[cell] or cost > limit:
            continue
        for beside in (cell - width, cell - 1, cell + 1, cell + width):
            total = cost + price[beside]
            if total < best.get(beside, np.inf):
                best[beside] = total
                before[beside] = cell
                heapq.heappush(queue, (total, beside))
    return None
