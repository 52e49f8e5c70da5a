"""Games for frameworks that train and evaluate language models, one per module.

All of them share `Conversation`: a game in which a model gets the rules and the first
observation, and then an observation for each reply. Rewards are those of the game, or
of the task if there is one; see `Conversation.reward`.

Each module imports its framework, so it needs the extra of the same name; `trl` needs
none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crafter.lm.agents.base import briefing_of
from crafter.lm.agents.model import prompt
from crafter.lm.play.aci import CrafterACI, Turn

#: Default limits of a game.
MAX_ACTIONS, MAX_CALLS = 300, 60


class Conversation:
    """A game as a conversation.

    Args:
      style: Reply style, one of `crafter.lm.agents.model.STYLES`.
      level: Level of the rules text: `full`, `brief` or `actions`.
      **settings: Arguments of `crafter.lm.CrafterACI`, such as `game`, `seed`, `task`
        and `difficulty`. Conversations with the same seed, task and difficulty start in
        the same state.

    Attributes:
      aci: The interface.
      system: The system prompt: game, rules, reply format, and the task.
      first: The first observation.
      reward: Reward of the latest reply: in a game the sum over its steps, with 1 per
        achievement and 0.1 per point of health, in Craftax 1 to 8 per achievement;
        with a task 1 for the reply that completes it, else 0.
      total: Sum of the rewards so far.

    Raises:
      ValueError: If an argument is invalid.

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
        self._style, self._level = style, level
        self._begin()

    def _begin(self) -> None:
        self.system = prompt(self._style, briefing_of(self.aci, self._level))
        self.first = self.aci.describe(self.aci.starting_obs)
        self.reward = self.total = 0.0

    def restart(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        """Starts another game with the same settings.

        Args:
          seed: Seed of the world; the same world again by default.
          options: As for `CrafterACI.reset`.
        """
        self.aci.reset(seed, options=options)
        self._begin()

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self.aci.done

    @property
    def opening(self) -> str:
        """The system prompt and the first observation as one text."""
        return f"{self.system}\n\n{self.first}"

    def reply(self, text: str) -> Turn:
        """Executes a reply of the model.

        Args:
          text: The complete reply; the parser ignores reasoning.

        Returns:
          The result; its reward is in the attribute `reward`.
        """
        was_done = self.aci.done
        turn = self.aci.act(text)
        self.reward = turn.reward
        if self.aci.task_env is not None:
            self.reward = float(self._succeeded() and not was_done)
        self.total += self.reward
        return turn

    def _succeeded(self) -> bool:
        return self.aci.reason == "goal_done"

    def metrics(self) -> dict[str, float]:
        """Returns metrics of the game so far.

        Returns:
          `return`, `steps`, `calls`, `invalid_calls`, `achievements` (count), and 1 or
          0 for each achievement by its name; with a task also `success`.
        """
        unlocked = {name: float(n > 0) for name, n in self.aci.achievements.items()}
        task = {}
        if self.aci.task_env is not None:
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
    """Yields rows of a data set, each of which defines the start of a game.

    Args:
      count: Number of rows.
      first_seed: Seed of the first row; later rows have consecutive seeds.
      **settings: Arguments of `Conversation` shared by all rows.
    """
    for seed in range(first_seed, first_seed + count):
        yield {**settings, "seed": seed}


def settings_of(row: Mapping[str, Any] | None, **others: Any) -> dict[str, Any]:
    """Returns arguments of `Conversation`: those in a row, and others."""
    return {**others, **{k: v for k, v in (row or {}).items() if v is not None}}
