"""Cells, chunks and the objects around the player.

A cell is also known by its number, x * Y + y; -1 stands for no cell.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import count_before, select_first
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax.state import Config, State

#: Step (dx, dy) by direction, int32.
DIRECTIONS = t.DIRECTIONS.astype(np.int32)


class Near(NamedTuple):
    """The objects near the player in index order, int32 arrays of shape (K,).

    Attributes:
      slot: Their slot; N where there are no more objects.
      kind: Semantic id; 0 where there are no more.
      x: Column.
      y: Row.
      health: Health.
      facing: Direction of an arrow.
      counter: Cooldown, reload or grown.
      joined: Order of joining the chunk.
    """

    slot: jax.Array
    kind: jax.Array
    x: jax.Array
    y: jax.Array
    health: jax.Array
    facing: jax.Array
    counter: jax.Array
    joined: jax.Array


#: Fields of the state that `Near` holds.
COLUMNS = ("kind", "x", "y", "health", "facing", "counter", "joined")


def inside(config: Config, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns whether cells lie on the map."""
    width, height = config.area
    return (x >= 0) & (x < width) & (y >= 0) & (y < height)


def cell(config: Config, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns the numbers of cells, -1 outside the map."""
    return jnp.where(inside(config, x, y), x * config.area[1] + y, -1)


def material_at(config: Config, state: State, number: jax.Array) -> jax.Array:
    """Returns the material ids of cells, int32; 0 outside the map."""
    found = state.materials.reshape(-1)[jnp.maximum(number, 0)].astype(jnp.int32)
    return jnp.where(number >= 0, found, 0)


def chunk_of(config: Config, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns the numbers of the chunks of cells on the map, int32."""
    number: jax.Array = t.chunk_grid(config.area).number(x, y)
    return number


def near(config: Config, state: State) -> tuple[Near, jax.Array]:
    """Collects the objects that a step may concern.

    Those are the ones within the range of updates plus one: the player may come one
    cell nearer, and a cell beyond may be in the way.

    Returns:
      The objects, and how many there are: `config.max_active` of them were collected.
    """
    dx = state.object_x.astype(jnp.int32) - state.player_x
    dy = state.object_y.astype(jnp.int32) - state.player_y
    is_near = abs(dx) + abs(dy) <= config.reach + 1
    is_near &= state.object_kind > 0
    counts = count_before(is_near)
    slot = select_first(is_near, counts, config.max_active)
    index = jnp.minimum(slot, config.max_objects - 1)
    columns = {
        name: getattr(state, f"object_{name}")[index].astype(jnp.int32)
        for name in COLUMNS
    }
    columns["kind"] = jnp.where(slot < config.max_objects, columns["kind"], 0)
    return Near(slot, **columns), counts[-1]


class Added(NamedTuple):
    """Objects to add, in order; arrays of shape (A,) of which `number` are used."""

    number: jax.Array
    kind: jax.Array
    x: jax.Array
    y: jax.Array
    health: jax.Array
    facing: jax.Array
    counter: jax.Array
    joined: jax.Array


def write(
    config: Config, state: State, near: Near, count: jax.Array, added: Added
) -> State:
    """Puts the objects near the player back, and appends new ones.

    Args:
      config: What is fixed.
      state: The state that they came from.
      near: The objects; kind 0 for those removed.
      count: How many there are, even those not in `near`.
      added: New objects. Those that find no slot are counted and forgotten, as are
        objects that did not fit into `near`.
    """
    place = np.arange(len(added.kind), dtype=np.int32)
    free = jnp.minimum(config.max_objects - state.object_count, len(place))
    fitting = jnp.minimum(added.number, free)
    new_slot = jnp.where(
        place < fitting, state.object_count + place, config.max_objects
    )
    slot = jnp.append(near.slot, new_slot)
    # Which of them comes into each slot: told once, and then read for every field.
    numbers = jax.lax.iota(jnp.int32, len(slot))
    source = jnp.full(config.max_objects, -1, jnp.int32)
    source = source.at[slot].set(numbers, mode="drop")
    near, added, source = sparse.once((near, added, source), state.object_count)
    chosen = jnp.maximum(source, 0)
    fields = {}
    for name in COLUMNS:
        column = jnp.append(getattr(near, name), getattr(added, name))
        old = getattr(state, f"object_{name}")
        new = column.astype(old.dtype)[chosen]
        fields[f"object_{name}"] = jnp.where(source >= 0, new, old)
    new_id = state.next_id + source - len(near.slot)
    overlooked = jnp.maximum(count - config.max_active, 0)
    return state._replace(
        **fields,
        object_id=jnp.where(source >= len(near.slot), new_id, state.object_id),
        object_count=state.object_count + fitting,
        next_id=state.next_id + fitting,
        dropped_objects=state.dropped_objects + added.number - fitting + overlooked,
    )


def join_chunks(
    config: Config,
    chunk_joined: jax.Array,
    chunk: jax.Array,
    joined: jax.Array,
) -> jax.Array:
    """Lets chunks come into being that objects join for the first time.

    Args:
      config: What is fixed.
      chunk_joined: The field, int32 (C,).
      chunk: Chunk that each object joins, or -1, int32 (n,).
      joined: Order of joining of each, int32 (n,).
    """
    place = jnp.where(chunk >= 0, chunk, config.chunks)
    return chunk_joined.at[place].min(joined, mode="drop")
