"""Methods that bring a state about, and keep it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner import structures
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.combat import drink, eat, hunt
from crafter.games.crafter.planner.farming import keep_alive, own_plants, plant_near
from crafter.games.crafter.planner.gather import anywhere, ensure, open_up, place
from crafter.games.crafter.planner.moves import explore, face, go, look_around
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.routes import along
from crafter.games.crafter.planner.shelter import seal_in, shut_in, sleep_safely
from crafter.games.crafter.planner.vigil import dwell, get_away, guard, meet
from crafter.games.crafter.planner.waiting import live
from crafter.tasks import conditions as c
from crafter.tasks.conditions import Condition, Place
from crafter.tasks.routes import Toured
from crafter.tasks.terms import Guard

#: Which conditions are brought about first, where several have to hold at once.
ORDER = (c.Comparison, c.Built, c.Own, Place, c.On, c.Facing, c.Enclosed, c.Asleep)
#: How often a state is tried again that did not come about.
TRIES = 30
#: Drink at which a player that stays beside water drinks, and food at which it eats
#: before it settles there.
THIRSTY, PECKISH = 5, 6


def reach(me: Actor, condition: Condition, guards: Sequence[Guard] = ()) -> Plan:
    """Brings a state about and keeps it, until somebody else stops it.

    Raises:
      Unsolved: If it cannot.
    """
    wanted = [condition, *(g.condition for g in guards)]
    home = home_of(me, condition)
    failures = 0
    while True:
        missing = [w for w in wanted if not w.holds(me.view)]
        if home is not None and not shut_in(me):
            try:
                yield from _settle(me, home)
            except Unsolved:
                if home is not anywhere:
                    raise
                home = None  # it lives without one
            continue
        if not missing:
            yield from _keep_home(me) if home else _keep(me, condition)
            continue
        steps = 0
        for action in see_to(me, missing[0]):
            steps += 1
            yield action
        if not steps:
            failures += 1
            if failures > TRIES:
                raise Unsolved("planner_error")
            yield "noop"


def home_of(me: Actor, condition: Condition) -> Callable[[Cell], bool] | None:
    """Returns where to live, if a state that lasts is best kept in a closed room.

    That is so if it asks for places and for a vital, or for drink alone.
    """
    wanted = [part.parts() or (part,) for part in _conjuncts(condition)]
    places = [p for parts in wanted for p in parts if isinstance(p, c.InZone)]
    vitals = floors(condition)
    if places and vitals:
        return lambda cell: any(place.holds_at(me.view, cell) for place in places)
    return anywhere if set(vitals) == {me.item_of("thirst")} else None


def _settle(me: Actor, home: Callable[[Cell], bool]) -> Plan:
    """Moves into a closed room beside water, fed if a meal is near."""
    if home is anywhere and me.vital("hunger") <= PECKISH and me.things("cow"):
        yield from _try(eat(me, PECKISH + 1))
    yield from dwell(me, home)


def _keep_home(me: Actor) -> Plan:
    """Spends a step in a closed room beside water."""
    life = me.rules.life
    if me.vital("thirst") <= max(THIRSTY, me.floors.get(me.item_of("thirst"), 0) + 1):
        yield from drink(me, int(me.rules.items[life["thirst"]["item"]]["max"]))
    elif me.room(life["fatigue"]["item"]) > 1 and me.may("sleep"):
        yield "sleep"
    else:
        yield "noop"


def _keep(me: Actor, condition: Condition) -> Plan:
    """Spends a step so that a state goes on."""
    vitals = floors(condition)
    me.floors = {**me.floors, **vitals}
    for item, floor in vitals.items():
        if me.inventory[item] <= floor:
            yield from _vital(me, item, floor + 2)
            return
    if vitals:
        yield from live(me, lambda: _falls(me, condition, vitals))
    elif any(isinstance(leaf, c.Asleep) for leaf in c.leaves(condition)):
        yield "sleep"
    elif own_plants(me):
        yield from keep_alive(me)
    else:
        yield "noop"


def _falls(me: Actor, condition: Condition, vitals: dict[str, int]) -> bool:
    low = any(me.inventory[item] <= floor for item, floor in vitals.items())
    return low or not condition.holds(me.view)


def floors(condition: Condition) -> dict[str, int]:
    """Returns the vitals that a state asks for, with a reserve of one."""
    found = {}
    for leaf in _conjuncts(condition):
        if isinstance(leaf, c.Comparison) and isinstance(leaf.quantity, c.Amount):
            item = leaf.quantity.item
            if item in c.VITALS and leaf.relation in (">=", ">"):
                found[item] = int(leaf.number) + (leaf.relation == ">") + 1
    return found


def amounts(condition: Condition) -> dict[str, int]:
    """Returns the items that a state asks for; vitals are left out."""
    found = {}
    for leaf in _conjuncts(condition):
        if isinstance(leaf, c.Comparison) and isinstance(leaf.quantity, c.Amount):
            more = leaf.relation == ">"
            if leaf.relation in (">=", "==", ">") and (
                leaf.quantity.item not in c.VITALS
            ):
                found[leaf.quantity.item] = int(leaf.number) + more
    return found


def _conjuncts(condition: Condition) -> list[Condition]:
    if isinstance(condition, c.AllOf):
        return [leaf for part in condition.conditions for leaf in _conjuncts(part)]
    return [condition]


def of_time(condition: Condition) -> bool:
    """Returns whether a condition only takes waiting."""
    return isinstance(condition, (c.Night, c.Day)) or (
        isinstance(condition, c.Comparison) and isinstance(condition.quantity, c.Light)
    )


def see_to(me: Actor, condition: Condition) -> Plan:
    """Brings a condition about, once.

    Raises:
      Unsolved: If it cannot, or does not know how.
    """
    if condition.holds(me.view):
        return
    if isinstance(condition, c.AllOf):
        yield from _all_of(me, condition)
    elif isinstance(condition, c.AnyOf):
        yield from _any_of(me, condition)
    elif isinstance(condition, c.Opposite):
        yield from _opposite(me, condition.condition)
    elif of_time(condition):
        yield from live(me, lambda: condition.holds(me.view))
    elif isinstance(condition, c.Comparison):
        yield from _comparison(me, condition)
    elif isinstance(condition, c.Built):
        yield from structures.build(me, condition.structure)
    elif isinstance(condition, c.Enclosed):
        yield from structures.enclose(me, condition)
    elif isinstance(condition, c.Asleep):
        yield from _asleep(me)
    elif isinstance(condition, c.Alive):
        yield from _company(me, condition)
    elif isinstance(condition, c.Around):
        yield from meet(
            me, condition.kind, condition.r, lambda: condition.holds(me.view)
        )
    elif isinstance(condition, c.Own):
        yield from _own(me, condition)
    elif isinstance(condition, (Place, c.On, c.Facing, c.Walk, c.Sees, c.Explored)):
        yield from _place(me, condition)
    elif isinstance(condition, Toured):
        yield from _tour(me, condition)
    else:
        yield from along(me, condition)


def _own(me: Actor, condition: c.Own) -> Plan:
    """Places something of its own; if it is there, sees to what has to be near it."""
    if condition.what == "plant":
        yield from guard(me, lambda: condition.holds(me.view))
        return
    near = condition.place

    def fits(cell: Cell) -> bool:
        return near is None or near.holds_at(me.view, cell)

    if not condition.cells(me.view) or (near is not None and _misplaced(me, near)):
        yield from place(me, condition.what, fits)
    elif shut_in(me):
        yield "noop"
    else:
        yield from seal_in(me)


def _misplaced(me: Actor, near: Place) -> bool:
    """Returns whether what has to be near is elsewhere, and so is the player."""
    here = any(near.holds_at(me.view, cell) for cell in me.beside(me.pos))
    return here and not shut_in(me)


def _rank(condition: Condition) -> int:
    ranks = [n for n, kind in enumerate(ORDER) if isinstance(condition, kind)]
    return ranks[0] if ranks else len(ORDER)


def _all_of(me: Actor, condition: c.AllOf) -> Plan:
    wants = amounts(condition)
    if wants and not me.has(wants):
        yield from ensure(me, wants)
        return
    for part in sorted(condition.conditions, key=_rank):
        if not part.holds(me.view):
            yield from see_to(me, part)
            return


def _any_of(me: Actor, condition: c.AnyOf) -> Plan:
    last = Unsolved("planner_error")
    for part in condition.conditions:
        try:
            yield from see_to(me, part)
            return
        except Unsolved as error:
            last = error
    raise last


def _opposite(me: Actor, condition: Condition) -> Plan:
    view = me.view
    if isinstance(condition, (c.HostileWithin, c.Around)):
        yield from get_away(me, condition.r + 1, lambda: not condition.holds(me.view))
    elif isinstance(condition, c.Alive):
        yield from _rid(me, condition)
    elif isinstance(condition, Place):
        yield from _go_where(
            me, lambda: _spots(me, lambda s: not condition.holds_at(view, s))
        )
    elif isinstance(condition, c.Asleep):
        yield "noop"
    else:
        raise Unsolved("no_method", str(~condition))


def _rid(me: Actor, condition: c.Alive) -> Plan:
    """Gets rid of creatures in a place: of skeletons by force, of zombies by walls."""
    if condition.kind == "zombie" and isinstance(condition.place, c.Reachable):
        yield from seal_in(me)
        return

    def inside(cell: Cell) -> bool:
        return condition.place is None or condition.place.holds_at(me.view, cell)

    yield from hunt(me, condition.kind, lambda: not condition.holds(me.view), inside)


def _comparison(me: Actor, condition: c.Comparison) -> Plan:
    quantity, number = condition.quantity, condition.number
    if isinstance(quantity, c.Best):
        tool = f"{number}_{quantity.tool}"
        if number == c.TIERS[0] or tool not in me.rules.items:
            raise Unsolved("violated", str(condition))
        yield from ensure(me, {tool: 1})
        if not condition.holds(me.view):
            raise Unsolved("violated", str(condition))
        return
    assert isinstance(quantity, c.Amount)
    if condition.relation in ("<=", "<"):
        yield from _fall(me, condition)
    elif quantity.item in c.VITALS:
        yield from _vital(me, quantity.item, int(number) + (condition.relation == ">"))
    else:
        yield from ensure(me, amounts(condition))


def _fall(me: Actor, condition: c.Comparison) -> Plan:
    """Waits until a vital has fallen."""
    me.on_guard = False
    while not condition.holds(me.view):
        yield "noop"
    me.on_guard = True


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


def _company(me: Actor, condition: c.Alive) -> Plan:
    """Has a creature near a plant: waits for it, or plants another one near it."""
    near = condition.place
    if not isinstance(near, c.Near) or near.what != "plant":
        raise Unsolved("no_method", str(condition))
    creatures = [t.pos for t in me.things(condition.kind)]
    plants = own_plants(me)
    if any(distance(a, b) <= 3 * near.r for a in creatures for b in plants):
        yield from keep_alive(me)
    else:
        yield from plant_near(me, condition.kind, near.r)


def _asleep(me: Actor) -> Plan:
    energy = me.rules.life["fatigue"]["item"]
    if me.room(energy) <= 0:
        yield from live(me, lambda: me.room(energy) > 0)
    if not shut_in(me) and (me.dark or me.hostile_within(8)):
        yield from _try(sleep_safely(me))
    yield "sleep"


def _try(plan: Plan) -> Plan:
    try:
        yield from plan
    except Unsolved:
        return


# Places.


def _spots(me: Actor, fits: object) -> set[Cell]:
    """Returns known cells that the player could stand on and that fit."""
    assert callable(fits)
    ground = me.cells(*me.rules.walkable)
    return {cell for cell in ground if me.free(cell) and fits(cell)}


def _place(me: Actor, condition: Condition) -> Plan:
    if isinstance(condition, c.Explored):
        yield from look_around(me, condition.f)
    elif isinstance(condition, c.Facing):
        yield from _face(me, condition.what)
    elif isinstance(condition, c.On):
        yield from _go_where(me, lambda: me.cells(condition.material))
    elif isinstance(condition, c.Walk):
        yield from _beside(me, condition.what)
    elif isinstance(condition, c.Sees):
        yield from bring_in_view(me, condition.what)
    elif isinstance(condition, c.InZone):
        yield from to_zone(me, condition.name)
    else:
        assert isinstance(condition, Place)
        yield from _go_where(me, lambda: _fitting(me, condition))


def _fitting(me: Actor, place: Place) -> set[Cell]:
    """Returns cells in a place; ones that have to be dug or filled if need be."""
    found = _spots(me, lambda cell: place.holds_at(me.view, cell))
    if found or not isinstance(place, (c.Rectangle, c.Away, c.Corner, c.InMark)):
        return found
    cells = me.cells(*me.rules.walkable, *me.diggable(), *me.fillable())
    return {cell for cell in cells if place.holds_at(me.view, cell)}


def _go_where(me: Actor, cells: object) -> Plan:
    assert callable(cells)
    if not cells():
        yield from explore(me, lambda: bool(cells()))
    try:
        yield from go(me, cells)
    except Unsolved as error:
        if error.reason != "unreachable":
            raise
        yield from open_up(me)
        yield from go(me, cells)


def to_zone(me: Actor, zone: str) -> Plan:
    """Goes to the nearest cell of a zone; its inner cells are preferred."""
    known: dict[Cell, bool] = {}

    def inside(cell: Cell) -> bool:
        if cell not in known:
            known[cell] = me.view.zone(cell) == zone
        return known[cell]

    def cells() -> set[Cell]:
        known.clear()
        found = _spots(me, inside)
        deep = {x for x in found if sum(b in found for b in me.beside(x)) >= 2}
        return deep or found

    yield from _go_where(me, cells)


def _tour(me: Actor, condition: Toured) -> Plan:
    """Stays for long enough in the nearest zone in which it has not been so far."""
    wanted = set(condition.zones) - condition.stayed(me.view)
    known: dict[Cell, str | None] = {}

    def fits(cell: Cell) -> bool:
        if cell not in known:
            known[cell] = me.view.zone(cell)
        return known[cell] in wanted

    yield from _go_where(me, lambda: _spots(me, fits))
    here = me.view.zone(me.pos)
    for _ in range(condition.steps):
        if me.view.zone(me.pos) != here:
            return
        yield "noop"


def be_in(me: Actor, places: Sequence[Condition]) -> Plan:
    """Goes where conditions on the place hold."""
    if places and not all(place.holds(me.view) for place in places):

        def cells() -> set[Cell]:
            return _spots(
                me,
                lambda cell: all(
                    p.holds_at(me.view, cell) for p in places if isinstance(p, Place)
                ),
            )

        yield from _go_where(me, cells)


def targets(me: Actor, what: str) -> set[Cell]:
    """Returns the known cells of a material, or of things of a kind."""
    if what in me.rules.material_ids:
        return {cell for cell in me.cells(what) if me.thing(cell) is None}
    return {thing.pos for thing in me.things(what)}


def _face(me: Actor, what: str) -> Plan:
    if not targets(me, what):
        yield from explore(me, lambda: bool(targets(me, what)))
    yield from face(me, lambda: targets(me, what))


def _beside(me: Actor, what: str) -> Plan:
    if not targets(me, what):
        yield from explore(me, lambda: bool(targets(me, what)))

    def stands() -> set[Cell]:
        return {b for cell in targets(me, what) for b in me.beside(cell)}

    yield from go(me, stands)


def bring_in_view(me: Actor, what: str) -> Plan:
    """Goes until something is in the view, and no nearer than it needs."""
    if not targets(me, what):
        yield from explore(me, lambda: bool(targets(me, what)))
    columns, rows = (s.stop - s.start for s in me.view.view_cells())
    reach = columns // 2, rows // 2

    def spots() -> set[Cell]:
        found = targets(me, what)
        return _spots(me, lambda spot: _sees(spot, found, reach))

    yield from go(me, spots)


def _sees(spot: Cell, targets: set[Cell], reach: tuple[int, int]) -> bool:
    return any(
        abs(t[0] - spot[0]) <= reach[0]
        and abs(t[1] - spot[1]) <= reach[1]
        and distance(t, spot) >= 2
        for t in targets
    )


def several(me: Actor, condition: Condition, n: int) -> Plan:
    """Builds a structure several times, side by side."""
    if not isinstance(condition, c.Built):
        raise Unsolved("no_method", str(condition))
    for number in range(n):
        yield from structures.build(me, condition.structure, number)
