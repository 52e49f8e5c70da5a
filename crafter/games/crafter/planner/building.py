"""Methods that build templates, rooms and houses."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from crafter.core.grid import Cell, distance, neighbours
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.combat import strike_back
from crafter.games.crafter.planner.gather import ensure, step_off
from crafter.games.crafter.planner.moves import act, enter, face, go
from crafter.games.crafter.planner.pathfinding import costs_from, prices
from crafter.games.crafter.tasks import tables
from crafter.games.crafter.tasks.regions import of_materials, open_mask, was
from crafter.games.crafter.tasks.structures.patterns import PLACED, SYMBOLS, variants
from crafter.tasks.episodes.reasons import Unsolved

#: Cost of a cell in steps: dig, place, dig and place, impossible.
DIG, PLACE, BOTH, NEVER = 2.0, 4.0, 7.0, 1e6
#: Cost of a step to the site, and of a missing stone.
STEP, FETCH = 1.5, 7.0
#: Number of best sites for which paths are searched.
TRIED = 40
#: Steps to wait for a creature to leave a cell, and a site.
POLITE, BRIEF = 12, 6
#: Distance at which skeletons count that can shoot over water.
BOWSHOT = 18
#: Largest distance of a shelter.
CLOSE = 18.0

Layout = dict[Cell, str]
Costs = Mapping[str, np.ndarray]


def _material_mask(me: Actor, *materials: str) -> np.ndarray:
    return of_materials(me.view, materials)


def _cost(me: Actor, symbol: str) -> np.ndarray:
    """Returns the cost of turning each cell into a symbol, 0 where it is one."""
    if symbol in BY_HAND:
        return BY_HAND[symbol](me)
    cost, thing = np.full(me.area, NEVER), THINGS.get(symbol)
    if thing is None:
        cost[_material_mask(me, *me.rules.walkable, *me.fillable())] = BOTH
        cost[_material_mask(me, *me.diggable())] = DIG
    else:
        where, rules = me.rules.place[thing]["where"], me.rules.collect
        cost[
            _material_mask(
                me, *(n for n in me.diggable() if rules[n]["leaves"] in where)
            )
        ] = BOTH
        cost[_material_mask(me, *where)] = PLACE
    cost[me.view.labels == me.rules.object_ids["plant"]] = NEVER
    cost[SYMBOLS[symbol](me.view)] = 0
    if symbol in GROUNDS:
        cost[~was(me.view, *GROUNDS[symbol])] = NEVER
    return cost


def _inside(me: Actor) -> np.ndarray:
    """Returns the cost of standing in a cell; occupied cells are impossible."""
    cost = _cost(me, ".")
    cost[cost == BOTH] = DIG + 1  # the stone comes back
    for cell in me.taken:
        cost[cell] = NEVER
    return cost


def _wall(me: Actor) -> np.ndarray:
    """Returns the cost of closing a cell to creatures and arrows."""
    closed = ~open_mask(me.view)
    cost = np.where(_material_mask(me, *me.rules.place["stone"]["where"]), PLACE, NEVER)
    cost[closed] = 0
    # Arrows fly over water and lava (Crafter 1.8.3).
    let_by = closed & np.isin(me.view.materials, list(me.rules.walkable_ids["arrow"]))
    xs, ys = np.indices(me.area)
    for archer in me.objects("skeleton"):
        far = abs(xs - archer.pos[0]) + abs(ys - archer.pos[1])
        cost[let_by & (far <= BOWSHOT)] = PLACE
    for cell in (*me.taken, *me.cells(*me.rules.deadly)):
        cost[cell] = NEVER
    return cost


#: Symbols of shelters only -> cost: any wall, an unoccupied cell.
BY_HAND: dict[str, Callable[[Actor], np.ndarray]] = {"w": _wall, "o": _inside}
#: Symbol -> what is placed there, and its required initial materials.
THINGS = {**PLACED, "f": "stone", "w": "stone"}
GROUNDS = {
    "m": tables.zones()["mountain_materials"],
    "r": ("grass", "sand"),
    "f": ("water",),
}
OPEN, DUG, LARGE = ".o", "mdr", "TFP"


def choose(me: Actor, rows: tuple[str, ...]) -> tuple[Layout, float]:
    """Returns the cheapest site of a template, and its cost in steps.

    Raises:
      Unsolved: `no_site`, if none can be reached.
    """
    costs = _costs_of(me, {s for row in rows for s in row} - {"?"})
    for cost in costs.values():
        cost[me.unknown] = NEVER
        for cell in filter(me.inside, me.keep):
            cost[cell] = NEVER
    sites = [site for cells in variants(rows) for site in _sites(me, costs, cells)]
    sites.sort(key=lambda pair: pair[0])
    reach = costs_from(me, prices(me), CLOSE if "w" in costs else NEVER)
    best, least = None, NEVER
    for score, layout in sites[:TRIED]:
        inside = {c for c, s in layout.items() if s == "o"}
        ends = inside or {b for c in layout for b in me.beside(c)}
        corner = min(x for x, _ in layout), min(y for _, y in layout)
        walk = min(reach.get(c, NEVER) for c in ends) - STEP * distance(corner, me.pos)
        stones = shopping(me, layout, costs).get("stone", 0) - me.inventory["stone"]
        total = score + walk + FETCH * max(0, stones)
        if total < least:
            best, least = layout, total
    if best is None:
        raise Unsolved("no_site")
    return best, least


def _sites(
    me: Actor, costs: Costs, cells: tuple[tuple[int, int, str], ...]
) -> list[tuple[float, Layout]]:
    """Returns the best sites of one variant, with straight distances."""
    width = me.area[0] - max(dx for dx, _, _ in cells)
    height = me.area[1] - max(dy for _, dy, _ in cells)
    if width <= 0 or height <= 0:
        return []
    xs, ys = np.indices((width, height))
    score = STEP * (abs(xs - me.pos[0]) + abs(ys - me.pos[1]))
    for dx, dy, symbol in cells:
        score += costs[symbol][dx : dx + width, dy : dy + height]
    sites = []
    for number in np.argsort(score, axis=None)[:TRIED].tolist():
        x, y = divmod(number, height)
        if score[x, y] < NEVER:
            layout = {(x + dx, y + dy): symbol for dx, dy, symbol in cells}
            sites.append((float(score[x, y]), layout))
    return sites


def template(me: Actor, rows: tuple[str, ...]) -> Plan:
    """Builds a template at the cheapest site; returns its cells.

    Raises:
      Unsolved: If there is no site, or something is missing.
    """
    if set("".join(rows)) & {*DUG, "w"}:
        yield from ensure(me, me.rules.collect["stone"]["require"])
    layout, _ = choose(me, rows)
    wants = shopping(me, layout)
    if not me.has(wants):
        yield from ensure(me, wants)
        layout, _ = choose(me, rows)  # the player may be elsewhere now
    yield from lay(me, layout)
    return layout


def _costs_of(me: Actor, symbols: Iterable[str]) -> Costs:
    return {symbol: _cost(me, symbol) for symbol in sorted(set(symbols))}


def _unfinished_cells(layout: Layout, costs: Costs) -> dict[Cell, float]:
    """Returns the unfinished cells of a layout and their costs."""
    return {c: float(costs[s][c]) for c, s in layout.items() if costs[s][c]}


def shopping(me: Actor, layout: Layout, costs: Costs | None = None) -> dict[str, int]:
    """Returns the items that a layout requires, up to what can be carried."""
    wants: collections.Counter[str] = collections.Counter()
    costs = costs or _costs_of(me, layout.values())
    for cell, cost in _unfinished_cells(layout, costs).items():
        thing = THINGS.get(layout[cell])
        if thing is not None:
            wants.update(me.rules.place[thing]["uses"])
        elif cost == BOTH:
            wants["stone"] = max(wants["stone"], 1)
    inside = [c for c, symbol in layout.items() if symbol == "o"]
    if inside:  # for the door, less what is dug inside
        dug = sum(me.material(c) == "stone" for c in inside)
        wants["stone"] = max(0, wants["stone"] + 1 - dug)
    return {i: min(n, int(me.rules.items[i]["max"])) for i, n in wants.items()}


def lay(me: Actor, layout: Layout) -> Plan:
    """Builds all cells of a layout, the nearest first.

    Open cells and the cell of the player come last.

    Raises:
      Unsolved: If that fails.
    """

    def order(cell: Cell) -> tuple[bool, bool, bool, int, Cell]:
        symbol, here = layout[cell], cell == me.pos
        late = symbol in OPEN, symbol not in LARGE
        return *late, here, distance(cell, me.pos), cell

    kept, waited = me.keep, 0
    try:
        for _ in range(6 * len(layout) + 12):
            left = _unfinished_cells(layout, _costs_of(me, layout.values()))
            if not left:
                return
            solid = {c for c, s in layout.items() if c not in left and THINGS.get(s)}
            me.keep = kept | solid
            cell = min(left, key=order)
            waited += me.thing(cell) is not None
            if waited > BRIEF:
                raise Unsolved("creature_lost")
            yield from _lay_cell(me, cell, THINGS.get(layout[cell]))
    finally:
        me.keep = kept
    raise Unsolved("planner_error")


def _lay_cell(me: Actor, cell: Cell, thing: str | None) -> Plan:
    material = me.material(cell)
    if thing is None and (me.open(cell) or material in me.fillable()):
        thing = "stone"  # to be dug afterwards
    if me.pos == cell:
        yield from step_off(me)
    elif me.thing(cell) is not None:
        yield strike_back(me) or "noop"
    elif thing is not None and material in me.rules.place[thing]["where"]:
        yield from put(me, cell, thing)
    elif material is None or material not in me.rules.collect:
        raise Unsolved("no_site")
    else:
        yield from ensure(me, me.rules.collect[material]["require"])
        yield from face(me, lambda: {cell})
        if me.target == cell:
            yield from act(me, "do")


def put(me: Actor, cell: Cell, thing: str) -> Plan:
    """Places a thing in a cell as soon as it is unoccupied."""
    for _ in range(POLITE):
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


# Rooms.

#: Rooms whose longest row starts with a door: a shelter, and one of nine cells.
SHELTER = ("?ww?", "ooow", "?ww?")
HALL = ("?www?", "wooow", "oooow", "wooow", "?www?")


def house(me: Actor, rows: tuple[str, ...]) -> Plan:
    """Builds a room whose longest row starts with a door, and closes it from inside.

    Args:
      me: The actor.
      rows: Its template.
    """
    layout = yield from template(me, rows)
    row, kept = _row(layout), me.keep
    me.keep = kept | {c for c, s in layout.items() if s not in OPEN}
    try:
        yield from ensure(me, {"stone": 1})  # for the door
        yield from go(me, lambda: {row[-1]})
        for cell in reversed(row[1:-1]):
            yield from enter(me, cell)
        for _ in range(POLITE):
            if me.target != row[0] or not me.open(row[0]):
                break
            free = me.thing(row[0]) is None
            yield "place_stone" if free else strike_back(me) or "noop"
    finally:
        me.keep = kept


def _row(layout: Layout) -> list[Cell]:
    """Returns the longest row of open cells of a layout, from its door on."""
    cells = sorted(c for c, s in layout.items() if s in OPEN)
    rows = [[c for c in cells if c[axis] == d[axis]] for d in cells for axis in (0, 1)]
    row = max(rows, key=len)
    ends = [sum(layout.get(b) is not None for b in neighbours(c)) for c in row]
    return row if ends[0] < ends[-1] else row[::-1]


def room(me: Actor, lo: int, own: int) -> Plan:
    """Encloses the player in a room of some size.

    Args:
      me: The actor.
      lo: Least number of cells.
      own: Least number of own blocks around.

    Raises:
      Unsolved: If it cannot.
    """
    text = "/".join(SHELTER if lo <= 2 else HALL)
    # The stone in the door is an own block, too.
    yield from house(me, tuple(text.replace("w", "#", max(0, own - 1)).split("/")))
