"""Connected regions of cells, their boundaries, and shortest paths on a grid.

All functions work on masks: bool arrays over the cells of a map. Cells outside the
map are not open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from crafter.core.grid import Cell, cells_of, mask_of, neighbours

Node = TypeVar("Node")

#: Distance where there is no path.
FAR = 9999
#: Pairs of slices: the cells of a map, and their neighbours on one side.
SHIFTS = (
    ((slice(1, None), slice(None)), (slice(None, -1), slice(None))),
    ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
    ((slice(None), slice(1, None)), (slice(None), slice(None, -1))),
    ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
)


class Region(NamedTuple):
    """A connected region and its boundary.

    Attributes:
      cells: Its cells.
      boundary: Neighbours of its cells that are not open, including those outside the
        map.
    """

    cells: frozenset[Cell]
    boundary: frozenset[Cell]


def grown(mask: np.ndarray) -> np.ndarray:
    """Returns a mask dilated by one cell, in four directions."""
    wider = mask.copy()
    for cells, beside in SHIFTS:
        wider[cells] |= mask[beside]
    return wider


def around(mask: np.ndarray, window: Sequence[int]) -> np.ndarray:
    """Returns the number of true cells in a window around each cell.

    Args:
      mask: Bool.
      window: Columns and rows of the window.
    """
    number = mask.astype(np.int64)
    for axis, size in enumerate(window):
        reach = size // 2
        wide = np.pad(number, [(reach, reach) if a == axis else (0, 0) for a in (0, 1)])
        number = np.lib.stride_tricks.sliding_window_view(wide, size, axis).sum(-1)
    return number


def region(
    mask: np.ndarray, start: Cell, most: int, closed: Collection[Cell] = ()
) -> Region | None:
    """Returns the region around an open cell.

    Args:
      mask: Which cells are open, bool of shape `area`.
      start: The cell.
      most: Maximum size; the search stops beyond it.
      closed: Open cells to treat as closed.

    Returns:
      The region, or `None` if it has more than `most` cells.
    """
    cells, boundary, queue = {start}, set(), [start]
    while queue:
        for cell in neighbours(queue.pop()):
            if cell in cells:
                continue
            if cell in closed or not holds(mask, cell):
                boundary.add(cell)
                continue
            cells.add(cell)
            queue.append(cell)
            if len(cells) > most:
                return None
    return Region(frozenset(cells), frozenset(boundary))


def holds(mask: np.ndarray, cell: Cell) -> bool:
    """Returns the value of a mask at a cell; false outside the map."""
    x, y = cell
    return 0 <= x < mask.shape[0] and 0 <= y < mask.shape[1] and bool(mask[x, y])


def within_reach(mask: np.ndarray, start: Cell, most: int) -> np.ndarray:
    """Returns the cells within some steps over open cells.

    Args:
      mask: Which cells are open, bool of shape `area`.
      start: The start cell.
      most: Maximum length of a path, in steps.

    Returns:
      Bool of shape `area`; the last cell of a path need not be open.
    """
    near = tuple(slice(max(0, c - most), c + most + 1) for c in start)
    cells = mask_of(mask.shape, [start])
    cost = (mask | cells)[near].astype(np.int16)
    cells[near] = grown(waves(cost, cells[near], most - 1) < most)
    return cells


def components(
    mask: np.ndarray, beside: Callable[[Any], Iterable[Any]] = neighbours
) -> list[set[Cell]]:
    """Returns the connected components of a mask, by default 4-connected."""
    left = set(cells_of(mask))
    parts = []
    while left:
        part = connected({left.pop()}, left, beside)
        left -= part
        parts.append(part)
    return parts


def connected(
    start: set[Node],
    nodes: Collection[Node],
    beside: Callable[[Any], Iterable[Any]] = neighbours,
) -> set[Node]:
    """Returns the start and all nodes reachable from it.

    Args:
      start: Start nodes.
      nodes: Nodes that may be entered, by default cells.
      beside: Returns the neighbours of a node.
    """
    found, queue = set(start), list(start)
    while queue:
        for node in beside(queue.pop()):
            if node in nodes and node not in found:
                found.add(node)
                queue.append(node)
    return found


def waves(cost: np.ndarray, targets: np.ndarray, most: int = FAR) -> np.ndarray:
    """Returns the cost of the cheapest path from every cell to a target.

    Args:
      cost: Cost of crossing each cell; 0 if it cannot be crossed.
      targets: Bool of the same shape.
      most: Maximum cost of a path.

    Returns:
      int16 of the same shape, `FAR` where there is no path.
    """
    distances = np.where(targets, 0, FAR).astype(np.int16)
    # A step costs the price of the cell that it leaves; leaving a target always
    # costs 1.
    price = np.where(targets, 1, cost).astype(np.int16)
    closed = cost == 0
    for reached in range(most):
        wave = distances == reached
        if wave.any():
            before = distances[closed]
            out = np.where(wave, distances + price, np.int16(FAR))
            for to, come in SHIFTS:
                np.minimum(distances[to], out[come], out=distances[to])
            distances[closed] = before
        elif not ((distances > reached) & (distances < FAR)).any():
            break
    return distances
