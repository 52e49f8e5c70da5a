"""Moments of a game, and their checksums as a trace, for comparisons.

A *moment* is everything that can be compared after a reset or a step, as a dict of
field name to array or plain value. A *trace* keeps one checksum for each field of each
moment, so that whole games are cheap to compare, send between processes and store. The
first checksum that differs locates the difference; replaying the game up to there gives
the values.

Crafter 1.8.3 has the same import name as this package, so each of the two runs in its
own process. This module imports neither and works with both.
"""

import itertools
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Moment = dict[str, Any]

FIELDS = (
    "step", "daylight", "materials", "objects", "chunks", "random", "player",
    "inventory", "achievements", "unlocked", "reward", "done", "info", "semantic",
    "observation",
)  # fmt: skip

KINDS = ("player", "cow", "zombie", "skeleton", "arrow", "plant")
COUNTERS = {"zombie": "cooldown", "skeleton": "reload", "plant": "grown"}

#: Replaces the action in the row of a reset.
RESET = -1


@dataclass
class Game:
    """A game to play: the arguments of the environment and the actions.

    Attributes:
        arguments: Arguments of `Env`: seed, area, view, size, reward, length.
        actions: Indices of the actions, over all episodes.
        after_done: `reset` starts the next episode when one is done; `continue` keeps
            stepping the finished one.
    """

    arguments: dict[str, Any]
    actions: Iterable[int] = field(default=(), repr=False)
    after_done: str = "reset"


@dataclass
class Trace:
    """The record of a game: one row for each reset and each step.

    Attributes:
        checksums: uint32 array (rows, fields), columns as in `FIELDS`.
        actions: int16 array (rows,): the action before the row; `RESET` for a reset.
        rewards: float64 array (rows,); 0 for a reset.
        dones: bool array (rows,).
        positions: int16 array (rows, 2): the player's cell (x, y).
        amounts: int16 array (rows, items): the inventory.
    """

    checksums: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    dones: np.ndarray
    positions: np.ndarray
    amounts: np.ndarray

    def __len__(self) -> int:
        return len(self.checksums)

    @property
    def episodes(self) -> np.ndarray:
        """Episode of each row, int64 array (rows,); 1 for the first."""
        return np.cumsum(self.actions == RESET)

    @property
    def steps(self) -> np.ndarray:
        """Step of each row in its episode, int64 array (rows,); 0 for a reset."""
        rows = np.arange(len(self))
        return rows - np.maximum.accumulate(np.where(self.actions == RESET, rows, 0))

    @property
    def played(self) -> list[int]:
        """The actions without the resets."""
        return self.actions[self.actions != RESET].tolist()

    def column(self, name: str) -> np.ndarray:
        """Return the checksums of one field, uint32 array (rows,)."""
        return self.checksums[:, FIELDS.index(name)]


def moments(side: Any, game: Game) -> Iterator[tuple[int, Moment]]:
    """Play a game and yield its rows one by one.

    Takes an action from `game.actions` only after all rows before it have been yielded,
    so the actions may depend on them.

    Args:
        side: The side to play, with a fresh environment: its `reset` and `step` return
            moments.
        game: The actions, and how to continue when an episode is done.

    Yields:
        The action before the row, or `RESET`, and the moment.
    """
    yield RESET, side.reset()
    for action in game.actions:
        moment = side.step(int(action))
        yield int(action), moment
        if moment["done"] and game.after_done == "reset":
            yield RESET, side.reset()


def record(rows: Iterable[tuple[int, Moment]]) -> Trace:
    """Reduce the rows of a game, at least one, to a trace."""
    columns: list[tuple] = []
    for action, moment in rows:
        columns.append(
            (
                [checksum(moment[name]) for name in FIELDS],
                action,
                moment["reward"],
                moment["done"],
                moment["info"][-1],
                [amount for _, amount in moment["inventory"]],
            )
        )
    types = (np.uint32, np.int16, np.float64, bool, np.int16, np.int16)
    return Trace(*(np.array(c, dtype) for c, dtype in zip(zip(*columns), types)))


def moment_at(side: Any, game: Game, row: int) -> Moment:
    """Play a game up to a row of its trace and return that moment."""
    return next(itertools.islice(moments(side, game), row, None))[1]


def first_difference(one: Trace, two: Trace) -> tuple[int, list[str]] | None:
    """Find the first row in which two traces of the same game differ.

    Args:
        one: A trace.
        two: The trace to compare it with.

    Returns:
        The row and the names of the fields that differ in it, or None if there is no
        such row. If one game is shorter, the first row that it lacks, and no names.
    """
    common = min(len(one), len(two))
    unequal = one.checksums[:common] != two.checksums[:common]
    rows = np.flatnonzero(unequal.any(1))
    if len(rows):
        return int(rows[0]), [FIELDS[i] for i in np.flatnonzero(unequal[rows[0]])]
    return None if len(one) == len(two) else (common, [])


def checksum(value: Any) -> int:
    """Return the CRC-32 of an array's bytes in C order, or of any value as JSON."""
    if isinstance(value, np.ndarray):
        return zlib.crc32(np.ascontiguousarray(value).tobytes())
    return zlib.crc32(json.dumps(value).encode("utf-8"))


def moment_of(env: Any, observation: Any, reward: Any, done: Any, info: Any) -> Moment:
    """Read a moment from an environment of either package, by the published names.

    The field `objects` is int32 (objects, 8), in index order; see `object_row`.
    `player` has its remaining attributes: sleeping, hunger, thirst, fatigue, recover
    and the last health. `info` has discount, reward and position of the player.
    """
    world, player = env._world, env._player
    index = {id(obj): i for i, obj in enumerate(world._objects) if obj}
    objects = [object_row(i, obj) for i, obj in enumerate(world._objects) if obj]
    counters = (player._hunger, player._thirst, player._fatigue, player._recover)
    amounts = {
        name: [[str(key), int(count)] for key, count in info[name].items()]
        for name in ("inventory", "achievements")
    }
    position = [int(axis) for axis in info["player_pos"]]
    return {
        "step": int(env._step),
        "daylight": float(world.daylight),
        "materials": world._mat_map.copy(),
        "objects": np.array(objects, "<i4").reshape(-1, 8),
        "chunks": [
            [[int(edge) for edge in bounds], [index[id(member)] for member in members]]
            for bounds, members in world.chunks.items()
        ],
        "random": random_words(world.random.get_state()),
        "player": [
            bool(player.sleeping),
            *map(float, (*counters, player._last_health)),
        ],
        **amounts,
        "unlocked": sorted(env._unlocked),
        "reward": float(reward),
        "done": bool(done),
        "info": [float(info["discount"]), float(info["reward"]), position],
        "semantic": info["semantic"],
        "observation": observation,
    }


def random_words(state: Sequence[Any]) -> np.ndarray:
    """Join the words and the position of a RandomState, uint32 array (625,)."""
    return np.append(state[1], state[2]).astype("<u4")


def object_row(index: int, obj: Any) -> tuple[int, ...]:
    """Return the row of an object: index, kind, x, y, health, facing x, y and counter.

    The counter is the cooldown of a zombie, the reload time of a skeleton, or the age
    of a plant.
    """
    kind = type(obj).__name__.lower()
    facing = obj.facing if kind in ("player", "arrow") else (0, 0)
    counter = getattr(obj, COUNTERS[kind]) if kind in COUNTERS else 0
    return (index, KINDS.index(kind), *obj.pos, obj.health, *facing, counter)
