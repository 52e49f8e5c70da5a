"""Arguments of environments, checked: what came, and what is valid."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction

from crafter.core.short_repr import brief


def pair(name: str, value: Any, scalar: bool = True) -> tuple[int, int]:
    """Returns two positive integers, from one number if that is allowed.

    Raises:
      ValueError: If they are something else.
    """
    try:
        values = [value, value] if np.ndim(value) == 0 and scalar else list(value)
        width, height = (int(operator.index(number)) for number in values)
    except (TypeError, ValueError):
        one = "one or two" if scalar else "two"
        raise ValueError(
            f"{name} must be {one} positive integers, got {brief(value)}."
        ) from None
    if width < 1 or height < 1:
        raise ValueError(f"{name} must be at least 1x1, got {width}x{height}.")
    return width, height


def whole(name: str, value: Any, least: int = 1) -> int:
    """Returns a whole number that is large enough.

    Raises:
      ValueError: If it is not.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(
            f"{name} must be an integer of at least {least}, got {brief(value)}."
        )
    return number


def checked_seed(seed: Any) -> int | None:
    """Returns a seed of a sequence of episodes as a plain integer, or `None`.

    Raises:
      ValueError: If it is neither an integer nor `None`.
    """
    try:
        return None if seed is None else int(operator.index(seed))
    except TypeError:
        raise ValueError(
            f"seed must be an integer or None, got {brief(seed)}."
        ) from None


def checked_action(action: Any, count: int) -> int:
    """Returns the index of an action as a plain integer.

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
            f"got {brief(action)} of type {type(action).__name__}."
        )
    return index
