"""Selects open subgoals, and the method for each.

Open and forbidden subgoals come from the monitor of a goal. The event or state of a
subgoal determines its method, which also establishes the guards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from crafter.core.grid import Cell
from crafter.games.crafter.planner import states
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.combat import hunt
from crafter.games.crafter.planner.gather import collect, make, place
from crafter.games.crafter.planner.ground import eat_plants, ripen
from crafter.games.crafter.planner.survival import live, sleep_safely
from crafter.tasks.episodes.reasons import Unsolved
from crafter.tasks.language import goals
from crafter.tasks.language.goals import Event, Goal, Reach
from crafter.tasks.language.monitors import Node
from crafter.tasks.world.common import Sees
from crafter.tasks.world.conditions import Place

#: Longer states have to be maintained by day and night.
LASTING = 50
#: Words of goals that require the night.
NIGHTLY = {"night", "light", "zombie", "dusk", "dawn", "new_day"}
_WORD = re.compile(r"[a-z_]+")


def aims(node: Node) -> list[Node]:
    """Returns the open atoms of a goal; negated ones come last."""
    if node.verdict.final:
        return []
    if node.term.op in ("event", "state", "not"):
        return [node]
    if node.term.op == "sequence":
        return aims(node.children[-1])
    if node.term.op == "within" or isinstance(node.term.goal, goals.Without):
        return aims(node.children[0])
    return sorted(
        (aim for child in node.children for aim in aims(child)), key=is_waiting
    )


def forbidden(node: Node) -> Iterator[Node]:
    """Yields the nodes that must not be done now."""
    if node.verdict.final:
        return
    if node.term.op == "not":
        yield node.children[0]
    elif node.term.op == "sequence":
        yield from forbidden(node.children[-1])
    else:
        for child in node.children:
            yield from forbidden(child)


def set_limits(me: Actor, node: Node) -> None:
    """Sets the constraints of an actor from what must not be done now."""
    me.forbids, me.careful, me.peaceful = [], False, False
    for part in forbidden(node):
        # Guarded events are allowed at other times.
        if part.term.op == "event" and not part.term.guards:
            _forbid_event(me, part.term.goal, part)


def _forbid_event(me: Actor, event: Event, node: Node) -> None:
    filters = dict(event.filters)
    if event.type == "hurt":
        me.careful = True
    elif event.type in ("hit", "defeated"):
        me.peaceful = True
    elif event.type == "fell_asleep":
        me.forbids.append(lambda action: action == "sleep")
    elif event.type == "act":
        me.forbids.append(lambda action: action == filters.get("action"))
    elif event.type in ("placed", "made"):
        verb = "place" if event.type == "placed" else "make"
        what = filters.get("what")
        # Only the event that would complete the goal is forbidden.
        if round(node.progress * event.n) >= event.n - 1:
            me.forbids.append(lambda action: action.startswith(f"{verb}_{what or ''}"))


def of_night(goal: Goal) -> bool:
    """Returns whether a goal is about the night, a deadline, or a long state."""
    parts = goals.walk_over(goal)
    lasting = any(isinstance(part, Reach) and part.steps > LASTING for part in parts)
    words = {word for part in parts for word in _WORD.findall(str(part))}
    hurried = any(isinstance(part, goals.Within) for part in parts)
    return hurried or lasting or bool(words & NIGHTLY)


def is_waiting(aim: Node) -> bool:
    """Returns whether a subgoal is a negation."""
    return isinstance(aim.term.goal, goals.Not)


# Methods.


def method(me: Actor, aim: Node) -> Plan:
    """Plans for a subgoal.

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
    """Returns a predicate for the cells where the event counts."""
    where = aim.term.conditions("where")
    places = [place for place in where if isinstance(place, Place)]
    return lambda cell: all(place.holds_at(me.view, cell) for place in places)


def _ready(me: Actor, aim: Node) -> Callable[[], Plan]:
    """Returns a method that establishes guards at the start of a step."""

    def ready() -> Plan:
        for condition in aim.term.conditions("when", "using"):
            yield from states.see_to(me, condition)

    return ready


def _repeat(once: Callable[..., Plan]) -> Handler:
    """Returns a handler that collects, places or makes a thing again and again."""

    def handler(me: Actor, aim: Node, filters: Mapping[str, str]) -> Plan:
        while True:
            yield from once(me, filters["what"], _fits(me, aim), _ready(me, aim))

    return handler


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
    yield "noop"  # things in the initial view count in the first step


def _wait(me: Actor, *_: object) -> Plan:
    return live(me, lambda: False)


Handler = Callable[[Actor, Node, Mapping[str, str]], Plan]

#: Type of events -> required filter, and handler.
EVENTS: dict[str, tuple[str, Handler]] = {
    "collected": ("what", _repeat(collect)),
    "placed": ("what", _repeat(place)),
    "made": ("what", _repeat(make)),
    "defeated": ("kind", _defeated),
    "hit": ("kind", _defeated),
    "ate": ("what", _ate),
    "woke": ("", _woke),
    "fell_asleep": ("", _rest),
    "saw": ("what", _saw),
    **dict.fromkeys(("dusk", "dawn", "new_day"), ("", _wait)),
    "plant_ripe": ("", lambda me, *_: ripen(me, lambda: False)),
}
