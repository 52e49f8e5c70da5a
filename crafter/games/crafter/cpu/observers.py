"""The latest observations of a batch, one class per kind of observation."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.compiled.random import uniforms
from crafter.core.clock import is_dark
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import observe, run
from crafter.games.crafter.views import FrameView, night_noise

#: A round: the first arguments of the functions of `run`, without the ground.
Work = tuple[Any, ...]


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

    def play(self, work: Work, ground: Any, scratch: Any) -> bool:
        """Plays a round together with other threads, and draws the games.

        Args:
          work: The round. Drawing is part of the game with published noise.
          ground: Room to make worlds in.
          scratch: Room to draw in.

        Returns:
          Whether all threads are done.
        """
        noise = run.PUBLISHED if self.published else run.PRIVATE
        return self._draw(work, ground, scratch, noise)

    def look_again(
        self, work: Work, noise: np.ndarray | None, ground: Any, scratch: Any
    ) -> None:
        """Draws a game with noise that was drawn before.

        Args:
          work: A round that looks at one game.
          noise: Grey levels, float64 of shape (width, height); `None` if it is not
            dark, or if the noise is not that of the game's stream.
          ground: Room to make worlds in.
          scratch: Room to draw in.
        """
        if noise is None:
            self.play(work, ground, scratch)
            return
        self._given[int(work[1][0])] = noise
        scratch.noise[...] = noise
        self._draw(work, ground, scratch, run.GIVEN)

    def _draw(self, work: Work, ground: Any, scratch: Any, noise: int) -> bool:
        black = self.value is self._black
        streams = self._keys, self._positions
        done: bool = run.play_pixels(
            *work, ground, scratch, self._palette, self.value, black, noise, *streams
        )
        return done

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


class _Facts:
    """Base of the observations without pixels; they never change a game."""

    def make_scratch(self) -> Any:
        """Returns nothing: no room is needed."""

    def play(self, work: Work, ground: Any, scratch: Any) -> bool:
        """Plays a round together with other threads; see `Pixels.play`."""
        raise NotImplementedError

    def look_again(
        self, work: Work, noise: np.ndarray | None, ground: Any, scratch: Any
    ) -> None:
        """Fills the observation of a game once more."""
        self.play(work, ground, scratch)

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

    def play(self, work: Work, ground: Any, scratch: Any) -> bool:
        """Plays a round, and fills the observations of its games."""
        done: bool = run.play_compact(*work, ground, self._grid, self.value)
        return done


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

    def play(self, work: Work, ground: Any, scratch: Any) -> bool:
        """Plays a round, and fills the observations of its games."""
        done: bool = run.play_symbolic(
            *work, ground, scratch, self._grid, self._limits, self.value
        )
        return done


class Semantic(_Facts):
    """Fills semantic observations, a dict of `map` and `local`."""

    def __init__(self, space: Any, count: int) -> None:
        self.value = {
            name: np.zeros((count, *part.shape), part.dtype)
            for name, part in space.items()
        }

    def play(self, work: Work, ground: Any, scratch: Any) -> bool:
        """Plays a round, and fills the observations of its games."""
        done: bool = run.play_semantic(
            *work, ground, self.value["map"], self.value["local"]
        )
        return done
