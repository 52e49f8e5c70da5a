"""Base class of the Gymnasium environments of all games.

Seeds and episodes, the order of `reset` and `step`, the warning after the end, windows
and pictures. A game adds its arguments, rules, observations and infos.
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

_FRAME_VIEWS = 4  # sizes whose tiles are kept
_CHARACTERS = {"space": " ", "tab": "\t"}  # keys with longer names

Size = tuple[int, int]


class GameEnv(gymnasium.Env[Any, Any], abc.ABC):
    """A game as a Gymnasium environment; the base class of those of both games.

    Args:
      action_names: Names of the actions, by index.
      seed: Seed of the sequence of episodes; by default one is drawn at the first
        reset.
      reward: If false, the returned reward is always 0.
      render_mode: `rgb_array`, `human` (a window) or `None`.
      action_masks: Kind of `info['action_mask']`, one of `mask_kinds`; `None` leaves
        it out.

    Attributes:
      game: Name of the game, as recorded files have it.
      recorded: Which entries of info recorded episodes hold as they are.
      mask_kinds: Kinds of action masks; the first is the usual one.
      action_names: Names of the actions, by index.
      rules: The rules of the game.
      setup: What the setup is called; see `crafter.core.setups.label`.
      area: Length of the axes of a map, in cells.
      view: Length of the axes of what the agent sees, in cells.
      size: (width, height) of pictures for agents, in pixels.
      world: The world; `None` before the first reset.
      player: The player in it; `None` before the first reset.
      mask_kind: Kind of the masks of `action_masks()`.
      observation: Kind of the observations.
      events: Whether events are recorded.
      step_count: Steps since reset.
      clock: Steps on the clock of the day: `step_count` plus the chosen daytime.
      daylight: Brightness from 0 (darkest) to 1 (noon).
      unlocked: Achievements unlocked in this episode.
      started: How the game of this moment began: `None` for a plain reset, `options` of
        reset, or a saved `state`, also one that was loaded on the way.

    Raises:
      ValueError: If the seed, the render mode or the kind of masks is impossible.
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
    _own_size: Size | None  # of the pictures that agents see
    mask_kind = "exact"
    _masks_in_info = False
    # Defaults for environments that were pickled before these attributes existed.
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
        """Sets the name of the setup, and the entries of infos that come with it.

        Args:
          setup: The argument `setup`, `None` if it was not given.
        """
        self.setup = setups.label(self.rules)
        self._setup_info = {} if setup is None else {"setup": self.setup}
        self._has_ticks = "collapse" in self.rules.applied

    # What a game defines.

    @abc.abstractmethod
    def _read_options(self, options: Mapping[str, Any] | None) -> Any:
        """Returns checked options of `reset`, of which `state` is an attribute."""

    @abc.abstractmethod
    def _begin(self, seed: int, episode: int, start: Any) -> None:
        """Makes the world of an episode, then puts it in place of the old one."""

    @abc.abstractmethod
    def set_state(self, value: Mapping[str, Any]) -> None:
        """Resumes a game exactly, its random stream included."""

    @abc.abstractmethod
    def _need_game(self) -> Any:
        """Returns the game, or raises `no_game()`."""

    @abc.abstractmethod
    def _play(self, action: int) -> tuple[float, Collection[str], bool, bool]:
        """Plays a step: reward, new achievements, terminated, truncated."""

    @abc.abstractmethod
    def _look(self) -> Any:
        """Returns the observation of this moment; changes nothing."""

    @abc.abstractmethod
    def _info(self, reward: float, unlocked: Collection[str]) -> dict[str, Any]:
        """Returns the info of the latest step, without the action mask."""

    @property
    @abc.abstractmethod
    def length(self) -> int | None:
        """Steps after which an episode is truncated; `None` or 0 for no limit."""

    @property
    @abc.abstractmethod
    def step_count(self) -> int:
        """Steps since reset."""

    def _keys(self) -> Mapping[str, str]:
        """Returns key, as `crafter.gui.keys` names it -> action."""
        return {}

    @abc.abstractmethod
    def snapshot(self, whole_map: bool = False) -> Any:
        """Returns a frozen record of this moment."""

    @abc.abstractmethod
    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the whole game as a flat dict of arrays."""

    @abc.abstractmethod
    def _make_view(self, size: Size | None) -> Any:
        """Returns the renderer for a picture size; `None` is that of observations."""

    @abc.abstractmethod
    def frame(self, size: Size | None = None) -> np.ndarray:
        """Draws the game for people, in any render mode; never changes it."""

    @property
    def cells(self) -> Size:
        """Columns and rows of the pictures for people, in cells."""
        columns, rows = self.view
        return columns, rows

    def _action_mask(self) -> np.ndarray:
        """Returns which actions may have an effect now, int8 of shape (actions,)."""
        return np.ones(len(self.action_names), np.int8)

    # Gymnasium.

    def get_keys_to_action(self) -> dict[tuple[str], int]:
        """Returns the keys of the actions, for `gymnasium.utils.play.play`.

        It knows keys by one character, so others are left out.
        """
        keys = {_CHARACTERS.get(key, key): name for key, name in self._keys().items()}
        known = {key: name for key, name in keys.items() if len(key) == 1}
        return {(key,): self.action_names.index(name) for key, name in known.items()}

    @property
    def spec(self) -> EnvSpec | None:
        """How Gymnasium made the environment, with its own step limit."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        # No limit is registered, or Gymnasium would count the steps once more.
        if spec is not None and spec.max_episode_steps is None and self.length:
            spec = copy.copy(spec)
            spec.max_episode_steps = self.length
        self._spec = spec

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode.

        Args:
          seed: Starts the sequence of episodes of this seed; by default the
            sequence goes on.
          options: How to start; see `Start` in `crafter.games.crafter.start` and in
            `crafter.games.craftax.start`.

        Returns:
          Observation, and info as from `step`, with reward 0.

        Raises:
          gymnasium.error.Error: If the seed is not an integer of at least 0.
          crafter.games.crafter.start.OptionsError: If the options are wrong.
          crafter.games.crafter.state.StateError: If the option `state` does not fit. In
            all cases the environment is as it was.
        """
        start = self._read_options(options)
        rng = None if seed is None else seeding.np_random(seed)
        if start.state is None:
            self._begin(*self._numbered(checked_seed(seed), start.episode), start)
            self.started = how_it_starts(options)
        elif seed is None:
            self.set_state(start.state)
        else:
            raise OptionsError(
                f"The option 'state' excludes a seed, got {seed}: it has its own."
            )
        if rng is not None:
            self._np_random, self._np_random_seed = rng
        obs = self._look()
        if self.render_mode == "human":
            self.render()
        return obs, self._masked_info(0.0, ())

    def _enter(self, seed: int, episode: int, ended: bool) -> None:
        """Records which episode runs from now on; every game calls it at its start."""
        self._seed, self._episode_number = seed, episode
        self.started = "state"  # unless it is `reset` that begins, which says how
        self._ended, self._warned = ended, False

    def _numbered(self, seed: int | None, episode: int | None) -> tuple[int, int]:
        """Returns the seed and the number of the episode that begins."""
        if seed is None and self._seed is None:
            seed = int(self.np_random.integers(2**31 - 1))
        previous = self._episode_number if seed is None else 0
        chosen = self._seed if seed is None else seed
        assert chosen is not None
        return chosen, previous + 1 if episode is None else episode

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays one step.

        Args:
          action: Index of the action, an integer; `action_names` has their names.

        Returns:
          Observation, reward, terminated (the player is dead, or has won),
          truncated (the step limit is reached, alive) and info.

        Raises:
          gymnasium.error.ResetNeeded: If the environment has not been reset yet.
          gymnasium.error.InvalidAction: If the action is not a valid one.
        """
        reward, terminated, truncated, info = self.advance(action)
        return self._look(), reward, terminated, truncated, info

    def advance(self, action: Any) -> tuple[float, bool, bool, dict[str, Any]]:
        """Plays one step without making an observation.

        Returns:
          What `step` returns after the observation; arguments and errors are those
          of `step`.
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
        """Shows the game to people; never changes it.

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

    # Looking.

    def action_masks(self) -> np.ndarray:
        """Returns which actions may have an effect now, as sb3-contrib asks for it.

        Returns:
          bool of shape (actions,); true for every action that changes the game in some
          outcome of chance, as compared with `noop`, and for `noop`.

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
        """Number of the episode in the sequence of the seed, from 1."""
        return self._episode_number

    @property
    def world_seed(self) -> int | None:
        """Seed of the sequence of episodes; `None` before one was chosen."""
        return self._seed

    def _view_of(self, size: Size | None) -> Any:
        """Returns the renderer for pictures of a size; the latest few are cached."""
        views = self._frame_views
        view = views.get(size)
        if view is None:
            view = self._make_view(size)
            if len(views) >= _FRAME_VIEWS:
                del views[next(key for key in views if key != self._own_size)]
            views[size] = view
        return view

    def __getstate__(self) -> dict[str, Any]:
        """Returns what pickle and deepcopy copy: all but the window."""
        return {**self.__dict__, "_window": None}


def no_game() -> gymnasium.error.ResetNeeded:
    """Returns the error for calls before the first reset."""
    return gymnasium.error.ResetNeeded("There is no game yet: call reset() first.")
