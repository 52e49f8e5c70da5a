"""Games for programs that train and evaluate language models, a module a framework.

`Conversation` is what all of them share: a game in which a model is told the rules and
the first observation, and each of its replies is answered by the next one. Rewards are
those of the game, or of the task if there is one; see `Conversation.reward`.

Each module imports its framework when it is imported itself, so it needs the extra of
the same name; `trl` needs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crafter.lm.agents.base import briefing_of
from crafter.lm.agents.model import prompt
from crafter.lm.play.aci import CrafterACI, Turn

#: Limits of a game, unless others are given.
MAX_ACTIONS, MAX_CALLS = 300, 60


class Conversation:
    """A game as a conversation.

    Args:
      style: How a model should reply, one of `crafter.lm.agents.model.STYLES`.
      level: How much it is told of the rules: `full`, `brief` or `actions`.
      **settings: Arguments of `crafter.lm.CrafterACI`, such as `game`, `seed`, `task`
        and `difficulty`. The same start for a group of conversations is the same seed,
        task and difficulty.

    Attributes:
      aci: The interface.
      system: The system prompt: game, rules, how to reply, and the task.
      first: The first observation.
      reward: That of the latest reply: in the game the sum over its steps, 1 for an
        achievement and 0.1 for a point of health, in Craftax 1 to 8 for an achievement;
        with a task 1 for the reply that does it, else 0.
      total: Sum of the rewards so far.

    Raises:
      ValueError: If an argument is impossible.

    Example:
      >>> talk = Conversation("direct", seed=1, max_actions=20)
      >>> turn = talk.reply("<think>A cow!</think> Action: move_right")
      >>> turn.done, talk.metrics()["steps"]
      (False, 1.0)
    """

    def __init__(
        self, style: str = "react", level: str = "full", **settings: Any
    ) -> None:
        limits = {"max_actions": MAX_ACTIONS, "max_calls": MAX_CALLS}
        self.aci = CrafterACI(**{**limits, **settings})
        self.system = prompt(style, briefing_of(self.aci, level))
        self.first = self.aci.describe(self.aci.starting_obs)
        self.reward = self.total = 0.0

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self.aci.done

    @property
    def opening(self) -> str:
        """The system prompt and the first observation as one text."""
        return f"{self.system}\n\n{self.first}"

    def reply(self, text: str) -> Turn:
        """Carries out a reply of the model.

        Args:
          text: The reply, whole; thoughts are left out by the parser.

        Returns:
          The result; `reward` has what it was worth.
        """
        was_done = self.aci.done
        turn = self.aci.act(text)
        self.reward = turn.reward
        if self.aci.quest is not None:
            self.reward = float(self._succeeded() and not was_done)
        self.total += self.reward
        return turn

    def _succeeded(self) -> bool:
        return self.aci.reason == "goal_done"

    def metrics(self) -> dict[str, float]:
        """Returns numbers of the game so far.

        Returns:
          `return`, `steps`, `calls`, `invalid_calls`, `achievements` (how many), and
          1 or 0 for each achievement by its name; with a task also `success`.
        """
        unlocked = {name: float(n > 0) for name, n in self.aci.achievements.items()}
        task = {}
        if self.aci.quest is not None:
            task["success"] = float(self._succeeded())
        return {
            "return": self.total,
            "steps": float(self.aci.steps_taken),
            "calls": float(self.aci.calls_made),
            "invalid_calls": float(self.aci.invalid_calls),
            "achievements": sum(unlocked.values()),
            **task,
            **unlocked,
        }


def rows(count: int, first_seed: int = 0, **settings: Any) -> Iterator[dict[str, Any]]:
    """Yields rows of a data set: one start of a game each.

    Args:
      count: How many.
      first_seed: Seed of the first one; the others have the following seeds.
      **settings: Arguments of `Conversation` that all have in common.
    """
    for seed in range(first_seed, first_seed + count):
        yield {**settings, "seed": seed}


def settings_of(row: Mapping[str, Any] | None, **others: Any) -> dict[str, Any]:
    """Returns arguments of `Conversation`: those that a row gives, and others."""
    return {**others, **{k: v for k, v in (row or {}).items() if v is not None}}
