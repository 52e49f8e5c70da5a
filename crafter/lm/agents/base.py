"""Base class of agents, and their inputs."""

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
    """Input of an agent at each call.

    Attributes:
      text: The observation in the format of the interface.
      data: The same as JSON; see `Observation.json()`.
      image: The picture as a data URI, if the interface renders pictures.
    """

    text: str
    data: dict[str, Any]
    image: str | None = None


@dataclasses.dataclass(frozen=True)
class Briefing:
    """Input of an agent before a game.

    Attributes:
      rules: The rules text; may be empty.
      seed: Seed for the agent's own randomness.
      max_batch: Maximum number of actions per call.
      macros: Whether `X until Y` is allowed.
      max_actions: Maximum number of steps, or `None`.
      game: Name of the game.
      tables: The rules as data, for agents that read them; the published rules by
        default.
      goal: The goal as a sentence; empty if there is none.
      task_env: The task environment, for agents with access to the full game state.
    """

    rules: str = ""
    seed: int = 0
    max_batch: int = 20
    macros: bool = True
    max_actions: int | None = None
    game: str = games.DEFAULT
    tables: Any = dataclasses.field(default=None, repr=False)
    goal: str = ""
    task_env: Any = dataclasses.field(default=None, repr=False)

    @property
    def words(self) -> Words:
        """Vocabulary of the game under its rules."""
        return games.find(self.game).words(self.tables)


def briefing_of(
    aci: Any, level: str = "full", hide: Collection[str] = (), seed: int = 0
) -> Briefing:
    """Returns the briefing of an agent that plays through an interface.

    Args:
      aci: The interface.
      level: Level of the rules text: `full`, `brief` or `actions`.
      hide: What to withhold; see `crafter.lm.rules`.
      seed: Seed for the agent's own randomness.

    Raises:
      ValueError: If the level or a part to hide is unknown.
    """
    settings = {"game": aci.game, "tables": aci.rules}
    settings |= {"max_batch": aci.max_batch, "macros": aci.macros}
    return Briefing(
        rules=rules(level, hide, stop_on=aci.stop_on, **settings),
        seed=seed,
        max_actions=aci.max_actions,
        goal="" if aci.task_env is None else aci.task_env.text,
        task_env=aci.task_env,
        **settings,
    )


class Policy(Protocol):
    """A policy for one game that reads observations in JSON form."""

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions for an observation."""


class LMAgent(abc.ABC):
    """An agent that reads messages and writes replies.

    A subclass implements `act`. When an interrupted game is resumed, `recall` receives
    the logged replies.

    Attributes:
      name: Name of the agent in logs.
      pictures: Whether it needs a picture with each observation.
    """

    name = "agent"
    pictures = False

    def reset(self, briefing: Briefing) -> None:  # noqa: B027
        """Clears the state; called before each game."""

    @abc.abstractmethod
    def act(self, message: Message) -> str:
        """Returns a reply containing actions."""

    def prompt(self, message: Message) -> Any:
        """Returns the prompt of a call as logged, as JSON data."""
        return message.text

    def recall(self, message: Message, reply: str) -> None:
        """Updates the state with a turn played before an interruption.

        By default it calls `act` again, which gives the same state. Agents whose
        replies are costly override this.
        """
        self.act(message)

    def settings(self) -> dict[str, Any]:
        """Returns the agent's settings for logs; no secrets."""
        return {}

    def last_call(self) -> dict[str, Any]:
        """Returns log entries for the latest reply, such as token counts."""
        return {}
