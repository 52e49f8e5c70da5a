"""Our environment, which can also be called like the functional ones of Craftax."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import crafter
from crafter.lm.craftaxlm.shared import CraftaxState, state_of
from crafter.lm.play.session import Session
from crafter.lm.tell.words import words_of

_NAMES = ("Craftax-Classic-Symbolic-v1", "Craftax-Classic-Pixels-v1")


class CraftaxEnv(crafter.Env):
    """Crafter with the call signatures of both Gymnasium and Craftax.

    As in Craftax, `reset(key, params)` returns observation and state, and
    `step(key, state, action, params)` observation, next state, reward, whether the game
    is over, and info; both leave the game of the environment itself alone. A key is an
    integer or an array that ends with one; it chooses the world. A state has its own
    random numbers, so the keys of steps play no part.

    Args:
      auto_reset: Whether `step` of the functional form starts the next game after the
        end of one.
      **settings: Arguments of `crafter.Env`.
    """

    def __init__(self, *, auto_reset: bool = False, **settings: Any) -> None:
        self._made = {"events": True, **settings}
        super().__init__(**self._made)
        self._auto_reset = auto_reset
        self._twin: crafter.Env | None = None

    @property
    def default_params(self) -> dict[str, Any]:
        """Settings of the environment."""
        return {"area": self.area, "view": self.view, "length": self.length}

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
            return super().reset(seed=seed, options=options)
        twin = self._other()
        obs, _ = twin.reset(seed=_seed(key), options=options)
        return obs, _state(twin)

    def step(self, *arguments: Any) -> Any:
        """Plays one step; takes an action, or key, state, action and parameters."""
        if len(arguments) == 1:
            return super().step(arguments[0])
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
        return obs, _state(twin), reward, done, info

    def _other(self) -> crafter.Env:
        """Returns the environment in which functional calls are carried out."""
        if self._twin is None:
            self._twin = crafter.Env(**self._made)
        return self._twin


def _state(env: crafter.Env) -> CraftaxState:
    session = Session(env, words_of(env.rules))
    session.look()
    return state_of(session)


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


def make_craftax_env_from_name(
    name: str, auto_reset: bool = False, **settings: Any
) -> CraftaxEnv:
    """Returns the environment that stands for a name of Craftax-Classic.

    Args:
      name: The id.
      auto_reset: See `CraftaxEnv`.
      **settings: Arguments of `crafter.Env`.

    Raises:
      ValueError: If it is another id.
    """
    if name not in _NAMES:
        raise ValueError(f"Unknown environment {name!r}; there are {_NAMES}.")
    return CraftaxEnv(auto_reset=auto_reset, **settings)
