"""Policies of the stub endpoint: reply to the messages of a request."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.core import game as core_game
from crafter.llm_client.client import text_of
from crafter.llm_client.stub import Policy
from crafter.lm import game as games
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.players import OFFLINE

_START = '{"schema"'  # of an observation as JSON


def answer(name: str, messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers as an agent without a model, a new one for each request.

    Its random numbers follow from the request, its game from the system prompt. The
    scripted agent plays from the JSON observations in the request; if there are none,
    `random_useful` answers instead.

    Args:
      name: Name of the agent.
      messages: Of the request.
    """
    seen = [_observation(m) for m in messages if m["role"] == "user"]
    if name == "scripted" and not any(seen):
        name = "random_useful"
    agent, told = OFFLINE[name](), "noop"
    digest = hashlib.sha256(json.dumps(list(messages)).encode()).digest()
    agent.reset(Briefing(seed=digest[0], game=_game(messages)))
    for data in seen:
        if data or name != "scripted":
            told = agent.act(Message("", data))
    return f"Action: {told}"


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


#: Name of an agent -> the policy.
POLICIES: dict[str, Policy] = {
    name: functools.partial(answer, name) for name in ("noop", "random", "scripted")
}
