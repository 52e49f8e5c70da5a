"""Cells, chunks and the objects around the player.

A cell is also known by its number, x * Y + y; -1 stands for no cell.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.batch import tables as t
from crafter.batch.jax.state import FIELDS, Config, State

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
    """Tells whether cells lie on the map."""
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
    width, height = t.CHUNK
    _, rows = t.chunk_grid(config.area)
    return x // width * rows + y // height


def look_up(table: np.ndarray, index: jax.Array) -> jax.Array:
    """Returns the rows of a small table, without a gather.

    Args:
      table: Bool, integer or float array of shape (n,).
      index: Integers in 0 ... n - 1.
    """
    if table.dtype == bool:
        bits = sum(1 << i for i, value in enumerate(table.tolist()) if value)
        return (jnp.uint32(bits) >> index.astype(jnp.uint32)) & 1 == 1
    result = jnp.full(index.shape, table[0])
    for i in range(1, len(table)):
        if table[i] != table[0]:
            result = jnp.where(index == i, table[i], result)
    return result


def count_before(mask: jax.Array) -> jax.Array:
    """Returns how many entries are set before each one.

    Args:
      mask: Bool of shape (n,).

    Returns:
      int32 of shape (n + 1,); the last is the number of all.
    """
    length = mask.shape[0]
    blocks = -(-length // 32)
    padded = jnp.pad(mask, (0, blocks * 32 - length)).reshape(blocks, 32)
    weights = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
    words = jnp.where(padded, weights, np.uint32(0)).sum(1, dtype=jnp.uint32)
    inner = jax.lax.population_count(words[:, None] & (weights - np.uint32(1)))
    totals = jax.lax.population_count(words)
    earlier = np.tri(blocks, k=-1, dtype=np.uint32)
    outer = (earlier * totals[None, :]).sum(1, dtype=jnp.uint32)
    counts = (inner + outer[:, None]).reshape(-1)[:length].astype(jnp.int32)
    return jnp.append(counts, totals.sum(dtype=jnp.uint32).astype(jnp.int32))


def select_first(mask: jax.Array, counts: jax.Array, room: int) -> jax.Array:
    """Returns the indices of the first entries of a mask that are set.

    Args:
      mask: Bool of shape (n,).
      counts: `count_before(mask)`.
      room: How many indices to return.

    Returns:
      int32 of shape (room,); n where there are no more.
    """
    length = mask.shape[0]
    places = jnp.where(mask, counts[:-1], room)
    nothing = jnp.full(room, length, jnp.int32)
    return nothing.at[places].set(np.arange(length, dtype=np.int32), mode="drop")


def near(config: Config, state: State) -> tuple[Near, jax.Array]:
    """Collects the objects that a step may concern.

    Those are the ones within the range of updates plus one: the player may come one
    cell nearer, and a cell beyond may be in the way.

    Returns:
      The objects, and how many there are: `config.near` of them were collected.
    """
    dx = state.object_x.astype(jnp.int32) - state.player_x
    dy = state.object_y.astype(jnp.int32) - state.player_y
    is_near = abs(dx) + abs(dy) <= config.reach + 1
    is_near &= state.object_kind > 0
    counts = count_before(is_near)
    slot = select_first(is_near, counts, config.near)
    index = jnp.minimum(slot, config.room - 1)
    columns = {
        name: getattr(state, f"object_{name}")[index].astype(jnp.int32)
        for name in COLUMNS
    }
    columns["kind"] = jnp.where(slot < config.room, columns["kind"], 0)
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
      count: How many there are, even without room in `near`.
      added: New objects. Those that find no slot are counted and forgotten, as are
        objects that `near` had no room for.
    """
    place = np.arange(len(added.kind), dtype=np.int32)
    room = jnp.minimum(config.room - state.object_count, len(place))
    fitting = jnp.minimum(added.number, room)
    new_slot = jnp.where(place < fitting, state.object_count + place, config.room)
    slot = jnp.append(near.slot, new_slot)
    columns = {
        f"object_{name}": jnp.append(getattr(near, name), getattr(added, name))
        for name in COLUMNS
    }
    fields = {
        name: getattr(state, name)
        .at[slot]
        .set(column.astype(FIELDS[name].dtype), mode="drop")
        for name, column in columns.items()
    }
    overlooked = jnp.maximum(count - config.near, 0)
    return state._replace(
        **fields,
        object_id=state.object_id.at[new_slot].set(state.next_id + place, mode="drop"),
        object_count=state.object_count + fitting,
        next_id=state.next_id + fitting,
        refused=state.refused + added.number - fitting + overlooked,
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
