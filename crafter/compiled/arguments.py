"""Argument validation for batches."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction

from crafter.core.validation import fail, integer, one_of


def cores() -> int:
    """Returns how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def info_keys(keys: Any, valid: Collection[str]) -> tuple[str, ...]:
    """Returns the keys of infos that are asked for, each once.

    Args:
      keys: A sequence of keys, or `all`.
      valid: All keys.

    Raises:
      ValueError: If there are no such keys.
    """
    if isinstance(keys, str):
        if keys != "all":
            fail("info_keys", "'all' or a sequence of keys", keys)
        return tuple(valid)
    return tuple(dict.fromkeys(one_of("info_keys", key, valid) for key in keys))


def actions(values: Any, count: int, last: int, going: np.ndarray) -> np.ndarray:
    """Returns actions as int64 (count,).

    Args:
      values: Actions as they were given.
      count: Number of games.
      last: The last valid action.
      going: Games whose actions count, int64 (n,); those of others become 0.

    Raises:
      gymnasium.error.InvalidAction: If they are not integers in 0 ... `last`.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        array = np.empty(0, object)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise InvalidAction(
            f"Expected {count} actions, integers of shape ({count},), got a "
            f"{type(values).__name__} of {array.dtype} and shape {array.shape}."
        )
    wrong = (array < 0) | (array > last)
    if wrong.any():
        bad = going[wrong[going]]
        if len(bad):
            raise InvalidAction(
                f"Expected integers in 0 ... {last}, got {array[bad[0]]} for "
                f"environment {bad[0]}."
            )
        array = np.where(wrong, 0, array)
    return array.astype(np.int64)


def indices(values: Sequence[int] | None, count: int) -> list[int]:
    """Returns numbers of games, each once; all for `None`.

    Raises:
      ValueError: If they are something else.
    """
    if values is None:
        return list(range(count))
    if np.ndim(values) != 1:
        fail("indices", "a sequence of integers", values)
    which = [integer("indices", b, 0, count - 1) for b in values]
    if len(set(which)) < len(which):
        fail("indices", "different", values)
    return which


def split_options(options: Any, count: int) -> tuple[np.ndarray, Any]:
    """Returns which games a reset starts, int64 (n,), and its other options.

    Raises:
      TypeError: If the option `reset_mask` is no bool array.
      ValueError: If it has another shape than (count,), or is all false.
    """
    if not isinstance(options, Mapping) or "reset_mask" not in options:
        return np.arange(count), options
    rest = {name: value for name, value in options.items() if name != "reset_mask"}
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        found = f"an array of {mask.dtype}" if hasattr(mask, "dtype") else mask
        raise TypeError(f"reset_mask must be a NumPy array of bools, got {found}.")
    if mask.shape != (count,):
        raise ValueError(f"reset_mask must have shape ({count},), got {mask.shape}.")
    if not mask.any():
        raise ValueError("reset_mask must have at least one True value.")
    return np.flatnonzero(mask), rest


def seeds(seed: Any, count: int) -> list[Any]:
    """Returns a seed per game, or `None`, as Gymnasium spreads them.

    Raises:
      ValueError: If there are more or fewer seeds than games.
    """
    if seed is None or isinstance(seed, (int, np.integer)):
        return [None if seed is None else seed + i for i in range(count)]
    if isinstance(seed, (str, Mapping)) or not hasattr(seed, "__len__"):
        fail("seed", "an integer or a sequence of integers", seed)
    if len(seed) != count:
        raise ValueError(
            f"Expected {count} seeds, one per environment, got {len(seed)}."
        )
    return list(seed)
