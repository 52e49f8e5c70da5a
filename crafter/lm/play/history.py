"""History of a game, and the moments that undo goes back to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from crafter.lm.rendering.ascii_map import MemoryMap
from crafter.lm.rendering.facts import StepRecord

_FALLING = 10  # steps within which a fall of a vital is told


class UndoError(ValueError):
    """Undo is not allowed, or there is nothing of this kind to go back to."""


@dataclasses.dataclass
class History:
    """History of a game.

    Attributes:
      records: Its steps.
      memory: The map of what was seen.
      observed: Numbers of steps after which an observation was made, in order.
      reason: Why the game is over, or `None`.
    """

    records: list[StepRecord] = dataclasses.field(default_factory=list)
    memory: MemoryMap = dataclasses.field(default_factory=MemoryMap)
    observed: list[int] = dataclasses.field(default_factory=list)
    reason: str | None = None

    def falling(self, vitals: Iterable[str]) -> tuple[str, ...]:
        """Returns which of some vitals fell within the last steps."""
        events = [e for record in self.records[-_FALLING:] for e in record.events]
        changes = [event for event in events if event["type"] == "vital"]
        fell = {event["name"] for event in changes if event["to"] < event["frm"]}
        if any(event["type"] == "hurt" for event in events):
            fell.add("health")
        return tuple(name for name in vitals if name in fell)
