"""What happened in a game so far, and moments of it to come back to."""

from __future__ import annotations

import copy
import dataclasses

import numpy as np

from crafter.lm.tell.facts import StepRecord
from crafter.lm.tell.memory import MemoryMap

EVERY = 100  # steps between the states that are kept


class UndoError(ValueError):
    """Undo is not allowed, or there is nothing of this kind to go back to."""


@dataclasses.dataclass
class History:
    """What happened in a game so far.

    Attributes:
      records: Its steps.
      memory: The map of what was seen.
      reason: Why the game is over, or `None`.
    """

    records: list[StepRecord] = dataclasses.field(default_factory=list)
    memory: MemoryMap = dataclasses.field(default_factory=MemoryMap)
    reason: str | None = None

    def copy(self) -> History:
        """Returns a copy that does not change with this one."""
        return History(list(self.records), copy.deepcopy(self.memory), self.reason)


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """A moment to come back to.

    Attributes:
      state: Value of `Env.get_state`.
      history: What had happened.
    """

    state: dict[str, np.ndarray]
    history: History


class Checkpoints:
    """Keeps a state every so many steps, and those that were saved by name.

    To go back to any other step, the actions since the last kept state are repeated;
    the game is exact, so that gives the same.
    """

    def __init__(self) -> None:
        self._kept: dict[int, Checkpoint] = {}
        self._saved: dict[str, tuple[Checkpoint, dict[int, Checkpoint]]] = {}

    def keep(self, step: int, checkpoint: Checkpoint) -> None:
        """Keeps the state after a number of steps."""
        self._kept[step] = checkpoint

    def back_to(self, step: int) -> tuple[int, Checkpoint]:
        """Returns the last kept state up to a step, and forgets the later ones."""
        start = max(kept for kept in self._kept if kept <= step)
        self._kept = {n: kept for n, kept in self._kept.items() if n <= start}
        return start, self._kept[start]

    def save(self, checkpoint: Checkpoint) -> str:
        """Keeps a moment by name and returns the name."""
        name = f"save-{len(self._saved) + 1}"
        self._saved[name] = checkpoint, dict(self._kept)
        return name

    def restore(self, name: str) -> Checkpoint:
        """Returns a saved moment, and keeps the states that led to it.

        Raises:
          UndoError: If there is none of this name.
        """
        if name not in self._saved:
            raise UndoError(f"Unknown save {name!r}; there are {list(self._saved)}.")
        checkpoint, kept = self._saved[name]
        self._kept = dict(kept)
        return checkpoint
