"""GEM: `gem.make("game:Crafter-v0")` and `game:Craftax-v0` after importing this module.

Source: the documentation of gem-llm 0.1.
"""

from __future__ import annotations

import random
from typing import Any

import gem
from gem.core import Env

from crafter.lm.trainers import Conversation, settings_of


class CrafterEnv(Env):
    """A game with text observations and actions.

    Args:
      **settings: Arguments of `Conversation`.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._settings = settings
        self.talk = Conversation(**settings)

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Starts a game from a seed, or a random one."""
        super().reset(seed)
        self.talk = Conversation(**settings_of({"seed": seed}, **self._settings))
        return self.talk.opening, {}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Executes a reply; the info has `error` and the metrics."""
        turn = self.talk.reply(action)
        info = {"error": turn.error and turn.error.kind, **self.talk.metrics()}
        return turn.text, self.talk.reward, turn.terminated, turn.truncated, info

    def sample_random_action(self) -> str:
        """Returns a random action in GEM's format."""
        return f"\\boxed{{{random.choice(list(self.talk.aci.words.actions))}}}"

    def spawn(self, same_state: bool = False, **settings: Any) -> CrafterEnv:
        """Returns another environment with the same settings, optionally changed."""
        if same_state:
            raise ValueError("A game cannot be split; spawn one with the same seed.")
        return CrafterEnv(**{**self._settings, **settings})


gem.register("game:Crafter-v0", CrafterEnv, game="crafter")
gem.register("game:Craftax-v0", CrafterEnv, game="craftax")
