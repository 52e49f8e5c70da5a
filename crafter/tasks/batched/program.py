"""Goals compiled to monitors of many games at once.

They may be made of events that are achievements, of actions, of conditions on
inventory, vitals and time, and of places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from crafter.tasks.batched.monitors import (
    AllNode,
    AnyNode,
    EventNode,
    Frame,
    Node,
    NotNode,
    SequenceNode,
    StateNode,
    WithinNode,
)
from crafter.tasks.goals import Goal

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
        self.root = self._node(goal, ())

    def held(self, moment: Moment) -> dict[Any, np.ndarray]:
        """Returns where the guards hold at the start of a step."""
        return {condition: test(moment) for condition, test in self._guards.items()}

    def _node(self, goal: Goal, guards: goals.Guards) -> Node:
        if isinstance(goal, (goals.Name, goals.FromScratch)):
            return self._node(goal.parts[0], guards)
        if isinstance(goal, (goals.When, goals.Where, goals.Using)):
            return self._node(goal.goal, (*goal.guards(), *guards))
        make = _MAKERS.get(type(goal))
        if make is None:
            raise refuse(goal)
        made: Node = make(self, goal, guards)
        return made

    def _event(self, goal: goals.Event, guards: goals.Guards) -> Node:
        places = [place_test(g.condition) for g in guards if g.kind == "where"]
        starts = self._starts([g for g in guards if g.kind != "where"])
        happened = _happened(goal)

        def counted(frame: Frame) -> np.ndarray:
            number = happened(frame)
            at = frame.after.position
            if goal.type in _AT_TARGET:
                at = frame.target
            for place in places:
                number = number * place(frame.after, at)
            return number

        return EventNode(self._count, counted, goal.n, starts)

    def _reach(self, goal: goals.Reach, guards: goals.Guards) -> Node:
        together = [g.condition for g in guards if g.kind != "using"]
        wanted = [(x, condition_test(x)) for x in (goal.condition, *together)]
        starts = self._starts([g for g in guards if g.kind == "using"])
        return StateNode(self._count, wanted, goal.steps, starts)

    def _starts(self, guards: Sequence[Any]) -> list[c.Condition]:
        for guard in guards:
            self._guards[guard.condition] = condition_test(guard.condition)
        return [guard.condition for guard in guards]

    def _not(self, goal: goals.Not, guards: goals.Guards) -> Node:
        return NotNode(self._count, self._node(goal.goal, ()))

    def _and(self, goal: goals.And, guards: goals.Guards) -> Node:
        operands = dict.fromkeys(goal.operands(guards))
        nodes = [self._node(part, own) for part, own in operands]
        only_safety = all(part.is_safety for part, _ in operands)
        return AllNode(self._count, nodes, only_safety)

    def _without(self, goal: goals.Without, guards: goals.Guards) -> Node:
        things = [self._not(goals.Not(thing), ()) for thing in goal.things]
        nodes = [self._node(goal.goal, guards), *things]
        return AllNode(self._count, nodes, goal.goal.is_safety)

    def _or(self, goal: goals.Or, guards: goals.Guards) -> Node:
        operands = dict.fromkeys(goal.operands(guards))
        nodes = [self._node(part, own) for part, own in operands]
        return AnyNode(self._count, nodes)

    def _then(self, goal: goals.Then, guards: goals.Guards) -> Node:
        stages = [self._node(part, own) for part, own in goal.operands(guards)]
        return SequenceNode(self._count, stages)

    def _within(self, goal: goals.Within, guards: goals.Guards) -> Node:
        return WithinNode(self._count, self._node(goal.goal, guards), goal.n)

    def _times(self, goal: goals.Times, guards: goals.Guards) -> Node:
        state = goals.state_of(goal.goal)
        if goal.n > _MOST_STAGES or (
            state is not None and isinstance(state.condition, c.Built)
        ):
            raise refuse(goal)
        stages = [self._node(goal.goal, guards) for _ in range(goal.n)]
        return SequenceNode(self._count, stages)

    def _hold(self, goal: goals.Hold, guards: goals.Guards) -> Node:
        state = goals.state_of(goal.goal)
        assert state is not None  # or the goal could not have been made
        return self._reach(goals.Reach(state.condition, goal.n), guards)


_MAKERS: dict[type[Goal], Callable[..., Node]] = {
    goals.Event: Program._event,
    goals.Reach: Program._reach,
    goals.Not: Program._not,
    goals.And: Program._and,
    goals.Or: Program._or,
    goals.Then: Program._then,
    goals.Without: Program._without,
    goals.Within: Program._within,
    goals.Times: Program._times,
    goals.Hold: Program._hold,
}


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
