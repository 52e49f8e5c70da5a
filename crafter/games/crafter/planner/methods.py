"""Which method reaches an atom: events and states, with what else has to hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner import states
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.agenda import Aim, is_waiting
from crafter.games.crafter.planner.combat import hunt
from crafter.games.crafter.planner.farming import eat_plants, harvest_again, lose, ripen
from crafter.games.crafter.planner.gather import collect, ensure, make, place
from crafter.games.crafter.planner.moves import explore
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.recipes import recipe, sources
from crafter.games.crafter.planner.shelter import shut_in, sleep_safely
from crafter.games.crafter.planner.traps import ambush, take_arrow
from crafter.games.crafter.planner.vigil import take_post
from crafter.games.crafter.planner.waiting import live
from crafter.tasks.conditions import Built, Condition, Facing, Opened, Place, Sees, Walk
from crafter.tasks.goals import Event, Reach
from crafter.tasks.monitors import EventNode

#: What a step of a recipe, or anything else that is not measured, costs about.
STEP, ELSE = 20.0, 60.0
#: And a long stay in one place.
DWELL = 200.0


def method(me: Actor, aim: Aim) -> Plan:
    """Returns a plan for an aim.

    Raises:
      Unsolved: `no_method`, if there is none.
    """
    if is_waiting(aim):
        return live(me, lambda: False)
    goal = aim.goal
    if isinstance(goal, Event):
        return _event(me, aim, goal)
    if isinstance(goal, Reach):
        if isinstance(goal.condition, Built) and goal.condition.count > 1:
            return states.several(me, goal.condition, goal.condition.count)
        return states.reach(me, goal.condition, aim.guards)
    raise Unsolved("no_method", str(goal))


def _event(me: Actor, aim: Aim, event: Event) -> Plan:
    filters = dict(event.filters)
    handler = EVENTS.get(event.type)
    if handler is None or not _known(event.type, filters):
        raise Unsolved("no_method", str(event))
    return handler(me, aim, filters)


def _known(type: str, filters: Mapping[str, object]) -> bool:
    wanted = NEEDS.get(type)
    return wanted is None or isinstance(filters.get(wanted), str)


def _fits(me: Actor, aim: Aim) -> Callable[[Cell], bool]:
    places = aim.places

    def fits(cell: Cell) -> bool:
        return all(
            place.holds_at(me.view, cell) if isinstance(place, Place) else True
            for place in places
        )

    return fits


def _ready(me: Actor, aim: Aim) -> Callable[[], Plan]:
    """Returns a method that sees to what has to hold at the start of a step."""

    def ready() -> Plan:
        for condition in aim.starts:
            yield from states.see_to(me, condition)

    return ready


def _tools_first(me: Actor, aim: Aim) -> Plan:
    """Gets the tool that has to be the best one."""
    for condition in aim.starts:
        waits = states.of_time(condition) or isinstance(condition, Opened)
        if not waits and not condition.holds(me.view):
            yield from states.see_to(me, condition)


def _collected(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    fits = _fits(me, aim)
    yield from _tools_first(me, aim)
    while True:
        yield from collect(me, filters["what"], fits, _ready(me, aim))


def _placed(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    if filters["what"] not in me.rules.place:
        raise Unsolved("missing", filters["what"])
    while True:
        yield from place(me, filters["what"], _fits(me, aim), _ready(me, aim))


def _made(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    if filters["what"] not in me.rules.make:
        raise Unsolved("missing", filters["what"])
    while True:
        yield from make(me, filters["what"], _ready(me, aim), _fits(me, aim))


def _defeated(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    yield from _tools_first(me, aim)
    yield from _sword_first(me, filters["kind"])
    gaps = [c.n for c in aim.starts if isinstance(c, Opened)]
    if gaps:
        yield from ambush(me, filters["kind"], min(gaps))
    ready, fits = _ready(me, aim), _fits(me, aim)
    yield from hunt(me, filters["kind"], lambda: False, fits, ready)


def _sword_first(me: Actor, kind: str) -> Plan:
    """Gets the best sword, if no stroke may leave the creature standing."""
    if me.lethal and me.damage < int(me.rules.creatures[kind]["health"]):
        best = max(me.rules.damage, key=me.rules.damage.__getitem__)
        yield from ensure(me, {best: 1})


def _ate(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    if filters["what"] == "plant":
        again = isinstance(aim.goal, Event) and aim.goal.same == "at"
        return harvest_again(me, lambda: _most(aim)) if again else eat_plants(me)
    return hunt(me, filters["what"], lambda: False, _fits(me, aim), _ready(me, aim))


def _most(aim: Aim) -> Cell | None:
    """Returns the cell of most of the events that count so far."""
    assert isinstance(aim.node, EventNode)
    cell: Cell | None = aim.node.most
    return cell


def _lost(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    return lose(me)


def _woke(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    if filters.get("cause", "rested") != "rested":
        raise Unsolved("no_method", "woke")
    yield from states.be_in(me, aim.places)
    for condition in aim.starts:
        yield from states.see_to(me, condition)
    yield from _rest(me)


def _rest(me: Actor) -> Plan:
    energy = me.rules.life["fatigue"]["item"]
    yield from live(me, lambda: me.room(energy) > 0)
    if not aim_is_safe(me):
        yield from sleep_safely(me)
    while me.room(energy) > 0:
        yield "sleep"


def aim_is_safe(me: Actor) -> bool:
    """Returns whether nobody can come near."""
    return shut_in(me)


def _fell_asleep(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    return _rest(me)


def _saw(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    yield from states.bring_in_view(me, filters["what"])
    yield "noop"  # what is in view at the start counts with the first step


def _time(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    if me.post is not None:
        yield from take_post(me)
    yield from live(me, lambda: False)


def _ripe(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    return ripen(me, lambda: False)


def _arrow(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    return take_arrow(me)


def _acted(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    yield from _ready(me, aim)()
    while True:
        yield filters["action"]


def _entered(me: Actor, aim: Aim, filters: Mapping[str, str]) -> Plan:
    def there() -> bool:
        return me.view.zone(me.pos) == filters["zone"]

    yield from states.to_zone(me, filters["zone"])
    if there():
        return
    yield from explore(me, there)


Handler = Callable[[Actor, Aim, Mapping[str, str]], Plan]

#: Type of events -> method.
EVENTS: dict[str, Handler] = {
    "collected": _collected,
    "placed": _placed,
    "made": _made,
    "defeated": _defeated,
    "hit": _defeated,
    "ate": _ate,
    "woke": _woke,
    "fell_asleep": _fell_asleep,
    "saw": _saw,
    "dusk": _time,
    "dawn": _time,
    "new_day": _time,
    "plant_ripe": _ripe,
    "plant_lost": _lost,
    "arrow_stopped": _arrow,
    "arrow_shot": _arrow,
    "act": _acted,
    "entered": _entered,
}
#: Type of events -> the field without which there is no method.
NEEDS = {
    "collected": "what",
    "placed": "what",
    "made": "what",
    "defeated": "kind",
    "hit": "kind",
    "ate": "what",
    "saw": "what",
    "act": "action",
    "entered": "zone",
}


def estimate(me: Actor, aim: Aim) -> float:
    """Returns about how many steps an aim takes, to put aims in an order."""
    goal = aim.goal
    filters = dict(goal.filters) if isinstance(goal, Event) else {}
    what = str(filters.get("what", ""))
    try:
        if isinstance(goal, Reach):
            return _far_state(me, goal.condition)
        if what in me.rules.make:
            return STEP * len(recipe(me.rules, {what: 1}, {**me.inventory, what: 0}))
        if what in me.rules.place:
            uses = me.rules.place[what]["uses"]
            return STEP * (1 + len(recipe(me.rules, uses, me.inventory)))
        materials = sources(me.rules, what)
        if materials:
            require = me.rules.collect[materials[0]]["require"]
            steps = recipe(me.rules, require, me.inventory)
            return STEP * len(steps) + _far(me, me.cells(*materials))
    except Unsolved:
        return 10 * ELSE
    kind = str(filters.get("kind", what))
    return _far(me, {t.pos for t in me.things(kind)}) if kind else ELSE


def steps_to(me: Actor, aim: Aim) -> float:
    """Returns at least how many steps an aim takes that is one deed or one walk.

    For all others it is infinite.
    """
    goal, far = aim.goal, float("inf")
    if isinstance(goal, Reach) and goal.steps <= 1:
        if isinstance(goal.condition, (Facing, Sees, Walk)):
            far = _far(me, states.targets(me, goal.condition.what))
    elif isinstance(goal, Event) and goal.n == 1 and not aim.starts:
        filters = dict(goal.filters)
        what = str(filters.get("what", ""))
        materials = sources(me.rules, what)
        if goal.type == "collected" and materials:
            require = me.rules.collect[materials[0]]["require"]
            if me.has(require):
                found = me.cells(*materials)
                far = _far(me, found) if found else far
        elif goal.type == "placed" and what in me.rules.place:
            far = 1.0 if me.has(me.rules.place[what]["uses"]) else far
    return far


def _far_state(me: Actor, condition: Condition) -> float:
    wants = states.amounts(condition)
    if wants:
        return STEP * len(recipe(me.rules, wants, me.inventory))
    return ELSE if states.home_of(me, condition) is None else DWELL


def _far(me: Actor, cells: set[Cell]) -> float:
    nearest = me.nearest(cells)
    return ELSE * 2 if nearest is None else float(distance(nearest, me.pos))
