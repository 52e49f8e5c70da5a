"""Methods about plants: plant, fence, wait for them, eat them."""

from __future__ import annotations

import functools
from collections.abc import Callable

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import lay, template
from crafter.games.crafter.planner.combat import strike
from crafter.games.crafter.planner.moves import go
from crafter.games.crafter.planner.survival import live
from crafter.tasks.world.structures.rooms import Plot

#: How near the player stays to its plants, so that they grow.
NEAR = 8
#: A plant behind a fence.
FENCED = ("?w?", "wPw", "?w?")


def own_plants(me: Actor) -> list[Cell]:
    """Returns the living plants of the player's, the nearest first."""
    plants = me.view.provenance.own_plants
    return sorted(plants, key=lambda c: (distance(c, me.pos), c))


def exposed(me: Actor) -> list[Cell]:
    """Returns the player's own plants that somebody could get at."""
    return [
        cell
        for cell in own_plants(me)
        if any(me.open(b) and b != me.pos for b in me.beside(cell))
    ]


def tend(me: Actor, plants: int = 1) -> Plan:
    """Sees to it that plants of its own grow behind fences."""
    if len(own_plants(me)) < plants:
        kept = me.keep
        me.keep = kept | set(own_plants(me))
        yield from template(me, FENCED)
        me.keep = kept
    for cell in exposed(me):
        yield from lay(me, dict.fromkeys(me.beside(cell), "w"))


def ripen(me: Actor, done: Callable[[], bool], plants: int = 2) -> Plan:
    """Plants, fences and waits near the plants until it is done."""

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
