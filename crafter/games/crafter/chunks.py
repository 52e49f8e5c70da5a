"""Chunks: the rectangles of a map in which creatures spawn and despawn.

Defines which chunk a cell belongs to. Chunks are numbered from the top left, x outer
and y inner.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any


class ChunkGrid:
    """Division of a map into chunks; those at the far edges may be smaller.

    Args:
      area: Map size (x, y) in cells.
      size: Size of a chunk (x, y) in cells.

    Attributes:
      columns: Number of chunks along x.
      rows: Number of chunks along y.
      count: Total number of chunks.

    Example:
      >>> grid = ChunkGrid((64, 64), (12, 12))
      >>> grid.number(13, 5), grid.bounds(6)
      (6, (12, 24, 0, 12))
    """

    def __init__(self, area: tuple[int, int], size: tuple[int, int]) -> None:
        self._area, self._size = area, size
        self.columns, self.rows = (-(-a // s) for a, s in zip(area, size))
        self.count = self.columns * self.rows

    def number(self, x: Any, y: Any) -> Any:
        """Returns the number of the chunk of a cell, or of arrays of cells."""
        return x // self._size[0] * self.rows + y // self._size[1]

    def corner(self, number: int) -> tuple[int, int]:
        """Returns the cell (xmin, ymin) of a chunk."""
        column, row = divmod(number, self.rows)
        return column * self._size[0], row * self._size[1]

    def bounds(self, number: int) -> tuple[int, int, int, int]:
        """Returns (xmin, xmax, ymin, ymax); maxima are exclusive."""
        xmin, ymin = self.corner(number)
        xmax = min(xmin + self._size[0], self._area[0])
        ymax = min(ymin + self._size[1], self._area[1])
        return xmin, xmax, ymin, ymax


@functools.lru_cache(maxsize=8)
def cell_numbers(area: tuple[int, int], size: tuple[int, int]) -> tuple[int, ...]:
    """Returns the number of the chunk of every cell, x outer and y inner.

    Args:
      area: Map size (x, y) in cells.
      size: Size of a chunk (x, y) in cells.
    """
    number = ChunkGrid(area, size).number
    return tuple(number(x, y) for x in range(area[0]) for y in range(area[1]))


class Chunk:
    """A rectangle of the map with the objects in it.

    Attributes:
      bounds: (xmin, xmax, ymin, ymax); maxima are exclusive.
      members: The objects in insertion order (keys of a dict). An object that leaves
        and returns moves to the end.
      space: Number of cells per material id.
    """

    def __init__(self, bounds: tuple[int, int, int, int], space: list[int]) -> None:
        self.bounds = bounds
        self.members: dict[Any, None] = {}
        self.space = space
        self._population: dict[str, int] = {}

    def __iter__(self) -> Iterator[Any]:
        """Yields the members; in the published package a chunk is a set of them."""
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __contains__(self, obj: Any) -> bool:
        return obj in self.members

    def add(self, obj: Any) -> None:
        """Appends an object to the members."""
        self.members[obj] = None
        self._population[obj.kind] = self._population.get(obj.kind, 0) + 1

    def remove(self, obj: Any) -> None:
        """Removes an object from the members."""
        del self.members[obj]
        self._population[obj.kind] -= 1

    def population(self, kind: str) -> int:
        """Returns the number of members of a kind."""
        return self._population.get(kind, 0)

    def of_kind(self, kind: str) -> list[Any]:
        """Returns the members of a kind in member order."""
        return [obj for obj in self.members if obj.kind == kind]
