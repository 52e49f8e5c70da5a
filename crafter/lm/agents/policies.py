"""Policies of the stub endpoint: reply to the messages of a request."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.llm_client.client import text_of
from crafter.llm_client.stub import Policy
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.players import OFFLINE


def answer(name: str, messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers as an agent without a model, a new one for each request.

    Its random numbers follow from the request. The scripted agent plays from the JSON
    observations in the request; other formats it cannot read: it answers `noop`.

    Args:
      name: Name of the agent.
      messages: Of the request.
    """
    agent, told = OFFLINE[name](), "noop"
    digest = hashlib.sha256(json.dumps(list(messages)).encode()).digest()
    agent.reset(Briefing(seed=digest[0]))
    for message in messages:
        data = _observation(message) if message["role"] == "user" else {}
        if data or name != "scripted":
            told = agent.act(Message("", data))
    return f"Action: {told}"


def _observation(message: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the JSON observation of a message; empty if it has none."""
    try:
        data, _ = json.JSONDecoder().raw_decode(text_of(message["content"]))
    except ValueError:
        return {}
    return data if isinstance(data, dict) and "view" in data else {}


#: Name of an agent -> the policy.
POLICIES: dict[str, Policy] = {
    name: functools.partial(answer, name) for name in ("noop", "random", "scripted")
}
