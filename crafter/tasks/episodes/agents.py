"""Agents that play tasks, and how they are found by name.

An agent is created for an environment with a task. `reset(obs, info)` is called at the
start of an episode; `act(obs)` returns the index of an action.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from crafter.core.arguments import find_callable
from crafter.tasks import game as games
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.game import TaskGame
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Monitor


class Agent(Protocol):
    """Plays episodes of tasks."""

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Starts an episode."""

    def act(self, obs: Any) -> int | None:
        """Returns the index of an action; `None` ends the episode."""


#: Called with an environment; returns an agent. An optional attribute `settings` is a
#: mapping of what defines the agent besides its name.
Factory = Callable[[TaskEnv], Agent]


class Playback:
    """Agent that takes the actions of a list.

    Args:
      actions: Indices of actions.
    """

    def __init__(self, actions: Iterable[int]) -> None:
        self._actions = iter(actions)

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Begins an episode."""

    def act(self, obs: Any) -> int | None:
        """Returns the next action; `None` after the last one."""
        return next(self._actions, None)


class Planned:
    """Agent that follows a planner, which reads the game instead of observations.

    Args:
      env: The environment in which it plays, perhaps wrapped.

    Raises:
      TypeError: If the environment has no tasks.
    """

    def __init__(self, env: Any) -> None:
        inner = env.unwrapped
        if not isinstance(inner, TaskEnv):
            raise TypeError(f"Expected an environment with a task, got {inner!r}.")
        self._env = inner
        self._planner: Any = None

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Begins an episode; to be called after the reset of the environment."""
        tracker = self._env.tracker
        assert tracker.monitor is not None
        self._planner = self.plan(self._env.task.goal, tracker.monitor, tracker.view)

    def plan(self, goal: Goal, monitor: Monitor, view: Any) -> Any:
        """Returns the planner of an episode: has `act()` and `reason`."""
        raise NotImplementedError

    def act(self, obs: Any) -> int:
        """Returns the index of the next action.

        Raises:
          RuntimeError: If it was not reset.
        """
        if self._planner is None:
            raise RuntimeError("There is no attempt yet: call reset(obs, info).")
        return self._env.base.action_names.index(self._planner.act())

    @property
    def reason(self) -> str | None:
        """Why it gave up, see `tasks.episodes.reasons`; `None` before that."""
        return None if self._planner is None else self._planner.reason


def noop(env: TaskEnv) -> Playback:
    """Returns an agent that does nothing."""
    return Playback(itertools.repeat(env.base.action_names.index("noop")))


class Random:
    """Samples actions uniformly; the scene determines the seed.

    Args:
      env: The environment.
    """

    def __init__(self, env: TaskEnv) -> None:
        self._actions = len(env.base.action_names)
        self._random = random.Random(0)

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Starts an episode; it is the same for the same scene."""
        self._random = chance_of(info["task"]["scene"])

    def act(self, obs: Any) -> int:
        """Returns a random action."""
        return self._random.randrange(self._actions)


def chance_of(text: str) -> random.Random:
    """Returns a random number generator seeded with a text."""
    digest = hashlib.sha256(text.encode()).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))


def known(game: TaskGame | None = None) -> dict[str, Factory]:
    """Returns the built-in agents by name; all ignore observations.

    Args:
      game: The game that they play; by default the first one.
    """
    return {"noop": noop, "random": Random, **(game or games.find()).agents}


#: Prefix of agent names -> module whose `factory` handles the rest of the name. Games
#: may add more.
ROOMS = {"lm": "crafter.lm.suites", "trained": "crafter.tasks.episodes.conditioning"}


def settings_of(factory: Factory) -> dict[str, Any]:
    """Returns the settings that define the agents of a factory besides their name."""
    return dict(getattr(factory, "settings", {}))


def name_of(name: str, factory: Factory) -> str:
    """Returns the name under which results are stored: with the model, if any.

    Args:
      name: As for `factory_of`.
      factory: What that returned.
    """
    model = settings_of(factory).get("model")
    return name if model is None else f"{name}:{model}"


def factory_of(name: str, game: TaskGame | None = None) -> Factory:
    """Returns the factory of an agent.

    Args:
      name: Of `known`; or `lm:NAME` for a text agent, see `crafter.lm.suites`; or
        `trained:NAME` for one of `crafter.load_agent`; or one with a prefix that the
        game has, such as `ppo:NAME`; or `module:callable`, imported from the search
        path or the working directory.
      game: The game that it plays; by default the first one.

    Raises:
      ValueError: If there is no such agent.
    """
    agents, rooms = known(game), {**ROOMS, **(game or games.find()).rooms}
    if name in agents:
        return agents[name]
    module, _, attribute = name.partition(":")
    if not attribute:
        prefixes = ", ".join(f"{room}:NAME" for room in rooms)
        raise ValueError(
            f"Unknown agent {name!r}; valid: {list(agents)}, {prefixes}, or "
            "module:callable."
        )
    if module in rooms:
        factory: Factory = importlib.import_module(rooms[module]).factory(attribute)
        return factory
    try:
        return find_callable(name)
    except ValueError as error:
        raise ValueError(f"The agent {error}") from error
