"""Observers: kernels that play rounds, and the latest observations of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: A round: the first arguments of a kernel; see `crafter.compiled.engine`.
Work = tuple[Any, ...]


class Observer:
    """Plays rounds with a kernel that also fills the observations of the games.

    Observations that are functions of the game need only a kernel; for others, a game
    derives a class.

    Args:
      kernel: Compiled function that plays a round together with other threads. Its
        arguments are those of the round, the thread's scratch for world generation and
        for observing, `arguments`, and the arrays in order. Returns whether all threads
        are done.
      value: Arrays of shape (count, ...), or a dict of them.
      arguments: Further arguments of the kernel.
      scratch: Scratch for observing, if needed.

    Attributes:
      value: The observations; callers may replace the arrays.
      scratch: Scratch for observing; every thread has a copy.
    """

    def __init__(
        self,
        kernel: Callable[..., bool],
        value: Any,
        arguments: Sequence[Any] = (),
        scratch: Any = None,
    ) -> None:
        self.value, self.scratch = value, scratch
        self._kernel, self._arguments = kernel, arguments

    def play(
        self,
        work: Work,
        worldgen_scratch: Any,
        scratch: Any,
        noise: np.ndarray | None = None,
    ) -> bool:
        """Plays a round together with other threads, and observes its games.

        Args:
          work: The round.
          worldgen_scratch: Scratch for world generation.
          scratch: Scratch for observing.
          noise: For a round that observes one game again, the result of `noise` after
            the first time, which is part of the game if its stream draws the noise.

        Returns:
          Whether all threads are done.
        """
        value = self.value
        arrays = value.values() if isinstance(value, dict) else (value,)
        return self._kernel(*work, worldgen_scratch, scratch, *self._arguments, *arrays)

    def noise(self, games: np.ndarray, b: int) -> np.ndarray | None:
        """Returns the noise in the latest image of a game, if drawn from its stream.

        Args:
          games: Records of all games.
          b: The game.
        """
        return None
