"""Structures that change the terrain: crossings, fillings, piers, breakthroughs."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from crafter.core.grid import Cell, cells_of, neighbours
from crafter.core.regions import FAR, around, components, waves
from crafter.games.crafter.tasks.regions import of_materials, was
from crafter.games.crafter.tasks.structures.patterns import SYMBOLS, Shape
from crafter.games.crafter.tasks.view import TaskView
from crafter.tasks.world.common import Material
from crafter.tasks.world.fields import Count, Positive
from crafter.tasks.world.structures import Match, Structure
from crafter.tasks.world.view import recalled


def _original_regions(view: TaskView) -> dict[Cell, frozenset[Cell]]:
    """Returns open cell of the start -> the region that it belonged to."""
    walkable = was(view, *view.rules.walkable)

    def regions() -> dict[Cell, frozenset[Cell]]:
        parts = map(frozenset, components(walkable))
        return {cell: part for part in parts for cell in part}

    by_cell: dict[Cell, frozenset[Cell]] = recalled(
        view, _original_regions, walkable.tobytes(), regions
    )
    return by_cell


def _shores(view: TaskView, cells: set[Cell], smallest: int) -> list[frozenset[Cell]]:
    """Returns the regions of the start that touch some cells, each once."""
    region_of = _original_regions(view)
    touched = sorted({b for cell in cells for b in neighbours(cell)} - cells)
    regions = dict.fromkeys(region_of[cell] for cell in touched if cell in region_of)
    return [region for region in regions if len(region) >= smallest]


class _Passage(abc.ABC):
    """Dug cells that connect two initially separate regions."""

    n: Positive
    least: Positive
    across: Count

    @abc.abstractmethod
    def _cells(self, view: TaskView) -> np.ndarray:
        """Returns the cells that can be part of it."""

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields all parts that were dug."""
        for part in components(self._cells(view)):
            shores = _shores(view, part, self.least)
            done = [len(part) >= self.n, len(shores) >= 2]
            if self.across:  # the player is on another shore than at the start
                here, start = view.player.pos, view.start_pos
                over = any(here in shore and start not in shore for shore in shores)
                done.append(done[1] and over)
            parts = min(len(part), self.n) / self.n + sum(done[1:])
            share = 1.0 if all(done) else min(parts / len(done), 0.99)
            yield Match(share, frozenset(part))


class Crossing(_Passage, Structure, word="crossing"):
    """Dug or bridged cells of a material that connect initially separate regions.

    Attributes:
      material: Initial material, such as `water`.
      n: Least number of cells.
      across: 1 if the player has to be in another region than at the start.
    """

    mobile: ClassVar[bool] = True
    least: ClassVar[int] = 1  # type: ignore[misc]
    material: Material
    n: Positive
    across: Count = 0

    def _cells(self, view: TaskView) -> np.ndarray:
        return view.dug & was(view, self.material)


class Breakthrough(_Passage, Structure, word="breakthrough"):
    """Cells dug through a mountain that connect initially separate regions.

    Attributes:
      least: Least initial size of each region.
    """

    n: ClassVar[int] = 1  # type: ignore[misc]
    across: ClassVar[int] = 0  # type: ignore[misc]
    least: Positive = 6

    def _cells(self, view: TaskView) -> np.ndarray:
        return SYMBOLS["m"](view)


class Fill(Shape, word="fill"):
    """Own stones or dug cells in place of an initial material.

    Attributes:
      material: Initial material, such as `water`.
      n: Least number of cells.
      line: 1 if they have to form a line; otherwise they have to be connected.
    """

    material: Material
    n: Positive
    line: Count = 0

    def rows(self) -> tuple[str, ...]:
        """Returns the template, from top to bottom."""
        return ("f" * self.n,)

    def fits(self, symbol: str, view: TaskView) -> np.ndarray:
        """Returns which cells are filled."""
        return super().fits(symbol, view) & was(view, self.material)

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the places that are filled."""
        if self.line:
            yield from super().matches(view)
            return
        for part in components(self.fits("f", view)):
            yield Match(min(len(part) / self.n, 1.0), frozenset(part))


class Emptied(Structure):
    """An initial group of cells that is gone completely."""

    material: Material
    least: Positive
    most: Positive

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the groups of the right size of which a cell was replaced."""
        cells = was(view, self.material)
        gone = cells & (view.materials != view.original)
        if not gone.any():
            return
        for part in components(cells):
            replaced = sum(bool(gone[cell]) for cell in part)
            if replaced and self.least <= len(part) <= self.most:
                yield Match(replaced / len(part), frozenset(part))


class PondFilled(Emptied, word="pond_filled"):
    """An initial pond, all cells of which were replaced.

    Attributes:
      most: Largest initial size.
    """

    material: ClassVar[str] = "water"  # type: ignore[misc]
    least: ClassVar[int] = 1  # type: ignore[misc]
    most: Positive = 6


class PoolSealed(Emptied, word="pool_sealed"):
    """An initial pool of lava, all cells of which were replaced.

    Attributes:
      most: Largest initial size.
    """

    material: ClassVar[str] = "lava"  # type: ignore[misc]
    least: ClassVar[int] = 1  # type: ignore[misc]
    most: Positive = 4


class Cleared(Emptied, word="cleared"):
    """An initial group of cells of a material, all of which are gone.

    Attributes:
      material: Their material, such as `tree` or `coal`.
      least: Least initial size.
      most: Largest initial size.
    """

    builds: ClassVar[bool] = False
    material: Material
    least: Positive
    most: Positive


class Pier(Structure, word="pier"):
    """A chain of dug cells out into the water.

    Its last cell is `n` steps from the initial land, along the chain, and has water on
    at least two sides.

    Attributes:
      n: Least number of cells.
    """

    n: Positive

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the chains, by their last cells."""
        lake = was(view, "water")
        far = waves((view.dug & lake).astype(np.int16), ~lake)
        chain = (far > 0) & (far < FAR)
        water = of_materials(view, ("water",))
        beside = around(water, (3, 1)) + around(water, (1, 3))
        ends = far[chain & (far >= self.n) & (beside >= 2)]
        if ends.size:
            yield Match(1.0, frozenset(cells_of(chain & (far <= ends.min()))))
        elif chain.any():
            share = min(int(far[chain].max()) / (self.n + 1), 0.99)
            yield Match(share, frozenset(cells_of(chain)))
