"""Flat infos, for libraries that store the info of every step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gymnasium
import numpy as np


class FlatInfo(gymnasium.Wrapper):
    """Flattens infos to arrays of numbers with one level of keys.

    Nested entries are called `inventory.health` and so on. Entries that are not
    numbers, such as an action's name or a set of achievements, are left out, so that
    all infos of a game have the same keys, shapes and dtypes. `reward` is called
    `reward_game`, as in infos of tasks, since libraries store the step reward under its
    name. Wrappers that read infos, such as a Recorder, belong inside this one.

    Args:
      env: Any environment, wrapped or not.

    Example:
      >>> import crafter
      >>> env = FlatInfo(crafter.Env(seed=1))
      >>> _, info = env.reset()
      >>> info["inventory.health"], info["semantic"].shape, "action" in info
      (array(9), (64, 64), False)
    """

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode; see the environment."""
        obs, info = self.env.reset(**arguments)
        return obs, dict(_flat(info))

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Performs a step; see the environment."""
        *results, info = self.env.step(action)
        return (*results, dict(_flat(info)))


def _flat(info: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yields the names and arrays of all numbers."""
    for key, value in info.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        elif isinstance(value, (bool, int, float, np.number, np.bool_, np.ndarray)):
            name = "reward_game" if key == "reward" else key
            yield prefix + name, np.asarray(value)
