"""The latest observations of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: A round: the first arguments of a kernel, see `crafter.compiled.engine`.
Work = tuple[Any, ...]


class Observer:
    """Plays rounds with a kernel that also fills the observations of the games.

    Observations that are functions of the game need a kernel and no more; for others a
    game derives a class.

    Args:
      kernel: Compiled function that plays a round together with other threads. Its
        arguments are those of the round, the thread's room to make worlds in and to
        work in, `arguments`, and the arrays in order. It returns whether all threads
        are done.
      value: Arrays of shape (count, ...), or a dict of them.
      arguments: What the kernel needs besides.
      scratch: Room to work in, if it needs any.

    Attributes:
      value: The observations. Others may put arrays of their own here.
      scratch: Room to work in; every thread has a copy.
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
        self, work: Work, ground: Any, scratch: Any, noise: np.ndarray | None = None
    ) -> bool:
        """Plays a round together with other threads, and observes its games.

        Args:
          work: The round.
          ground: Room to make worlds in.
          scratch: Room to work in.
          noise: For a round that looks at one game again, what `noise` returned after
            the first look, which is a part of the game where its stream gives noise.

        Returns:
          Whether all threads are done.
        """
        value = self.value
        arrays = value.values() if isinstance(value, dict) else (value,)
        return self._kernel(*work, ground, scratch, *self._arguments, *arrays)

    def noise(self, games: np.ndarray, b: int) -> np.ndarray | None:
        """Returns the noise in the latest picture of a game that its stream gave.

        Args:
          games: Records of all games.
          b: The game.
        """
        return None
