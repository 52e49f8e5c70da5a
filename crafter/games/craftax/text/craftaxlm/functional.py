"""Functional (key, state) API of Craftax."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np


class Functional(abc.ABC):
    """The call signatures of both Gymnasium and Craftax; goes before an environment.

    As in Craftax, `reset(key, params)` returns observation and state, and
    `step(key, state, action, params)` observation, next state, reward, whether the game
    is over, and info; both leave the game of the environment itself alone. A key is an
    integer or an array that ends with one; it chooses the world. A state has its own
    random numbers, so the keys of steps play no part.

    Args:
      make: Makes another environment with the same settings.
      auto_reset: Whether `step` of the functional form starts the next game after the
        end of one.
      **settings: Arguments of the environment.
    """

    def __init__(
        self, make: Callable[[], Any], auto_reset: bool = False, **settings: Any
    ) -> None:
        self._make_twin, self._auto_reset = make, auto_reset
        self._twin: Any = None
        super().__init__(**settings)

    @staticmethod
    @abc.abstractmethod
    def state_in(env: Any) -> Any:
        """Returns the present moment of an environment as a state."""

    def reset(
        self,
        key: Any = None,
        params: Any = None,
        *,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, Any]:
        """Starts a game; returns observation and info, or with a key the state."""
        if key is None:
            inherited: Any = super()
            obs, info = inherited.reset(seed=seed, options=options)
            return obs, info
        twin = self._other()
        obs, _ = twin.reset(seed=_seed(key), options=options)
        return obs, self.state_in(twin)

    def step(self, *arguments: Any) -> Any:
        """Plays one step; takes an action, or key, state, action and parameters."""
        if len(arguments) == 1:
            inherited: Any = super()
            return inherited.step(arguments[0])
        if len(arguments) not in (3, 4):
            raise TypeError(
                "step takes an action, or key, state, action and parameters; got "
                f"{len(arguments)} arguments."
            )
        _, state, action, *_ = arguments
        twin = self._other()
        twin.set_state(state.saved)
        obs, reward, dead, truncated, info = twin.step(action)
        done = dead or truncated
        if done and self._auto_reset:
            obs, _ = twin.reset()
        return obs, self.state_in(twin), reward, done, info

    def _other(self) -> Any:
        """Returns the environment in which functional calls are carried out."""
        if self._twin is None:
            self._twin = self._make_twin()
        return self._twin


def _seed(key: Any) -> int:
    """Returns the seed that a key stands for.

    Raises:
      ValueError: If it is none.
    """
    numbers = np.asarray(key).ravel()
    if not numbers.size or numbers.dtype.kind not in "iu" or numbers[-1] < 0:
        raise ValueError(
            f"Expected a key: an integer or an array of them, got {key!r}."
        )
    return int(numbers[-1])
