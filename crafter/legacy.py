"""The old interface, for agents written against the published package.

`Env` has the four-value `step`, a `reset` that returns the image alone, and the
private names that such agents read. If the old `gym` package is installed,
`CrafterReward-v1` and `CrafterNoReward-v1` are registered there with it.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from crafter import env as env_module
from crafter.engine import World
from crafter.views import SemanticView


def _find_gym() -> Any:
    """Returns the old `gym`, or `None` if it is not installed."""
    try:
        import gym
        import gym.envs.registration
        import gym.spaces
    except ImportError:  # also where only a folder has that name
        return None
    return gym


_GYM = _find_gym()
_Base: Any = object if _GYM is None else _GYM.Env


class Env(_Base):
    """Crafter with the interface of the published package 1.8.3.

    Arguments are those of `crafter.Env`. `info` is that of the latest reset or step,
    since the old `reset` does not return one. Attributes and methods that are not here,
    such as `action_names`, `_player`, `_step` or `_unlocked`, are those of
    `crafter.Env`. The spaces are those of the old `gym` if it is installed.

    Example:
      >>> env = Env(seed=1)
      >>> image = env.reset()
      >>> image, reward, done, info = env.step(0)
      >>> image.shape, done
      ((64, 64, 3), False)
    """

    reward_range = None
    metadata = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._env = env_module.Env(*args, **kwargs)
        spaces = gymnasium.spaces if _GYM is None else _GYM.spaces
        shape = self._env.observation_space.shape
        self.observation_space = spaces.Box(0, 255, shape, np.uint8)
        self.action_space = spaces.Discrete(len(self._env.action_names))
        self.info: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        """Looks up a name in the wrapped environment."""
        if name.startswith("__") or name == "_env":
            raise AttributeError(name)
        return getattr(self._env, name)

    @property
    def unwrapped(self) -> Env:
        """The environment itself, as Gym names it."""
        return self

    @property
    def _seed(self) -> int | None:
        return self._env.world_seed

    @_seed.setter
    def _seed(self, seed: int) -> None:
        self._env._seed = seed

    @property
    def _episode(self) -> int:
        return self._env.episode

    @property
    def _world(self) -> World:
        """The world; before the first reset an empty one, for its tables."""
        return self._env.world or World(self._env.area, 0, self._env.rules)

    @property
    def _sem_view(self) -> SemanticView:
        return SemanticView(self._world)

    def reset(self) -> np.ndarray:
        """Starts the next episode and returns its first image."""
        observation, self.info = self._env.reset()
        return observation

    def step(self, action: int) -> tuple[np.ndarray, float, bool, dict[str, Any]]:
        """Plays one step; returns image, reward, done and info."""
        obs, reward, terminated, truncated, self.info = self._env.step(action)
        return obs, reward, terminated or truncated, self.info

    def render(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Returns a picture of the given (width, height); never changes the game."""
        return self._env.frame(size)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._env.close()


def _register() -> None:
    for name, reward in [("CrafterReward-v1", True), ("CrafterNoReward-v1", False)]:
        _GYM.envs.registration.register(
            id=name,
            entry_point="crafter.legacy:Env",
            max_episode_steps=10000,
            kwargs={"reward": reward},
        )


if _GYM is not None:
    _register()
