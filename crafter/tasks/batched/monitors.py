"""Monitors in many games at once: `crafter.tasks.monitors` on arrays.

A node stands for a part of a goal in all games; its verdicts are numbers.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from crafter.tasks import conditions as c
from crafter.tasks.batched.conditions import Happening, Moment, Test
from crafter.tasks.terms import Term
from crafter.tasks.verdicts import Verdict

#: Verdicts as numbers: the index here.
VERDICTS = (Verdict.PENDING, Verdict.SAFE, Verdict.DONE, Verdict.FAILED)
PENDING, SAFE, DONE, FAILED = range(4)


class Frame:
    """One step of all games.

    Args:
      before: Achievement counters before the step, int32 (n, achievements).
      target: Cells that were faced before the step, int64 (n, 2).
      held: Guard -> whether it held before the step.
      actions: The chosen actions, int64 (n,).
      after: The games after the step.
    """

    def __init__(
        self,
        before: np.ndarray,
        target: np.ndarray,
        held: dict[Any, np.ndarray],
        actions: np.ndarray,
        after: Moment,
    ) -> None:
        self.gained = after.games["achievements"] - before
        self.target, self.held = target, held
        self.actions, self.after = actions, after
        self._tests: dict[Any, np.ndarray] = {}

    def holds(self, condition: c.Condition, test: Test) -> np.ndarray:
        """Returns where a condition holds after the step; found out once."""
        if condition not in self._tests:
            self._tests[condition] = test(self.after)
        return self._tests[condition]


class Node(abc.ABC):
    """A part of a goal in all games.

    Args:
      term: The part.
      count: Number of games.
      parts: The nodes of its parts; those of a sequence all at once.

    Attributes:
      verdict: Numbers of `VERDICTS`, int8 (n,).
    """

    initial: ClassVar[int] = PENDING

    def __init__(self, term: Term, count: int, parts: Sequence[Node] = ()) -> None:
        self.term, self.parts = term, parts
        self.verdict = np.full(count, self.initial, np.int8)
        #: Events, steps in a row, steps or stages so far.
        self._number = np.zeros(count, np.int64)
        self._judge(np.ones(count, bool))

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games, bool (n,)."""
        self.verdict[who] = self.initial
        self._number[who] = 0
        for part in self._first():
            part.begin(who)
        self._judge(who)

    def _first(self) -> Sequence[Node]:
        return self.parts

    def step(self, who: np.ndarray, frame: Frame) -> None:
        """Takes note of a step of some games, where the verdict is not final."""
        who = who & (self.verdict < DONE)
        if who.any():
            self._advance(who, frame)
            self._judge(who)

    def expire(self, who: np.ndarray) -> None:
        """Ends at the horizon: what is safe is done, what is pending has failed."""
        who = who & (self.verdict < DONE)
        if who.any():
            self._expire(who)
            self._judge(who)
            left = who & (self.verdict < DONE)
            self.verdict[left] = DONE if self.initial == SAFE else FAILED

    def kill(self, who: np.ndarray) -> None:
        """Fails where it is not final, with all parts."""
        for part in self.parts:
            part.kill(who)
        self.verdict[who & (self.verdict < DONE)] = FAILED

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        for part in self.parts:
            part.step(who, frame)

    def _expire(self, who: np.ndarray) -> None:
        for part in self.parts:
            part.expire(who)

    def _judge(self, who: np.ndarray) -> None:
        """Updates the verdicts of some games from those of the parts."""
        if self.parts:
            verdicts = np.stack([part.verdict for part in self.parts])
            self.verdict[who] = self._together(verdicts)[who]

    @abc.abstractmethod
    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        """Returns the verdict from those of the parts, int8 (parts, n)."""


class AtomNode(Node):
    """An event or a state, with what has to hold before a step."""

    def __init__(self, term: Term, count: int, starts: Sequence[c.Condition]) -> None:
        super().__init__(term, count)
        self._starts = starts

    def _held(self, who: np.ndarray, frame: Frame) -> np.ndarray:
        for condition in self._starts:
            who = who & frame.held[condition]
        return who

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        return self.verdict


class EventNode(AtomNode):
    """Counts events."""

    def __init__(
        self, term: Term, count: int, happened: Happening, starts: Sequence[c.Condition]
    ) -> None:
        super().__init__(term, count, starts)
        self._happened = happened

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        who = self._held(who, frame)
        self._number[who] += self._happened(frame)[who]
        self.verdict[who & (self._number >= self.term.goal.n)] = DONE


class StateNode(AtomNode):
    """Waits for a state."""

    def __init__(
        self,
        term: Term,
        count: int,
        wanted: Sequence[tuple[c.Condition, Test]],
        starts: Sequence[c.Condition],
    ) -> None:
        super().__init__(term, count, starts)
        self._wanted = wanted

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        met = self._held(who, frame)
        for condition, test in self._wanted:
            met = met & frame.holds(condition, test)
        self._number[who] = np.where(met, self._number + 1, 0)[who]
        self.verdict[who & (self._number >= self.term.goal.steps)] = DONE


class NotNode(Node):
    """Stays safe as long as its part is not done."""

    initial = SAFE

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        return np.where(verdicts[0] == DONE, FAILED, self.verdict)


class AllNode(Node):
    """All parts."""

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        has_safe = (verdicts == SAFE).any(0)
        has_done = (verdicts == DONE).any(0)
        done = ~has_safe | (has_done & (not self.term.is_safety))
        chosen = np.where(done, DONE, SAFE)
        chosen = np.where((verdicts == PENDING).any(0), PENDING, chosen)
        return np.where((verdicts == FAILED).any(0), FAILED, chosen)


class AnyNode(Node):
    """One of the parts."""

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        chosen = np.where((verdicts == SAFE).any(0), SAFE, PENDING)
        chosen = np.where((verdicts == FAILED).all(0), FAILED, chosen)
        return np.where((verdicts == DONE).any(0), DONE, chosen)


class SequenceNode(Node):
    """Stages in order; the number is that of the stage."""

    def _first(self) -> Sequence[Node]:
        return self.parts[:1]

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        at = self._number.copy()  # a stage that begins sees later steps only
        for number, stage in enumerate(self.parts):
            here = who & (at == number)
            if not here.any():
                continue
            stage.step(here, frame)
            done = here & (stage.verdict == DONE)
            if number + 1 < len(self.parts) and done.any():
                self._number[done] = number + 1
                self.parts[number + 1].begin(done)

    def _expire(self, who: np.ndarray) -> None:
        for number, stage in enumerate(self.parts):
            stage.expire(who & (self._number == number))

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        now = verdicts[self._number, np.arange(len(self._number))]
        counts = (now == FAILED) | (self._number == len(self.parts) - 1)
        return np.where(counts, now, PENDING)


class WithinNode(Node):
    """A horizon; the number is that of steps."""

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        self._number[who] += 1
        super()._advance(who, frame)
        self.parts[0].expire(who & (self._number >= self.term.n))

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        found: np.ndarray = verdicts[0]
        return found


#: Operator -> node, for all but atoms.
NODES: dict[str, type[Node]] = {
    "not": NotNode,
    "all": AllNode,
    "any": AnyNode,
    "sequence": SequenceNode,
    "within": WithinNode,
}
