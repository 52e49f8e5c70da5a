"""Goals compiled to monitors of many games at once.

They may be made of events that are achievements, of actions, of conditions on
inventory, vitals and time, and of places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from crafter.games.crafter import tables as t
from crafter.tasks import conditions as c
from crafter.tasks import goals
from crafter.tasks.batched.conditions import (
    Moment,
    Test,
    condition_test,
    place_test,
    refuse,
)
from crafter.tasks.batched.monitors import NODES, EventNode, Frame, Node, StateNode
from crafter.tasks.goals import Goal
from crafter.tasks.terms import Term

#: Event type -> the field that says what of, and how the achievement begins.
_EVENTS = {
    "collected": ("what", "collect_"),
    "placed": ("what", "place_"),
    "made": ("what", "make_"),
    "ate": ("what", "eat_"),
    "defeated": ("kind", "defeat_"),
    "woke": ("cause", "wake_up"),
}
#: Events of these types happen in the cell that the player faces.
_AT_TARGET = ("collected", "placed", "ate", "defeated")
_MOST_STAGES = 64


class Program:
    """A goal in many games.

    Args:
      goal: The goal.
      count: Number of games.

    Attributes:
      root: The node of the whole goal.

    Raises:
      UnsupportedGoal: If the batched monitor cannot do it; the message lists what it
        can.
    """

    def __init__(self, goal: Goal, count: int) -> None:
        self._count = count
        self._guards: dict[c.Condition, Test] = {}
        self.root = self._node(goal.term())

    def held(self, moment: Moment) -> dict[Any, np.ndarray]:
        """Returns where the guards hold at the start of a step."""
        return {condition: test(moment) for condition, test in self._guards.items()}

    def _node(self, term: Term) -> Node:
        if term.op == "event":
            return self._event(term)
        if term.op == "state":
            wanted = [term.goal.condition, *term.conditions("when", "where")]
            tests = [(x, condition_test(x)) for x in wanted]
            return StateNode(term, self._count, tests, self._starts(term, "using"))
        if len(term.parts) > _MOST_STAGES:
            raise refuse(term.label)
        return NODES[term.op](term, self._count, list(map(self._node, term.parts)))

    def _event(self, term: Term) -> Node:
        places = [place_test(place) for place in term.conditions("where")]
        happened = _happened(term.goal)

        def counted(frame: Frame) -> np.ndarray:
            number = happened(frame)
            at = frame.after.position
            if term.goal.type in _AT_TARGET:
                at = frame.target
            for place in places:
                number = number * place(frame.after, at)
            return number

        return EventNode(
            term, self._count, counted, self._starts(term, "when", "using")
        )

    def _starts(self, term: Term, *kinds: str) -> list[c.Condition]:
        found = term.conditions(*kinds)
        self._guards.update({x: condition_test(x) for x in found})
        return found


def _happened(goal: goals.Event) -> Callable[[Frame], np.ndarray]:
    """Returns what counts the events of a step, int64 (n,)."""
    filters = dict(goal.filters)
    if goal.same is not None:
        raise refuse(goal)
    if goal.type == "act" and set(filters) <= {"action"}:
        wanted = [t.ACTION[name] for name in _values(filters.get("action"), t.ACTION)]
        return lambda frame: np.isin(frame.actions, wanted).astype(np.int64)
    field, prefix = _EVENTS.get(goal.type, ("", ""))
    if not field or set(filters) - {field}:
        raise refuse(goal)
    known = _known(goal.type, prefix)
    if field not in filters and goal.type == "woke":
        raise refuse(goal)  # those who are hurt wake, too
    values = _values(filters.get(field), known)
    if not set(values) <= set(known):
        raise refuse(goal)
    columns = [t.ACHIEVEMENT[known[value]] for value in values]
    return lambda frame: frame.gained[:, columns].sum(1)


def _known(type: str, prefix: str) -> dict[str, str]:
    """Returns what events of a type can be of, and the achievement of each."""
    if type == "woke":
        return {"rested": prefix}
    return {
        name.removeprefix(prefix): name
        for name in t.ACHIEVEMENT
        if name.startswith(prefix)
    }


def _values(wanted: Any, known: Any) -> list[Any]:
    if wanted is None:
        return list(known)
    return list(wanted) if isinstance(wanted, tuple) else [wanted]
