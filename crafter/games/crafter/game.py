"""Game loop: a world, its player and a clock, and the order of updates in a step.

Independent of Gymnasium and rendering; `crafter.games.crafter.env` adds both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core.clock import daylight, is_dark
from crafter.core.events import EventLog
from crafter.core.stream import episode_seed
from crafter.games.crafter import snapshot, state
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player
from crafter.games.crafter.settings import Settings
from crafter.games.crafter.spawning import balance
from crafter.games.crafter.start import Start, build
from crafter.games.crafter.state import Moment
from crafter.games.crafter.views import FrameView, night_noise, private_noise


class Game:
    """An episode, created by `begin` or `resume`.

    Args:
      settings: Settings shared by all episodes.
      moment: The counters.
      world: The world.
      player: The player in it.
      events: Whether events are recorded.

    Attributes:
      settings: Settings shared by all episodes.
      world: The world.
      player: The player in it.
      seed: Seed of the sequence of episodes.
      episode: Number of the episode in it, from 1.
      step_count: Steps since the start.
      clock_offset: Steps added to `step_count` for the time of day.
      ended: Whether the latest step ended the episode.
      noise: Grey levels of the latest observation, float64 of shape (width, height);
        `None` by day, or if noise is not part of the game.
      events: Events of the latest step; empty if events are off.
      last_health: Health at the end of the latest step, for the reward.
      known: Achievements already rewarded in this episode.
    """

    _collapses = False  # default for games pickled without it

    def __init__(
        self,
        settings: Settings,
        moment: Moment,
        world: World,
        player: Player,
        events: bool = False,
    ) -> None:
        self.settings = settings
        self.world, self.player = world, player
        self.seed, self.episode = moment.seed, moment.episode
        self.step_count, self.clock_offset = moment.step, moment.clock_offset
        self.ended, self.noise = moment.ended, moment.noise
        self.events: tuple[dict[str, Any], ...] = ()
        self.last_health = moment.last_health
        self._log = EventLog() if events else None
        if self._log is not None:
            world.emit = self._log.emit
        self.known = {name for name, count in player.achievements.items() if count}
        rules = settings.rules
        self._reach = rules.world["update_range"] * max(settings.view)
        self._rewards = Rewards(rules.rewards)
        self._collapses = "collapse" in rules.applied
        self._noise_shape = settings.noise_shape if settings.draws_noise else None

    @classmethod
    def begin(
        cls,
        settings: Settings,
        seed: int,
        episode: int,
        start: Start,
        events: bool = False,
    ) -> Game:
        """Starts an episode.

        Args:
          settings: Settings shared by all episodes.
          seed: Seed of the sequence of episodes.
          episode: Number of the episode in it, from 1.
          start: Options without a state.
          events: Whether events are recorded.

        Raises:
          crafter.games.crafter.start.OptionsError: If an object cannot stand at its
            cell.
        """
        game = cls(settings, *new_game(settings, seed, episode, start), events=events)
        game._draw_noise()
        return game

    @classmethod
    def resume(
        cls, settings: Settings, value: Mapping[str, Any], events: bool = False
    ) -> Game:
        """Resumes a saved game; see `state`.

        Raises:
          crafter.games.crafter.state.StateError: If the state does not match the
            settings or is damaged.
        """
        return cls(settings, *state.restore(value, settings), events=events)

    # Playing.

    def step(self, action: str) -> tuple[float, frozenset[str], bool, bool]:
        """Plays one step: one tick of the clock, or several with `collapse`.

        The night noise is drawn once per step, for the returned frame.

        Args:
          action: Name of the action.

        Returns:
          Reward, achievements unlocked in this step, whether the health is 0, and
          whether the step limit is reached alive.
        """
        reward, unlocked, dead, truncated = self._tick(action)
        while self._collapses and self.player.sleeping and not self.ended:
            more, new, dead, truncated = self._tick("noop")
            reward, unlocked = reward + more, unlocked | new
        self._draw_noise()
        if self._log is not None:
            self.events = self._log.take()
        return reward, unlocked, dead, truncated

    def _tick(self, action: str) -> tuple[float, frozenset[str], bool, bool]:
        player = self.player
        player.action = action
        was_dead = player.health <= 0
        self.step_count += 1
        self._update_time()
        self._update_objects()
        if self.step_count % self.settings.rules.balance["interval"] == 0:
            balance(self.world, player)
        unlocked = self._newly_unlocked()
        health = player.health
        reward = self._rewards(health - self.last_health, bool(unlocked))
        self.last_health = health
        dead = health <= 0
        truncated = not dead and 0 < (self.settings.length or 0) <= self.step_count
        self.ended = dead or truncated
        if dead and not was_dead:
            self.world.emit("died", by=list(player.hurt_by))
        return reward, unlocked, dead, truncated

    def _update_time(self) -> None:
        world, time = self.world, self.settings.rules.time
        was_dark = is_dark(world.daylight, time)
        world.daylight = daylight(self.clock, time)
        day, step_of_day = divmod(self.clock, time["day"])
        if is_dark(world.daylight, time) != was_dark:
            world.emit("dawn" if was_dark else "dusk", n=day)
        if step_of_day == 0:
            world.emit("new_day", n=day)

    def _update_objects(self) -> None:
        player, reach = self.player, self._reach
        objects = self.world.objects
        player.update()  # first by index; only it moves the active area
        x, y = player.x, player.y
        for obj in objects:
            if abs(x - obj.x) + abs(y - obj.y) < reach and obj is not player:
                obj.update()

    def _newly_unlocked(self) -> frozenset[str]:
        new = frozenset(self.unlocked - self.known)
        self.known |= new
        return new

    def _draw_noise(self) -> None:
        """Draws the noise of an observation from the game's own stream.

        Only here does rendering affect the game: as in the published version, one
        number is drawn per pixel of the map at night.
        """
        self.noise = None
        shape, rules = self._noise_shape, self.settings.rules
        if shape is not None and is_dark(self.world.daylight, rules.time):
            uniforms = self.world.random.uniforms(shape[0] * shape[1])
            self.noise = night_noise(uniforms, rules.light).reshape(shape)

    # Inspection.

    @property
    def clock(self) -> int:
        """Time on the clock, in steps."""
        return self.step_count + self.clock_offset

    @property
    def unlocked(self) -> set[str]:
        """Achievements unlocked in this episode."""
        return {name for name, count in self.player.achievements.items() if count}

    def draw(self, view: FrameView, noisy: bool = True) -> np.ndarray:
        """Draws a frame for humans, without side effects.

        Args:
          view: The renderer. At the size of the observation, the latest noise is used.
          noisy: Whether to draw night noise instead of a uniform grey.

        Returns:
          uint8 of shape (height, width, 3).
        """
        grey = self.noise if noisy and view.size == self.settings.size else None
        if grey is None and is_dark(self.world.daylight, self.settings.rules.time):
            grey = self._grey(view.noise_shape, noisy)
        return view(self.world, self.player, grey)

    def _grey(self, shape: tuple[int, int], noisy: bool) -> np.ndarray:
        light = self.settings.rules.light
        if not noisy:
            return night_noise(np.full(shape, 0.5), light)
        seed = episode_seed(self.seed, self.episode)
        return private_noise(seed, self.step_count, shape, light)

    def snapshot(self, whole_map: bool = False) -> snapshot.Snapshot:
        """Returns a frozen record of the current state.

        Args:
          whole_map: Include the whole map and all objects.
        """
        return snapshot.take(self, whole_map)

    def state(self) -> dict[str, np.ndarray]:
        """Returns the whole game state; see `crafter.games.crafter.state.capture`."""
        counters = self.step_count, self.clock_offset, self.last_health
        moment = Moment(self.seed, self.episode, *counters, self.ended, self.noise)
        return state.capture(self.settings, moment, self.world, self.player)


class Rewards:
    """Reward function of a step.

    Args:
      rules: The section `rewards` of the rules.
    """

    def __init__(self, rules: Mapping[str, float]) -> None:
        self._unlock = float(rules["unlock"])
        # Divides, as published: 7 / 10 is not 7 * 0.1.
        self._points = 1 / rules["health"] if rules["health"] else 0.0

    def __call__(self, health: int, unlocks: bool) -> float:
        """Returns the reward.

        Args:
          health: Change of health.
          unlocks: Whether any achievement was newly unlocked.
        """
        reward = health / self._points if self._points else 0.0
        return reward + self._unlock if unlocks else reward


def new_game(
    settings: Settings, seed: int, episode: int, start: Start
) -> tuple[Moment, World, Player]:
    """Builds the world of an episode; see `Game.begin`."""
    seeded = episode_seed(seed, episode)
    world, player = build(start, settings.area, settings.rules, seeded)
    offset, health = start.daytime, player.health
    return Moment(seed, episode, 0, offset, health, False, None), world, player
