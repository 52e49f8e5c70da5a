"""Grid cells: neighbours, steps and distances; read-only arrays."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np

Cell = tuple[int, int]

#: Steps to the four neighbours, in the order in which they are tried.
BESIDE: tuple[Cell, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))


def shift(cell: Cell, by: Cell, times: int = 1) -> Cell:
    """Returns the cell some steps away.

    Args:
      cell: A cell.
      by: The step.
      times: Number of steps; negative for the opposite direction.

    Example:
      >>> shift((3, 4), (0, -1), 2)
      (3, 2)
    """
    return cell[0] + times * by[0], cell[1] + times * by[1]


def distance(a: Cell, b: Cell = (0, 0)) -> int:
    """Returns the Manhattan distance between two cells, or of an offset."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


@functools.cache
def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Returns the four neighbours of a cell."""
    return tuple(shift(cell, by) for by in BESIDE)


def cells_of(mask: np.ndarray) -> list[Cell]:
    """Returns the true cells of a mask, column by column."""
    xs, ys = mask.nonzero()
    return list(zip(xs.tolist(), ys.tolist()))


def mask_of(area: tuple[int, ...], cells: Iterable[Cell]) -> np.ndarray:
    """Returns the bool mask of some cells on a map of a given size."""
    mask = np.zeros(area, bool)
    for cell in cells:
        mask[cell] = True
    return mask


def frozen(array: np.ndarray) -> np.ndarray:
    """Makes an array read-only, so that lost writes raise, and returns it."""
    array.flags.writeable = False
    return array
