"""Environment of the published package, with the private names that agents use."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from crafter.core.grid import frozen
from crafter.core.validation import checked_seed
from crafter.games.crafter import env as env_module
from crafter.games.crafter.engine import World
from crafter.games.crafter.legacy.engine import (
    ItemView,
    LocalView,
    SemanticView,
    Textures,
)
from crafter.games.crafter.views import split_view


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

#: Methods of the published environment that nothing here would call.
ABSENT = ("_balance_chunk", "_balance_object", "_update_time")


def _read(path: str) -> Any:
    """Returns a property that reads an attribute of an attribute."""
    return property(operator.attrgetter(path))


def _in_episode(name: str, convert: Callable[[Any], Any]) -> Any:
    """Returns a property that is one of the game, and `None` before the first reset."""

    def read(env: Env) -> Any:
        game = env._env
        return None if game.world is None else getattr(game._need_game(), name)

    def write(env: Env, value: Any) -> None:
        setattr(env._env._need_game(), name, convert(value))

    return property(read, write)


class Env(_Base):
    """Crafter with the interface of the published package 1.8.3.

    Arguments are those of `crafter.Env`. `info` is that of the latest reset or step,
    since the old `reset` does not return one. Public attributes and methods that are
    not here, such as `action_names`, are those of `crafter.Env`, for reading. The
    spaces are those of the old `gym` if it is installed.

    Of the private names, `_length`, `_reward`, `_seed` and `_episode` can be written at
    any time; `_step`, `_last_health` and `_unlocked` in an episode. `_area`, `_view`,
    `_size`, `_textures`, `_world`, `_player`, `_local_view`, `_item_view` and
    `_sem_view` are there for reading, and cannot be replaced. As published, `_world`
    stays the same object for all episodes, and `_player` does not.

    Example:
      >>> env = Env(seed=1)
      >>> image = env.reset()
      >>> image, reward, done, info = env.step(0)
      >>> image.shape, done
      ((64, 64, 3), False)
    """

    reward_range = None
    metadata = None
    spec = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._env = game = env_module.Env(*args, **kwargs)
        spaces = gymnasium.spaces if _GYM is None else _GYM.spaces
        shape = game.observation_space.shape
        self.observation_space = spaces.Box(0, 255, shape, np.uint8)
        self.action_space = spaces.Discrete(len(game.action_names))
        self.info: dict[str, Any] = {}
        self._next_episode: int | None = None
        self._lasting_world = World(game.area, 0, game.rules)
        self._views = _Views(game, self._lasting_world)

    def __init_subclass__(cls, **options: Any) -> None:
        """Refuses methods that nothing would call."""
        super().__init_subclass__(**options)
        for name in ABSENT:
            if name in cls.__dict__:
                raise TypeError(
                    f"{cls.__name__}.{name} would never run; Env(rules=...) says how "
                    "creatures appear and vanish, and how long a day is."
                )

    def __getattr__(self, name: str) -> Any:
        """Looks up a public name in the wrapped environment."""
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}.")
        return getattr(self._env, name)

    @property
    def unwrapped(self) -> Env:
        """The environment itself, as Gym names it."""
        return self

    def reset(self) -> np.ndarray:
        """Starts the next episode and returns its first image."""
        number = self._next_episode
        options = None if number is None else {"episode": number}
        observation, self.info = self._env.reset(options=options)
        self._next_episode = None
        self._share_world()
        return self._seen(observation)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, dict[str, Any]]:
        """Plays one step; returns image, reward, done and info."""
        obs, reward, terminated, truncated, self.info = self._env.step(action)
        self._share_world()  # another game may have been loaded
        return self._seen(obs), reward, terminated or truncated, self.info

    def seed(self, seed: int | None = None) -> list[int]:
        """Has no effect, as published, and warns; `Env(seed=...)` chooses the worlds.

        It comes from the old `gym`, whose release 0.26 has it no more; adapters such as
        those of Shimmy and BALROG call it all the same.

        Args:
          seed: What the caller wants.
        """
        if seed is not None:
            gymnasium.logger.warn(
                f"seed({seed}) has no effect on worlds, as published: use Env(seed=...)"
            )
        return []

    def render(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Returns a picture of the given (width, height); never changes the game."""
        return self._env.frame(size)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._env.close()

    def _obs(self) -> np.ndarray:
        """Returns the image of this moment; what an own method returns is observed."""
        return self._env.frame()

    def _seen(self, observation: np.ndarray) -> np.ndarray:
        plain = getattr(self._obs, "__func__", None) is Env._obs
        return observation if plain else self._obs()

    def _share_world(self) -> World:
        """Makes the lasting world the world of this episode, whoever holds it."""
        world = self._env.world
        if world is not None:
            self._lasting_world.__dict__ = world.__dict__
        return self._lasting_world

    # What can be written.

    @property
    def _seed(self) -> int | None:
        return self._env.world_seed

    @_seed.setter
    def _seed(self, seed: int) -> None:
        self._env._seed = checked_seed(seed)

    @property
    def _episode(self) -> int:
        number = self._next_episode
        return self._env.episode if number is None else number - 1

    @_episode.setter
    def _episode(self, episode: int) -> None:
        self._next_episode = episode + 1

    @property
    def _reward(self) -> bool:
        return self._env._settings.reward

    @_reward.setter
    def _reward(self, reward: bool) -> None:
        self._env._change(reward=bool(reward))

    _length = property(
        operator.attrgetter("_env.length"),
        lambda self, length: setattr(self._env, "length", length),
    )
    _step = _in_episode("step_count", int)
    _last_health = _in_episode("last_health", int)
    _unlocked = _in_episode("known", set)

    # What is there for reading.

    _area = _read("_env.area")
    _view = _read("_env._view")
    _player = _read("_env.player")
    _textures = _read("_views.textures")
    _local_view = _read("_views.local")
    _item_view = _read("_views.items")

    @property
    def _size(self) -> np.ndarray:
        return frozen(np.array(self._env.size))

    @property
    def _world(self) -> World:
        """The world; before the first reset an empty one, for its tables."""
        return self._share_world()

    @property
    def _sem_view(self) -> SemanticView:
        self._share_world()
        return self._views.semantic


class _Views:
    """The views of an environment, under their published interface."""

    def __init__(self, game: env_module.Env, world: World) -> None:
        local, items = split_view(game.view, len(game.rules.items))
        self.textures = Textures(game._settings.textures)
        self.local = LocalView(world, self.textures, local)
        self.items = ItemView(self.textures, items)
        self.semantic = SemanticView(world)


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
