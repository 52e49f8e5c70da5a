"""Shortest paths by Dijkstra's algorithm, for any game.

The search runs over states: cells of a grid, cells with a facing direction, or anything
else that is hashable. The game defines the moves from a state. With equal costs this is
a breadth-first search.

Example:
  >>> def beside(cell):
  ...     x, y = cell
  ...     if x < 3:
  ...         yield Choice(("right",), 1, (x + 1, y))
  ...     if y < 3:
  ...         yield Choice(("down",), 5, (x, y + 1))
  >>> way = next(way for way in search((0, 0), beside) if way.state == (2, 1))
  >>> way.cost, way.actions()
  (7.0, ['right', 'right', 'down'])
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

State = Any  # hashable


class Choice(NamedTuple):
    """Actions that lead from one state to another.

    Attributes:
      actions: The actions, in order.
      cost: Their cost; not negative.
      state: The resulting state.
    """

    actions: tuple[str, ...]
    cost: float
    state: State


class Path(NamedTuple):
    """Cheapest known path to a state.

    Attributes:
      cost: Total cost.
      state: The final state.
      before: The path up to the last choice; `None` at the start.
      last: The actions of the last choice.
    """

    cost: float
    state: State
    before: Path | None = None
    last: tuple[str, ...] = ()

    def actions(self) -> list[str]:
        """Returns all actions from the start; empty at the start."""
        return [action for path in self._choices_made() for action in path.last]

    def states(self) -> list[State]:
        """Returns all states, beginning with the start."""
        return [path.state for path in self._choices_made()]

    def _choices_made(self) -> list[Path]:
        paths: list[Path] = []
        path: Path | None = self
        while path is not None:
            paths.append(path)
            path = path.before
        return paths[::-1]


def search(
    start: State,
    choices: Callable[[State], Iterable[Choice]],
    longest: float = float("inf"),
) -> Iterator[Path]:
    """Yields the cheapest path to every reachable state, the cheapest first.

    Ties are broken by order of discovery.

    Args:
      start: Start state; the first path yielded ends there.
      choices: Returns the choices in a state.
      longest: The search ends after the first path that costs more.
    """
    queue: list[tuple[float, int, Path]] = [(0.0, 0, Path(0.0, start))]
    done: set[State] = set()
    count = 0
    while queue:
        _, _, path = heapq.heappop(queue)
        if path.state in done:
            continue
        done.add(path.state)
        yield path
        cost = path.cost
        if cost > longest:
            return
        for actions, price, after in choices(path.state):
            if after not in done:
                count += 1  # Breaks ties by order of discovery.
                further = Path(cost + price, after, path, actions)
                heapq.heappush(queue, (further.cost, count, further))
