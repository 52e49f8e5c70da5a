"""Methods that gather, place and make things, with all prerequisites."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner.actor import Actor, Plan, nothing
from crafter.games.crafter.planner.moves import act, explore, face, go, seek
from crafter.games.crafter.planner.recipes import Step, recipe, sources
from crafter.tasks.episodes.reasons import Unsolved

#: A station farther away is not worth the walk; rather another one is placed.
WORTH_THE_WALK = 25
#: How far to look for a cell to place something on.
AROUND = 6

Fits = Callable[[Cell], bool]


def anywhere(cell: Cell) -> bool:
    """Returns true: any cell will do."""
    return True


def ensure(me: Actor, wants: Mapping[str, int]) -> Plan:
    """Gathers and makes items until it has them all at once.

    Raises:
      Unsolved: If an item cannot be had.
    """
    while not me.has(wants):
        steps = recipe(me.rules, wants, me.inventory, _stations(me))
        yield from _take(me, _first(me, steps))


def open_up(me: Actor) -> Plan:
    """Gets to know more of the map, or else the tools to dig and to bridge.

    Raises:
      Unsolved: If there is nothing more to know and to have.
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
    """Returns the stations that are near enough to walk to."""
    return [
        name
        for name in me.rules.place
        if any(distance(c, me.pos) <= WORTH_THE_WALK for c in me.cells(name))
    ]


def _first(me: Actor, steps: list[Step]) -> Step:
    """Returns what to do first: gather all that can be gathered, then the rest."""
    for step in steps:
        if step.verb == "collect" and me.room(step.what) > 0 and _has_tool(me, step):
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
        wanted = me.inventory[step.what] + min(step.amount, max(1, me.room(step.what)))
        while me.inventory[step.what] < wanted:
            yield from collect(me, step.what)


def collect(
    me: Actor, item: str, fits: Fits = anywhere, ready: Callable[[], Plan] = nothing
) -> Plan:
    """Tries to collect an item once, and gets the tool for it before.

    Args:
      me: Who collects.
      item: What.
      fits: Says whether a cell may be taken.
      ready: A method to carry out before the last action.

    Raises:
      Unsolved: If it cannot be had.
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
    """Collects the nearest cell of some materials, with the tools it has."""

    def cells() -> set[Cell]:
        found = me.cells(*materials) - me.keep
        here, taken = me.pos, me.taken
        return {c for c in found if c != here and c not in taken and fits(c)}

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
    """Leaves its cell for one beside, which it digs if need be."""
    start = me.pos
    beside = {b for b in me.beside(start) if me.free(b)}
    if beside:
        yield from go(me, lambda: beside)
    else:
        yield from take(me, me.diggable(), lambda cell: distance(cell, start) == 1)


def place(
    me: Actor, thing: str, fits: Fits = anywhere, ready: Callable[[], Plan] = nothing
) -> Plan:
    """Places a thing on a cell that fits, and gets what it takes before.

    Raises:
      Unsolved: If it cannot be had, or there is no such cell.
    """
    if thing not in me.rules.place:
        raise Unsolved("missing", thing)
    uses = me.rules.place[thing]["uses"]
    while True:
        yield from ensure(me, uses)

        def cells() -> set[Cell]:
            return _places(me, thing, fits)

        if not cells() and not (yield from _clear(me, thing, fits)):
            yield from _seek_place(me, cells)
        yield from face(me, cells)
        yield from ready()
        if me.has(uses) and me.target in cells():
            yield from act(me, f"place_{thing}")
            return


def _clear(me: Actor, thing: str, fits: Fits) -> Plan:
    """Digs a cell on which a thing may stand then; returns whether it did."""
    where = me.rules.place[thing]["where"]
    rules = me.rules.collect
    names = [name for name in me.diggable() if rules[name]["leaves"] in where]
    if not any(fits(c) for c in me.cells(*names) - me.keep):
        return False
    yield from take(me, names, fits)
    return True


def _seek_place(me: Actor, cells: Callable[[], Collection[Cell]]) -> Plan:
    try:
        yield from seek(me, cells)
    except Unsolved:
        raise Unsolved("no_site") from None


def _places(me: Actor, thing: str, fits: Fits) -> set[Cell]:
    """Returns where a thing may be placed: near, or else anywhere."""
    where = me.cells(*me.rules.place[thing]["where"])
    here, keep = me.pos, me.keep
    near = {c for c in where if distance(c, here) <= AROUND and min(c) >= 2}
    for cells in (near, where):
        found = {
            c for c in cells if c not in keep and me.can_place(thing, c) and fits(c)
        }
        if found:
            return found
    return set()


def make(
    me: Actor, item: str, fits: Fits = anywhere, ready: Callable[[], Plan] = nothing
) -> Plan:
    """Makes an item, with all that it needs.

    Args:
      me: Who makes it.
      item: What.
      fits: Says whether it may be made while standing on a cell.
      ready: A method to carry out before the last action.

    Raises:
      Unsolved: If it cannot be made.
    """
    if item not in me.rules.make:
        raise Unsolved("missing", item)
    rule = me.rules.make[item]
    recipe(me.rules, {item: me.inventory[item] + 1}, me.inventory)  # may it be had?
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
    """Goes where all of the stations are near; places those that are not there."""
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
                yield from place(me, name, functools.partial(_serves, me, fits, spots))
                break


def _serves(me: Actor, fits: Fits, spots: Collection[Cell], cell: Cell) -> bool:
    """Returns whether a station in a cell serves one of the spots, or any that fits."""
    beside = [b for b in me.beside(cell) if (b in spots if spots else fits(b))]
    return cell != me.pos and bool(beside)
