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

from crafter import clock, game, state
from crafter import options as options_module
from crafter.batch import layout
from crafter.batch import tables as t
from crafter.batch.cpu import capacity, run, worldgen
from crafter.batch.cpu import state as records
from crafter.batch.cpu.jit import announcer
from crafter.batch.cpu.team import Team
from crafter.clock import is_dark
from crafter.engine import World
from crafter.objects import Player
from crafter.settings import Settings
from crafter.stream import episode_seed
from crafter.views import FrameView

_STEP_PIECE = 128  # games; their records stay in the cache between step and look
_RESET_PIECE = 1  # a reset takes a thousand times longer
_TABLE_LIMIT = 2**20


def daylight(step: int) -> float:
    """Returns the brightness at a step of the clock."""
    return clock.daylight(step, t.RULES.time)


class Daylight:
    """Brightness by step of the clock, each computed once."""

    def __init__(self) -> None:
        self._table = np.array([daylight(0)])

    def __call__(self, clock: np.ndarray) -> np.ndarray:
        """Returns the brightness, float64, at steps of the clock, int64."""
        top = int(clock.max(initial=0))
        if top >= _TABLE_LIMIT:
            # As numbers, since array functions may round differently.
            return np.array([daylight(step) for step in clock.tolist()])
        if top >= len(self._table):
            steps = range(len(self._table), max(top + 1, 2 * len(self._table)))
            self._table = np.append(self._table, [daylight(step) for step in steps])
        return self._table[clock]


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
      observer: Makes the observations; one of `crafter.batch.cpu.observers`.
      threads: Number of threads.

    Attributes:
      games: Records of `layout.dtype`, shape (count,).
      seeds: Seed of the sequence of episodes of every game; `None` before the first
        reset.
      view: View size (columns, rows).
      observer: Makes the observations.
      rewards: Rewards of the latest step, float64 (count,); 0 after a reset.
      terminated: Whether the player is dead, bool (count,).
      truncated: Whether the step limit is reached, bool (count,).
      unlocked: Newly unlocked achievements, bool (count, achievements).
    """

    def __init__(
        self,
        count: int,
        settings: Settings,
        observer: Any,
        threads: int,
    ) -> None:
        self._settings = settings
        self._initial = _column(settings.rules.items, "initial")
        self._limits = _column(settings.rules.items, "max")
        self.view = settings.view
        self._reach: int = t.RULES.world["update_range"] * max(settings.view)
        self._max_objects = capacity.default_max_objects(settings.area)
        self.games = np.zeros(count, layout.dtype(settings.area, self._max_objects))
        self.seeds: list[int | None] = [None] * count
        self.observer = observer
        self._stale = False
        self.rewards = np.zeros(count)
        self.terminated = np.zeros(count, bool)
        self.truncated = np.zeros(count, bool)
        self.unlocked = np.zeros((count, len(t.ACHIEVEMENT)), bool)
        self._actions = np.zeros(count, np.int64)
        self._clock = np.zeros(count, np.int64)
        self._light = Daylight()
        self._daylight = np.zeros(count)
        self._crowded = np.zeros(count, bool)
        self._status = np.zeros(count, np.int64)
        self._team = Team(threads)
        self._sketches = [observer.make_scratch() for _ in range(threads)]
        self._grounds = [worldgen.make_ground(settings.area) for _ in range(threads)]

    # Play.

    def step(self, which: np.ndarray, actions: np.ndarray, over: np.ndarray) -> None:
        """Plays one step, starts the next episode of others, and looks at all.

        Args:
          which: Games to step, int64 (n,), each once.
          actions: Valid action per game, int64 (count,).
          over: Games to reset, int64 (m,), without repetition; all have a seed.
        """
        self.observer.forget(which)
        self._actions[which] = actions[which]
        self._clock[which] += 1
        self._daylight[which] = self._light(self._clock[which])
        # The long pieces first, so that no thread waits long for the others.
        resets, steps = self._reset_pieces(over), _pieces(which, _STEP_PIECE)
        jobs = [(self._reset_piece, piece) for piece in resets]
        jobs += [(self._step_piece, piece) for piece in steps]
        self._team.run(lambda member, job: job[0](member, job[1]), jobs)
        self._retry_resets(over)
        crowded = which[self._crowded[which]]
        while len(crowded):
            self._grow(2 * self._max_objects)
            self._team.run(self._step_piece, _pieces(crowded, _STEP_PIECE))
            crowded = crowded[self._crowded[crowded]]
        self._stale &= len(which) + len(over) < len(self.games)

    def reset(self, which: np.ndarray) -> None:
        """Starts the next episode and looks at it.

        Args:
          which: Games to reset, int64 (n,), without repetition; all have a seed.
        """
        self._team.run(self._reset_piece, self._reset_pieces(which))
        self._retry_resets(which)
        self._stale &= len(which) < len(self.games)

    def reseed(self, b: int, seed: int) -> None:
        """Makes the next episode of a game the first one of a seed."""
        self.seeds[b] = seed
        self.games["lane"][b] = records.lane(seed)
        self.games["episode"][b] = 0

    def _reset_pieces(self, which: np.ndarray) -> list[np.ndarray]:
        self.observer.forget(which)
        self._clock[which] = 0
        return _pieces(which, _RESET_PIECE)

    def _retry_resets(self, which: np.ndarray) -> None:
        failed = which[self._status[which] != worldgen.DONE]
        while len(failed):
            self._retry(failed)
            failed = failed[self._status[failed] != worldgen.DONE]

    def _step_piece(self, member: int, which: np.ndarray) -> None:
        games = self.games
        if capacity.find_crowded(games, which, self._crowded):
            which = which[~self._crowded[which]]
        if not len(which):
            return
        run.step_games(
            games,
            which,
            self._actions,
            self._daylight,
            self._limits,
            self._reach,
            self._settings.length or 0,
            self._out,
        )
        self.observer.look(games, which, self._sketches[member])

    def _reset_piece(self, member: int, which: np.ndarray) -> None:
        games = self.games
        run.reset_games(
            games,
            which,
            daylight(0),
            self._initial,
            self._grounds[member],
            self._out,
            self._status,
        )
        done = which[self._status[which] == worldgen.DONE]
        if len(done):
            self.observer.look(games, done, self._sketches[member])

    @property
    def _out(self) -> tuple[np.ndarray, ...]:
        return self.rewards, self.terminated, self.truncated, self.unlocked

    def _retry(self, which: np.ndarray) -> None:
        """Makes the worlds that the compiled generator could not make."""
        unsure = which[self._status[which] == worldgen.UNSURE]
        full = which[self._status[which] == worldgen.FULL]
        for b in unsure.tolist():
            seed, episode = self.seeds[b], int(self.games["episode"][b])
            assert seed is not None
            start = options_module.Start()
            staged = self.stage_starts([b], [seed], [episode], start)
            self.install([b], staged, fresh=True)
        if len(full):
            self._grow(2 * self._max_objects)
            self.games["episode"][full] -= 1  # the same episode again
            self._team.run(self._reset_piece, _pieces(full, _RESET_PIECE))

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
          crafter.options.OptionsError: If an object would stand where it cannot.
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
          crafter.state.StateError: If one does not fit or is damaged.
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
            self._clock[b] = moment.step + moment.clock_offset
            self._status[b] = worldgen.DONE
            for array in self._out:
                array[b] = 0
            one, sketch = np.array([b]), self._sketches[0]
            self.observer.forget(one)
            if fresh:
                self.observer.look(self.games, one, sketch)
            else:
                self.observer.look_again(self.games, b, moment.noise, sketch)

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
        """Returns a game in the format of `crafter.state.capture`."""
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
                noise = self.observer.noise(self.games, b)
                self.observer.look_again(self.games, b, noise, self._sketches[0])
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
        nothing = np.zeros((len(self.games), 0, 0), np.uint8)

        def encode(member: int, piece: np.ndarray) -> None:
            run.encode_semantic(self.games, piece, maps, nothing)

        self._team.run(encode, _pieces(which, _STEP_PIECE))
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


def _pieces(which: np.ndarray, size: int) -> list[np.ndarray]:
    return [which[i : i + size] for i in range(0, len(which), size)]
