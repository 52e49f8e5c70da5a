"""What happened in a game so far."""

from __future__ import annotations

import copy
import dataclasses

from crafter.lm.rendering.facts import StepRecord
from crafter.lm.rendering.memory import MemoryMap


@dataclasses.dataclass
class History:
    """What happened in a game so far.

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

    def copy(self) -> History:
        """Returns a copy that does not change with this one."""
        return History(
            list(self.records),
            copy.deepcopy(self.memory),
            list(self.observed),
            self.reason,
        )
