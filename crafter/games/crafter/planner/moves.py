"""Methods that move: go, face, travel, explore, wait."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from crafter.core.grid import Cell, cells_of, distance, neighbours, shift
from crafter.core.regions import grown
from crafter.games.crafter.planner.actor import Actor, Plan, direction
from crafter.games.crafter.planner.pathfinding import NEVER, Price, path_to, prices
from crafter.tasks.episodes.reasons import Unsolved

#: Cells after which a path is searched again, since creatures move.
STRETCH = 8
#: Steps to wait for creatures that block a path.
PATIENCE = 12
#: Number of nearest cells to face that are tried first.
FEW = 60
#: Additional cost of a cell for each failure to enter it.
DETOUR = 6.0
#: Newly seen cells after which the next exploration target is chosen.
GLIMPSE = 30

Cells = Callable[[], Collection[Cell]]


def act(me: Actor, action: str) -> Plan:
    """Takes an action, if it is allowed.

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


def enter(me: Actor, cell: Cell) -> Plan:
    """Enters an adjacent cell, digging or filling if needed; may give up."""
    start = me.pos
    for _ in range(8):
        if me.pos != start:
            return
        action = _toward(me, cell)
        if action is None:
            return
        yield action


def _toward(me: Actor, cell: Cell) -> str | None:
    """Returns the next action to enter an adjacent cell; `None` if impossible."""
    step = direction(me.pos, cell)
    if step not in me.moves:
        return None  # the player was moved elsewhere
    thing = me.thing(cell)
    if thing is not None:
        return "noop" if thing.kind == "arrow" else None
    if me.open(cell):
        return me.moves[step]
    if me.material(cell) in me.rules.deadly:
        if me.facing == step and me.has({"stone": 1}) and me.may("place_stone"):
            return "place_stone"
        back = direction(cell, me.pos)  # to return facing the cell
        return me.moves[back] if me.free(shift(me.pos, back)) else None
    if me.facing != step:
        return me.moves[step]
    if me.can_dig(cell):
        return "do"
    return "place_stone" if me.material(cell) in me.fillable() else None


def go(me: Actor, aims: Cells, price: Callable[[], Price] | None = None) -> Plan:
    """Goes to the nearest of some cells.

    Args:
      me: The actor.
      aims: Returns the cells; called again on the way.
      price: Returns the costs of cells; by default see `prices`.

    Raises:
      Unsolved: If there is no path.
    """
    yield from _travel(me, aims, False, price or functools.partial(prices, me))


def face(me: Actor, targets: Cells, dig: bool = True, bridge: bool = True) -> Plan:
    """Goes to where the player faces the nearest of some cells.

    A walkable cell is faced by walking towards it, which takes two cells in a line.

    Raises:
      Unsolved: If there is no path.
    """
    price = functools.partial(prices, me, dig, bridge)
    while steps := (yield from _travel(me, targets, True, price)):
        if len(steps) > 1:
            yield from enter(me, steps[0])
        else:
            yield me.moves[direction(me.pos, steps[0])]


#: Cell to stand on -> the cells to walk towards from there, in order.
Stands = dict[Cell, tuple[Cell, ...]]


def _travel(me: Actor, aims: Cells, facing: bool, priced: Callable[[], Price]) -> Plan:
    """Goes to cells, or where they can be faced; returns the cells to walk towards.

    Cells that could not be entered become more expensive. Otherwise a stationary
    creature, which blocks the path only when it is near, would make the player
    oscillate.
    """
    waited, few = 0, FEW
    stuck: collections.Counter[Cell] = collections.Counter()
    while True:
        cells = aims()
        if facing and me.target in cells:
            return ()
        cells = _nearest(me, cells, few) if facing else cells
        stands = _stands(me, cells) if facing else dict.fromkeys(cells, ())
        if me.pos in stands:
            return stands[me.pos]
        price = priced()
        for x, y in stuck:
            price[x][y] += DETOUR * stuck[x, y]
        for x, y in cells if facing and len(cells) == 1 else ():
            price[x][y] = NEVER  # no path through the target itself
        turns = {cell: len(t) - 1 for cell, t in stands.items() if t}
        path = path_to(me, stands, price, turns)
        if path is None and facing and len(cells) == few:
            few *= 100
        elif path is None:
            waited += 1
            if not cells or waited > PATIENCE or not _crowded(me):
                raise Unsolved("unreachable" if cells else "no_target")
            yield "noop"
        for cell in (path or ())[:STRETCH]:
            if distance(me.pos, cell) != 1:
                break
            yield from enter(me, cell)
            stuck[cell] += me.pos != cell
            if me.pos != cell or (facing and not set(cells) & set(aims())):
                break


def _crowded(me: Actor) -> bool:
    """Returns whether a creature is near that may block the path."""
    near = me.things("cow", "zombie", "skeleton", "arrow")
    return bool(near) and distance(near[0].pos, me.pos) <= 4


def _nearest(me: Actor, cells: Collection[Cell], few: int) -> Collection[Cell]:
    """Returns the nearest of many cells (L1)."""
    if len(cells) <= few:
        return cells
    return sorted(cells, key=lambda c: (distance(c, me.pos), c))[:few]


def _stands(me: Actor, cells: Collection[Cell]) -> Stands:
    """Returns where to stand to face cells."""
    stands: Stands = {}
    passable = {*me.rules.walkable, *me.rules.deadly}
    for cell in cells:
        walks_in = me.material(cell) in passable and me.thing(cell) is None
        for stand in neighbours(cell):
            if not walks_in:
                stands[stand] = (cell,)
                continue
            back = shift(stand, direction(cell, stand))
            free = me.free(stand) or me.can_dig(stand) or stand == me.pos
            fits = free and stand not in cells and me.inside(back)
            if fits and len(stands.get(back, ())) != 1:
                stands[back] = (stand, cell)
    return stands


def explore(me: Actor, found: Callable[[], bool]) -> Plan:
    """Explores unseen cells until something is found.

    Raises:
      Unsolved: If nothing is left to explore.
    """
    while not found():
        path = path_to(me, _frontier(me), prices(me))
        if not path:
            raise Unsolved("no_target")
        seen = np.count_nonzero(me.view.seen)
        for cell in path:
            if distance(me.pos, cell) != 1 or found():
                break
            yield from enter(me, cell)
            if me.pos != cell or np.count_nonzero(me.view.seen) > seen + GLIMPSE:
                break


def _frontier(me: Actor) -> set[Cell]:
    """Returns seen cells beside unseen ones."""
    seen = me.view.seen
    return set(cells_of(grown(~seen) & seen)) - {me.pos}


def seek(me: Actor, found: Callable[[], Collection[Any]]) -> Plan:
    """Explores until some cells or things are known.

    Raises:
      Unsolved: If there are none.
    """
    if not found() and not me.unknown.any():
        raise Unsolved("no_target")
    yield from explore(me, lambda: bool(found()))
