"""Batch engine: resets, steps, observes and saves many games on several threads.

An engine is independent of Gymnasium: its caller decides when and how episodes start.
The games are records of one NumPy structured array. They are played in rounds: a round
starts the next episode of some games, steps others, and observes all of them. The
kernel of an `Observer` plays a round on every thread at once;
`crafter.compiled.work_queue` distributes the games.

Kernels take the parts of a round as separate arguments, since compiled code counts
references to objects taken from a tuple, which makes threads wait. In order:

- round: Numbers of games to reset and to step; see `work_queue.make_round`.
- order: Games to reset, then to step, then only to observe; int64 (n,).
- games: The records.
- results: Records of `RESULT`; set for the games that are reset or stepped.
- actions: Action per game, int64 (B,).
- The `terms` of the engine, scratch for world generation, and the observer's arguments.
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


#: Result of a game's latest step or reset. Kept short, since reading it for all games
#: takes a part of a step.
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
    """Games that are ready to be installed.

    Attributes:
      games: Records, shape (n,).
      moments: Their state outside of the records: at least `seed`, `ended` and `noise`.
    """

    games: np.ndarray
    moments: list[Any]


class Engine:
    """The games of a batch.

    A game derives its engine from this class and implements `record`, `new_game`,
    `read_state` and `get_state`, and, if its kernels may fail, `make_room`. Its records
    need at least the fields `seed_hash` (uint64), `episode`, `step`, `ended`, and
    `unlocked`, the achievements of the latest step (uint8).

    Args:
      games: Records of the games, shape (count,).
      length: Steps after which an episode is truncated, or `None`.
      observer: Renders the observations.
      terms: Arguments of kernels shared by all games.
      worldgen_scratch: Scratch for world generation; every thread has a copy.
      threads: Number of threads.

    Attributes:
      games: Records of the games, shape (count,).
      results: Records of `RESULT`, shape (count,).
      seeds: Seed of the sequence of episodes of every game; `None` before the first
        reset.
      observer: Renders the observations.
    """

    def __init__(
        self,
        games: np.ndarray,
        length: int | None,
        observer: Observer,
        terms: tuple[Any, ...],
        worldgen_scratch: Any,
        threads: int,
    ) -> None:
        self.games = games
        self.results = np.zeros(len(games), RESULT)
        self.seeds: list[int | None] = [None] * len(games)
        self.observer = observer
        self._length, self._terms = length or 0, terms
        self._stale = False
        self._threads = ThreadPool(threads)
        scratch = worldgen_scratch, observer.scratch
        self._scratch = [copy.deepcopy(scratch) for _ in range(threads)]

    # Implemented by a game.

    def record(self, games: np.ndarray, i: int, made: Any) -> np.ndarray:
        """Writes a game to a record.

        Args:
          games: Records, shape (n,).
          i: Index of the record.
          made: Result of `new_game` or `read_state`; its first entry is the moment.

        Returns:
          The records, enlarged if the game did not fit.

        Raises:
          crafter.core.state_io.StateError: If no record can hold the game.
        """
        raise NotImplementedError

    def new_game(self, seed: int, episode: int, start: Any) -> Any:
        """Creates a game from options of a reset, or `None` for no options."""
        raise NotImplementedError

    def read_state(self, value: Any) -> Any:
        """Loads a saved game."""
        raise NotImplementedError

    def get_state(self, b: int) -> dict[str, np.ndarray]:
        """Returns a game in the format of saved games."""
        raise NotImplementedError

    def action_masks(self, indices: np.ndarray) -> np.ndarray:
        """Returns the action masks of some games, int8 (n, actions)."""
        raise NotImplementedError

    def make_room(self) -> None:
        """Enlarges the records after the kernel ran out of space in some games."""
        raise NotImplementedError

    # Playing.

    def step(self, order: np.ndarray, resets: int, actions: np.ndarray) -> None:
        """Starts the next episode of some games, steps others, and observes all.

        Args:
          order: Games to reset, which have a seed, then those to step, int64 (n,),
            without repetition. The slow resets come first to balance the threads.
          resets: Number of games to reset.
          actions: Action per game, int64 (count,); valid for the games to step.
        """
        if self._play(order, resets, actions):
            self._make_worlds(self._failed(order[:resets]))
            indices = order[resets:]
            while len(indices := self._failed(indices)):
                self.make_room()
                self._play(indices, 0, actions)
        self._stale &= len(order) < len(self.games)

    def reset(self, indices: np.ndarray) -> None:
        """Starts the next episode and observes it.

        Args:
          indices: Games to reset, int64 (n,), without repetition; all have a seed.
        """
        self.step(indices, len(indices), _NONE)

    def _failed(self, indices: np.ndarray) -> np.ndarray:
        """Returns the games that the kernel could not reset or step."""
        return indices[self.results["status"][indices] != DONE]

    def _make_worlds(self, indices: np.ndarray) -> None:
        """Starts episodes whose worlds the kernel could not generate."""
        games, episodes = indices.tolist(), self.games["episode"][indices].tolist()
        seeds = [self.seeds[b] for b in games]
        self.install(games, self.stage_starts(games, seeds, episodes, None))

    def reseed(self, b: int, seed: int) -> None:
        """Restarts a game's sequence of episodes from a seed."""
        self.seeds[b] = seed
        self.games["seed_hash"][b] = seed_hash(seed)
        self.games["episode"][b] = 0

    def _play(self, order: np.ndarray, resets: int, actions: np.ndarray) -> bool:
        """Starts the next episode of some games, steps others, and observes them.

        Returns:
          Whether any could not be reset or stepped; the results have their status.
        """
        work = self._work(order, resets, len(order) - resets, actions)
        play, scratch = self.observer.play, self._scratch
        pieces = work_queue.count_pieces(len(order), resets)
        self._threads.run(lambda thread: play(work, *scratch[thread]), pieces)
        return work_queue.noted(work[0])

    def _work(
        self, order: np.ndarray, resets: int, steps: int, actions: np.ndarray
    ) -> Work:
        """Returns the arguments of kernels for a round."""
        round_ = work_queue.make_round(resets, steps, self._length)
        return round_, order, self.games, self.results, actions, *self._terms

    # Games created outside of kernels.

    def stage_starts(
        self,
        indices: Sequence[int],
        seeds: Sequence[int],
        episodes: Sequence[int],
        start: Any,
    ) -> Staged:
        """Creates games from options of a reset, without installing them.

        The worlds come from the single environment's generator, which is slower.

        Args:
          indices: Games they will replace, for error messages.
          seeds: Seed of the sequence of episodes, per game.
          episodes: Number of the episode, per game.
          start: Options without a state, or `None`.

        Raises:
          crafter.core.reset_options.OptionsError: If the options are invalid.
        """
        return self._stage(
            indices, lambda i: self.new_game(seeds[i], episodes[i], start)
        )

    def stage_states(self, indices: Sequence[int], values: Sequence[Any]) -> Staged:
        """Loads saved games, without installing them.

        Args:
          indices: Games they will replace, for error messages.
          values: Results of `get_state`, here or of the single environment.

        Raises:
          crafter.core.state_io.StateError: If a state does not match or is damaged.
        """
        return self._stage(indices, lambda i: self.read_state(values[i]))

    def _stage(self, indices: Sequence[int], make: Callable[[int], Any]) -> Staged:
        staged = np.zeros(len(indices), self.games.dtype)
        moments = []
        for i, b in enumerate(indices):
            try:
                game = make(i)
                staged = self.record(staged, i, game)
            except (OptionsError, StateError) as error:
                raise type(error)(f"Environment {b}: {error}") from error
            moments.append(game[0])
        return Staged(staged, moments)

    def install(self, indices: Sequence[int], staged: Staged) -> None:
        """Installs staged games, and observes them.

        Args:
          indices: Indices of the games to replace, in the order of the staged games.
          staged: The games.
        """
        for i, b in enumerate(indices):
            moment = staged.moments[i]
            self.games[b] = staged.games[i]
            self.seeds[b] = moment.seed
            self.results[b] = 0
            self._look(b, moment.noise)

    def _look(self, b: int, noise: np.ndarray | None) -> None:
        work = self._work(np.array([b]), 0, 0, _NONE)
        self.observer.play(work, *self._scratch[0], noise)

    # Observations.

    def observations(self) -> Any:
        """Returns the latest observations, in arrays overwritten by every step."""
        if self._stale:
            self.renew(whole=True)
            for b in range(len(self.games)):
                self._look(b, self.observer.noise(self.games, b))
            self._stale = False
        return self.observer.value

    def renew(self, whole: bool) -> None:
        """Allocates new arrays for observations, so that returned ones stay unchanged.

        Args:
          whole: Whether the next step fills them completely; otherwise they are copied.
        """
        make = np.empty_like if whole else np.copy
        own = self.observer.value
        named = isinstance(own, dict)
        self.observer.value = {n: make(own[n]) for n in own} if named else make(own)

    @contextlib.contextmanager
    def observing_into(self, value: Any) -> Iterator[None]:
        """Redirects the observations of a block to arrays of the caller.

        Args:
          value: Uninitialized arrays with the shapes and dtypes of `observations`. Only
            a step or reset of all games fills them completely.
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
        """Stops the threads."""
        self._threads.close()


def seed_hash(seed: int) -> np.uint64:
    """Returns the hash of a seed for the records."""
    return np.uint64(hash(seed) & (2**64 - 1))
