"""An agent that sees the whole game, to show what can be achieved."""

from __future__ import annotations

from typing import Any

from crafter.lm import game
from crafter.lm.agents.base import Briefing, LMAgent, Message


class OracleAgent(LMAgent):
    """Attempts a task with the planner that verifies scenes; one action a call.

    It does not read what it is told, but looks at the game itself.
    """

    name = "oracle"

    def reset(self, briefing: Briefing) -> None:
        """Forgets the last game."""
        self._planner: Any = None

    def attach(self, interface: Any) -> None:
        """Begins to plan.

        Raises:
          ValueError: If there is no task to plan for.
        """
        quest = interface.quest
        if quest is None:
            raise ValueError("The agent 'oracle' needs a task: give it with task.")
        planner = game.find(interface.game).planner
        assert planner is not None, "a game with tasks has a planner"
        self._planner = planner(quest.task.goal, quest.attempt)

    def act(self, message: Message) -> str:
        """Returns the next action; noop where the planner gives up."""
        assert self._planner is not None
        return "noop" if self._planner.reason else self._planner.act()
