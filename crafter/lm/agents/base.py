"""Base class of agents, and the messages that they get."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, Protocol

from crafter.lm import game as games
from crafter.lm.rendering.words import Words


@dataclasses.dataclass(frozen=True)
class Message:
    """Input of an agent before each of its calls.

    Attributes:
      text: The observation in the format of the interface.
      data: The same as `Observation.json()`.
      image: The picture as a data URI, if the interface draws pictures.
      error: What was wrong with the last reply, or `None`.
    """

    text: str
    data: dict[str, Any]
    image: str | None = None
    error: str | None = None


@dataclasses.dataclass(frozen=True)
class Briefing:
    """Input of an agent before a game.

    Attributes:
      rules: The rules of the game in words; may be empty.
      seed: For the agent's own random numbers.
      max_batch: Most actions of one call.
      macros: Whether `X until Y` may be used.
      max_actions: Steps after which the game ends, or `None`.
      max_calls: Calls after which the game ends, or `None`.
      game: Name of the game.
      tables: The rules of the game as data, for agents that read them; by default the
        published ones.
      goal: What is to be achieved, in a sentence; empty if nothing in particular.
    """

    rules: str = ""
    seed: int = 0
    max_batch: int = 20
    macros: bool = True
    max_actions: int | None = None
    max_calls: int | None = None
    game: str = games.DEFAULT
    tables: Any = dataclasses.field(default=None, repr=False)
    goal: str = ""

    @property
    def words(self) -> Words:
        """The words of the game, and its rules as texts need them."""
        return games.find(self.game).words(self.tables)


class Policy(Protocol):
    """Plays one game from observations in their JSON form."""

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation."""


class LMAgent(abc.ABC):
    """Plays by reading messages and writing replies.

    A subclass implements `act`. When an interrupted game goes on, `recall` gets the
    replies that were logged.

    Attributes:
      name: What it is called in logs.
      pictures: Whether it needs the picture of each observation.
    """

    name = "agent"
    pictures = False

    def reset(self, briefing: Briefing) -> None:  # noqa: B027
        """Forgets the last game; called before each game."""

    def attach(self, interface: Any) -> None:  # noqa: B027
        """Shows it the interface; only agents that know the whole game look at it."""

    @abc.abstractmethod
    def act(self, message: Message) -> str:
        """Returns a reply that holds actions."""

    def prompt(self, message: Message) -> Any:
        """Returns what logs have as the prompt of a call, as data for JSON."""
        return message.text

    def recall(self, message: Message, reply: str) -> None:
        """Takes note of a turn that was played before an interruption.

        By default it decides once more, so that it remembers the same. Agents whose
        replies cost something override this.
        """
        self.act(message)

    def settings(self) -> dict[str, Any]:
        """Returns what defines the agent, for logs; no secrets."""
        return {}

    def last_call(self) -> dict[str, Any]:
        """Returns what is logged about the latest reply, such as token counts."""
        return {}
