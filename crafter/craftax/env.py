"""The Gymnasium face of the larger game."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from crafter.brief import brief
from crafter.craftax import game, snapshot, state, tables
from crafter.craftax import options as options_module
from crafter.craftax import parameters as parameters_module
from crafter.craftax.draws import Sampler
from crafter.craftax.engine import World
from crafter.craftax.events import EventLog, ignore
from crafter.craftax.observations import KINDS, Observer
from crafter.craftax.player import Player
from crafter.craftax.worldgen import WorldGenerator
from crafter.stream import episode_seed
from crafter.window import Window

OBSERVATIONS = ("symbolic", "pixels", *(kind for kind in KINDS if kind != "symbolic"))
_BLOCK_PIXELS = 10  # of observations
_RENDER_SIZE = (704, 832)  # (width, height): 64 pixels a cell
_FRAME_VIEWS = 4  # sizes whose pictures are kept


class Env(gymnasium.Env[Any, Any]):
    """Craftax: nine floors from the overworld to the graveyard, and a boss.

    There are 43 actions and 67 achievements. The reward is the weight of every
    achievement unlocked in a step, 1 to 8, and 0.1 per point of health won or lost.
    Death and victory terminate the episode; `max_timesteps` steps truncate it.

    Args:
      observation: `symbolic`, `pixels`, `compact` or `semantic`; see
        `crafter.craftax.observations`. Pixels are uint8 of shape (130, 110, 3).
      rules: `published`, `repaired`, the path of a YAML file with changes, or a
        mapping of changes; see `crafter.craftax.rules`.
      seed: Seed of the sequence of episodes; by default one is drawn at the first
        reset.
      reward: If false, the returned reward is always 0; `info['reward']` stays.
      events: Whether `info['events']` says what happened in each step.
      render_mode: `rgb_array`, `human` (a window) or `None`.
      render_size: Size (width, height) of `render()` in pixels.
      textures: Folder of a texture pack; see `crafter.craftax.textures`.
      noise_angles: Directions of the gradients of the noise of all smooth floors; see
        `crafter.craftax.worldgen.WorldGenerator`.
      **parameters: Arguments of the game that differ from the usual ones, such as
        `max_timesteps=10_000`; see `crafter.craftax.parameters.Parameters`.

    Attributes:
      game: Name of the game, as recorded files have it.
      recorded: Which entries of info recorded episodes hold as they are.
      action_names: Names of the actions, by index.
      observation: Kind of the observation.
      tables: The rules.
      parameters: The arguments of the game.
      observer: What observations consist of.
      events: Whether events are recorded.
      world: The world; `None` before the first reset.
      player: The player in it; `None` before the first reset.
      episode: Number of the episode in the sequence of the seed, from 1.

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.
      crafter.craftax.rules.RulesError: If the rules are impossible.

    Source:
      Matthews et al. 2024, "Craftax: A Lightning-Fast Benchmark for Open-Ended
      Reinforcement Learning"; behaviour of Craftax 1.6.1.

    Example:
      >>> env = Env(seed=1)
      >>> obs, info = env.reset()
      >>> obs.shape, info["inventory"]["health"], info["floor"]
      ((8268,), 9.0, 0)
      >>> action = env.action_names.index("do")
      >>> obs, reward, terminated, truncated, info = env.step(action)
      >>> terminated, truncated
      (False, False)
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "render_fps": 5}
    game = "craftax"
    recorded = ("floor", "player_pos", "light", "sleeping", "resting")

    def __init__(
        self,
        observation: str = "symbolic",
        *,
        rules: Any = "published",
        seed: int | None = None,
        reward: bool = True,
        events: bool = False,
        render_mode: str | None = None,
        render_size: tuple[int, int] = _RENDER_SIZE,
        textures: str | os.PathLike | None = None,
        noise_angles: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        if observation not in OBSERVATIONS:
            raise ValueError(
                f"observation must be one of {OBSERVATIONS}, got {brief(observation)}."
            )
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = self.metadata["render_modes"]
            raise ValueError(
                f"render_mode must be one of {modes}, got {brief(render_mode)}."
            )
        self.render_mode = render_mode
        self.tables = tables.load(rules)
        self.parameters = parameters_module.make(
            self.tables.data["parameters"], parameters
        )
        self.observation = observation
        self.observer = Observer(self.tables, self.parameters)
        self.action_names = list(self.tables.action_names)
        self.action_space = spaces.Discrete(len(self.action_names))
        self.events = bool(events)
        self._log = EventLog() if events else None
        self._reward = bool(reward)
        self._seed = _checked_seed(seed)
        self._sampler = Sampler(self.tables, self.parameters)
        self._noise_angles = noise_angles
        self._generator = WorldGenerator(self.tables, self.parameters, noise_angles)
        self._textures_folder = textures
        self._render_size = _checked_size(render_size)
        self._frame_views: dict[tuple[int, int] | None, Any] = {}
        self._textures: Any = None
        self._window: Window | None = None
        self.observation_space = self._make_space()

        self.world: World | None = None
        self.player: Player | None = None
        self.episode = 0
        self._start = 0
        self._rng = np.random.Generator(np.random.PCG64(0))
        self._ended = False
        self._warned = False

    # Gymnasium.

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode.

        Args:
          seed: Starts the sequence of episodes of this seed; by default the
            sequence goes on.
          options: How to start; see `crafter.craftax.options.OPTIONS`.

        Returns:
          Observation, and info as from `step`, with reward 0.

        Raises:
          gymnasium.error.Error: If the seed is not an integer of at least 0.
          crafter.craftax.options.OptionsError: If the options are wrong.
          crafter.craftax.state.StateError: If the option `state` does not fit. In all
            cases the environment is as it was.
        """
        start = options_module.parse(options, self.tables, self.parameters)
        rng = None if seed is None else seeding.np_random(seed)
        if start.state is None:
            self._begin(_checked_seed(seed), start)
        elif seed is None:
            self.set_state(start.state)
        else:
            raise options_module.OptionsError(
                f"The option 'state' excludes a seed, got {seed}: it has its own."
            )
        if rng is not None:
            self._np_random, self._np_random_seed = rng
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info(0.0)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays one step.

        Args:
          action: Index of the action, an integer in 0 ... 42.

        Returns:
          Observation, reward, terminated (the player is dead, or the boss beaten),
          truncated (the step limit is reached) and info.

        Raises:
          gymnasium.error.ResetNeeded: If the environment has not been reset yet.
          gymnasium.error.InvalidAction: If the action is not a valid one.
        """
        world, player = self._need_reset()
        index = self._checked_action(action)
        if self._ended and not self._warned:
            self._warned = True
            gymnasium.logger.warn(
                "step() was called after the episode ended. The game goes on, as in "
                "the published version; call reset() to start a new episode."
            )
        reward = game.step(world, player, index, self._sampler.draw(self._rng))
        terminated = game.is_over(player)
        truncated = not terminated and self.step_count >= self.parameters.max_timesteps
        self._ended = terminated or truncated
        if self.render_mode == "human":
            self.render()
        info = self._info(reward)
        returned = reward if self._reward else 0.0
        return self._observe(), returned, terminated, truncated, info

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
            self._window = Window("Craftax", self.metadata["render_fps"])
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
        names = self.tables.achievement_names
        return {name for name, got in zip(names, player.achievements) if got}

    @property
    def step_count(self) -> int:
        """Steps since reset."""
        return 0 if self.world is None else self.world.timestep - self._start

    @property
    def daylight(self) -> float:
        """Brightness of the overworld from 0 (darkest) to 1 (noon)."""
        return self._need_reset()[0].light_level

    @property
    def world_seed(self) -> int | None:
        """Seed of the sequence of episodes; `None` before one was chosen."""
        return self._seed

    def frame(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Draws the game for people, in any render mode; never changes it.

        The noise of the night is the same for the same step.

        Args:
          size: (width, height) in pixels; by default that of pixel observations.

        Returns:
          uint8 of shape (height, width, 3).
        """
        world, player = self._need_reset()
        view = self._frame_view(None if size is None else _checked_size(size))
        noise = None
        if player.level == 0 and game.is_dark(world):
            noise = self._night_noise(view.noise_shape)
        return view(world, player, noise)

    def snapshot(self, whole_map: bool = False) -> snapshot.Snapshot:
        """Returns a frozen record of this moment.

        Args:
          whole_map: Include the maps of all floors and all creatures.
        """
        _, player = self._need_reset()
        return snapshot.take(
            player,
            self.observer.view,
            whole_map,
            step=self.step_count,
            episode=self.episode,
            events=self._events,
        )

    # Save and resume.

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the whole game as a flat dict of arrays.

        `np.savez(path, **env.get_state())` stores it. The fields are those of
        `crafter.craftax.state.capture`.
        """
        world, player = self._need_reset()
        assert self._seed is not None
        moment = state.Moment(
            seed=self._seed,
            episode=self.episode,
            start=self._start,
            ended=self._ended,
            rng=self._rng,
        )
        return state.capture(moment, world, player)

    def set_state(self, value: Mapping[str, Any]) -> None:
        """Resumes a game exactly, its random stream included.

        Args:
          value: A value of `get_state()`, perhaps stored and loaded.

        Raises:
          crafter.craftax.state.StateError: If the value comes from another version,
            other rules or parameters, or is damaged. Nothing is changed then.
        """
        moment, world, player = state.restore(value, self.tables, self.parameters)
        self._seed = moment.seed
        self.episode = moment.episode
        self._start = moment.start
        self._ended = moment.ended
        self._rng = moment.rng
        self._install(world, player)

    def __getstate__(self) -> dict[str, Any]:
        """Returns what pickle and deepcopy copy: no window, and nothing made again."""
        state = {**self.__dict__, "_window": None, "_frame_views": {}}
        del state["_generator"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores the environment."""
        self.__dict__.update(state)
        self._generator = WorldGenerator(
            self.tables, self.parameters, self._noise_angles
        )

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
                f"got {brief(action)} of type {type(action).__name__}."
            )
        return index

    def _make_space(self) -> spaces.Space[Any]:
        if self.observation != "pixels":
            return self.observer.space(self.observation)
        width, height = self._frame_view(None).size
        return spaces.Box(0, 255, (height, width, 3), np.uint8)

    def _begin(self, seed: int | None, start: options_module.Start) -> None:
        """Makes the world of an episode, then puts it in place of the old one."""
        if seed is None and self._seed is None:
            seed = int(self.np_random.integers(2**31 - 1))
        previous = self.episode if seed is None else 0
        episode = previous + 1 if start.episode is None else start.episode
        chosen = self._seed if seed is None else seed
        assert chosen is not None
        rng = np.random.Generator(np.random.PCG64(episode_seed(chosen, episode)))
        maps = self._generator.generate(self._generator.draw(rng))
        world, player = options_module.build(start, maps, self.tables, self.parameters)
        self._seed, self.episode = chosen, episode
        self._start = world.timestep
        self._ended = False
        self._rng = rng
        self._install(world, player)

    def _install(self, world: World, player: Player) -> None:
        self.world, self.player = world, player
        self._warned = False
        self._events: tuple[dict[str, Any], ...] = ()
        names = self.tables.achievement_names
        self._achievements = dict(zip(names, map(int, player.achievements)))
        world.emit = ignore if self._log is None else self._log.emit

    def _observe(self) -> Any:
        if self.observation == "pixels":
            return self.frame()
        return self.observer.observe(self.observation, self._need_reset()[1])

    def _frame_view(self, size: tuple[int, int] | None) -> Any:
        """Returns what draws frames of a size, by default for agents."""
        if size not in self._frame_views:
            # Who plays without pictures need not wait for what draws them.
            from crafter.craftax.textures import Textures
            from crafter.craftax.views import FrameView, SizedView

            if self._textures is None:
                self._textures = Textures(self._textures_folder)
            if len(self._frame_views) >= _FRAME_VIEWS:
                del self._frame_views[next(key for key in self._frame_views if key)]
            if size is None:
                view: Any = FrameView(_BLOCK_PIXELS, self._textures, self.tables)
            else:
                view = SizedView(size, self._textures, self.tables)
            self._frame_views[size] = view
        return self._frame_views[size]

    def _night_noise(self, shape: tuple[int, int]) -> np.ndarray:
        """Returns noise that depends on the episode and the step alone."""
        from crafter.craftax.views import night_noise

        assert self._seed is not None
        place = episode_seed(self._seed, self.episode), self.step_count
        return night_noise(np.random.default_rng(place), shape)

    def _info(self, reward: float) -> dict[str, Any]:
        world, player = self._need_reset()
        names = self.tables.achievement_names
        unlocked = {names[number] for number in player.unlocked}
        self._achievements.update(dict.fromkeys(unlocked, 1))
        if self._log is not None:
            self._events = self._log.take()
        dead = player.health <= 0
        over = dead or game.is_over(player)
        return {
            "inventory": player.amounts(),
            "achievements": self._achievements.copy(),
            "discount": 0.0 if over else 1.0,
            "floor": player.level,
            "player_pos": np.array(player.position),
            "player_facing": np.array(player.facing),
            "reward": reward,
            "sleeping": player.sleeping,
            "resting": player.resting,
            "dead": dead,
            "unlocked": unlocked,
            "action": player.action,
            "light": world.light_level,
            "events": self._events,
        }


def _checked_seed(seed: Any) -> int | None:
    try:
        return None if seed is None else int(operator.index(seed))
    except TypeError:
        raise ValueError(
            f"seed must be an integer or None, got {brief(seed)}."
        ) from None


def _checked_size(size: Any) -> tuple[int, int]:
    try:
        width, height = (operator.index(number) for number in size)
    except (TypeError, ValueError):
        width = height = 0
    if width < 1 or height < 1:
        raise ValueError(
            f"A size must be two positive integers (width, height), got {brief(size)}."
        )
    return width, height
