"""Base class of agents, and the messages that they get."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Collection
from typing import Any, Protocol

from crafter.lm import game as games
from crafter.lm.game import rules
from crafter.lm.rendering.words import Words


@dataclasses.dataclass(frozen=True)
class Message:
    """Input of an agent before each of its calls.

    Attributes:
      text: The observation in the format of the interface.
      data: The same as `Observation.json()`.
      image: The picture as a data URI, if the interface draws pictures.
    """

    text: str
    data: dict[str, Any]
    image: str | None = None


@dataclasses.dataclass(frozen=True)
class Briefing:
    """Input of an agent before a game.

    Attributes:
      rules: The rules of the game in words; may be empty.
      seed: For the agent's own random numbers.
      max_batch: Most actions of one call.
      macros: Whether `X until Y` may be used.
      max_actions: Steps after which the game ends, or `None`.
      game: Name of the game.
      tables: The rules of the game as data, for agents that read them; by default the
        published ones.
      goal: What is to be achieved, in a sentence; empty if nothing in particular.
      quest: The attempt at it, for agents that know the whole game.
    """

    rules: str = ""
    seed: int = 0
    max_batch: int = 20
    macros: bool = True
    max_actions: int | None = None
    game: str = games.DEFAULT
    tables: Any = dataclasses.field(default=None, repr=False)
    goal: str = ""
    quest: Any = dataclasses.field(default=None, repr=False)

    @property
    def words(self) -> Words:
        """The words of the game, and its rules as texts need them."""
        return games.find(self.game).words(self.tables)


def briefing_of(
    aci: Any, level: str = "full", hide: Collection[str] = (), seed: int = 0
) -> Briefing:
    """Returns the briefing of an agent that plays through an interface.

    Args:
      aci: The interface.
      level: How much is told of the rules: `full`, `brief` or `actions`.
      hide: What is withheld; see `crafter.lm.rules`.
      seed: For the agent's own random numbers.

    Raises:
      ValueError: If the level or something to hide is unknown.
    """
    known = {"game": aci.game, "tables": aci.rules}
    known |= {"max_batch": aci.max_batch, "macros": aci.macros}
    return Briefing(
        rules=rules(level, hide, stop_on=aci.stop_on, **known),
        seed=seed,
        max_actions=aci.max_actions,
        goal="" if aci.quest is None else aci.quest.text,
        quest=aci.quest,
        **known,
    )


class Policy(Protocol):
    """Plays one game from observations in their JSON form."""

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation."""


class LMAgent(abc.ABC):
    """Plays by reading messages and writing replies.

    A subclass implements `act`. When an interrupted game resumes, `recall` gets the
    replies that were logged.

    Attributes:
      name: What it is called in logs.
      pictures: Whether it needs the picture of each observation.
    """

    name = "agent"
    pictures = False

    def reset(self, briefing: Briefing) -> None:  # noqa: B027
        """Forgets the last game; called before each game."""

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
