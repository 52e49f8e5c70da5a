"""Text part of a game: everything the text interface needs from it.

This room knows no game. A game brings a `TextGame`, which `core.game` finds as its part
`text`, as `crafter.games.crafter.text.game` does for Crafter.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from crafter.core import game as games
from crafter.lm.rendering.perception import Perception
from crafter.lm.rendering.rulebook import Rulebook
from crafter.lm.rendering.rules_text import Writer
from crafter.lm.rendering.words import Words

if TYPE_CHECKING:
    from crafter.lm.agents.base import Briefing, Policy

#: What is played where no game is named.
DEFAULT = games.names("text")[0]


@dataclasses.dataclass(frozen=True)
class TextGame:
    """The text part of a game.

    Attributes:
      name: Name of the game, as its environment has it.
      load: From a source of rules to the rules; `None` is the source of the published
        ones.
      restore: From the sections of rules, as plain data, to the rules.
      make_env: Makes an environment with events: seed or `None`, rules.
      book: From rules to what texts and parser need of them.
      perception: Reads its snapshots.
      writer: Writes its rules and a tutorial in words.
      cells: From an environment to the (columns, rows) of its picture.
      score: Main score of its games, a name of `crafter.lm.runs.scores`.
      scripted: From a briefing to a policy that follows rules of thumb.
      planner: From a monitored attempt at a task to a policy that sees the whole game,
        if there are tasks for it.
    """

    name: str
    load: Callable[[Any], Any]
    restore: Callable[[Any], Any]
    make_env: Callable[[int | None, Any], Any]
    book: Callable[[Any], Rulebook]
    perception: type[Perception]
    writer: type[Writer]
    cells: Callable[[Any], tuple[int, int]]
    score: str
    scripted: Callable[[Briefing], Policy]
    planner: Callable[[Any, Any], Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles it by its name: a game is made of functions."""
        return find, (self.name,)

    @property
    def title(self) -> str:
        """Name of the game in sentences."""
        return games.find(self.name).title

    @property
    def has_tasks(self) -> bool:
        """Whether there are tasks for it."""
        return self.planner is not None

    def check_tasks(self) -> None:
        """Raises a ValueError if there are no tasks for it."""
        if not self.has_tasks:
            known = (find(name) for name in games.names("text"))
            having = ", ".join(game.name for game in known if game.has_tasks)
            raise ValueError(f"The game {self.name} has no tasks; {having} has.")

    def words(self, rules: Any = None) -> Words:
        """Returns the words of the game; equal rules have the same object.

        Args:
          rules: The rules; by default the published ones.
        """
        return _words(self.name, self.load(rules))


@functools.lru_cache(maxsize=32)
def _words(name: str, rules: Any) -> Words:
    return Words(find(name).book(rules))


def find(name: str = DEFAULT) -> TextGame:
    """Returns the text part of a game.

    Raises:
      ValueError: If there is no such game, or it has no text part.
    """
    found: TextGame = games.find(name).part("text")
    return found


def of(env: Any) -> TextGame:
    """Returns the text part of the game of an environment.

    Raises:
      ValueError: If it is no environment of a game that can be played with words, or
        records no events.
    """
    game = find(games.of(env).name)
    if not env.unwrapped.events:
        raise ValueError("The environment must be made with events=True.")
    return game
