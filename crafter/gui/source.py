"""Source of a window: a game or a recording, and the player's memory."""

from __future__ import annotations

import abc
import io
import json
import pathlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core import journal
from crafter.gui.game import Game, Page, Status

#: Prefix of counter names in saved games.
SAVED = "session_"
GAME, RETURN, OPTIONS = "session_game", "session_return", "session_options"
STEP = "session_step"
UNLOCKED, UNLOCKED_AT = "session_unlocked", "session_unlocked_at"


# Array names in files; the saved counters of a session share the prefix.
_CELLS = "session_cells"
_NAMES, _TEXTS = "session_learned", "session_learned_texts"
_PATH = "session_path"


class Memory:
    """Memory of an episode: what the player has seen and learned.

    Args:
      game: The game.

    Attributes:
      cells: Cells as last seen, uint8 of shape (floors, rows, columns, layers); 0 in
        the first layer where never seen.
      place: Floor and cell (row, column) of the player.
      path: Places visited, in order.
      facing: Facing direction, as (rows, columns).
      map_size: Columns and rows of the map in the picture; 0 in games without a map.
      learned: Name -> text, as returned by `Game.learned`.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self.cells = np.zeros((len(game.floors), *game.map_shape), np.uint8)
        self.place = 0, (0, 0)
        self.path: list[tuple[int, tuple[int, int]]] = []
        self.facing = self.map_size = 0, 0
        self.learned: dict[str, str] = {}

    @property
    def seen(self) -> np.ndarray:
        """Which cells were ever seen, bool of shape (floors, rows, columns)."""
        return np.asarray(self.cells[..., 0] > 0)

    def see(self, now: Any) -> None:
        """Updates the memory with a snapshot."""
        self.learned |= self._game.learned(now)
        if not self._game.floors:
            return
        view = self._game.look(now)
        (top, left), seen = view.corner, view.cells[..., 0] > 0
        rows, columns = seen.shape
        self.facing, self.map_size = view.facing, (columns, rows)
        self.place = view.floor, (top + rows // 2, left + columns // 2)
        if self.path[-1:] != [self.place]:
            self.path.append(self.place)
        row, column = seen.nonzero()
        y, x = row + top, column + left
        height, width = self.cells.shape[1:3]  # the player may be off the map
        on = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        self.cells[view.floor, y[on], x[on]] = view.cells[row[on], column[on]]

    def state(self) -> dict[str, np.ndarray]:
        """Returns the memory as arrays, for saving."""
        return {
            _CELLS: self.cells.copy(),
            _PATH: np.array([(n, *cell) for n, cell in self.path], int).reshape(-1, 3),
            _NAMES: np.array(list(self.learned), str),
            _TEXTS: np.array(list(self.learned.values()), str),
        }

    @classmethod
    def restored(cls, game: Game, state: Mapping[str, np.ndarray]) -> Memory:
        """Returns the memory stored in a file; empty if there is none."""
        memory = cls(game)
        if _CELLS in state:
            memory.cells = state[_CELLS].copy()
            memory.learned = dict(zip(state[_NAMES].tolist(), state[_TEXTS].tolist()))
        if _PATH in state:
            memory.path = [
                (n, (row, column)) for n, row, column in state[_PATH].tolist()
            ]
        return memory


class Source(abc.ABC):
    """A game shown in the window.

    Frames are drawn by `Env.frame`, which never changes the game.

    Args:
      game: The adapter of the game.
      env: The unwrapped environment; `None` for a recording that cannot be
        re-simulated.

    Attributes:
      game: The adapter of the game.
      memory: The memory of this episode.
      over: Whether the window should close.
      version: Increases whenever the picture changes.
      notices: Short texts for the window, which removes those it has shown.
      effects: Effects of the latest step; see `Game.effects`.
    """

    def __init__(self, game: Game, env: Any = None) -> None:
        self.game, self._game = game, env
        self.memory = Memory(game)
        self.over = False
        self.version = 0
        self.notices: list[str] = []
        self.effects: list[tuple[tuple[int, int], str]] = []

    @abc.abstractmethod
    def status(self) -> Status:
        """Returns the contents of the side panel at this moment."""

    @property
    def briefing(self) -> Page:
        """Page that explains the game."""
        return Page(self.game.name, tuple(self.game.goal))

    @property
    def ready(self) -> frozenset[str]:
        """Actions that would have an effect now."""
        return frozenset()

    @property
    def proportions(self) -> tuple[int, int]:
        """Aspect ratio of a picture with square cells, as (width, height) in cells."""
        return self._game.cells

    def about(self, offset: tuple[int, int]) -> str:
        """Returns the description of a cell, as (column, row) from the player."""
        return self.game.about(self._game.snapshot(), offset)

    def picture(self, size: tuple[int, int]) -> np.ndarray:
        """Returns the picture of this moment.

        Args:
          size: (width, height) in pixels; raised to the minimum per cell.

        Returns:
          Array of shape (height, width, 3), uint8.
        """
        least = self.game.least_cell
        width, height = (max(n, least * c) for n, c in zip(size, self.proportions))
        return np.asarray(self._game.frame((width, height)))

    def save(
        self, path: pathlib.Path, options: Mapping[str, Any] | None = None
    ) -> None:
        """Saves this moment to a file, atomically.

        Args:
          path: The file; its folder is created.
          options: Command-line options that start the same game, for `saves`.

        Raises:
          OSError: If the file cannot be written.
          ValueError: If there is no game, as in a recording that is not re-simulated.
        """
        if self._game is None:
            raise ValueError("the recording cannot be replayed")
        status = self.status()
        counts = {
            GAME: np.array(self.game.key),
            OPTIONS: np.array(json.dumps(options or {})),
            STEP: np.array(status.step),
            RETURN: np.array(float(status.episode_return)),
            UNLOCKED: np.array(list(status.unlocked), dtype=str),
            UNLOCKED_AT: np.array(list(status.unlocked.values()), int),
        }
        content = io.BytesIO()
        state = {**self._game.get_state(), **counts, **self.memory.state()}
        np.savez_compressed(content, **state)
        journal.replace(path, content.getvalue())

    def log(self, text: str) -> None:
        """Prints a text and shows it in the window for a while."""
        print(text)
        self.notices.append(text)

    def close(self) -> None:  # noqa: B027, since a replay has nothing to save
        """Ends the game; the recording of an unfinished episode is kept."""
