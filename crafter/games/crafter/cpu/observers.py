"""Observers of a batch, by observation kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector.utils import create_empty_array

from crafter.compiled.observers import Observer, Work
from crafter.compiled.random import uniforms
from crafter.core.clock import is_dark
from crafter.games.crafter.cpu import observe, run
from crafter.games.crafter.settings import Settings
from crafter.games.crafter.views import night_noise

#: Kinds with a single flat array, in the order of the arguments of `run.play`.
_FLAT = ("compact", "symbolic")


class Pixels(Observer):
    """Draws pixel observations.

    Args:
      value: Output, uint8 of shape (count, height, width, 3).
      settings: Settings shared by all games.
    """

    def __init__(self, value: np.ndarray, settings: Settings) -> None:
        self._black = value  # stays black outside of the view
        self._settings, rules = settings, settings.rules
        view = settings.frame_view(settings.size)
        most = max(item["max"] for item in rules.items.values())
        self._palette = observe.make_palette(view, most)
        scratch = observe.make_scratch(self._palette, view.grid)
        super().__init__(run.play_pixels, value, scratch=scratch)
        # Streams are stored, since the noise itself takes ten times the memory.
        streams = len(value) if settings.draws_noise else 0
        self._keys = np.zeros((streams, 624), np.uint32)
        self._positions = np.zeros(streams, np.int64)
        self._given: dict[int, np.ndarray] = {}

    def play(
        self,
        work: Work,
        worldgen_scratch: Any,
        scratch: Any,
        noise: np.ndarray | None = None,
    ) -> bool:
        """Plays a round; with published noise, drawing advances the games' streams."""
        source = run.PUBLISHED if self._settings.draws_noise else run.PRIVATE
        if self._given:
            for b in work[1].tolist():
                self._given.pop(b, None)
        if noise is not None:
            self._given[int(work[1][0])] = scratch["noise"][0] = noise
            source = run.GIVEN
        black, streams = self.value is self._black, (self._keys, self._positions)
        done: bool = run.play_pixels(
            *work,
            worldgen_scratch,
            scratch,
            self._palette,
            black,
            source,
            *streams,
            self.value,
        )
        return done

    def noise(self, games: np.ndarray, b: int) -> np.ndarray | None:
        """Returns the noise in the latest image, if drawn from the game's stream.

        Returns:
          Grey levels, float64 of shape (width, height), or `None` if there is none.
        """
        rules = self._settings.rules
        dark = is_dark(games["daylight"][b], rules.time)
        if not (dark and self._settings.draws_noise):
            return None
        if b in self._given:
            return self._given[b].copy()
        stream = np.zeros(1, games.dtype)
        stream["random_key"] = self._keys[b]
        stream["random_position"] = self._positions[b]
        numbers = np.zeros(self._settings.noise_shape)
        spare = np.zeros(2 * numbers.size, np.uint32)
        uniforms(stream[0], spare, numbers.reshape(-1))
        return night_noise(numbers, rules.light)


def make(settings: Settings, count: int) -> Observer:
    """Returns the observer for `count` games."""
    value: Any = create_empty_array(settings.observation_space, count)
    if settings.observation == "pixels":
        return Pixels(value, settings)
    if settings.observation == "semantic":
        value = {name: value[name] for name in ("map", "local")}
        return Observer(run.play, value, (None, None))
    grid = settings.frame_view(settings.size).grid
    kinds = [grid if settings.observation == n else None for n in _FLAT]
    return Observer(run.play, value, kinds)
