"""The `info` of a batch: arrays with masks, as Gymnasium lays them out.

Every key comes with a mask: `info["_sleeping"][i]` tells whether game i has a value in
`info["sleeping"]`. The values of keys such as `inventory` are dicts of arrays with
masks of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

#: Returns what a key holds for some games: an array of shape (n, ...), or a dict of
#: them. It is given the engine and the numbers of the games, int64 (n,).
Reader = Callable[[Any, np.ndarray], Any]


def columns(field: str, names: Sequence[str]) -> Reader:
    """Returns a reader of a field of records that has a column per name."""

    def read(engine: Any, which: np.ndarray) -> dict[str, np.ndarray]:
        return dict(zip(names, engine.games[field][which].T.astype(np.int64)))

    return read


def names_of(rows: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Returns a set of names per row of marks, an array of objects."""
    sets = np.empty(len(rows), object)
    for i, row in enumerate(rows):
        sets[i] = {names[a] for a in np.flatnonzero(row).tolist()}
    return sets


def collect(
    engine: Any, readers: Mapping[str, Reader], which: np.ndarray
) -> dict[str, Any]:
    """Returns the info of some games.

    Args:
      engine: The engine.
      readers: Key -> what reads it.
      which: Games that the info is about, int64 (n,), in order.

    Returns:
      Key -> array of shape (count, ...), and `_key` -> bool (count,). Entries of
      other games are 0, or `None` where values are objects.
    """
    values = {key: read(engine, which) for key, read in readers.items()}
    return _spread(values, which, len(engine.games))


def _spread(values: dict[str, Any], which: np.ndarray, count: int) -> dict[str, Any]:
    """Lays values of some games out over all, with masks."""
    infos: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            infos[key] = _spread(value, which, count)
        else:
            infos[key] = np.ascontiguousarray(value)
            if len(which) < count:
                empty = None if value.dtype.hasobject else 0
                infos[key] = np.full((count, *value.shape[1:]), empty, value.dtype)
                infos[key][which] = value
        infos[f"_{key}"] = mask(which, count)
    return infos


def mask(which: np.ndarray, count: int) -> np.ndarray:
    """Returns which games there are, bool (count,)."""
    marks = np.zeros(count, bool)
    marks[which] = True
    return marks
