"""SkyRL-Gym: `skyrl_gym.make("crafter")` after importing this module.

Source: the documentation of skyrl-gym 0.4.
"""

from __future__ import annotations

from typing import Any

import skyrl_gym
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from crafter.lm.trainers import MAX_CALLS, Conversation, settings_of


class CrafterEnv(BaseTextEnv):
    """A game as a conversation.

    Args:
      env_config: Arguments of `Conversation` for all rollouts.
      extras: The row of the rollout: `max_turns`, and under `crafter` arguments of
        `Conversation` such as `seed` and `task`.
    """

    def __init__(self, env_config: Any = None, extras: Any = None) -> None:
        super().__init__()
        extras = extras or {}
        self.max_turns = extras.get("max_turns", MAX_CALLS)
        settings = settings_of(extras.get("crafter"), **dict(env_config or {}))
        self.talk = Conversation(**{"max_calls": self.max_turns, **settings})

    def init(self, prompt: list[dict[str, str]]) -> tuple[list[Any], dict[str, Any]]:
        """Returns the first messages; a given prompt replaces the system prompt."""
        system = [{"role": "system", "content": self.talk.system}]
        return (prompt or system) + [{"role": "user", "content": self.talk.first}], {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Executes a reply."""
        self.turns += 1
        turn = self.talk.reply(action)
        messages = [] if turn.done else [{"role": "user", "content": turn.text}]
        return BaseTextEnvStepOutput(
            observations=messages,
            reward=self.talk.reward,
            done=turn.done or self.turns >= self.max_turns,
            metadata={"error": turn.error and turn.error.kind},
        )

    def get_metrics(self) -> dict[str, Any]:
        """Returns `Conversation.metrics`."""
        return self.talk.metrics()


skyrl_gym.register(id="crafter", entry_point=CrafterEnv)
