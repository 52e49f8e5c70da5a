"""Methods that shut the player in: choose a site, wall it, close it, sleep in it."""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import NamedTuple

from crafter.core.grid import BESIDE, Cell, distance, neighbours, shift
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.combat import leaks, strike_back
from crafter.games.crafter.planner.gather import ensure
from crafter.games.crafter.planner.moves import act, enter, face, go
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.ways import costs_from, prices
from crafter.tasks.regions import open_mask, region
from crafter.tasks.structures.rooms import creature_cells

#: How far to look for a site, in cells; and the cost of a stone that is there or not.
AROUND, WALL, FETCH = 9, 4, 7
#: For how many steps it waits for somebody to leave a cell that is to be filled, and
#: one that is to be a wall of its shelter.
POLITE, BRIEF = 12, 4
#: What a site may cost more if the player can drink in it, once its drink is so low.
WATERSIDE, THIRSTY = 12, 7
#: How near creatures leave no time to choose.
HASTE = 8
#: Most cells of a room that counts as shut.
ROOM = 12


class Site(NamedTuple):
    """Two cells in a row to hide in, walls around, and a door at one end.

    In two cells the player can turn to the door although nothing is there to bump
    into.
    """

    cell: Cell
    second: Cell
    door: Cell
    walls: tuple[Cell, ...]

    @classmethod
    def at(cls, cell: Cell, ahead: Cell) -> Site:
        """Lays out a site: door, cell, and a second cell to turn around in."""
        second, door = shift(cell, ahead), shift(cell, ahead, -1)
        around = [*neighbours(cell), *neighbours(second)]
        walls = tuple(c for c in around if c not in (cell, second, door))
        return cls(cell, second, door, walls)


def shut_in(me: Actor, most: int = ROOM) -> bool:
    """Returns whether the player is in a closed room without other creatures."""
    return me.once(("shut_in", most), lambda: _shut_in(me, most))


def _shut_in(me: Actor, most: int) -> bool:
    found = region(open_mask(me.view), me.pos, most)
    return found is not None and not found.cells & creature_cells(me.view)


def needed(me: Actor, site: Site) -> int:
    """Returns how many stones a site still needs, its door included."""
    gaps = sum(_gap(me, wall) for wall in site.walls)
    return max(0, gaps + 1 - sum(_rock(me, cell) for cell in site[:3]))


def _gap(me: Actor, wall: Cell) -> bool:
    """Returns whether a cell beside a site has to be filled."""
    return me.open(wall) or leaks(me, wall)


def find_site(me: Actor) -> Site:
    """Returns the site that costs least to reach and to close.

    Raises:
      Unsolved: If there is none.
    """
    best, _ = _cheapest(me)
    if best is None:
        raise Unsolved("no_site")
    return best


def refuge(me: Actor) -> float:
    """Returns what it costs to shut itself in here; infinite if it cannot."""
    return _cheapest(me)[1]


def _effort(me: Actor, site: Site) -> float:
    """Returns what it costs to close a site."""
    missing = needed(me, site)
    fetch = max(0, missing - me.inventory["stone"])
    fillable = me.once("fillable", me.fillable)
    toil = sum(_toil(me, fillable, cell) for cell in (site.second, site.door))
    return WALL * missing + FETCH * fetch + toil


def _rock(me: Actor, cell: Cell) -> bool:
    """Returns whether digging a cell yields a stone."""
    return me.material(cell) == "stone" and not me.open(cell)


def _toil(me: Actor, fillable: Collection[str], cell: Cell) -> int:
    """Returns what it costs to clear a cell."""
    return 2 * (not me.open(cell)) + (me.material(cell) in fillable)


def _cheapest(me: Actor) -> tuple[Site | None, float]:
    room = functools.cache(functools.partial(_room, me, me.fillable()))
    wall = functools.cache(functools.partial(_fit, me))
    reach = costs_from(me, prices(me), 2 * AROUND)
    here = me.pos
    bonus = WATERSIDE if _would_drink(me) else 0
    best, least, cheapest = None, float("inf"), float("inf")
    for cell, cost in reach.items():
        far = distance(cell, here) > AROUND
        if far or cost - bonus >= least or not room(cell):
            continue
        worth = bonus if any(me.material(b) == "water" for b in me.beside(cell)) else 0
        for ahead in BESIDE:
            if not (room(shift(cell, ahead)) and room(shift(cell, ahead, -1))):
                continue
            site = Site.at(cell, ahead)
            if not all(map(wall, site.walls)):
                continue
            total = cost + _effort(me, site)
            if total - worth < least:
                best, least, cheapest = site, total - worth, total
    return best, cheapest


def _would_drink(me: Actor) -> bool:
    """Returns whether it looks for a site beside water, and has the time for that."""
    return me.vital("thirst") <= THIRSTY and not me.hostile_within(HASTE)


def _room(me: Actor, fillable: Collection[str], cell: Cell) -> bool:
    passable = me.free(cell) or me.can_dig(cell) or cell == me.pos
    return me.inside(cell) and (passable or me.material(cell) in fillable)


def _fit(me: Actor, wall: Cell) -> bool:
    """Returns whether a cell is a wall or can be made one."""
    if not me.inside(wall):
        return True
    material = me.material(wall)
    if material is None or material in me.rules.deadly or me.thing(wall) is not None:
        return False
    return not me.open(wall) or me.can_place("stone", wall) or wall == me.pos


def seal_in(me: Actor) -> Plan:
    """Shuts itself in, wherever that is quickest, with a pickaxe to get out again.

    Raises:
      Unsolved: If there is no site, or no pickaxe or stone for it.
    """
    tries = 0
    if not shut_in(me):
        yield from ensure(me, me.rules.collect["stone"]["require"])
    while not shut_in(me):
        tries += 1
        if tries > 6:
            raise Unsolved("no_site")
        site = find_site(me)
        missing = needed(me, site)
        if me.inventory["stone"] < missing:
            yield from ensure(me, {"stone": min(9, missing)})
            site = find_site(me)
        yield from close(me, site)


def close(me: Actor, site: Site) -> Plan:
    """Walls a site, goes in and closes the door; gives up if something is wrong."""
    kept = me.keep
    me.keep = kept | set(site.walls)
    try:
        for wall in site.walls:
            if _gap(me, wall) and me.pos != wall:
                yield from put(me, wall, wait=BRIEF)
        yield from _go_in(me, site)
    except Unsolved as error:
        if error.reason in ("violated", "missing", "cap"):
            raise
    finally:
        me.keep = kept


def put(me: Actor, cell: Cell, thing: str = "stone", wait: int = POLITE) -> Plan:
    """Places a thing in a cell, as soon as nobody stands there."""
    for _ in range(wait):
        occupied = me.thing(cell) is not None or me.pos == cell
        if not occupied and not me.can_place(thing, cell):
            return
        yield from ensure(me, me.rules.place[thing]["uses"])
        yield from face(me, lambda: {cell})
        if me.thing(cell) is not None:
            yield strike_back(me) or "noop"
        elif me.target == cell:
            yield from act(me, f"place_{thing}")
            return


def _go_in(me: Actor, site: Site) -> Plan:
    yield from go(me, lambda: {site.second})
    yield from enter(me, site.cell)
    for _ in range(20):
        if me.pos != site.cell or me.target != site.door:
            return
        if not me.open(site.door):
            return
        if me.thing(site.door) is None:
            yield from act(me, "place_stone")
            return
        yield strike_back(me) or "noop"


def sleep_safely(me: Actor) -> Plan:
    """Shuts itself in and sleeps until it is rested.

    Raises:
      Unsolved: If it cannot shut itself in.
    """
    energy = me.rules.life["fatigue"]["item"]
    while me.view.player.sleeping or me.room(energy) > 0:
        worn = me.vital("fatigue") <= 0 and not me.hostile_within(HASTE)
        if not me.view.player.sleeping and not shut_in(me) and not worn:
            yield from seal_in(me)
        yield from act(me, "sleep")
