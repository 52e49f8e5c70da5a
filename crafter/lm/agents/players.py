"""Agents that need no model: random, idle, scripted, all-knowing and human."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import game as core_game
from crafter.core.phrases import packed
from crafter.llm_client.client import text_of
from crafter.lm import game as games
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.rendering.facts import VECTORS


class RandomAgent(LMAgent):
    """Draws actions uniformly."""

    name = "random"

    def reset(self, briefing: Briefing) -> None:
        """Seeds the random numbers."""
        self._actions = briefing.words.actions
        weights = [self._weight(name) for name in self._actions]
        self._shares = np.array(weights) / sum(weights)
        self._random = np.random.default_rng(briefing.seed)

    def _weight(self, action: str) -> float:
        """Returns the relative frequency of an action."""
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
        self._policy = games.find(briefing.game).scripted(briefing)

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

    def reset(self, briefing: Briefing) -> None:
        """Begins to plan.

        Raises:
          ValueError: If there is no task to plan for.
        """
        if briefing.quest is None:
            raise ValueError("The agent 'oracle' needs a task: give it with task.")
        planner = games.find(briefing.game).planner
        assert planner is not None, "a game with tasks has a planner"
        self._planner = planner(briefing.quest.task.goal, briefing.quest.attempt)

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
        """Does nothing: a person remembers."""


#: Name -> agent, of those that need no endpoint.
OFFLINE: dict[str, type[LMAgent]] = {
    agent.name: agent
    for agent in (
        *(NoopAgent, RandomAgent, RandomUsefulAgent),
        *(ScriptedAgent, OracleAgent, HumanAgent),
    )
}

_START = '{"schema"'  # of an observation as JSON


def answer(messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers a request for a model with an offline agent, for the stub endpoint.

    The scripted agent plays from the JSON observations in the request; if there are
    none, `random_useful` answers, with random numbers that follow from the request. The
    game is that of the system prompt.

    Args:
      messages: Of the request.
    """
    seen = [data for data in map(_observation, messages) if data]
    agent: LMAgent = ScriptedAgent() if seen else RandomUsefulAgent()
    digest = hashlib.sha256(json.dumps(list(messages)).encode()).digest()
    agent.reset(Briefing(seed=digest[0], game=_game(messages)))
    told = [agent.act(Message("", data)) for data in seen or [{}]]
    return f"Action: {told[-1]}"


def _game(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns the name of the game whose title is in the first message."""
    text = str(text_of(messages[0]["content"]))
    found = (name for name in core_game.names("text") if games.find(name).title in text)
    return next(found, games.DEFAULT)


def _observation(message: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the JSON observation of a message; empty if it has none."""
    text = text_of(message["content"]) or ""
    try:
        data, _ = json.JSONDecoder().raw_decode(text, max(text.find(_START), 0))
    except ValueError:
        return {}
    return data if isinstance(data, dict) and "view" in data else {}
