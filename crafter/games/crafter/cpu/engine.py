"""The games of a batch as records."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from crafter.compiled import engine, work_queue
from crafter.compiled.engine import Staged
from crafter.compiled.jit import announcer
from crafter.compiled.memory import record
from crafter.core.clock import daylight, is_dark
from crafter.core.stream import episode_seed
from crafter.games.crafter import game, layout, state
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import affordances, capacity, observers, run, worldgen
from crafter.games.crafter.cpu import state as records
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player
from crafter.games.crafter.settings import Settings
from crafter.games.crafter.start import Start
from crafter.games.crafter.views import FrameView, private_noise

_TABLE_LIMIT = 2**20
_Game = tuple[state.Moment, World, Player]


class Daylight:
    """Brightness by step of the clock, each computed once.

    Args:
      time: The section `time` of the rules.
    """

    def __init__(self, time: Mapping[str, Any]) -> None:
        self._time = time
        self._table = self._compute([0])

    def _compute(self, steps: Iterable[int]) -> np.ndarray:
        # As numbers, since array functions may round differently.
        return np.array([daylight(step, self._time) for step in steps])

    def __call__(self, clock: np.ndarray) -> np.ndarray:
        """Returns the brightness, float64, at steps of the clock, int64."""
        last = int(clock.max(initial=0))
        if last >= _TABLE_LIMIT:
            return self._compute(clock.tolist())
        return self.table(last)[clock]

    def reaches(self, last: int) -> bool:
        """Returns whether the brightness is known up to a step."""
        return last < len(self._table)

    def table(self, last: int) -> np.ndarray:
        """Returns the brightness by step, float64, at least up to a step."""
        if not self.reaches(last):
            steps = range(len(self._table), max(last + 1, 2 * len(self._table)))
            self._table = np.append(self._table, self._compute(steps))
        return self._table


class Engine(engine.Engine):
    """The games of a batch, records of `layout.dtype`.

    Args:
      count: Number of games.
      settings: What all games have in common.
      threads: Number of threads.

    Attributes:
      view: View size (columns, rows).
    """

    def __init__(self, count: int, settings: Settings, threads: int) -> None:
        self._settings, self.view = settings, settings.view
        self._max_objects = capacity.default_max_objects(settings.area)
        self._light = Daylight(settings.rules.time)
        self._latest = 0  # no game is at a later step of its clock
        reach = float(settings.rules.world["update_range"] * max(settings.view))
        self._rules = record(reach=reach, **vars(t.Tables(settings.rules)))
        super().__init__(
            np.zeros(count, layout.dtype(settings.area, self._max_objects)),
            len(t.ACHIEVEMENT),
            settings.length,
            observers.make(settings, count),
            [
                worldgen.make_ground(settings.area, settings.rules)
                for _ in range(threads)
            ],
        )

    # Play.

    def step(self, which: np.ndarray, actions: np.ndarray, over: np.ndarray) -> None:
        """Plays one step; see `crafter.compiled.engine.Engine.step`."""
        self._latest += 1
        super().step(which, actions, over)

    def terms(self) -> tuple[Any, ...]:
        """Returns brightness and rules; see `run`."""
        return *self._brightness(), self._rules

    def _brightness(self) -> tuple[np.ndarray, bool]:
        """Returns the brightness by step of the clock, or if that is too long per game.

        Returns:
          Brightness, float64, up to the next step of all games or in it; and whether it
          is per game.
        """
        if not self._light.reaches(self._latest):
            # It counts all steps of the batch; episodes are shorter.
            clock = self.games["step"] + self.games["clock_offset"] + 1
            self._latest = int(clock.max(initial=0))
            if self._latest >= _TABLE_LIMIT:
                return self._light(clock), True
        return self._light.table(self._latest), False

    def retry_resets(self, which: np.ndarray) -> None:
        """Makes the worlds that the compiled generator could not make."""
        unsure = which[self.results["status"][which] == worldgen.UNSURE]
        full = which[self.results["status"][which] == worldgen.FULL]
        for b in unsure.tolist():
            seed, episode = self.seeds[b], int(self.games["episode"][b])
            assert seed is not None
            self.install(
                [b], self.stage_starts([b], [seed], [episode], Start()), fresh=True
            )
        if len(full):
            self._grow(2 * self._max_objects)
            self.games["episode"][full] -= 1  # the same episode again
            self._play(full)

    def retry_steps(self, which: np.ndarray, actions: np.ndarray) -> None:
        """Steps games that had too few slots for objects."""
        self._grow(2 * self._max_objects)
        self._play(which[:0], which, actions)

    def _grow(self, max_objects: int) -> None:
        print(
            "crafter: a game needs slots for more objects; max_objects grows from "
            f"{self._max_objects} to {max_objects} for all games.",
            file=sys.stderr,
            flush=True,
        )
        announcer.tell_again()
        self.games = capacity.grown(self.games, self._settings.area, max_objects)
        self._max_objects = max_objects

    # Games from outside.

    def new_game(self, seed: int, episode: int, start: Start) -> _Game:
        """Makes a game as the options of a reset say."""
        return game.new_game(self._settings, seed, episode, start)

    def read_state(self, value: Any) -> _Game:
        """Reads a saved game."""
        return state.restore(value, self._settings)

    def record(self, games: np.ndarray, i: int, made: _Game) -> np.ndarray:
        """Writes a game into a record; see `crafter.compiled.engine.Engine.record`."""
        moment, world, player = made
        records.check_fits(moment, world, player)
        if len(world.objects) > self._max_objects:
            self._grow(capacity.power_of_two(len(world.objects)))
            games = capacity.grown(games, self._settings.area, self._max_objects)
        records.load(games[i], moment, world, player)
        return games

    def install(self, which: Any, staged: Staged, fresh: bool) -> None:
        """Puts games in place; see `crafter.compiled.engine.Engine.install`."""
        steps = [moment.step + moment.clock_offset for moment in staged.moments]
        self._latest = max([self._latest, *steps])
        super().install(which, staged, fresh)

    def get_state(self, b: int) -> dict[str, np.ndarray]:
        """Returns a game in the format of `crafter.games.crafter.state.capture`."""
        record, seed = self.games[b], self.seeds[b]
        assert seed is not None
        moment = state.Moment(
            seed=seed,
            episode=int(record["episode"]),
            step=int(record["step"]),
            clock_offset=int(record["clock_offset"]),
            last_health=int(record["rewarded_health"]),
            ended=bool(record["ended"]),
            noise=self.observer.noise(self.games, b),
        )
        world, player = records.unload(record, self._settings.rules)
        return state.capture(self._settings, moment, world, player)

    # Look.

    def semantic_maps(self, which: np.ndarray) -> np.ndarray:
        """Returns the semantic ids of whole maps, uint8 (count, *area)."""
        maps = np.zeros((len(self.games), *self._settings.area), np.uint8)
        made, games = work_queue.make_counters(), self.games
        self._threads.run(
            lambda _: run.map_games(made, which, games, maps),
            work_queue.count_pieces(len(which), 0),
        )
        return maps

    def action_masks(self, which: np.ndarray) -> np.ndarray:
        """Returns which actions may have an effect in some games, int8 (n, 17)."""
        masks = np.zeros((len(which), len(t.ACTIONS)), np.int8)
        affordances.fill_masks(self.games, which, self._rules, masks)
        return masks

    def picture(self, view: FrameView, b: int) -> np.ndarray:
        """Draws a game for people, as `crafter.Env.frame` does; changes nothing.

        Args:
          view: Says what the picture looks like.
          b: The game.

        Returns:
          uint8 of shape (height, width, 3).
        """
        record, seed = self.games[b], self.seeds[b]
        assert seed is not None
        rules = self._settings.rules
        world, player = records.unload(record, rules)
        if not is_dark(world.daylight, rules.time):
            return view(world, player)
        stream, step = episode_seed(seed, int(record["episode"])), int(record["step"])
        noise = private_noise(stream, step, view.noise_shape, rules.light)
        return view(world, player, noise)
