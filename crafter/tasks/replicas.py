"""Copies of an attempt under way, to try on them what is to be done.

A copy shares nothing with the game that can change, and its random stream is a new
one: what happens by chance on it says nothing of what will happen in the game.
"""

from __future__ import annotations

import functools
import hashlib
import io
import pickle
from typing import Any

from crafter.games.crafter.rules import Rules
from crafter.tasks.attempt import Attempt
from crafter.tasks.conditions import Condition
from crafter.tasks.events import Watcher
from crafter.tasks.goals import Goal
from crafter.tasks.monitors import Monitor
from crafter.tasks.view import GameView, Pose

#: What never changes, and is not copied.
_SHARED = (Rules, Goal, Condition, Pose)


class Replica:
    """A copy of an attempt; it draws no pictures and keeps no records.

    `Moment.replica` makes one.

    Attributes:
      monitor: How the goal fares on it.
    """

    monitor: Monitor
    _game: Any
    _watcher: Watcher

    @property
    def view(self) -> GameView:
        """The game, for goals and planners."""
        return self._watcher.view

    @property
    def clock(self) -> int:
        """Steps on the clock of the day."""
        return self._game.clock

    def step(self, action: str) -> None:
        """Plays a step.

        Args:
          action: Name of the action.
        """
        self._game.step(action)
        record = self._watcher.record(action, self._game.events)
        self.monitor.update(record, self._watcher.view)


class Moment:
    """A moment of an attempt, from which copies of it are played on.

    Args:
      env: The `crafter.Env`; it stays as it is.
      attempt: The attempt that is made in it.
      name: Decides, with the numbers of copies, what happens by chance on them.

    Raises:
      ValueError: If there is no game, or no goal.

    Example:
      >>> from crafter import Env
      >>> env = Env(seed=1, events=True)
      >>> _ = env.reset()
      >>> clock = functools.partial(getattr, env, "clock")
      >>> goal = Goal.parse("collect_wood")
      >>> attempt = Attempt(env.world, env.player, (9, 7), clock, goal)
      >>> replica = Moment(env, attempt, "now").replica(0)
      >>> replica.step("noop")
      >>> replica.clock, env.clock
      (1, 0)
    """

    def __init__(self, env: Any, attempt: Attempt, name: str) -> None:
        if env.running is None or attempt.monitor is None:
            raise ValueError("There is no attempt at a goal yet.")
        self._env, self._name = env, name
        self._kept: dict[int, Any] = {}
        stream = io.BytesIO()
        pickler = _Pickler(stream, pickle.HIGHEST_PROTOCOL)
        pickler.apart = env, env.running.settings
        pickler.kept = self._kept
        pickler.dump((env.running, attempt.watcher, attempt.monitor))
        self._bytes = stream.getvalue()

    def replica(self, number: int) -> Replica:
        """Returns a copy.

        Args:
          number: Copies of one moment with the same number have the same future.
        """
        replica = Replica()
        loader = _Unpickler(io.BytesIO(self._bytes))
        loader.kept = {**self._kept, id(self._env): replica}
        game, replica._watcher, replica.monitor = loader.load()
        replica._game = game
        digest = hashlib.sha256(f"{self._name}|{number}".encode()).digest()
        game.world.random.seed(int.from_bytes(digest[:4], "big"))
        return replica


class _Pickler(pickle.Pickler):
    """Leaves out what is shared; the clock of the environment becomes the copy's."""

    apart: tuple[Any, ...]
    kept: dict[int, Any]

    def persistent_id(self, obj: Any) -> int | None:
        """Returns what stands for something that is not copied."""
        if not _is_shared(obj.__class__) and not any(obj is one for one in self.apart):
            return None
        self.kept[id(obj)] = obj
        return id(obj)


class _Unpickler(pickle.Unpickler):
    kept: dict[int, Any]

    def persistent_load(self, pid: int) -> Any:
        """Returns what was not copied."""
        return self.kept[pid]


@functools.cache
def _is_shared(kind: Any) -> bool:
    return issubclass(kind, _SHARED)
