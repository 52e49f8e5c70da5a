"""Goals encoded as integers.

A goal is written in prefix order: a symbol for what it is, then its parts and
arguments, each list of arguments closed by `end`. Numbers come after the symbols, as
`first_number + n`, larger ones as the largest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from crafter.tasks import game as games
from crafter.tasks.language.goals import ACT, Goal, Name
from crafter.tasks.language.names import functions
from crafter.tasks.world.conditions import COMPARE, Condition, Quantity
from crafter.tasks.world.structures import Structure

#: Length of an encoding; shorter ones are filled up with `pad`.
LENGTH = 64
#: Numbers from 0 to this one less are told apart.
NUMBERS = 10000

#: Parts of goals and conditions that have no word in expressions.
_KINDS = (
    *("Event", "Reach", "Not", "And", "Or", "Then", "When", "Where", "Using"),
    *("Without", "Within", "Times", "FromScratch"),
    *("AllOf", "AnyOf", "Opposite", "Comparison", "Amount", "Built"),
)


def vocabulary(rules: Any) -> tuple[str, ...]:
    """Returns what the integers below the numbers stand for, in order.

    Args:
      rules: The rules of the game, which give the names of things.
    """
    game = games.of(rules)
    events = {**game.language.events, **ACT}
    fields = (name for names in events.values() for name in names)
    words = {
        *(*_KINDS, *functions(game), *events, *fields, *game.language.structures),
        *(*COMPARE, "None", *game.language.symbols(rules)),
    }
    return ("pad", "end", *sorted(words))


def encode(goal: Goal, rules: Any) -> np.ndarray:
    """Returns a goal as integers.

    Args:
      goal: The goal; names are replaced by what they stand for.
      rules: The rules of the game.

    Returns:
      int64 of shape (64,); see `vocabulary`.

    Raises:
      ValueError: If it is too long, or has a word that encodings do not have.
    """
    symbols = {word: number for number, word in enumerate(vocabulary(rules))}
    numbers = [_number(token, symbols, goal) for token in _tokens(goal)]
    if len(numbers) > LENGTH:
        raise ValueError(
            f"The goal {goal} takes {len(numbers)} integers, at most {LENGTH} fit."
        )
    return np.array(numbers + [0] * (LENGTH - len(numbers)), np.int64)


def _number(token: Any, symbols: dict[str, int], goal: Goal) -> int:
    if isinstance(token, (int, float)):
        whole = round(token * 100) if isinstance(token, float) else int(token)
        return len(symbols) + max(0, min(whole, NUMBERS - 1))
    if token not in symbols:
        raise ValueError(f"The goal {goal} has {token!r}, which has no integer.")
    return symbols[token]


def _tokens(value: Any) -> Iterator[Any]:
    """Yields symbols and numbers; shares such as 0.25 are in hundredths."""
    if isinstance(value, Name):
        yield from _tokens(value.meaning)
    elif isinstance(value, Structure):
        yield value.word
        for token in _arguments(value):
            yield from (*token, "end") if value.spelled else (token,)
    elif isinstance(value, (Goal, Condition, Quantity)):
        yield getattr(value, "word", "") or type(value).__name__
        yield from _arguments(value)
    elif isinstance(value, tuple):
        for part in value:
            yield from _tokens(part)
        yield "end"
    else:
        yield "None" if value is None else value


def _arguments(value: Any) -> Iterator[Any]:
    for field in dataclasses.fields(value):
        if not field.compare or field.name == "same" and value.same is None:
            continue  # it follows from the others, or is rare
        yield from _tokens(getattr(value, field.name))
