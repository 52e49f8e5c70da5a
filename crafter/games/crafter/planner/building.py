"""Methods that build: templates, rooms, houses."""

from __future__ import annotations

import collections
from collections.abc import Callable

import numpy as np

from crafter.core.grid import Cell, distance, neighbours
from crafter.games.crafter.planner import sites
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.gather import ensure, take
from crafter.games.crafter.planner.moves import act, enter, face, go, seek
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import (
    Site,
    close,
    find_site,
    needed,
    put,
    seal_in,
    shut_in,
)
from crafter.games.crafter.planner.sites import Layout
from crafter.tasks.regions import of_materials, open_mask, region
from crafter.tasks.structures.rooms import own_in

#: Symbol -> what is placed for it.
THINGS = {"#": "stone", "T": "table", "F": "furnace", "P": "plant", "f": "stone"}
#: Symbols of cells that are dug.
DUG = "mdr"

Symbols = dict[str, Callable[[Actor], np.ndarray]]


def template(me: Actor, rows: tuple[str, ...], symbols: Symbols | None = None) -> Plan:
    """Builds a template where it takes the fewest steps; returns its cells.

    Raises:
      Unsolved: If there is no site, or something is missing.
    """
    if set(DUG) & {s for row in rows for s in row}:
        yield from ensure(me, me.rules.collect["stone"]["require"])
    layout = sites.choose(me, rows, symbols)
    yield from ensure(me, shopping(me, layout))
    if sites.near(me, layout) > 12:
        layout = sites.choose(me, rows, symbols)  # the errand led elsewhere
    yield from lay(me, layout, symbols)
    return layout


def shopping(me: Actor, layout: Layout) -> dict[str, int]:
    """Returns what a layout takes that can be carried at once."""
    wants: collections.Counter[str] = collections.Counter()
    for cell, symbol in layout.items():
        if symbol in THINGS and not _stands(me, cell, symbol):
            wants.update(me.rules.place[THINGS[symbol]]["uses"])
        elif symbol in DUG and me.open(cell) and not me.view.dug[cell]:
            wants["stone"] = max(wants["stone"], 1)
    return {i: min(n, int(me.rules.items[i]["max"])) for i, n in wants.items()}


def _stands(me: Actor, cell: Cell, symbol: str) -> bool:
    """Returns whether a cell of a layout is as it should be."""
    if symbol == ".":
        return me.open(cell) or cell == me.pos
    if symbol == sites.BARE:
        return bool(me.view.own[cell] != me.rules.material_ids["stone"])
    if symbol == "P":
        return cell in me.view.provenance.own_plants
    if symbol in ("m", "d"):
        return bool(me.view.dug[cell])
    if symbol == "r":
        return me.material(cell) == "path"
    if symbol == "f" and me.view.dug[cell]:
        return True
    return bool(me.view.own[cell] == me.rules.material_ids.get(THINGS[symbol], -1))


def lay(me: Actor, layout: Layout, symbols: Symbols | None = None) -> Plan:
    """Makes all cells of a layout what they should be, the nearest first.

    Raises:
      Unsolved: If that does not work.
    """
    kept = me.keep
    for _ in range(6 * len(layout) + 12):
        left = {c: s for c, s in layout.items() if not _stands(me, c, s)}
        if not left:
            me.keep = kept
            return
        solid = {c for c, s in layout.items() if c not in left and s in THINGS}
        me.keep = kept | solid
        cell = _next(me, left)
        yield from _lay_cell(me, cell, layout[cell])
    me.keep = kept
    raise Unsolved("planner_error")


def _next(me: Actor, left: Layout) -> Cell:
    """Returns the cell to see to next: what is placed first, and the nearest.

    The cell under the player comes last, since it has to step off it for that.
    """

    def order(cell: Cell) -> tuple[bool, bool, int, Cell]:
        return left[cell] == ".", cell == me.pos, distance(cell, me.pos), cell

    return min(left, key=order)


def _lay_cell(me: Actor, cell: Cell, symbol: str) -> Plan:
    thing = THINGS.get(symbol)
    if thing is None and me.open(cell):
        thing = "stone"  # to be dug afterwards
    if me.pos == cell:
        yield from _step_off(me, cell)
    elif thing is not None and me.can_place(thing, cell):
        yield from put(me, cell, thing)
    elif me.thing(cell) is not None:
        yield "noop"
    elif thing == "stone" and me.material(cell) in me.rules.deadly:
        yield from put(me, cell)
    else:
        material = me.material(cell)
        rule = me.rules.collect.get(material or "")
        if material is None or rule is None:
            raise Unsolved("no_site")
        yield from ensure(me, rule["require"])
        yield from face(me, lambda: {cell})
        if me.target == cell:
            yield from act(me, "do")


def _step_off(me: Actor, cell: Cell) -> Plan:
    beside = {b for b in me.beside(cell) if me.free(b)}
    if beside:
        yield from go(me, lambda: beside)
    else:
        yield from take(me, me.diggable(), lambda c: distance(c, cell) == 1)


# Rooms.

#: A hut of two cells and a house of three; the first cell of the row is the door.
HUT = ("?##?", "...#", "?##?")
HOUSE = ("?###?", "....#", "?###?")
#: A room of nine cells with a door at the left.
HALL = ("?###?", "#...#", "....#", "#...#", "?###?")


def hut(me: Actor) -> Plan:
    """Builds a hut of two cells, with walls of its own all around, and closes it."""
    layout = yield from template(me, HUT)
    kept = me.keep
    me.keep = kept | {c for c, s in layout.items() if s == "#"}
    try:
        yield from ensure(me, {"stone": 1})  # for the door, and from elsewhere
    finally:
        me.keep = kept
    yield from lay(me, layout)
    yield from close_door(me, layout)


def close_door(me: Actor, layout: Layout) -> Plan:
    """Goes into a room whose open cells lie in a row, the first one its door."""
    row = _row(layout)
    kept = me.keep
    me.keep = kept | {c for c, s in layout.items() if s == "#"}
    try:
        inner = row[2:] or row[1:]
        yield from go(me, lambda: {inner[-1]})
        for cell in reversed(row[1:-1]):
            yield from enter(me, cell)
        if me.target == row[0] and me.free(row[0]):
            yield from act(me, "place_stone")
    finally:
        me.keep = kept


def _row(layout: Layout) -> list[Cell]:
    """Returns the longest row of open cells of a layout, from its door on."""
    cells = sorted(c for c, s in layout.items() if s == ".")
    rows = [[c for c in cells if c[axis] == d[axis]] for d in cells for axis in (0, 1)]
    row = max(rows, key=len)
    ends = [sum(layout.get(b) is not None for b in neighbours(c)) for c in row]
    return row if ends[0] < ends[-1] else row[::-1]


def house(me: Actor) -> Plan:
    """Builds a house with one door, and goes in."""
    layout = yield from template(me, HOUSE)
    row = _row(layout)
    kept = me.keep
    me.keep = kept | {c for c, s in layout.items() if s == "#"}
    yield from go(me, lambda: {row[-1]})
    me.keep = kept


def room(me: Actor, lo: int, hi: int, own: int, wall: str = "any", n: int = 0) -> Plan:
    """Shuts itself in a room of the right size with enough own blocks around.

    Args:
      me: Who builds.
      lo: Least number of cells.
      hi: Largest number of cells.
      own: Least number of own blocks around.
      wall: A material of which there have to be blocks around.
      n: Least number of these.

    Raises:
      Unsolved: If there is no place for it.
    """
    yield from ensure(me, me.rules.collect["stone"]["require"])
    placed = wall in me.rules.place
    if placed:
        yield from ensure(me, me.rules.place[wall]["uses"])
    natural = n > 0 and not placed
    if natural and (not shut_in(me, hi) or _beside_room(me, wall, hi) < n):
        yield from _shut_beside(me, wall, n)
    elif not shut_in(me, hi):
        yield from _shut(me, lo, hi)
    for _ in range(8 * hi):
        found = region(open_mask(me.view), me.pos, hi)
        if found is None:
            return
        if len(found.cells) < lo:
            yield from _widen(me, found.cells, found.boundary)
        elif own_in(me.view, found.boundary) < own:
            yield from _replace(me, found.boundary)
        elif placed and own_in(me.view, found.boundary, wall) < n:
            yield from _replace(me, found.boundary, wall)
        else:
            return


def _beside_room(me: Actor, material: str, hi: int) -> int:
    """Returns how many blocks of a material are around the room of the player."""
    found = region(open_mask(me.view), me.pos, hi)
    around = () if found is None else found.boundary
    return sum(me.material(cell) == material for cell in around)


def _shut_beside(me: Actor, material: str, n: int) -> Plan:
    """Shuts itself in where so many walls are of a material that is there."""

    def fits(site: Site) -> bool:
        return sum(me.material(wall) == material for wall in site.walls) >= n

    def shore() -> set[Cell]:
        return {b for c in me.cells(material) for b in me.beside(c) if me.free(b)}

    yield from seek(me, shore)
    if me.pos not in shore():
        yield from go(me, shore)
    site = find_site(me, fits)
    missing = needed(me, site)
    if me.inventory["stone"] < missing:
        yield from ensure(me, {"stone": missing})
        yield from go(me, shore)
        site = find_site(me, fits)
    yield from close(me, site)


def _shut(me: Actor, lo: int, hi: int) -> Plan:
    """Shuts itself in, where the room can be made wide enough."""
    if lo <= 2:
        yield from seal_in(me)
        return
    try:
        yield from _cave(me, lo)
    except Unsolved as error:
        if error.reason != "no_site" or not lo <= 9 <= hi:
            raise
        layout = yield from template(me, HALL)
        yield from close_door(me, layout)


def _cave(me: Actor, lo: int) -> Plan:
    """Digs itself into rock that is wide enough for a room."""
    side = 3
    while side * side < lo:
        side += 1
    rows = ("m" * side,) * side
    yield from ensure(me, {"stone": 1})
    layout = sites.choose(me, rows, {"m": _rock})
    cells = sorted(layout)
    middle = cells[len(cells) // 2]
    yield from go(me, lambda: {middle})
    yield from seal_in(me)


def _rock(me: Actor) -> np.ndarray:
    """Returns the cost of cells around which all is solid."""
    solid = of_materials(me.view, me.diggable())
    padded = np.pad(solid, 1)
    across = padded[:-2, 1:-1] & padded[2:, 1:-1]
    along = padded[1:-1, :-2] & padded[1:-1, 2:]
    return np.where(solid & across & along, 1.0, sites.NEVER)


def _widen(me: Actor, cells: frozenset[Cell], boundary: frozenset[Cell]) -> Plan:
    """Digs a cell of the boundary behind which nothing is open."""
    good = {
        c
        for c in boundary
        if me.can_dig(c)
        and me.rules.collect[me.material(c) or ""]["leaves"] in me.rules.walkable
        and all(_closed(me, b) or b in cells for b in me.beside(c))
        and len(me.beside(c)) == 4
    }
    if not good:
        raise Unsolved("no_site")
    yield from _inside_do(me, good, cells)


def _closed(me: Actor, cell: Cell) -> bool:
    return not me.open(cell) and me.material(cell) not in (None, *me.rules.deadly)


def _replace(me: Actor, boundary: frozenset[Cell], thing: str = "stone") -> Plan:
    """Digs a block out of the boundary and places a thing there instead.

    For a stone of its own it takes what was there before; for others, anything.
    """
    old = {
        c
        for c in boundary
        if me.inside(c)
        and not (thing == "stone" and me.view.own[c])
        and me.can_dig(c)
        and me.rules.collect[me.material(c) or ""]["leaves"]
        in me.rules.place[thing]["where"]
    }
    if not old:
        raise Unsolved("no_site")
    yield from _inside_do(me, old, frozenset())
    if me.can_place(thing, me.target) and me.has(me.rules.place[thing]["uses"]):
        yield from act(me, f"place_{thing}")


def _inside_do(me: Actor, targets: set[Cell], cells: frozenset[Cell]) -> Plan:
    """Faces one of the targets without leaving the room, and strikes it."""
    yield from face(me, lambda: targets, dig=False, bridge=False)
    if me.target in targets:
        yield from act(me, "do")
