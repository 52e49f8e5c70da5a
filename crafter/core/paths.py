"""Shortest paths by Dijkstra's algorithm, in any game.

The search runs over states: cells of a grid, cells with a facing direction, or anything
else that is hashable. A game says which choices there are in a state. With equal costs
this is a breadth-first search.

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

State = Any  # that a dictionary can hold as a key


class Choice(NamedTuple):
    """Moves that are possible in a state.

    Attributes:
      actions: The actions, in order.
      cost: What they cost; not negative.
      state: The state after them.
    """

    actions: tuple[str, ...]
    cost: float
    state: State


class Way(NamedTuple):
    """Cheapest known way to a state.

    Attributes:
      cost: What all actions cost together.
      state: Where they lead.
      before: The way up to the last choice; `None` at the start.
      last: The actions of the last choice.
    """

    cost: float
    state: State
    before: Way | None = None
    last: tuple[str, ...] = ()

    def actions(self) -> list[str]:
        """Returns all actions from the start; none if it is the start."""
        return [action for way in self._ways() for action in way.last]

    def states(self) -> list[State]:
        """Returns all states, from the start on."""
        return [way.state for way in self._ways()]

    def _ways(self) -> list[Way]:
        ways: list[Way] = []
        way: Way | None = self
        while way is not None:
            ways.append(way)
            way = way.before
        return ways[::-1]


def search(
    start: State,
    choices: Callable[[State], Iterable[Choice]],
    longest: float = float("inf"),
) -> Iterator[Way]:
    """Yields the cheapest way to every state, the cheapest first.

    Of ways that cost the same, the one found first comes first.

    Args:
      start: Where to begin; the first way yielded leads nowhere else.
      choices: Called with a state; returns what can be done there.
      longest: The search ends after the first way that costs more.
    """
    queue: list[tuple[float, int, Way]] = [(0.0, 0, Way(0.0, start))]
    done: set[State] = set()
    count = 0
    while queue:
        _, _, way = heapq.heappop(queue)
        if way.state in done:
            continue
        done.add(way.state)
        yield way
        cost = way.cost
        if cost > longest:
            return
        for actions, price, after in choices(way.state):
            if after not in done:
                count += 1  # Makes equal costs first come, first served.
                further = Way(cost + price, after, way, actions)
                heapq.heappush(queue, (further.cost, count, further))
