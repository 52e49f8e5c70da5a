"""Memory of an episode: what the player has seen and learned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.gui.game import Game

_CELLS, _SEEN = "session_cells", "session_seen"
_NAMES, _TEXTS = "session_learned", "session_learned_texts"


class Memory:
    """Memory of an episode: what the player has seen and learned.

    Args:
      game: The game.

    Attributes:
      cells: What was there when it was last seen, uint8 of shape (floors, rows,
        columns, layers).
      seen: Which cells were ever seen, bool of shape (floors, rows, columns).
      learned: Name -> text, as `Game.learned` gives them.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        shape: tuple[int, ...] = (0, 0, 0, 0)
        if game.map is not None:
            shape = (len(game.map.floors), *game.map.size, game.map.layers)
        self.cells = np.zeros(shape, np.uint8)
        self.seen = np.zeros(shape[:3], bool)
        self.learned: dict[str, str] = {}

    def see(self, now: Any) -> None:
        """Takes in a moment."""
        self.learned |= self._game.learned(now)
        if self._game.map is None:
            return
        view = self._game.map.look(now)
        rows, columns = view.seen.shape
        (top, left), (height, width) = view.corner, self._game.map.size
        first, last = max(-top, 0), min(height - top, rows)
        start, end = max(-left, 0), min(width - left, columns)
        if first >= last or start >= end:
            return  # who cannot be stopped may walk off the map
        seen = view.seen[first:last, start:end]
        there = np.s_[view.floor, top + first : top + last, left + start : left + end]
        self.seen[there] |= seen
        self.cells[there][seen] = view.cells[first:last, start:end][seen]

    def state(self) -> dict[str, np.ndarray]:
        """Returns all of it as arrays, for files."""
        return {
            _CELLS: self.cells.copy(),
            _SEEN: self.seen.copy(),
            _NAMES: np.array(list(self.learned), str),
            _TEXTS: np.array(list(self.learned.values()), str),
        }

    @classmethod
    def restored(cls, game: Game, state: Mapping[str, np.ndarray]) -> Memory:
        """Returns the memory of a file; an empty one if the file holds none.

        Raises:
          ValueError: If it is damaged, or of a map of another size.
        """
        memory = cls(game)
        empty = memory.state()
        if empty.keys().isdisjoint(state):
            return memory
        for name, array in empty.items():
            saved = state.get(name, np.array(None))
            sized = name in (_CELLS, _SEEN)
            wrong = saved.dtype.kind != array.dtype.kind
            if wrong or (sized and saved.shape != array.shape):
                raise ValueError(f"{name} is damaged, or of a map of another area")
        memory.cells, memory.seen = state[_CELLS].copy(), state[_SEEN].copy()
        memory.learned = dict(zip(state[_NAMES].tolist(), state[_TEXTS].tolist()))
        return memory
