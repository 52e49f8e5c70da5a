"""Argument validation for batches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction

from crafter.compiled import work_queue
from crafter.core.validation import as_integer, fail, integer, one_of


def info_keys(keys: Any, valid: Collection[str]) -> tuple[str, ...]:
    """Validates requested info keys, and removes duplicates.

    Args:
      keys: A sequence of keys, or `all`.
      valid: All keys.

    Raises:
      ValueError: If a key is unknown.
    """
    if isinstance(keys, str):
        if keys != "all":
            fail("info_keys", "'all' or a sequence of keys", keys)
        return tuple(valid)
    return tuple(dict.fromkeys(one_of("info_keys", key, valid) for key in keys))


def actions(
    values: Any, count: int, last: int, over: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """Validates actions, and orders games by what to do with them.

    Args:
      values: Actions as given.
      count: Number of games.
      last: The last valid action.
      over: Mask of games to reset, bool (count,); their actions are ignored.

    Returns:
      The actions, int64 (count,); all games, those to reset first, int64 (count,); and
      the number of games to reset.

    Raises:
      gymnasium.error.InvalidAction: If they are not integers in 0 ... `last`.
    """
    array = np.asarray(values)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise InvalidAction(
            f"Expected {count} actions, integers of shape ({count},), got a "
            f"{type(values).__name__} of {array.dtype} and shape {array.shape}."
        )
    checked, order = array.astype(np.int64), np.empty(count, np.int64)
    resets = work_queue.put_in_order(checked, last, over, order)
    if resets < 0:
        b = -1 - resets
        raise InvalidAction(
            f"Expected integers in 0 ... {last}, got {array[b]} for environment {b}."
        )
    return checked, order, resets


def indices(values: Sequence[int] | None, count: int) -> list[int]:
    """Validates indices of games without repetition; `None` means all.

    Raises:
      ValueError: If they are invalid.
    """
    if values is None:
        return list(range(count))
    games = [integer("indices", b, 0, count - 1) for b in values]
    if len(set(games)) < len(games):
        fail("indices", "different", values)
    return games


def split_options(options: Any, count: int) -> tuple[np.ndarray, Any]:
    """Returns the games that a reset starts, int64 (n,), and its other options.

    Raises:
      ValueError: If the option `reset_mask` is not a bool array of shape (count,), or
        is all false.
    """
    if not isinstance(options, Mapping) or "reset_mask" not in options:
        return np.arange(count), options
    rest = {name: value for name, value in options.items() if name != "reset_mask"}
    mask = options["reset_mask"]
    right = isinstance(mask, np.ndarray) and mask.dtype == bool
    if not (right and mask.shape == (count,) and mask.any()):
        fail("reset_mask", f"a NumPy array of {count} bools, some of them true", mask)
    return np.flatnonzero(mask), rest


def seeds(seed: Any, count: int) -> list[Any]:
    """Returns a seed or `None` per game, distributed as in Gymnasium.

    Raises:
      ValueError: If it is neither a seed nor a sequence of one seed per game.
    """
    if seed is None:
        return [None] * count
    if (number := as_integer(seed)) is not None:
        return [number + i for i in range(count)]
    if np.ndim(seed) != 1 or len(seed) != count:
        fail("seed", f"an integer or a sequence of {count} seeds", seed)
    return list(seed)
