"""The Gymnasium face of the game."""

from __future__ import annotations

import copy
import operator
import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from crafter import constants, observations, snapshot, state
from crafter import options as options_module
from crafter.balance import INTERVAL, balance
from crafter.engine import World
from crafter.events import EventLog, ignore
from crafter.objects import Player
from crafter.stream import Stream, episode_seed, hashed_uniforms
from crafter.views import (
    FrameView,
    SemanticView,
    Textures,
    cell_size,
    is_dark,
    night_noise,
)
from crafter.window import Window

_WINDOW_SIZE = (600, 600)
_FRAME_VIEWS = 4  # sizes whose tiles are kept
_UNLOCK_REWARD = 1.0
_HEALTH_REWARD = 10  # points of health per unit of reward
NIGHT_NOISES = ("published", "private")


def daylight(step: int) -> float:
    """Returns how bright the world is.

    Args:
      step: Steps on the clock of the day, not negative.

    Returns:
      Brightness from 0 (darkest) to 1 (noon).

    Source:
      Crafter 1.8.3, `Env._update_time`. It must be computed from the step as it is:
      steps a day apart differ in the last bits.

    Example:
      >>> daylight(0), daylight(210)
      (0.7969251898544335, 0.0)
    """
    time = constants.time
    progress = (step / time["day"]) % 1 + time["start"]
    return float(1 - np.abs(np.cos(np.pi * progress)) ** 3)


class Env(gymnasium.Env[np.ndarray, Any]):
    """Crafter: an open world with survival, exploration and crafting.

    The observation is an image of the map around the player with the inventory
    below, uint8 of shape (height, width, 3). There are 17 actions and 22
    achievements. The reward is +1 in a step that unlocks an achievement for the
    first time in the episode, and +-0.1 per point of health. Health 0 terminates the
    episode; `length` steps truncate it.

    Args:
      area: Map size (x, y) in cells.
      view: Cells shown (columns, rows), inventory rows included; one number for a
        square.
      size: Observation size (width, height) in pixels; one number for a square. At
        night the number of pixels is part of the game: one random number is drawn
        for each.
      reward: If false, the returned reward is always 0; `info['reward']` stays.
      length: Steps after which an episode is truncated; `None` or 0 for no limit.
      seed: Seed of the sequence of episodes; by default one is drawn at the first
        reset.
      textures: Folder of a texture pack; see `crafter.views.Textures`.
      render_mode: `rgb_array`, `human` (a window) or `None`.
      render_size: Size (width, height) of `render()` in pixels; by default that of
        the observation, or 600x600 in a window.
      events: Whether `info['events']` says what happened in each step.
      observation: `pixels`, `compact`, `symbolic` or `semantic`; see
        `crafter.observations`.
      night_noise: Where the noise of dark pixels comes from: `published` draws it
        from the stream of the game, so that looking is part of the game; `private`
        leaves the game alone. Without pixels nothing is drawn.
      items: Changes to the item table, such as `{'health': {'max': 5, 'initial':
        5}}`.

    Attributes:
      area: Map size (x, y).
      view: View size (columns, rows).
      size: Observation size (width, height).
      length: Step limit or `None`.
      events: Whether events are recorded.
      action_names: Names of the actions, by index.
      world: The world; `None` before the first reset.
      player: The player in it; `None` before the first reset.
      episode: Number of the episode in the sequence of the seed, from 1.
      step_count: Steps since reset.

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.
      crafter.views.TextureError: If the texture pack is not usable.

    Source:
      Hafner 2022, "Benchmarking the Spectrum of Agent Capabilities"; behaviour of
      Crafter 1.8.3, to the bit.

    Example:
      >>> env = Env(seed=1)
      >>> obs, info = env.reset()
      >>> obs.shape, info["inventory"]["health"]
      ((64, 64, 3), 9)
      >>> action = env.action_names.index("do")
      >>> obs, reward, terminated, truncated, info = env.step(action)
      >>> terminated, truncated
      (False, False)
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "render_fps": 5}

    def __init__(
        self,
        area: tuple[int, int] = (64, 64),
        view: tuple[int, int] | int = (9, 9),
        size: tuple[int, int] | int = (64, 64),
        reward: bool = True,
        length: int | None = 10000,
        seed: int | None = None,
        *,
        textures: str | os.PathLike | None = None,
        render_mode: str | None = None,
        render_size: tuple[int, int] | int | None = None,
        events: bool = False,
        observation: str = "pixels",
        night_noise: str = "published",
        items: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self.area = _pair("area", area, scalar=False)
        self.view = _pair("view", view)
        self.size = _pair("size", size)
        self.length = _checked_length(length)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = self.metadata["render_modes"]
            raise ValueError(f"Expected a render_mode of {modes}, got {render_mode!r}.")
        self.render_mode = render_mode
        if render_size is None:
            render_size = _WINDOW_SIZE if render_mode == "human" else self.size
        self._render_size = _pair("render_size", render_size)
        cell_size(self.view, self._render_size)  # raises if it is too small
        self.action_names = list(constants.actions)
        self._reward = bool(reward)
        self._seed = _checked_seed(seed)
        self._items = _merged_items(items)
        self._textures = Textures(textures)
        self._frame_view = self._make_frame_view(self.size)
        self._frame_views = {self.size: self._frame_view}
        self.events = bool(events)
        self._log = EventLog() if events else None
        self._window: Window | None = None
        self.action_space = spaces.Discrete(len(self.action_names))
        self.observation_space = observations.space(
            observation, self.area, self.view, self.size
        )
        if night_noise not in NIGHT_NOISES:
            raise ValueError(
                f"Expected a night_noise of {NIGHT_NOISES}, got {night_noise!r}."
            )
        observations.check_amounts(observation, self._items)
        self.observation = observation
        self._draws_noise = observation == "pixels" and night_noise == "published"

        self.world: World | None = None
        self.player: Player | None = None
        self.episode = 0
        self.step_count = 0
        self._clock_offset = 0
        self._last_health = 0
        self._noise: np.ndarray | None = None
        self._ended = False
        self._warned = False

    # Gymnasium.

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts the next episode.

        Args:
          seed: Starts the sequence of episodes of this seed; by default the
            sequence goes on.
          options: How to start; see `crafter.options.OPTIONS`.

        Returns:
          Observation, and info as from `step`, with reward 0.

        Raises:
          gymnasium.error.Error: If the seed is not an integer of at least 0.
          crafter.options.OptionsError: If the options are wrong.
          crafter.state.StateError: If the option `state` does not fit. In all
            cases the environment is as it was.
        """
        start = options_module.parse(options, self.area, self._items)
        rng = None if seed is None else seeding.np_random(seed)
        if start.state is None:
            self._begin(seed, start)
        elif seed is None:
            self.set_state(start.state)
        else:
            raise options_module.OptionsError(
                f"The option 'state' excludes a seed, got {seed}: it has its own."
            )
        if rng is not None:
            self._np_random, self._np_random_seed = rng
        obs = self._observe() if start.state is None else self._look()
        if self.render_mode == "human":
            self.render()
        return obs, self._info(0.0, ())

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays one step.

        Args:
          action: Index of the action, an integer in 0 ... 16.

        Returns:
          Observation, reward, terminated (health is 0), truncated (the step limit
          is reached, alive) and info.

        Raises:
          gymnasium.error.ResetNeeded: If there was no reset yet.
          gymnasium.error.InvalidAction: If the action is none of the valid ones.
        """
        world, player = self._need_reset()
        action = self._checked_action(action)
        if self._ended and not self._warned:
            self._warned = True
            gymnasium.logger.warn(
                "step() was called after the episode ended. The game goes on, as in "
                "the published version; call reset() to start a new episode."
            )
        player.action = self.action_names[action]
        was_dead = player.health <= 0
        self.step_count += 1
        self._update_time()
        self._update_objects()
        if self.step_count % INTERVAL == 0:
            balance(world, player)
        obs = self._observe()
        unlocked = self._newly_unlocked()
        reward = (player.health - self._last_health) / _HEALTH_REWARD
        self._last_health = player.health
        if unlocked:
            reward += _UNLOCK_REWARD  # once, even if there are several
        dead = player.health <= 0
        truncated = not dead and 0 < (self.length or 0) <= self.step_count
        self._ended = dead or truncated
        if dead and not was_dead:
            world.emit("died", by=list(player.hurt_by))
        if self.render_mode == "human":
            self.render()
        info = self._info(reward, unlocked)
        return obs, reward if self._reward else 0.0, dead, truncated, info

    def render(self) -> np.ndarray | None:
        """Shows the game to people; never changes it.

        Returns:
          With render_mode `rgb_array` a picture, uint8 of shape (height, width,
          3); otherwise `None`.
        """
        self._need_reset()
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() needs a render_mode, one of "
                f"{self.metadata['render_modes']}: gym.make(..., render_mode=...)"
            )
            return None
        if self.render_mode == "rgb_array":
            return self.frame(self._render_size)
        if self._window is None:
            self._window = Window("Crafter", self.metadata["render_fps"])
        self._window.show(self.frame(self._render_size))
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # Looking.

    @property
    def unlocked(self) -> set[str]:
        """Achievements unlocked in this episode."""
        _, player = self._need_reset()
        return {name for name, count in player.achievements.items() if count}

    @property
    def daylight(self) -> float:
        """Brightness from 0 (darkest) to 1 (noon)."""
        return self._need_reset()[0].daylight

    @property
    def world_seed(self) -> int | None:
        """Seed of the sequence of episodes; `None` before one was chosen."""
        return self._seed

    def frame(self, size: tuple[int, int] | int | None = None) -> np.ndarray:
        """Draws the game for people, in any render mode; never changes it.

        At the size of the observation it is the latest observation; at other sizes
        the noise of the night comes from a stream of its own, the same for the same
        step.

        Args:
          size: (width, height) in pixels; by default that of the observation.

        Returns:
          uint8 of shape (height, width, 3).
        """
        world, player = self._need_reset()
        size = self.size if size is None else _pair("size", size)
        view = self._frame_views.get(size)
        if view is None:
            view = self._make_frame_view(size)
            if len(self._frame_views) >= _FRAME_VIEWS:
                oldest = next(key for key in self._frame_views if key != self.size)
                del self._frame_views[oldest]
            self._frame_views[size] = view
        noise = None
        if is_dark(world.daylight):
            noise = self._noise if size == self.size else None
            if noise is None:
                noise = self._private_noise(view)
        return view(world, player, noise)

    def snapshot(self, whole_map: bool = False) -> snapshot.Snapshot:
        """Returns a frozen record of this moment.

        Args:
          whole_map: Include the whole map and all objects.
        """
        world, player = self._need_reset()
        return snapshot.take(
            world,
            player,
            self.view,
            whole_map,
            step=self.step_count,
            clock=self.step_count + self._clock_offset,
            episode=self.episode,
            events=self._events,
        )

    # Save and resume.

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the whole game as a flat dict of arrays.

        `np.savez(path, **env.get_state())` stores it. The fields are those of
        `crafter.state.capture`.
        """
        world, player = self._need_reset()
        assert self._seed is not None
        moment = state.Moment(
            seed=self._seed,
            episode=self.episode,
            step=self.step_count,
            clock_offset=self._clock_offset,
            last_health=self._last_health,
            ended=self._ended,
            noise=self._noise,
        )
        return state.capture(self._config(), moment, world, player)

    def set_state(self, value: Mapping[str, Any]) -> None:
        """Resumes a game exactly, its random stream included.

        Args:
          value: A value of `get_state()`, perhaps stored and loaded.

        Raises:
          crafter.state.StateError: If the value comes from another version or
            configuration, or is damaged. Nothing is changed then.
        """
        moment, world, player = state.restore(
            value, self._config(), self._items, self._frame_view.noise_shape
        )
        self._seed = moment.seed
        self.episode = moment.episode
        self.step_count = moment.step
        self._clock_offset = moment.clock_offset
        self._last_health = moment.last_health
        self._ended = moment.ended
        self._noise = moment.noise
        self._install(world, player)

    def __getstate__(self) -> dict[str, Any]:
        """Returns what pickle and deepcopy copy: all but the window."""
        return {**self.__dict__, "_window": None}

    # Inside.

    def _need_reset(self) -> tuple[World, Player]:
        if self.world is None or self.player is None:
            raise gymnasium.error.ResetNeeded(
                "There is no game yet: call reset() first."
            )
        return self.world, self.player

    def _checked_action(self, action: Any) -> int:
        try:
            index = operator.index(action)
        except TypeError:
            index = -1
        if not 0 <= index < len(self.action_names):
            raise gymnasium.error.InvalidAction(
                f"Expected an integer in 0 ... {len(self.action_names) - 1}, "
                f"got {action!r} of type {type(action).__name__}."
            )
        return index

    def _config(self) -> state.Config:
        limits = tuple(item["max"] for item in self._items.values())
        length = self.length or 0
        return state.Config(
            self.area,
            self.view,
            self.size,
            length,
            self._reward,
            self._draws_noise,
            limits,
        )

    def _make_frame_view(self, size: tuple[int, int]) -> FrameView:
        return FrameView(self._textures, self.view, size, list(self._items))

    def _stream_seed(self) -> int:
        assert self._seed is not None
        return episode_seed(self._seed, self.episode)

    def _begin(self, seed: int | None, start: options_module.Start) -> None:
        """Makes the world of an episode, then puts it in place of the old one."""
        if seed is None and self._seed is None:
            seed = int(self.np_random.integers(2**31 - 1))
        previous = self.episode if seed is None else 0
        episode = previous + 1 if start.episode is None else start.episode
        chosen = self._seed if seed is None else seed
        assert chosen is not None
        light = daylight(start.clock_offset)
        seeded = episode_seed(chosen, episode)
        world, player = options_module.build(
            start, self.area, self._items, seeded, light
        )
        self._seed, self.episode = chosen, episode
        self.step_count = 0
        self._clock_offset = start.clock_offset
        self._last_health = player.health
        self._ended = False
        self._install(world, player)

    def _install(self, world: World, player: Player) -> None:
        self.world, self.player = world, player
        self._warned = False
        self._events: tuple[dict[str, Any], ...] = ()
        self._sem_view = SemanticView(world)
        self._known = self.unlocked  # as of the latest step
        world.emit = ignore if self._log is None else self._log.emit

    def _update_time(self) -> None:
        world, _ = self._need_reset()
        clock = self.step_count + self._clock_offset
        was_dark = is_dark(world.daylight)
        world.daylight = daylight(clock)
        day, step_of_day = divmod(clock, constants.time["day"])
        if is_dark(world.daylight) != was_dark:
            world.emit("dawn" if was_dark else "dusk", n=day)
        if step_of_day == 0:
            world.emit("new_day", n=day)

    def _update_objects(self) -> None:
        world, player = self._need_reset()
        reach = constants.world["update_range"] * max(self.view)
        objects = world.objects
        player.update()  # first in index order; only it moves the circle
        x, y = player.x, player.y
        for obj in objects:
            if abs(x - obj.x) + abs(y - obj.y) < reach and obj is not player:
                obj.update()

    def _newly_unlocked(self) -> set[str]:
        unlocked = self.unlocked
        new = unlocked - self._known
        self._known = unlocked
        return new

    def _observe(self) -> Any:
        world, _ = self._need_reset()
        self._noise = None
        if self._draws_noise and is_dark(world.daylight):
            self._noise = self._draw_night_noise(world.random)
        return self._look()

    def _look(self) -> Any:
        """Returns the observation of this moment; changes nothing."""
        if self.observation == "pixels":
            return self.frame()
        world, player = self._need_reset()
        return observations.observe(self.observation, world, player, self.view)

    def _draw_night_noise(self, stream: Stream) -> np.ndarray:
        """Draws the noise of an observation from the game's own stream.

        The one place where looking changes the game: a rule of the published
        version, which draws one number per pixel of the map picture at night.
        """
        shape = self._frame_view.noise_shape
        return night_noise(stream.uniforms(shape[0] * shape[1])).reshape(shape)

    def _private_noise(self, view: FrameView) -> np.ndarray:
        """Returns noise that depends on the episode and the step alone."""
        width, height = view.noise_shape
        seed, step = self._stream_seed(), self.step_count
        return night_noise(hashed_uniforms(seed, step, width * height)).reshape(
            width, height
        )

    def _info(self, reward: float, unlocked: Any) -> dict[str, Any]:
        world, player = self._need_reset()
        if self._log is not None:
            self._events = self._log.take()
        dead = player.health <= 0
        return {
            "inventory": dict(player.inventory),
            "achievements": dict(player.achievements),
            "discount": 0.0 if dead else 1.0,
            "semantic": self._sem_view(),
            "player_pos": np.array(player.position),
            "reward": reward,
            "sleeping": player.sleeping,
            "player_facing": np.array(player.facing),
            "dead": dead,
            "unlocked": set(unlocked),
            "action": player.action,
            "view": np.array(self.view),
            "daylight": world.daylight,
            "events": self._events,
        }

    # Names of the published package that agents read.

    @property
    def _world(self) -> World | None:
        return self.world

    @property
    def _player(self) -> Player | None:
        return self.player

    @property
    def _step(self) -> int:
        return self.step_count

    @property
    def _length(self) -> int | None:
        return self.length

    @property
    def _area(self) -> tuple[int, int]:
        return self.area

    @property
    def _view(self) -> np.ndarray:
        return np.array(self.view)

    @property
    def _unlocked(self) -> set[str]:
        return self.unlocked


def _pair(name: str, value: Any, scalar: bool = True) -> tuple[int, int]:
    """Returns two positive integers, from one number if that is allowed.

    Raises:
      ValueError: If they are something else.
    """
    try:
        values = [value, value] if np.ndim(value) == 0 and scalar else list(value)
        width, height = (operator.index(number) for number in values)
    except (TypeError, ValueError):
        one = "one or two" if scalar else "two"
        raise ValueError(
            f"{name} must be {one} positive integers, got {value!r}."
        ) from None
    if width < 1 or height < 1:
        raise ValueError(f"{name} must be at least 1x1, got {width}x{height}.")
    return width, height


def _checked_length(length: Any) -> int | None:
    if length is None:
        return None
    try:
        number = operator.index(length)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(
            f"length must be a number of steps, or None or 0 for no limit; "
            f"got {length!r}."
        )
    return number


def _checked_seed(seed: Any) -> int | None:
    try:
        return None if seed is None else operator.index(seed)
    except TypeError:
        raise ValueError(f"seed must be an integer or None, got {seed!r}.") from None


def _merged_items(
    changes: Mapping[str, Mapping[str, int]] | None,
) -> dict[str, dict[str, int]]:
    """Returns a copy of the item table with changes.

    Raises:
      ValueError: If an item or field is unknown, or a number is impossible.
    """
    changes = {} if changes is None else changes
    items = copy.deepcopy(constants.items)
    if not isinstance(changes, Mapping):
        raise ValueError(f"items must be a mapping by item name, got {changes!r}.")
    for name, fields in changes.items():
        if name not in items:
            raise ValueError(f"Unknown item {name!r}; there are {list(items)}.")
        items[name] |= _checked_item(name, fields, items[name])
        if not 0 <= items[name]["initial"] <= items[name]["max"]:
            raise ValueError(
                f"{name} must start between 0 and its maximum, got {items[name]}."
            )
    if items["health"]["initial"] <= 0:
        raise ValueError(f"health must start above 0, got {items['health']}.")
    return items


def _checked_item(name: str, fields: Any, item: dict[str, int]) -> dict[str, int]:
    if not isinstance(fields, Mapping):
        raise ValueError(
            f"items[{name!r}] must be a mapping with {list(item)}, got {fields!r}."
        )
    unknown = [field for field in fields if field not in item]
    if unknown:
        raise ValueError(f"An item has no fields {unknown}; it has {list(item)}.")
    try:
        return {field: operator.index(number) for field, number in fields.items()}
    except TypeError:
        raise ValueError(
            f"items[{name!r}] must hold integers, got {dict(fields)}."
        ) from None
