"""Access to the floor of the player.

A step looks at a few cells of one floor and changes fewer, so nothing is copied: cells
are read and written in place. Creatures and projectiles of the floor are taken out at
the start of a step (`enter`), with 32-bit numbers, and put back at its end (`leave`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config, Mobs, Projectiles, State


class Floor(NamedTuple):
    """What moves on the floor of the player; fields as in `State`, without its axis.

    Attributes:
      mobs: Creatures.
      shots: Projectiles of creatures.
      own_shots: Projectiles of the player.
      monsters_killed: Monsters that the player killed here.
      chest_opened: Whether a chest was opened here.
    """

    mobs: Mobs
    shots: Projectiles
    own_shots: Projectiles
    monsters_killed: jax.Array
    chest_opened: jax.Array


def _moving(state: State) -> Floor:
    return Floor(
        state.creatures,
        state.mob_projectiles,
        state.player_projectiles,
        state.monsters_killed,
        state.chests_opened,
    )


def enter(state: State) -> Floor:
    """Returns the floor of the player."""

    def read(leaf: jax.Array) -> jax.Array:
        own = t.take(leaf, state.player_level)
        wide = jnp.issubdtype(own.dtype, jnp.integer)
        return own.astype(jnp.int32) if wide else own

    floor: Floor = jax.tree.map(read, _moving(state))
    return floor


def leave(state: State, floor: Floor) -> State:
    """Returns the state with the floor of the player as it has become."""
    all_floors = jax.tree.map(
        lambda leaf, own: jax.lax.dynamic_update_index_in_dim(
            leaf, own.astype(leaf.dtype), state.player_level, 0
        ),
        _moving(state),
        floor,
    )
    mobs, shots, own_shots, killed, opened = all_floors
    return state._replace(
        creatures=mobs,
        mob_projectiles=shots,
        player_projectiles=own_shots,
        monsters_killed=killed,
        chests_opened=opened,
    )


def inside(config: Config, position: jax.Array) -> jax.Array:
    """Returns whether positions (..., 2) are on the map, bool (...)."""
    return ((position >= 0) & (position < config.size)).all(-1)


def seen(config: Config, position: jax.Array) -> jax.Array:
    """Returns the cells that the published game reads for positions (..., 2).

    Off the map it reads another cell: -1 is the last row or column, and what is farther
    out is the nearest one.

    Returns:
      Row * S + column, int32 (...).
    """
    size = config.size
    position = jnp.where(position < 0, position + size, position)
    return number(config, jnp.clip(position, 0, size - 1))


def number(config: Config, position: jax.Array) -> jax.Array:
    """Returns row * S + column of positions (..., 2), int32 (...)."""
    return position[..., 0] * config.size + position[..., 1]


def read(config: Config, state: State, level: Any, cell: jax.Array) -> jax.Array:
    """Returns cells of a floor, int32: block and item, see `tables.ITEM_SHIFT`.

    Args:
      config: What is fixed.
      state: The game.
      level: Number of the floor.
      cell: row * S + column, int32 (...).
    """
    return t.take(state.cells.reshape(-1), level * config.size**2 + cell).astype(
        jnp.int32
    )


def write(
    config: Config,
    state: State,
    level: Any,
    cell: jax.Array,
    value: jax.Array,
    changed: jax.Array,
) -> State:
    """Returns the state with some cells of a floor changed.

    Args:
      config: What is fixed.
      state: The game.
      level: Number of the floor.
      cell: row * S + column, int32 (...).
      value: What to write, int32 (...).
      changed: Which of them to write, bool (...).
    """
    flat = state.cells.reshape(-1)
    place = jnp.where(changed, level * config.size**2 + cell, flat.shape[0])
    flat = flat.at[place].set(value.astype(jnp.uint8), mode="drop")
    return state._replace(cells=flat.reshape(state.cells.shape))


def block_of(cell: jax.Array) -> jax.Array:
    """Returns the block ids of cells."""
    return cell & t.BLOCK_MASK


def item_of(cell: jax.Array) -> jax.Array:
    """Returns the item ids of cells."""
    return cell >> t.ITEM_SHIFT


def with_block(cell: jax.Array, block: Any) -> jax.Array:
    """Returns cells with another block and the same item."""
    return cell & ~t.BLOCK_MASK | block


def bits(config: Config, block: jax.Array) -> jax.Array:
    """Returns what is true of blocks, see `tables.block_bits`."""
    return t.take(t.block_bits(config.tables), block)


def same(positions: jax.Array, position: jax.Array) -> jax.Array:
    """Returns which of many positions (n, 2) are a position (2,), bool (n,)."""
    return (positions == position).all(-1)


def is_taken(mobs: Mobs, position: jax.Array) -> jax.Array:
    """Returns whether a creature stands at a position (2,), bool."""
    return (mobs.mask & same(mobs.position, position)).any()


def first_free(mask: jax.Array) -> jax.Array:
    """Returns which slot is the first free one, bool (slots,); none if all are used."""
    slots = np.arange(mask.shape[0], dtype=np.int32)
    return (slots == jnp.argmin(mask)) & ~mask
