"""The rules of the game in words, made from the tables of the rules.

Every number, cost and name comes from the tables; rules.yaml has the sentences around
them.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from crafter.lm.rendering.phrases import listed
from crafter.lm.rendering.words import Words

#: Methods of `Writer`.
LEVELS = ("full", "brief", "actions")
#: What can be withheld.
SECRETS = ("costs", "numbers", "stations", "creatures")


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

    # Recipes.

    def _brief_recipes(self) -> Iterator[str]:
        for action, recipe in self._book.recipes.items():
            uses = "" if "costs" in self._hide else f" {self._amounts(recipe.uses)}"
            near = "" if "stations" in self._hide else self._named(recipe.near)
            yield action + uses + (f" near {near}" if near else "")

    def _recipes(self) -> Iterator[str]:
        hidden, free = "costs" in self._hide, "stations" in self._hide
        for action, recipe in self._book.recipes.items():
            uses = self._amounts(recipe.uses)
            if recipe.where:
                name, where = "place_free" if hidden else "place", self._where(action)
                yield self._say(name, action=action, uses=uses, where=where)
                continue
            text = self._sentences["make_free" if hidden and free else "make"]
            text = text.replace("uses {uses}; ", "") if hidden else text
            text = text.replace("; nearby {nearby}", "") if free else text
            near = self._named(recipe.near)
            yield text.format(action=action, uses=uses, nearby=near) + self._more(
                action
            )

    def _named(self, names: Iterable[str], last: str = "and") -> str:
        return listed([self._words.name(name) for name in names], last)

    def _where(self, action: str) -> str:
        """Returns where something can be placed."""
        return self._named(self._book.recipes[action].where, "or")

    def _more(self, action: str) -> str:
        """Returns what else an action that makes something does."""
        return ""

    @abc.abstractmethod
    def brief(self) -> Iterator[str]:
        """Yields the most important rules."""

    @abc.abstractmethod
    def full(self) -> Iterator[str]:
        """Yields everything."""
