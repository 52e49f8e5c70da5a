"""Batch engine: resets, steps, observes and saves many games on several threads.

An engine knows nothing of Gymnasium: what starts an episode, and when, is up to its
caller. The games are records, one NumPy structured array. They are played in rounds: a
round starts the next episode of some games, steps others, and observes all of them. The
kernel of an `Observer` plays a round on every thread at once; games are shared out by
`crafter.compiled.work_queue`.

A kernel takes a round apart into numbers and arrays, since compiled code counts
references to what it takes out of a tuple, which makes threads wait. The arguments are,
in this order:

- round: How many games are reset, and how many stepped; see `work_queue.make_round`.
- order: Games to reset, then those to step, then those only to observe; int64 (n,).
- games: The records.
- results: Records of `RESULT`; set for the games that are reset or stepped.
- actions: Action per game, int64 (B,).
- The `terms` of the engine, room to make worlds in, and what the observer adds.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.compiled import work_queue
from crafter.compiled.observers import Observer, Work
from crafter.compiled.thread_pool import ThreadPool
from crafter.compiled.work_queue import DONE
from crafter.core.reset_options import OptionsError
from crafter.core.state_io import StateError

_NONE = np.zeros(0, np.int64)


#: The result of a game's latest step or reset. It is short, since reading it from the
#: memory for all games takes a part of a step.
RESULT = np.dtype(
    [
        ("reward", np.float64),
        ("terminated", bool),
        ("truncated", bool),
        ("status", np.int32),
    ],
    align=True,
)


class Staged(NamedTuple):
    """Games that are ready to be put in place.

    Attributes:
      games: Records, shape (n,).
      moments: What else belongs to each: at least `seed`, `ended` and `noise`.
    """

    games: np.ndarray
    moments: list[Any]


class Engine:
    """The games of a batch.

    A game derives its engine from this class and supplies `record`, `new_game`,
    `read_state` and `get_state`, and, if its kernels may fail, `make_room`. Its records
    have at least the fields `seed_hash` (uint64), `episode`, `step`, `ended`, and
    `unlocked`, the achievements of the latest step (uint8).

    Args:
      games: Records of the games, shape (count,).
      length: Steps after which an episode is truncated, or `None`.
      observer: Makes the observations.
      terms: Arguments of kernels that are the same for all games.
      ground: Room to make worlds in; every thread has a copy.
      threads: Number of threads.

    Attributes:
      games: Records of the games, shape (count,).
      results: Records of `RESULT`, shape (count,).
      seeds: Seed of the sequence of episodes of every game; `None` before the first
        reset.
      observer: Makes the observations.
    """

    def __init__(
        self,
        games: np.ndarray,
        length: int | None,
        observer: Observer,
        terms: tuple[Any, ...],
        ground: Any,
        threads: int,
    ) -> None:
        self.games = games
        self.results = np.zeros(len(games), RESULT)
        self.seeds: list[int | None] = [None] * len(games)
        self.observer = observer
        self._length, self._terms = length or 0, terms
        self._stale = False
        self._threads = ThreadPool(threads)
        room = ground, observer.scratch
        self._rooms = [copy.deepcopy(room) for _ in range(threads)]

    # What a game supplies.

    def record(self, games: np.ndarray, i: int, made: Any) -> np.ndarray:
        """Writes a game into a record.

        Args:
          games: Records, shape (n,).
          i: Which of them.
          made: What `new_game` or `read_state` returned; its first entry is the moment.

        Returns:
          The records, or larger ones if the game did not fit.

        Raises:
          crafter.core.state_io.StateError: If no record can hold it.
        """
        raise NotImplementedError

    def new_game(self, seed: int, episode: int, start: Any) -> Any:
        """Makes a game as the options of a reset say, without any for `None`."""
        raise NotImplementedError

    def read_state(self, value: Any) -> Any:
        """Reads a saved game."""
        raise NotImplementedError

    def get_state(self, b: int) -> dict[str, np.ndarray]:
        """Returns a game in the format of saved games."""
        raise NotImplementedError

    def action_masks(self, which: np.ndarray) -> np.ndarray:
        """Returns which actions may have an effect in some games, int8 (n, actions)."""
        raise NotImplementedError

    def make_room(self) -> None:
        """Grows the records after the kernel ran out of room in some games."""
        raise NotImplementedError

    # Play.

    def step(self, order: np.ndarray, resets: int, actions: np.ndarray) -> None:
        """Starts the next episode of some games, plays a step of others, observes all.

        Args:
          order: Games to reset, which have a seed, then those to step, int64 (n,),
            each once. Resets take long; so no thread waits long for another.
          resets: How many are reset.
          actions: Action per game, int64 (count,); valid for those that are stepped.
        """
        if self._play(order, resets, actions):
            self._make_worlds(self._failed(order[:resets]))
            which = order[resets:]
            while len(which := self._failed(which)):
                self.make_room()
                self._play(which, 0, actions)
        self._stale &= len(order) < len(self.games)

    def reset(self, which: np.ndarray) -> None:
        """Starts the next episode and observes it.

        Args:
          which: Games to reset, int64 (n,), without repetition; all have a seed.
        """
        self.step(which, len(which), _NONE)

    def _failed(self, which: np.ndarray) -> np.ndarray:
        """Returns which of some games the kernel could not reset or step."""
        return which[self.results["status"][which] != DONE]

    def _make_worlds(self, which: np.ndarray) -> None:
        """Begins episodes whose worlds the kernel could not make."""
        games, episodes = which.tolist(), self.games["episode"][which].tolist()
        seeds = [self.seeds[b] for b in games]
        self.install(games, self.stage_starts(games, seeds, episodes, None))

    def reseed(self, b: int, seed: int) -> None:
        """Makes the next episode of a game the first one of a seed."""
        self.seeds[b] = seed
        self.games["seed_hash"][b] = seed_hash(seed)
        self.games["episode"][b] = 0

    def _play(self, order: np.ndarray, resets: int, actions: np.ndarray) -> bool:
        """Starts the next episode of some games, steps others, and observes them.

        Returns:
          Whether one could not be reset or stepped: the results say which.
        """
        work = self._work(order, resets, len(order) - resets, actions)
        play, rooms = self.observer.play, self._rooms
        pieces = work_queue.count_pieces(len(order), resets)
        self._threads.run(lambda thread: play(work, *rooms[thread]), pieces)
        return work_queue.noted(work[0])

    def _work(
        self, order: np.ndarray, resets: int, steps: int, actions: np.ndarray
    ) -> Work:
        """Returns a round, as kernels take it."""
        made = work_queue.make_round(resets, steps, self._length)
        return made, order, self.games, self.results, actions, *self._terms

    # Games from outside.

    def stage_starts(
        self,
        which: Sequence[int],
        seeds: Sequence[int],
        episodes: Sequence[int],
        start: Any,
    ) -> Staged:
        """Makes games as the options of a reset say; changes none.

        The worlds come from the single environment's generator, which is slower.

        Args:
          which: Which games they will replace; for messages.
          seeds: Seed of the sequence of episodes, per game.
          episodes: Number of the episode, per game.
          start: Options without a state, or `None`.

        Raises:
          crafter.core.reset_options.OptionsError: If the options are impossible.
        """
        return self._stage(which, lambda i: self.new_game(seeds[i], episodes[i], start))

    def stage_states(self, which: Sequence[int], values: Sequence[Any]) -> Staged:
        """Reads saved games; changes none.

        Args:
          which: Which games they will replace; for messages.
          values: Values of `get_state`, ours or the single environment's.

        Raises:
          crafter.core.state_io.StateError: If one does not fit or is damaged.
        """
        return self._stage(which, lambda i: self.read_state(values[i]))

    def _stage(self, which: Sequence[int], make: Callable[[int], Any]) -> Staged:
        staged = np.zeros(len(which), self.games.dtype)
        moments = []
        for i, b in enumerate(which):
            try:
                made = make(i)
                staged = self.record(staged, i, made)
            except (OptionsError, StateError) as error:
                raise type(error)(f"Environment {b}: {error}") from error
            moments.append(made[0])
        return Staged(staged, moments)

    def install(self, which: Sequence[int], staged: Staged) -> None:
        """Puts games in place, and observes them.

        Args:
          which: Where, each once, in the order of the staged games.
          staged: The games.
        """
        for i, b in enumerate(which):
            moment = staged.moments[i]
            self.games[b] = staged.games[i]
            self.seeds[b] = moment.seed
            self.results[b] = 0
            self._look(b, moment.noise)

    def _look(self, b: int, noise: np.ndarray | None) -> None:
        work = self._work(np.array([b]), 0, 0, _NONE)
        self.observer.play(work, *self._rooms[0], noise)

    # Look.

    def observations(self) -> Any:
        """Returns the latest observations, in arrays that every step overwrites."""
        if self._stale:
            self.renew(whole=True)
            for b in range(len(self.games)):
                self._look(b, self.observer.noise(self.games, b))
            self._stale = False
        return self.observer.value

    def renew(self, whole: bool) -> None:
        """Gives the observations new arrays, so that those handed out stay as they are.

        Args:
          whole: Whether a whole step fills them next; else they are filled already.
        """
        make = np.empty_like if whole else np.copy
        own = self.observer.value
        named = isinstance(own, dict)
        self.observer.value = {n: make(own[n]) for n in own} if named else make(own)

    @contextlib.contextmanager
    def observing_into(self, value: Any) -> Iterator[None]:
        """Has the observations of a block in arrays of the caller.

        Args:
          value: Arrays with the shapes and dtypes of `observations`, which may hold
            anything. Only a whole step or reset fills them whole.
        """
        own = self.observer.value
        named = isinstance(own, dict)
        self.observer.value = {n: value[n] for n in own} if named else value
        self._stale = False
        try:
            yield
        finally:
            self.observer.value = own
            self._stale = True

    def close(self) -> None:
        """Ends the threads."""
        self._threads.close()


def seed_hash(seed: int) -> np.uint64:
    """Returns what a record keeps of a seed."""
    return np.uint64(hash(seed) & (2**64 - 1))
