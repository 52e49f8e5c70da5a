"""Methods that hold a place: near creatures, at a post, underground, beside a plant."""

from __future__ import annotations

from collections.abc import Callable

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner.actor import HOSTILE, Actor, Plan
from crafter.games.crafter.planner.combat import flee
from crafter.games.crafter.planner.gather import ensure
from crafter.games.crafter.planner.moves import explore, go, some
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import seal_in, shut_in
from crafter.games.crafter.planner.waiting import live

#: Stones with which a player shuts itself in anywhere.
STONES = 7
#: For how many steps it waits behind its walls for creatures to come.
PATIENT = 60
#: Steps before dusk at which a player goes to its post, whatever it has by then.
IN_TIME = 30
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


# A post.


def take_post(me: Actor) -> Plan:
    """Goes to where it has to stay soon, with stones, and shuts itself in there.

    Raises:
      Unsolved: If it cannot get there.
    """
    try:
        while not _stocked(me) and me.dusk_in > IN_TIME + distance(
            me.pos, me.view.start_pos
        ):
            wants = {"stone": STONES, **me.rules.collect["stone"]["require"]}
            yield from some(ensure(me, wants), 1)
    except Unsolved:
        pass
    yield from go(
        me, lambda: {c for c in me.cells(*me.rules.walkable) if me.at_post(c)}
    )
    if not shut_in(me):
        yield from seal_in(me)
    while shut_in(me) and not me.dark:
        yield "noop"


def _stocked(me: Actor) -> bool:
    return me.has({"stone": STONES, **me.rules.collect["stone"]["require"]})


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
        elif shut_in(me):
            yield "noop"
        else:
            before = me.pos
            yield from some(flee(me, far), 1)
            if me.pos == before:
                yield from _break_out(me, far)


def _break_out(me: Actor, far: int) -> Plan:
    """Digs and bridges its way from creatures that have it cornered."""
    threats = [t.pos for t in me.hostile_within(2 * far)]
    ground = me.cells(*me.rules.walkable, *me.diggable(), *me.fillable())
    away = {c for c in ground if all(distance(c, t) > far for t in threats)}
    start = me.pos
    try:
        yield from some(go(me, lambda: away), 4)
    except Unsolved:
        yield "noop"
    if me.pos == start and not me.hostile_within(1):
        yield "noop"
