"""Task progress: the tree of the parts of a goal, as it follows the monitor.

All of several parts count as their mean, alternatives as the best of them, and parts in
an order one after the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from crafter.tasks.conditions import Built
from crafter.tasks.goals import (
    And,
    Event,
    FromScratch,
    Goal,
    Guards,
    Name,
    Not,
    Or,
    Reach,
    Then,
    Times,
    Using,
    When,
    Where,
    Within,
    Without,
    state_of,
)
from crafter.tasks.monitors import Node
from crafter.tasks.records import StepRecord
from crafter.tasks.scores.demands import Atom
from crafter.tasks.scores.parts import AtomPart, Context, Part
from crafter.tasks.verdicts import Verdict
from crafter.tasks.view import TaskView


class AllPart(Part):
    """All of several parts; what only has to stay safe does not count."""

    def __init__(self, goal: Goal, node: Node, parts: list[Part]) -> None:
        super().__init__(goal, node)
        self._parts = tuple(parts)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts."""
        return self._parts

    def _measured(self) -> float:
        counted = [part for part in self._parts if not part.goal.is_safety]
        counted = counted or list(self._parts)
        return sum(part.reached for part in counted) / len(counted)

    def waits(self, view: TaskView) -> bool:
        """Returns whether there is something that comes by waiting only."""
        todo = [part for part in self._parts if not part.goal.is_safety]
        return not self._over and any(p.waits(view) for p in todo or self._parts)


class AnyPart(AllPart):
    """One of several parts."""

    def _measured(self) -> float:
        return max(part.value for part in self._parts)

    @property
    def value(self) -> float:
        """How far it came; each part has been cut by what broke it."""
        if self.node.verdict is Verdict.DONE:
            return 1.0
        return max(part.value for part in self._parts)


class InTurnPart(Part):
    """Parts in an order, each of which begins when the one before is done."""

    def __init__(
        self,
        goal: Goal,
        node: Node,
        stages: list[tuple[Goal, Guards]],
        context: Context,
        view: TaskView,
    ) -> None:
        super().__init__(goal, node)
        self._stages, self._context = stages, context
        self._begun: list[Part] = []
        self._begin(view)

    def _begin(self, view: TaskView) -> None:
        for node in self.node.children[len(self._begun) :]:
            goal, guards = self._stages[len(self._begun)]
            self._begun.append(part_of(goal, guards, node, self._context, view))

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that were begun."""
        return tuple(self._begun)

    def _follow(
        self, record: StepRecord, gained: Mapping[str, int], view: TaskView
    ) -> None:
        super()._follow(record, gained, view)
        self._begin(view)

    def _measured(self) -> float:
        return sum(part.reached for part in self._begun) / len(self._stages)


class WithinPart(Part):
    """A part with a horizon, or what has to stay safe up to one."""

    def __init__(self, goal: Goal, node: Node, inner: Part, horizon: int) -> None:
        super().__init__(goal, node)
        self._inner, self._horizon, self._steps = inner, horizon, 0

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part."""
        return (self._inner,)

    def _follow(
        self, record: StepRecord, gained: Mapping[str, int], view: TaskView
    ) -> None:
        super()._follow(record, gained, view)
        self._steps += 1

    def _measured(self) -> float:
        if self.goal.is_safety:
            return self._steps / self._horizon
        return self._inner.reached

    def waits(self, view: TaskView) -> bool:
        """Returns whether there is something that comes by waiting only."""
        return not self._over and (self.goal.is_safety or self._inner.waits(view))


class SafePart(Part):
    """What must not be done, with the horizon of the attempt."""

    def __init__(self, goal: Goal, node: Node, horizon: int) -> None:
        super().__init__(goal, node)
        self._horizon, self._steps = horizon, 0

    def _follow(
        self, record: StepRecord, gained: Mapping[str, int], view: TaskView
    ) -> None:
        self._steps += 1

    def _measured(self) -> float:
        return self._steps / self._horizon

    def waits(self, view: TaskView) -> bool:
        """Returns whether there is something that comes by waiting only."""
        return not self._over


class NamedPart(WithinPart):
    """What a name stands for."""

    def __init__(self, goal: Goal, node: Node, inner: Part) -> None:
        super().__init__(goal, node, inner, 1)

    def _measured(self) -> float:
        return self._inner.reached

    @property
    def value(self) -> float:
        """How far it came, less what death or a broken rule takes away."""
        return self._inner.value

    def waits(self, view: TaskView) -> bool:
        """Returns whether there is something that comes by waiting only."""
        return Part.waits(self, view)


def part_of(
    goal: Goal, guards: Guards, node: Node, context: Context, view: TaskView
) -> Part:
    """Returns the part of a goal that follows a node.

    Args:
      goal: The goal.
      guards: What else has to hold.
      node: Its node, which was begun.
      context: What the parts share.
      view: The game now.
    """

    def inner(goal: Goal, guards: Guards, node: Node) -> Part:
        return part_of(goal, guards, node, context, view)

    if isinstance(goal, Name):
        return NamedPart(goal, node, inner(goal.meaning, guards, node))
    if isinstance(goal, (When, Where, Using, FromScratch)):
        return inner(goal.goal, (*goal.guards(), *guards), node)
    state = _state(goal)
    if state is not None or isinstance(goal, Event):
        atom = Atom(goal if state is None else state, guards)  # type: ignore
        return AtomPart(atom, node, context, view)
    if isinstance(goal, Within):
        (child,) = node.children
        return WithinPart(goal, node, inner(goal.goal, guards, child), goal.n)
    if isinstance(goal, Not):
        return SafePart(goal, node, context.budget)
    if isinstance(goal, Then):
        return InTurnPart(goal, node, goal.operands(guards), context, view)
    if isinstance(goal, Times):
        stages: Any = [(goal.goal, guards)] * goal.n
        return InTurnPart(goal, node, stages, context, view)
    operands = _operands(goal, guards)
    parts = [inner(*own, child) for own, child in zip(operands, node.children)]
    kind = AnyPart if isinstance(goal, Or) else AllPart
    return kind(goal, node, parts)


def _state(goal: Goal) -> Reach | None:
    """Returns the state that an atom is; several structures at once are one, too."""
    if not isinstance(goal, Times):
        return state_of(goal)
    state = state_of(goal.goal)
    if state is None or not isinstance(state.condition, Built):
        return None
    return Reach(dataclasses.replace(state.condition, count=goal.n), state.steps)


def _operands(goal: Goal, guards: Guards) -> list[tuple[Goal, Guards]]:
    if isinstance(goal, (And, Or)):
        return list(dict.fromkeys(goal.operands(guards)))
    if isinstance(goal, Without):
        return [(goal.goal, guards), *((Not(thing), ()) for thing in goal.things)]
    return [(part, guards) for part in goal.parts]
