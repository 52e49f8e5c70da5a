"""Methods about creatures: pens, stopped arrows, meetings, flight."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from crafter.core.grid import Cell, distance, neighbours
from crafter.games.crafter.planner.actor import HOSTILE, Actor, Plan
from crafter.games.crafter.planner.combat import flee
from crafter.games.crafter.planner.gather import ensure, step_off
from crafter.games.crafter.planner.moves import act, explore, go, seek, some
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import put, seal_in, shut_in
from crafter.games.crafter.planner.upkeep import live
from crafter.games.crafter.planner.ways import NEVER, costs_from, prices, way_to
from crafter.tasks.regions import open_mask, region
from crafter.tasks.view import Thing

#: What a stone to be placed costs in steps; and a step that the creature may use.
STONE = 5.0
#: What is shut up where any creature will do.
HARMLESS = ("cow",)
#: A larger pen is a place that exists, of which the way out is closed.
MOST = 20
#: Steps for which a pen is tried, before another creature is looked for.
TRIES = 60


def pen(me: Actor, kind: str, n: int, hi: int, lo: int = 1) -> Plan:
    """Shuts creatures up, stone by stone, as they move.

    Raises:
      Unsolved: If there are none.
    """
    kinds = HARMLESS if kind == "any" else (kind,)
    yield from ensure(me, {"stone": 6, **me.rules.collect["stone"]["require"]})
    yield from seek(me, lambda: me.things(*kinds))
    for _ in range(TRIES):
        plan = _best(me, kinds, n, hi, lo)
        if plan is None:
            raise Unsolved("creature_lost")
        _, gaps = plan
        if not gaps:
            yield "noop"
            return
        yield from _close_one(me, gaps)


def _close_one(me: Actor, gaps: list[Cell]) -> Plan:
    """Places a stone in the gap that is easiest, for a few steps."""
    near = min(gaps, key=lambda c: (c == me.pos, distance(c, me.pos), c))
    if me.inventory["stone"] == 0:
        yield from ensure(me, {"stone": 4})
        return
    yield from step_off(me) if near == me.pos else some(put(me, near), 8)


def _best(
    me: Actor, kinds: tuple[str, ...], n: int, hi: int, lo: int
) -> tuple[float, list[Cell]] | None:
    """Returns the creature that is easiest to shut up, by the gaps to close."""
    reach = costs_from(me, prices(me), 60)
    best = None
    for thing in me.things(*kinds):
        if thing.health <= 0:
            continue
        way = min(reach.get(b, 1e6) for b in neighbours(thing.pos))
        if way > 100 or (best is not None and way >= best[0]):
            continue
        for room in _rooms(me, thing, hi, lo):
            if n > 1 and sum(t.pos in room for t in me.things(*kinds)) < n:
                continue
            gaps = [c for c in _around(room) if me.open(c) or c == me.pos]
            cost = way + STONE * len(gaps) ** 1.5 + 2 * len(room)
            if me.pos in room:
                cost += STONE
            if best is None or cost < best[0]:
                best = cost, gaps
    return best


def _around(room: frozenset[Cell]) -> list[Cell]:
    return sorted({b for cell in room for b in neighbours(cell)} - room)


def _rooms(me: Actor, thing: Thing, hi: int, lo: int) -> list[frozenset[Cell]]:
    """Returns rooms around a creature, of those that need few stones."""
    mask = open_mask(me.view)
    if hi > MOST:
        return _parts(me, mask, thing, hi)
    whole = region(mask, thing.pos, hi)
    if whole is not None and lo <= len(whole.cells) and me.pos not in whole.cells:
        return [whole.cells]
    rooms = [frozenset({thing.pos})]
    grown = set(rooms[0])
    while len(grown) < hi:
        edge = [c for c in _around(frozenset(grown)) if me.open(c) and c != me.pos]
        if not edge:
            break
        grown.add(min(edge, key=lambda c: (_cost(me, grown, c), c)))
        rooms.append(frozenset(grown))
    return [room for room in rooms if len(room) >= lo]


def _parts(me: Actor, mask: np.ndarray, thing: Thing, hi: int) -> list[frozenset[Cell]]:
    """Returns places of a creature that one stone parts from the player."""
    way = way_to(me, {thing.pos}, np.where(mask, 1.0, NEVER).tolist()) or []
    parts = [region(mask, thing.pos, hi, {cell}) for cell in way[:-1]]
    return [p.cells for p in parts if p is not None and me.pos not in p.cells]


def _cost(me: Actor, room: set[Cell], cell: Cell) -> int:
    """Returns how many gaps a room has when a cell is added."""
    return sum(me.open(c) for c in _around(frozenset(room | {cell})))


# Places that are closed off.


# A creature behind a block.


def take_arrow(me: Actor, *_: object) -> Plan:
    """Puts a stone between itself and a skeleton, and waits for arrows.

    Raises:
      Unsolved: If there are no skeletons.
    """
    yield from ensure(me, {"stone": 1})
    while True:
        yield from seek(me, lambda: me.things("skeleton"))
        skeleton = me.things("skeleton")[0]
        reach = int(me.rules.creatures["skeleton"]["shoot_distance"])
        dx, dy = skeleton.pos[0] - me.pos[0], skeleton.pos[1] - me.pos[1]
        if abs(dx) + abs(dy) > reach or (dx and dy):
            yield from _in_line(me, skeleton.pos)
            continue
        front = (me.pos[0] + _sign(dx), me.pos[1] + _sign(dy))
        if me.target == front and me.can_place("stone", front):
            yield from act(me, "place_stone")
        elif me.target == front or not me.open(front):
            yield "noop"
        else:
            yield me.moves[_sign(dx), _sign(dy)]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _in_line(me: Actor, skeleton: Cell) -> Plan:
    """Goes a few steps towards a cell in line with a skeleton."""
    fire = {c for c in me.line_of_fire() if 2 <= distance(c, skeleton) <= 5}
    aims = fire - {me.pos} or {b for b in me.beside(skeleton) if me.open(b)}
    if aims:
        yield from some(go(me, lambda: aims), 4)
    else:
        yield "noop"


#: Stones with which a player shuts itself in anywhere.
STONES = 7
#: For how many steps it waits behind its walls for creatures to come.
PATIENT = 60
#: How far away a creature has to be for walls to be built before it comes.
HEADSTART = 7


def meet(me: Actor, kind: str, r: int, met: Callable[[], bool]) -> Plan:
    """Gets creatures of a kind near: goes to them, or waits for them behind walls.

    Args:
      me: Who waits.
      kind: Their kind.
      r: How near, L1.
      met: Says whether there are enough.
    """
    if kind in HOSTILE:
        yield from _stones(me)
    waited = 0
    while not met():
        waited += 1
        if kind == "zombie" and not me.things(kind) and not me.dark:
            yield from live(me, lambda: me.dark or bool(me.things(kind)))
        elif kind == "zombie" and waited <= PATIENT:
            yield from _behind_walls(me)
        elif me.things(kind):
            yield from some(go(me, lambda: _spots_near(me, kind, r)), 6)
            waited = PATIENT // 2 if waited > PATIENT else waited
        else:
            yield from _look_for(me, kind)


def _stones(me: Actor) -> Plan:
    """Gets what it takes to shut itself in, if that can be had."""
    wants = {"stone": STONES, **me.rules.collect["stone"]["require"]}
    try:
        yield from ensure(me, wants)
    except Unsolved:
        return


def _behind_walls(me: Actor) -> Plan:
    if shut_in(me):
        yield "noop"
    else:
        yield from seal_in(me)


def _spots_near(me: Actor, kind: str, r: int) -> set[Cell]:
    """Returns free cells as near to a creature as is asked for, or a bit nearer."""
    nearest = me.things(kind)[0].pos if me.things(kind) else me.pos
    ground = me.cells(*me.rules.walkable)
    return {c for c in ground if distance(c, nearest) <= max(2, r - 1) and me.free(c)}


def _look_for(me: Actor, kind: str) -> Plan:
    if me.unknown.any():
        yield from explore(me, lambda: bool(me.things(kind)))
        return
    ground = me.rules.balance["kinds"][kind]["material"]
    cells = me.cells(ground)
    if me.material(me.pos) == ground or not cells:
        yield "noop"
    else:
        yield from some(go(me, lambda: cells), 8)


# A dwelling.


# A plant.


# Creatures that are left behind.


def get_away(me: Actor, far: int, done: Callable[[], bool]) -> Plan:
    """Runs from hostile creatures, or hides until they are gone, if it is far enough.

    A player that builds walls with a creature at its heels, which it must not strike
    down, is lost.
    """
    while not done():
        near = me.hostile_within(far)
        me.on_guard = not near or distance(near[0].pos, me.pos) >= HEADSTART
        if me.on_guard:
            yield from some(live(me, done), 1 if not shut_in(me) else PATIENT)
        else:
            before = me.pos
            yield from some(flee(me, far), 1)
            if me.pos == before:
                yield "noop"
