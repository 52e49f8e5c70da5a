"""Methods that go along routes: marches, squares, circles, ways around lakes."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator

import numpy as np

from crafter.core.grid import Cell, shift
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.moves import always, explore, go, go_to, learn, wait
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.ways import costs_from, prices
from crafter.tasks import routes
from crafter.tasks.conditions import Condition

#: Of many places for a route, so many of the nearest are looked at.
FEW = 200
#: So many more cells are looked at where none of those known will do.
FRESH = 60
#: What a cell of a route that is not open yet costs in addition, in steps.
HINDRANCE = 6.0


def along(me: Actor, condition: Condition) -> Plan:
    """Goes so that a condition on the route comes to hold.

    Raises:
      Unsolved: If there is no place for it.
    """
    if isinstance(condition, routes.Still):
        yield from wait(me, condition.n)
    elif isinstance(condition, routes.Turned):
        yield from _turn_around(me, condition.n)
    elif isinstance(condition, routes.Marched):
        yield from _march(me, condition)
    elif isinstance(condition, routes.Squared):
        yield from _square(me, condition)
    elif isinstance(condition, routes.Circled):
        yield from _circle(me, condition)
    elif isinstance(condition, routes.Rounded):
        yield from _round(me, condition)
    else:
        raise Unsolved("no_method", str(condition))


def _turn_around(me: Actor, n: int) -> Plan:
    """Turns, or moves, in the directions that it has not faced lately."""
    for _ in me.moves:
        known = {pose.facing for pose in me.view.trail[1:][1 - n :]}
        left = [step for step in me.moves if step not in known]
        if not left:
            return
        # There and back again, rather than away.
        opposite = (-me.facing[0], -me.facing[1])
        yield me.moves[opposite if opposite in left else left[0]]


# Lines and squares.


def _march(me: Actor, condition: routes.Marched) -> Plan:
    """Goes where there is room ahead, and then straight on."""
    trail = me.view.trail
    done = routes.marched(trail)
    step = me.facing
    if not done or not _clear(me, me.pos, step, condition.n - done):
        step = yield from _to_runway(me, condition.n)
    for _ in range(condition.n):
        if condition.holds(me.view) or not me.free(shift(me.pos, step)):
            return
        yield me.moves[step]


def _clear(me: Actor, start: Cell, step: Cell, n: int) -> bool:
    return all(me.free(shift(start, step, far)) for far in range(1, n + 1))


def _to_runway(me: Actor, n: int) -> Plan:
    """Goes to the start of a straight line of free cells; returns its direction."""
    reach = costs_from(me, prices(me))
    for cell in sorted(reach, key=lambda c: (reach[c], c)):
        for step in me.moves:
            if _clear(me, cell, step, n):
                yield from go_to(me, cell)
                return step
    raise Unsolved("no_site")


def _square(me: Actor, condition: routes.Squared) -> Plan:
    """Goes from corner to corner of the square that takes the fewest steps."""
    reach = costs_from(me, prices(me))
    best: tuple[float, list[Cell]] | None = None
    for first in itertools.islice(sorted(reach, key=lambda c: (reach[c], c)), FEW):
        for turn in routes.square_turns(condition.n):
            corners = [shift(first, offset) for offset in turn]
            cost = reach[first] + _trouble(me, corners)
            if all(c in reach for c in corners) and (best is None or cost < best[0]):
                best = cost, corners
    if best is None:
        raise Unsolved("no_site")
    for corner in best[1]:
        yield from go_to(me, corner)


def _trouble(me: Actor, corners: list[Cell]) -> float:
    """Returns what is in the way along the sides of a square."""
    sides = {cell for a, b in zip(corners, corners[1:]) for cell in _between(a, b)}
    return HINDRANCE * sum(not me.free(cell) and cell != me.pos for cell in sides)


def _between(a: Cell, b: Cell) -> Iterator[Cell]:
    for x in range(min(a[0], b[0]), max(a[0], b[0]) + 1):
        for y in range(min(a[1], b[1]), max(a[1], b[1]) + 1):
            yield x, y


# Around something.


def _circle(me: Actor, condition: routes.Circled) -> Plan:
    """Goes to all cells around the thing for which it takes the fewest steps."""
    if not me.cells(condition.what):
        yield from explore(me, lambda: bool(me.cells(condition.what)))
    middle = _middle(me, condition.what)
    while middle is None and me.unknown.any():
        yield from learn(me, FRESH)
        middle = _middle(me, condition.what)
    if middle is None:
        raise Unsolved("no_site")
    ring = _ring(middle)
    while left := {c for c in ring if not me.view.visited[c]}:
        yield from go(me, always(left))


def _middle(me: Actor, what: str) -> Cell | None:
    """Returns the nearest thing around which the player can go."""
    reach = costs_from(me, prices(me))
    best, least = None, float("inf")
    for middle in sorted(me.cells(what)):
        left = [c for c in _ring(middle) if not me.inside(c) or not me.view.visited[c]]
        if all(c in reach for c in left) and left:
            hindered = HINDRANCE * sum(not me.open(c) for c in left)
            cost = min(reach[c] for c in left) + hindered + len(left)
            if cost < least:
                best, least = middle, cost
    return best


def _ring(middle: Cell) -> list[Cell]:
    around = (-1, 0, 1)
    return [shift(middle, (x, y)) for x in around for y in around if x or y]


def _round(me: Actor, condition: routes.Rounded) -> Plan:
    """Goes to the sides of the lake that takes the fewest steps."""
    sides = _sides(me, condition)
    while sides is None:
        yield from learn(me, FRESH)
        sides = _sides(me, condition)
    while left := [cells for cells in sides if not _been(me, cells)]:
        nearest = set().union(*left)
        yield from go(me, always(nearest))


def _been(me: Actor, cells: Collection[Cell]) -> bool:
    return any(me.view.visited[cell] for cell in cells)


def _sides(me: Actor, condition: routes.Rounded) -> list[set[Cell]] | None:
    """Returns what can be reached of each side of the best lake; `None` for none yet.

    Raises:
      Unsolved: If there is none, and all is known.
    """
    reach = costs_from(me, prices(me))
    found = []
    for lake in condition.lakes(me.view):
        masks = routes.shores(lake, me.view)
        sides = [_reached(mask, reach) for mask in masks]
        left = [cells for cells in sides if not _been(me, cells)]
        if all(sides) and left:
            cost = min(reach[c] for cells in left for c in cells)
            found.append((cost + 2 * len(lake) ** 0.5, sorted(lake)[0], sides))
    if found:
        return min(found)[2]
    if not me.unknown.any():
        raise Unsolved("no_target")
    return None


def _reached(mask: np.ndarray, reach: dict[Cell, float]) -> set[Cell]:
    xs, ys = mask.nonzero()
    return {cell for cell in zip(xs.tolist(), ys.tolist()) if cell in reach}
