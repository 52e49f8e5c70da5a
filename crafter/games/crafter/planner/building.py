"""Methods that build: sites of templates, rooms, houses."""

from __future__ import annotations

import collections
from collections.abc import Callable

import numpy as np

from crafter.core.grid import Cell, distance, neighbours
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.gather import ensure, step_off
from crafter.games.crafter.planner.moves import act, enter, face, go
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import put, seal_in, shut_in
from crafter.games.crafter.planner.ways import costs_from, prices
from crafter.tasks import zones
from crafter.tasks.regions import of_materials, open_mask, region
from crafter.tasks.structures.patterns import variants, was
from crafter.tasks.structures.rooms import own_in

#: What a cell costs in steps: nothing, dig it, place something, dig and place.
DIG, PLACE, BOTH, NEVER = 2.0, 4.0, 7.0, 1e6
#: What something that stands in the way around costs, and a step to the site.
HINDRANCE, STEP = 1.0, 1.5
#: How many of the best sites are looked at for a way.
TRIED = 40

Layout = dict[Cell, str]


def _is(me: Actor, *materials: str) -> np.ndarray:
    return of_materials(me.view, materials)


def _own(me: Actor, material: str) -> np.ndarray:
    return me.view.own == me.rules.material_ids.get(material, -1)


def _removable(me: Actor, leaves: str | None = None) -> np.ndarray:
    """Returns cells that could be dug with a pickaxe, or cut; by what they leave."""
    rules = me.rules.collect
    names = [
        name
        for name in me.diggable()
        if leaves is None or rules[name]["leaves"] == leaves
    ]
    return _is(me, *names)


def _plants(me: Actor) -> np.ndarray:
    mask: np.ndarray = me.view.labels == me.rules.object_ids["plant"]
    return mask


def _to_place(me: Actor, thing: str, done: np.ndarray) -> np.ndarray:
    where = me.rules.place[thing]["where"]
    leaves = {name: me.rules.collect[name]["leaves"] for name in me.diggable()}
    leaving = _is(me, *(name for name in leaves if leaves[name] in where))
    free = _is(me, *where) & ~_plants(me)
    return _costs(me, (leaving, BOTH), (free, PLACE), (done, 0))


def _plant(me: Actor) -> np.ndarray:
    done = np.zeros(me.area, bool)
    for cell in me.view.provenance.own_plants:
        done[cell] = True
    return _to_place(me, "plant", done)


def _costs(me: Actor, *prices: tuple[np.ndarray, float]) -> np.ndarray:
    """Returns a cost for every cell; later masks replace earlier ones."""
    cost = np.full(me.area, NEVER)
    for mask, price in prices:
        cost[mask] = price
    return cost


def _open(me: Actor) -> np.ndarray:
    bridged = (_is(me, *me.fillable()), BOTH)
    return _costs(me, (_removable(me), DIG), bridged, (open_mask(me.view), 0))


def _dug(me: Actor) -> np.ndarray:
    solid = _is(me, *me.rules.walkable, *me.fillable()) & ~_plants(me)
    done = (me.view.dug, 0)
    return _costs(me, (solid, BOTH), (_removable(me, "path"), DIG), done)


def _mine(me: Actor) -> np.ndarray:
    mountain = was(me.view, *zones.table()["mountain_materials"])
    return np.where(mountain, _dug(me), NEVER)


def _road(me: Actor) -> np.ndarray:
    ground = was(me.view, "grass", "sand")
    paved, stone = ground & _is(me, "path"), ground & _own(me, "stone")
    return _costs(me, (ground & open_mask(me.view), BOTH), (stone, DIG), (paved, 0))


def _filled(me: Actor) -> np.ndarray:
    lake = was(me.view, "water")
    done = lake & (_own(me, "stone") | me.view.dug)
    return _costs(me, (lake & _is(me, "water"), PLACE), (done, 0))


def _placed(thing: str) -> Callable[[Actor], np.ndarray]:
    return lambda me: _to_place(me, thing, _own(me, thing))


#: Symbol of a template -> what it takes in each cell. See `crafter.tasks.structures`.
SYMBOLS: dict[str, Callable[[Actor], np.ndarray]] = {
    "#": _placed("stone"),
    ".": _open,
    "T": _placed("table"),
    "F": _placed("furnace"),
    "P": _plant,
    "m": _mine,
    "d": _dug,
    "r": _road,
    "f": _filled,
}


def choose(me: Actor, rows: tuple[str, ...]) -> Layout:
    """Returns the site of a template that takes the fewest steps, cell by cell.

    Raises:
      Unsolved: `no_site`, if there is none that can be reached.
    """
    names = {s for row in rows for s in row} - {"?"}
    costs = {s: SYMBOLS[s](me) + _taboo(me) for s in sorted(names)}
    hindrance = _hindrance(me)
    found: list[tuple[float, Layout]] = []
    for cells in variants(rows):
        total = _totals(costs, hindrance, cells, me.area)
        if total.size:
            found += _best(me, total, cells)
    found.sort(key=lambda pair: pair[0])
    reach = costs_from(me, prices(me))
    best, least = None, NEVER
    for cost, layout in found[:TRIED]:
        way = min(reach.get(b, NEVER) for c in layout for b in me.beside(c))
        if cost + way < least:
            best, least = layout, cost + way
    if best is None:
        raise Unsolved("no_site")
    return best


def _taboo(me: Actor) -> np.ndarray:
    cost = np.zeros(me.area)
    for cell in me.keep:
        if me.inside(cell):
            cost[cell] = NEVER
    cost[me.unknown] = NEVER
    return cost


def _hindrance(me: Actor) -> np.ndarray:
    """Returns what being there costs: things in the way around, and what kills."""
    blocked = ~open_mask(me.view)
    deadly = _is(me, *me.rules.deadly)
    cost = np.zeros(me.area)
    for mask, weight in ((blocked, HINDRANCE / 8), (deadly, 3.0)):
        padded = np.pad(mask.astype(float), 1, constant_values=1.0)
        for dx in range(3):
            for dy in range(3):
                cost += weight * padded[dx : dx + me.area[0], dy : dy + me.area[1]]
    return cost


def _totals(
    costs: dict[str, np.ndarray],
    hindrance: np.ndarray,
    cells: tuple[tuple[int, int, str], ...],
    area: Cell,
) -> np.ndarray:
    width = area[0] - max(dx for dx, _, _ in cells)
    height = area[1] - max(dy for _, dy, _ in cells)
    total = np.zeros((max(0, width), max(0, height)))
    if total.size:
        for dx, dy, symbol in cells:
            part = costs[symbol] + hindrance
            total += part[dx : dx + width, dy : dy + height]
    return total


def _best(
    me: Actor, total: np.ndarray, cells: tuple[tuple[int, int, str], ...]
) -> list[tuple[float, Layout]]:
    """Returns the best corners of one variant, with the way as the crow flies."""
    xs, ys = np.indices(total.shape)
    far = abs(xs - me.pos[0]) + abs(ys - me.pos[1])
    score = total + STEP * far
    order = np.argsort(score, axis=None)[:TRIED]
    found = []
    for number in order.tolist():
        x, y = (int(v) for v in np.unravel_index(number, total.shape))
        if score[x, y] < NEVER:
            layout = {(x + dx, y + dy): symbol for dx, dy, symbol in cells}
            found.append((float(score[x, y]), layout))
    return found


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
    layout = choose(me, rows)
    yield from ensure(me, shopping(me, layout))
    if min(distance(c, me.pos) for c in layout) > 12:
        layout = choose(me, rows)  # the errand led elsewhere
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
        yield from step_off(me)
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
