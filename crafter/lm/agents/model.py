"""Agents that query a language model."""

from __future__ import annotations

import dataclasses
import pathlib
import re
import string
from collections.abc import Callable
from typing import Any

from crafter.core.validation import integer, one_of
from crafter.llm_client.client import Endpoint, Reply, length, text_of
from crafter.lm import game as games
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.agents.players import OFFLINE

PROMPTS = pathlib.Path(__file__).with_name("prompts")
STYLES = ("direct", "react", "plan", "vision")
WINDOW = 8  # previous turns repeated in a request
NOTEBOOK = 1500  # characters
LIMIT = 24_000  # characters of a request, without pictures
_OPEN = re.compile("<notebook>", re.IGNORECASE)
_CLOSE = re.compile("</notebook>", re.IGNORECASE)


def prompt(style: str, briefing: Briefing) -> str:
    """Returns the system prompt.

    Args:
      style: A name of `STYLES`.
      briefing: Information given before the game.

    Raises:
      ValueError: If the style is unknown.
    """
    one_of("style", style, STYLES)
    title = games.find(briefing.game).title
    left = briefing.words.moves["left"]
    fields = {"title": title, "left": left, "rules": briefing.rules}
    fields |= {"batch": str(briefing.max_batch), "notebook": str(NOTEBOOK)}
    how = _template(style).substitute(fields)
    text = _template("system").substitute(fields, style=how).strip()
    if not briefing.goal:
        return text
    return f"{text}\n\n{_template('goal').substitute(goal=briefing.goal)}"


def _template(name: str) -> string.Template:
    path = PROMPTS / f"{name}.txt"
    return string.Template(path.read_text("utf-8").strip())


class ModelAgent(LMAgent):
    """Queries an endpoint at each call.

    A request consists of the system prompt, the last turns and the current observation.
    Older turns are dropped until it fits the limit.

    Args:
      endpoint: The endpoint; `None` to rebuild requests without sending them.
      style: `direct`, `react`, `plan` (with a notebook) or `vision` (with pictures).
      window: Number of previous turns in a request.
      limit: Maximum characters of a request, without pictures.

    Attributes:
      turns: The last turns: messages and replies.
      notebook: The model's notes.

    Raises:
      ValueError: If the style is unknown or a number is invalid.
    """

    def __init__(
        self,
        endpoint: Endpoint | None,
        style: str = "react",
        window: int = WINDOW,
        limit: int = LIMIT,
    ) -> None:
        self.name = one_of("style", style, STYLES)
        self.pictures = style == "vision"
        self._endpoint = endpoint
        self._window = integer("window", window, 0)
        self._limit = integer("limit", limit, 1)
        self._system = ""
        self.turns: list[tuple[str, str]] = []
        self.notebook = ""
        self._last: Reply | None = None

    def reset(self, briefing: Briefing) -> None:
        """Clears turns and notebook."""
        self._system = prompt(self.name, briefing)
        self.turns, self.notebook, self._last = [], "", None

    def act(self, message: Message) -> str:
        """Queries the endpoint and returns its reply.

        Raises:
          EndpointError: If it does not reply.
          ValueError: If even the shortest request exceeds the limit.
        """
        assert self._endpoint is not None
        self._last = self._endpoint.chat(self.request(message))
        self.recall(message, self._last.text)
        return self._last.text

    def recall(self, message: Message, reply: str) -> None:
        """Adds a turn to the history."""
        turns = [*self.turns, (message.text, reply)]
        self.turns = turns[-self._window :] if self._window else []
        notes = _last_notebook(reply) if self.name == "plan" else None
        if notes is not None:
            self.notebook = notes.strip()[:NOTEBOOK]

    def request(self, message: Message) -> list[dict[str, Any]]:
        """Returns the messages of a request.

        Raises:
          ValueError: If even the shortest request exceeds the limit.
        """
        for first in range(len(self.turns) + 1):
            messages = self._messages(self.turns[first:], message)
            if length(messages) <= self._limit:
                return messages
        raise ValueError(
            f"A request of {length(messages)} characters exceeds the limit of "
            f"{self._limit}."
        )

    def _messages(
        self, turns: list[tuple[str, str]], message: Message
    ) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = [{"role": "system", "content": self._system}]
        for observation, reply in turns:
            messages.append({"role": "user", "content": observation})
            messages.append({"role": "assistant", "content": reply})
        text = message.text
        if self.name == "plan":
            text += f"\n\nYour notebook:\n{self.notebook or '(empty)'}"
        content: Any = text
        if message.image is not None:
            picture = {"type": "image_url", "image_url": {"url": message.image}}
            content = [{"type": "text", "text": text}, picture]
        return [*messages, {"role": "user", "content": content}]

    def prompt(self, message: Message) -> list[dict[str, Any]]:
        """Returns the messages of a request without pictures."""
        return [
            {**entry, "content": f"{text_of(entry['content'])}\n[picture]"}
            if isinstance(entry["content"], list)
            else entry
            for entry in self.request(message)
        ]

    def settings(self) -> dict[str, Any]:
        """Returns endpoint, window and limit."""
        endpoint = {} if self._endpoint is None else self._endpoint.settings()
        return {"endpoint": endpoint, "window": self._window, "limit": self._limit}

    def last_call(self) -> dict[str, Any]:
        """Returns the usage of the latest request."""
        if self._last is None:
            return {}
        usage = {n: v for n, v in dataclasses.asdict(self._last).items() if n != "text"}
        return {**usage, "latency": round(self._last.latency, 3)}


def _last_notebook(reply: str) -> str | None:
    """Returns the last notebook in a reply, or `None`."""
    parts = [_OPEN.split(part, 1) for part in _CLOSE.split(reply)[:-1]]
    return next((part[1] for part in reversed(parts) if len(part) == 2), None)


def make(name: str, endpoint: Callable[[], Endpoint], **options: Any) -> LMAgent:
    """Returns an agent.

    Args:
      name: A name of `OFFLINE` or `STYLES`.
      endpoint: Creates the endpoint, if the agent needs one.
      **options: Further arguments of `ModelAgent`.

    Raises:
      ValueError: If there is no such agent.
    """
    one_of("agent", name, (*OFFLINE, *STYLES))
    if name in OFFLINE:
        return OFFLINE[name]()
    return ModelAgent(endpoint(), name, **options)
