"""An agent that plays by rules of thumb, from the JSON observation alone.

It knows nothing that a model would not be told. What plays Crafter is in `forager`,
what plays Craftax in `craftax`.
"""

from __future__ import annotations

from typing import Any, Protocol

from crafter.games.crafter.rules import Rules
from crafter.games.crafter.text.forager import Forager
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.rendering.phrases import packed


class Mind(Protocol):
    """What plays one game."""

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation in its JSON form."""

    def state(self) -> Any:
        """Returns what it remembers, as data for JSON."""

    def load(self, state: Any) -> None:
        """Remembers what `state` returned."""


class ScriptedAgent(LMAgent):
    """Plays by rules of thumb; see the module."""

    name = "scripted"

    def reset(self, briefing: Briefing) -> None:
        """Forgets the last game."""
        self._batch = briefing.max_batch
        self._mind = _mind(briefing)

    def state(self) -> Any:
        """Returns what it remembers, such as its map, as data for JSON."""
        return self._mind.state()

    def load(self, state: Any) -> None:
        """Remembers what `state` returned."""
        self._mind.load(state)

    def act(self, message: Message) -> str:
        """Returns the next actions, separated by commas.

        Raises:
          ValueError: If the message has no observation as data.
        """
        if not message.data:
            raise ValueError("The scripted agent needs observations, not pictures.")
        actions = self._mind.choose(message.data)
        return ", ".join(packed(actions[: self._batch]))


def _mind(briefing: Briefing) -> Mind:
    """Returns what plays the game of the rules."""
    if isinstance(briefing.tables, Rules):
        return Forager(briefing)
    # The larger game is imported when it is played.
    from crafter.games.craftax.text.agent.descender import Descender

    return Descender(briefing)
