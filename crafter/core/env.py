"""Base class of the Gymnasium environments of all games.

Handles seeding and episodes, the order of `reset` and `step`, the warning after the
end, windows and pictures. A game adds arguments, rules, observations and infos.
"""

from __future__ import annotations

import abc
import copy
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils import seeding

from crafter.core import game as games
from crafter.core import setups, validation
from crafter.core.reset_options import OptionsError, how_it_starts
from crafter.core.validation import checked_action, checked_seed, one_of
from crafter.core.window import Window

_FRAME_VIEWS = 4  # sizes whose views are cached
_CHARACTERS = {"space": " ", "tab": "\t"}  # keys whose character is not their name

Size = tuple[int, int]


class GameEnv(gymnasium.Env[Any, Any], abc.ABC):
    """Gymnasium environment of a game; base class of the environments of both games.

    Args:
      action_names: Names of the actions, by index.
      seed: Seed of the sequence of episodes; sampled at the first reset by default.
      reward: If false, the returned reward is always 0.
      render_mode: `rgb_array`, `human` (a window) or `None`.
      action_masks: Kind of `info['action_mask']`, one of `mask_kinds`; `None` omits
        it.

    Attributes:
      game: Name of the game, as in recorded files.
      recorded: Entries of info that recorded episodes store unchanged.
      mask_kinds: Kinds of action masks; the first is the default.
      action_names: Names of the actions, by index.
      rules: The rules of the game.
      setup: Name of the setup; see `crafter.core.setups.label`.
      area: Size of the map along each axis, in cells.
      view: Size of the agent's view along each axis, in cells.
      size: (width, height) of pictures for agents, in pixels.
      world: The world; `None` before the first reset.
      player: The player; `None` before the first reset.
      mask_kind: Kind of the masks of `action_masks()`.
      observation: Kind of observations.
      events: Whether events are recorded.
      step_count: Steps since reset.
      clock: Steps of the day-night clock: `step_count` plus the initial daytime.
      daylight: Brightness from 0 (darkest) to 1 (noon).
      unlocked: Achievements unlocked in this episode.
      started: How the current game started: `None` for a plain reset, `options` of
        reset, or a saved `state`, even if loaded mid-episode.

    Raises:
      ValueError: If the seed, the render mode or the kind of masks is invalid.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "render_fps": 5}
    game: ClassVar[str]
    recorded: ClassVar[tuple[str, ...]]
    rules: Any
    setup: str = games.DEFAULT_SETUP
    view: Any
    observation: str
    mask_kinds: ClassVar[tuple[str, ...]] = ("exact",)
    _render_size: Size
    _own_size: Size | None  # of the agent's pictures
    mask_kind = "exact"
    _masks_in_info = False
    # Defaults for environments pickled before these attributes existed.
    _setup_info: Mapping[str, str] = {}
    _has_ticks = False

    def __init__(
        self,
        action_names: Sequence[str],
        seed: int | None,
        reward: bool,
        render_mode: str | None,
        action_masks: str | None = None,
    ) -> None:
        kind = validation.action_masks(action_masks, self.mask_kinds)
        self._masks_in_info = kind is not None
        self.mask_kind = kind or self.mask_kinds[0]
        if render_mode is not None:
            one_of("render_mode", render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.action_names = list(action_names)
        self.action_space = spaces.Discrete(len(self.action_names))
        self._rewarded = bool(reward)
        self._seed = checked_seed(seed)
        self._episode_number = 0
        self.started: str | None = None
        self._ended = self._warned = False
        self._window: Window | None = None
        self._frame_views: dict[Size | None, Any] = {}
        self._spec: EnvSpec | None = None

    def _use_setup(self, setup: Any) -> None:
        """Sets the name of the setup, and its info entries.

        Args:
          setup: The argument `setup`, `None` if omitted.
        """
        self.setup = setups.label(self.rules)
        self._setup_info = {} if setup is None else {"setup": self.setup}
        self._has_ticks = "collapse" in self.rules.applied

    # Implemented by each game.

    @abc.abstractmethod
    def _read_options(self, options: Mapping[str, Any] | None) -> Any:
        """Returns validated options of `reset`; they have an attribute `state`."""

    @abc.abstractmethod
    def _begin(self, seed: int, episode: int, start: Any) -> None:
        """Creates the world of an episode, then replaces the old one."""

    @abc.abstractmethod
    def set_state(self, value: Mapping[str, Any]) -> None:
        """Restores a game exactly, including its random stream."""

    @abc.abstractmethod
    def _need_game(self) -> Any:
        """Returns the game, or raises `no_game()`."""

    @abc.abstractmethod
    def _play(self, action: int) -> tuple[float, Collection[str], bool, bool]:
        """Performs a step; returns reward, new achievements, terminated, truncated."""

    @abc.abstractmethod
    def _look(self) -> Any:
        """Returns the current observation, without side effects."""

    @abc.abstractmethod
    def _info(self, reward: float, unlocked: Collection[str]) -> dict[str, Any]:
        """Returns the info of the latest step, without the action mask."""

    @property
    @abc.abstractmethod
    def length(self) -> int | None:
        """Maximum episode length in steps; `None` or 0 for no limit."""

    @property
    @abc.abstractmethod
    def step_count(self) -> int:
        """Steps since reset."""

    def _keys(self) -> Mapping[str, str]:
        """Returns key, as named by `crafter.gui.keys` -> action."""
        return {}

    @abc.abstractmethod
    def snapshot(self, whole_map: bool = False) -> Any:
        """Returns a frozen snapshot of the current state."""

    @abc.abstractmethod
    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the complete game state as a flat dict of arrays."""

    @abc.abstractmethod
    def _make_view(self, size: Size | None) -> Any:
        """Returns the renderer for a picture size; `None` for observations."""

    @abc.abstractmethod
    def frame(self, size: Size | None = None) -> np.ndarray:
        """Draws a frame for people, in any render mode, without side effects."""

    @property
    def cells(self) -> Size:
        """Columns and rows of frames for people, in cells."""
        columns, rows = self.view
        return columns, rows

    def _action_mask(self) -> np.ndarray:
        """Returns which actions may have an effect now, int8 of shape (actions,)."""
        return np.ones(len(self.action_names), np.int8)

    # Gymnasium.

    def get_keys_to_action(self) -> dict[tuple[str], int]:
        """Returns the key bindings for `gymnasium.utils.play.play`.

        It supports single-character keys only; others are omitted.
        """
        keys = {_CHARACTERS.get(key, key): name for key, name in self._keys().items()}
        known = {key: name for key, name in keys.items() if len(key) == 1}
        return {(key,): self.action_names.index(name) for key, name in known.items()}

    @property
    def spec(self) -> EnvSpec | None:
        """The spec of the environment, with its own step limit."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        # Registering a limit would make Gymnasium count steps again.
        if spec is not None and spec.max_episode_steps is None and self.length:
            spec = copy.copy(spec)
            spec.max_episode_steps = self.length
        self._spec = spec

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode.

        Args:
          seed: Starts the sequence of episodes of this seed; by default the current
            sequence continues.
          options: Initial conditions; see `Start` in `crafter.games.crafter.start` and
            in `crafter.games.craftax.start`.

        Returns:
          Observation, and info as from `step`, with reward 0.

        Raises:
          gymnasium.error.Error: If the seed is not an integer of at least 0.
          crafter.games.crafter.start.OptionsError: If the options are invalid.
          crafter.games.crafter.state.StateError: If the option `state` does not fit. In
            all cases the environment is unchanged.
        """
        start = self._read_options(options)
        rng = None if seed is None else seeding.np_random(seed)
        if start.state is None:
            self._begin(
                *self._seed_and_number(checked_seed(seed), start.episode), start
            )
            self.started = how_it_starts(options)
        elif seed is None:
            self.set_state(start.state)
        else:
            raise OptionsError(
                "The option 'state' cannot be combined with a seed (it has its own), "
                f"got {seed}."
            )
        if rng is not None:
            self._np_random, self._np_random_seed = rng
        obs = self._look()
        if self.render_mode == "human":
            self.render()
        return obs, self._masked_info(0.0, ())

    def _enter(self, seed: int, episode: int, ended: bool) -> None:
        """Records the episode that starts; called by every game."""
        self._seed, self._episode_number = seed, episode
        self.started = "state"  # `reset` overwrites this
        self._ended, self._warned = ended, False

    def _seed_and_number(
        self, seed: int | None, episode: int | None
    ) -> tuple[int, int]:
        """Returns the seed and number of the episode to start."""
        if seed is None and self._seed is None:
            seed = int(self.np_random.integers(2**31 - 1))
        previous = self._episode_number if seed is None else 0
        chosen = self._seed if seed is None else seed
        assert chosen is not None
        return chosen, previous + 1 if episode is None else episode

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Performs one step.

        Args:
          action: Index of the action in `action_names`, an integer.

        Returns:
          Observation, reward, terminated (the player is dead or has won), truncated
          (the step limit was reached alive) and info.

        Raises:
          gymnasium.error.ResetNeeded: If the environment has not been reset yet.
          gymnasium.error.InvalidAction: If the action is invalid.
        """
        reward, terminated, truncated, info = self.advance(action)
        return self._look(), reward, terminated, truncated, info

    def advance(self, action: Any) -> tuple[float, bool, bool, dict[str, Any]]:
        """Performs one step without creating an observation.

        Returns:
          The results of `step` without the observation; arguments and errors are the
          same.
        """
        self._need_game()
        index = checked_action(action, len(self.action_names))
        if self._ended and not self._warned:
            self._warned = True
            gymnasium.logger.warn(
                "step() was called after the episode ended. The game goes on, as in "
                "the published version; call reset() to start a new episode."
            )
        reward, unlocked, terminated, truncated = self._play(index)
        self._ended = terminated or truncated
        if self.render_mode == "human":
            self.render()
        info = self._masked_info(reward, unlocked)
        return reward if self._rewarded else 0.0, terminated, truncated, info

    def render(self) -> np.ndarray | None:
        """Renders the game for people, without side effects.

        Returns:
          With render_mode `rgb_array` a picture, uint8 of shape (height, width,
          3); otherwise `None`.
        """
        self._need_game()
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() needs a render_mode, one of "
                f"{self.metadata['render_modes']}: gym.make(..., render_mode=...)"
            )
            return None
        picture = self.frame(self._render_size)
        if self.render_mode == "rgb_array":
            return picture
        if self._window is None:
            title = games.find(self.game).title
            self._window = Window(title, self.metadata["render_fps"])
        self._window.show(picture)
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # Masks, episode and rendering.

    def action_masks(self) -> np.ndarray:
        """Returns which actions may have an effect now, as sb3-contrib expects it.

        Returns:
          bool of shape (actions,); true for `noop` and every action that, for some
          random outcome, changes the game compared with `noop`.

        Raises:
          gymnasium.error.ResetNeeded: If the environment has not been reset yet.
        """
        self._need_game()
        return self._action_mask().astype(bool)

    def _masked_info(self, reward: float, unlocked: Collection[str]) -> dict[str, Any]:
        info = self._info(reward, unlocked)
        info.update(self._setup_info)
        if self._has_ticks:
            info["ticks"] = self.step_count
        if self._masks_in_info:
            info["action_mask"] = self._action_mask()
        return info

    @property
    def episode(self) -> int:
        """Number of the episode within the sequence of the seed, from 1."""
        return self._episode_number

    @property
    def world_seed(self) -> int | None:
        """Seed of the sequence of episodes; `None` before one is chosen."""
        return self._seed

    def _view_of(self, size: Size | None) -> Any:
        """Returns the renderer for a picture size; the latest few are cached."""
        views = self._frame_views
        view = views.get(size)
        if view is None:
            view = self._make_view(size)
            if len(views) >= _FRAME_VIEWS:
                del views[next(key for key in views if key != self._own_size)]
            views[size] = view
        return view

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state for pickle and deepcopy, without the window."""
        return {**self.__dict__, "_window": None}


def no_game() -> gymnasium.error.ResetNeeded:
    """Returns the error for calls before the first reset."""
    return gymnasium.error.ResetNeeded("There is no game yet: call reset() first.")
