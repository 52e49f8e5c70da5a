"""The `info` of a batch: arrays with the published keys, as Gymnasium lays them out.

Every key comes with a mask: `info["_sleeping"][i]` tells whether game i has a value in
`info["sleeping"]`. The values of `inventory` and `achievements` are dicts of arrays
with masks of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from crafter.games.crafter import tables as t

if TYPE_CHECKING:
    from crafter.games.crafter.cpu.engine import Engine

_ACTION_NAMES = np.array(t.ACTIONS, object)
#: Names of the achievements, in order.
ACHIEVEMENTS = list(t.ACHIEVEMENT)


def _amounts(field: str, names: list[str]) -> Callable[[Engine, np.ndarray], dict]:
    def read(engine: Engine, which: np.ndarray) -> dict[str, np.ndarray]:
        columns = engine.games[field][which].T.astype(np.int64)
        return dict(zip(names, columns))

    return read


def _dead(engine: Engine, which: np.ndarray) -> np.ndarray:
    return engine.games["inventory"][which, t.HEALTH] <= 0


def _position(engine: Engine, which: np.ndarray) -> np.ndarray:
    x, y = (engine.games[name][which, 0] for name in ("object_x", "object_y"))
    return np.stack([x, y], 1).astype(np.int64)


def _facing(engine: Engine, which: np.ndarray) -> np.ndarray:
    return t.DIRECTIONS[engine.games["object_facing"][which, 0]]


def _unlocked(engine: Engine, which: np.ndarray) -> np.ndarray:
    sets = np.empty(len(which), object)
    for i, row in enumerate(engine.unlocked[which]):
        sets[i] = {ACHIEVEMENTS[a] for a in np.flatnonzero(row)}
    return sets


_READERS: dict[str, Callable[[Engine, np.ndarray], Any]] = {
    "inventory": _amounts("inventory", t.ITEMS),
    "achievements": _amounts("achievements", ACHIEVEMENTS),
    "discount": lambda e, which: 1.0 - _dead(e, which),
    "semantic": lambda e, which: e.semantic_maps(which)[which],
    "player_pos": _position,
    "reward": lambda e, which: e.rewards[which],
    "sleeping": lambda e, which: e.games["sleeping"][which],
    "player_facing": _facing,
    "dead": _dead,
    "unlocked": _unlocked,
    "action": lambda e, which: _ACTION_NAMES[e.games["action"][which]],
    "view": lambda e, which: np.tile(np.array(e.view), (len(which), 1)),
    "daylight": lambda e, which: e.games["daylight"][which],
}

#: All keys, those of the single environment's `info` without `events`.
KEYS = tuple(_READERS)


def collect(engine: Engine, keys: Sequence[str], which: np.ndarray) -> dict[str, Any]:
    """Returns the info of some games.

    Args:
      engine: The engine.
      keys: Some of `KEYS`.
      which: Games that the info is about, int64 (n,).

    Returns:
      Key -> array of shape (count, ...), and `_key` -> bool (count,). Entries of
      other games are 0, or `None` where values are objects.
    """
    values = {key: _READERS[key](engine, which) for key in keys}
    return _spread(values, which, len(engine.games))


def _spread(values: dict[str, Any], which: np.ndarray, count: int) -> dict[str, Any]:
    """Lays values of some games out over all, with masks."""
    infos: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            infos[key] = _spread(value, which, count)
        else:
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
