"""Text part of a game: everything the text interface needs from it, and its rules.

This room knows no game. A game brings a `TextGame`, which `core.game` finds as its part
`text`, as `crafter.games.crafter.text.game` does for Crafter.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from crafter.core import game as games
from crafter.core.phrases import listed
from crafter.core.validation import fail, one_of
from crafter.lm.play import stops
from crafter.lm.rendering.perception import Perception
from crafter.lm.rendering.rules_text import LEVELS, SECRETS, Writer
from crafter.lm.rendering.words import INTERFACE, LIMITS, Words
from crafter.tasks import Task
from crafter.tasks import game as tasks
from crafter.tasks.catalogue.tasks import names_file

if TYPE_CHECKING:
    from crafter.lm.agents.base import Briefing, Policy

_CONTROLS: dict[str, Any] = INTERFACE["controls"]
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
      make_words: From rules to the words of the game under them.
      perception: Reads its snapshots.
      writer: Writes its rules and a tutorial in words.
      score: Main score of its games, a name of `crafter.lm.runs.scores`.
      scripted: From a briefing to a policy that follows rules of thumb.
      planner: From a monitored attempt at a task to a policy that sees the whole game,
        if there are tasks for it.
    """

    name: str
    load: Callable[[Any], Any]
    restore: Callable[[Any], Any]
    make_env: Callable[[int | None, Any], Any]
    make_words: Callable[[Any], Words]
    perception: type[Perception]
    writer: type[Writer]
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

    def task(self, source: Any, difficulty: Any = "simple", rules: Any = None) -> Task:
        """Returns a task of the game; see `crafter.tasks.Task`.

        Args:
          source: A name, an expression, a goal or a task file.
          difficulty: Its level.
          rules: A source of rules; by default the published ones.

        Raises:
          ValueError: If there is no such task, or there are none for the game.
        """
        return Task(source, difficulty, tasks.find(self.name).load(rules))

    def words(self, rules: Any = None) -> Words:
        """Returns the words of the game; equal rules have the same object.

        Args:
          rules: The rules; by default the published ones.
        """
        return _words(self.name, self.load(rules))


@functools.lru_cache(maxsize=32)
def _words(name: str, rules: Any) -> Words:
    return find(name).make_words(rules)


def find(name: str = DEFAULT) -> TextGame:
    """Returns the text part of a game.

    Raises:
      ValueError: If there is no such game, or it has no text part.
    """
    return games.find(name).part("text")


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


def refuse_file(task: Any) -> None:
    """Refuses a task that a model or a client gives as a file; none is read.

    Raises:
      ValueError: If it is a file.
    """
    if names_file(task):
        fail("task", "the name of a task or an expression, not a file", task)


# Its rules, with the controls of this interface, as text.


def rules(
    level: str = "full",
    hide: Collection[str] = (),
    *,
    game: str = DEFAULT,
    tables: Any = None,
    max_batch: int = LIMITS["batch"],
    macros: bool = True,
    stop_on: str | Iterable[str] = "default",
) -> str:
    """Returns the rules of the game and of the interface.

    Args:
      level: `full`, `brief`, or `actions` for the names of the actions alone.
      hide: What to withhold: `costs`, `numbers`, `stations`, `creatures`.
      game: `crafter` or `craftax`.
      tables: The rules, as `rules` of the environment; by default those of the
        published game.
      max_batch: Most actions of one call.
      macros: Whether `X until Y` may be used.
      stop_on: Events that end a list of actions early.

    Raises:
      ValueError: If the game, the level or something to hide is unknown.
    """
    one_of("level", level, LEVELS)
    for name in hide:
        one_of("hide", name, SECRETS)
    found = find(game)
    words = found.words(tables)
    text = found.writer(words, frozenset(hide)).write(level)
    left = words.moves["left"]
    return "\n".join([text, *_controls(max_batch, macros, stop_on, level, left)])


def tutorial(tables: Any = None, *, game: str = DEFAULT) -> str:
    """Returns a worked route through a game as text.

    Args:
      tables: The rules, as `rules` of the environment; by default those of the
        published game.
      game: `crafter` or `craftax`.

    Raises:
      ValueError: If the game is unknown.
    """
    found = find(game)
    return "\n".join(found.writer(found.words(tables)).tutorial())


def _controls(
    max_batch: int, macros: bool, stop_on: str | Iterable[str], level: str, left: str
) -> Iterator[str]:
    """Yields sentences about how actions are given.

    Args:
      max_batch: Most actions of one call.
      macros: Whether `X until Y` may be used.
      stop_on: Events that end a list of actions early.
      level: With `full` all these events are told, else examples.
      left: Action that goes to the left, for an example.
    """
    events = stops.chosen(stop_on)
    if max_batch == 1:
        yield _CONTROLS["single"]
        return
    yield _CONTROLS["batch"].format(max_batch=max_batch)
    if macros:
        yield _CONTROLS["macros"].format(left=left)
    if events and level != "full":
        yield _CONTROLS["stops_brief"]
    elif events:
        told = INTERFACE["stops"].items()
        names = [row["rule"] for name, row in told if name in events]
        yield _CONTROLS["stops"].format(stops=listed(names, "or"))
