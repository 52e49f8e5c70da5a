"""Task progress: the tree of the parts of a goal, as it follows the monitor.

All of several parts count as their mean, alternatives as the best of them, and parts in
an order one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping

from crafter.tasks.monitors import Node
from crafter.tasks.records import StepRecord
from crafter.tasks.scores.parts import AtomPart, Context, Part
from crafter.tasks.verdicts import Verdict
from crafter.tasks.view import TaskView


class AllPart(Part):
    """All of several parts; what only has to stay safe does not count."""

    def _measured(self) -> float:
        counted = [part for part in self.parts if not part.term.is_safety]
        counted = counted or self.parts
        return sum(part.reached for part in counted) / len(counted)

    def _awaits(self, view: TaskView) -> bool:
        todo = [part for part in self.parts if not part.term.is_safety]
        return any(part.waits(view) for part in todo or self.parts)


class AnyPart(AllPart):
    """One of several parts."""

    def _measured(self) -> float:
        return max(part.value for part in self.parts)

    @property
    def value(self) -> float:
        """How far it came; each part has been cut by what broke it."""
        return 1.0 if self.node.verdict is Verdict.DONE else self._measured()


class InTurnPart(Part):
    """Parts in an order, each of which begins when the one before is done."""

    def _follow(
        self, record: StepRecord, gained: Mapping[str, int], view: TaskView
    ) -> None:
        super()._follow(record, gained, view)
        for node in self.node.children[len(self.parts) :]:
            self.parts.append(part_of(node, self._context, view))

    def _measured(self) -> float:
        return sum(part.reached for part in self.parts) / len(self.term.parts)


class WithinPart(Part):
    """A part with a horizon, or what has to stay safe up to one."""

    def __init__(self, node: Node, context: Context, parts: list[Part]) -> None:
        super().__init__(node, context, parts)
        limited = self.term.op == "within"
        self._horizon = self.term.n if limited else context.budget
        self._steps = 0

    def _follow(
        self, record: StepRecord, gained: Mapping[str, int], view: TaskView
    ) -> None:
        super()._follow(record, gained, view)
        self._steps += 1

    def _measured(self) -> float:
        if self.term.is_safety:
            return self._steps / self._horizon
        return self.parts[0].reached

    def _awaits(self, view: TaskView) -> bool:
        return self.term.is_safety or self.parts[0].waits(view)


_PARTS: dict[str, type[Part]] = {
    "not": WithinPart,  # with the horizon of the attempt; what it forbids is no part
    "all": AllPart,
    "any": AnyPart,
    "sequence": InTurnPart,
    "within": WithinPart,
}


def part_of(node: Node, context: Context, view: TaskView) -> Part:
    """Returns the part of a goal that follows a node.

    Args:
      node: The node, which was begun.
      context: What the parts share.
      view: The game now.
    """
    kind = _PARTS.get(node.term.op)
    if kind is None:
        return AtomPart(node, context, view)
    children = () if node.term.op == "not" else node.children
    return kind(node, context, [part_of(child, context, view) for child in children])
