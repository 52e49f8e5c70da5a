"""Base class of the source of a window: a game being played, or a recording."""

from __future__ import annotations

import abc
import io
import pathlib
from typing import Any

import numpy as np

from crafter.core import journal
from crafter.gui.game import Game
from crafter.gui.memory import Memory
from crafter.gui.status import Page, Status

#: Names in saved games of what was counted; all begin alike.
SAVED = "session_"
GAME, RETURN = "session_game", "session_return"
UNLOCKED, UNLOCKED_AT = "session_unlocked", "session_unlocked_at"


class Source(abc.ABC):
    """A game that the window shows.

    Every frame is drawn by `Env.frame`, which never changes the game.

    Args:
      game: The adapter of the game.
      env: The environment of the game itself; `None` for a recording that is not played
        again.

    Attributes:
      game: The adapter of the game.
      memory: What the player has seen and learned in this episode.
      over: Whether the window should close.
      version: Increases with every change of the picture.
      notices: Short texts for the window; whoever shows them removes them.
    """

    def __init__(self, game: Game, env: Any = None) -> None:
        self.game, self._game = game, env
        self.memory = Memory(game)
        self.over = False
        self.version = 0
        self.notices: list[str] = []

    @abc.abstractmethod
    def status(self) -> Status:
        """Returns the content of the side panel at this moment."""

    @property
    def briefing(self) -> Page:
        """What it is about."""
        return Page(self.game.name, tuple(self.game.goal))

    @property
    def ready(self) -> frozenset[str]:
        """The actions that would have an effect now."""
        return frozenset()

    @property
    def proportions(self) -> tuple[int, int]:
        """Width and height of a picture with square cells, in cells."""
        return self.game.cells(self._game)

    def picture(self, size: tuple[int, int]) -> np.ndarray:
        """Returns the picture of this moment.

        Args:
          size: (width, height) in pixels; raised to the least that a cell needs.

        Returns:
          Array of shape (height, width, 3), uint8.
        """
        least = self.game.least_cell
        width, height = (max(n, least * c) for n, c in zip(size, self.proportions))
        return np.asarray(self._game.frame((width, height)))

    def save(self, path: pathlib.Path) -> None:
        """Saves this moment to a file, which appears whole or not at all.

        Raises:
          OSError: If the file cannot be written.
          ValueError: If there is no game, as in a recording that is not played again.
        """
        if self._game is None:
            raise ValueError("the recording cannot be played again")
        status = self.status()
        counts = {
            GAME: np.array(self.game.key),
            RETURN: np.array(float(status.episode_return)),
            UNLOCKED: np.array(list(status.unlocked), dtype=str),
            UNLOCKED_AT: np.array(list(status.unlocked.values()), int),
        }
        content = io.BytesIO()
        state = {**self._game.get_state(), **counts, **self.memory.state()}
        np.savez_compressed(content, **state)
        journal.replace(path, content.getvalue())
        self.log(f"Saved to {path}.")

    def log(self, text: str) -> None:
        """Prints a text, and shows it in the window for a while."""
        print(text)
        self.notices.append(text)

    def close(self) -> None:  # noqa: B027, since a replay has nothing to keep
        """Ends the game; a recorded one is kept as far as it went."""
