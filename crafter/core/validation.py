"""Validators for external values, with uniform error messages.

Each takes the name or path of a value and the value, returns it as plain Python, and
raises `ValueError` with the expected and the actual value: `size must be two positive
integers, got 'big'.` `raising` converts that to a more specific error.
"""

from __future__ import annotations

import contextlib
import math
import numbers
import operator
import reprlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from gymnasium.error import InvalidAction

_REPR = reprlib.Repr()
_REPR.maxlevel = 3
_REPR.maxdict = _REPR.maxlist = _REPR.maxtuple = _REPR.maxset = 4
_REPR.maxstring = _REPR.maxlong = _REPR.maxother = 60


def short_repr(value: Any) -> str:
    """Returns the repr of a value, truncated if long.

    Example:
      >>> short_repr((1, "x"))
      "(1, 'x')"
      >>> short_repr(list(range(100)))
      '[0, 1, 2, 3, ...]'
    """
    text = _REPR.repr(value)
    return text if len(text) <= 300 else f"{text[:300]}..."


def fail(where: str, expected: str, value: Any) -> NoReturn:
    """Raises the `ValueError` for an invalid value."""
    raise ValueError(f"{where} must be {expected}, got {short_repr(value)}.")


@contextlib.contextmanager
def raising(
    error: type[ValueError], prefix: str = "", *others: type[Exception]
) -> Iterator[None]:
    """Context manager that converts any `ValueError` to a more specific one.

    Args:
      error: The class to raise.
      prefix: Prefix of the message, such as a file name.
      *others: Further errors to convert, such as `OSError`.
    """
    kinds: tuple[type[Exception], ...] = (ValueError, *others)
    try:
        yield
    except kinds as cause:
        if isinstance(cause, error) and not prefix:
            raise
        reason = getattr(cause, "strerror", None) or cause
        raise error(f"{prefix}{reason}") from cause


def span(low: float | None, high: float | None) -> str:
    """Returns a range as text to follow a noun: ` from 0 to 9`; `None` is unbounded."""
    if high is None:
        return "" if low is None else f" of at least {low}"
    return f" of at most {high}" if low is None else f" from {low} to {high}"


def listed(names: Collection[Any]) -> str:
    """Returns names as text."""
    return ", ".join(map(str, names)) or "none"


def within(value: Any, low: float | None, high: float | None) -> bool:
    """Returns whether a number is in a range; `None` is unbounded."""
    return (low is None or value >= low) and (high is None or value <= high)


def as_integer(value: Any) -> int | None:
    """Returns an integer of any library as an int; `None` for anything else."""
    try:
        return None if isinstance(value, bool) else int(operator.index(value))
    except TypeError:
        return None


def integer(
    where: str, value: Any, low: int | None = None, high: int | None = None
) -> int:
    """Validates an integer within a range."""
    number = as_integer(value)
    if number is None or not within(number, low, high):
        fail(where, f"an integer{span(low, high)}", value)
    return number


def number(
    where: str, value: Any, low: float | None = None, high: float | None = None
) -> float:
    """Validates a finite number within a range; int and float are kept."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not math.isfinite(value) or not within(value, low, high):
        fail(where, f"a number{span(low, high)}", value)
    return value


def integers(where: str, value: Any, names: str) -> tuple[int, ...]:
    """Validates one integer per name, such as `x, y`."""
    count = names.count(",") + 1
    try:
        entries = [as_integer(number) for number in value]
    except TypeError:
        entries = []
    if len(entries) != count or None in entries:
        fail(where, f"{count} integers ({names})", value)
    return tuple(entries)  # type: ignore[arg-type]


def map_cell(
    where: str, value: Any, size: Sequence[int], names: str
) -> tuple[int, int]:
    """Validates a cell of a map.

    Args:
      where: Name of the value.
      value: Two integers.
      size: Length of the map along each axis.
      names: Names of the axes, such as `x, y`.
    """
    first, second = integers(where, value, names)
    if not (0 <= first < size[0] and 0 <= second < size[1]):
        fail(where, f"inside the map of {size[0]}x{size[1]}", (first, second))
    return first, second


def action_masks(value: Any, kinds: Sequence[str] = ("exact",)) -> str | None:
    """Validates a kind of action masks, `exact` or `None`."""
    return None if value is None else str(one_of("action_masks", value, kinds))


def one_of(where: str, value: Any, names: Collection[Any], kind: str = "") -> Any:
    """Validates that a value is one of the valid ones.

    Args:
      where: Name of the value.
      value: A string or an integer.
      names: The valid values.
      kind: What they are, in the plural.
    """
    is_valid = isinstance(value, (str, int)) and value in names
    if not is_valid:
        valid = f"the {kind} ({listed(names)})" if kind else listed(names)
        fail(where, f"one of {valid}", value)
    return value


def mapping(
    where: str, value: Any, names: Collection[Any] | None = None
) -> Mapping[Any, Any]:
    """Validates a mapping and, if `names` are given, its keys."""
    if not isinstance(value, Mapping):
        fail(where, "a mapping", value)
    for name in value:
        if names is not None and name not in names:
            raise ValueError(
                f"{where}: {short_repr(name)} is unknown; valid ones are "
                f"{listed(names)}."
            )
    return value


def sequence(where: str, value: Any, length: int | None = None) -> Sequence[Any]:
    """Validates a list, a tuple or similar, of a given length."""
    wrong = isinstance(value, (str, bytes)) or not isinstance(value, Sequence)
    if wrong or length not in (None, len(value)):
        fail(where, "a list" + ("" if length is None else f" of {length}"), value)
    return value


def pair(name: str, value: Any, scalar: bool = True) -> tuple[int, int]:
    """Validates two positive integers, or one number for both if `scalar`.

    Raises:
      ValueError: If they are anything else.
    """
    one = "one or two" if scalar else "two"
    try:
        values = [value, value] if np.ndim(value) == 0 and scalar else list(value)
    except (TypeError, ValueError):
        values = []
    entries = [as_integer(number) for number in values]
    if len(entries) != 2 or any(number is None or number < 1 for number in entries):
        fail(name, f"{one} positive integers", value)
    return entries[0], entries[1]  # type: ignore[return-value]


def checked_seed(seed: Any) -> int | None:
    """Validates the seed of a sequence of episodes; returns an int or `None`.

    Raises:
      ValueError: If it is neither an integer nor `None`.
    """
    number = as_integer(int(seed) if isinstance(seed, bool) else seed)
    if number is None and seed is not None:
        fail("seed", "an integer or None", seed)
    return number


def checked_action(action: Any, count: int) -> int:
    """Validates an action; returns its index as an int.

    Raises:
      gymnasium.error.InvalidAction: If it is not an integer in 0 ... `count` - 1.
    """
    try:
        index = operator.index(action)
    except TypeError:
        index = -1
    if not 0 <= index < count:
        raise InvalidAction(
            f"Expected an integer in 0 ... {count - 1}, "
            f"got {short_repr(action)} of type {type(action).__name__}."
        )
    return index
