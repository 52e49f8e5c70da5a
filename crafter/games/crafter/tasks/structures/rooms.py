"""Enclosing structures: huts, houses, fences, pens; and arrangements of blocks."""

from __future__ import annotations

import abc
import itertools
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

import numpy as np

from crafter.core.grid import Cell, cells_of, distance, mask_of, neighbours
from crafter.core.regions import Region, around, grown, holds, region
from crafter.games.crafter.tasks.regions import open_mask, own_mask
from crafter.games.crafter.tasks.view import CREATURES, TaskView
from crafter.tasks.world.common import Material
from crafter.tasks.world.fields import Choice, Count, Positive, Words
from crafter.tasks.world.structures import Match, Structure

Wall = Annotated[str, Words("material", lambda rules: (*rules.materials, "any"))]


def own_in(view: TaskView, cells: frozenset[Cell], material: str | None = None) -> int:
    """Returns how many of the cells are own blocks, of a material or of any."""
    mask = own_mask(view, material)
    return sum(holds(mask, cell) for cell in cells)


def own_cells(view: TaskView, material: str | None = None) -> list[Cell]:
    """Returns the own blocks, of a material or of any, in order."""
    return cells_of(own_mask(view, material))


def _starts(view: TaskView, mask: np.ndarray, own: int) -> list[Cell]:
    """Returns cells among which there is one of every region worth looking at."""
    return cells_of(mask & grown(view.own > 0) if own else mask)


def _small_regions(mask: np.ndarray, starts: list[Cell], most: int) -> Iterator[Region]:
    covered: set[Cell] = set()
    for start in starts:
        if start not in covered:
            room = region(mask, start, most)
            if room is not None:
                covered |= room.cells
                yield room


def _part(have: int, need: int) -> float:
    return 1.0 if have >= need else have / need


class _Room(abc.ABC):
    """A region of few cells that holds no creature but perhaps the player."""

    mobile: ClassVar[bool] = True
    lo: Positive
    hi: Positive
    own: Count
    inside: Count

    @abc.abstractmethod
    def _walls(self, view: TaskView, room: Region) -> float:
        """Returns how much of what is asked of the boundary holds, 0 to 1."""

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the regions of the right size, by how much of the walls is own."""
        mask = open_mask(view)
        here = [view.player.pos]
        starts = here if self.inside else _starts(view, mask, self.own)
        creatures = view.creatures(*CREATURES)
        for room in _small_regions(mask, starts, self.hi):
            if len(room.cells) < self.lo or room.cells & creatures:
                continue
            share = self._walls(view, room)
            yield Match(share, room.cells | room.boundary)


class Enclosure(_Room, Structure, word="enclosure"):
    """A region of few cells, anywhere.

    Attributes:
      lo: Least number of cells.
      hi: Largest number of cells.
      own: Least number of own blocks in the boundary.
      inside: 1 if the player has to be in it.
      wall: A material of which there have to be blocks in the boundary; of those that
        the player can place, only its own count.
      n: Least number of these.
    """

    lo: Positive = 1
    hi: Positive = 12
    own: Count = 0
    inside: Count = 0
    wall: Wall = "any"
    n: Count = 0

    def _walls(self, view: TaskView, room: Region) -> float:
        share = _part(own_in(view, room.boundary), self.own)
        if not self.n:
            return share
        return (share + _part(self._of_wall(view, room), self.n)) / 2

    def _of_wall(self, view: TaskView, room: Region) -> int:
        """Returns how many blocks of the boundary are of the material asked for."""
        if self.wall in view.rules.place:
            return own_in(view, room.boundary, self.wall)
        return sum(view.material(x, y) == self.wall for x, y in room.boundary)

    def __post_init__(self) -> None:
        """Raises ValueError if an argument is wrong."""
        super().__post_init__()
        if (self.wall == "any") != (self.n == 0):
            raise ValueError(
                f"{self.word}: wall and n must be given together, got {self.wall!r} "
                f"and {self.n}."
            )


class Hut(_Room, Structure, word="hut"):
    """An enclosure whose walls are all own blocks.

    Attributes:
      lo: Least number of cells.
      hi: Largest number of cells.
      inside: 1 if the player has to be in it.
    """

    own: ClassVar[int] = 1  # type: ignore[misc]
    lo: Positive = 1
    hi: Positive = 12
    inside: Count = 0

    def _walls(self, view: TaskView, room: Region) -> float:
        return _part(own_in(view, room.boundary), len(room.boundary))


class DoorHouse(Structure, word="door_house"):
    """A room with one door: closing a single open cell would enclose it.

    The door has cells that are not open on two opposite sides. What lies beyond it is
    larger than the room may be.

    Attributes:
      lo: Least number of cells.
      hi: Largest number of cells.
      own: Least number of own blocks in the boundary.
      inside: 1 if the player has to be in it.
    """

    mobile: ClassVar[bool] = True
    lo: Positive
    hi: Positive
    own: Count = 0
    inside: Count = 0

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the rooms with a door."""
        mask = open_mask(view)
        creatures = view.creatures(*CREATURES)
        for door in self._doors(view, mask):
            for start in neighbours(door):
                if not holds(mask, start):
                    continue
                room = region(mask, start, self.hi, closed={door})
                if room is None or room.cells & creatures:
                    continue
                inside = not self.inside or view.player.pos in room.cells
                if inside and len(room.cells) >= self.lo:
                    boundary = room.boundary - {door}
                    share = _part(own_in(view, boundary), self.own)
                    yield Match(share, room.cells | boundary)

    def _doors(self, view: TaskView, mask: np.ndarray) -> Iterator[Cell]:
        """Yields open cells between two that are not, at the end of a large region."""
        closed = np.pad(~mask, 1, constant_values=True)
        across = closed[:-2, 1:-1] & closed[2:, 1:-1]
        along = closed[1:-1, :-2] & closed[1:-1, 2:]
        doors = mask & (across | along)
        if self.own:
            doors &= around(view.own > 0, (2 * self.hi + 3,) * 2) > 0
        for door in cells_of(doors):
            if region(mask, door, self.hi) is None:
                yield door


class Fenced(Structure, word="fenced"):
    """A living plant beside which there is no open cell but the player's own.

    Attributes:
      own: 1 if the player has to have planted it.
    """

    mobile: ClassVar[bool] = True
    own: Count = 1

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the plants, by how much of the fence there is."""
        mask = open_mask(view)
        mask[view.player.pos] = False
        plants = view.creatures("plant")
        if self.own:
            plants &= view.provenance.own_plants
        for plant in sorted(plants):
            beside = neighbours(plant)
            shut = sum(not holds(mask, cell) for cell in beside)
            yield Match(shut / len(beside), frozenset((plant, *beside)))


class Pen(Structure, word="pen"):
    """Living creatures shut up together, without the player.

    Attributes:
      kind: Their kind, or `any`.
      n: How many at least.
      hi: Largest number of cells of their region.
      cell: Least number of cells of their region.
    """

    mobile: ClassVar[bool] = True
    kind: Annotated[str, Choice((*CREATURES, "any"))]
    n: Positive
    hi: Positive
    cell: Positive = 1

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the pens, by how many creatures there are."""
        if not view.own.any():
            return
        mask = open_mask(view)
        kinds = CREATURES if self.kind == "any" else (self.kind,)
        cells = view.creatures(*kinds)
        for room in _small_regions(
            mask | mask_of(view.area, cells), sorted(cells), self.hi
        ):
            if len(room.cells) < self.cell or view.player.pos in room.cells:
                continue
            if own_in(view, room.boundary):
                share = _part(len(room.cells & cells), self.n)
                yield Match(share, room.cells | room.boundary)


class Workshop(Structure, word="workshop"):
    """A cell with an own table and an own furnace near enough for crafting."""

    def blocks(self) -> Mapping[str, int]:
        """Returns required own block -> count."""
        return {"table": 1, "furnace": 1}

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the pairs of stations; single ones count half."""
        tables, furnaces = (own_cells(view, name) for name in ("table", "furnace"))
        reach = 2 * view.rules.world["nearby"]
        for a in tables:
            for b in furnaces:
                if max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= reach:
                    yield Match(1.0, frozenset((a, b)))
        for cell in (*tables, *furnaces):
            yield Match(0.5, frozenset((cell,)))


class Apart(Structure, word="apart"):
    """Two own blocks of a material, far from each other.

    Attributes:
      material: What they are, such as `table`.
      far: Least number of steps (L1) between them.
    """

    material: Material
    far: Positive

    def blocks(self) -> Mapping[str, int]:
        """Returns required own block -> count."""
        return {self.material: 2}

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the pairs, by how far they are apart; a single block counts half."""
        cells = own_cells(view, self.material)
        for cell in cells[:1]:
            yield Match(0.5, frozenset((cell,)))
        for a, b in itertools.combinations(cells, 2):
            yield Match(0.5 + 0.5 * _part(distance(a, b), self.far), frozenset((a, b)))


class Plot(Structure, word="plot"):
    """Living plants of the player's close together.

    Attributes:
      n: How many at least.
      w: Cells along one side of the window that holds them.
      h: Cells along the other side.
    """

    n: Positive
    w: Positive
    h: Positive

    def blocks(self) -> Mapping[str, int]:
        """Returns required own block -> count."""
        return {"plant": self.n}

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the windows that hold plants."""
        plants = view.provenance.own_plants
        for w, h in {(self.w, self.h), (self.h, self.w)}:
            for left, _ in sorted(plants):
                for _, top in sorted(plants):
                    enclosed = frozenset(
                        p
                        for p in plants
                        if 0 <= p[0] - left < w and 0 <= p[1] - top < h
                    )
                    if enclosed:
                        yield Match(_part(len(enclosed), self.n), enclosed)


class Garden(Structure, word="garden"):
    """An own table with own plants around it.

    Attributes:
      n: How many of its eight neighbours at least.
    """

    n: Positive = 3

    def blocks(self) -> Mapping[str, int]:
        """Returns required own block -> count."""
        return {"plant": self.n, "table": 1}

    def matches(self, view: TaskView) -> Iterator[Match]:
        """Yields the tables that have plants around."""
        plants = view.provenance.own_plants
        for x, y in own_cells(view, "table"):
            near = (p for p in plants if max(abs(p[0] - x), abs(p[1] - y)) == 1)
            around = frozenset(near)
            share = (1 + min(len(around), self.n)) / (1 + self.n)
            yield Match(share, around | {(x, y)})
