"""Terrain that tasks add around the start: mazes, lava fields, mountains, lakes.

All consist of edits and marks. Most lie in a random direction from the start; they are
laid out to the right and then rotated. Features are smaller: drawings, rotated and
placed at a distance.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from crafter.core.grid import BESIDE, Cell, cells_of, distance, shift
from crafter.core.regions import FAR, holds
from crafter.games.crafter.map_edits import turned
from crafter.games.crafter.tasks.scenes.draft import Draft, numbers
from crafter.games.crafter.tasks.scenes.settings import Range, ranged
from crafter.games.crafter.tasks.tables import features, levels
from crafter.tasks.scenes.random import Draws

#: Cells along each side of a maze, and width of the clearing around it.
MAZE, CLEARED = 15, 1
#: Material on which nothing spawns.
QUIET = "sand"
#: Radius of the safe pocket at the start, and width of the lava beside the field.
POCKET, FLANK = 1, 4
#: Half width of a mountain, distance of its near side, and of the far side.
BREADTH, FOOT, BEYOND = 12, 4, 15
#: Symbol of unchanged cells in drawings.
_ANY = "?"
#: Largest detour of the path to a feature, in steps.
_DETOUR = 8


class _Turned:
    """Adds edits in coordinates along and across a direction.

    Args:
      draft: The draft.
      along: The direction.
    """

    def __init__(self, draft: Draft, along: Cell) -> None:
        self._draft, self._along = draft, along

    def box(self, first: Cell, last: Cell) -> tuple[int, int, int, int]:
        """Returns the rectangle between two cells, both included, on the map."""
        (ax, ay), (bx, by) = self._cell(first), self._cell(last)
        return min(ax, bx), min(ay, by), abs(ax - bx) + 1, abs(ay - by) + 1

    def fits(self, first: Cell, last: Cell) -> bool:
        """Returns whether the rectangle keeps a margin to the edges of the map."""
        x, y, width, height = self.box(first, last)
        columns, rows = self._draft.ground.area
        room = min(x, y, columns - x - width, rows - y - height)
        return bool(room >= numbers()["margin"])

    def fill(self, first: Cell, last: Cell, material: str) -> None:
        """Fills the rectangle between two cells, both included."""
        self._draft.edits.append(("rectangle", *self.box(first, last), material))

    def mark(self, name: str, first: Cell, last: Cell) -> None:
        """Marks the rectangle between two cells, both included."""
        self._draft.marks[name] = self.box(first, last)

    def _cell(self, cell: Cell) -> Cell:
        (x, y), (dx, dy) = self._draft.spawn, self._along
        along, across = cell
        return x + along * dx - across * dy, y + along * dy + across * dx


def _direction(draft: Draft, draws: Draws, first: Cell, last: Cell) -> _Turned:
    """Returns a random direction, if possible one with room for a rectangle."""
    ways = [_Turned(draft, along) for along in draws.shuffled("direction", BESIDE)]
    return next((way for way in ways if way.fits(first, last)), ways[0])


def make(draft: Draft, entry: Mapping[str, Any], draws: Draws) -> None:
    """Adds terrain around the start of a draft.

    Args:
      draft: The draft; gets edits and marks, which can reach beyond the map.
      entry: `what`, a name under `terrain` in `data/levels.yaml`, which has the default
        parameters, and parameters.
      draws: Keyed RNG.
    """
    kind = entry["what"]
    usual = levels()["terrain"][kind]
    given = {**usual, **{k: v for k, v in entry.items() if k != "what"}}
    chosen = {name: draws.whole(name, *ranged(value)) for name, value in given.items()}
    KINDS[kind](draft, draws, **chosen)


def _maze(draft: Draft, draws: Draws, aisle: int, gaps: int) -> None:
    """A walled square with doors around the start; marked `maze`.

    With aisles of 1 it is a perfect maze with additional gaps; with aisles of 2 it has
    concentric walls, with gaps in the inner one.
    """
    x, y = (c - MAZE // 2 for c in draft.spawn)
    wide = MAZE + 2 * CLEARED
    draft.edits.append(("rectangle", x - CLEARED, y - CLEARED, wide, wide, "grass"))
    draft.marks["maze"] = (x, y, MAZE, MAZE)
    if aisle > 1:
        _rings(draft, draws, (x, y), aisle, gaps)
        return
    seed = draws.whole("maze", 0, 2**31)
    draft.edits.append(("maze", x, y, MAZE, MAZE, "stone", QUIET, seed))
    inner = [
        (x + i, y + j)
        for i in range(1, MAZE - 1)
        for j in range(1, MAZE - 1)
        if (i + j) % 2 and not holds(draft.ground.open, (x + i, y + j))
    ]
    for cell in draws.shuffled("gaps", inner)[:gaps]:
        draft.edits.append(("set", *cell, QUIET))


def _rings(draft: Draft, draws: Draws, corner: Cell, aisle: int, gaps: int) -> None:
    """Concentric walls, with a door or gaps in each."""
    (x, y), depth, doors = corner, 0, 1
    draft.edits.append(("rectangle", x, y, MAZE, MAZE, QUIET))
    while MAZE - 2 * depth > 2 * aisle + 1:
        left, top, side = x + depth, y + depth, MAZE - 2 * depth
        draft.edits.append(("ring", left, top, side, side, "stone"))
        middle = range(1, side - 1)
        wall = [(left + i, top) for i in middle] + [(left, top + i) for i in middle]
        wall += [(left + i, top + side - 1) for i in middle]
        wall += [(left + side - 1, top + i) for i in middle]
        for cell in draws.shuffled(f"doors{depth}", wall)[:doors]:
            draft.edits.append(("set", *cell, QUIET))
        depth, doors = depth + aisle + 1, max(gaps, 1)


def _lava_field(draft: Draft, draws: Draws, length: int, bends: int) -> None:
    """A lava field around the start, with a path of one cell across it.

    The land behind it is marked `far_side`.
    """
    end = POCKET + length
    turned = _direction(
        draft, draws, (-POCKET - FLANK, -FLANK - 1), (end + 3, FLANK + 1)
    )
    turned.fill((-POCKET - FLANK, -FLANK - 1), (end, FLANK + 1), "lava")
    turned.fill((-POCKET, -POCKET), (POCKET, POCKET), QUIET)
    turned.fill((end + 1, -FLANK), (end + 3, FLANK), "grass")
    turned.mark("far_side", (end + 1, -FLANK), (end + 3, FLANK))
    at, across = POCKET, 0
    for number in range(bends):
        bend = POCKET + (number + 1) * length // (bends + 1)
        other = draws.one(f"bend{number}", [s for s in (-2, 0, 2) if s != across])
        turned.fill((at, across), (bend, across), QUIET)
        turned.fill((bend, across), (bend, other), QUIET)
        at, across = bend, other
    turned.fill((at, across), (end, across), QUIET)


def _mountain(draft: Draft, draws: Draws, thick: int, passes: int) -> None:
    """A ridge with or without passes; the land behind it is marked `far_side`."""
    turned = _direction(draft, draws, (0, -BREADTH), (BEYOND + FOOT, BREADTH))
    turned.fill((FOOT, -BREADTH), (FOOT + thick - 1, BREADTH), "stone")
    turned.fill((1 - FOOT, -FOOT), (FOOT - 1, FOOT), "grass")
    turned.fill((FOOT + thick, -FOOT), (BEYOND + FOOT, FOOT), "grass")
    turned.mark("far_side", (BEYOND, -FOOT), (BEYOND + FOOT, FOOT))
    sides = draws.shuffled("passes", range(-BREADTH + 4, BREADTH - 3))
    for across in sides[:passes]:
        turned.fill((FOOT, across), (FOOT + thick - 1, across), "path")
        for along in (FOOT - 1, FOOT + thick):  # before and behind
            turned.fill((along, across), (along, 0), "grass")


def _lake(draft: Draft, draws: Draws, radius: int) -> None:
    """A round lake with grass on its shore."""
    wide = radius + 2
    turned = _direction(draft, draws, (0, -wide), (2 * wide, wide))
    x, y, _, _ = turned.box((wide, 0), (wide, 0))
    draft.edits.append(("disc", x, y, wide, "grass"))
    draft.edits.append(("disc", x, y, radius, "water"))


#: Kind of terrain -> function that adds it.
KINDS: dict[str, Callable[..., None]] = {
    "maze": _maze,
    "lava_field": _lava_field,
    "mountain": _mountain,
    "lake": _lake,
}


# Features.


def put_feature(draft: Draft, entry: Mapping[str, Any], draws: Draws) -> None:
    """Places a feature at a distance from the start, and marks it.

    Args:
      draft: The draft; without room, the feature is added to `unplaced`.
      entry: `what`, a name of `data/features.yaml`, and `ring`, least and largest
        distance (L1) of its nearest cell.
      draws: Keyed RNG.
    """
    drawings, ring = features()[entry["what"]], ranged(entry["ring"])
    shapes = [np.array([list(row) for row in rows]).T for rows in drawings]
    shape = turned(draws.one("drawing", shapes), draws.whole("turn", 0, 7))
    corners = draws.shuffled("corner", _corners(draft, shape.shape, ring))
    near = (c for c in corners if _on_foot(draft, c, shape.shape, ring))
    if (corner := next(near, None)) is None:
        draft.unplaced.append(entry["what"])
    else:
        _draw(draft, entry["what"], corner, shape)


def _corners(draft: Draft, size: tuple[int, ...], ring: Range) -> list[Cell]:
    """Returns the corners for which the nearest cell is in the ring."""
    margin, (width, height) = numbers()["margin"], size
    columns = np.arange(margin, draft.ground.area[0] - margin - width + 1)
    rows = np.arange(margin, draft.ground.area[1] - margin - height + 1)
    (x, y), right, low = draft.spawn, columns + width - 1, rows + height - 1
    far = abs(np.clip(x, columns, right) - x)[:, None]
    far = far + abs(np.clip(y, rows, low) - y)[None]
    xs, ys = ((far >= ring[0]) & (far <= ring[1])).nonzero()
    return list(zip(columns[xs].tolist(), rows[ys].tolist()))


def _on_foot(draft: Draft, corner: Cell, size: tuple[int, ...], ring: Range) -> bool:
    """Returns whether a path without a long detour leads to it."""
    (x, y), (width, height) = corner, size
    around = draft.steps[x - 1 : x + width + 1, y - 1 : y + height + 1]
    return int(around.min(initial=FAR)) <= ring[1] + _DETOUR


def _draw(draft: Draft, name: str, corner: Cell, shape: np.ndarray) -> None:
    symbols = draft.rules.symbols["materials"]
    for dx, column in enumerate(shape.tolist()):
        dy = 0
        for symbol, run in itertools.groupby(column):
            place, long = (corner[0] + dx, corner[1] + dy), len(list(run))
            dy += long
            if symbol != _ANY:
                draft.edits.append(("rectangle", *place, 1, long, symbols[symbol]))
    width, height = shape.shape
    draft.marks[name] = (*corner, width, height)
    cells = [shift(corner, cell) for cell in cells_of(shape != _ANY)]
    nearest = min(cells, key=lambda cell: distance(cell, draft.spawn))
    draft.feature = draft.feature or nearest
