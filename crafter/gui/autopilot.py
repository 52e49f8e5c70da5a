"""Agents that play in the window."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.core.agents import Agent


class Autopilot:
    """An agent that plays until a key press takes over.

    It also observes while a person plays, to keep its memory up to date.

    Args:
      agent: The agent.
      env: The game.

    Attributes:
      on: Whether the agent is playing.
      agent: The agent.
      told: Its task input; see `Agent.act`.
      chances: Current actions and their probabilities, the most probable first.

    Raises:
      ValueError: If the agent was made for another game or other rules.
    """

    def __init__(self, agent: Agent, env: Any) -> None:
        agent.check(env)
        self.agent, self._env, self.on = agent, env.unwrapped, True
        self.told: Any = None
        self._random = np.random.default_rng(self._env.world_seed)
        self.forget()

    def forget(self) -> None:
        """Resets the agent's memory."""
        self._memory = self.agent.start()
        self.chances: list[tuple[str, float]] = []

    def look(self) -> None:
        """Observes the current state."""
        obs = self._env.observe(self.agent.observation)
        chances, self._memory = self.agent.act(obs, self._memory, self.told)
        pairs = zip(self._env.action_names, chances.tolist())
        self.chances = sorted(pairs, key=lambda pair: -pair[1])

    def choose(self) -> str:
        """Returns an action sampled from the agent's probabilities."""
        names, chances = zip(*self.chances)
        return str(self._random.choice(names, p=chances))
