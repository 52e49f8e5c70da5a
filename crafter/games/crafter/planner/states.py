"""Methods that establish and maintain conditions, structures included."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner import building, ground
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import template
from crafter.games.crafter.planner.combat import drink, eat, flee, hunt
from crafter.games.crafter.planner.gather import ensure, open_up
from crafter.games.crafter.planner.ground import exposed, tend
from crafter.games.crafter.planner.moves import explore, face, go, seek, wait
from crafter.games.crafter.planner.survival import live, shut_in, sleep_safely
from crafter.games.crafter.tasks import conditions as c
from crafter.games.crafter.tasks.structures import Structure, patterns, rooms
from crafter.games.crafter.tasks.structures import ground as grounds
from crafter.tasks.episodes.reasons import Unsolved
from crafter.tasks.language.monitors import Guard
from crafter.tasks.world import common
from crafter.tasks.world import conditions as logic
from crafter.tasks.world.common import Still


def build(me: Actor, structure: Structure, number: int = 0) -> Plan:
    """Builds a structure.

    Args:
      me: The actor.
      structure: The structure.
      number: Number of existing instances, whose cells are kept.

    Raises:
      Unsolved: If it fails; `no_method` without a method.
    """
    if number == 0:
        me.keep = set()
    kinds = (kind for kind in BUILDERS if isinstance(structure, kind))
    kind = next(kinds, None)
    if kind is None:
        raise Unsolved("no_method", structure.word)
    yield from BUILDERS[kind](me, structure)


def _shape(me: Actor, shape: patterns.Shape) -> Plan:
    layout = yield from template(me, shape.rows())
    me.keep = me.keep | set(layout)


#: Kind of structure -> method; the first match counts.
BUILDERS: dict[type[Structure], Callable[[Actor, Any], Plan]] = {
    patterns.Shape: _shape,
    grounds.Emptied: ground.empty,
    grounds.Crossing: ground.bridge,
    rooms.Fenced: lambda me, fenced: tend(me),
    rooms.Plot: ground.plot,
    rooms.Workshop: lambda me, workshop: template(me, ("TF",)),
}


#: Order in which conjuncts are established.
ORDER: tuple[type[logic.Condition], ...] = (
    *(logic.Comparison, logic.Built, logic.Place),
    *(common.On, common.Facing, c.Enclosed, common.Asleep),
)
#: Retries of a state that could not be established.
TRIES = 30


def reach(me: Actor, condition: logic.Condition, guards: Sequence[Guard] = ()) -> Plan:
    """Establishes and maintains a state until it is interrupted.

    Raises:
      Unsolved: If it fails.
    """
    wanted = [condition, *(g.condition for g in guards)]
    failures = 0
    while True:
        missing = next((w for w in wanted if not w.holds(me.view)), None)
        if missing is None:
            yield from _keep(me, condition)
            continue
        steps = 0
        for action in see_to(me, missing):
            steps += 1
            yield action
        if not steps:
            failures += 1
            if failures > TRIES:
                raise Unsolved("planner_error")
            yield "noop"


def _keep(me: Actor, condition: logic.Condition) -> Plan:
    """Maintains a state for a step."""
    vitals = {i: n + 1 for i, n in least(condition).items() if i in c.VITALS}

    def low() -> list[str]:
        return [item for item, floor in vitals.items() if me.inventory[item] <= floor]

    for item in low()[:1]:
        yield from _vital(me, item, vitals[item] + 2)
        return
    if vitals:
        yield from live(me, lambda: bool(low()) or not condition.holds(me.view))
    elif any(isinstance(part, common.Asleep) for part in condition.walk()):
        yield "sleep"
    elif exposed(me):
        yield from tend(me)
    else:
        yield "noop"


def least(condition: logic.Condition) -> dict[str, int]:
    """Returns the minimum amounts of items and vitals of a state."""
    return {
        part.quantity.item: int(part.number) + (part.relation == ">")
        for part in condition.conjuncts()
        if isinstance(part, logic.Comparison)
        and isinstance(part.quantity, c.Amount)
        and part.relation in (">=", "==", ">")
    }


def amounts(condition: logic.Condition) -> dict[str, int]:
    """Returns the items that a state requires, without vitals."""
    return {i: n for i, n in least(condition).items() if i not in c.VITALS}


def of_time(condition: logic.Condition) -> bool:
    """Returns whether a condition only takes waiting."""
    return isinstance(condition, (common.Night, common.Day)) or (
        isinstance(condition, logic.Comparison)
        and isinstance(condition.quantity, c.Light)
    )


def see_to(me: Actor, condition: logic.Condition) -> Plan:
    """Establishes a condition, once.

    Raises:
      Unsolved: If it fails or has no method.
    """
    if condition.holds(me.view):
        return
    if of_time(condition):
        yield from live(me, lambda: condition.holds(me.view))
        return
    kind = next((k for k in type(condition).__mro__ if k in METHODS), None)
    if kind is None:
        raise Unsolved("no_method", str(condition))
    yield from METHODS[kind](me, condition)


def _all_of(me: Actor, condition: logic.AllOf) -> Plan:
    wants = amounts(condition)
    if wants and not me.has(wants):
        yield from ensure(me, wants)
        return
    for part in sorted(condition.conditions, key=_rank):
        if not part.holds(me.view):
            yield from see_to(me, part)
            return


def _rank(condition: logic.Condition) -> int:
    ranks = [n for n, kind in enumerate(ORDER) if isinstance(condition, kind)]
    return ranks[0] if ranks else len(ORDER)


def _any_of(me: Actor, condition: logic.AnyOf) -> Plan:
    last = Unsolved("planner_error")
    for part in condition.conditions:
        try:
            yield from see_to(me, part)
            return
        except Unsolved as error:
            last = error
    raise last


def _opposite(me: Actor, opposite: logic.Opposite) -> Plan:
    condition, view = opposite.condition, me.view
    if isinstance(condition, (common.HostileWithin, common.Around)):
        while condition.holds(view):
            step = len(view.trail)
            yield from flee(me, condition.r + 1)
            if len(view.trail) == step:
                yield "noop"
    elif isinstance(condition, c.Alive):
        yield from _kill_all(me, condition)
    elif isinstance(condition, logic.Place):
        yield from _go_where(
            me, lambda: _spots(me, lambda s: not condition.holds_at(view, s))
        )
    elif isinstance(condition, common.Asleep):
        yield "noop"
    else:
        raise Unsolved("no_method", str(opposite))


def _kill_all(me: Actor, condition: c.Alive) -> Plan:
    """Kills the creatures in a place."""

    def inside(cell: Cell) -> bool:
        return condition.place is None or condition.place.holds_at(me.view, cell)

    yield from hunt(me, condition.kind, lambda: not condition.holds(me.view), inside)


def _comparison(me: Actor, condition: logic.Comparison) -> Plan:
    quantity = condition.quantity
    if not isinstance(quantity, c.Amount) or condition.relation in ("<=", "<"):
        raise Unsolved("no_method", str(condition))
    if quantity.item in c.VITALS:
        yield from _vital(me, quantity.item, least(condition)[quantity.item])
    else:
        yield from ensure(me, amounts(condition))


def _vital(me: Actor, item: str, wanted: int) -> Plan:
    life = me.rules.life
    if wanted > me.rules.items[item]["max"]:
        raise Unsolved("cap", item)
    if item == life["hunger"]["item"]:
        yield from eat(me, wanted)
    elif item == life["thirst"]["item"]:
        yield from drink(me, wanted)
    elif item == life["fatigue"]["item"]:
        yield from sleep_safely(me)
    else:
        yield from live(me, lambda: me.inventory[item] >= wanted)


def _enclosed(me: Actor, wanted: c.Enclosed) -> Plan:
    yield from building.room(me, wanted.lo, wanted.own)


def _asleep(me: Actor, condition: common.Asleep) -> Plan:
    yield from live(me, lambda: me.lacks("fatigue") > 0)
    if not shut_in(me) and (me.dark or me.hostile_within(8)):
        with contextlib.suppress(Unsolved):
            yield from sleep_safely(me)
    yield "sleep"


# Places.


def _spots(me: Actor, fits: Callable[[Cell], bool]) -> set[Cell]:
    """Returns known free cells that fit."""
    ground = me.cells(*me.rules.walkable)
    return {cell for cell in ground if me.free(cell) and fits(cell)}


def _place(me: Actor, place: logic.Place) -> set[Cell]:
    """Returns the cells in a place, including ones to dig or fill if needed."""
    spots = _spots(me, lambda cell: place.holds_at(me.view, cell))
    if spots or not isinstance(place, (c.Rectangle, common.Away, c.Corner, c.InMark)):
        return spots
    cells = me.cells(*me.rules.walkable, *me.diggable(), *me.fillable())
    return {cell for cell in cells if place.holds_at(me.view, cell)}


def _beside(me: Actor, walk: c.Walk) -> set[Cell]:
    return {b for cell in targets(me, walk.what) for b in me.beside(cell)}


def _in_view(me: Actor, sees: common.Sees) -> set[Cell]:
    """Returns free cells from which something is in the view, at a distance."""
    columns, rows = (s.stop - s.start for s in me.view.view_cells())
    things = targets(me, sees.what)

    def fits(spot: Cell) -> bool:
        return any(
            abs(t[0] - spot[0]) <= columns // 2
            and abs(t[1] - spot[1]) <= rows // 2
            and distance(t, spot) >= 2
            for t in things
        )

    return _spots(me, fits) if things else set()


#: Kind of condition -> the cells to go to.
STANDS: dict[Any, Callable[[Actor, Any], set[Cell]]] = {
    logic.Place: _place,
    common.On: lambda me, on: me.cells(on.material),
    c.Walk: _beside,
    common.Sees: _in_view,
}


def go_where(me: Actor, condition: logic.Condition) -> Plan:
    """Goes to a cell where a condition holds.

    Raises:
      Unsolved: If there is no such place.
    """
    cells = next(STANDS[k] for k in type(condition).__mro__ if k in STANDS)
    yield from _go_where(me, lambda: cells(me, condition))


def _go_where(me: Actor, cells: Callable[[], set[Cell]]) -> Plan:
    yield from seek(me, cells)
    try:
        yield from go(me, cells)
    except Unsolved as error:
        if error.reason != "unreachable":
            raise
        yield from open_up(me)
        yield from go(me, cells)


def targets(me: Actor, what: str) -> set[Cell]:
    """Returns the known cells of a material, or of things of a kind."""
    if what in me.rules.material_ids:
        return {cell for cell in me.cells(what) if me.thing(cell) is None}
    return {thing.pos for thing in me.things(what)}


def _built(me: Actor, condition: logic.Built) -> Plan:
    """Builds the required number of structures."""
    for number in range(condition.count):
        yield from build(me, condition.structure, number)


def _face(me: Actor, condition: common.Facing) -> Plan:
    yield from seek(me, lambda: targets(me, condition.what))
    yield from face(me, lambda: targets(me, condition.what))


#: Kind of condition -> method.
METHODS: dict[type[logic.Condition], Callable[[Actor, Any], Plan]] = {
    logic.AllOf: _all_of,
    logic.AnyOf: _any_of,
    logic.Opposite: _opposite,
    logic.Comparison: _comparison,
    logic.Built: _built,
    c.Enclosed: _enclosed,
    common.Asleep: _asleep,
    c.Explored: lambda me, share: explore(me, lambda: share.holds(me.view)),
    common.Facing: _face,
    Still: lambda me, still: wait(me, still.n),
    **dict.fromkeys(STANDS, go_where),
}
