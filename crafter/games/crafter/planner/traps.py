"""Methods against creatures without a blow: pens, and stopped arrows."""

from __future__ import annotations

import numpy as np

from crafter.core.grid import Cell, distance, neighbours
from crafter.games.crafter.planner.actor import Actor, Plan, direction
from crafter.games.crafter.planner.combat import HURT
from crafter.games.crafter.planner.cuts import cut, surroundings
from crafter.games.crafter.planner.gather import ensure
from crafter.games.crafter.planner.moves import act, explore, face, go, some, wait
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import put
from crafter.games.crafter.planner.ways import costs_from, prices
from crafter.tasks.regions import open_mask, region
from crafter.tasks.structures.rooms import own_in
from crafter.tasks.view import Thing

#: What a stone to be placed costs in steps; and a step that the creature may use.
STONE = 5.0
#: What is shut up where any creature will do.
HARMLESS = ("cow",)
#: Steps for which a pen is tried, before another creature is looked for.
TRIES = 60
#: A larger pen is a place that exists, of which the ways out are closed.
MOST = 20
#: How many stones that may take.
GAPS = 2
#: How near a creature is that is not struck before there is a block between.
CLOSE = 3
#: How many steps it goes before it looks again where the creature is.
STEALTHY = 3


def pen(me: Actor, kind: str, n: int, hi: int, lo: int = 1) -> Plan:
    """Shuts creatures up, stone by stone, as they move.

    Raises:
      Unsolved: If there are none.
    """
    if hi > MOST:
        yield from close_off(me, kind, hi)
        return
    kinds = HARMLESS if kind == "any" else (kind,)
    yield from ensure(me, {"stone": 6, **me.rules.collect["stone"]["require"]})
    if not me.things(*kinds):
        yield from explore(me, lambda: bool(me.things(*kinds)))
    for _ in range(TRIES):
        # Who defends itself has no zombie left to shut up.
        me.on_guard = "zombie" not in kinds or me.inventory["health"] <= HURT
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
    if near == me.pos:
        away = {c for c in neighbours(me.pos) if me.free(c) and c not in gaps}
        yield from go(me, lambda: away or {c for c in neighbours(me.pos) if me.free(c)})
        return
    yield from some(put(me, near), 8)


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


def _cost(me: Actor, room: set[Cell], cell: Cell) -> int:
    """Returns how many gaps a room has when a cell is added."""
    return sum(me.open(c) for c in _around(frozenset(room | {cell})))


# Places that are closed off.


def close_off(me: Actor, kind: str, hi: int) -> Plan:
    """Closes the ways out of the place where a creature is, with as few stones as can.

    Raises:
      Unsolved: If there is no such creature, or its place is too open.
    """
    yield from ensure(me, {"stone": GAPS + 1, **me.rules.collect["stone"]["require"]})
    if not me.things(kind):
        yield from explore(me, lambda: bool(me.things(kind)))
    for _ in range(TRIES):
        mask = open_mask(me.view)
        places = [thing.pos for thing in me.things(kind)[:3]]
        cuts = [(_cut(me, mask, at, hi), at) for at in places]
        known = [(gaps, at) for gaps, at in cuts if gaps is not None]
        if not known:
            yield from wait(me, 2)  # it stands in the way, or out in the open
            continue
        gaps, at = min(known, key=lambda found: sum(map(me.far, found[0])))
        if gaps:
            yield from _close_one(me, gaps)
            continue
        shut = region(mask, at, hi)
        if shut is None or own_in(me.view, shut.boundary):
            yield "noop"
            return
        yield from _renew(me, shut.boundary)
    raise Unsolved("no_site")


def _renew(me: Actor, walls: frozenset[Cell]) -> Plan:
    """Replaces a stone of the walls of a closed place by one of its own."""
    yield from face(me, lambda: {c for c in walls if me.material(c) == "stone"})
    for action in ("do", "place_stone"):
        yield from act(me, action)


def _cut(me: Actor, mask: np.ndarray, start: Cell, hi: int) -> list[Cell] | None:
    """Returns the few cells that part a creature from the player, if they are few."""
    cells, ends = surroundings(mask, start, hi, me.pos)
    taken = {t.pos for t in me.view.objects() if t.pos in cells}
    return cut(cells, ends, start, {start, *neighbours(start), *taken}, GAPS)


# A creature behind a block.


def ambush(me: Actor, kind: str, n: int) -> Plan:
    """Strikes creatures through gaps: puts a stone before one, and takes it away.

    Args:
      me: Who strikes.
      kind: Their kind.
      n: How many steps after a block was removed the blow counts.

    Raises:
      Unsolved: If there are none.
    """
    yield from ensure(me, {"stone": 1, **me.rules.collect["stone"]["require"]})
    while True:
        if not me.things(kind):
            yield from explore(me, lambda: bool(me.things(kind)))
        # Who strikes back at once has nothing left to wait for.
        me.on_guard = me.far(me.things(kind)[0].pos) > CLOSE
        if me.target not in _fronts(me, kind):
            yield from some(face(me, lambda: _fronts(me, kind)), STEALTHY)
            continue
        if me.can_place("stone", me.target):
            yield from act(me, "place_stone")
        yield from _spring(me, kind, n)


def _fronts(me: Actor, kind: str) -> set[Cell]:
    """Returns the cells beside creatures that are free, or blocks to remove."""
    beside = {b for t in me.things(kind) for b in me.beside(t.pos)}
    return {b for b in beside if b != me.pos and (me.free(b) or me.can_dig(b))}


def _spring(me: Actor, kind: str, n: int) -> Plan:
    """Removes the block in front, and strikes the creature behind it."""
    gap = me.target
    yield from act(me, "do")
    for _ in range(n):
        prey = [t.pos for t in me.things(kind) if distance(t.pos, me.pos) == 1]
        if me.target in prey:
            yield from act(me, "do")
        elif prey and me.pos == gap:
            yield me.moves[direction(me.pos, prey[0])]
        elif me.pos != gap and me.free(gap):
            yield me.moves[direction(me.pos, gap)]
        else:
            yield "noop"


def take_arrow(me: Actor) -> Plan:
    """Puts a stone between itself and a skeleton, and waits for arrows.

    Raises:
      Unsolved: If there are no skeletons.
    """
    yield from ensure(me, {"stone": 1})
    while True:
        if not me.things("skeleton"):
            yield from explore(me, lambda: bool(me.things("skeleton")))
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
