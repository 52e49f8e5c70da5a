"""Methods about creatures: pens, meetings, flight."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from crafter.core.grid import Cell, distance, neighbours
from crafter.games.crafter.planner.actor import HOSTILE, Actor, Plan
from crafter.games.crafter.planner.building import put
from crafter.games.crafter.planner.gather import ensure, step_off
from crafter.games.crafter.planner.moves import go, seek, some, wait
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.survival import live, seal_in, shut_in
from crafter.games.crafter.planner.ways import NEVER, costs_from, prices
from crafter.tasks.world.regions import open_mask, region
from crafter.tasks.world.structures.rooms import Pen
from crafter.tasks.world.view import Thing

#: What a stone to be placed costs in steps; and a step that the creature may use.
STONE = 5.0
#: What is shut up where any creature will do, and how far it is gone after.
HARMLESS, NEAR = "cow", 60
#: Cells of the largest pen that is built, not found.
MOST = 20
#: Steps for which a pen is tried, before another creature is looked for.
TRIES = 60


def pen(me: Actor, wanted: Pen) -> Plan:
    """Shuts a creature up, stone by stone, as it moves.

    Raises:
      Unsolved: If there are none.
    """
    kind = HARMLESS if wanted.kind == "any" else wanted.kind
    yield from ensure(me, {"stone": 6, **me.rules.collect["stone"]["require"]})
    yield from seek(me, lambda: me.things(kind))
    for _ in range(TRIES):
        plan = min(_plans(me, kind, wanted), key=lambda p: p[0], default=None)
        if plan is None:
            raise Unsolved("creature_lost")
        gaps = set(plan[1])
        if not gaps:
            yield "noop"
            return
        near = me.nearest(gaps - {me.pos})
        if me.inventory["stone"] == 0:
            yield from ensure(me, {"stone": 4})
        else:
            yield from step_off(me) if near is None else some(put(me, near), 8)


def _plans(me: Actor, kind: str, wanted: Pen) -> Iterator[tuple[float, list[Cell]]]:
    """Yields what it costs to shut a creature up, and the gaps to close for that."""
    reach = costs_from(me, prices(me), NEAR)
    for thing in me.things(kind):
        way = min(reach.get(b, NEVER) for b in neighbours(thing.pos))
        for room in _rooms(me, thing, wanted) if way < NEVER else ():
            gaps = [c for c in _around(room) if me.open(c) or c == me.pos]
            cost = way + STONE * len(gaps) ** 1.5 + 2 * len(room)
            yield cost + STONE * (me.pos in room), gaps


def _around(room: frozenset[Cell]) -> list[Cell]:
    return sorted({b for cell in room for b in neighbours(cell)} - room)


def _rooms(me: Actor, thing: Thing, wanted: Pen) -> Iterator[frozenset[Cell]]:
    """Yields rooms around a creature, of those that need few stones."""
    hi, lo = wanted.hi, wanted.cell
    whole = region(open_mask(me.view), thing.pos, hi)
    if whole and len(whole.cells) >= lo and me.pos not in whole.cells:
        yield whole.cells
    else:
        room = frozenset({thing.pos})
        while room and len(room) <= min(hi, MOST):
            if len(room) >= lo:
                yield room
            edge = [c for c in _around(room) if me.open(c) and c != me.pos]
            grown = [room | {c} for c in edge]
            room = min(grown, key=lambda r: _gaps(me, r), default=frozenset())


def _gaps(me: Actor, room: frozenset[Cell]) -> int:
    return sum(me.open(c) for c in _around(room))


#: Stones with which a player shuts itself in anywhere.
STONES = 7
#: For how many steps it waits behind its walls for creatures to come.
PATIENT = 60


def meet(me: Actor, kind: str, r: int, met: Callable[[], bool]) -> Plan:
    """Gets creatures of a kind near: goes to them, or waits for them behind walls.

    Args:
      me: Who waits.
      kind: Their kind.
      r: How near, L1.
      met: Says whether there are enough.
    """
    tools = me.rules.collect["stone"]["require"]
    with contextlib.suppress(Unsolved):
        if kind in HOSTILE:
            yield from ensure(me, {"stone": STONES, **tools})
    waited = 0
    while not met():
        waited += 1
        if kind == "zombie" and waited <= PATIENT and (me.dark or me.things(kind)):
            yield from wait(me) if shut_in(me) else seal_in(me)
        elif me.things(kind):
            yield from some(go(me, lambda: _spots_near(me, kind, r)), 6)
            waited = PATIENT // 2
        else:
            yield from live(me, lambda: me.dark or bool(me.things(kind)))


def _spots_near(me: Actor, kind: str, r: int) -> set[Cell]:
    """Returns free cells as near to a creature as is asked for, or a bit nearer."""
    nearest = me.things(kind)[0].pos if me.things(kind) else me.pos
    ground = me.cells(*me.rules.walkable)
    return {c for c in ground if distance(c, nearest) <= max(2, r - 1) and me.free(c)}
