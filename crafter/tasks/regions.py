"""Open cells and the regions that they make up.

An open cell has a material that creatures may enter and no plant on it; the cell of
the player always counts as open. Objects other than plants do not matter. A region is
what can be reached from a cell through open cells, four neighbours each. Cells outside
the map are not open.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from crafter.core.grid import Cell, neighbours
from crafter.tasks.view import TaskView


class Region(NamedTuple):
    """A region and what surrounds it.

    Attributes:
      cells: Its cells.
      boundary: The neighbours of its cells that are not open, also those outside the
        map.
    """

    cells: frozenset[Cell]
    boundary: frozenset[Cell]


def of_materials(view: TaskView, materials: Iterable[str]) -> np.ndarray:
    """Returns which cells are known to be of materials, bool of shape `area`."""
    chosen = np.zeros(256, bool)
    for name in materials:
        chosen[view.rules.material_ids.get(name, 0)] = True
    chosen[0] = False  # what is unknown
    return chosen[view.materials]


def open_mask(view: TaskView) -> np.ndarray:
    """Returns which cells are open, bool of shape `area`."""
    mask = of_materials(view, view.rules.walkable)
    mask &= view.labels != view.rules.object_ids["plant"]
    mask[view.player.pos] = True
    return mask


def region(
    mask: np.ndarray, start: Cell, most: int, closed: Collection[Cell] = ()
) -> Region | None:
    """Returns the region of an open cell.

    Args:
      mask: Which cells are open, bool of shape `area`.
      start: The cell.
      most: A larger region is not measured.
      closed: Open cells that count as not open.

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


def sizes(mask: np.ndarray) -> np.ndarray:
    """Returns of how many cells the region of each open cell is.

    The latest results are kept, since the ground seldom changes.

    Args:
      mask: Which cells are open, bool of shape `area`.

    Returns:
      int64 of shape `area`, read-only; 0 where cells are not open.
    """
    return _sizes(mask.tobytes(), mask.shape)


@functools.lru_cache(maxsize=8)
def _sizes(data: bytes, shape: tuple[int, ...]) -> np.ndarray:
    found = np.zeros(shape, np.int64)
    for part in components(np.frombuffer(data, bool).reshape(shape)):
        found[tuple(zip(*part))] = len(part)
    found.flags.writeable = False
    return found


def holds(mask: np.ndarray, cell: Cell) -> bool:
    """Returns the value of a mask at a cell; false outside the map."""
    x, y = cell
    return 0 <= x < mask.shape[0] and 0 <= y < mask.shape[1] and bool(mask[x, y])


def within_reach(mask: np.ndarray, start: Cell, most: int) -> np.ndarray:
    """Returns the cells to which an open way of few steps leads.

    Args:
      mask: Which cells are open, bool of shape `area`.
      start: Where the ways begin.
      most: Their length in steps, at most.

    Returns:
      Bool of shape `area`; the last cell of a way need not be open.
    """
    near = tuple(slice(max(0, c - most), c + most + 1) for c in start)
    found = np.zeros_like(mask)
    found[start] = True
    reached, window = found[near].copy(), mask[near] | found[near]
    for _ in range(most - 1):
        grown = _grown(reached) & window
        if np.array_equal(grown, reached):
            break
        reached = grown
    found[near] = _grown(reached)
    return found


def _grown(mask: np.ndarray) -> np.ndarray:
    """Returns a mask with the neighbours of its cells."""
    grown = mask.copy()
    grown[1:] |= mask[:-1]
    grown[:-1] |= mask[1:]
    grown[:, 1:] |= mask[:, :-1]
    grown[:, :-1] |= mask[:, 1:]
    return grown


def components(mask: np.ndarray) -> list[set[Cell]]:
    """Returns the parts of a mask that hang together, four neighbours each."""
    left = set(zip(*(axis.tolist() for axis in mask.nonzero())))
    parts = []
    while left:
        part = connected({left.pop()}, left)
        left -= part
        parts.append(part)
    return parts


def connected(start: set[Cell], cells: Collection[Cell]) -> set[Cell]:
    """Returns the start and all that can be reached from it through the cells."""
    found, queue = set(start), list(start)
    while queue:
        for cell in neighbours(queue.pop()):
            if cell in cells and cell not in found:
                found.add(cell)
                queue.append(cell)
    return found


def steps_to(
    starts: Iterable[Cell], arrived: Callable[[Cell], bool], mask: np.ndarray, most: int
) -> int | None:
    """Returns the length of the shortest walk to a cell, through open cells.

    Args:
      starts: Where the walk may begin.
      arrived: Says whether a cell is an aim; it need not be open.
      mask: Which cells are open.
      most: Longer walks are not looked for.

    Returns:
      The number of steps, or `None` if there is no such walk.
    """
    layer = list(starts)
    known = set(layer)
    for length in range(most + 1):
        if any(map(arrived, layer)):
            return length
        layer = list(_next_layer(layer, known, arrived, mask))
    return None


def _next_layer(
    layer: list[Cell], known: set[Cell], arrived: Callable, mask: np.ndarray
) -> Iterator[Cell]:
    for cell in layer:
        if len(known) > 1 and not holds(mask, cell):
            continue  # an aim that is not open is not walked through
        for beside in neighbours(cell):
            if beside not in known and (holds(mask, beside) or arrived(beside)):
                known.add(beside)
                yield beside
