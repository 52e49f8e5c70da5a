"""Methods that change the ground: passages elsewhere, groups that are emptied."""

from __future__ import annotations

import numpy as np

from crafter.core.grid import Cell
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import put
from crafter.games.crafter.planner.gather import ensure, take
from crafter.games.crafter.planner.moves import go, seek
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.ways import NEVER, Price, costs_from, prices
from crafter.tasks.world.regions import components, open_mask
from crafter.tasks.world.structures.ground import Crossing, Emptied
from crafter.tasks.world.structures.patterns import was

#: What going through a cell of a passage costs, and emptying one of a group.
THROUGH, EMPTIED = 4.0, 5.0


def empty(me: Actor, wanted: Emptied) -> Plan:
    """Collects a whole group of cells, or fills it with stones.

    Raises:
      Unsolved: `no_target`, if there is none of the right size.
    """
    material = wanted.material
    rule = me.rules.collect.get(material, {"leaves": material})
    filled = rule["leaves"] == material
    yield from seek(me, lambda: _groups(me, wanted))
    yield from ensure(me, {**_pickaxe(me), "stone": 1} if filled else rule["require"])
    group = _nearest_group(me, wanted)
    for _ in range(4 * wanted.most):
        left = {c for c in group if me.material(c) == material}
        if not left:
            return
        if filled:
            edge = {c for c in left if any(me.open(b) for b in me.beside(c))}
            yield from put(me, me.nearest(edge or left) or me.pos)
        else:
            yield from take(me, (material,), group.__contains__)


def _pickaxe(me: Actor) -> dict[str, int]:
    return dict(me.rules.collect["stone"]["require"])


def _groups(me: Actor, wanted: Emptied) -> list[set[Cell]]:
    """Returns the groups of a material at the start of which something is left."""
    return [
        group
        for group in components(was(me.view, wanted.material))
        if wanted.least <= len(group) <= wanted.most
        and any(me.material(c) == wanted.material for c in group)
    ]


def _nearest_group(me: Actor, wanted: Emptied) -> set[Cell]:
    reach = costs_from(me, prices(me))

    def cost(group: set[Cell]) -> float:
        way = min(reach.get(b, NEVER) for c in group for b in me.beside(c))
        return way + EMPTIED * sum(me.material(c) == wanted.material for c in group)

    groups = sorted(_groups(me, wanted), key=sorted)
    best = min(groups, key=cost, default=None)
    if best is None or cost(best) == NEVER:
        raise Unsolved("no_target" if best is None else "unreachable")
    return best


def bridge(me: Actor, wanted: Crossing) -> Plan:
    """Bridges a material to a region that could not be reached before.

    Raises:
      Unsolved: `no_site`, if there is no such place.
    """
    yield from ensure(me, {"stone": 2, **_pickaxe(me)})
    wide = np.zeros(me.area, bool)
    for part in components(was(me.view, wanted.material)):
        for cell in part if len(part) >= wanted.n else ():
            wide[cell] = True
    yield from _pass(me, wide)
    dug = wide & me.view.dug
    while dug.sum() < wanted.n:  # it is too short to count
        cells = {b for c in zip(*dug.nonzero()) for b in me.beside(c)}
        wet = me.nearest({c for c in cells if me.material(c) == wanted.material})
        if wet is None:
            raise Unsolved("no_site")
        yield from put(me, wet)
        yield from take(me, ("stone",), {wet}.__contains__)
        dug = wide & me.view.dug
    yield from _pass(me, wide)


def _pass(me: Actor, through: np.ndarray) -> Plan:
    """Goes through cells to a region that was apart from the start."""
    ground = was(me.view, *me.rules.walkable)
    regions = components(ground)
    far = {cell for r in regions if me.view.start_pos not in r for cell in r}
    if not far:
        raise Unsolved("no_site")

    def price() -> Price:
        walked = np.array(prices(me, dig=False, bridge=False))
        walked[through & ~open_mask(me.view)] = THROUGH
        table: Price = np.where(ground | through, walked, NEVER).tolist()
        return table

    yield from go(me, lambda: far, price)
