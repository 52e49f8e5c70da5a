"""Environments of craftaxlm, which can also be called like those of Craftax."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core import game
from crafter.games.craftax.env import Env
from crafter.games.craftax.text.craftaxlm.state import (
    CraftaxFullState,
    CraftaxState,
    state_of,
)
from crafter.lm.play.aci import CrafterACI

_Env: Any = game.find("crafter").part("env")


class Functional:
    """The call signatures of both Gymnasium and Craftax; goes before an environment.

    As in Craftax, `reset(key, params)` returns observation and state, and
    `step(key, state, action, params)` observation, next state, reward, whether the game
    is over, and info; both leave the game of the environment itself alone. A key is an
    integer or an array that ends with one; it chooses the world. A state has its own
    random numbers, so the keys of steps play no part.

    Args:
      auto_reset: Whether `step` of the functional form starts the next game after the
        end of one.
      **settings: Arguments of the environment.
    """

    def __init__(self, *, auto_reset: bool = False, **settings: Any) -> None:
        settings = {"events": True, **settings}
        self._make_twin: Any = functools.partial(type(self), **settings)
        self._auto_reset = auto_reset
        self._twin: CrafterACI | None = None
        super().__init__(**settings)

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
            result: tuple[Any, Any] = inherited.reset(seed=seed, options=options)
            return result
        twin = self._other()
        obs, _ = twin.env.reset(seed=_seed(key), options=options)
        return obs, _state_in(twin)

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
        twin.env.set_state(state.saved)
        obs, reward, dead, truncated, info = twin.env.step(action)
        done = dead or truncated
        if done and self._auto_reset:
            obs, _ = twin.env.reset()
        return obs, _state_in(twin), reward, done, info

    def _other(self) -> CrafterACI:
        """Returns the game in which functional calls are carried out."""
        if self._twin is None:
            self._twin = CrafterACI(self._make_twin())
        return self._twin


def _state_in(aci: CrafterACI) -> CraftaxState | CraftaxFullState:
    """Returns the state of a game whose environment was stepped."""
    aci.look()
    return state_of(aci)


class CraftaxClassicEnv(Functional, _Env):
    """Crafter with the call signatures of both Gymnasium and Craftax-Classic.

    Args:
      auto_reset: See `Functional`.
      **settings: Arguments of `crafter.Env`.
    """

    @property
    def default_params(self) -> dict[str, Any]:
        """Settings of the environment."""
        return {"area": self.area, "view": self.view, "length": self.length}


class CraftaxFullEnv(Functional, Env):
    """Craftax with the call signatures of both Gymnasium and the published package.

    Args:
      auto_reset: See `Functional`.
      **settings: Arguments of `crafter.craftax.Env`.
    """

    @property
    def default_params(self) -> dict[str, Any]:
        """Arguments of the game."""
        return dataclasses.asdict(self.parameters)


#: Name -> environment, and settings of it; those of Craftax-Classic stand for Crafter.
_NAMES: dict[str, tuple[type[Functional], dict[str, Any]]] = {
    "Craftax-Classic-Symbolic-v1": (CraftaxClassicEnv, {}),
    "Craftax-Classic-Pixels-v1": (CraftaxClassicEnv, {}),
    "Craftax-Symbolic-v1": (CraftaxFullEnv, {"observation": "symbolic"}),
    "Craftax-Pixels-v1": (CraftaxFullEnv, {"observation": "pixels"}),
}


def make_craftax_env_from_name(
    name: str, auto_reset: bool = False, **settings: Any
) -> Any:
    """Returns the environment that stands for a name of Craftax.

    Args:
      name: The id; those of Craftax-Classic stand for Crafter.
      auto_reset: See `Functional`.
      **settings: Arguments of `crafter.Env` or `crafter.craftax.Env`.

    Raises:
      ValueError: If it is another id.
    """
    if name not in _NAMES:
        raise ValueError(f"Unknown environment {name!r}; there are {(*_NAMES,)}.")
    made, fixed = _NAMES[name]
    return made(auto_reset=auto_reset, **fixed, **settings)


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
