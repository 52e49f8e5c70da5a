"""What a goal still asks for: aims to reach, and limits to keep, from its monitor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from crafter.games.crafter.planner.actor import Actor
from crafter.tasks.language import goals
from crafter.tasks.language.goals import Event, Goal, Reach
from crafter.tasks.language.monitors import Node
from crafter.tasks.language.terms import Guards
from crafter.tasks.world import conditions as c

#: A state that lasts longer is kept up by day and night.
LASTING = 50
#: Words of goals that the night is needed for.
NIGHTLY = {"night", "light", "zombie", "dusk", "dawn", "new_day"}
_WORD = re.compile(r"[a-z_]+")


class Aim(NamedTuple):
    """A part of a goal that is to be reached now.

    Attributes:
      node: Its monitor: of an event, a state, or of what must not happen for a while.
    """

    node: Node

    @property
    def goal(self) -> Goal:
        """The event, the state, or the goal that must not be done."""
        goal: Goal = self.node.term.goal
        return goal

    @property
    def guards(self) -> Guards:
        """What else has to hold, such as a place."""
        return self.node.term.guards

    @property
    def starts(self) -> list[c.Condition]:
        """Conditions at the start of the deciding step."""
        return self.node.term.conditions("when", "using")

    @property
    def places(self) -> list[c.Condition]:
        """Conditions on the place."""
        return self.node.term.conditions("where")


def aims(node: Node) -> list[Aim]:
    """Returns what can be done next for a goal, by its monitor.

    What has to be done comes before what must not.
    """
    if node.verdict.final:
        return []
    if node.term.op in ("event", "state", "not"):
        return [Aim(node)]
    if node.term.op == "sequence":
        return aims(node.children[-1])
    if node.term.op == "within" or isinstance(node.term.goal, goals.Without):
        return aims(node.children[0])
    return sorted(
        (aim for child in node.children for aim in aims(child)), key=is_waiting
    )


def forbidden(node: Node) -> Iterator[Node]:
    """Yields the monitors of what must not happen now."""
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
    """Makes an actor keep to what must not happen now."""
    me.forbids, me.careful, me.peaceful = [], False, False
    for term in node.term.walk():
        for condition in term.conditions("using"):
            _forbid_tools(me, condition)
    for part in forbidden(node):
        if part.term.guards:
            continue  # it may be done at other times
        if part.term.op == "event":
            _forbid_event(me, part.term.goal, part)
        elif part.term.op == "state":
            condition = part.term.goal.condition
            if isinstance(condition, c.Opposite):
                _forbid_tools(me, condition.condition)


def _forbid_tools(me: Actor, condition: c.Condition) -> None:
    """Keeps the hands bare if they have to be."""
    if not isinstance(condition, c.Comparison) or condition.number != c.TIERS[0]:
        return
    if isinstance(condition.quantity, c.Best):
        tools = {f"make_{tier}_{condition.quantity.tool}" for tier in c.TIERS}
        me.forbids.append(tools.__contains__)


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
        # The event that would be the last one must not come.
        if round(node.progress * event.n) >= event.n - 1:
            me.forbids.append(lambda action: action.startswith(f"{verb}_{what or ''}"))
    elif event.type == "collected":
        me.forbids.append(lambda action: action == "do" and _collects(me, filters))


def _collects(me: Actor, filters: dict) -> bool:
    """Returns whether a stroke now would collect what must not be collected."""
    rule = me.rules.collect.get(me.material(me.target) or "")
    if rule is None or me.thing(me.target) is not None:
        return False
    what = filters.get("what", tuple(rule["receive"]))
    items = what if isinstance(what, tuple) else (what,)
    gain = {item for item in rule["receive"] if item in items}
    if filters.get("gain") == 0:
        gain = {item for item in gain if me.room(item) <= 0}
    return bool(gain)


def of_night(goal: Goal) -> bool:
    """Returns whether a goal is about the night, haste, or keeping something up."""
    parts = goals.walk_over(goal)
    lasting = any(isinstance(part, Reach) and part.steps > LASTING for part in parts)
    words = {word for part in parts for word in _WORD.findall(str(part))}
    hurried = any(isinstance(part, goals.Within) for part in parts)
    return hurried or lasting or bool(words & NIGHTLY)


def is_waiting(aim: Aim) -> bool:
    """Returns whether an aim is that something does not happen."""
    return isinstance(aim.goal, goals.Not)
