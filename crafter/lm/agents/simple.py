"""Random, idle and human agents."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

import numpy as np

from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.rendering.facts import VECTORS


class RandomAgent(LMAgent):
    """Draws each action from a distribution.

    Args:
      weights: Action -> weight; all the same by default.
    """

    name = "random"

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        self._weights = weights

    def reset(self, briefing: Briefing) -> None:
        """Starts the random numbers of the game's seed."""
        actions = briefing.words.book.actions
        table = self._table(actions) if self._weights is None else self._weights
        self._actions = list(table)
        self._shares = np.array(list(table.values())) / sum(table.values())
        self._random = np.random.default_rng(briefing.seed)

    def _table(self, actions: Sequence[str]) -> dict[str, float]:
        """Returns the weights of the actions of a game."""
        return dict.fromkeys(actions, 1.0)

    def act(self, message: Message) -> str:
        """Returns one action."""
        return str(self._random.choice(self._actions, p=self._shares))


class RandomUsefulAgent(RandomAgent):
    """Moves and uses things more often than it does anything else."""

    name = "random_useful"

    def _table(self, actions: Sequence[str]) -> dict[str, float]:
        weights = dict.fromkeys(actions, 0.5)
        moves = (n for n in actions if n.removeprefix("move_") in VECTORS)
        weights |= dict.fromkeys(moves, 4.0)
        return {**weights, "do": 8.0, "noop": 0.1, "sleep": 0.3}


class NoopAgent(LMAgent):
    """Does nothing."""

    name = "noop"

    def act(self, message: Message) -> str:
        """Returns `noop`."""
        return "noop"


class HumanAgent(LMAgent):
    """Shows messages on a terminal and reads what is typed.

    Args:
      read: Where lines are read; standard input by default.
      write: Where messages are written; standard output by default.
    """

    name = "human"

    def __init__(self, read: TextIO | None = None, write: TextIO | None = None) -> None:
        self._read, self._write = read, write

    def act(self, message: Message) -> str:
        """Returns the line that was typed.

        Raises:
          EOFError: At the end of the input.
        """
        write = self._write or sys.stdout
        print(f"\n{message.text}\n> ", end="", file=write, flush=True)
        line = (self._read or sys.stdin).readline()
        if not line:
            raise EOFError("The input has ended.")
        return line

    def recall(self, message: Message, reply: str) -> None:
        """Has nothing to remember."""
