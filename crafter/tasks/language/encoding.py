"""Goals encoded as integers.

Goals are written in prefix order: a symbol for the kind, then parts and arguments;
`end` closes every list of arguments. Numbers follow the symbols as `first_number + n`,
capped at the largest.
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

#: Length of an encoding; shorter goals are padded with `pad`.
LENGTH = 64
#: Number of distinct numbers.
NUMBERS = 10000

#: Kinds of goals and conditions without a word in expressions.
_KINDS = (
    *("Event", "Reach", "Not", "And", "Or", "Then", "When", "Where", "Using"),
    *("Without", "Within", "Times", "FromScratch"),
    *("AllOf", "AnyOf", "Opposite", "Comparison", "Amount", "Built"),
)


def vocabulary(rules: Any) -> tuple[str, ...]:
    """Returns the symbols in the order of their integers.

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
      goal: The goal; names are expanded.
      rules: The rules of the game.

    Returns:
      int64 of shape (64,); see `vocabulary`.

    Raises:
      ValueError: If it is too long or has an unknown word.
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
            continue  # redundant, or rare
        yield from _tokens(getattr(value, field.name))
