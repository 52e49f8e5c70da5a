"""Recorded games played again, for pictures of any size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from crafter.gui.game import adapter_of
from crafter.gui.memory import Memory

_EVERY = 100  # steps between moments that are kept, to go back to


class RerunError(ValueError):
    """A recording cannot be played again; the text says why."""


class Rerun:
    """A position in a game that is played again from its start.

    Args:
      start: The saved game with which it begins, as `crafter.load_start` gives it.
      episode: The arrays of `crafter.load_episode`. Row 0 is the start.
      resume: Saved game -> environment in which it goes on; see
        `crafter.gui.game.Game`.

    Attributes:
      index: The row that is shown.
      game: The adapter of the game.
      memory: What the player has seen and learned so far.

    Raises:
      RerunError: If the start does not fit the rules or this version.
    """

    def __init__(
        self,
        start: Mapping[str, np.ndarray],
        episode: Mapping[str, np.ndarray],
        resume: Callable[[Mapping[str, np.ndarray]], Any],
    ) -> None:
        self.index = 0
        self._episode = episode
        try:
            self._env = resume(start)
        except KeyError as error:
            raise RerunError(f"its start lacks {error.args[0]}") from error
        except (TypeError, ValueError) as error:
            raise RerunError(str(error).rstrip(".")) from error
        self.game = adapter_of(self._env)
        self.memory = Memory(self.game)
        self.memory.see(self.snapshot())
        self._kept = {0: (start, self.memory.state())}

    @property
    def view(self) -> tuple[int, int]:
        """Cells shown (columns, rows), rows of the inventory included."""
        return self.game.cells(self._env)

    def seek(self, index: int) -> None:
        """Plays to a row.

        Raises:
          RerunError: If the game departs from the recording on the way.
        """
        kept = max(step for step in self._kept if step <= index)
        if not kept <= self.index <= index:
            start, remembered = self._kept[kept]
            self._env.set_state(start)
            self.memory = Memory.restored(self.game, remembered)
            self.index = kept
        while self.index < index:
            self._advance()

    def _advance(self) -> None:
        _, _, _, _, info = self._env.step(int(self._episode["action"][self.index + 1]))
        self.index += 1
        if not self._agrees(info):
            raise RerunError(
                f"the game departs from the recording at step {self.index}"
            )
        self.memory.see(self.snapshot())
        if self.index % _EVERY == 0 and self.index not in self._kept:
            self._kept[self.index] = self._env.get_state(), self.memory.state()

    def _agrees(self, info: Mapping[str, Any]) -> bool:
        """Returns whether place and inventory are those that were recorded."""
        recorded: dict[str, Any] = {"player_pos": info["player_pos"]}
        recorded |= {f"ainventory_{n}": a for n, a in info["inventory"].items()}
        return all(
            np.array_equal(self._episode[name][self.index], value)
            for name, value in recorded.items()
        )

    def frame(self, size: tuple[int, int]) -> np.ndarray:
        """Returns the picture of this moment, (height, width, 3), uint8."""
        return np.asarray(self._env.frame(size))

    def snapshot(self) -> Any:
        """Returns a record of this moment."""
        return self._env.snapshot()
