"""Arguments of the batched environment: what is valid, and what else is told."""

from __future__ import annotations

import operator
import os
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode

from crafter.core.short_repr import brief
from crafter.games.crafter.cpu.info import KEYS
from crafter.games.crafter.rules import Rules

_MOST_ITEMS = 255
_LONGEST = 2**63 - 1  # steps
_MODES = ", ".join(repr(mode.value) for mode in AutoresetMode)


def check_amounts(rules: Rules) -> None:
    """Refuses rules with more of an item than the engine can count.

    Raises:
      ValueError: If there is one.
    """
    for name, item in rules.items.items():
        if item["max"] > _MOST_ITEMS:
            raise ValueError(
                f"The batched engine holds at most {_MOST_ITEMS} of an item, "
                f"got a maximum of {item['max']} for {name}."
            )


def cores() -> int:
    """Returns how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def autoreset_mode(value: Any) -> AutoresetMode:
    """Returns a mode by its name.

    Raises:
      ValueError: If there is no such mode.
    """
    try:
        return AutoresetMode(value)
    except ValueError:
        raise ValueError(
            f"autoreset_mode must be one of {_MODES}, got {brief(value)}."
        ) from None


def info_keys(keys: Any) -> tuple[str, ...]:
    """Returns the keys of infos that are asked for, each once.

    Raises:
      ValueError: If there are no such keys.
    """
    if isinstance(keys, str):
        if keys != "all":
            raise ValueError(
                f"info_keys must be 'all' or a sequence of keys, got {brief(keys)}."
            )
        return KEYS
    unknown = [key for key in keys if key not in KEYS]
    if unknown:
        raise ValueError(
            f"Unknown info_keys {brief(unknown)}; valid ones are {list(KEYS)}."
        )
    return tuple(dict.fromkeys(keys))


def render_mode(value: Any, modes: list[str]) -> str | None:
    """Returns a render mode.

    Raises:
      ValueError: If it is none of some modes, nor `None`.
    """
    if value is None or value in modes:
        mode: str | None = value
        return mode
    raise ValueError(f"render_mode must be one of {modes} or None, got {brief(value)}.")


def check_length(length: int | None) -> None:
    """Refuses a step limit that the engine cannot count to.

    Raises:
      ValueError: If it is one.
    """
    if length is not None and length > _LONGEST:
        raise ValueError(f"Expected a length of at most {_LONGEST}, got {length}.")


def checked_seed(seed: Any, b: int) -> int:
    """Returns the seed of game `b` as an integer.

    Raises:
      ValueError: If it is something else.
    """
    try:
        return operator.index(seed)
    except TypeError:
        raise ValueError(
            f"seed must hold integers, got {brief(seed)} for environment {b}."
        ) from None


def check_reset_seed(seed: Any, b: int) -> None:
    """Refuses a seed of game `b` that Gymnasium does not know.

    Raises:
      gymnasium.error.Error: If it is one.
    """
    try:
        seeding.np_random(seed)
    except gymnasium.error.Error as error:
        raise gymnasium.error.Error(f"Environment {b}: {error}") from error


def whole_numbers(actions: Any, count: int) -> np.ndarray:
    """Returns actions as integers of shape (count,).

    Raises:
      gymnasium.error.InvalidAction: If they are something else.
    """
    try:
        array = np.asarray(actions)
    except ValueError:  # rows of different lengths
        array = np.empty(0, object)
    if array.shape != (count,):
        raise InvalidAction(
            f"Expected {count} actions, integers of shape ({count},), got a "
            f"{type(actions).__name__} of shape {array.shape}."
        )
    if array.dtype.kind in "iu":
        return array
    for b, action in enumerate(actions):
        try:
            operator.index(action)
        except TypeError:
            raise InvalidAction(
                f"Expected integers, got {brief(action)} of type "
                f"{type(action).__name__} for environment {b}."
            ) from None
    return np.array([operator.index(action) for action in actions], object)


def short(numbers: list[int], most: int = 8) -> str:
    """Returns the first numbers of a list, for a message."""
    listed = ", ".join(map(str, numbers[:most]))
    return f"[{listed}, ...]" if len(numbers) > most else f"[{listed}]"
