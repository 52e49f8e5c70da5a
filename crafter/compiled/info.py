"""Infos of a batch: arrays with masks, in Gymnasium's layout.

Every key has a mask: `info["_sleeping"][i]` is true if game i has a value in
`info["sleeping"]`. Values of keys such as `inventory` are dicts of arrays with their
own masks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

#: Returns the values of a key for some games: an array of shape (n, ...), or a dict of
#: them. Called with the engine and the indices of the games, int64 (n,).
Reader = Callable[[Any, np.ndarray], Any]


def columns(field: str, names: Sequence[str]) -> Reader:
    """Returns a reader of a record field with a column per name."""

    def read(engine: Any, indices: np.ndarray) -> dict[str, np.ndarray]:
        return dict(zip(names, engine.games[field][indices].T.astype(np.int64)))

    return read


def names_of(rows: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Returns a set of names per row of a mask, as an object array."""
    sets = np.empty(len(rows), object)
    for i, row in enumerate(rows):
        sets[i] = {names[a] for a in np.flatnonzero(row).tolist()}
    return sets


def collect(
    engine: Any, readers: Mapping[str, Reader], indices: np.ndarray
) -> dict[str, Any]:
    """Returns the info of some games.

    Args:
      engine: The engine.
      readers: Key -> reader.
      indices: Indices of the games, int64 (n,), in order.

    Returns:
      Key -> array of shape (count, ...), and `_key` -> bool (count,). Entries of
      other games are 0, or `None` for objects.
    """
    values = {key: read(engine, indices) for key, read in readers.items()}
    return _spread(values, indices, len(engine.games))


def _spread(values: dict[str, Any], indices: np.ndarray, count: int) -> dict[str, Any]:
    """Scatters values of some games to arrays over all games, with masks."""
    infos: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            infos[key] = _spread(value, indices, count)
        else:
            infos[key] = np.ascontiguousarray(value)
            if len(indices) < count:
                empty = None if value.dtype.hasobject else 0
                infos[key] = np.full((count, *value.shape[1:]), empty, value.dtype)
                infos[key][indices] = value
        infos[f"_{key}"] = mask(indices, count)
    return infos


def mask(indices: np.ndarray, count: int) -> np.ndarray:
    """Returns the mask of some games, bool (count,)."""
    marks = np.zeros(count, bool)
    marks[indices] = True
    return marks
