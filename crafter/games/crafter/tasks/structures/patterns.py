"""Structures of a fixed shape: templates, lines, chambers, stairs.

A template of symbols is searched for on the whole map under the eight symmetries of
the square. A symbol stands for a set of cells.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

import numpy as np

from crafter.core.grid import Cell, cells_of, mask_of
from crafter.core.regions import components
from crafter.games.crafter.tasks import tables
from crafter.games.crafter.tasks.regions import of_materials, open_mask, own_mask, was
from crafter.games.crafter.tasks.view import TaskView
from crafter.tasks.world.fields import Positive, Side
from crafter.tasks.world.structures import Match, Structure

#: Stands for any cell, and for cells outside the structure.
ANY = "?"
#: Symbols of templates -> what the player places for them.
PLACED = {"#": "stone", "T": "table", "F": "furnace", "P": "plant"}


#: Symbols of templates -> which cells they stand for; small ones not in expressions.
SYMBOLS: dict[str, Callable[[TaskView], np.ndarray]] = {
    "#": lambda view: own_mask(view, "stone"),
    ".": open_mask,
    "T": lambda view: own_mask(view, "table"),
    "F": lambda view: own_mask(view, "furnace"),
    "P": lambda view: mask_of(view.area, view.provenance.own_plants),
    "d": lambda view: view.dug,
    "m": lambda view: view.dug & was(view, *tables.zones()["mountain_materials"]),
    "r": lambda view: of_materials(view, ("path",)) & was(view, "grass", "sand"),
    "f": lambda view: SYMBOLS["#"](view) | view.dug,
}


@functools.lru_cache(maxsize=256)
def variants(rows: tuple[str, ...]) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """Returns a template under the eight symmetries of the square, each once.

    Args:
      rows: Its rows from top to bottom, all of one length.

    Returns:
      Per variant the cells (dx, dy, symbol) that are not `ANY`.
    """
    grid = np.array([list(row) for row in rows]).T  # [x, y]
    distinct = {}
    for turned in (grid, grid[::-1]):
        for turns in range(4):
            shape = np.rot90(turned, turns)
            cells = tuple(
                (x, y, str(symbol))
                for (x, y), symbol in np.ndenumerate(shape)
                if symbol != ANY
            )
            distinct[shape.shape, cells] = cells
    return tuple(distinct.values())


class Shape(Structure):
    """A structure that is a template."""

    def rows(self) -> tuple[str, ...]:
        """Returns the template, from top to bottom."""
        raise NotImplementedError

    def fits(self, symbol: str, view: TaskView) -> np.ndarray:
        """Returns which cells are what a symbol of the template stands for."""
        return SYMBOLS[symbol](view)

    def blocks(self) -> Mapping[str, int]:
        """Returns required own block -> count."""
        symbols = [symbol for row in self.rows() for symbol in row]
        counts = {what: symbols.count(symbol) for symbol, what in PLACED.items()}
        return {what: count for what, count in counts.items() if count}

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields all whole places, or else the best one."""
        wanted = {symbol for row in self.rows() for symbol in row} - {ANY}
        masks = {symbol: self.fits(symbol, view) for symbol in sorted(wanted)}
        best = Match(0.0)
        for cells in variants(self.rows()):
            counts = _counts(masks, cells, view.area)
            if counts.size == 0:
                continue
            top = int(counts.max())
            if top == len(cells):
                for corner in cells_of(counts == top):
                    yield Match(1.0, _at(cells, corner))
            elif top / len(cells) > best.share:
                best = Match(top / len(cells), _at(cells, cells_of(counts == top)[0]))
        if best.share:
            yield best


def _at(cells: tuple[tuple[int, int, str], ...], corner: Cell) -> frozenset[Cell]:
    return frozenset((corner[0] + dx, corner[1] + dy) for dx, dy, _ in cells)


def _counts(
    masks: dict[str, np.ndarray],
    cells: tuple[tuple[int, int, str], ...],
    area: Cell,
) -> np.ndarray:
    """Returns how many cells fit, for each corner where the template fits."""
    width = area[0] - max(dx for dx, _, _ in cells)
    height = area[1] - max(dy for _, dy, _ in cells)
    counts = np.zeros((max(0, width), max(0, height)), np.int16)
    if counts.size:
        for dx, dy, symbol in cells:
            counts += masks[symbol][dx : dx + width, dy : dy + height]
    return counts


class Pattern(Shape, word="pattern"):
    """A template.

    Attributes:
      template: Rows separated by `/`; `#` own stone, `.` open cell, `?` anything,
        `T` own table, `F` own furnace, `P` plant placed by the player.
    """

    spelled: ClassVar[bool] = True
    template: str

    def rows(self) -> tuple[str, ...]:
        """Returns the template, from top to bottom."""
        return tuple(self.template.split("/"))

    def __post_init__(self) -> None:
        """Raises ValueError if the template is not one."""
        rows, valid = str(self.template).split("/"), "#.TFP" + ANY
        unknown = sorted({symbol for row in rows for symbol in row} - {*valid})
        if unknown:
            raise ValueError(f"pattern: unknown symbols {unknown}; valid: {valid}.")
        if len({len(row) for row in rows}) != 1 or not "".join(rows).strip(ANY):
            raise ValueError(
                "pattern: rows must have the same length and not be all '?', got "
                f"{self.template!r}."
            )


@dataclasses.dataclass(frozen=True)
class _Row(Shape):
    symbol: ClassVar[str]
    n: Positive

    def rows(self) -> tuple[str, ...]:
        """Returns the template, from top to bottom."""
        return (self.symbol * self.n,)


class Line(_Row, word="line"):
    """Own stones in a row or column, without a gap; `n` is how many."""

    symbol = "#"


class Tunnel(_Row, word="tunnel"):
    """Dug cells in a line, where there was rock at the start; `n` is how many."""

    symbol = "m"


class Road(_Row, word="road"):
    """Path cells in a line, where there was grass or sand at the start; `n` of them."""

    symbol = "r"


class Pillar(Shape, word="pillar"):
    """An own stone whose eight neighbours are all open."""

    def rows(self) -> tuple[str, ...]:
        """Returns the template, from top to bottom."""
        return ("...", ".#.", "...")


class Stair(Shape, word="stair"):
    """Dug cells that go alternately along the two axes.

    Attributes:
      n: How many.
    """

    n: Side

    def rows(self) -> tuple[str, ...]:
        """Returns the template, from top to bottom."""
        cells = {((i + 1) // 2, i // 2) for i in range(self.n)}
        width, height = self.n // 2 + 1, (self.n - 1) // 2 + 1
        return tuple(
            "".join("d" if (x, y) in cells else ANY for x in range(width))
            for y in range(height)
        )


class Chamber(Shape, word="chamber"):
    """A block of dug cells.

    Attributes:
      w: Cells along one side.
      h: Cells along the other side.
    """

    w: Side
    h: Side

    def rows(self) -> tuple[str, ...]:
        """Returns the template, from top to bottom."""
        return ("d" * self.w,) * self.h


class Mirrored(Structure, word="mirrored"):
    """Own stones that touch, also at corners, and make up a figure with a mirror axis.

    The axis lies between two of its columns or rows, so that no stone is on it, and the
    stones are not all in one line.

    Attributes:
      n: How many stones at least.
    """

    n: Positive

    def blocks(self) -> Mapping[str, int]:
        """Returns required own block -> count."""
        return {"stone": self.n}

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the figures; what has no axis counts half."""
        figures = components(SYMBOLS["#"](view), _touching)
        for figure in sorted(map(frozenset, figures), key=min):
            flat = min(len(set(axis)) for axis in zip(*figure)) == 1
            share = min(len(figure), self.n) / self.n
            whole = not flat and any(_is_mirrored(figure, axis) for axis in (0, 1))
            yield Match(share if whole else share / 2, figure)


def _is_mirrored(figure: frozenset[Cell], axis: int) -> bool:
    """Returns whether a figure is its own mirror image, with no stone on the axis."""
    total = min(c[axis] for c in figure) + max(c[axis] for c in figure)
    flipped = {(total - x, y) if axis == 0 else (x, total - y) for x, y in figure}
    return total % 2 == 1 and flipped == figure


def _touching(cell: Cell) -> list[Cell]:
    """Returns the eight cells around a cell, and itself."""
    x, y = cell
    return [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
