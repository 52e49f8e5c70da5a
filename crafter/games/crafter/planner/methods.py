"""Which method reaches an atom: events and states, with what else has to hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crafter.core.grid import Cell
from crafter.games.crafter.planner import states
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.agenda import is_waiting
from crafter.games.crafter.planner.combat import hunt
from crafter.games.crafter.planner.farming import eat_plants, ripen
from crafter.games.crafter.planner.gather import collect, make, place
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.survival import live, sleep_safely
from crafter.tasks.language.goals import Event, Reach
from crafter.tasks.language.monitors import Node
from crafter.tasks.world.conditions import Place, Sees


def method(me: Actor, aim: Node) -> Plan:
    """Returns a plan for an aim.

    Raises:
      Unsolved: `no_method`, if there is none.
    """
    goal = aim.term.goal
    if is_waiting(aim):
        yield from live(me, lambda: False)
    elif isinstance(goal, Event):
        yield from _event(me, aim, goal)
    elif isinstance(goal, Reach):
        yield from states.reach(me, goal.condition, aim.term.guards)


def _event(me: Actor, aim: Node, event: Event) -> Plan:
    filters = dict(event.filters)
    wanted, handler = EVENTS.get(event.type, ("", None))
    if handler is None or (wanted and not isinstance(filters.get(wanted), str)):
        raise Unsolved("no_method", str(event))
    return handler(me, aim, filters)


def _fits(me: Actor, aim: Node) -> Callable[[Cell], bool]:
    """Returns what says whether a cell is where the event has to be."""
    where = aim.term.conditions("where")
    places = [place for place in where if isinstance(place, Place)]
    return lambda cell: all(place.holds_at(me.view, cell) for place in places)


def _ready(me: Actor, aim: Node) -> Callable[[], Plan]:
    """Returns a method that sees to what has to hold at the start of a step."""

    def ready() -> Plan:
        for condition in aim.term.conditions("when", "using"):
            yield from states.see_to(me, condition)

    return ready


def _collected(me: Actor, aim: Node, filters: Mapping[str, str]) -> Plan:
    fits = _fits(me, aim)
    while True:
        yield from collect(me, filters["what"], fits, _ready(me, aim))


def _placed(me: Actor, aim: Node, filters: Mapping[str, str]) -> Plan:
    if filters["what"] not in me.rules.place:
        raise Unsolved("missing", filters["what"])
    while True:
        yield from place(me, filters["what"], _fits(me, aim), _ready(me, aim))


def _made(me: Actor, aim: Node, filters: Mapping[str, str]) -> Plan:
    if filters["what"] not in me.rules.make:
        raise Unsolved("missing", filters["what"])
    while True:
        yield from make(me, filters["what"], _ready(me, aim), _fits(me, aim))


def _defeated(me: Actor, aim: Node, filters: Mapping[str, str]) -> Plan:
    yield from hunt(me, filters["kind"], lambda: False, _fits(me, aim), _ready(me, aim))


def _ate(me: Actor, aim: Node, filters: Mapping[str, str]) -> Plan:
    if filters["what"] == "plant":
        return eat_plants(me)
    return hunt(me, filters["what"], lambda: False, _fits(me, aim), _ready(me, aim))


def _woke(me: Actor, aim: Node, filters: Mapping[str, str]) -> Plan:
    if filters.get("cause", "rested") != "rested":
        raise Unsolved("no_method", "woke")
    for condition in aim.term.conditions("where", "when", "using"):
        yield from states.see_to(me, condition)
    yield from _rest(me)


def _rest(me: Actor, *_: object) -> Plan:
    yield from live(me, lambda: me.lacks("fatigue") > 0)
    yield from sleep_safely(me)


def _saw(me: Actor, aim: Node, filters: Mapping[str, str]) -> Plan:
    yield from states.go_where(me, Sees(filters["what"]))
    yield "noop"  # what is in view at the start counts with the first step


def _wait(me: Actor, *_: object) -> Plan:
    return live(me, lambda: False)


Handler = Callable[[Actor, Node, Mapping[str, str]], Plan]

#: Type of events -> the filter without which there is no method, and the method.
EVENTS: dict[str, tuple[str, Handler]] = {
    "collected": ("what", _collected),
    "placed": ("what", _placed),
    "made": ("what", _made),
    "defeated": ("kind", _defeated),
    "hit": ("kind", _defeated),
    "ate": ("what", _ate),
    "woke": ("", _woke),
    "fell_asleep": ("", _rest),
    "saw": ("what", _saw),
    **dict.fromkeys(("dusk", "dawn", "new_day"), ("", _wait)),
    "plant_ripe": ("", lambda me, *_: ripen(me, lambda: False)),
}
