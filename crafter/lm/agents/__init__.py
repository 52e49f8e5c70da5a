"""Agents that play through the text interface, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crafter.llm_client.client import Endpoint
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.agents.model import STYLES, Chat, ModelAgent
from crafter.lm.agents.oracle import OracleAgent
from crafter.lm.agents.scripted import ScriptedAgent
from crafter.lm.agents.simple import (
    HumanAgent,
    NoopAgent,
    RandomAgent,
    RandomUsefulAgent,
)

__all__ = [
    "OFFLINE",
    "STYLES",
    "Briefing",
    "Chat",
    "HumanAgent",
    "LMAgent",
    "Message",
    "ModelAgent",
    "NoopAgent",
    "OracleAgent",
    "RandomAgent",
    "RandomUsefulAgent",
    "ScriptedAgent",
    "make",
]

#: Agents that need no endpoint.
OFFLINE: dict[str, Callable[[], LMAgent]] = {
    agent.name: agent
    for agent in (
        NoopAgent,
        RandomAgent,
        RandomUsefulAgent,
        ScriptedAgent,
        OracleAgent,
        HumanAgent,
    )
}


def make(name: str, endpoint: Callable[[], Endpoint], **options: Any) -> LMAgent:
    """Returns an agent.

    Args:
      name: A name of `OFFLINE` or `STYLES`.
      endpoint: Makes the endpoint, if the agent needs one.
      **options: Further arguments of `ModelAgent`.

    Raises:
      ValueError: If there is no such agent.
    """
    if name in OFFLINE:
        return OFFLINE[name]()
    if name in STYLES:
        return ModelAgent(endpoint(), name, **options)
    raise ValueError(f"Unknown agent {name!r}; there are {[*OFFLINE, *STYLES]}.")
