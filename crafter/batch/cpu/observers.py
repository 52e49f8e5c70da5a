"""The latest observations of a batch, one class per kind of observation."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.batch import tables as t
from crafter.batch.cpu import observe, run
from crafter.batch.cpu.jit import compiled
from crafter.batch.cpu.random import uniforms
from crafter.clock import is_dark
from crafter.views import FrameView, night_noise

_DARK: float = t.RULES.time["dark"]


class Pixels:
    """Draws pictures.

    Args:
      count: Number of games.
      view: Says what a picture looks like.
      limits: Maximum of every item.
      published: Whether the noise of the night comes from the stream of the game.

    Attributes:
      value: Where pictures are drawn, uint8 of shape (count, height, width, 3). Others
        may put arrays of their own here.
      published: Whether the noise of the night comes from the stream of the game.
    """

    def __init__(
        self, count: int, view: FrameView, limits: list[int], published: bool
    ) -> None:
        self.value = np.zeros((count, view.size[1], view.size[0], 3), np.uint8)
        self._black = self.value  # outside of the view, which is never drawn
        self.published = published
        self._grid = view.grid
        self._noise_shape = view.noise_shape
        self._palette = observe.make_palette(view, limits)
        # Noise takes ten times the memory of the stream that it was drawn from.
        streams = count if published else 0
        self._keys = np.zeros((streams, 624), np.uint32)
        self._positions = np.zeros(streams, np.int64)
        self._given: dict[int, np.ndarray] = {}

    def make_scratch(self) -> Any:
        """Returns room to draw in, one per thread."""
        return observe.make_scratch(self._palette, self._grid)

    def look(self, games: np.ndarray, which: np.ndarray, scratch: Any) -> None:
        """Draws games, which is part of the game with published noise.

        Args:
          games: Records of `layout.dtype`, shape (count,).
          which: Games to draw, int64 (n,).
          scratch: Room to draw in.
        """
        if self.published:
            _keep_streams(games, which, self._keys, self._positions)
        if self.value is not self._black:
            run.clear_frames(which, self.value)
        private = not self.published
        run.draw_games(games, which, self._palette, scratch, self.value, private)

    def look_again(
        self, games: np.ndarray, b: int, noise: np.ndarray | None, scratch: Any
    ) -> None:
        """Draws a game with noise that was drawn before.

        Args:
          games: Records of `layout.dtype`, shape (count,).
          b: The game.
          noise: Grey levels, float64 of shape (width, height); `None` if it is not
            dark, or if the noise is not that of the game's stream.
          scratch: Room to draw in.
        """
        if noise is None:
            self.look(games, np.array([b]), scratch)
            return
        self._given[b] = noise
        scratch.noise[...] = noise
        scratch.picture[0] += 1
        picture = scratch.picture[0]
        observe.pixels(games[b], self._palette, scratch, self.value[b], picture)

    def forget(self, which: np.ndarray) -> None:
        """Is told that games go on."""
        if self._given:
            for b in which.tolist():
                self._given.pop(b, None)

    def noise(self, games: np.ndarray, b: int) -> np.ndarray | None:
        """Returns the noise in the latest picture, drawn from the game's stream.

        Returns:
          Grey levels, float64 of shape (width, height), or `None` if there is none.
        """
        if not self.published or not is_dark(games["daylight"][b], t.RULES.time):
            return None
        if b in self._given:
            return self._given[b].copy()
        stream = np.zeros(1, games.dtype)
        stream["random_key"] = self._keys[b]
        stream["random_position"] = self._positions[b]
        numbers = np.zeros(self._noise_shape)
        spare = np.zeros(2 * numbers.size, np.uint32)
        uniforms(stream[0], spare, numbers.reshape(-1))
        return night_noise(numbers, t.RULES.light)


@compiled
def _keep_streams(games, which, keys, positions):
    """Keeps the streams of games from which noise is about to be drawn."""
    for b in which:
        if games[b].daylight < _DARK:
            for i in range(keys.shape[1]):  # to copy all at once takes long to compile
                keys[b, i] = games[b].random_key[i]
            positions[b] = games[b].random_position


class _Facts:
    """Base of the observations without pixels; they never change a game."""

    def make_scratch(self) -> Any:
        """Returns nothing: no room is needed."""

    def look(self, games: np.ndarray, which: np.ndarray, scratch: Any) -> None:
        """Fills the observations of games; see `Pixels.look`."""
        raise NotImplementedError

    def look_again(
        self, games: np.ndarray, b: int, noise: np.ndarray | None, scratch: Any
    ) -> None:
        """Fills the observation of a game once more."""
        self.look(games, np.array([b]), scratch)

    def forget(self, which: np.ndarray) -> None:
        """Does nothing."""

    def noise(self, games: np.ndarray, b: int) -> np.ndarray | None:
        """Returns `None`: there is no noise."""
        return None


class Compact(_Facts):
    """Fills compact observations, uint8 of shape (count, n)."""

    def __init__(self, space: Any, count: int, grid: tuple[int, int]) -> None:
        self.value = np.zeros((count, *space.shape), space.dtype)
        self._grid = grid

    def look(self, games: np.ndarray, which: np.ndarray, scratch: Any) -> None:
        """Fills the observations of games."""
        run.encode_compact(games, which, self._grid, self.value)


class Symbolic(_Facts):
    """Fills symbolic observations, float32 of shape (count, n)."""

    def __init__(
        self, space: Any, count: int, grid: tuple[int, int], limits: list[int]
    ) -> None:
        self.value = np.zeros((count, *space.shape), space.dtype)
        self._grid = grid
        self._limits = np.array(limits, np.int32)

    def make_scratch(self) -> np.ndarray:
        """Returns room for the bytes of the view, one per thread."""
        return np.zeros(2 * self._grid[0] * self._grid[1], np.uint8)

    def look(self, games: np.ndarray, which: np.ndarray, scratch: Any) -> None:
        """Fills the observations of games."""
        run.encode_symbolic(games, which, self._grid, self._limits, scratch, self.value)


class Semantic(_Facts):
    """Fills semantic observations, a dict of `map` and `local`."""

    def __init__(self, space: Any, count: int) -> None:
        self.value = {
            name: np.zeros((count, *part.shape), part.dtype)
            for name, part in space.items()
        }

    def look(self, games: np.ndarray, which: np.ndarray, scratch: Any) -> None:
        """Fills the observations of games."""
        run.encode_semantic(games, which, self.value["map"], self.value["local"])
