"""Where to build a template: what each of its cells would take, all over the map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner.actor import Actor
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.ways import costs_from, prices
from crafter.tasks import zones
from crafter.tasks.regions import of_materials, open_mask
from crafter.tasks.structures.patterns import variants, was

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
    cost = np.full(me.area, NEVER)
    where = me.rules.place[thing]["where"]
    leaving = [
        name for name in me.diggable() if me.rules.collect[name]["leaves"] in where
    ]
    cost[_is(me, *leaving)] = BOTH
    cost[_is(me, *where) & ~_plants(me)] = PLACE
    cost[done] = 0
    return cost


def _stone(me: Actor) -> np.ndarray:
    return _to_place(me, "stone", _own(me, "stone"))


def _table(me: Actor) -> np.ndarray:
    return _to_place(me, "table", _own(me, "table"))


def _furnace(me: Actor) -> np.ndarray:
    return _to_place(me, "furnace", _own(me, "furnace"))


def _plant(me: Actor) -> np.ndarray:
    done = np.zeros(me.area, bool)
    for cell in me.view.provenance.own_plants:
        done[cell] = True
    return _to_place(me, "plant", done)


def _open(me: Actor) -> np.ndarray:
    cost = np.full(me.area, NEVER)
    cost[_removable(me)] = DIG
    cost[_is(me, *me.fillable())] = BOTH
    cost[open_mask(me.view)] = 0
    return cost


def _dug(me: Actor) -> np.ndarray:
    cost = np.full(me.area, NEVER)
    cost[_is(me, *me.rules.walkable, *me.fillable()) & ~_plants(me)] = BOTH
    cost[_removable(me, "path")] = DIG
    cost[me.view.dug] = 0
    return cost


def _mine(me: Actor) -> np.ndarray:
    cost = _dug(me)
    cost[~was(me.view, *zones.table()["mountain_materials"])] = NEVER
    return cost


def _road(me: Actor) -> np.ndarray:
    ground = was(me.view, "grass", "sand")
    cost = np.where(ground & open_mask(me.view), BOTH, NEVER)
    cost[ground & _own(me, "stone")] = DIG
    cost[ground & _is(me, "path")] = 0
    return cost


def _filled(me: Actor) -> np.ndarray:
    lake = was(me.view, "water")
    cost = np.where(lake & _is(me, "water"), PLACE, NEVER)
    cost[lake & (_own(me, "stone") | me.view.dug)] = 0
    return cost


#: Symbol of a template -> what it takes in each cell. See `crafter.tasks.structures`.
SYMBOLS: dict[str, Callable[[Actor], np.ndarray]] = {
    "#": _stone,
    ".": _open,
    "T": _table,
    "F": _furnace,
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


def near(me: Actor, layout: Layout) -> int:
    """Returns how far the nearest cell of a layout is."""
    return min(distance(cell, me.pos) for cell in layout)
