"""Methods that gather, place and make things, with all prerequisites."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner.actor import Actor, Plan, nothing
from crafter.games.crafter.planner.moves import act, explore, face, go, seek
from crafter.games.crafter.planner.recipes import Step, recipe, sources
from crafter.tasks.episodes.reasons import Unsolved

#: Largest distance to an existing station before another one is placed.
WORTH_THE_WALK = 25
#: Radius in which cells for placing are preferred.
AROUND = 6

Fits = Callable[[Cell], bool]


def anywhere(cell: Cell) -> bool:
    """Accepts any cell."""
    return True


def ensure(me: Actor, wants: Mapping[str, int]) -> Plan:
    """Gathers and makes items until the inventory has them all.

    Raises:
      Unsolved: If an item cannot be obtained.
    """
    while not me.has(wants):
        steps = recipe(me.rules, wants, me.inventory, _stations(me))
        yield from _take(me, _first(me, steps))


def open_up(me: Actor) -> Plan:
    """Explores, or else obtains the tools to dig and bridge.

    Raises:
      Unsolved: If neither is left to do.
    """
    if me.unknown.any():
        unknown = me.unknown.sum()
        yield from explore(me, lambda: me.unknown.sum() < unknown)
        return
    dig = me.rules.collect["stone"]["require"]
    try:
        if me.has(dig) and me.fillable():
            raise Unsolved("unreachable")
        yield from ensure(me, {**dig, "stone": 1})
    except Unsolved:
        raise Unsolved("unreachable") from None


def _stations(me: Actor) -> list[str]:
    """Returns the stations within walking distance."""
    return [
        name
        for name in me.rules.place
        if any(distance(c, me.pos) <= WORTH_THE_WALK for c in me.cells(name))
    ]


def _first(me: Actor, steps: list[Step]) -> Step:
    """Returns the first step: gathering comes before everything else."""
    for step in steps:
        if (
            step.verb == "collect"
            and me.capacity_left(step.what) > 0
            and _has_tool(me, step)
        ):
            return step
    return steps[0]


def _has_tool(me: Actor, step: Step) -> bool:
    rules = me.rules.collect
    return any(me.has(rules[m]["require"]) for m in sources(me.rules, step.what))


def _take(me: Actor, step: Step) -> Plan:
    if step.verb == "place":
        yield from place(me, step.what)
    elif step.verb == "make":
        yield from make(me, step.what)
    else:
        wanted = me.inventory[step.what] + min(
            step.amount, max(1, me.capacity_left(step.what))
        )
        while me.inventory[step.what] < wanted:
            yield from collect(me, step.what)


def collect(
    me: Actor, item: str, fits: Fits = anywhere, ready: Callable[[], Plan] = nothing
) -> Plan:
    """Tries to collect an item once, after obtaining the tool.

    Args:
      me: The actor.
      item: The item.
      fits: Returns whether a cell may be taken.
      ready: Method to run before the last action.

    Raises:
      Unsolved: If it cannot be obtained.
    """
    materials = sources(me.rules, item)
    if not materials:
        raise Unsolved("missing", item)
    require = me.rules.collect[materials[0]]["require"]
    yield from ensure(me, require)
    yield from take(me, materials, fits, ready, item)


def take(
    me: Actor,
    materials: Collection[str],
    fits: Fits = anywhere,
    ready: Callable[[], Plan] = nothing,
    item: str = "",
) -> Plan:
    """Collects the nearest cell of some materials with the present tools."""

    def cells() -> set[Cell]:
        known = me.cells(*materials) - me.keep
        here, taken = me.pos, me.taken
        return {c for c in known if c != here and c not in taken and fits(c)}

    try:
        yield from seek(me, cells)
    except Unsolved as error:
        missing = error.reason == "no_target" and item
        raise Unsolved("missing", item) if missing else error from None
    yield from face(me, cells)
    yield from ready()
    if me.target in cells():
        yield from act(me, "do")


def step_off(me: Actor) -> Plan:
    """Leaves the current cell for an adjacent one, dug if necessary."""
    start = me.pos
    beside = {b for b in me.beside(start) if me.free(b)}
    if beside:
        yield from go(me, lambda: beside)
    else:
        yield from take(me, me.diggable(), lambda cell: distance(cell, start) == 1)


def place(
    me: Actor, thing: str, fits: Fits = anywhere, ready: Callable[[], Plan] = nothing
) -> Plan:
    """Places a thing on a suitable cell, after obtaining what it costs.

    Raises:
      Unsolved: If it cannot be obtained, or there is no such cell.
    """
    if thing not in me.rules.place:
        raise Unsolved("missing", thing)
    uses = me.rules.place[thing]["uses"]
    while True:
        yield from ensure(me, uses)

        def cells() -> set[Cell]:
            return _places(me, thing, fits)

        if not cells() and not (yield from _clear(me, thing, fits)):
            try:
                yield from seek(me, cells)
            except Unsolved:
                raise Unsolved("no_site") from None
        yield from face(me, cells)
        yield from ready()
        if me.has(uses) and me.target in cells():
            yield from act(me, f"place_{thing}")
            return


def _clear(me: Actor, thing: str, fits: Fits) -> Plan:
    """Digs a cell so that a thing can be placed there; returns whether it did."""
    where = me.rules.place[thing]["where"]
    rules = me.rules.collect
    names = [name for name in me.diggable() if rules[name]["leaves"] in where]
    if not any(fits(c) for c in me.cells(*names) - me.keep):
        return False
    yield from take(me, names, fits)
    return True


def _places(me: Actor, thing: str, fits: Fits) -> set[Cell]:
    """Returns the cells where a thing can be placed, preferably nearby."""
    where = me.cells(*me.rules.place[thing]["where"])
    here, keep = me.pos, me.keep
    near = {c for c in where if distance(c, here) <= AROUND and min(c) >= 2}
    for cells in (near, where):
        places = {
            c for c in cells if c not in keep and me.can_place(thing, c) and fits(c)
        }
        if places:
            return places
    return set()


def make(
    me: Actor, item: str, fits: Fits = anywhere, ready: Callable[[], Plan] = nothing
) -> Plan:
    """Makes an item, with all prerequisites.

    Args:
      me: The actor.
      item: The item.
      fits: Returns whether a cell is suitable for crafting.
      ready: Method to run before the last action.

    Raises:
      Unsolved: If it cannot be made.
    """
    if item not in me.rules.make:
        raise Unsolved("missing", item)
    rule = me.rules.make[item]
    recipe(me.rules, {item: me.inventory[item] + 1}, me.inventory)  # raises
    while True:
        steps = recipe(
            me.rules, {item: me.inventory[item] + 1}, me.inventory, _stations(me)
        )
        first = _first(me, steps)
        if first != Step("make", item, 1) and first.what != item:
            yield from _take(me, first)
            continue
        yield from come_near(me, rule["nearby"], fits)
        yield from ready()
        if me.has(rule["uses"]) and me.pos in me.near(*rule["nearby"]):
            yield from act(me, f"make_{item}")
            return


def come_near(me: Actor, stations: Collection[str], fits: Fits = anywhere) -> Plan:
    """Goes near all stations; places missing ones."""
    names = list(stations)
    while names and not (me.pos in me.near(*names) and fits(me.pos)):
        spots: set[Cell] = set()
        for n, name in enumerate(names, 1):
            known = {s for s in me.near(*names[:n]) if fits(s)}
            near = {s for s in known if distance(s, me.pos) <= WORTH_THE_WALK}
            try:
                yield from go(me, functools.partial(set, near))
                spots = near
            except Unsolved:
                yield from place(me, name, functools.partial(_suits, me, fits, spots))
                break


def _suits(me: Actor, fits: Fits, spots: Collection[Cell], cell: Cell) -> bool:
    """Returns whether a station in a cell is next to a suitable crafting cell."""
    beside = [b for b in me.beside(cell) if (b in spots if spots else fits(b))]
    return cell != me.pos and bool(beside)
