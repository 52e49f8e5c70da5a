"""Argument validation for batches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction

from crafter.compiled import work_queue
from crafter.core.validation import as_integer, fail, integer, one_of


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


def actions(
    values: Any, count: int, last: int, over: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """Returns actions as int64 (count,), and who takes them.

    Args:
      values: Actions as they were given.
      count: Number of games.
      last: The last valid action.
      over: Which games are to be reset, bool (count,); their actions do not count.

    Returns:
      The actions; all games, those to reset first, int64 (count,); and how many those
      are.

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
    """Returns numbers of games, each once; all for `None`.

    Raises:
      ValueError: If they are something else.
    """
    if values is None:
        return list(range(count))
    which = [integer("indices", b, 0, count - 1) for b in values]
    if len(set(which)) < len(which):
        fail("indices", "different", values)
    return which


def split_options(options: Any, count: int) -> tuple[np.ndarray, Any]:
    """Returns which games a reset starts, int64 (n,), and its other options.

    Raises:
      ValueError: If the option `reset_mask` is no bool array of shape (count,), or is
        all false.
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
    """Returns a seed per game, or `None`, as Gymnasium spreads them.

    Raises:
      ValueError: If it is neither one seed nor a sequence of as many as games.
    """
    if seed is None:
        return [None] * count
    if (number := as_integer(seed)) is not None:
        return [number + i for i in range(count)]
    if np.ndim(seed) != 1 or len(seed) != count:
        fail("seed", f"an integer or a sequence of {count} seeds", seed)
    return list(seed)
