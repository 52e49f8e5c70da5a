"""Agents that ask a language model."""

from __future__ import annotations

import dataclasses
import pathlib
import re
import string
from collections.abc import Callable, Sequence
from typing import Any

from crafter.core.validation import integer, one_of
from crafter.llm_client.client import Endpoint, Reply, length, text_of
from crafter.lm import game as games
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.agents.players import OFFLINE

PROMPTS = pathlib.Path(__file__).with_name("prompts")
STYLES = ("direct", "react", "plan", "vision")
WINDOW = 8  # former turns that a request repeats
NOTEBOOK = 1500  # characters
LIMIT = 24_000  # characters of a request, pictures aside
_TAG = re.compile(r"<(/?)notebook>", re.IGNORECASE)


def prompt(style: str, briefing: Briefing) -> str:
    """Returns the system prompt.

    Args:
      style: A name of `STYLES`.
      briefing: What is known before the game.

    Raises:
      ValueError: If the style is unknown.
    """
    one_of("style", style, STYLES)
    title = games.find(briefing.game).title
    left = briefing.words.book.moves["left"]
    known = {"title": title, "left": left, "rules": briefing.rules}
    known |= {"batch": str(briefing.max_batch), "notebook": str(NOTEBOOK)}
    how = _template(style).substitute(known)
    told = _template("system").substitute(known, style=how).strip()
    if not briefing.goal:
        return told
    return f"{told}\n\n{_template('goal').substitute(goal=briefing.goal)}"


def _template(name: str) -> string.Template:
    path = PROMPTS / f"{name}.txt"
    return string.Template(path.read_text("utf-8").strip())


class Chat:
    """Makes the requests of a game: what a model is shown.

    A request has the system prompt, the last turns, and the present observation. Older
    turns are dropped until it fits the limit.

    Args:
      style: `direct`, `react`, `plan` (with a notebook) or `vision` (with pictures).
      window: Former turns that a request repeats.
      limit: Most characters of a request, pictures aside.

    Attributes:
      style: The style.
      turns: The last turns: what was shown, what was said.
      notebook: What the model noted down.

    Raises:
      ValueError: If the style is unknown or a number is impossible.
    """

    def __init__(
        self, style: str = "react", window: int = WINDOW, limit: int = LIMIT
    ) -> None:
        self.style = one_of("style", style, STYLES)
        self._window = integer("window", window, 0)
        self._limit = integer("limit", limit, 1)
        self._system = ""
        self.turns: list[tuple[str, str]] = []
        self.notebook = ""

    def reset(self, briefing: Briefing) -> None:
        """Forgets the last game."""
        self._system = prompt(self.style, briefing)
        self.turns, self.notebook = [], ""

    def remember(self, message: Message, reply: str) -> None:
        """Adds a turn."""
        turns = [*self.turns, (message.text, reply)]
        self.turns = turns[-self._window :] if self._window else []
        notes = _noted(reply) if self.style == "plan" else None
        if notes is not None:
            self.notebook = notes.strip()[:NOTEBOOK]

    def request(self, message: Message) -> list[dict[str, Any]]:
        """Returns the messages of a request.

        Raises:
          ValueError: If not even the shortest request fits the limit.
        """
        turns = list(self.turns)
        while True:
            messages = self._messages(turns, message)
            if length(messages) <= self._limit:
                return messages
            if not turns:
                raise ValueError(
                    f"A request of {length(messages)} characters does not fit "
                    f"the limit of {self._limit}."
                )
            turns = turns[1:]

    def _messages(
        self, turns: list[tuple[str, str]], message: Message
    ) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = [{"role": "system", "content": self._system}]
        for seen, said in turns:
            told.append({"role": "user", "content": seen})
            told.append({"role": "assistant", "content": said})
        text = message.text
        if self.style == "plan":
            text += f"\n\nYour notebook:\n{self.notebook or '(empty)'}"
        content: Any = text
        if message.image is not None:
            picture = {"type": "image_url", "image_url": {"url": message.image}}
            content = [{"type": "text", "text": text}, picture]
        return [*told, {"role": "user", "content": content}]

    def settings(self) -> dict[str, Any]:
        """Returns what defines it, for logs."""
        return {"window": self._window, "limit": self._limit}


class ModelAgent(LMAgent):
    """Asks an endpoint before each call.

    Args:
      endpoint: Who is asked.
      style: A name of `STYLES`; see `Chat`.
      **settings: `window` and `limit` of the `Chat`.

    Raises:
      ValueError: If the style is unknown or a number is impossible.
    """

    def __init__(
        self, endpoint: Endpoint, style: str = "react", **settings: int
    ) -> None:
        self.name, self.pictures = style, style == "vision"
        self._endpoint, self._chat = endpoint, Chat(style, **settings)
        self._last: Reply | None = None
        self._sent: list[dict[str, Any]] = []

    def reset(self, briefing: Briefing) -> None:
        """Forgets the last game."""
        self._chat.reset(briefing)
        self._last, self._sent = None, []

    def act(self, message: Message) -> str:
        """Asks the endpoint and returns its answer.

        Raises:
          EndpointError: If it gives none.
          ValueError: If not even the shortest request fits the limit.
        """
        self._sent = self._chat.request(message)
        self._last = self._endpoint.chat(self._sent)
        self.recall(message, self._last.text)
        return self._last.text

    def recall(self, message: Message, reply: str) -> None:
        """Remembers a turn."""
        self._chat.remember(message, reply)

    def request(self, message: Message) -> list[dict[str, Any]]:
        """Returns the messages that it would send."""
        return self._chat.request(message)

    def settings(self) -> dict[str, Any]:
        """Returns endpoint and window."""
        return {"endpoint": self._endpoint.settings(), **self._chat.settings()}

    def last_call(self) -> dict[str, Any]:
        """Returns what the latest request was and cost."""
        if self._last is None:
            return {}
        told = {n: v for n, v in dataclasses.asdict(self._last).items() if n != "text"}
        told["latency"] = round(self._last.latency, 3)
        return {"prompt": logged(self._sent), **told}


def _noted(reply: str) -> str | None:
    """Returns the last notebook in a reply, or `None`."""
    found, start = None, None
    for tag in _TAG.finditer(reply):
        if not tag.group(1) and start is None:
            start = tag.end()
        elif tag.group(1) and start is not None:
            found, start = reply[start : tag.start()], None
    return found


def logged(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the messages of a request as logs have them: without pictures."""
    return [
        {**message, "content": f"{text_of(message['content'])}\n[picture]"}
        if isinstance(message["content"], list)
        else message
        for message in messages
    ]


def make(name: str, endpoint: Callable[[], Endpoint], **options: Any) -> LMAgent:
    """Returns an agent.

    Args:
      name: A name of `OFFLINE` or `STYLES`.
      endpoint: Makes the endpoint, if the agent needs one.
      **options: Further arguments of `ModelAgent`.

    Raises:
      ValueError: If there is no such agent.
    """
    one_of("agent", name, (*OFFLINE, *STYLES))
    if name in OFFLINE:
        return OFFLINE[name]()
    return ModelAgent(endpoint(), name, **options)
