"""An agent that plays by rules of thumb, from the JSON observation alone.

It knows nothing that a model would not be told. The policy comes with the game.
"""

from __future__ import annotations

from crafter.lm import game
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.rendering.phrases import packed


class ScriptedAgent(LMAgent):
    """Plays by rules of thumb; see the module."""

    name = "scripted"

    def reset(self, briefing: Briefing) -> None:
        """Forgets the last game."""
        self._batch = briefing.max_batch
        self._policy = game.find(briefing.game).scripted(briefing)

    def act(self, message: Message) -> str:
        """Returns the next actions, separated by commas.

        Raises:
          ValueError: If the message has no observation as data.
        """
        if not message.data:
            raise ValueError("The scripted agent needs observations, not pictures.")
        actions = self._policy.choose(message.data)
        return ", ".join(packed(actions[: self._batch]))
