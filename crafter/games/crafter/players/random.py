"""Random players that exercise the game broadly.

A player has one method, `act(env, info)`, which returns the index of an action. It uses
its own random stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.games.crafter.rules import Rules, default


class RandomPlayer:
    """Samples actions uniformly.

    Args:
      seed: Seed of its random stream.
      rules: The rules of the game; the default ones if omitted.
    """

    def __init__(self, seed: int, rules: Rules | None = None):
        self._random = np.random.RandomState(seed)
        self._actions = (rules or default()).actions

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Returns the next action."""
        return int(self._random.randint(len(self._actions)))


class Wanderer(RandomPlayer):
    """Walks straight for a while, digs and gathers on its way, and tries the rest.

    It reaches the edges of the map and meets more of the game than a random player.

    Args:
      seed: Seed of its random stream.
      stride: Mean number of actions before it turns.
      rules: The rules of the game; the default ones if omitted.
    """

    def __init__(self, seed: int, stride: int = 12, rules: Rules | None = None):
        super().__init__(seed, rules)
        self._stride = stride
        self._direction = "move_down"

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Returns the next action."""
        if self._random.uniform() < 1 / self._stride:
            turns = ("move_left", "move_right", "move_up", "move_down")
            self._direction = turns[self._random.randint(len(turns))]
        known = self._actions.index
        choices = known(self._direction), known("do"), super().act(env, info)
        return int(self._random.choice(choices, p=(0.5, 0.35, 0.15)))
