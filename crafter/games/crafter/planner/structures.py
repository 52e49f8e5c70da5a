"""Which method builds a structure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crafter.games.crafter.planner import building, farming, ground
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import template
from crafter.games.crafter.planner.gather import place
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.traps import pen
from crafter.tasks.structures import Structure, patterns, rooms
from crafter.tasks.structures import ground as grounds


def build(me: Actor, structure: Structure, number: int = 0) -> Plan:
    """Builds a structure.

    Args:
      me: Who builds it.
      structure: What.
      number: How many of it stand already, whose cells must be left alone.

    Raises:
      Unsolved: If it cannot; `no_method` if it does not know how.
    """
    if number == 0:
        me.keep = set()
    kinds = (kind for kind in METHODS if isinstance(structure, kind))
    kind = next(kinds, None)
    if kind is None:
        raise Unsolved("no_method", structure.word)
    yield from METHODS[kind](me, structure)


def _shape(me: Actor, shape: patterns.Shape) -> Plan:
    layout = yield from template(me, shape.rows())
    me.keep = me.keep | set(layout)


def _garden(me: Actor, garden: rooms.Garden) -> Plan:
    around = ["P" if k < garden.n else "?" for k in range(8)]
    a, b, d, e, f, g, h, i = around
    # Those in the middle of a side first: they can be got at from everywhere.
    rows = (f"{e}{a}{f}", f"{b}T{d}", f"{g}{h}{i}")
    yield from template(me, rows)


def _workshop(me: Actor, workshop: rooms.Workshop) -> Plan:
    own = me.view.own
    if not own_cells(me, "table"):
        yield from place(me, "table", lambda cell: not own[cell])
    reach = 2 * int(me.rules.world["nearby"])
    x, y = own_cells(me, "table")[-1]
    yield from place(
        me, "furnace", lambda c: max(abs(c[0] - x), abs(c[1] - y)) <= reach
    )


def own_cells(me: Actor, name: str) -> list[tuple[int, int]]:
    """Returns the cells of the player's own blocks of a material."""
    xs, ys = (me.view.own == me.rules.material_ids[name]).nonzero()
    return list(zip(xs.tolist(), ys.tolist()))


#: Kind of structure -> method; the first one that fits.
METHODS: dict[type[Structure], Callable[[Actor, Any], Plan]] = {
    patterns.Shape: _shape,
    grounds.PondFilled: lambda me, pond: ground.fill(me, "water", pond.most),
    grounds.PoolSealed: lambda me, pool: ground.fill(me, "lava", pool.most),
    grounds.Cleared: lambda me, c: ground.clear(me, c.material, c.least, c.most),
    grounds.Crossing: lambda me, way: ground.bridge(me, way.material, way.n),
    grounds.Breakthrough: lambda me, way: ground.tunnel_through(me, way.least),
    rooms.Hut: lambda me, hut: building.house(me, building.HUT, True),
    rooms.DoorHouse: lambda me, house: building.house(me, building.HOUSE, False),
    rooms.Enclosure: lambda me, r: building.room(me, r.lo, r.hi, r.own, r.wall, r.n),
    rooms.Fenced: lambda me, fenced: farming.fence_plant(me),
    rooms.Plot: lambda me, plot: farming.plot(me, plot.n, plot.w, plot.h),
    rooms.Pen: lambda me, cage: pen(me, cage.kind, cage.n, cage.hi, cage.cell),
    rooms.Garden: _garden,
    rooms.Workshop: _workshop,
}
