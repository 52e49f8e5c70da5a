"""Normal form of goals, and monitors that track a goal step by step.

`Goal.term` compiles a goal to a tree of operators over guarded atoms. Names and
constraints are resolved, and a chain of one operator is a single term, however it is
written. Batched environments, scores and the linter use this tree.

A monitor has a node for each term. In every step, each node without a final verdict
sees the step record and the game after the step. DONE and FAILED are final. Death takes
precedence: whatever is not final when the player dies has failed.
"""

from __future__ import annotations

import abc
import collections
import dataclasses
import enum
import functools
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from crafter.tasks.world.conditions import Condition, Place
from crafter.tasks.world.records import StepRecord
from crafter.tasks.world.view import View


class Guard(NamedTuple):
    """Condition under which an event or state counts.

    Attributes:
      kind: `when`, at the start of the step, or with the state; `using`, at the start
        of the step; `where`, at the cell of the event, or else of the player.
      condition: The condition.
      text: Its suffix in expressions.
    """

    kind: str
    condition: Condition
    text: str


Guards = tuple[Guard, ...]


@dataclasses.dataclass(frozen=True)
class Term:
    """Term of a goal in normal form.

    Attributes:
      op: `event`, `state`, `all`, `any`, `sequence`, `not` or `within`.
      goal: The goal of this operator; for atoms an `Event` or a `Reach`.
      label: Its expression.
      parts: Its operands; the stages of a sequence in order.
      guards: Guards of an atom.
      names: Its names, outer ones first.
      n: Steps of a horizon, or repetitions of the only stage of a sequence.
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
        """Whether it is a pure safety constraint."""
        if self.op == "sequence" and self.n == 1 or not self.parts:
            return False
        return self.op == "not" or all(part.is_safety for part in self.parts)

    @functools.cached_property
    def is_endless(self) -> bool:
        """Whether it can only be done at the end of the attempt."""
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
        """Yields the conditions of an atom and their operands."""
        if self.op == "state":
            yield from self.goal.condition.walk()
        for guard in self.guards:
            yield from guard.condition.walk()

    def walk(self) -> Iterator[Term]:
        """Yields the term and all below, outer ones first."""
        yield self
        for part in self.parts:
            yield from part.walk()


class Verdict(str, enum.Enum):
    """Verdict on a goal after a step; equal to its name as text.

    Attributes:
      PENDING: Not done yet.
      SAFE: Nothing forbidden has happened yet; done if that stays so.
      DONE: Done; final.
      FAILED: Failed; final.
      final: Whether it is final; attribute of each verdict.
    """

    final: bool

    PENDING = "PENDING"
    SAFE = "SAFE"
    DONE = "DONE"
    FAILED = "FAILED"

    def __str__(self) -> str:
        return self.value

    def __init__(self, name: str) -> None:
        self.final = name in ("DONE", "FAILED")


PENDING, SAFE = Verdict.PENDING, Verdict.SAFE
DONE, FAILED = Verdict.DONE, Verdict.FAILED

#: Largest progress of goals that are not done.
_ALMOST = 0.999


class Node(abc.ABC):
    """Monitor of a term.

    Args:
      term: The term.

    Attributes:
      initial: The verdict before the start; class attribute.
      term: The term.
      label: Its expression.
      verdict: Its verdict.
      reason: Why it failed, or `None`.
      children: Nodes of its parts; of a sequence only the started ones.
    """

    initial: ClassVar[Verdict] = PENDING

    def __init__(self, term: Term) -> None:
        self.term, self.label = term, term.label
        self.verdict, self.reason = self.initial, None
        self.children = [node_of(part) for part in self._first()]

    verdict: Verdict
    reason: str | None

    def _first(self) -> Sequence[Term]:
        """Returns the parts that start together with it."""
        return self.term.parts

    @property
    def progress(self) -> float:
        """Progress, 0 to 1; never decreases, and is 1 exactly if done."""
        return 1.0 if self.verdict is DONE else min(self._measure(), _ALMOST)

    def start(self, view: View) -> None:
        """Starts; later steps count."""
        for child in self.children:
            child.start(view)
        self._judge()

    def look(self, view: View) -> None:
        """Observes the state before the next step."""
        for child in self.children:
            if not child.verdict.final:
                child.look(view)

    def step(self, record: StepRecord, view: View) -> None:
        """Observes a step."""
        if not self.verdict.final:
            self._advance(record, view)

    def expire(self, reason: str) -> None:
        """Ends at the horizon: SAFE becomes DONE, PENDING becomes FAILED."""
        if not self.verdict.final:
            for child in self.children:
                child.expire(reason)
            self._judge()
        if self.verdict is SAFE:
            self.verdict = DONE
        elif not self.verdict.final:
            self._fail(reason)

    def kill(self, reason: str) -> None:
        """Fails, with all parts without a final verdict."""
        for child in self.children:
            child.kill(reason)
        if not self.verdict.final:
            self._fail(reason)

    def _advance(self, record: StepRecord, view: View) -> None:
        """Updates the verdict."""
        for child in self.children:
            child.step(record, view)
        self._judge()

    @abc.abstractmethod
    def _judge(self) -> None:
        """Updates the verdict from those of the parts."""

    @abc.abstractmethod
    def _measure(self) -> float:
        """Returns the progress of a goal that is not done; must never decrease."""

    def walk(self) -> Iterator[Node]:
        """Yields the node and all started ones below, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def tree(self) -> dict[str, Any]:
        """Returns label, verdict and progress of the tree, as plain data."""
        branch: dict[str, Any] = {
            "node": self.label,
            "verdict": str(self.verdict),
            "progress": self.progress,
        }
        if self.children:
            branch["children"] = [child.tree() for child in self.children]
        return branch

    def _fail(self, reason: str | None) -> None:
        self.verdict, self.reason = FAILED, reason


class AtomNode(Node):
    """Event or state; some guards are evaluated before a step."""

    _before: ClassVar[tuple[str, ...]]

    def __init__(self, term: Term) -> None:
        super().__init__(term)
        self._starts = term.conditions(*self._before)
        self._held = True

    def start(self, view: View) -> None:
        """Starts; later steps count."""
        self.look(view)

    def look(self, view: View) -> None:
        """Observes the state before the next step."""
        self._held = all(condition.holds(view) for condition in self._starts)

    def _judge(self) -> None:
        pass


class EventNode(AtomNode):
    """Counts matching events, in total or by the value of a field."""

    _before = ("when", "using")

    def __init__(self, term: Term) -> None:
        super().__init__(term)
        self._goal = term.goal
        self._places = term.conditions("where")
        self._counts: collections.Counter[Any] = collections.Counter()

    def _advance(self, record: StepRecord, view: View) -> None:
        if not self._held:
            return
        goal, events = self._goal, record.events
        if goal.type == "act":
            events = ({"type": "act", "action": record.action},)
        for event in events:
            if goal.matches(event) and self._in_place(event, view):
                value = None if goal.same is None else event.get(goal.same)
                self._counts[value] += 1
                if self._counts[value] >= goal.n:
                    self.verdict = DONE

    def _in_place(self, event: Any, view: View) -> bool:
        return all(_holds_at(p, view, event.get("at")) for p in self._places)

    def _measure(self) -> float:
        share: float = max(self._counts.values(), default=0) / self._goal.n
        return share


def _holds_at(condition: Condition, view: View, at: Any) -> bool:
    if at is not None and isinstance(condition, Place):
        return condition.holds_at(view, at)
    return condition.holds(view)


class StateNode(AtomNode):
    """Waits until a condition has held for consecutive steps."""

    _before = ("using",)

    def __init__(self, term: Term) -> None:
        super().__init__(term)
        self._condition, self._hold = term.goal.condition, term.goal.steps
        self._together = term.conditions("when", "where")
        self._streak = 0
        self._most = 0.0

    def _advance(self, record: StepRecord, view: View) -> None:
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

    def _measure(self) -> float:
        return self._most


class NotNode(Node):
    """Safe as long as its part is not done."""

    initial = SAFE

    def _judge(self) -> None:
        if self.children[0].verdict is DONE:
            self._fail(f"violated:{self.label}")

    def _measure(self) -> float:
        return 0.0


class AllNode(Node):
    """Done when all parts are done, and safety constraints are safe."""

    def _judge(self) -> None:
        verdicts = {part.verdict for part in self.children}
        if FAILED in verdicts:
            first = next(part for part in self.children if part.verdict is FAILED)
            self._fail(first.reason)
        elif PENDING in verdicts:
            self.verdict = PENDING
        elif SAFE not in verdicts or DONE in verdicts and not self.term.is_safety:
            self.verdict = DONE
        else:
            self.verdict = SAFE

    def _measure(self) -> float:
        counted = [part for part in self.children if not isinstance(part, NotNode)]
        counted = counted or list(self.children)
        return sum(part.progress for part in counted) / len(counted)


class AnyNode(Node):
    """Done when one of its parts is done, failed when all have failed."""

    def __init__(self, term: Term) -> None:
        super().__init__(term)
        self._failed: list[Node] = []

    def _judge(self) -> None:
        verdicts = {part.verdict for part in self.children}
        if DONE in verdicts:
            self.verdict = DONE
        elif verdicts == {FAILED}:
            last = next(part for part in self.children if part not in self._failed)
            self._fail(last.reason)
        else:
            self.verdict = SAFE if SAFE in verdicts else PENDING
        self._failed = [part for part in self.children if part.verdict is FAILED]

    def _measure(self) -> float:
        return max(part.progress for part in self.children)


class SequenceNode(Node):
    """Runs stages in order; each starts when the previous one is done."""

    def _first(self) -> Sequence[Term]:
        return self.term.parts[:1]

    def _advance(self, record: StepRecord, view: View) -> None:
        self.children[-1].step(record, view)
        done = len(self.children)
        if self.children[-1].verdict is DONE and done < len(self.term.parts):
            self.children.append(node_of(self.term.parts[done]))
            self.children[-1].start(view)
        self._judge()

    def _judge(self) -> None:
        now = self.children[-1]
        if now.verdict is FAILED:
            self._fail(now.reason)
        elif len(self.children) == len(self.term.parts):
            self.verdict = now.verdict
        else:
            self.verdict = PENDING

    def _measure(self) -> float:
        done = len(self.children) - 1
        return (done + self.children[-1].progress) / len(self.term.parts)


class WithinNode(Node):
    """Ends its part a number of steps after its start."""

    def __init__(self, term: Term) -> None:
        super().__init__(term)
        self._n, self._steps = term.n, 0
        self._safe = 0.0  # share of the steps in which it has been safe

    def _advance(self, record: StepRecord, view: View) -> None:
        inner = self.children[0]
        self._steps += 1
        inner.step(record, view)
        if inner.verdict is SAFE:
            self._safe = self._steps / self._n
        if self._steps >= self._n:
            inner.expire(f"late:{self.label}")
        self._judge()

    def _judge(self) -> None:
        inner = self.children[0]
        self.verdict, self.reason = inner.verdict, inner.reason

    def _measure(self) -> float:
        return max(self.children[0].progress, self._safe)


_NODES: dict[str, type[Node]] = {
    "event": EventNode,
    "state": StateNode,
    "not": NotNode,
    "all": AllNode,
    "any": AnyNode,
    "sequence": SequenceNode,
    "within": WithinNode,
}


def node_of(term: Term) -> Node:
    """Returns a fresh node for a term."""
    return _NODES[term.op](term)


class Monitor:
    """Monitor of a goal in one attempt.

    Args:
      term: The goal in normal form.
      budget: Maximum number of steps, or `None`.

    Attributes:
      budget: Maximum number of steps, or `None`.
      root: Root of the tree of nodes.
      steps: Number of observed steps.
      verdict_step: Step of the final verdict, or `None`.
      expired: Whether the verdict is final because the budget is used up.
    """

    def __init__(self, term: Term, budget: int | None = None) -> None:
        self.root = node_of(term)
        self.budget = budget
        self.steps = 0
        self.verdict_step: int | None = None
        self.expired = False

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
        """Progress, 0 to 1; never decreases, and is 1 exactly if done."""
        return self.root.progress

    def start(self, view: View) -> None:
        """Starts; the next step is the first that counts."""
        self.root.start(view)

    def update(self, record: StepRecord, view: View) -> Verdict:
        """Observes a step and the game after it.

        Returns:
          The verdict.
        """
        self.advance(record, view)
        if not self.verdict.final:
            self.look(view)
        return self.verdict

    def advance(self, record: StepRecord, view: View) -> None:
        """Observes a step, but not the state before the next one."""
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

    def look(self, view: View) -> None:
        """Observes the state before the next step."""
        self.root.look(view)


def _cause_of_death(record: StepRecord) -> str:
    causes = [
        by for e in record.events if e["type"] == "died" for by in e.get("by", ())
    ]
    return f"died:{'+'.join(dict.fromkeys(causes))}" if causes else "died"
