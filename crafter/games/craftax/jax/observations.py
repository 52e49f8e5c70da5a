"""Observations as numbers; see `crafter.games.craftax.observations`."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.games.craftax import parameters
from crafter.games.craftax.jax import boss, engine, light
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Floor
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
    """Returns the object-oriented observer, which knows what the numbers are."""
    defaults = parameters.make(tables.data["parameters"], {})
    return Observer(tables, defaults, VIEW)


def window(config: Config, state: State) -> Window:
    """Returns the cells around the player."""
    middle = np.array([side // 2 for side in VIEW], np.int32)
    offsets = np.moveaxis(np.indices(VIEW), 0, -1).astype(np.int32) - middle
    positions = state.player_position + offsets
    inside = engine.inside(config, positions)
    clamped = jnp.clip(positions, 0, config.size - 1)
    cells = engine.read(
        config, state, state.player_level, engine.number(config, clamped)
    )
    lit = light.window(config, state, clamped)
    seen = Window(
        jnp.where(inside, engine.block_of(cells), 0),
        jnp.where(inside, engine.item_of(cells), 0),
        jnp.where(inside, lit, np.float32(0)),
    )
    return sparse.once(seen, state.player_position)


def slots(config: Config, floor: Floor) -> list[Mobs | Projectiles]:
    """Returns the slots of what is shown, by class in the order of `CLASSES`."""

    def own(part: slice) -> Mobs:
        return Mobs(*(leaf[part] for leaf in floor.mobs))

    mobs = [own(config.part(kind)) for kind in t.CLASSES]
    return [*mobs, floor.shots, floor.own_shots]


def compact(config: Config, state: State) -> dict[str, jax.Array]:
    """Returns the compact observation.

    Returns:
      `map`, uint8 (9, 11, 7), and `numbers`, float32 (48,).
    """
    floor = engine.enter(state)
    seen = window(config, state)
    dim = np.float32(config.tables.data["view"]["dim"])
    lit = seen.light > dim
    layers = [jnp.where(lit, seen.blocks + 1, 0), jnp.where(lit, seen.items, 0)]
    for own in slots(config, floor):
        layers.append(jnp.where(lit, _marks(config, state, own), 0))
    cells = jnp.stack(layers, -1).astype(jnp.uint8)
    return {"map": cells, "numbers": _numbers(config, state, floor)}


def symbolic(config: Config, state: State) -> jax.Array:
    """Returns the published observation, float32 (8268,)."""
    return expand(config, compact(config, state))


def expand(config: Config, both: dict[str, jax.Array]) -> jax.Array:
    """Returns the symbolic observation of a compact one, float32 (8268,)."""
    layers, numbers = both["map"].astype(jnp.int32), both["numbers"]
    tables = config.tables
    lit = layers[..., :1] > 0
    blocks = np.arange(1, len(tables.block_names) + 1, dtype=np.int32)
    items = np.arange(len(tables.item_names), dtype=np.int32)
    types = np.arange(_types(config), dtype=np.int32)
    classes = (layers[..., 2:, None] >> types & 1) > 0
    parts = [
        layers[..., :1] == blocks,
        (layers[..., 1:2] == items) & lit,
        classes.reshape(*VIEW, -1),
        lit,
    ]
    cells = jnp.concatenate(parts, -1).astype(jnp.float32).reshape(-1)
    return jnp.concatenate([cells, *_scaled(config, numbers)])


def _types(config: Config) -> int:
    """Returns how many types of each class are shown."""
    kinds = [*config.tables.species.values(), config.tables.projectiles]
    return max(len(kind) for kind in kinds)


def _marks(config: Config, state: State, own: Mobs | Projectiles) -> jax.Array:
    """Returns for each cell which types of a class are there, bits, int32 (9, 11).

    In the published game every slot writes whether its creature is there, one after
    the other, so that a dead or distant one may erase a live one of its kind.
    """
    rows, columns = VIEW
    corner = state.player_position - np.array([rows // 2, columns // 2], np.int32)
    place = own.position - corner
    row, column = place[:, 0], place[:, 1]
    shown = own.mask & (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    # Off the view, -1 is the last row or column, and so on.
    cell = row % rows * columns + column % columns
    kept = shown
    if not config.repaired("creature_bits"):
        touches = (row >= -rows) & (row < rows)
        touches &= (column >= -columns) & (column < columns)
        same = (cell[:, None] == cell) & (own.type_id[:, None] == own.type_id)
        later = np.tri(cell.shape[0], k=-1, dtype=bool).T
        erased = (same & later & (touches & ~shown)).any(-1)
        kept = shown & ~erased
    cells = np.arange(rows * columns, dtype=np.int32)
    there = (cell[:, None] == cells) & kept[:, None]
    bits = jnp.where(there, jnp.left_shift(1, own.type_id)[:, None], 0)
    joined = jax.lax.reduce(
        bits.astype(jnp.int32), np.int32(0), jax.lax.bitwise_or, (0,)
    )
    return joined.reshape(rows, columns)


def _numbers(config: Config, state: State, floor: Floor) -> jax.Array:
    """Returns the numbers as they are in the game, float32 (48,)."""
    needed = config.tables.data["ladders"]["monsters"]
    held, worn = state.items, t.ARMOUR
    single = {
        **{name: held[place] for name, place in t.HELD.items()},
        **{name: getattr(state, f"player_{name}") for name in t.VITALS},
        **state.attributes,
        "sword_enchantment": state.sword_enchantment,
        "bow_enchantment": state.bow_enchantment,
        "xp": state.player_xp,
        "direction": state.player_direction,
        "light_level": state.light_level,
        "is_sleeping": state.is_sleeping,
        "is_resting": state.is_resting,
        "floor": state.player_level,
        "ladder_open": floor.monsters_killed >= needed,
        "boss_vulnerable": boss.is_vulnerable(config, state, floor),
    }
    for place, name in enumerate(t.item_names[worn]):
        single[f"{name}_enchantment"] = state.armour_enchantments[place]
    for place, name in enumerate(config.tables.spells):
        single[f"learned_{name}"] = state.learned_spells[place]
    names = [number.name for number in observer(config.tables).numbers]
    return jnp.stack([single[name].astype(jnp.float32) for name in names])


def _scaled(config: Config, numbers: jax.Array) -> list[jax.Array]:
    """Returns the numbers as in a symbolic observation, float32 arrays (n,)."""
    rules = observer(config.tables).numbers
    names = [rule.name for rule in rules]
    roots = np.array([rule.root for rule in rules])
    scales = np.array([rule.scale for rule in rules], np.float32)
    values = jnp.where(roots, jnp.sqrt(numbers), numbers) / scales
    place = names.index("direction")
    directions = np.arange(1, len(config.tables.direction_names) + 1, dtype=np.float32)
    facing = (numbers[place] == directions).astype(jnp.float32)
    return [values[:place], facing, values[place + 1 :]]
