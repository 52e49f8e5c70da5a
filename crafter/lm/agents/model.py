"""Agents that ask a language model."""

from __future__ import annotations

import pathlib
import re
import string
from typing import Any

from crafter.endpoint.client import Endpoint, Reply, length
from crafter.lm.agents.base import Briefing, LMAgent, Message

PROMPTS = pathlib.Path(__file__).with_name("prompts")
STYLES = ("direct", "react", "plan", "vision")
WINDOW = 8  # former turns that a request repeats
NOTEBOOK = 1500  # characters
LIMIT = 24_000  # characters of a request, pictures aside
_NOTES = re.compile(r"<notebook>(.*?)</notebook>", re.DOTALL | re.IGNORECASE)


def prompt(style: str, briefing: Briefing) -> str:
    """Returns the system prompt.

    Args:
      style: A name of `STYLES`.
      briefing: What is known before the game.

    Raises:
      ValueError: If the style is unknown.
    """
    if style not in STYLES:
        raise ValueError(f"Unknown style {style!r}; there are {list(STYLES)}.")
    how = _template(style).substitute(batch=briefing.max_batch, notebook=NOTEBOOK)
    return _template("system").substitute(rules=briefing.rules, style=how).strip()


def _template(name: str) -> string.Template:
    path = PROMPTS / f"{name}.txt"
    return string.Template(path.read_text("utf-8").strip())


class ModelAgent(LMAgent):
    """Asks an endpoint before each call.

    A request has the system prompt, the last turns, and the present observation. Older
    turns are dropped until it fits the limit.

    Args:
      endpoint: Who is asked.
      style: `direct`, `react`, `plan` (with a notebook) or `vision` (with pictures).
      window: Former turns that a request repeats.
      limit: Most characters of a request, pictures aside.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        style: str = "react",
        window: int = WINDOW,
        limit: int = LIMIT,
    ) -> None:
        if style not in STYLES:
            raise ValueError(f"Unknown style {style!r}; there are {list(STYLES)}.")
        self.name = style
        self._endpoint, self._style = endpoint, style
        self._window, self._limit = window, limit
        self._system = ""
        self._turns: list[tuple[str, str]] = []
        self._notebook = ""
        self._last: Reply | None = None
        self._sent: list[dict[str, Any]] = []

    def reset(self, briefing: Briefing) -> None:
        """Forgets the last game."""
        self._system = prompt(self._style, briefing)
        self._turns, self._notebook, self._last, self._sent = [], "", None, []

    def act(self, message: Message) -> str:
        """Asks the endpoint and returns its answer.

        Raises:
          EndpointError: If it gives none.
          ValueError: If not even the shortest request fits the limit.
        """
        self._sent = self.request(message)
        self._last = self._endpoint.chat(self._sent)
        self.recall(message, self._last.text)
        return self._last.text

    def recall(self, message: Message, reply: str) -> None:
        """Remembers a turn."""
        self._turns = [*self._turns, (message.text, reply)][-self._window :]
        notes = _NOTES.findall(reply)
        if self._style == "plan" and notes:
            self._notebook = notes[-1].strip()[:NOTEBOOK]

    def request(self, message: Message) -> list[dict[str, Any]]:
        """Returns the messages of a request."""
        turns = list(self._turns) if self._window else []
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
        if self._style == "plan":
            text += f"\n\nYour notebook:\n{self._notebook or '(empty)'}"
        content: Any = text
        if message.image is not None:
            picture = {"type": "image_url", "image_url": {"url": message.image}}
            content = [{"type": "text", "text": text}, picture]
        return [*told, {"role": "user", "content": content}]

    def state(self) -> Any:
        """Returns turns and notebook."""
        return {
            "turns": [list(turn) for turn in self._turns],
            "notebook": self._notebook,
        }

    def load(self, state: Any) -> None:
        """Remembers what `state` returned."""
        self._turns = [(seen, said) for seen, said in state["turns"]]
        self._notebook = state["notebook"]

    def settings(self) -> dict[str, Any]:
        """Returns endpoint and window."""
        return {
            "endpoint": self._endpoint.settings(),
            "window": self._window,
            "limit": self._limit,
        }

    def last_call(self) -> dict[str, Any]:
        """Returns what the latest request was and cost."""
        if self._last is None:
            return {}
        return {
            "prompt": [_without_pictures(message) for message in self._sent],
            "latency": round(self._last.latency, 3),
            "prompt_tokens": self._last.prompt_tokens,
            "completion_tokens": self._last.completion_tokens,
            "estimated": self._last.estimated,
            "tries": self._last.tries,
            "cut": self._last.cut,
        }


def _without_pictures(message: dict[str, Any]) -> dict[str, Any]:
    """Returns a message as it is logged."""
    content = message["content"]
    if isinstance(content, str):
        return message
    texts = [part["text"] for part in content if part["type"] == "text"]
    return {**message, "content": "\n".join([*texts, "[picture]"])}
