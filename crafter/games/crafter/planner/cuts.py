"""The fewest cells to close so that there is no way between places.

That is a minimal cut of vertices: as many ways as there are without a common cell,
and one cell of each of them.

Source: Ford and Fulkerson, "Maximal flow through a network", 1956.
"""

from __future__ import annotations

import collections
from collections.abc import Collection, Iterator

import numpy as np

from crafter.core.grid import Cell, neighbours
from crafter.tasks.regions import holds

#: A cell that is entered (false) or left (true), so that ways may share no cell.
Node = tuple[Cell, bool]


class _Ways:
    """Ways without a common cell, from some cells to others.

    Args:
      cells: Cells that ways lead through.
      starts: Where they begin.
      fixed: Cells that ways may share.
    """

    def __init__(
        self, cells: Collection[Cell], starts: Collection[Cell], fixed: Collection[Cell]
    ) -> None:
        self._cells, self._starts, self._fixed = cells, starts, fixed
        self._flow: collections.Counter[tuple[Node, Node]] = collections.Counter()

    def search(self, end: Cell | None = None) -> dict[Node, Node]:
        """Returns what is reached, and from where, without a way too many."""
        before: dict[Node, Node] = {(c, True): (c, True) for c in self._starts}
        queue = list(before)
        for node in queue:
            new = [b for b in self._next(node) if b not in before]
            before.update(dict.fromkeys(new, node))
            queue.extend(new)
            if (end, False) in before:
                break
        return before

    def _next(self, node: Node) -> Iterator[Node]:
        cell, leaves = node
        across = (cell, False), (cell, True)
        if leaves:
            yield from ((b, False) for b in neighbours(cell) if b in self._cells)
            if self._flow[across]:
                yield across[0]
        else:
            if cell in self._fixed or not self._flow[across]:
                yield across[1]
            back = [(b, True) for b in neighbours(cell)]
            yield from (b for b in back if self._flow[b, node])

    def add(self, end: Cell) -> bool:
        """Adds a way to a cell; returns whether there was one more."""
        before, node = self.search(end), (end, False)
        if node not in before:
            return False
        while before[node] != node:
            last = before[node]
            if self._flow[node, last]:
                self._flow[node, last] -= 1
            else:
                self._flow[last, node] += 1
            node = last
        return True


def cut(
    cells: Collection[Cell],
    starts: Collection[Cell],
    end: Cell,
    fixed: Collection[Cell],
    most: int,
) -> list[Cell] | None:
    """Returns the fewest cells that part a cell from others, those nearest to these.

    Args:
      cells: Open cells.
      starts: Cells that must not lead to it any more; they stay open.
      end: The cell.
      fixed: Cells that cannot be closed, it among them.
      most: How many may be closed.

    Returns:
      The cells in order, or `None` if it takes more.
    """
    ways = _Ways(cells, starts, fixed)
    for _ in range(most + 1):
        if not ways.add(end):
            reached = ways.search()
            entered = {cell for cell, leaves in reached if not leaves}
            return sorted(cell for cell in entered if (cell, True) not in reached)
    return None


def surroundings(
    mask: np.ndarray, start: Cell, most: int, stop: Cell
) -> tuple[set[Cell], set[Cell]]:
    """Returns the cells around a cell, and those where its surroundings end.

    Args:
      mask: Which cells are open, bool of shape `area`.
      start: The cell.
      most: How many cells there are at most; what lies beyond is an end.
      stop: A cell that is an end, too.
    """
    cells, queue = {start}, [start]
    for cell in queue:
        if cell == stop or len(cells) > most:
            continue
        new = [b for b in neighbours(cell) if b not in cells and holds(mask, b)]
        cells.update(new)
        queue.extend(new)
    return cells, {stop} & cells | set(queue[most:])
