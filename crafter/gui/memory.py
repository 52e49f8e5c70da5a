"""Memory of an episode: what the player has seen and learned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.gui.game import Game

# Names of its arrays in files; the saved counts of a session begin alike.
_CELLS = "session_cells"
_NAMES, _TEXTS = "session_learned", "session_learned_texts"


class Memory:
    """Memory of an episode: what the player has seen and learned.

    Args:
      game: The game.

    Attributes:
      cells: What was there when it was last seen, uint8 of shape (floors, rows,
        columns, layers); 0 in the first layer where nothing was ever seen.
      place: Floor and cell (row, column) of the player.
      learned: Name -> text, as `Game.learned` gives them.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self.cells = np.zeros((len(game.floors), *game.map_shape), np.uint8)
        self.place = 0, (0, 0)
        self.learned: dict[str, str] = {}

    @property
    def seen(self) -> np.ndarray:
        """Which cells were ever seen, bool of shape (floors, rows, columns)."""
        return np.asarray(self.cells[..., 0] > 0)

    def see(self, now: Any) -> None:
        """Takes in a moment."""
        self.learned |= self._game.learned(now)
        if not self._game.floors:
            return
        view = self._game.look(now)
        (top, left), (rows, columns) = view.corner, view.seen.shape
        self.place = view.floor, (top + rows // 2, left + columns // 2)
        row, column = view.seen.nonzero()
        y, x = row + top, column + left
        height, width = self.cells.shape[1:3]  # who cannot be stopped may walk off it
        on = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        self.cells[view.floor, y[on], x[on]] = view.cells[row[on], column[on]]

    def state(self) -> dict[str, np.ndarray]:
        """Returns all of it as arrays, for files."""
        return {
            _CELLS: self.cells.copy(),
            _NAMES: np.array(list(self.learned), str),
            _TEXTS: np.array(list(self.learned.values()), str),
        }

    @classmethod
    def restored(cls, game: Game, state: Mapping[str, np.ndarray]) -> Memory:
        """Returns the memory of a file; an empty one if the file holds none."""
        memory = cls(game)
        if _CELLS in state:
            memory.cells = state[_CELLS].copy()
            memory.learned = dict(zip(state[_NAMES].tolist(), state[_TEXTS].tolist()))
        return memory
