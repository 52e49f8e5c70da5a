"""Pieces of ground that a task asks for: drawings, turned and put at a distance."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core.grid import Cell
from crafter.games.crafter.map_edits import turned
from crafter.tasks import files
from crafter.tasks.scenes.draft import Draft, numbers
from crafter.tasks.scenes.ground import FAR
from crafter.tasks.scenes.random import Draws
from crafter.tasks.scenes.settings import Range, ranged

#: Stands for a cell that is left as it is.
_ANY = "?"
#: Steps that the way to a feature may be longer than the straight one.
_DETOUR = 8


def put_feature(draft: Draft, entry: Mapping[str, Any], draws: Draws) -> bool:
    """Puts a feature on the map, at a distance from the start, and marks it.

    Args:
      draft: The draft.
      entry: `what`, a name of `data/features.yaml`, and `ring`, least and largest
        distance (L1) of its nearest cell.
      draws: Where the choices come from.

    Returns:
      Whether there was room for it.
    """
    found, ring = files.features()[entry["what"]], ranged(entry["ring"])
    shapes = [np.array([list(row) for row in rows]).T for rows in found]
    shape = turned(draws.one("drawing", shapes), draws.whole("turn", 0, 7))
    corners = _corners(draft, shape.shape, ring)
    for corner in draws.shuffled("corner", corners):
        if _on_foot(draft, corner, shape.shape, ring):
            _draw(draft, entry["what"], corner, shape)
            return True
    return False


def _corners(draft: Draft, size: tuple[int, ...], ring: Range) -> list[Cell]:
    """Returns where the first cell can be, so that the nearest one is in the ring."""
    margin, (width, height) = numbers()["margin"], size
    columns = np.arange(margin, draft.ground.area[0] - margin - width + 1)
    rows = np.arange(margin, draft.ground.area[1] - margin - height + 1)
    far = _beyond(columns, width, draft.spawn[0])[:, None]
    far = far + _beyond(rows, height, draft.spawn[1])[None]
    xs, ys = ((far >= ring[0]) & (far <= ring[1])).nonzero()
    return list(zip(columns[xs].tolist(), rows[ys].tolist()))


def _beyond(first: np.ndarray, length: int, place: int) -> np.ndarray:
    """Returns how far a place is from stretches that begin at some others."""
    away: np.ndarray = np.maximum(
        np.maximum(first - place, place - first - length + 1), 0
    )
    return away


def _on_foot(draft: Draft, corner: Cell, size: tuple[int, ...], ring: Range) -> bool:
    """Returns whether there is a walk to it that is not much longer than straight."""
    (x, y), (width, height) = corner, size
    around = draft.steps[x - 1 : x + width + 1, y - 1 : y + height + 1]
    return int(around.min(initial=FAR)) <= ring[1] + _DETOUR


def _draw(draft: Draft, name: str, corner: Cell, shape: np.ndarray) -> None:
    symbols = draft.rules.symbols["materials"]
    cells = []
    for dx, column in enumerate(shape.tolist()):
        dy = 0
        for symbol, run in itertools.groupby(column):
            place, long = (corner[0] + dx, corner[1] + dy), len(list(run))
            dy += long
            if symbol != _ANY:
                draft.edits.append(("rectangle", *place, 1, long, symbols[symbol]))
                cells += [(place[0], place[1] + k) for k in range(long)]
    width, height = shape.shape
    draft.marks[name] = (*corner, width, height)
    draft.feature = draft.feature or min(
        cells, key=lambda c: abs(c[0] - draft.spawn[0]) + abs(c[1] - draft.spawn[1])
    )
