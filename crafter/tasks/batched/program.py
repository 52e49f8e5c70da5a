"""Goals compiled to monitors of many games at once.

They may be made of events that are achievements, of actions, of conditions on
inventory, vitals and time, and of places.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.games.crafter import tables as t
from crafter.tasks import conditions as c
from crafter.tasks import goals
from crafter.tasks.batched.conditions import (
    Happening,
    Moment,
    Test,
    condition_test,
    place_test,
    refuse,
)
from crafter.tasks.batched.monitors import NODES, EventNode, Frame, Node, StateNode
from crafter.tasks.goals import Goal
from crafter.tasks.names import Names
from crafter.tasks.terms import Term

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


def _happened(goal: goals.Event) -> Happening:
    """Returns what counts the events of a step: those that achievements are of."""
    names = Names()
    known = {
        name: dict(event.filters)
        for name in t.ACHIEVEMENT
        if (event := names.event(name)) is not None and event.type == goal.type
    }
    if goal.type == "act":
        known = {name: {"action": name} for name in t.ACTION}
    meanings = known.values()
    valid = all(
        any(name in meaning and word == meaning[name] for meaning in meanings)
        for name, value in goal.filters
        for word in (value if isinstance(value, tuple) else (value,))
    )
    woken = goal.type == "woke" and not goal.filters  # those who are hurt wake, too
    if goal.same is not None or not known or not valid or woken:
        raise refuse(goal)
    wanted = [n for n, x in known.items() if goal.matches({"type": goal.type, **x})]
    if goal.type == "act":
        actions = [t.ACTION[name] for name in wanted]
        return lambda frame: np.isin(frame.actions, actions).astype(np.int64)
    columns = [t.ACHIEVEMENT[name] for name in wanted]
    return lambda frame: frame.gained[:, columns].sum(1)
