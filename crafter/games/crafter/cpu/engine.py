"""The games of a batch: reset, step, look, save and resume, on several threads.

An engine knows nothing of Gymnasium: what starts an episode, and when, is up to its
caller.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.compiled import work_queue
from crafter.compiled.jit import announcer
from crafter.compiled.thread_pool import Team
from crafter.core import clock
from crafter.core.clock import is_dark
from crafter.core.stream import episode_seed
from crafter.games.crafter import game, layout, state
from crafter.games.crafter import start as options_module
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import capacity, run, worldgen
from crafter.games.crafter.cpu import state as records
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player
from crafter.games.crafter.settings import Settings
from crafter.games.crafter.views import FrameView

_TABLE_LIMIT = 2**20
_NONE = np.zeros(0, np.int64)


def daylight(step: int) -> float:
    """Returns the brightness at a step of the clock."""
    return clock.daylight(step, t.RULES.time)


class Daylight:
    """Brightness by step of the clock, each computed once."""

    def __init__(self) -> None:
        self._table = np.array([daylight(0)])

    def __call__(self, clock: np.ndarray) -> np.ndarray:
        """Returns the brightness, float64, at steps of the clock, int64."""
        last = int(clock.max(initial=0))
        if last >= _TABLE_LIMIT:
            # As numbers, since array functions may round differently.
            return np.array([daylight(step) for step in clock.tolist()])
        return self.table(last)[clock]

    def reaches(self, last: int) -> bool:
        """Returns whether the brightness is known up to a step."""
        return last < len(self._table)

    def table(self, last: int) -> np.ndarray:
        """Returns the brightness by step, float64, at least up to a step."""
        if not self.reaches(last):
            steps = range(len(self._table), max(last + 1, 2 * len(self._table)))
            self._table = np.append(self._table, [daylight(step) for step in steps])
        return self._table


_Game = tuple[state.Moment, World, Player]


class Staged(NamedTuple):
    """Games that are ready to be put in place.

    Attributes:
      games: Records of `layout.dtype`, shape (n,).
      moments: What else belongs to them.
    """

    games: np.ndarray
    moments: list[state.Moment]


class Engine:
    """The games of a batch.

    Args:
      count: Number of games.
      settings: What all games have in common.
      observer: Makes the observations; one of `crafter.games.crafter.cpu.observers`.
      threads: Number of threads.

    Attributes:
      games: Records of `layout.dtype`, shape (count,).
      seeds: Seed of the sequence of episodes of every game; `None` before the first
        reset.
      view: View size (columns, rows).
      observer: Makes the observations.
    """

    def __init__(
        self,
        count: int,
        settings: Settings,
        observer: Any,
        threads: int,
    ) -> None:
        self._settings = settings
        self.view = settings.view
        self._max_objects = capacity.default_max_objects(settings.area)
        self.games = np.zeros(count, layout.dtype(settings.area, self._max_objects))
        self.seeds: list[int | None] = [None] * count
        self.observer = observer
        self._stale = False
        self._ledger = np.zeros(count, run.LEDGER)
        self._light = Daylight()
        self._latest = 0  # no game is at a later step of its clock
        self._terms = (
            t.RULES.world["update_range"] * max(settings.view),
            daylight(0),
            _column(settings.rules.items, "initial"),
            _column(settings.rules.items, "max"),
        )
        self._team = Team(threads)
        self._sketches = [observer.make_scratch() for _ in range(threads)]
        self._grounds = [worldgen.make_ground(settings.area) for _ in range(threads)]

    # What came of the latest step; views, since copies of the engine copy the ledger.

    @property
    def rewards(self) -> np.ndarray:
        """Rewards, float64 (count,); 0 after a reset."""
        return self._ledger["reward"]

    @property
    def terminated(self) -> np.ndarray:
        """Whether the player is dead, bool (count,)."""
        return self._ledger["terminated"]

    @property
    def truncated(self) -> np.ndarray:
        """Whether the step limit is reached, bool (count,)."""
        return self._ledger["truncated"]

    @property
    def unlocked(self) -> np.ndarray:
        """Newly unlocked achievements, bool (count, achievements)."""
        return self._ledger["unlocked"].view(bool)

    # Play.

    def step(self, which: np.ndarray, actions: np.ndarray, over: np.ndarray) -> None:
        """Plays one step, starts the next episode of others, and looks at all.

        Args:
          which: Games to step, int64 (n,), each once.
          actions: Valid action per game, int64 (count,).
          over: Games to reset, int64 (m,), without repetition; all have a seed.
        """
        self.observer.forget(which)
        self._latest += 1
        if self._play(over, which, actions):
            self._retry_resets(over)
            crowded = which[self._ledger["crowded"][which]]
            while len(crowded):
                self._grow(2 * self._max_objects)
                self._play(_NONE, crowded, actions)
                crowded = crowded[self._ledger["crowded"][crowded]]
        self._stale &= len(which) + len(over) < len(self.games)

    def reset(self, which: np.ndarray) -> None:
        """Starts the next episode and looks at it.

        Args:
          which: Games to reset, int64 (n,), without repetition; all have a seed.
        """
        if self._play(which):
            self._retry_resets(which)
        self._stale &= len(which) < len(self.games)

    def reseed(self, b: int, seed: int) -> None:
        """Makes the next episode of a game the first one of a seed."""
        self.seeds[b] = seed
        self.games["lane"][b] = records.lane(seed)
        self.games["episode"][b] = 0

    def _play(
        self,
        resets: np.ndarray,
        steps: np.ndarray = _NONE,
        actions: np.ndarray = _NONE,
    ) -> bool:
        """Starts the next episode of some games, steps others, and looks at them.

        Returns:
          Whether one could not be reset or stepped: the ledger says which.
        """
        if len(resets):
            self.observer.forget(resets)
        work = self._work(resets, steps, _NONE, actions)
        play, grounds, sketches = self.observer.play, self._grounds, self._sketches
        pieces = run.count_pieces(len(resets) + len(steps), len(resets))
        self._team.run(lambda m: play(work, grounds[m], sketches[m]), pieces)
        return work_queue.noted(work[0])

    def _work(
        self,
        resets: np.ndarray,
        steps: np.ndarray,
        looks: np.ndarray,
        actions: np.ndarray,
    ) -> tuple[Any, ...]:
        """Returns a round, as the functions of `run` take it."""
        # Resets first, which take long, so that no thread waits long for another.
        parts = [part for part in (resets, steps, looks) if len(part)]
        order = parts[0] if len(parts) == 1 else np.concatenate(parts or [_NONE])
        light, by_game = self._brightness()
        counts = len(resets), len(steps)
        games = self.games, self._ledger, actions
        length = self._settings.length or 0
        made = work_queue.make_turns()
        return made, order, *counts, *games, light, by_game, length, *self._terms

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

    def _retry_resets(self, which: np.ndarray) -> None:
        failed = which[self._ledger["status"][which] != worldgen.DONE]
        while len(failed):
            self._retry(failed)
            failed = failed[self._ledger["status"][failed] != worldgen.DONE]

    def _retry(self, which: np.ndarray) -> None:
        """Makes the worlds that the compiled generator could not make."""
        unsure = which[self._ledger["status"][which] == worldgen.UNSURE]
        full = which[self._ledger["status"][which] == worldgen.FULL]
        for b in unsure.tolist():
            seed, episode = self.seeds[b], int(self.games["episode"][b])
            assert seed is not None
            start = options_module.Start()
            staged = self.stage_starts([b], [seed], [episode], start)
            self.install([b], staged, fresh=True)
        if len(full):
            self._grow(2 * self._max_objects)
            self.games["episode"][full] -= 1  # the same episode again
            self._play(full)

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

    def stage_starts(
        self,
        which: Sequence[int],
        seeds: Sequence[int],
        episodes: Sequence[int],
        start: options_module.Start,
    ) -> Staged:
        """Makes games as the options of a reset say; changes none.

        The worlds come from the single environment's generator, which is slower.

        Args:
          which: Which games they will replace; for messages.
          seeds: Seed of the sequence of episodes, per game.
          episodes: Number of the episode, per game.
          start: Options without a state.

        Raises:
          crafter.games.crafter.start.OptionsError: If an object would stand where it
            cannot.
        """

        def build(i: int) -> _Game:
            return game.new_game(self._settings, seeds[i], episodes[i], start)

        return self._stage(which, build)

    def stage_states(self, which: Sequence[int], values: Sequence[Any]) -> Staged:
        """Reads saved games; changes none.

        Args:
          which: Which games they will replace; for messages.
          values: Values of `get_state`, ours or the single environment's.

        Raises:
          crafter.games.crafter.state.StateError: If one does not fit or is damaged.
        """

        def restore(i: int) -> _Game:
            return game.read_state(self._settings, values[i])

        return self._stage(which, restore)

    def install(self, which: Sequence[int], staged: Staged, fresh: bool) -> None:
        """Puts games in place, and looks at them.

        Args:
          which: Where, each once, in the order of the staged games.
          staged: The games.
          fresh: Whether this is the first look at them, which is part of the game
            with published noise.
        """
        for i, b in enumerate(which):
            moment = staged.moments[i]
            self.games[b] = staged.games[i]
            self.seeds[b] = moment.seed
            self._latest = max(self._latest, moment.step + moment.clock_offset)
            self._ledger[b] = 0
            self._ledger["status"][b] = worldgen.DONE
            one = np.array([b])
            self.observer.forget(one)
            if fresh:
                room = self._grounds[0], self._sketches[0]
                work = self._work(_NONE, _NONE, one, _NONE)
                self.observer.play(work, *room)
            else:
                self._look_again(b, moment.noise)

    def _look_again(self, b: int, noise: np.ndarray | None) -> None:
        work = self._work(_NONE, _NONE, np.array([b]), _NONE)
        self.observer.look_again(work, noise, self._grounds[0], self._sketches[0])

    def _stage(self, which: Sequence[int], make: Callable[[int], _Game]) -> Staged:
        staged = np.zeros(len(which), self.games.dtype)
        moments = []
        for i, b in enumerate(which):
            try:
                moment, world, player = make(i)
                records.check_fits(moment, world, player)
            except (options_module.OptionsError, state.StateError) as error:
                raise type(error)(f"Environment {b}: {error}") from error
            if len(world.objects) > self._max_objects:
                self._grow(capacity.power_of_two(len(world.objects)))
                staged = capacity.grown(staged, self._settings.area, self._max_objects)
            records.load(staged[i], moment, world, player)
            moments.append(moment)
        return Staged(staged, moments)

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
        return state.capture(self._settings.state_config, moment, world, player)

    # Look.

    def observations(self) -> Any:
        """Returns the latest observations, in arrays that every step overwrites."""
        if self._stale:
            for b in range(len(self.games)):
                self._look_again(b, self.observer.noise(self.games, b))
            self._stale = False
        return self.observer.value

    @contextlib.contextmanager
    def observing_into(self, value: Any) -> Iterator[None]:
        """Has the observations of a block in arrays of the caller.

        Args:
          value: Arrays with the shapes and dtypes of `observations`, which may hold
            anything. Only a whole step or reset fills them whole.
        """
        own, self.observer.value = self.observer.value, value
        self._stale = False
        try:
            yield
        finally:
            self.observer.value = own
            self._stale = True

    def semantic_maps(self, which: np.ndarray) -> np.ndarray:
        """Returns the semantic ids of whole maps, uint8 (count, *area)."""
        maps = np.zeros((len(self.games), *self._settings.area), np.uint8)
        made, games = work_queue.make_turns(), self.games
        self._team.run(
            lambda _: run.map_games(made, which, games, maps),
            run.count_pieces(len(which), 0),
        )
        return maps

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
        noise = game.private_noise(stream, step, view.noise_shape, rules.light)
        return view(world, player, noise)

    def close(self) -> None:
        """Ends the threads."""
        self._team.close()


def _column(items: Mapping[str, Mapping[str, int]], field: str) -> np.ndarray:
    return np.array([item[field] for item in items.values()], np.int32)
