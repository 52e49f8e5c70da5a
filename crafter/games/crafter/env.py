"""Gymnasium environment of Crafter."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from crafter.core import setups
from crafter.core.env import GameEnv, Size, no_game
from crafter.core.grid import frozen
from crafter.core.validation import pair
from crafter.games.crafter import affordances, observations, snapshot
from crafter.games.crafter import start as options_module
from crafter.games.crafter.engine import World
from crafter.games.crafter.game import Game
from crafter.games.crafter.objects import Player
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.settings import Settings, checked_length, rules_of
from crafter.games.crafter.views import FrameView, SemanticView, Textures, cell_size

_WINDOW_SIZE = (600, 600)


class Env(GameEnv):
    """Crafter: an open world with survival, exploration and crafting.

    The observation is an image of the map around the player with the inventory
    below, uint8 of shape (height, width, 3). There are 17 actions and 22
    achievements. The reward is +1 in a step that unlocks an achievement for the
    first time in the episode, and +-0.1 per point of health. Health 0 terminates the
    episode; it is truncated after `length` steps. The rules can change all of this.

    Args:
      area: Map size (x, y) in cells.
      view: Cells shown (columns, rows), inventory rows included; one number for a
        square.
      size: Observation size (width, height) in pixels; one number for a square. The
        size affects the game, since the night noise draws one random number per pixel.
      reward: If false, the returned reward is always 0; `info['reward']` is unaffected.
      length: Steps after which an episode is truncated; `None` or 0 for no limit.
      seed: Seed of the sequence of episodes; by default drawn at the first reset.
      textures: Folder of a texture pack; see `crafter.games.crafter.views.Textures`.
      render_mode: `rgb_array`, `human` (a window) or `None`.
      render_size: Size (width, height) of `render()` in pixels; by default that of
        the observation, or 600x600 in a window.
      events: Whether to record the events of each step in `info['events']`.
      observation: `pixels`, `compact`, `symbolic` or `semantic`; see
        `crafter.games.crafter.observations`.
      night_noise: Random stream of the night noise: `published` draws it from the
        stream of the game, so that rendering affects the game; `private` does not.
        Without pixels nothing is drawn.
      items: Changes to the item table, such as `{'health': {'max': 5, 'initial':
        5}}`; shorthand for the section `items` of the rules.
      rules: The rules of the game: `crafter.games.crafter.rules.Rules`, a mapping of
        changes to the default ones, or the path of a YAML file; see
        `crafter.games.crafter.rules.load`. By default those of the published game.
      action_masks: `exact` adds `info['action_mask']`: whether each action may have an
        effect; int8, as accepted by `action_space.sample(mask)`.
      setup: `published`, or a mapping of the names of switches to booleans; see
        `crafter.core.setups`. Adds `info['setup']`; `collapse` adds `info['ticks']`,
        the clock ticks since the reset.

    Attributes:
      rules: The rules of the game, including the item table.
      setup: Label of the setup; see `crafter.core.setups.label`.
      area: Map size (x, y).
      view: View size (columns, rows).
      size: Observation size (width, height).
      length: Step limit or `None`; a new value applies at once.
      observation: Observation kind.
      night_noise: Where the noise of dark pixels comes from.
      events: Whether events are recorded.
      action_names: Names of the actions, by index.
      world: The world; `None` before the first reset.
      player: The player in it; `None` before the first reset.
      episode: Number of the episode in the sequence of the seed, from 1.
      started: Origin of the current game: `None` for a plain reset, `options` of reset,
        or a saved `state`, including one loaded mid-episode.
      step_count: Steps since reset.

    Raises:
      ValueError: If an argument is invalid; the message says what is valid.
      crafter.games.crafter.rules.RulesError: If the rules are invalid; the message has
        the path.
      crafter.games.crafter.views.TextureError: If the texture pack is unusable.

    Source:
      Hafner 2022, "Benchmarking the Spectrum of Agent Capabilities"; behaviour of
      Crafter 1.8.3, bit for bit.

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

    game = "crafter"
    recorded = ("semantic", "player_pos")

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
        rules: Rules | Mapping[str, Any] | str | os.PathLike | None = None,
        action_masks: str | None = None,
        setup: Any = None,
    ) -> None:
        shown = None if render_size is None else pair("render_size", render_size)
        rules, action_masks = setups.expand(Rules, setup, rules, action_masks)
        self._settings = settings = Settings(
            area=pair("area", area, scalar=False),
            view=pair("view", view),
            size=pair("size", size),
            reward=bool(reward),
            length=checked_length(length),
            textures=Textures(textures),
            observation=observation,
            night_noise=night_noise,
            render_size=shown,
            rules=rules_of(rules, items),
        )
        super().__init__(
            settings.rules.actions, seed, settings.reward, render_mode, action_masks
        )
        self.area, self.view, self.size = settings.area, settings.view, settings.size
        self.observation = settings.observation
        self.night_noise = settings.night_noise
        self.rules = settings.rules
        self._use_setup(setup)
        window_size = _WINDOW_SIZE if render_mode == "human" else self.size
        self._render_size = settings.render_size or window_size
        cell_size(self.view, self._render_size)  # raises if it is too small
        self._own_size = self.size
        self._view_of(self.size)  # eagerly, not at the first frame
        self.events = bool(events)
        self.observation_space = settings.observation_space
        self._game: Game | None = None

    @classmethod
    def from_scene(cls, scene: Any, **kwargs: Any) -> Env:
        """Creates an environment at the start of a scene.

        Args:
          scene: A `crafter.tasks.scenes.Scene`. `reset(**scene.reset_arguments())`
            restarts it.
          **kwargs: Arguments of the class.

        Raises:
          ValueError: If the scene cannot be built with these arguments.
        """
        env = cls(**{"area": scene.area, **kwargs})
        env.reset(**scene.reset_arguments())
        return env

    def _keys(self) -> Mapping[str, str]:
        from crafter.games.crafter.keyboard import KEYS  # Only humans need keys.
        from crafter.gui.keys import with_spare_keys

        return with_spare_keys(KEYS, self.action_names)

    # Inspection.

    @property
    def world(self) -> World | None:
        """The world; `None` before the first reset."""
        return None if self._game is None else self._game.world

    @property
    def player(self) -> Player | None:
        """The player in the world; `None` before the first reset."""
        return None if self._game is None else self._game.player

    @property
    def running(self) -> Game | None:
        """The underlying `Game`; `None` before the first reset."""
        return self._game

    @property
    def length(self) -> int | None:
        """Step limit or `None`; a new value applies at once."""
        return self._settings.length

    @length.setter
    def length(self, length: int | None) -> None:
        self._change(length=checked_length(length))

    @property
    def step_count(self) -> int:
        """Steps since reset."""
        return 0 if self._game is None else self._game.step_count

    @property
    def unlocked(self) -> set[str]:
        """Achievements unlocked in this episode."""
        return self._need_game().unlocked

    @property
    def daylight(self) -> float:
        """Brightness from 0 (darkest) to 1 (noon)."""
        return self._need_game().world.daylight

    @property
    def clock(self) -> int:
        """Time on the clock, in steps: `step_count` plus the chosen daytime."""
        return self._need_game().clock

    def frame(
        self, size: tuple[int, int] | int | None = None, noise: bool = True
    ) -> np.ndarray:
        """Draws a frame for humans, in any render mode; never changes the game.

        At the size of the observation it equals the latest observation; at other sizes
        the night noise comes from a separate stream, deterministic in the step.

        Args:
          size: (width, height) in pixels; by default that of the observation.
          noise: Whether to draw night noise instead of a uniform grey.

        Returns:
          uint8 of shape (height, width, 3).
        """
        game = self._need_game()
        size = self.size if size is None else pair("size", size)
        return game.draw(self._view_of(size), noise)

    def _make_view(self, size: Size | None) -> FrameView:
        return self._settings.frame_view(size or self.size)

    def snapshot(self, whole_map: bool = False) -> snapshot.Snapshot:
        """Returns a frozen record of the current state.

        Args:
          whole_map: Include the whole map and all objects.
        """
        return self._need_game().snapshot(whole_map)

    # Save and resume.

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the whole game state as a flat dict of arrays.

        `np.savez(path, **env.get_state())` saves it. The fields are those of
        `crafter.games.crafter.state.capture`.
        """
        return self._need_game().state()

    def set_state(self, value: Mapping[str, Any]) -> None:
        """Resumes a game exactly, including its random stream.

        Args:
          value: Result of `get_state()`, possibly saved and loaded.

        Raises:
          crafter.games.crafter.state.StateError: If the value comes from another
            version, configuration or rules, or is damaged; nothing changes then.
        """
        self._install(Game.resume(self._settings, value, self.events))

    # Internals.

    def _need_game(self) -> Game:
        if self._game is None:
            raise no_game()
        return self._game

    def _read_options(self, options: Mapping[str, Any] | None) -> options_module.Start:
        return options_module.parse(options, self.area, self.rules)

    def _change(self, **settings: Any) -> None:
        """Changes settings of the running game and of later ones."""
        self._settings = dataclasses.replace(self._settings, **settings)
        self._rewarded = self._settings.reward
        if self._game is not None:
            self._game.settings = self._settings

    def _begin(self, seed: int, episode: int, start: options_module.Start) -> None:
        self._install(Game.begin(self._settings, seed, episode, start, self.events))

    def _install(self, game: Game) -> None:
        self._game = game
        self._enter(game.seed, game.episode, game.ended)
        self._sem_view = SemanticView(game.world)

    def _play(self, action: int) -> tuple[float, Collection[str], bool, bool]:
        return self._need_game().step(self.action_names[action])

    def _look(self) -> Any:
        return self.observe(self.observation)

    def observe(self, kind: str) -> Any:
        """Returns the current observation of a kind, without side effects."""
        game = self._need_game()
        if kind == "pixels":
            return self.frame()
        return observations.observe(kind, game.world, game.player, self.view)

    def _action_mask(self) -> np.ndarray:
        return affordances.action_mask(self._need_game().player)

    def _info(self, reward: float, unlocked: Collection[str]) -> dict[str, Any]:
        game = self._need_game()
        player = game.player
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
            "action": player.executed,
            "view": np.array(self.view),
            "daylight": game.world.daylight,
            "events": game.events,
        }

    # Names of the published package, for compatibility with agents.

    _world, _player, _step, _length = world, player, step_count, length

    @property
    def _area(self) -> tuple[int, int]:
        return self.area

    @property
    def _view(self) -> np.ndarray:
        return frozen(np.array(self.view))

    @property
    def _unlocked(self) -> set[str]:
        return self._need_game().known
