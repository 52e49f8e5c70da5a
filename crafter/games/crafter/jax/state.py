"""State of one game as a flat pytree of arrays, and the static configuration.

(X, Y) is the area, N the number of object slots, C the number of chunks. There are no
64-bit numbers, so states do not depend on `jax_enable_x64`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.states import Bool, Int, Real, UInt, zeros
from crafter.games.crafter import tables as t
from crafter.games.crafter.rules import Rules

#: Value of `chunk_joined` for chunks that do not exist.
NEVER = np.int32(2**31 - 1)
_Ints = Annotated[jax.Array, np.int32, "N"]


class State(NamedTuple):
    """State of one game; with leading axes, of a batch of games.

    Objects except the player occupy slots in index order, with free slots between them;
    `balance` compacts them.
    """

    step: Int  # since reset
    clock_offset: Int  # steps added to `step` for the time of day
    materials: Annotated[jax.Array, np.uint8, "X", "Y"]  # ids
    player_x: Int  # column, cells
    player_y: Int  # row, cells
    player_facing: Int  # index in `tables.DIRECTIONS`
    player_joined: Int  # order of joining its chunk
    inventory: Annotated[jax.Array, np.int32, len(t.ITEMS)]  # amounts
    achievements: Annotated[jax.Array, np.int32, len(t.ACHIEVEMENT)]  # counters
    sleeping: Bool  # whether the player is asleep
    action: Int  # executed action
    hunger: Real  # counter, steps; likewise the next three
    thirst: Real
    fatigue: Real
    recover: Real
    last_health: Int  # after the player's update
    rewarded_health: Int  # at the end of the last step
    object_kind: Annotated[jax.Array, np.uint8, "N"]  # semantic id; 0 for a free slot
    object_x: Annotated[jax.Array, np.int16, "N"]  # column, cells
    object_y: Annotated[jax.Array, np.int16, "N"]  # row, cells
    object_health: Annotated[jax.Array, np.int16, "N"]
    object_facing: Annotated[jax.Array, np.int8, "N"]  # direction of arrows, else -1
    object_counter: _Ints  # cooldown, reload or grown
    object_id: _Ints  # index in the episode; the player has 1
    object_joined: _Ints  # order of joining its chunk
    object_count: Int  # slots used since the last compaction
    next_id: Int  # index of the next object
    next_joined: Int  # `object_joined` of the next object
    chunk_joined: Annotated[jax.Array, np.int32, "C"]  # order of its creation
    noise_seed: UInt  # seed of the night noise
    dropped_objects: Int  # objects without a slot in this episode
    invalid_actions: Int  # actions out of range in this episode


class Config(NamedTuple):
    """Static configuration of compiled functions.

    Attributes:
      area: Map size (x, y) in cells.
      view: Cells shown (columns, rows), including the inventory rows.
      rules: The rules.
      max_objects: Object slots; see `Env`.
      max_active: Maximum number of objects around the player that act in a step.
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
    def chunks(self) -> int:
        """Number of chunks."""
        return t.chunk_grid(self.area).count


@functools.cache
def _tables(rules: Rules) -> t.Tables:
    return t.Tables(rules)


def fields(config: Config, values: Mapping[str, Any]) -> State:
    """Builds a state from values, with zeros for missing ones.

    Args:
      config: Static configuration.
      values: Field name -> value, converted to the dtype of the field.
    """
    sizes = dict(zip("XY", config.area), N=config.max_objects, C=config.chunks)
    empty = zeros(State, sizes)
    return State(
        **{
            name: jnp.asarray(values.get(name, zero)).astype(zero.dtype)
            for name, zero in empty.items()
        }
    )
