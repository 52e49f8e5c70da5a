"""Policies of the stub endpoint: reply to the messages of a request."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.llm_client.client import text_of
from crafter.llm_client.stub import Policy
from crafter.lm import game
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.players import ScriptedAgent


def noop(messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers `noop`."""
    return "Action: noop"


def hashed(messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers with an action drawn by a hash of the request."""
    digest = hashlib.sha256(json.dumps(list(messages)).encode()).digest()
    actions = game.find().words().book.actions
    return f"Action: {actions[digest[0] % len(actions)]}"


def scripted(messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers as the scripted agent, from the JSON observations in the request.

    Other formats than `json` it cannot read: it answers `noop`.
    """
    agent = ScriptedAgent()
    agent.reset(Briefing())
    answer = "noop"
    for message in messages:
        data = _observation(message)
        if data is not None:
            answer = agent.act(Message("", data))
    return f"Action: {answer}"


def _observation(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns the JSON observation of a message, if it has one."""
    if message["role"] != "user":
        return None
    try:
        data, _ = json.JSONDecoder().raw_decode(text_of(message["content"]))
    except ValueError:
        return None
    return data if isinstance(data, dict) and "view" in data else None


POLICIES: dict[str, Policy] = {"noop": noop, "random": hashed, "scripted": scripted}
