"""Monitors in many games at once: `crafter.tasks.monitors` on arrays.

A node stands for a part of a goal in all games; its verdicts are numbers.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from crafter.tasks import conditions as c
from crafter.tasks.batched.conditions import Moment, Test
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
      count: Number of games.

    Attributes:
      verdict: Numbers of `VERDICTS`, int8 (n,).
    """

    initial = PENDING

    def __init__(self, count: int) -> None:
        self.verdict = np.full(count, self.initial, np.int8)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games, bool (n,)."""
        self.verdict[who] = self.initial

    def step(self, who: np.ndarray, frame: Frame) -> None:
        """Takes note of a step of some games, where the verdict is not final."""
        who = who & (self.verdict < DONE)
        if who.any():
            self._advance(who, frame)

    def expire(self, who: np.ndarray) -> None:
        """Ends at the horizon: what is safe is done, what is pending has failed."""
        who = who & (self.verdict < DONE)
        if who.any():
            self._expire(who)

    def kill(self, who: np.ndarray) -> None:
        """Fails where it is not final, with all parts."""
        for part in self.parts:
            part.kill(who)
        self.verdict[who & (self.verdict < DONE)] = FAILED

    @property
    def parts(self) -> Sequence[Node]:
        """The nodes below."""
        return ()

    @abc.abstractmethod
    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        """Updates the verdicts."""

    def _expire(self, who: np.ndarray) -> None:
        self.verdict[who] = FAILED


class EventNode(Node):
    """Counts events; `crafter.tasks.monitors.EventNode` for all games."""

    def __init__(
        self,
        count: int,
        happened: Callable[[Frame], np.ndarray],
        n: int,
        starts: Sequence[c.Condition],
    ) -> None:
        super().__init__(count)
        self._happened, self._n, self._starts = happened, n, starts
        self._found = np.zeros(count, np.int64)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        super().begin(who)
        self._found[who] = 0

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        for condition in self._starts:
            who = who & frame.held[condition]
        self._found[who] += self._happened(frame)[who]
        self.verdict[who & (self._found >= self._n)] = DONE


class StateNode(Node):
    """Waits for a state; `crafter.tasks.monitors.StateNode` for all games."""

    def __init__(
        self,
        count: int,
        wanted: Sequence[tuple[c.Condition, Test]],
        hold: int,
        starts: Sequence[c.Condition],
    ) -> None:
        super().__init__(count)
        self._wanted, self._hold, self._starts = wanted, hold, starts
        self._streak = np.zeros(count, np.int64)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        super().begin(who)
        self._streak[who] = 0

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        met = who.copy()
        for condition in self._starts:
            met &= frame.held[condition]
        for condition, test in self._wanted:
            met &= frame.holds(condition, test)
        self._streak[who] = np.where(met, self._streak + 1, 0)[who]
        self.verdict[who & (self._streak >= self._hold)] = DONE


class NotNode(Node):
    """Stays safe; `crafter.tasks.monitors.NotNode` for all games."""

    initial = SAFE

    def __init__(self, count: int, inner: Node) -> None:
        super().__init__(count)
        self._inner = inner

    @property
    def parts(self) -> Sequence[Node]:
        """What must not be done."""
        return (self._inner,)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        super().begin(who)
        self._inner.begin(who)

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        self._inner.step(who, frame)
        self.verdict[who & (self._inner.verdict == DONE)] = FAILED

    def _expire(self, who: np.ndarray) -> None:
        self._inner.expire(who)
        self.verdict[who] = np.where(self._inner.verdict == DONE, FAILED, DONE)[who]


class GroupNode(Node):
    """Parts that begin together."""

    def __init__(self, count: int, parts: Sequence[Node]) -> None:
        super().__init__(count)
        self._parts = parts
        self._judge(np.ones(count, bool))

    @property
    def parts(self) -> Sequence[Node]:
        """The nodes of its parts."""
        return self._parts

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        for part in self._parts:
            part.begin(who)
        self._judge(who)

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        for part in self._parts:
            part.step(who, frame)
        self._judge(who)

    def _expire(self, who: np.ndarray) -> None:
        for part in self._parts:
            part.expire(who)
        self._judge(who)

    def _judge(self, who: np.ndarray) -> None:
        verdicts = np.stack([part.verdict for part in self._parts])
        self.verdict[who] = self._together(verdicts)[who]

    @abc.abstractmethod
    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        """Returns the verdict from those of the parts, int8 (parts, n)."""


class AllNode(GroupNode):
    """All parts; `crafter.tasks.monitors.AllNode` for all games."""

    def __init__(self, count: int, parts: Sequence[Node], only_safety: bool) -> None:
        self._only_safety = only_safety
        super().__init__(count, parts)

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        has_safe = (verdicts == SAFE).any(0)
        has_done = (verdicts == DONE).any(0)
        done = ~has_safe | (has_done & (not self._only_safety))
        chosen = np.where(done, DONE, SAFE)
        chosen = np.where((verdicts == PENDING).any(0), PENDING, chosen)
        return np.where((verdicts == FAILED).any(0), FAILED, chosen)


class AnyNode(GroupNode):
    """One of the parts; `crafter.tasks.monitors.AnyNode` for all games."""

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        chosen = np.where((verdicts == SAFE).any(0), SAFE, PENDING)
        chosen = np.where((verdicts == FAILED).all(0), FAILED, chosen)
        return np.where((verdicts == DONE).any(0), DONE, chosen)


class SequenceNode(Node):
    """Stages in order; `crafter.tasks.monitors.SequenceNode` for all games."""

    def __init__(self, count: int, stages: Sequence[Node]) -> None:
        super().__init__(count)
        self._stages = stages
        self._stage = np.zeros(count, np.int64)
        self._judge(np.ones(count, bool))

    @property
    def parts(self) -> Sequence[Node]:
        """The nodes of the stages."""
        return self._stages

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games, with the first stage."""
        self._stage[who] = 0
        self._stages[0].begin(who)
        self._judge(who)

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        at = self._stage.copy()  # a stage that begins sees later steps only
        for number, stage in enumerate(self._stages):
            here = who & (at == number)
            if not here.any():
                continue
            stage.step(here, frame)
            done = here & (stage.verdict == DONE)
            if number + 1 < len(self._stages) and done.any():
                self._stage[done] = number + 1
                self._stages[number + 1].begin(done)
        self._judge(who)

    def _expire(self, who: np.ndarray) -> None:
        for number, stage in enumerate(self._stages):
            stage.expire(who & (self._stage == number))
        self._judge(who)
        self.verdict[who & (self.verdict < DONE)] = FAILED

    def _judge(self, who: np.ndarray) -> None:
        last = len(self._stages) - 1
        verdicts = np.stack([stage.verdict for stage in self._stages])
        now = verdicts[self._stage, np.arange(len(self._stage))]
        counts = (now == FAILED) | (self._stage == last)
        self.verdict[who] = np.where(counts, now, PENDING)[who]


class WithinNode(Node):
    """A horizon; `crafter.tasks.monitors.WithinNode` for all games."""

    def __init__(self, count: int, inner: Node, n: int) -> None:
        super().__init__(count)
        self._inner, self._n = inner, n
        self._steps = np.zeros(count, np.int64)
        self.verdict = inner.verdict.copy()

    @property
    def parts(self) -> Sequence[Node]:
        """The part that has a horizon."""
        return (self._inner,)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        self._steps[who] = 0
        self._inner.begin(who)
        self.verdict[who] = self._inner.verdict[who]

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        self._steps[who] += 1
        self._inner.step(who, frame)
        self._inner.expire(who & (self._steps >= self._n))
        self.verdict[who] = self._inner.verdict[who]

    def _expire(self, who: np.ndarray) -> None:
        self._inner.expire(who)
        self.verdict[who] = self._inner.verdict[who]
