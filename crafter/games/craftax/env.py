"""Gymnasium environment of Craftax."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from crafter.core import setups
from crafter.core.env import GameEnv, Size, no_game
from crafter.core.events import EventLog, ignore
from crafter.core.stream import episode_seed
from crafter.core.validation import one_of, pair
from crafter.games.craftax import affordances, game, snapshot, sprites, state, tables
from crafter.games.craftax import parameters as parameters_module
from crafter.games.craftax import start as options_module
from crafter.games.craftax.draws import Sampler
from crafter.games.craftax.engine import World
from crafter.games.craftax.observations import KINDS, Observer
from crafter.games.craftax.player import Player
from crafter.games.craftax.rules import Rules
from crafter.games.craftax.worldgen import WorldGenerator

OBSERVATIONS = ("symbolic", "pixels", *(kind for kind in KINDS if kind != "symbolic"))
_RENDER_SIZE = (704, 832)  # (width, height): 64 pixels per cell


class Env(GameEnv):
    """Craftax: nine floors from the overworld to the graveyard, and a boss.

    There are 43 actions and 67 achievements. The reward is the weight of each
    achievement unlocked in a step, 1 to 8, plus 0.1 per point of health gained or lost.
    Death and victory terminate the episode; it is truncated after `max_timesteps`.

    Args:
      observation: `symbolic`, `pixels`, `compact`, `semantic` or `puffer`; see
        `crafter.games.craftax.observations`. Pixels are uint8 of shape (130, 110, 3).
      rules: `published`, `repaired`, `puffer`, the path of a YAML file with changes, or
        a mapping of changes; see `crafter.games.craftax.rules`.
      seed: Seed of the sequence of episodes; by default drawn at the first reset.
      reward: If false, the returned reward is always 0; `info['reward']` is unaffected.
      events: Whether to record the events of each step in `info['events']`.
      render_mode: `rgb_array`, `human` (a window) or `None`.
      render_size: Size (width, height) of `render()` in pixels; one number for a
        square.
      textures: Folder of a texture pack; see `crafter.games.craftax.textures`.
      noise_angles: Gradient directions of the noise of all smooth floors; see
        `crafter.games.craftax.worldgen.WorldGenerator`.
      action_masks: Adds `info['action_mask']`, int8, as accepted by
        `action_space.sample(mask)`. `exact`: whether each action may have an effect;
        `puffer`: whether the player can afford it.
      setup: `published`, `repaired` or `puffer`, or a mapping of the names of repairs
        and switches to booleans: the rules, and for `puffer` the masks, for training
        agents; see `crafter.core.setups`. Adds `info['setup']`; `collapse` adds
        `info['ticks']`, the clock ticks since the reset.
      **parameters: Game parameters that differ from the defaults, such as
        `max_timesteps=10_000`; see `crafter.games.craftax.parameters.Parameters`.

    Attributes:
      game: Name of the game in recorded files.
      recorded: Entries of info that recorded episodes store unchanged.
      action_names: Names of the actions, by index.
      rules: The rules of the game.
      setup: Label of the setup; see `crafter.core.setups.label`.
      area: Rows and columns of a floor.
      view: Rows and columns of the cells that the agent sees.
      size: (width, height) of pixel observations.
      length: Step limit, `max_timesteps`.
      observation: Observation kind.
      tables: The rules, with names resolved.
      parameters: The parameters of the game.
      observer: Builder of observations.
      events: Whether events are recorded.
      world: The world; `None` before the first reset.
      player: The player in it; `None` before the first reset.
      episode: Number of the episode in the sequence of the seed, from 1.
      started: Origin of the current game: `None` for a plain reset, `options` of reset,
        or a saved `state`, including one loaded mid-episode.

    Raises:
      ValueError: If an argument is invalid; the message says what is valid.
      crafter.games.craftax.rules.RulesError: If the rules are invalid.

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

    game = "craftax"
    mask_kinds = tuple(affordances.MASKS)
    recorded = ("floor", "player_pos", "light", "sleeping", "resting")
    _own_size = None
    #: Width and height of a cell in pixel observations.
    _block_pixels = 10

    def __init__(
        self,
        observation: str = "symbolic",
        *,
        rules: Any = "published",
        seed: int | None = None,
        reward: bool = True,
        events: bool = False,
        render_mode: str | None = None,
        render_size: tuple[int, int] | int = _RENDER_SIZE,
        textures: str | os.PathLike | None = None,
        noise_angles: Mapping[str, Any] | None = None,
        action_masks: str | None = None,
        setup: Any = None,
        **parameters: Any,
    ) -> None:
        self.observation = one_of("observation", observation, OBSERVATIONS)
        rules, action_masks = setups.expand(Rules, setup, rules, action_masks)
        self.tables = tables.load(rules)
        self._use_setup(setup)
        super().__init__(
            self.tables.action_names, seed, reward, render_mode, action_masks
        )
        self.parameters = parameters_module.make(
            self.tables.data["parameters"], parameters
        )
        parameters_module.check(self.parameters, self.tables.data)
        self.observer = Observer(self.tables, self.parameters)
        self.events = bool(events)
        self._log: EventLog | None = None
        self._sampler = Sampler(self.tables, self.parameters)
        self._generator = WorldGenerator(self.tables, self.parameters, noise_angles)
        self._textures_folder = textures
        self._render_size = pair("render_size", render_size)
        sprites.cell_pixels(self._render_size, self.tables)  # raises if it is too small
        self._textures: Any = None
        self.observation_space = self._make_space()

        self.world: World | None = None
        self.player: Player | None = None
        self._start = 0
        self._rng = np.random.Generator(np.random.PCG64(0))

    def _keys(self) -> Mapping[str, str]:
        return {action.key: action.name for action in self.tables.actions}

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.tables.rules

    @property
    def area(self) -> Size:
        """Rows and columns of a floor."""
        return self.parameters.map_size, self.parameters.map_size

    @property
    def view(self) -> Size:
        """Rows and columns of the cells that the agent sees."""
        return self.observer.view

    @property
    def cells(self) -> Size:
        """Columns and rows of human-readable frames, in cells."""
        return sprites.frame_cells(self.tables)

    @property
    def size(self) -> Size:
        """(width, height) of pixel observations."""
        columns, rows = self.cells
        return columns * self._block_pixels, rows * self._block_pixels

    @property
    def length(self) -> int:
        """Steps after which an episode is truncated, `max_timesteps`."""
        return self.parameters.max_timesteps

    @property
    def clock(self) -> int:
        """Time on the clock, in steps: `step_count` plus the chosen daytime."""
        return self._need_game()[0].timestep

    @property
    def unlocked(self) -> set[str]:
        """Achievements unlocked in this episode."""
        _, player = self._need_game()
        names = self.tables.achievement_names
        return set(itertools.compress(names, player.achievements))

    @property
    def step_count(self) -> int:
        """Steps since reset."""
        return 0 if self.world is None else self.world.timestep - self._start

    @property
    def daylight(self) -> float:
        """Brightness of the overworld from 0 (darkest) to 1 (noon)."""
        return self._need_game()[0].light_level

    def frame(self, size: Size | int | None = None) -> np.ndarray:
        """Draws a frame for humans, in any render mode; never changes the game.

        The night noise is deterministic in the step.

        Args:
          size: (width, height) in pixels; by default that of pixel observations.

        Returns:
          uint8 of shape (height, width, 3).
        """
        world, player = self._need_game()
        view = self._view_of(None if size is None else pair("size", size))
        noise = None
        if player.level == 0 and game.is_dark(world):
            noise = self._night_noise(view.noise_shape)
        return view(world, player, noise)

    def snapshot(self, whole_map: bool = False) -> snapshot.Snapshot:
        """Returns a frozen record of the current state.

        Args:
          whole_map: Include the maps of all floors and all creatures.
        """
        _, player = self._need_game()
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
        """Returns the whole game state as a flat dict of arrays.

        `np.savez(path, **env.get_state())` saves it. The fields are those of
        `crafter.games.craftax.state.capture`.
        """
        world, player = self._need_game()
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
        """Resumes a game exactly, including its random stream.

        Args:
          value: Result of `get_state()`, possibly saved and loaded.

        Raises:
          crafter.games.craftax.state.StateError: If the value comes from another
            version, rules or parameters, or is damaged; nothing changes then.
        """
        self._install(*state.restore(value, self.tables, self.parameters))

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles the environment without its window and caches."""
        return {**super().__getstate__(), "_frame_views": {}}

    # Internals.

    def _need_game(self) -> tuple[World, Player]:
        if self.world is None or self.player is None:
            raise no_game()
        return self.world, self.player

    def _read_options(self, options: Mapping[str, Any] | None) -> options_module.Start:
        return options_module.parse(options, self.tables, self.parameters)

    def _make_space(self) -> spaces.Space[Any]:
        if self.observation != "pixels":
            return self.observer.space(self.observation)
        width, height = self.size
        return spaces.Box(0, 255, (height, width, 3), np.uint8)

    def _new_game(
        self, seed: int, episode: int, start: options_module.Start
    ) -> tuple[state.Moment, World, Player]:
        """Builds an episode, without changing the current one.

        Args:
          seed: Seed of the sequence of episodes.
          episode: Number of the episode, from 1.
          start: Validated options of `reset`.
        """
        rng = np.random.Generator(np.random.PCG64(episode_seed(seed, episode)))
        maps = self._generator.generate(self._generator.draw(rng))
        world, player = options_module.build(start, maps, self.tables, self.parameters)
        moment = state.Moment(seed, episode, world.timestep, ended=False, rng=rng)
        return moment, world, player

    def _begin(self, seed: int, episode: int, start: options_module.Start) -> None:
        self._install(*self._new_game(seed, episode, start))

    def _install(self, moment: state.Moment, world: World, player: Player) -> None:
        self._enter(moment.seed, moment.episode, moment.ended)
        self._start, self._rng = moment.start, moment.rng
        self.world, self.player = world, player
        self._events: tuple[dict[str, Any], ...] = ()
        names = self.tables.achievement_names
        self._achievements = dict(zip(names, map(int, player.achievements)))
        self._log = EventLog() if self.events else None
        world.emit = ignore if self._log is None else self._log.emit

    def _play(self, action: int) -> tuple[float, set[str], bool, bool]:
        world, player = self._need_game()
        last = self._start + self.length
        draw = functools.partial(self._sampler.draw, self._rng)
        reward = game.step(world, player, action, draw, last)
        names = self.tables.achievement_names
        unlocked = {names[number] for number in player.unlocked}
        self._achievements.update(dict.fromkeys(unlocked, 1))
        if self._log is not None:
            self._events = self._log.take()
        terminated = game.is_over(player)
        truncated = not terminated and self.step_count >= self.length
        return reward, unlocked, terminated, truncated

    def _look(self) -> Any:
        return self.observe(self.observation)

    def observe(self, kind: str) -> Any:
        """Returns the current observation of a kind, without side effects."""
        if kind == "pixels":
            return self.frame()
        return self.observer.observe(kind, self._need_game()[1])

    def _make_view(self, size: Size | None) -> Any:
        # Rendering is imported lazily to speed up play without images.
        from crafter.games.craftax.views import FrameView, SizedView

        if size is None:
            return FrameView(self._block_pixels, self._pack(), self.tables)
        return SizedView(size, self._pack(), self.tables)

    def _pack(self) -> Any:
        """Returns the texture pack, a `textures.Textures`."""
        from crafter.games.craftax.textures import Textures

        if self._textures is None:
            self._textures = Textures(self._textures_folder)
        return self._textures

    def _night_noise(self, shape: tuple[int, int]) -> np.ndarray:
        """Returns noise that depends only on the episode and the step."""
        from crafter.games.craftax.views import night_noise

        assert self._seed is not None
        place = episode_seed(self._seed, self.episode), self.step_count
        return night_noise(np.random.default_rng(place), shape)

    def _action_mask(self) -> np.ndarray:
        return affordances.MASKS[self.mask_kind](self._need_game()[1])

    def _info(self, reward: float, unlocked: Collection[str]) -> dict[str, Any]:
        world, player = self._need_game()
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
            "unlocked": set(unlocked),
            "action": player.action,
            "light": world.light_level,
            "events": self._events,
        }
