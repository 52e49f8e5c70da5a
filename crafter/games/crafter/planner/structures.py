"""Which method builds a structure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner import building, farming, ground, sites
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import template
from crafter.games.crafter.planner.gather import place
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import seal_in
from crafter.games.crafter.planner.traps import pen
from crafter.tasks import conditions as c
from crafter.tasks.structures import Structure
from crafter.tasks.structures.ground import (
    Breakthrough,
    Cleared,
    Crossing,
    Fill,
    Pier,
    PondFilled,
    PoolSealed,
)
from crafter.tasks.structures.patterns import Mirrored, Shape
from crafter.tasks.structures.rooms import (
    Apart,
    DoorHouse,
    Enclosure,
    Fenced,
    Garden,
    Hut,
    Pen,
    Plot,
    Workshop,
)


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
    for kind, method in METHODS.items():
        if isinstance(structure, kind):
            yield from method(me, structure)
            return
    raise Unsolved("no_method", structure.word)


def _shape(me: Actor, shape: Shape) -> Plan:
    layout = yield from template(me, shape.rows())
    me.keep = me.keep | set(layout)


def _fill(me: Actor, fill: Fill) -> Plan:
    symbols: Mapping = {"f": sites.filling(fill.material)}
    yield from template(me, fill.rows(), dict(symbols))


def _garden(me: Actor, garden: Garden) -> Plan:
    around = ["P" if k < garden.n else "?" for k in range(8)]
    a, b, d, e, f, g, h, i = around
    # Those in the middle of a side first: they can be got at from everywhere.
    rows = (f"{e}{a}{f}", f"{b}T{d}", f"{g}{h}{i}")
    yield from template(me, rows)


def _workshop(me: Actor, workshop: Workshop) -> Plan:
    own = me.view.own
    tables = _own_cells(me, "table")
    if not tables:
        yield from place(me, "table", lambda cell: not own[cell])
        tables = _own_cells(me, "table")
    reach = 2 * int(me.rules.world["nearby"])
    if tables:
        x, y = tables[-1]
        yield from place(
            me, "furnace", lambda c: max(abs(c[0] - x), abs(c[1] - y)) <= reach
        )


def _own_cells(me: Actor, name: str) -> list[Cell]:
    xs, ys = (me.view.own == me.rules.material_ids[name]).nonzero()
    return list(zip(xs.tolist(), ys.tolist()))


def _pond(me: Actor, pond: PondFilled) -> Plan:
    return ground.fill(me, "water", pond.most)


def _pool(me: Actor, pool: PoolSealed) -> Plan:
    return ground.fill(me, "lava", pool.most)


def _cleared(me: Actor, cleared: Cleared) -> Plan:
    return ground.clear(me, cleared.material, cleared.least, cleared.most)


def _crossing(me: Actor, crossing: Crossing) -> Plan:
    return ground.bridge(me, crossing.material, crossing.n)


def _breakthrough(me: Actor, breakthrough: Breakthrough) -> Plan:
    return ground.tunnel_through(me, breakthrough.least)


def _pier(me: Actor, pier: Pier) -> Plan:
    return ground.pier(me, pier.n)


def _hut(me: Actor, hut: Hut) -> Plan:
    if not hut.lo <= 2 <= hut.hi:
        raise Unsolved("no_method", str(hut))
    return building.hut(me)


def _house(me: Actor, house: DoorHouse) -> Plan:
    if not house.lo <= 3 <= house.hi:
        raise Unsolved("no_method", str(house))
    return building.house(me)


def _enclosure(me: Actor, room: Enclosure) -> Plan:
    return building.room(me, room.lo, room.hi, room.own, room.wall, room.n)


def _apart(me: Actor, apart: Apart) -> Plan:
    if not _own_cells(me, apart.material):
        yield from place(me, apart.material)
    first = _own_cells(me, apart.material)[:1]
    yield from place(
        me, apart.material, lambda c: all(distance(c, f) >= apart.far for f in first)
    )


def _mirrored(me: Actor, figure: Mirrored) -> Plan:
    """Builds two rows side by side, with no other stone that touches them."""
    width = max(2, -(-figure.n // 2))
    edge, row = sites.BARE * (width + 2), sites.BARE + "#" * width + sites.BARE
    yield from template(me, (edge, row, row, edge))


def _fenced(me: Actor, fenced: Fenced) -> Plan:
    return farming.fence_plant(me)


def _plot(me: Actor, plot: Plot) -> Plan:
    return farming.plot(me, plot.n, plot.w, plot.h)


def _pen(me: Actor, wanted: Pen) -> Plan:
    return pen(me, wanted.kind, wanted.n, wanted.hi, wanted.cell)


def enclose(me: Actor, wanted: c.Enclosed) -> Plan:
    """Shuts the player in as a condition asks for."""
    if wanted.lo > 2 or wanted.own > 1:
        yield from building.room(me, wanted.lo, wanted.hi, wanted.own)
    else:
        yield from seal_in(me)
        yield from building.room(me, wanted.lo, wanted.hi, wanted.own)


#: Kind of structure -> method; the first one that fits.
METHODS: dict[type[Structure], Callable[..., Plan]] = {
    Fill: _fill,
    Shape: _shape,
    PondFilled: _pond,
    PoolSealed: _pool,
    Cleared: _cleared,
    Crossing: _crossing,
    Breakthrough: _breakthrough,
    Pier: _pier,
    Hut: _hut,
    DoorHouse: _house,
    Enclosure: _enclosure,
    Fenced: _fenced,
    Plot: _plot,
    Pen: _pen,
    Garden: _garden,
    Workshop: _workshop,
    Apart: _apart,
    Mirrored: _mirrored,
}
