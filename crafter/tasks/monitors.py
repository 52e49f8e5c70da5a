"""Monitors: how a goal fares, step by step.

A goal makes a tree of nodes. In every step each node that is not final yet sees the
record of the step and the game after it. Verdicts DONE and FAILED never change again.
Death comes first: whatever is not final when the player dies has failed.
"""

from __future__ import annotations

import abc
import collections
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from crafter.tasks.conditions import Condition, Place
from crafter.tasks.records import StepRecord
from crafter.tasks.verdicts import Verdict
from crafter.tasks.view import TaskView

PENDING, SAFE = Verdict.PENDING, Verdict.SAFE
DONE, FAILED = Verdict.DONE, Verdict.FAILED

#: Progress of what is not done yet stays below 1.
_ALMOST = 0.999

Maker = Callable[[], "Node"]


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


class Node(abc.ABC):
    """The monitor of a part of a goal.

    Args:
      label: The part, as it is written.

    Attributes:
      label: The part, as it is written.
      verdict: Its verdict.
      reason: Why it failed, or `None`.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.verdict = PENDING
        self.reason: str | None = None

    @property
    def progress(self) -> float:
        """How much of it is done, 0 to 1; never falls, and is 1 exactly if done."""
        return 1.0 if self.verdict is DONE else min(self._measure(), _ALMOST)

    @property
    def children(self) -> Sequence[Node]:
        """The nodes of its parts; of parts in an order only those that were begun."""
        return ()

    @property
    def chosen(self) -> str | None:
        """Of alternatives, the label of the one that was used."""
        return None

    @abc.abstractmethod
    def start(self, view: TaskView) -> None:
        """Begins; the steps to count come after it."""

    def step(self, record: StepRecord, view: TaskView) -> None:
        """Takes note of a step."""
        if not self.verdict.final:
            self._advance(record, view)

    def expire(self, reason: str) -> None:
        """Ends at the horizon: what is safe is done, what is pending has failed."""
        if not self.verdict.final:
            self._expire(reason)

    def kill(self, reason: str) -> None:
        """Fails, with all parts that are not final."""
        for child in self.children:
            child.kill(reason)
        if not self.verdict.final:
            self._fail(reason)

    @abc.abstractmethod
    def _advance(self, record: StepRecord, view: TaskView) -> None:
        """Updates the verdict."""

    @abc.abstractmethod
    def _expire(self, reason: str) -> None:
        """Makes the verdict final."""

    def _measure(self) -> float:
        """Returns how much is done if it is not all done; must never fall."""
        return 0.0

    def _fail(self, reason: str | None) -> None:
        self.verdict, self.reason = FAILED, reason


class Counts:
    """Counts events, all together or by the value of a field.

    Args:
      n: How many it takes.
      same: The field in which they have to agree, or `None`.
    """

    def __init__(self, n: int, same: str | None = None) -> None:
        self._n, self._same = n, same
        self._by_value: collections.Counter[Any] = collections.Counter()

    def add(self, event: Any) -> bool:
        """Counts an event; returns whether there are enough."""
        value = None if self._same is None else event.get(self._same)
        self._by_value[value] += 1
        return self._by_value[value] >= self._n

    @property
    def most(self) -> Any:
        """The value of which there are most, the first of equals; `None` for none."""
        return max(self._by_value, key=self._by_value.__getitem__, default=None)

    @property
    def share(self) -> float:
        """How many there are of those needed, 0 to 1."""
        return max(self._by_value.values(), default=0) / self._n


class EventNode(Node):
    """Counts matching events.

    Args:
      label: The part, as it is written.
      matches: Says whether an event is one of those wanted.
      counts: Says how many it takes.
      of_actions: Whether the chosen action is the event.
      guards: What else has to hold.
    """

    def __init__(
        self,
        label: str,
        matches: Callable[[Any], bool],
        counts: Counts,
        of_actions: bool,
        guards: Sequence[Guard],
    ) -> None:
        super().__init__(label)
        self._matches, self._of_actions = matches, of_actions
        self.counts = counts
        self._places = [g.condition for g in guards if g.kind == "where"]
        self._starts = [g.condition for g in guards if g.kind != "where"]
        self.is_guarded = bool(self._starts)
        self._held = True

    def start(self, view: TaskView) -> None:
        """Begins; the steps to count come after it."""
        self.look(view)

    def look(self, view: TaskView) -> None:
        """Takes note of the moment before the next step."""
        self._held = all(condition.holds(view) for condition in self._starts)

    def _advance(self, record: StepRecord, view: TaskView) -> None:
        if not self._held:
            return
        events: Sequence[Any] = record.events
        if self._of_actions:
            events = ({"type": "act", "action": record.action},)
        for event in events:
            counted = self._matches(event) and self._in_place(event, view)
            if counted and self.counts.add(event):
                self.verdict = DONE

    def _in_place(self, event: Any, view: TaskView) -> bool:
        at = event.get("at")
        return all(_holds_at(place, view, at) for place in self._places)

    def _expire(self, reason: str) -> None:
        self._fail(reason)

    def _measure(self) -> float:
        return self.counts.share


def _holds_at(condition: Condition, view: TaskView, at: Any) -> bool:
    if at is not None and isinstance(condition, Place):
        return condition.holds_at(view, at)
    return condition.holds(view)


class StateNode(Node):
    """Waits until a condition has held for some steps in a row.

    Args:
      label: The part, as it is written.
      condition: What has to hold at the end of the steps.
      hold: How many steps.
      guards: What else has to hold.
    """

    def __init__(
        self, label: str, condition: Condition, hold: int, guards: Sequence[Guard]
    ) -> None:
        super().__init__(label)
        together = [g.condition for g in guards if g.kind != "using"]
        self._condition, self._hold = condition, hold
        self._together = together
        self._starts = [g.condition for g in guards if g.kind == "using"]
        self.is_guarded = bool(self._starts)
        self._held = True
        self._streak = 0
        self._most = 0.0

    def start(self, view: TaskView) -> None:
        """Begins; the steps to count come after it."""
        self.look(view)

    def look(self, view: TaskView) -> None:
        """Takes note of the moment before the next step."""
        self._held = all(condition.holds(view) for condition in self._starts)

    def _advance(self, record: StepRecord, view: TaskView) -> None:
        share = self._condition.share(view)
        met = (
            self._held
            and share >= 1
            and all(condition.holds(view) for condition in self._together)
        )
        self._streak = self._streak + 1 if met else 0
        if self._hold > 1:
            share = (share + self._streak) / (1 + self._hold)
        self._most = max(self._most, share)
        if self._streak >= self._hold:
            self.verdict = DONE

    def _expire(self, reason: str) -> None:
        self._fail(reason)

    def _measure(self) -> float:
        return self._most


class NotNode(Node):
    """Stays safe as long as its part is not done.

    Args:
      label: The part, as it is written.
      inner: What must not be done.
    """

    def __init__(self, label: str, inner: Node) -> None:
        super().__init__(label)
        self._inner = inner
        self.verdict = SAFE

    @property
    def children(self) -> Sequence[Node]:
        """What must not be done."""
        return (self._inner,)

    def start(self, view: TaskView) -> None:
        """Begins; the steps to count come after it."""
        self._inner.start(view)

    def _advance(self, record: StepRecord, view: TaskView) -> None:
        self._inner.step(record, view)
        if self._inner.verdict is DONE:
            self._fail(f"violated:{self.label}")

    def _expire(self, reason: str) -> None:
        self._inner.expire(reason)
        if self._inner.verdict is DONE:
            self._fail(f"violated:{self.label}")
        else:
            self.verdict = DONE


class GroupNode(Node):
    """What all parts say together; begins with all of them.

    Args:
      label: The part, as it is written.
      parts: The nodes of its parts.
    """

    def __init__(self, label: str, parts: Sequence[Node]) -> None:
        super().__init__(label)
        self._parts = parts

    @property
    def children(self) -> Sequence[Node]:
        """The nodes of its parts."""
        return self._parts

    def start(self, view: TaskView) -> None:
        """Begins; the steps to count come after it."""
        for part in self._parts:
            part.start(view)
        self._judge()

    def _advance(self, record: StepRecord, view: TaskView) -> None:
        failed = [part for part in self._parts if part.verdict is FAILED]
        for part in self._parts:
            part.step(record, view)
        self._judge(failed)

    def _expire(self, reason: str) -> None:
        failed = [part for part in self._parts if part.verdict is FAILED]
        for part in self._parts:
            part.expire(reason)
        self._judge(failed)

    @abc.abstractmethod
    def _judge(self, failed: Sequence[Node] = ()) -> None:
        """Updates the verdict from those of the parts.

        Args:
          failed: Parts that had failed before.
        """


class AllNode(GroupNode):
    """Done when all parts are done and those that only have to stay safe are safe.

    Args:
      label: The part, as it is written.
      parts: The nodes of its parts.
      only_safety: Whether there is no part that has to be done.
    """

    def __init__(self, label: str, parts: Sequence[Node], only_safety: bool) -> None:
        super().__init__(label, parts)
        self._only_safety = only_safety

    def _judge(self, failed: Sequence[Node] = ()) -> None:
        verdicts = {part.verdict for part in self._parts}
        if FAILED in verdicts:
            first = next(part for part in self._parts if part.verdict is FAILED)
            self._fail(first.reason)
        elif PENDING in verdicts:
            self.verdict = PENDING
        elif SAFE not in verdicts or DONE in verdicts and not self._only_safety:
            self.verdict = DONE
        else:
            self.verdict = SAFE

    def _measure(self) -> float:
        counted = [part for part in self._parts if not isinstance(part, NotNode)]
        counted = counted or list(self._parts)
        return sum(part.progress for part in counted) / len(counted)


class AnyNode(GroupNode):
    """Done when one of its parts is done, failed when all have failed."""

    @property
    def chosen(self) -> str | None:
        """The label of the first part that is done."""
        done = (part.label for part in self._parts if part.verdict is DONE)
        return next(done, None)

    def _judge(self, failed: Sequence[Node] = ()) -> None:
        verdicts = {part.verdict for part in self._parts}
        if DONE in verdicts:
            self.verdict = DONE
        elif verdicts == {FAILED}:
            last = next(part for part in self._parts if part not in failed)
            self._fail(last.reason)
        else:
            self.verdict = SAFE if SAFE in verdicts else PENDING

    def _measure(self) -> float:
        return max(part.progress for part in self._parts)


class SequenceNode(Node):
    """Goes through stages; each begins when the one before is done.

    Args:
      label: The part, as it is written.
      makers: Make the nodes of the stages.
    """

    def __init__(self, label: str, makers: Sequence[Maker]) -> None:
        super().__init__(label)
        self._makers = makers
        self._stages = [makers[0]()]

    @property
    def children(self) -> Sequence[Node]:
        """The nodes of the stages that were begun."""
        return self._stages

    def start(self, view: TaskView) -> None:
        """Begins; the steps to count come after it."""
        self._stages[0].start(view)
        self._judge()

    @property
    def _at_last(self) -> bool:
        return len(self._stages) == len(self._makers)

    def _advance(self, record: StepRecord, view: TaskView) -> None:
        self._stages[-1].step(record, view)
        if self._stages[-1].verdict is DONE and not self._at_last:
            self._stages.append(self._makers[len(self._stages)]())
            self._stages[-1].start(view)
        self._judge()

    def _expire(self, reason: str) -> None:
        self._stages[-1].expire(reason)
        self._judge()
        if not self.verdict.final:
            self._fail(reason)

    def _judge(self) -> None:
        now = self._stages[-1]
        if now.verdict is FAILED:
            self._fail(now.reason)
        elif self._at_last:
            self.verdict = now.verdict
        else:
            self.verdict = PENDING

    def _measure(self) -> float:
        done = len(self._stages) - 1
        return (done + self._stages[-1].progress) / len(self._makers)


class WithinNode(Node):
    """Ends its part some steps after its start.

    Args:
      label: The part, as it is written.
      inner: The part that has a horizon.
      n: Number of steps.
    """

    def __init__(self, label: str, inner: Node, n: int) -> None:
        super().__init__(label)
        self._inner, self._n, self._steps = inner, n, 0
        self._safe = 0.0  # the part of the steps that it has been safe for

    @property
    def children(self) -> Sequence[Node]:
        """The part that has a horizon."""
        return (self._inner,)

    @property
    def chosen(self) -> str | None:
        """Of alternatives, the label of the one that was used."""
        return self._inner.chosen

    def start(self, view: TaskView) -> None:
        """Begins; the steps to count come after it."""
        self._inner.start(view)
        self._judge()

    def _advance(self, record: StepRecord, view: TaskView) -> None:
        self._steps += 1
        self._inner.step(record, view)
        if self._inner.verdict is SAFE:
            self._safe = self._steps / self._n
        if self._steps >= self._n:
            self._inner.expire(f"late:{self.label}")
        self._judge()

    def _expire(self, reason: str) -> None:
        self._inner.expire(reason)
        self._judge()

    def _judge(self) -> None:
        self.verdict, self.reason = self._inner.verdict, self._inner.reason

    def _measure(self) -> float:
        return max(self._inner.progress, self._safe)


class Monitor:
    """How a goal fares in one attempt.

    Args:
      node: The tree of the goal.
      budget: Steps of the attempt, or `None` for no limit.

    Attributes:
      budget: Steps of the attempt, or `None` for no limit.
      root: The tree of the goal, for looking at.
      steps: How many steps it has seen.
      verdict_step: The step of the final verdict, or `None`.
      expired: Whether the verdict is final because the budget is used up.
    """

    def __init__(self, node: Node, budget: int | None = None) -> None:
        self.root = node
        self.budget = budget
        self.steps = 0
        self.verdict_step: int | None = None
        self.expired = False
        self._nodes: list[Node] = []
        self._growing: list[SequenceNode] = []
        self._guarded: list[EventNode | StateNode] = []
        self._sizes: list[int] | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict of the whole goal."""
        return self.root.verdict

    @property
    def reason(self) -> str | None:
        """Why it failed, or `None`."""
        return self.root.reason

    @property
    def progress(self) -> float:
        """How much of it is done, 0 to 1; never falls, and is 1 exactly if done."""
        return self.root.progress

    @property
    def children(self) -> Sequence[Node]:
        """The nodes of the parts of the goal."""
        return self.root.children

    def start(self, view: TaskView) -> None:
        """Begins; the first step that counts is the next one."""
        self.root.start(view)

    def update(self, record: StepRecord, view: TaskView) -> Verdict:
        """Takes note of a step and of the game after it.

        Returns:
          The verdict.
        """
        self.advance(record, view)
        if not self.verdict.final:
            self.look(view)
        return self.verdict

    def advance(self, record: StepRecord, view: TaskView) -> None:
        """Takes note of a step, without a look at the moment before the next one."""
        if self.verdict.final:
            return
        self.steps += 1
        if record.dead:
            self.root.kill(_cause_of_death(record))
        self.root.step(record, view)
        used_up = self.budget is not None and self.steps >= self.budget
        if used_up and not self.verdict.final:
            self.root.expire("timeout")
            self.expired = True
        if self.root.verdict.final:
            self.verdict_step = self.steps

    def look(self, view: TaskView) -> None:
        """Takes note of the moment before the next step."""
        self.nodes()
        for node in self._guarded:
            if not node.verdict.final:
                node.look(view)

    def tree(self) -> dict[str, Any]:
        """Returns label, verdict and progress of all nodes, as plain data."""
        return _tree(self.root)

    def nodes(self) -> Sequence[Node]:
        """Returns all nodes that were begun, parents first."""
        sizes = [len(node.children) for node in self._growing]
        if sizes != self._sizes:
            self._nodes = list(_below(self.root))
            self._growing = [n for n in self._nodes if isinstance(n, SequenceNode)]
            atoms = [n for n in self._nodes if isinstance(n, (EventNode, StateNode))]
            self._guarded = [node for node in atoms if node.is_guarded]
            self._sizes = [len(node.children) for node in self._growing]
        return self._nodes


def _below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _below(child)


def _cause_of_death(record: StepRecord) -> str:
    causes = [
        by for e in record.events if e["type"] == "died" for by in e.get("by", ())
    ]
    return f"died:{'+'.join(dict.fromkeys(causes))}" if causes else "died"


def _tree(node: Node) -> dict[str, Any]:
    branch: dict[str, Any] = {
        "node": node.label,
        "verdict": str(node.verdict),
        "progress": node.progress,
    }
    if node.chosen is not None:
        branch["chosen"] = node.chosen
    if node.children:
        branch["children"] = [_tree(child) for child in node.children]
    return branch
