"""Step in progress: the player's floor, and accessors for the rules.

A step reads few cells of one floor and writes fewer, so cells are read and written in
place. `enter` extracts the creatures and projectiles of the floor at the start of a
step, widened to 32 bits, and `leave` stores them at its end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.draws import Draws
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config, EnvParams, Mobs, Projectiles, State


class Floor(NamedTuple):
    """Mutable part of the player's floor; fields of `State` without the floor axis.

    Attributes:
      creatures: Creatures.
      mob_projectiles: Projectiles of creatures.
      player_projectiles: Projectiles of the player.
      monsters_killed: Monsters killed here by the player.
      chests_opened: Whether a chest was opened here.
    """

    creatures: Mobs
    mob_projectiles: Projectiles
    player_projectiles: Projectiles
    monsters_killed: jax.Array
    chests_opened: jax.Array


class Front(NamedTuple):
    """Content of the cell in front of the player.

    Attributes:
      at: Its position, int32 (2,); may lie outside the map.
      number: The cell that is read for it, row * S + column.
      cell: Block and item of that cell.
      inside: Whether it is on the map.
      taken: Whether a creature occupies it.
    """

    at: jax.Array
    number: jax.Array
    cell: jax.Array
    inside: jax.Array
    taken: jax.Array


class Turn(NamedTuple):
    """Step in progress, passed through the rules.

    Attributes:
      config: Static configuration.
      state: The game state. Its copy of `floor` is stale until `leave`.
      params: Dynamic parameters.
      draws: The random values of the step.
      action: The row of the player's action.
      floor: The floor of the player; see `enter`.
      front: The cell in front of the player; see `look_ahead`.
      earned: Ids of unlocked achievements, -1 for none.
    """

    config: Config
    state: State
    params: EnvParams = EnvParams()
    draws: Draws = None  # type: ignore[assignment]
    action: t.ActionRow = None  # type: ignore[assignment]
    floor: Floor = None  # type: ignore[assignment]
    front: Front = None  # type: ignore[assignment]
    earned: tuple[jax.Array, ...] = ()

    @property
    def rules(self) -> Any:
        """The rules as in `data.yaml`."""
        return self.config.tables.data

    def change(self, **fields: Any) -> Turn:
        """Returns the turn with fields of the state changed."""
        return self._replace(state=self.state._replace(**fields))

    def change_floor(self, **fields: Any) -> Turn:
        """Returns the turn with fields of the floor changed."""
        return self._replace(floor=self.floor._replace(**fields))

    def earn(self, achievement: Any, happens: jax.Array) -> Turn:
        """Adds achievements to unlock where a condition holds."""
        return self._replace(earned=(*self.earned, jnp.where(happens, achievement, -1)))

    def earn_named(self, name: str, happens: jax.Array) -> Turn:
        """Like `earn`, by achievement name."""
        return self.earn(self.config.tables.achievement_ids[name], happens)

    def read(self, cell: jax.Array, level: Any = None) -> jax.Array:
        """Returns cells of a floor as int32; see `tables.ITEM_SHIFT`.

        Args:
          cell: row * S + column, int32 (...).
          level: Index of the floor; by default that of the player.
        """
        level = self.state.player_level if level is None else level
        place = level * self.config.size**2 + cell
        return t.take(self.state.cells.reshape(-1), place).astype(jnp.int32)

    def write(
        self, cell: jax.Array, value: jax.Array, changed: jax.Array, level: Any = None
    ) -> Turn:
        """Writes cells of a floor.

        Args:
          cell: row * S + column, int32 (...).
          value: Values to write, int32 (...).
          changed: Mask of cells to write, bool (...).
          level: Index of the floor; by default that of the player.
        """
        level = self.state.player_level if level is None else level
        cells = self.state.cells
        flat = cells.reshape(-1)
        place = jnp.where(changed, level * self.config.size**2 + cell, flat.shape[0])
        flat = flat.at[place].set(value.astype(jnp.uint8), mode="drop")
        return self.change(cells=flat.reshape(cells.shape))

    def bits(self, cell: jax.Array) -> jax.Array:
        """Returns the property bits of the blocks of cells; see `tables.block_bits`."""
        return t.take(t.block_bits(self.config.tables), block_of(cell))


def enter(turn: Turn) -> Turn:
    """Extracts the floor of the player."""

    def read(leaf: jax.Array) -> jax.Array:
        own = t.take(leaf, turn.state.player_level)
        wide = jnp.issubdtype(own.dtype, jnp.integer)
        return own.astype(jnp.int32) if wide else own

    floor: Floor = jax.tree.map(read, _floors(turn.state))
    return turn._replace(floor=floor)


def leave(turn: Turn) -> Turn:
    """Stores the floor of the player."""
    all_floors = jax.tree.map(
        lambda leaf, own: jax.lax.dynamic_update_index_in_dim(
            leaf, own.astype(leaf.dtype), turn.state.player_level, 0
        ),
        _floors(turn.state),
        turn.floor,
    )
    return turn.change(**all_floors._asdict())


def _floors(state: State) -> Floor:
    return Floor(*(getattr(state, name) for name in Floor._fields))


def look_ahead(turn: Turn) -> Turn:
    """Reads the cell in front of the player."""
    at = turn.state.player_position + facing(turn.state)
    number = seen(turn.config, at)
    front = Front(
        at=at,
        number=number,
        cell=turn.read(number),
        inside=inside(turn.config, at),
        taken=is_taken(turn.floor.creatures, at),
    )
    return turn._replace(front=front)


def facing(state: State) -> jax.Array:
    """Returns the facing direction as (rows, columns)."""
    return t.take(t.VECTORS, state.player_direction)


def inside(config: Config, position: jax.Array) -> jax.Array:
    """Returns whether positions (..., 2) are on the map, bool (...)."""
    return ((position >= 0) & (position < config.size)).all(-1)


def seen(config: Config, position: jax.Array) -> jax.Array:
    """Returns the cells that the published game reads for positions (..., 2).

    Negative indices wrap, and indices out of bounds are clamped.

    Returns:
      Row * S + column, int32 (...).
    """
    size = config.size
    position = jnp.where(position < 0, position + size, position)
    return number(config, jnp.clip(position, 0, size - 1))


def number(config: Config, position: jax.Array) -> jax.Array:
    """Returns row * S + column of positions (..., 2), int32 (...)."""
    return position[..., 0] * config.size + position[..., 1]


def block_of(cell: jax.Array) -> jax.Array:
    """Returns the block ids of cells."""
    return cell & t.BLOCK_MASK


def item_of(cell: jax.Array) -> jax.Array:
    """Returns the item ids of cells."""
    return cell >> t.ITEM_SHIFT


def with_block(cell: jax.Array, block: Any) -> jax.Array:
    """Returns cells with the block replaced and the same item."""
    return cell & ~t.BLOCK_MASK | block


def same(positions: jax.Array, position: jax.Array) -> jax.Array:
    """Returns which of positions (n, 2) equal a position (2,), bool (n,)."""
    return (positions == position).all(-1)


def is_taken(mobs: Mobs, position: jax.Array) -> jax.Array:
    """Returns whether a position (2,) counts as occupied by a creature, bool."""
    return (mobs.marked & same(mobs.position, position)).any()


def is_anyone(mobs: Mobs, position: jax.Array) -> jax.Array:
    """Returns whether a living creature stands at a position (2,), bool."""
    return (mobs.mask & same(mobs.position, position)).any()


def first_free(mask: jax.Array) -> jax.Array:
    """Returns the mask of the first free slot, bool (slots,); all false if full."""
    slots = np.arange(mask.shape[0], dtype=np.int32)
    return (slots == jnp.argmin(mask)) & ~mask
