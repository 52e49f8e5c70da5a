"""Cells, chunks and the objects around the player during a step.

Cells are numbered x * Y + y; -1 stands for no cell.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import count_before, select_first
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax.state import Config, State

#: Step (dx, dy) by direction, int32.
DIRECTIONS = t.DIRECTIONS.astype(np.int32)


class Objects(NamedTuple):
    """Objects other than the player, int32 arrays of one shape.

    Attributes:
      kind: Semantic id; 0 for none.
      x: Column.
      y: Row.
      health: Health.
      facing: Direction of an arrow.
      counter: Cooldown, reload or grown.
      joined: Order of joining its chunk.
    """

    kind: jax.Array
    x: jax.Array
    y: jax.Array
    health: jax.Array
    facing: jax.Array
    counter: jax.Array
    joined: jax.Array


class Turn(NamedTuple):
    """Step in progress, passed through the rules.

    Attributes:
      config: Static configuration.
      state: The game state. Its copy of `near` is stale until `write`.
      near: The objects that the step may affect, in index order, (max_active,).
      slot: Their slots; `max_objects` for unused rows.
      near_count: Number of such objects, including those that exceed `near`.
    """

    config: Config
    state: State
    near: Objects
    slot: jax.Array
    near_count: jax.Array

    def change(self, **fields: Any) -> Turn:
        """Returns the turn with fields of the state changed."""
        return self._replace(state=self.state._replace(**fields))

    def change_near(self, **columns: jax.Array) -> Turn:
        """Returns the turn with columns of the objects changed."""
        return self._replace(near=self.near._replace(**columns))

    def near_at(self, x: jax.Array, y: jax.Array) -> jax.Array:
        """Returns the mask of objects in a cell, bool (max_active,)."""
        return (self.near.kind > 0) & (self.near.x == x) & (self.near.y == y)


def inside(config: Config, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns whether cells lie on the map."""
    width, height = config.area
    return (x >= 0) & (x < width) & (y >= 0) & (y < height)


def cell(config: Config, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns the numbers of cells, -1 outside the map."""
    return jnp.where(inside(config, x, y), x * config.area[1] + y, -1)


def material_at(state: State, number: jax.Array) -> jax.Array:
    """Returns the material ids of cells by their numbers, int32; 0 outside the map."""
    ids = state.materials.reshape(-1)[jnp.maximum(number, 0)].astype(jnp.int32)
    return jnp.where(number >= 0, ids, 0)


def material(config: Config, state: State, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns the material ids of cells, int32; 0 outside the map."""
    return material_at(state, cell(config, x, y))


def chunk_of(config: Config, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns the numbers of the chunks of cells on the map, int32."""
    return t.chunk_grid(config.area).number(x, y)


def begin(config: Config, state: State) -> Turn:
    """Gathers the objects that a step may affect.

    These are the ones within the update range plus one, since the player may come one
    cell nearer, and an object one cell beyond may block the way.
    """
    dx = state.object_x.astype(jnp.int32) - state.player_x
    dy = state.object_y.astype(jnp.int32) - state.player_y
    is_near = abs(dx) + abs(dy) <= config.reach + 1
    is_near &= state.object_kind > 0
    counts = count_before(is_near)
    slot = select_first(is_near, counts, config.max_active)
    index = jnp.minimum(slot, config.max_objects - 1)
    near = Objects(
        *(getattr(state, f"object_{name}")[index] for name in Objects._fields)
    )
    near = jax.tree.map(lambda column: column.astype(jnp.int32), near)
    near = near._replace(kind=jnp.where(slot < config.max_objects, near.kind, 0))
    return Turn(config, state, near, slot, counts[-1])


def write(turn: Turn, added: Objects, number: jax.Array) -> State:
    """Scatters the objects near the player back to the state, and adds new ones.

    Objects without a slot are counted and dropped, as are those that exceeded `near`.

    Args:
      turn: The step in progress.
      added: New objects, in order.
      number: Number of new objects.
    """
    config, state = turn.config, turn.state
    place = np.arange(len(added.kind), dtype=np.int32)
    free = jnp.minimum(config.max_objects - state.object_count, len(place))
    fitting = jnp.minimum(number, free)
    new_slot = jnp.where(
        place < fitting, state.object_count + place, config.max_objects
    )
    slot = jnp.append(turn.slot, new_slot)
    # Source row of each slot, computed once and used for every field.
    numbers = jax.lax.iota(jnp.int32, len(slot))
    source = jnp.full(config.max_objects, -1, jnp.int32)
    source = source.at[slot].set(numbers, mode="drop")
    near, added, source = sparse.once((turn.near, added, source), state.object_count)
    chosen = jnp.maximum(source, 0)
    fields = {}
    for name, old_column, new_column in zip(Objects._fields, near, added):
        old = getattr(state, f"object_{name}")
        new = jnp.append(old_column, new_column).astype(old.dtype)[chosen]
        fields[f"object_{name}"] = jnp.where(source >= 0, new, old)
    new_id = state.next_id + source - config.max_active
    overlooked = jnp.maximum(turn.near_count - config.max_active, 0)
    return state._replace(
        **fields,
        object_id=jnp.where(source >= config.max_active, new_id, state.object_id),
        object_count=state.object_count + fitting,
        next_id=state.next_id + fitting,
        dropped_objects=state.dropped_objects + number - fitting + overlooked,
    )


def join_chunks(
    chunk_joined: jax.Array, chunk: jax.Array, joined: jax.Array
) -> jax.Array:
    """Creates chunks that objects join for the first time.

    Args:
      chunk_joined: The state field, int32 (C,).
      chunk: Chunk that each object joins, or -1, int32 (n,).
      joined: Joining order of each object, int32 (n,).
    """
    place = jnp.where(chunk >= 0, chunk, len(chunk_joined))
    return chunk_joined.at[place].min(joined, mode="drop")
