"""Names in expressions.

A name is a task of the catalogue, an achievement, a short form of an event, or an
action prefixed with `act_`. In a hand-written trace every name is an event or a
condition.
"""

from __future__ import annotations

import collections
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from crafter.core.ruleset import read
from crafter.tasks import game as games
from crafter.tasks.game import TaskGame
from crafter.tasks.language import goals
from crafter.tasks.language.goals import Event, Goal, Name
from crafter.tasks.world import conditions as c


@functools.cache
def documents(game: TaskGame) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Returns the file and the unvalidated content of every task of a catalogue."""
    entries = []
    for path in sorted((game.data / "catalogue").glob("*.yaml")):
        for number, task in enumerate(read(path) or []):
            entries.append((f"{path.name}, task {number + 1}", task))
    return tuple(entries)


@functools.cache
def expressions(game: TaskGame) -> Mapping[str, str]:
    """Returns the expression of every task of a catalogue, by name."""
    return {task["name"]: task["goal"] for _, task in documents(game)}


@functools.cache
def functions(game: TaskGame) -> Mapping[str, Callable[..., Any]]:
    """Returns the functions of expressions of a game, by name."""
    language = game.language
    shared: dict[str, Callable[..., Any]] = {
        "event": functools.partial(goals.event, language.events),
        "reach": goals.reach,
        "built": functools.partial(c.built, language.structures),
        "together": c.together,
    }
    return collections.ChainMap(language.functions, shared)


@functools.cache
def _words(game: TaskGame) -> Mapping[str, c.Condition]:
    """Returns the conditions of a game that are a single word."""
    return {
        word: kind()
        for word, kind in game.language.functions.items()
        if isinstance(kind, type) and issubclass(kind, c.Condition)
        if not inspect.signature(kind).parameters
    }


class Names:
    """Meanings of names under some rules.

    Args:
      rules: The rules of the game; by default those of the published one.
      read_goal: Parses an expression, for tasks of the catalogue.

    Attributes:
      game: The game.
      rules: Its rules.
    """

    def __init__(
        self,
        rules: Any = None,
        read_goal: Callable[[str], Goal] | None = None,
    ) -> None:
        self.game = games.of(rules)
        self.rules = self.game.rules if rules is None else rules
        self._read_goal = read_goal
        language = self.game.language
        self._names = language.names(self.rules)
        self._numbers = language.numbers(self.rules)

    def goal(self, name: str) -> Goal | None:
        """Returns the goal of a name, or `None`."""
        known = expressions(self.game)
        if self._read_goal is not None and name in known:
            return Name(name, self._read_goal(known[name]))
        return Name(name, self._names[name]) if name in self._names else None

    def event(self, name: str) -> Event | None:
        """Returns the event of a name, or `None`."""
        goal = self._names.get(name)
        return goal if isinstance(goal, Event) else None

    def condition(self, name: str) -> c.Condition | None:
        """Returns the condition of a single word, or `None`."""
        return _words(self.game).get(name)

    def quantity(self, name: str) -> c.Quantity | None:
        """Returns the quantity of a word, or `None`."""
        return self._numbers.get(name)

    def known(self) -> Iterable[str]:
        """Returns all names."""
        words = _words(self.game)
        return [*expressions(self.game), *self._names, *words, *self._numbers]


class TraceNames(Names):
    """Meanings of names in a hand-written trace: its events and conditions."""

    def goal(self, name: str) -> Goal | None:
        """Returns the goal of an event of this name."""
        return None if name in _words(self.game) else Name(name, Event(name))

    def condition(self, name: str) -> c.Condition | None:
        """Returns the condition of this name; the trace says when it holds."""
        return c.Named(name)
