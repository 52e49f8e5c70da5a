"""Agents without a model: random, idle, scripted, oracle and human."""

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
    """Samples actions uniformly."""

    name = "random"

    def reset(self, briefing: Briefing) -> None:
        """Seeds the random generator."""
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
    """Samples movement and interaction more often than other actions."""

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
    """Heuristic agent that reads only the JSON observation.

    It has no information that a model would not have. The game provides the policy.
    """

    name = "scripted"

    def reset(self, briefing: Briefing) -> None:
        """Creates the policy for a new game."""
        self._batch = briefing.max_batch
        self._policy = games.find(briefing.game).scripted(briefing)

    def act(self, message: Message) -> str:
        """Returns the next actions, separated by commas.

        Raises:
          ValueError: If the message has no JSON observation.
        """
        if not message.data:
            raise ValueError("The scripted agent needs observations, not pictures.")
        actions = self._policy.choose(message.data)
        return ", ".join(packed(actions[: self._batch]))


class OracleAgent(LMAgent):
    """Attempts a task with the planner that verifies scenes; one action per call.

    It ignores messages and reads the full game state, to show what is achievable.
    """

    name = "oracle"

    def reset(self, briefing: Briefing) -> None:
        """Creates a planner for the task.

        Raises:
          ValueError: If there is no task.
        """
        if briefing.task_env is None:
            raise ValueError("The agent 'oracle' needs a task: pass task=...")
        planner = games.find(briefing.game).planner
        assert planner is not None, "a game with tasks has a planner"
        self._planner = planner(briefing.task_env.task.goal, briefing.task_env.tracker)

    def act(self, message: Message) -> str:
        """Returns the next action; noop if the planner gives up."""
        return "noop" if self._planner.reason else self._planner.act()


class HumanAgent(LMAgent):
    """Shows messages on the terminal and reads the person's input."""

    name = "human"

    def act(self, message: Message) -> str:
        """Returns the line typed.

        Raises:
          EOFError: At the end of the input.
        """
        print(f"\n{message.text}")
        return input("> ")

    def recall(self, message: Message, reply: str) -> None:
        """Does nothing: the person remembers."""


#: Name -> agent, for agents that need no endpoint.
OFFLINE: dict[str, type[LMAgent]] = {
    agent.name: agent
    for agent in (
        *(NoopAgent, RandomAgent, RandomUsefulAgent),
        *(ScriptedAgent, OracleAgent, HumanAgent),
    )
}

_START = '{"schema"'  # start of an observation as JSON


def answer(messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers a model request with an offline agent, for the stub endpoint.

    The scripted agent plays from the JSON observations in the request; without any,
    `random_useful` answers, seeded by the request. The system prompt determines the
    game.

    Args:
      messages: Messages of the request.
    """
    seen = [data for data in map(_observation, messages) if data]
    agent: LMAgent = ScriptedAgent() if seen else RandomUsefulAgent()
    digest = hashlib.sha256(json.dumps(list(messages)).encode()).digest()
    agent.reset(Briefing(seed=digest[0], game=_game(messages)))
    replies = [agent.act(Message("", data)) for data in seen or [{}]]
    return f"Action: {replies[-1]}"


def _game(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns the game whose title is in the first message."""
    text = str(text_of(messages[0]["content"]))
    names = (name for name in core_game.names("text") if games.find(name).title in text)
    return next(names, games.DEFAULT)


def _observation(message: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the JSON observation in a message; empty if there is none."""
    text = text_of(message["content"]) or ""
    try:
        data, _ = json.JSONDecoder().raw_decode(text, max(text.find(_START), 0))
    except ValueError:
        return {}
    return data if isinstance(data, dict) and "view" in data else {}
