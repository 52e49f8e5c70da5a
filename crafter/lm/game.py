"""Text adapter of a game, and the rules as text.

This package is independent of any game. Each game provides a `TextGame`, which
`core.game` finds as its part `text`; for Crafter, `crafter.games.crafter.text.game`.
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
#: Default game.
DEFAULT = games.names("text")[0]


@dataclasses.dataclass(frozen=True)
class TextGame:
    """Text adapter of a game.

    Attributes:
      name: Name of the game, as in its environment.
      load: Source of rules -> rules; `None` means the published ones.
      restore: Sections of rules, as plain data -> rules.
      make_env: (seed or `None`, rules) -> environment with events.
      make_words: Rules -> vocabulary of the game under them.
      perception: Reads the game's snapshots.
      writer: Writes its rules and a tutorial as text.
      score: Main score, a name of `crafter.lm.runs.scores`.
      scripted: Briefing -> heuristic policy.
      make_starts: Rules -> function from a seed to the saved start of its first game,
        if there is a faster way to it than the environment.
      planner: Task environment -> policy with access to the full game state, if the
        game has tasks.
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
    make_starts: Callable[[Any], Callable[[int], Any]] | None = None
    planner: Callable[[Any, Any], Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the adapter by name, since it holds functions."""
        return find, (self.name,)

    @property
    def title(self) -> str:
        """Name of the game in sentences."""
        return games.find(self.name).title

    def task(self, source: Any, difficulty: Any = "simple", rules: Any = None) -> Task:
        """Returns a task of the game; see `crafter.tasks.Task`.

        Args:
          source: A name, an expression, a goal or a task file.
          difficulty: Difficulty level.
          rules: A source of rules; the published rules by default.

        Raises:
          ValueError: If there is no such task, or the game has none.
        """
        return Task(source, difficulty, tasks.find(self.name).load(rules))

    def words(self, rules: Any = None) -> Words:
        """Returns the vocabulary of the game; the same object for equal rules.

        Args:
          rules: The rules; the published ones by default.
        """
        return _words(self.name, self.load(rules))


@functools.lru_cache(maxsize=32)
def _words(name: str, rules: Any) -> Words:
    return find(name).make_words(rules)


def find(name: str = DEFAULT) -> TextGame:
    """Returns the text adapter of a game.

    Raises:
      ValueError: If there is no such game, or it has no text adapter.
    """
    return games.find(name).part("text")


def of(env: Any) -> TextGame:
    """Returns the text adapter for an environment.

    Raises:
      ValueError: If it is not an environment of a game with a text adapter, or
        records no events.
    """
    game = find(games.of(env).name)
    if not env.unwrapped.events:
        raise ValueError("The environment must be made with events=True.")
    return game


def refuse_file(task: Any) -> None:
    """Rejects a task file given by a model or client, without reading it.

    Raises:
      ValueError: If the task is a file.
    """
    if names_file(task):
        fail("task", "the name of a task or an expression, not a file", task)


# Rules and controls as text.


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
      level: `full`, `brief`, or `actions` for the action names only.
      hide: What to withhold: `costs`, `numbers`, `stations`, `creatures`.
      game: `crafter` or `craftax`.
      tables: The rules, as the argument `rules` of the environment; the published ones
        by default.
      max_batch: Maximum number of actions per call.
      macros: Whether `X until Y` is allowed.
      stop_on: Events that end a batch of actions early.

    Raises:
      ValueError: If the game, the level or a part to hide is unknown.
    """
    one_of("level", level, LEVELS)
    for name in hide:
        one_of("hide", name, SECRETS)
    words = find(game).words(tables)
    text = _rules_text(game, words, frozenset(hide), level)
    left = words.moves["left"]
    return "\n".join([text, *_controls(max_batch, macros, stop_on, level, left)])


@functools.lru_cache(maxsize=32)
def _rules_text(game: str, words: Words, hide: frozenset[str], level: str) -> str:
    """Returns the rules of a game at a level."""
    return find(game).writer(words, hide).write(level)


def tutorial(tables: Any = None, *, game: str = DEFAULT) -> str:
    """Returns a worked route through a game as text.

    Args:
      tables: The rules, as the argument `rules` of the environment; the published ones
        by default.
      game: `crafter` or `craftax`.

    Raises:
      ValueError: If the game is unknown.
    """
    text_game = find(game)
    return "\n".join(text_game.writer(text_game.words(tables)).tutorial())


def _controls(
    max_batch: int, macros: bool, stop_on: str | Iterable[str], level: str, left: str
) -> Iterator[str]:
    """Yields sentences on how to give actions.

    Args:
      max_batch: Maximum number of actions per call.
      macros: Whether `X until Y` is allowed.
      stop_on: Events that end a batch of actions early.
      level: With `full` all these events are listed, else examples.
      left: Action for moving left, as an example.
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
        entries = INTERFACE["stops"].items()
        names = [row["rule"] for name, row in entries if name in events]
        yield _CONTROLS["stops"].format(stops=listed(names, "or"))
