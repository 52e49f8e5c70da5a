"""Agents that play in the window."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.core.agents import Agent


class Autopilot:
    """An agent that plays until a key takes over.

    It also watches while a person plays, to keep its memory up to date.

    Args:
      agent: The agent.
      env: The game.

    Attributes:
      on: Whether it plays.
      agent: The agent.
      told: Its task input; see `Agent.act`.
      chances: Actions with their probabilities now, the most probable first.

    Raises:
      ValueError: If the agent plays another game or other rules.
    """

    def __init__(self, agent: Agent, env: Any) -> None:
        agent.check(env)
        self.agent, self._env, self.on = agent, env.unwrapped, True
        self.told: Any = None
        self._random = np.random.default_rng(self._env.world_seed)
        self.forget()

    def forget(self) -> None:
        """Clears the memory."""
        self._memory = self.agent.start()
        self.chances: list[tuple[str, float]] = []

    def look(self) -> None:
        """Observes a new moment."""
        obs = self._env.observe(self.agent.observation)
        chances, self._memory = self.agent.act(obs, self._memory, self.told)
        pairs = zip(self._env.action_names, chances.tolist())
        self.chances = sorted(pairs, key=lambda pair: -pair[1])

    def choose(self) -> str:
        """Returns an action, drawn by the probabilities."""
        names, chances = zip(*self.chances)
        return str(self._random.choice(names, p=chances))
