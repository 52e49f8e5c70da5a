"""Methods that change the ground: passages elsewhere, groups that are emptied."""

from __future__ import annotations

import numpy as np

from crafter.core.grid import Cell
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import lay
from crafter.games.crafter.planner.gather import ensure
from crafter.games.crafter.planner.moves import go, seek
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.ways import NEVER, Price, costs_from, prices
from crafter.tasks.world.regions import components, open_mask
from crafter.tasks.world.structures.ground import Crossing, Emptied
from crafter.tasks.world.structures.patterns import was

#: What going through a cell of a passage costs.
THROUGH = 4.0


def empty(me: Actor, wanted: Emptied) -> Plan:
    """Collects a whole group of cells, or fills it with stones.

    Raises:
      Unsolved: `no_target`, if there is none of the right size.
    """
    material = wanted.material
    rule = me.rules.collect.get(material, {"leaves": material})
    symbol = "#" if rule["leaves"] == material else "."
    yield from seek(me, lambda: _groups(me, wanted))
    reach = costs_from(me, prices(me))
    nearest = min(
        _groups(me, wanted),
        key=lambda g: min(reach.get(b, NEVER) for c in g for b in me.beside(c)),
    )
    yield from lay(me, dict.fromkeys(nearest, symbol))


def _groups(me: Actor, wanted: Emptied) -> list[set[Cell]]:
    """Returns the groups of a material at the start of which something is left."""
    groups = [
        group
        for group in components(was(me.view, wanted.material))
        if wanted.least <= len(group) <= wanted.most
        and any(me.material(c) == wanted.material for c in group)
    ]
    return sorted(groups, key=sorted)


def bridge(me: Actor, wanted: Crossing) -> Plan:
    """Bridges a material to a region that could not be reached before.

    Raises:
      Unsolved: `no_site`, if there is no such place.
    """
    yield from ensure(me, {"stone": 2, **me.rules.collect["stone"]["require"]})
    ground = was(me.view, *me.rules.walkable)
    far = {c for r in components(ground) if me.view.start_pos not in r for c in r}
    if not far:
        raise Unsolved("no_site")
    wide = np.zeros(me.area, bool)
    for part in components(was(me.view, wanted.material)):
        for cell in part if len(part) >= wanted.n else ():
            wide[cell] = True

    def price() -> Price:
        walked = np.array(prices(me, dig=False, bridge=False))
        walked[wide & ~open_mask(me.view)] = THROUGH
        table: Price = np.where(ground | wide, walked, NEVER).tolist()
        return table

    yield from go(me, lambda: far, price)
