"""Shortest paths over a grid whose cells cost something to enter.

This finds what `crafter.core.paths.search` finds, in the same order, and is a second
search for the sake of speed: cells are numbers and costs a list, so that a whole map of
64 x 64 cells takes about a quarter of the time.

Example:
  >>> search = GridSearch((0, 0), [[1, 5], [1, 1]])
  >>> list(search.ways())
  [((0, 0), 0.0), ((1, 0), 1.0), ((1, 1), 2.0), ((0, 1), 5.0)]
  >>> search.way((1, 1))
  [(1, 0), (1, 1)]
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Sequence

from crafter.core.grid import BESIDE, Cell, distance

NEVER = float("inf")


class GridSearch:
    """What can be reached from a cell.

    Args:
      start: Where to begin.
      price: What entering each cell costs, by column; not negative, and infinite where
        it cannot be entered.
    """

    def __init__(self, start: Cell, price: Sequence[Sequence[float]]) -> None:
        self._height = len(price[0]) + 2
        edge = [NEVER] * self._height
        columns = ([NEVER, *column, NEVER] for column in price)
        self._price = list(itertools.chain(edge, *columns, edge))
        self._start = self._number(start)
        self._before: dict[int, int] = {}

    def _number(self, cell: Cell) -> int:
        return (cell[0] + 1) * self._height + cell[1] + 1

    def _cell(self, number: int) -> Cell:
        return number // self._height - 1, number % self._height - 1

    def ways(
        self, longest: float = NEVER, aim: Cell | None = None
    ) -> Iterator[tuple[Cell, float]]:
        """Yields cells and what it costs to go there, the cheapest first.

        Of cells that cost the same, the one found first comes first.

        Args:
          longest: It ends after the first way that costs more.
          aim: Where to look first, by A*: for this cell, if no price is below 1, the
            cost is still the least, but other cells come in another order.
        """
        steps = [dx * self._height + dy for dx, dy in BESIDE]
        price, before, cell_of = self._price, self._before, self._cell
        least = [NEVER] * len(price)
        least[self._start] = 0.0
        done = bytearray(len(price))
        queue = [(0.0, 0, self._start)]
        count, left = 0, 0
        while queue:
            _, _, here = heapq.heappop(queue)
            if done[here]:
                continue
            done[here] = True
            cost = least[here]
            yield cell_of(here), cost
            if cost > longest:
                return
            for step in steps:
                beside = here + step
                total = cost + price[beside]
                if total < least[beside]:
                    least[beside], before[beside] = total, here
                    if aim is not None:
                        left = distance(cell_of(beside), aim)
                    count += 1  # Makes equal costs first come, first served.
                    heapq.heappush(queue, (total + left, count, beside))

    def way(self, cell: Cell) -> list[Cell]:
        """Returns the cells of the way to one that `ways` found, the start left out."""
        number, way = self._number(cell), []
        while number != self._start:
            way.append(self._cell(number))
            number = self._before[number]
        return way[::-1]
