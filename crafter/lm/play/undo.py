"""Undo, save and restore."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from crafter.lm.play.session import History, Session

EVERY = 100  # steps between the states that are kept


class UndoError(ValueError):
    """Undo is not allowed, or there is nothing of this kind to go back to."""


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """A moment to come back to.

    Attributes:
      state: Value of `Env.get_state`.
      history: What had happened.
    """

    state: dict[str, np.ndarray]
    history: History


class Undo:
    """Keeps a state every so many steps, and those that are saved by name.

    To go back to any other step, the actions since the last kept state are repeated;
    the game is exact, so that gives the same.

    Args:
      session: The game.
      allowed: Whether anything is kept, and undo is allowed.

    Attributes:
      used: Whether it was used in this game.
    """

    def __init__(self, session: Session, allowed: bool) -> None:
        self._session, self._allowed = session, allowed
        self._kept: dict[int, Checkpoint] = {}
        self._saved: dict[str, tuple[Checkpoint, dict[int, Checkpoint]]] = {}
        self.used = False

    def begin(self) -> None:
        """Forgets the former game; called at the start of each."""
        self._kept, self._saved, self.used = {}, {}, False
        self.keep()

    def keep(self) -> None:
        """Keeps this moment, if it is time to; called after each step."""
        if self._allowed and self._session.steps % EVERY == 0:
            self._kept[self._session.steps] = self._checkpoint()

    def go_back(self, n: int, observe: Callable[[], object]) -> None:
        """Takes back the last steps.

        Args:
          n: Number of steps.
          observe: Makes an observation, where one was made before.

        Raises:
          UndoError: If undo is not allowed or the game is shorter.
        """
        self._need_permission()
        history, steps = self._session.history, self._session.steps
        if not 0 <= n <= steps:
            raise UndoError(f"Expected 0 to {steps} steps, got {n!r}.")
        target = steps - n
        start = max(kept for kept in self._kept if kept <= target)
        self._kept = {at: kept for at, kept in self._kept.items() if at <= start}
        self._put_back(self._kept[start])
        for number, record in enumerate(history.records[start:target], start + 1):
            self._session.step(record.action)
            self.keep()
            if number in history.observed:
                observe()

    def save(self) -> str:
        """Keeps this moment by name and returns the name.

        Raises:
          UndoError: If undo is not allowed.
        """
        self._need_permission()
        name = f"save-{len(self._saved) + 1}"
        self._saved[name] = self._checkpoint(), dict(self._kept)
        return name

    def restore(self, name: str) -> None:
        """Comes back to a saved moment, with the states that led to it.

        Raises:
          UndoError: If undo is not allowed, or there is none of this name.
        """
        self._need_permission()
        if name not in self._saved:
            raise UndoError(f"Unknown save {name!r}; there are {list(self._saved)}.")
        checkpoint, kept = self._saved[name]
        self._kept = dict(kept)
        self._put_back(checkpoint)

    def _need_permission(self) -> None:
        if not self._allowed:
            raise UndoError(
                "Undo is not allowed: make the interface with allow_undo=True."
            )

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(self._session.env.get_state(), self._session.history.copy())

    def _put_back(self, checkpoint: Checkpoint) -> None:
        self._session.env.set_state(checkpoint.state)
        self._session.history = checkpoint.history.copy()
        self._session.look()
        self.used = True
