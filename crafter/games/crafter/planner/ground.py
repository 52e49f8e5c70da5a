"""Methods that change the terrain: farming, bridges, clearing."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from crafter.core.grid import Cell, distance
from crafter.core.regions import components
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import lay, template
from crafter.games.crafter.planner.combat import strike
from crafter.games.crafter.planner.gather import ensure
from crafter.games.crafter.planner.moves import go, seek
from crafter.games.crafter.planner.pathfinding import NEVER, Price, costs_from, prices
from crafter.games.crafter.planner.survival import live
from crafter.games.crafter.tasks.regions import open_mask
from crafter.games.crafter.tasks.structures.ground import Crossing, Emptied
from crafter.games.crafter.tasks.structures.patterns import was
from crafter.games.crafter.tasks.structures.rooms import Plot
from crafter.tasks.episodes.reasons import Unsolved

#: Distance within which plants grow.
NEAR = 8
#: A plant behind a fence.
FENCED = ("?w?", "wPw", "?w?")


def own_plants(me: Actor) -> list[Cell]:
    """Returns the living own plants, the nearest first."""
    plants = me.view.provenance.own_plants
    return sorted(plants, key=lambda c: (distance(c, me.pos), c))


def exposed(me: Actor) -> list[Cell]:
    """Returns own plants that creatures can reach."""
    return [
        cell
        for cell in own_plants(me)
        if any(me.open(b) and b != me.pos for b in me.beside(cell))
    ]


def tend(me: Actor, plants: int = 1) -> Plan:
    """Plants and fences until enough own plants grow behind fences."""
    if len(own_plants(me)) < plants:
        kept = me.keep
        me.keep = kept | set(own_plants(me))
        yield from template(me, FENCED)
        me.keep = kept
    for cell in exposed(me):
        yield from lay(me, dict.fromkeys(me.beside(cell), "w"))


def ripen(me: Actor, done: Callable[[], bool], plants: int = 2) -> Plan:
    """Tends plants and waits near them until it is done."""

    def lacking() -> bool:
        whole = len(own_plants(me)) >= plants and not exposed(me)
        return not whole and not me.dark

    def far(steps: int) -> bool:
        return any(distance(c, me.pos) > steps for c in own_plants(me)[:1])

    while not done():
        if lacking():
            yield from tend(me, plants)
            continue
        if far(NEAR):
            home, ground = own_plants(me)[0], me.cells(*me.rules.walkable)
            near = {c for c in ground if distance(c, home) <= NEAR - 2 and me.free(c)}
            yield from go(me, functools.partial(set, near))
        yield from live(me, lambda: done() or lacking() or far(2 * NEAR))


def eat_plants(me: Actor) -> Plan:
    """Grows plants and eats them as they ripen."""

    def ripe() -> set[Cell]:
        return {t.pos for t in me.things("plant") if t.ripe}

    while True:
        if ripe():
            yield from strike(me, ripe)
        else:
            yield from ripen(me, lambda: bool(ripe()))


def plot(me: Actor, wanted: Plot) -> Plan:
    """Plants a plot, row by row."""
    wide = min(wanted.n, wanted.w)
    starts = range(0, wanted.n, wide)
    rows = (("P" * wanted.n)[k : k + wide].ljust(wide, "?") for k in starts)
    yield from template(me, tuple(rows))


# Passages and groups.

#: Cost of a cell of a passage.
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
    """Returns the initial groups of a material of which cells are left."""
    groups = [
        group
        for group in components(was(me.view, wanted.material))
        if wanted.least <= len(group) <= wanted.most
        and any(me.material(c) == wanted.material for c in group)
    ]
    return sorted(groups, key=sorted)


def bridge(me: Actor, wanted: Crossing) -> Plan:
    """Crosses a material to a region that was unreachable.

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
