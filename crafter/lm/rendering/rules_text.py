"""The rules of the game in words, made from the tables of the rules.

Every number, cost and name comes from the tables; rules.yaml has the sentences around
them.
"""

from __future__ import annotations

import abc
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from crafter.lm.rendering.phrases import listed
from crafter.lm.rendering.words import Words

LEVELS = ("full", "brief", "actions")
#: What can be withheld.
SECRETS = ("costs", "numbers", "stations", "creatures")


def write(
    writer_class: type[Writer], words: Words, level: str, hide: Collection[str]
) -> str:
    """Returns the rules of a game in words.

    Args:
      writer_class: The writer of the game.
      words: The words of the game, and its rules.
      level: `full`, `brief`, or `actions` for the names of the actions alone.
      hide: What to withhold, of `SECRETS`.

    Raises:
      ValueError: If the level or something to hide is unknown.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be one of {list(LEVELS)}, got {level!r}.")
    unknown = [name for name in hide if name not in SECRETS]
    if unknown:
        raise ValueError(f"Cannot hide {unknown}, only {list(SECRETS)}.")
    writer = writer_class(words, frozenset(hide))
    levels = {"full": writer.full, "brief": writer.brief, "actions": writer.actions}
    return "\n".join(levels[level]())


class Writer(abc.ABC):
    """Fills sentences of a game with what its tables say.

    Args:
      words: The words of the game, and its rules.
      hide: What to withhold.
    """

    def __init__(self, words: Words, hide: frozenset[str]) -> None:
        self._words = words
        self._book, self._tables, self._hide = words.book, words.rules, hide
        self._sentences, self._vitals = words.more("rules"), words.vitals

    def _say(self, name: str, /, **fields: Any) -> str:
        plain = self._sentences.get(f"{name}_plain")
        if "numbers" in self._hide and plain is not None:
            name += "_plain"
        return self._sentences[name].format(**fields)

    def _amounts(self, needs: Mapping[str, int]) -> str:
        if "numbers" in self._hide:
            return listed(list(needs))
        return self._words.amounts(needs)

    @staticmethod
    def _bullets(lines: Iterable[str]) -> Iterator[str]:
        return (f"- {line}." for line in lines)

    @staticmethod
    def _capital(text: str) -> str:
        return text[0].upper() + text[1:]

    def actions(self) -> Iterator[str]:
        """Yields the names of the actions."""
        yield "Actions: " + ", ".join(self._book.actions) + "."

    @abc.abstractmethod
    def brief(self) -> Iterator[str]:
        """Yields the most important rules."""

    @abc.abstractmethod
    def full(self) -> Iterator[str]:
        """Yields everything."""
