"""Array observations; see `crafter.games.craftax.observations`."""

from __future__ import annotations

import functools
import operator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import join_bits
from crafter.games.craftax import parameters
from crafter.games.craftax.jax import boss, engine, light
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, Mobs, Projectiles, State
from crafter.games.craftax.observations import Observer
from crafter.games.craftax.tables import Tables

#: Rows and columns of the cells shown.
VIEW: tuple[int, int] = (9, 11)


class Window(NamedTuple):
    """The cells around the player; arrays of shape (9, 11).

    Attributes:
      blocks: Block ids, int32; 0 outside the map.
      items: Item ids, int32; 0 outside the map.
      light: Light from 0 to 1, float32; 0 outside the map.
    """

    blocks: jax.Array
    items: jax.Array
    light: jax.Array


@functools.cache
def observer(tables: Tables) -> Observer:
    """Returns the object-oriented observer, which defines the numbers."""
    defaults = parameters.make(tables.data["parameters"], {})
    return Observer(tables, defaults)


def window(config: Config, state: State) -> Window:
    """Returns the cells around the player."""
    middle = np.array([side // 2 for side in VIEW], np.int32)
    offsets = np.moveaxis(np.indices(VIEW), 0, -1).astype(np.int32) - middle
    positions = state.player_position + offsets
    inside = engine.inside(config, positions)
    clamped = jnp.clip(positions, 0, config.size - 1)
    cells = Turn(config, state).read(engine.number(config, clamped))
    lit = light.window(config, state, clamped)
    seen = Window(
        jnp.where(inside, engine.block_of(cells), 0),
        jnp.where(inside, engine.item_of(cells), 0),
        jnp.where(inside, lit, np.float32(0)),
    )
    return sparse.once(seen, state.player_position)


def slots(turn: Turn) -> list[Mobs | Projectiles]:
    """Returns the slots shown in observations, in the order of `CLASSES`."""
    floor = turn.floor
    parts = [turn.config.part(kind) for kind in t.CLASSES]
    mobs = [jax.tree.map(operator.itemgetter(part), floor.creatures) for part in parts]
    return [*mobs, floor.mob_projectiles, floor.player_projectiles]


def compact(config: Config, state: State) -> dict[str, jax.Array]:
    """Returns the compact observation.

    Returns:
      `map`, uint8 (9, 11, 7), and `numbers`, float32 (48,).
    """
    turn = engine.enter(Turn(config, state))
    seen = window(config, state)
    dim = config.tables.dim
    lit = seen.light > dim
    layers = [jnp.where(lit, seen.blocks + 1, 0), jnp.where(lit, seen.items, 0)]
    for own in slots(turn):
        layers.append(jnp.where(lit, _marks(config, state, own), 0))
    cells = jnp.stack(layers, -1).astype(jnp.uint8)
    return {"map": cells, "numbers": numbers(turn)}


def symbolic(config: Config, state: State) -> jax.Array:
    """Returns the published observation, float32 (8268,)."""
    return observer(config.tables).expand(compact(config, state), jnp)


def puffer(config: Config, state: State) -> jax.Array:
    """Returns PufferLib's observation, float32 (843,)."""
    turn = engine.enter(Turn(config, state))
    seen = window(config, state)
    lit = seen.light > config.tables.dim
    layers = [seen.blocks, seen.items + 1, jnp.ones_like(seen.blocks)]
    layers += [_last_types(state, own) for own in slots(turn)]
    cells = jnp.where(lit[..., None], jnp.stack(layers, -1), 0).astype(jnp.float32)
    scaled = observer(config.tables).scaled(numbers(turn), jnp)
    return jnp.concatenate([cells.reshape(-1), scaled])


def _last_types(state: State, own: Mobs | Projectiles) -> jax.Array:
    """Returns type + 1 of the last slot of a class per cell, int32 (9, 11)."""
    rows, columns = VIEW
    row, column, shown = in_view(state, own)
    cell = jnp.where(shown, row * columns + column, rows * columns)
    types = jnp.zeros(rows * columns, jnp.int32)
    for slot in range(cell.shape[0]):  # in order, so that the last one wins
        types = types.at[cell[slot]].set(own.type_id[slot] + 1, mode="drop")
    return types.reshape(rows, columns)


def in_view(
    state: State, own: Mobs | Projectiles
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns rows and columns in the view, and visibility, (slots,)."""
    rows, columns = VIEW
    corner = state.player_position - np.array([rows // 2, columns // 2], np.int32)
    place = own.position - corner
    row, column = place[:, 0], place[:, 1]
    shown = own.mask & (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    return row, column, shown


def _marks(config: Config, state: State, own: Mobs | Projectiles) -> jax.Array:
    """Returns the bits of the types of a class in each cell, int32 (9, 11).

    In the published game every slot writes its mark or its absence in turn, so that a
    dead or distant creature may erase a live one of its kind.
    """
    rows, columns = VIEW
    row, column, shown = in_view(state, own)
    # Off the view, negative indices wrap, as in Python.
    cell = row % rows * columns + column % columns
    kept = shown
    if not config.applied("creature_bits"):
        touches = (row >= -rows) & (row < rows)
        touches &= (column >= -columns) & (column < columns)
        same = (cell[:, None] == cell) & (own.type_id[:, None] == own.type_id)
        later = np.tri(cell.shape[0], k=-1, dtype=bool).T
        erased = (same & later & (touches & ~shown)).any(-1)
        kept = shown & ~erased
    cells = np.arange(rows * columns, dtype=np.int32)
    there = (cell[:, None] == cells) & kept[:, None]
    bits = jnp.where(there, jnp.left_shift(1, own.type_id)[:, None], 0)
    return join_bits(bits.astype(jnp.int32)).reshape(rows, columns)


def numbers(turn: Turn) -> jax.Array:
    """Returns the unscaled numbers, float32 (48,)."""
    state, tables = turn.state, turn.config.tables
    needed = turn.rules["ladders"]["monsters"]
    own = {
        "floor": state.player_level,
        "ladder_open": turn.floor.monsters_killed >= needed,
        "boss_vulnerable": boss.is_vulnerable(turn),
    }
    for place, name in enumerate(tables.inventory_keys["armour"] or ()):
        own[f"{name}_enchantment"] = state.armour_enchantments[place]
    for place, name in enumerate(tables.spells):
        own[f"learned_{name}"] = state.learned_spells[place]
    names = [number.name for number in observer(tables).numbers]
    values = [own[n] if n in own else _of_player(state, n) for n in names]
    return jnp.stack([value.astype(jnp.float32) for value in values])


def _of_player(state: State, name: str) -> jax.Array:
    """Returns an item or state field of the player by name."""
    if name in t.HELD:
        return state.items[t.HELD[name]]
    return getattr(state, name if name in State._fields else f"player_{name}")
