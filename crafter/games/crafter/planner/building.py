"""Methods that build: templates, rooms, houses."""

from __future__ import annotations

import collections

from crafter.core.grid import Cell, distance, neighbours
from crafter.games.crafter.planner import sites
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.gather import ensure, take
from crafter.games.crafter.planner.moves import act, enter, face, go
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import (
    put,
    seal_in,
    shut_in,
)
from crafter.games.crafter.planner.sites import Layout
from crafter.tasks.regions import open_mask, region
from crafter.tasks.structures.rooms import own_in

#: Symbol -> what is placed for it.
THINGS = {"#": "stone", "T": "table", "F": "furnace", "P": "plant", "f": "stone"}
#: Symbols of cells that are dug.
DUG = "mdr"


def template(me: Actor, rows: tuple[str, ...]) -> Plan:
    """Builds a template where it takes the fewest steps; returns its cells.

    Raises:
      Unsolved: If there is no site, or something is missing.
    """
    if set(DUG) & {s for row in rows for s in row}:
        yield from ensure(me, me.rules.collect["stone"]["require"])
    layout = sites.choose(me, rows)
    yield from ensure(me, shopping(me, layout))
    if sites.near(me, layout) > 12:
        layout = sites.choose(me, rows)  # the errand led elsewhere
    yield from lay(me, layout)
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
    if symbol == "P":
        return cell in me.view.provenance.own_plants
    if symbol in ("m", "d"):
        return bool(me.view.dug[cell])
    if symbol == "r":
        return me.material(cell) == "path"
    if symbol == "f" and me.view.dug[cell]:
        return True
    return bool(me.view.own[cell] == me.rules.material_ids.get(THINGS[symbol], -1))


def lay(me: Actor, layout: Layout) -> Plan:
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


def house(me: Actor, rows: tuple[str, ...], closed: bool) -> Plan:
    """Builds a room whose longest row begins with a door, and goes in.

    Args:
      me: Who builds.
      rows: Its template.
      closed: Whether it closes the door behind itself.
    """
    layout = yield from template(me, rows)
    row, kept = _row(layout), me.keep
    me.keep = kept | {c for c, s in layout.items() if s == "#"}
    try:
        if closed:
            yield from ensure(me, {"stone": 1})  # for the door, and from elsewhere
        yield from go(me, lambda: {row[-1]})
        for cell in reversed(row[1:-1] if closed else ()):
            yield from enter(me, cell)
        if closed and me.target == row[0] and me.free(row[0]):
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


def room(me: Actor, lo: int, hi: int, own: int, wall: str = "any", n: int = 0) -> Plan:
    """Shuts itself in a room of the right size with enough own blocks around.

    Args:
      me: Who builds.
      lo: Least number of cells.
      hi: Largest number of cells.
      own: Least number of own blocks around.
      wall: A material of which there have to be own blocks around.
      n: Least number of these.

    Raises:
      Unsolved: If there is no place for it.
    """
    wanted = {"stone": own, wall: n} if wall in me.rules.place else {"stone": own}
    yield from ensure(me, me.rules.collect["stone"]["require"])
    if n and wall in wanted:
        yield from ensure(me, me.rules.place[wall]["uses"])
    if not shut_in(me, hi):
        yield from seal_in(me) if lo <= 2 else house(me, HALL, True)
    for _ in range(8 * hi):
        found = region(open_mask(me.view), me.pos, hi)
        if found is None:
            return
        if len(found.cells) < lo:
            raise Unsolved("no_site")
        lacks = [m for m, k in wanted.items() if own_in(me.view, found.boundary, m) < k]
        if not lacks:
            return
        yield from _replace(me, found.boundary, lacks[0])


def _replace(me: Actor, boundary: frozenset[Cell], thing: str) -> Plan:
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
    yield from face(me, lambda: old, dig=False, bridge=False)
    if me.target in old:
        yield from act(me, "do")
    if me.can_place(thing, me.target) and me.has(me.rules.place[thing]["uses"]):
        yield from act(me, f"place_{thing}")
