"""Methods that hold a place: near creatures, at a post, underground, beside a plant."""

from __future__ import annotations

from collections.abc import Callable

from crafter.core.grid import BESIDE, Cell, distance, shift
from crafter.games.crafter.planner.actor import HOSTILE, Actor, Plan
from crafter.games.crafter.planner.combat import flee
from crafter.games.crafter.planner.farming import fence_plant, own_plants
from crafter.games.crafter.planner.gather import ensure
from crafter.games.crafter.planner.moves import act, enter, explore, go, some
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import seal_in, shut_in
from crafter.games.crafter.planner.waiting import live
from crafter.games.crafter.planner.ways import costs_from, prices

#: Stones with which a player shuts itself in anywhere.
STONES = 7
#: For how many steps it waits behind its walls for creatures to come.
PATIENT = 60
#: Steps before dusk at which a player goes to its post, whatever it has by then.
IN_TIME = 30
#: What a place to dwell may cost more if it lies in a zone that is asked for.
AT_HOME = 40
#: How far away a creature has to be for walls to be built before it comes.
HEADSTART = 7
#: How far a plant that is guarded may be, in steps.
BESIDE_IT = 3


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


def dwell(me: Actor, fits: Callable[[Cell], bool]) -> Plan:
    """Makes a closed room beside water, of two dug cells, and stays there.

    Args:
      me: Who dwells.
      fits: Says whether a cell lies where it has to stay; dug cells always do.

    Raises:
      Unsolved: If there is no place for it.
    """
    yield from ensure(me, {"stone": 2, **me.rules.collect["stone"]["require"]})
    start, cells = _dwelling(me, fits)
    yield from go(me, lambda: {start})
    for cell in cells:
        for _ in range(8):
            if me.pos == cell or distance(me.pos, cell) != 1:
                break
            yield from enter(me, cell)
    if me.pos != cells[1]:
        return
    yield from enter(me, cells[0])
    if me.target == start and me.can_place("stone", start):
        yield from act(me, "place_stone")


def _dwelling(me: Actor, fits: Callable[[Cell], bool]) -> tuple[Cell, list[Cell]]:
    """Returns the cheapest door, and the two cells of the room behind it."""
    best, least = None, float("inf")
    for start, cost in costs_from(me, prices(me)).items():
        if cost >= least or not me.free(start) and start != me.pos:
            continue
        for by in BESIDE:
            cells = [shift(start, by), shift(start, by, 2)]
            total = cost + (0 if fits(start) else AT_HOME)
            if total < least and _closed(me, start, cells):
                best, least = (start, cells), total
    if best is None:
        raise Unsolved("no_site")
    return best


def _closed(me: Actor, start: Cell, cells: list[Cell]) -> bool:
    """Returns whether two cells can be dug or filled, with walls and water around."""
    around = {b for c in cells for b in me.beside(c)} - {start, *cells}
    return (
        all(_solid(me, c) for c in cells)
        and not any(me.open(b) or me.material(b) in me.rules.deadly for b in around)
        and any(me.material(b) == "water" for b in around)
    )


def _solid(me: Actor, cell: Cell) -> bool:
    fits = me.material(cell) in me.fillable() or me.can_dig(cell)
    return me.inside(cell) and fits and me.thing(cell) is None


# A plant.


def guard(me: Actor, done: Callable[[], bool]) -> Plan:
    """Fences a plant of its own, and waits beside it behind walls for what comes."""
    if not own_plants(me) or not _fenced(me, own_plants(me)[0]):
        yield from fence_plant(me)
        return
    plant = own_plants(me)[0]
    if distance(plant, me.pos) > BESIDE_IT:
        ground = me.cells(*me.rules.walkable)
        yield from go(
            me,
            lambda: {c for c in ground if me.free(c) and distance(c, plant) <= 2},
            dig=False,
        )
    kept = me.keep
    me.keep = kept | set(me.beside(plant))
    while not done() and own_plants(me):
        if me.dark and not shut_in(me):
            yield from seal_in(me)
        else:
            yield "noop"
    me.keep = kept


def _fenced(me: Actor, plant: Cell) -> bool:
    return not any(me.open(b) for b in me.beside(plant))


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
