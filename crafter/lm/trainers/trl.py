"""TRL: a class for `environment_factory` of `GRPOTrainer`; it needs no package.

TRL makes one object a rollout, offers its public methods to the model as tools, and
takes the reward from a function that is given the objects:

    from crafter.lm.trainers import rows, trl
    dataset = Dataset.from_list([{"prompt": trl.PROMPT, **row} for row in rows(64)])
    GRPOTrainer(
        ..., train_dataset=dataset, environment_factory=trl.CrafterEnvironment,
        reward_funcs=trl.reward,
    )

Source: the documentation of TRL 1.16, "OpenEnv and environments".
"""

from __future__ import annotations

from typing import Any

from crafter.lm.trainers import Conversation

#: Of every row: the rules and the first observation come from `reset`.
PROMPT = [{"role": "user", "content": "Play the game with the tool `act`."}]
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

    def _need_game(self) -> Conversation:
        if self.talk is None:
            raise ValueError("There is no game yet: call reset() first.")
        return self.talk


def reward(environments: list[CrafterEnvironment], **kwargs: Any) -> list[float]:
    """Returns the reward of each rollout: the sum of those of its steps."""
    return [0.0 if env.talk is None else env.talk.total for env in environments]
