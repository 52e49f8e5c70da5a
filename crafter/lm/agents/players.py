"""Agents that ask no model: random, idle, scripted, all-knowing and human."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.core.phrases import packed
from crafter.lm import game
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.rendering.facts import VECTORS


class RandomAgent(LMAgent):
    """Draws each action with the same chance."""

    name = "random"

    def reset(self, briefing: Briefing) -> None:
        """Starts the random numbers of the game's seed."""
        self._actions = briefing.words.book.actions
        weights = [self._weight(name) for name in self._actions]
        self._shares = np.array(weights) / sum(weights)
        self._random = np.random.default_rng(briefing.seed)

    def _weight(self, action: str) -> float:
        """Returns how often an action is taken, beside the others."""
        return 1.0

    def act(self, message: Message) -> str:
        """Returns one action."""
        return str(self._random.choice(self._actions, p=self._shares))


class RandomUsefulAgent(RandomAgent):
    """Moves and uses things more often than it does anything else."""

    name = "random_useful"

    def _weight(self, action: str) -> float:
        if action.removeprefix("move_") in VECTORS:
            return 4.0
        return {"do": 8.0, "noop": 0.1, "sleep": 0.3}.get(action, 0.5)


class NoopAgent(LMAgent):
    """Does nothing."""

    name = "noop"

    def act(self, message: Message) -> str:
        """Returns `noop`."""
        return "noop"


class ScriptedAgent(LMAgent):
    """Plays by rules of thumb, from the JSON observation alone.

    It knows nothing that a model would not be told. The policy comes with the game.
    """

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


class OracleAgent(LMAgent):
    """Attempts a task with the planner that verifies scenes; one action a call.

    It does not read what it is told, but looks at the whole game itself, to show what
    can be achieved.
    """

    name = "oracle"

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
        return "noop" if self._planner.reason else self._planner.act()


class HumanAgent(LMAgent):
    """Shows messages on the terminal and reads what is typed."""

    name = "human"

    def act(self, message: Message) -> str:
        """Returns the line that was typed.

        Raises:
          EOFError: At the end of the input.
        """
        print(f"\n{message.text}")
        return input("> ")

    def recall(self, message: Message, reply: str) -> None:
        """Has nothing to remember."""


#: Name -> agent, of those that need no endpoint.
OFFLINE: dict[str, type[LMAgent]] = {
    agent.name: agent
    for agent in (
        *(NoopAgent, RandomAgent, RandomUsefulAgent),
        *(ScriptedAgent, OracleAgent, HumanAgent),
    )
}
