"""The normal form of goals: a small tree of operators over guarded atoms.

A goal is compiled once, see `Goal.term`. Names and constraints are resolved, and chains
of one operator are one node, however they are written. Monitors, batches, scores and
the linter visit this tree.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from crafter.tasks.world.conditions import Condition


class Guard(NamedTuple):
    """What else has to hold for an event or state to count.

    Attributes:
      kind: `when`, at the start of the step, or with the state; `using`, at the start
        of the step; `where`, at the place of the event, or else of the player.
      condition: What has to hold.
      text: How it is written after the goal.
    """

    kind: str
    condition: Condition
    text: str


Guards = tuple[Guard, ...]


@dataclasses.dataclass(frozen=True)
class Term:
    """A part of a goal.

    Attributes:
      op: `event`, `state`, `all`, `any`, `sequence`, `not` or `within`.
      goal: The goal of this operator; for atoms an `Event` or a `Reach`.
      label: The part, as it is written.
      parts: What it is made of; the stages of a sequence in order.
      guards: What else has to hold, for atoms.
      names: The names that stand for it, outer ones first.
      n: Steps of a horizon; how often all the stages of a sequence are the same one.
    """

    op: str
    goal: Any
    label: str
    parts: tuple[Term, ...] = ()
    guards: Guards = ()
    names: tuple[str, ...] = ()
    n: int = 1

    @functools.cached_property
    def is_safety(self) -> bool:
        """Whether nothing has to be done for it, only left undone."""
        if self.op == "sequence" and self.n == 1 or not self.parts:
            return False
        return self.op == "not" or all(part.is_safety for part in self.parts)

    @functools.cached_property
    def is_endless(self) -> bool:
        """Whether it can be done at the end of the attempt only."""
        if self.op == "sequence":
            return self.parts[-1].is_endless
        endless = [part.is_endless for part in self.parts]
        if self.op == "all":
            return self.is_safety and any(endless)
        return self.op == "not" or (self.op == "any" and all(endless))

    def conditions(self, *kinds: str) -> list[Condition]:
        """Returns the conditions of its guards of some kinds."""
        return [guard.condition for guard in self.guards if guard.kind in kinds]

    def asked(self) -> Iterator[Condition]:
        """Yields the conditions of an atom, and those that they are made of."""
        if self.op == "state":
            yield from self.goal.condition.walk()
        for guard in self.guards:
            yield from guard.condition.walk()

    def walk(self) -> Iterator[Term]:
        """Yields it and all that it is made of, outer ones first."""
        yield self
        for part in self.parts:
            yield from part.walk()
