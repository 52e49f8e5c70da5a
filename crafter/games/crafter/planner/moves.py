"""Methods that move: go, face, travel, explore, stay."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from crafter.core.grid import Cell, distance, neighbours, shift
from crafter.games.crafter.planner.actor import Actor, Plan, direction
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.ways import NEVER, Price, prices, way_to

#: A way is thought over after so many cells, since creatures move.
STRETCH = 8
#: How often to wait for a way that creatures block, in steps.
PATIENCE = 12
#: Of many cells to face, so many are looked at first.
FEW = 60
#: How far to go around a cell that could not be entered, each time.
DETOUR = 6.0

Cells = Callable[[], Collection[Cell]]


def always(cells: Collection[Cell]) -> Cells:
    """Returns a function that gives the same cells at all times."""
    return lambda: cells


def act(me: Actor, action: str) -> Plan:
    """Takes an action, if nothing forbids it.

    Raises:
      Unsolved: If it is forbidden.
    """
    if not me.may(action):
        raise Unsolved("violated", action)
    yield action


def wait(me: Actor, steps: int = 1) -> Plan:
    """Does nothing for some steps."""
    for _ in range(steps):
        yield "noop"


def some(plan: Plan, steps: int) -> Plan:
    """Takes the first few actions of a plan."""
    yield from itertools.islice(plan, steps)


def enter(me: Actor, cell: Cell) -> Plan:
    """Goes to a cell beside, through what can be dug or filled; or gives up."""
    start = me.pos
    for _ in range(8):
        if me.pos != start:
            return
        action = _toward(me, cell)
        if action is None:
            return
        yield action


def _toward(me: Actor, cell: Cell) -> str | None:
    """Returns the next action to enter a cell beside; `None` if it is no use."""
    step = direction(me.pos, cell)
    if step not in me.moves:
        return None  # something more urgent has led away
    thing = me.thing(cell)
    if thing is not None:
        return "noop" if thing.kind == "arrow" else None
    if me.open(cell):
        return me.moves[step]
    if me.material(cell) in me.rules.deadly:
        return None
    if me.facing != step:
        return me.moves[step]
    if me.can_dig(cell):
        return "do"
    return "place_stone" if me.material(cell) in me.fillable() else None


def go(
    me: Actor,
    aims: Cells,
    dig: bool = True,
    bridge: bool = True,
    extra: dict[Cell, float] | None = None,
) -> Plan:
    """Goes to the nearest of some cells.

    Args:
      me: Who goes.
      aims: Returns the cells; asked again on the way.
      dig: Whether it may dig and cut its way.
      bridge: Whether it may fill water.
      extra: What being at an aim costs besides.

    Raises:
      Unsolved: If there is no way.
    """
    waited, stuck = 0, _Stuck()
    while True:
        cells = aims()
        if me.pos in cells and not (extra or {}).get(me.pos):
            return
        way = way_to(me, cells, stuck.added(prices(me, dig, bridge)), extra)
        if way is None:
            waited += 1
            if not cells or waited > PATIENCE or not _crowded(me):
                raise Unsolved("unreachable" if cells else "no_target")
            yield "noop"
            continue
        if not way:
            return
        for cell in way[:STRETCH]:
            before = me.pos
            if distance(before, cell) != 1:
                break
            yield from enter(me, cell)
            if me.pos != cell:
                stuck[cell] += 1
                break


class _Stuck(collections.Counter[Cell]):
    """How often a cell could not be entered, which makes it dearer.

    Without it a creature that stays where it is, and is in the way only when it is
    near, would send the player to and fro.
    """

    def added(self, price: Price) -> Price:
        """Returns prices of cells with what is known of these; changes them."""
        for (x, y), count in self.items():
            price[x][y] += DETOUR * count
        return price


def _crowded(me: Actor) -> bool:
    """Returns whether a creature is near, which may be what blocks the way."""
    near = me.things("cow", "zombie", "skeleton", "arrow")
    return bool(near) and distance(near[0].pos, me.pos) <= 4


def face(me: Actor, targets: Cells, dig: bool = True, bridge: bool = True) -> Plan:
    """Goes where it faces the nearest of some cells.

    A cell that can be walked on is faced by walking towards it, so it takes two cells
    before it in a line.

    Raises:
      Unsolved: If there is no way.
    """
    waited, tried, stuck = 0, FEW, _Stuck()
    while me.target not in (cells := targets()):
        cells = _nearest(me, cells, tried)
        stands = _stands(me, cells)
        if me.pos in stands and _ready(me, stands[me.pos]):
            yield from _turn(me, stands[me.pos])
            continue
        price = stuck.added(prices(me, dig, bridge))
        _close(me, price, cells)
        extra = {c: float(max(0, len(t) - 1)) for c, t in stands.items()}
        way = way_to(me, stands, price, extra)
        if way is None and len(cells) == tried:
            tried *= 100
            continue
        if way is None:
            waited += 1
            if not cells or waited > PATIENCE or not _crowded(me):
                raise Unsolved("unreachable" if cells else "no_target")
            yield "noop"
            continue
        if not way:
            yield from _turn(me, stands[me.pos])
            continue
        for cell in way[:STRETCH]:
            if distance(me.pos, cell) != 1:
                break
            yield from enter(me, cell)
            stuck[cell] += me.pos != cell
            if me.pos != cell or not set(cells) & set(targets()):
                break


def _nearest(me: Actor, cells: Collection[Cell], few: int) -> Collection[Cell]:
    """Returns the nearest of many cells, as the crow flies."""
    if len(cells) <= few:
        return cells
    return set(sorted(cells, key=lambda c: (distance(c, me.pos), c))[:few])


def _close(me: Actor, price: list[list[float]], cells: Collection[Cell]) -> None:
    """Lets no way lead through the cell that is to be faced, if it is the only one."""
    if len(cells) == 1:
        for x, y in cells:
            if me.inside((x, y)):
                price[x][y] = NEVER


def _stands(me: Actor, cells: Collection[Cell]) -> dict[Cell, tuple[Cell, ...]]:
    """Returns where to stand, and the cells to go towards then, in order."""
    found: dict[Cell, tuple[Cell, ...]] = {}
    passable = {*me.rules.walkable, *me.rules.deadly}
    for cell in cells:
        walks_in = me.material(cell) in passable and me.thing(cell) is None
        for stand in neighbours(cell):
            if not walks_in:
                found[stand] = (cell,)
                continue
            back = shift(stand, direction(cell, stand))
            fits = stand not in cells and me.inside(back) and _passable(me, stand)
            if fits and len(found.get(back, ())) != 1:
                found[back] = (stand, cell)
    return found


def _passable(me: Actor, cell: Cell) -> bool:
    return me.free(cell) or me.can_dig(cell) or cell == me.pos


def _ready(me: Actor, steps: tuple[Cell, ...]) -> bool:
    return len(steps) == 1 or _passable(me, steps[0])


def _turn(me: Actor, steps: tuple[Cell, ...]) -> Plan:
    """Goes from where it stands to where it faces the last of the cells."""
    *between, _ = steps
    if between:
        yield from enter(me, between[0])
    else:
        yield me.moves[direction(me.pos, steps[0])]


def explore(me: Actor, found: Callable[[], bool]) -> Plan:
    """Looks at what is unknown until something is found.

    Raises:
      Unsolved: If there is nothing left to look at.
    """
    while not found():
        unknown = me.unknown
        if not unknown.any():
            raise Unsolved("no_target")
        edge = _frontier(me, unknown)
        way = way_to(me, edge, prices(me))
        if not way:
            raise Unsolved("no_target")
        for cell in way:
            if distance(me.pos, cell) != 1 or found():
                break
            yield from enter(me, cell)
            if me.pos != cell:
                break


def learn(me: Actor) -> Plan:
    """Explores until more of the map is known.

    Raises:
      Unsolved: If there is nothing left to look at.
    """
    left = np.count_nonzero(me.unknown)
    yield from explore(me, lambda: bool(np.count_nonzero(me.unknown) < left))


def _frontier(me: Actor, unknown: np.ndarray) -> set[Cell]:
    """Returns known cells from which unknown ones would come into the view."""
    grown = np.zeros_like(unknown)
    grown[1:] |= unknown[:-1]
    grown[:-1] |= unknown[1:]
    grown[:, 1:] |= unknown[:, :-1]
    grown[:, :-1] |= unknown[:, 1:]
    xs, ys = (grown & ~unknown).nonzero()
    return set(zip(xs.tolist(), ys.tolist())) - {me.pos}


def seek(me: Actor, found: Callable[[], Collection[Any]]) -> Plan:
    """Explores until some cells or things are known.

    Raises:
      Unsolved: If they are nowhere.
    """
    if not found():
        yield from explore(me, lambda: bool(found()))


def look_around(me: Actor, share: float) -> Plan:
    """Goes on until a share of the map has been in the view."""
    needed = share * me.area[0] * me.area[1]
    while np.count_nonzero(me.view.seen) < needed:
        edge = _frontier(me, ~me.view.seen) if not me.view.seen.all() else set()
        aims = {c for c in edge if not me.unknown[c]}
        way = way_to(me, aims, prices(me))
        if not way:
            raise Unsolved("unreachable")
        seen = np.count_nonzero(me.view.seen)
        for cell in way:
            if distance(me.pos, cell) != 1:
                break
            yield from enter(me, cell)
            if me.pos != cell or np.count_nonzero(me.view.seen) > seen + 30:
                break
