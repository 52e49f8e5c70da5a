"""Players that follow a planner: with the whole game before them, or with a memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crafter.games.crafter.planner.memory import Memory
from crafter.games.crafter.planner.planner import Planner
from crafter.tasks.env.single import TaskEnv


class Oracle:
    """Plans with the full state of the game, but not with its future.

    Args:
      env: The environment in which it plays, `CrafterTask-v1`, perhaps wrapped.

    Raises:
      TypeError: If the environment has no tasks.

    Example:
      >>> env = TaskEnv("place_table", split="test")
      >>> agent = Oracle(env)
      >>> obs, info = env.reset(seed=0)
      >>> agent.reset(obs, info)
      >>> done = False
      >>> while not done:
      ...     obs, reward, done, _, info = env.step(agent.act(obs))
      >>> info["task"]["verdict"]
      'DONE'
    """

    def __init__(self, env: Any) -> None:
        found = env.unwrapped
        if not isinstance(found, TaskEnv):
            raise TypeError(f"Expected an environment with a task, got {found!r}.")
        self._env = found
        self._planner: Planner | None = None

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Begins; to be called after the reset of the environment.

        Args:
          obs: The observation, at which it does not look.
          info: The info.
        """
        attempt = self._env.attempt
        assert attempt.monitor is not None
        view = self._view(attempt.view)
        self._planner = Planner(self._env.task.goal, attempt.monitor, view)

    def act(self, obs: Any) -> int:
        """Returns the index of the next action.

        Args:
          obs: The observation, at which it does not look.

        Raises:
          RuntimeError: If it was not reset.
        """
        if self._planner is None:
            raise RuntimeError("There is no attempt yet: call reset(obs, info).")
        self._look()
        return self._env.base.action_names.index(self._planner.act())

    @property
    def reason(self) -> str | None:
        """Why it gave up, see `reasons`; `None` before that."""
        return None if self._planner is None else self._planner.reason

    @property
    def replans(self) -> int:
        """How often it made a new plan."""
        return 0 if self._planner is None else self._planner.replans

    def _view(self, view: Any) -> Any:
        return view

    def _look(self) -> None:
        return


class Scout(Oracle):
    """Plans with a memory of what has been in its view, by the same methods.

    Args:
      env: The environment in which it plays, `CrafterTask-v1`, perhaps wrapped.
    """

    def _view(self, view: Any) -> Any:
        self._memory = Memory(view)
        return self._memory

    def _look(self) -> None:
        self._memory.look()
