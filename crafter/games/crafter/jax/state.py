"""The state of one game as a flat pytree of arrays, and what is fixed when compiling.

(X, Y) is the area, N the most objects, C the number of chunks. There are no 64-bit
numbers, so that states are the same whether `jax_enable_x64` is on or off.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.crafter import tables as t
from crafter.games.crafter.layout import Field
from crafter.games.crafter.rules import Rules

#: What `chunk_joined` holds for chunks that do not exist.
NEVER = np.int32(2**31 - 1)

_ITEMS = len(t.ITEMS)
_ACHIEVEMENTS = len(t.ACHIEVEMENT)

#: Field name -> dtype, shape of one game and meaning.
FIELDS = {
    "step": Field(np.int32, (), "steps since reset"),
    "clock_offset": Field(np.int32, (), "steps added to `step` for the time of day"),
    "materials": Field(np.uint8, ("X", "Y"), "material ids"),
    "player_x": Field(np.int32, (), "column of the player, cells"),
    "player_y": Field(np.int32, (), "row of the player, cells"),
    "player_facing": Field(np.int32, (), "index in `tables.DIRECTIONS`"),
    "player_joined": Field(np.int32, (), "order of joining its chunk"),
    "inventory": Field(np.int32, (_ITEMS,), "amounts"),
    "achievements": Field(np.int32, (_ACHIEVEMENTS,), "counters"),
    "sleeping": Field(np.bool_, (), "whether the player is asleep"),
    "action": Field(np.int32, (), "action carried out"),
    "hunger": Field(np.float32, (), "counter, steps"),
    "thirst": Field(np.float32, (), "counter, steps"),
    "fatigue": Field(np.float32, (), "counter, steps"),
    "recover": Field(np.float32, (), "counter, steps"),
    "last_health": Field(np.int32, (), "health after the player's update"),
    "rewarded_health": Field(np.int32, (), "health at the end of the last step"),
    "object_kind": Field(np.uint8, ("N",), "semantic id; 0 for a free slot"),
    "object_x": Field(np.int16, ("N",), "column, cells"),
    "object_y": Field(np.int16, ("N",), "row, cells"),
    "object_health": Field(np.int16, ("N",), "health"),
    "object_facing": Field(np.int8, ("N",), "direction of arrows, else -1"),
    "object_counter": Field(np.int32, ("N",), "cooldown, reload or grown"),
    "object_id": Field(np.int32, ("N",), "index in the episode; the player has 1"),
    "object_joined": Field(np.int32, ("N",), "order of joining its chunk"),
    "object_count": Field(np.int32, (), "slots used since the last sweep"),
    "next_id": Field(np.int32, (), "index of the next object"),
    "next_joined": Field(np.int32, (), "order of the next joining"),
    "chunk_joined": Field(
        np.int32, ("C",), "order of its first joining; `NEVER` before"
    ),
    "noise_seed": Field(np.uint32, (), "seed of the noise of the night"),
    "dropped_objects": Field(
        np.int32, (), "objects that found no slot in this episode"
    ),
    "invalid_actions": Field(np.int32, (), "actions out of range in this episode"),
}


class State(NamedTuple):
    """One game; with leading axes, a batch of games. See `FIELDS`.

    Objects other than the player stand in slots in the order of their indices, with
    free slots between them; `balance` sweeps those up.
    """

    step: jax.Array  # ()
    clock_offset: jax.Array  # ()
    materials: jax.Array  # (X, Y)
    player_x: jax.Array  # ()
    player_y: jax.Array  # ()
    player_facing: jax.Array  # ()
    player_joined: jax.Array  # ()
    inventory: jax.Array  # (items,)
    achievements: jax.Array  # (achievements,)
    sleeping: jax.Array  # ()
    action: jax.Array  # ()
    hunger: jax.Array  # ()
    thirst: jax.Array  # ()
    fatigue: jax.Array  # ()
    recover: jax.Array  # ()
    last_health: jax.Array  # ()
    rewarded_health: jax.Array  # ()
    object_kind: jax.Array  # (N,)
    object_x: jax.Array  # (N,)
    object_y: jax.Array  # (N,)
    object_health: jax.Array  # (N,)
    object_facing: jax.Array  # (N,)
    object_counter: jax.Array  # (N,)
    object_id: jax.Array  # (N,)
    object_joined: jax.Array  # (N,)
    object_count: jax.Array  # ()
    next_id: jax.Array  # ()
    next_joined: jax.Array  # ()
    chunk_joined: jax.Array  # (C,)
    noise_seed: jax.Array  # ()
    dropped_objects: jax.Array  # ()
    invalid_actions: jax.Array  # ()


class Config(NamedTuple):
    """What is fixed when a function is compiled.

    Attributes:
      area: Map size (x, y) in cells.
      view: Cells shown (columns, rows), inventory rows included.
      rules: The rules.
      max_objects: Slots for objects; see `Env`.
      max_active: How many objects around the player a step can look at.
    """

    area: tuple[int, int] = (64, 64)
    view: tuple[int, int] = (9, 9)
    rules: Rules = t.RULES
    max_objects: int = 192
    max_active: int = 40

    @property
    def reach(self) -> int:
        """L1 distance from the player below which objects act, in cells."""
        return int(self.rules.world["update_range"]) * max(self.view)

    @property
    def tables(self) -> t.Tables:
        """The numbers of the rules as arrays."""
        return _tables(self.rules)

    @property
    def limits(self) -> list[int]:
        """Maximum of every item."""
        limits: list[int] = self.tables.limits.tolist()
        return limits

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return t.chunk_grid(self.area).count


@functools.cache
def _tables(rules: Rules) -> t.Tables:
    return t.Tables(rules)


def shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Returns the shape of every field of one game."""
    sizes = dict(zip("XY", config.area), N=config.max_objects, C=config.chunks)
    return {
        name: tuple(sizes[d] if isinstance(d, str) else d for d in field.shape)
        for name, field in FIELDS.items()
    }


def fields(config: Config, values: Mapping[str, Any]) -> State:
    """Makes a state from values, with zeros where there are none.

    Args:
      config: What is fixed.
      values: Field name -> value, which is converted to the dtype of the field.
    """
    made = {
        name: jnp.zeros(shape, FIELDS[name].dtype)
        for name, shape in shapes(config).items()
        if name not in values
    }
    for name, value in values.items():
        made[name] = jnp.asarray(value).astype(FIELDS[name].dtype)
    return State(**made)
