"""TRL: a class for `environment_factory` of `GRPOTrainer`; it needs no package.

TRL has one object per rollout of a step, offers its public methods to the model as
tools, and asks it for the reward of the whole rollout:

    from crafter.lm.trainers import rows, trl
    dataset = Dataset.from_list([{"prompt": trl.PROMPT, **row} for row in rows(64)])
    GRPOTrainer(
        ..., train_dataset=dataset, environment_factory=trl.CrafterEnvironment
    )

Source: the documentation of TRL 1.16, "OpenEnv and environments".
"""

from __future__ import annotations

from typing import Any

from crafter.lm.trainers import Conversation

#: Prompt of every row: TRL appends the rules and first observation returned by `reset`.
PROMPT = [{"role": "user", "content": "Play the game with the tool `act`.\n\n"}]
_OWN = ("prompt", "completion", "environments", "log_extra", "log_metric")


class CrafterEnvironment:
    """A game that is played through tools.

    Attributes:
      talk: The game; `None` before the first reset.
    """

    def __init__(self) -> None:
        self.talk: Conversation | None = None

    def reset(self, **row: Any) -> str:
        """Starts the game of a row: `seed`, `game`, `task`, and other settings."""
        self.talk = Conversation(**{k: v for k, v in row.items() if k not in _OWN})
        return self.talk.opening

    def act(self, actions: str) -> str:
        """Carries out actions in the game, one after the other, and tells what is seen.

        Args:
            actions: Names of actions separated by commas, such as "move_left x2, do".

        Returns:
            What happened and what is seen now.
        """
        return self._need_game().reply(actions).text

    def look(self) -> str:
        """Tells again what is seen now. It takes no step.

        Returns:
            What is seen now.
        """
        aci = self._need_game().aci
        return aci.describe(aci.observe())

    def rules(self) -> str:
        """Tells again what was told at the start. It takes no step.

        Returns:
            The rules of the game, and the goal if there is one.
        """
        return self._need_game().system

    def get_reward(self) -> float:
        """Returns the reward of the rollout: the sum over its steps."""
        return 0.0 if self.talk is None else self.talk.total

    def _need_game(self) -> Conversation:
        if self.talk is None:
            raise ValueError("There is no game yet: call reset() first.")
        return self.talk
