"""Observations; see `crafter.observations` and `crafter.views`."""

from __future__ import annotations

import os
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter import constants, observations
from crafter.batch import tables as t
from crafter.batch.jax import clock, world
from crafter.batch.jax.precision import double, rounded
from crafter.batch.jax.random import uniforms
from crafter.batch.jax.state import Config, State
from crafter.batch.jax.world import look_up
from crafter.views import FrameView, Textures, split_view

_ITEMS = len(t.ITEMS)
_TEXTURE = t.TEXTURE
_RIPE: int = constants.creatures["plant"]["ripe"]
_CODE = np.array([observations.CODES.get(name, 0) for name in t.TEXTURES], np.int32)
_CODES = int(_CODE.max())
_NIGHT_NOISE_USE = 64  # of `random.bits`
_NOISE_LOW, _NOISE_RANGE = np.float32(32), np.float32(95)

# Craftax-Classic: its blocks, in order, and what of ours they are.
_BLOCKS = 17
_BLOCK = {
    "grass": 2,
    "water": 3,
    "stone": 4,
    "tree": 5,
    "path": 7,
    "coal": 8,
    "iron": 9,
    "diamond": 10,
    "table": 11,
    "furnace": 12,
    "sand": 13,
    "lava": 14,
}
_BLOCK_OF = np.array(
    [1] + [_BLOCK[name] for name in constants.materials], np.int32
)  # 1: outside
_PLANT_BLOCK, _RIPE_BLOCK = 15, 16
_CHANNELS = {"zombie": 17, "cow": 18, "skeleton": 19, "arrow": 20}
_CHANNEL_COUNT = 21
_CRAFTAX_ITEMS = [
    *("wood", "stone", "coal", "iron", "diamond", "sapling"),
    *("wood_pickaxe", "stone_pickaxe", "iron_pickaxe"),
    *("wood_sword", "stone_sword", "iron_sword"),
    *("health", "food", "drink", "energy"),
]


def grid(config: Config) -> tuple[int, int]:
    """Returns the (columns, rows) of the map part of the view."""
    return split_view(config.view, _ITEMS)[0]


def _textures(state: State) -> jax.Array:
    """Returns the texture of every object, index in `tables.TEXTURES`, 0 for none."""
    kind = state.object_kind.astype(jnp.int32)
    facing = state.object_facing.astype(jnp.int32)
    shown = jnp.zeros_like(kind)
    for name in ("cow", "zombie", "skeleton"):
        shown = jnp.where(kind == t.KIND[name], _TEXTURE[name], shown)
    shown = jnp.where(kind == t.KIND["arrow"], _TEXTURE["arrow-left"] + facing, shown)
    ripe = state.object_counter > _RIPE
    plant = jnp.where(ripe, _TEXTURE["plant-ripe"], _TEXTURE["plant"])
    return jnp.where(kind == t.KIND["plant"], plant, shown)


def window(config: Config, state: State) -> tuple[jax.Array, jax.Array]:
    """Returns what is in the map part of the view, x outer, y inner.

    Returns:
      Material ids, 0 outside the map, and textures of objects, 0 for none; int32
      (cells,).
    """
    columns, rows = grid(config)
    left, top = state.player_x - columns // 2, state.player_y - rows // 2
    x = left + np.arange(columns, dtype=np.int32)[:, None]
    y = top + np.arange(rows, dtype=np.int32)[None, :]
    ids = world.material_at(config, state, world.cell(config, x, y)).reshape(-1)
    dx = state.object_x.astype(jnp.int32) - left
    dy = state.object_y.astype(jnp.int32) - top
    seen = (dx >= 0) & (dx < columns) & (dy >= 0) & (dy < rows)
    seen &= state.object_kind > 0
    place = jnp.where(seen, dx * rows + dy, columns * rows)
    shown = jnp.zeros(columns * rows, jnp.int32)
    shown = shown.at[place].set(_textures(state), mode="drop")
    awake = _TEXTURE["player-left"] + state.player_facing
    player = jnp.where(state.sleeping, _TEXTURE["player-sleep"], awake)
    center = columns // 2 * rows + rows // 2
    return ids, jnp.where(
        np.arange(columns * rows, dtype=np.int32) == center, player, shown
    )


def compact(config: Config, state: State) -> jax.Array:
    """Returns the compact observation, uint8 (n,)."""
    ids, shown = window(config, state)
    light = (clock.daylight_table() * 255).astype(np.int32)
    rest = jnp.stack(
        [
            state.player_facing,
            state.sleeping.astype(jnp.int32),
            jnp.asarray(light)[clock.tick(state)],
        ]
    )
    parts = [ids, look_up(_CODE, shown), state.inventory, rest]
    return jnp.concatenate(parts).astype(jnp.uint8)


def _one_hot(index: jax.Array, first: int, last: int) -> jax.Array:
    """Returns 1 at the index, float32 (n * (last + 1 - first),)."""
    classes = np.arange(first, last + 1, dtype=np.int32)
    return (index[:, None] == classes).astype(jnp.float32).reshape(-1)


def symbolic(config: Config, state: State) -> jax.Array:
    """Returns the symbolic observation, float32 (n,)."""
    ids, shown = window(config, state)
    most = max(*config.limits, 1)
    limits = np.maximum(config.limits, 1)[:, None]
    shares = (np.arange(most + 1) / limits).astype(np.float32)
    facing = _one_hot(state.player_facing[None], 0, 3)
    amounts = jnp.asarray(shares)[np.arange(_ITEMS, dtype=np.int32), state.inventory]
    rest = jnp.stack([state.sleeping.astype(jnp.float32), clock.light(state)])
    parts = [_one_hot(ids, 0, t.MATERIALS - 1)]
    parts.append(_one_hot(look_up(_CODE, shown), 1, _CODES))
    return jnp.concatenate([*parts, amounts, facing, rest])


def craftax_classic(config: Config, state: State) -> jax.Array:
    """Returns what Craftax-Classic's symbolic observation says, float32 (n,).

    1345 numbers in its order for the default view: 21 per cell, row by row (17 for the
    block, then zombie, cow, skeleton, arrow), the inventory in tenths, facing, daylight
    and sleep. Plants are blocks there.

    Source:
      Craftax 1.6.1, Craftax-Classic-Symbolic-v1.
    """
    columns, rows = grid(config)
    ids, shown = (
        cells.reshape(columns, rows).T.reshape(-1) for cells in window(config, state)
    )
    blocks = look_up(_BLOCK_OF, ids)
    blocks = jnp.where(shown == _TEXTURE["plant"], _PLANT_BLOCK, blocks)
    blocks = jnp.where(shown == _TEXTURE["plant-ripe"], _RIPE_BLOCK, blocks)
    channel = np.full(len(t.TEXTURES), -1, np.int32)
    for name, texture in _TEXTURE.items():
        channel[texture] = _CHANNELS.get(name.partition("-")[0], -1)
    mobs = look_up(channel, shown)
    classes = np.arange(_CHANNEL_COUNT, dtype=np.int32)
    cells = (blocks[:, None] == classes) | (mobs[:, None] == classes)
    # The inventory passes through half precision there.
    most = max(config.limits) + 1
    tenths = np.arange(most, dtype=np.float16) / np.float16(10)
    order = np.array([t.ITEM[name] for name in _CRAFTAX_ITEMS])
    amounts = jnp.asarray(tenths.astype(np.float32))[state.inventory[order]]
    facing = _one_hot(state.player_facing[None], 0, 3)
    rest = jnp.stack([clock.light(state), state.sleeping.astype(jnp.float32)])
    cells = cells.astype(jnp.float32).reshape(-1)
    return jnp.concatenate([cells, amounts, facing, rest])


class Palette(NamedTuple):
    """What pictures are made of.

    Attributes:
      tiles: Tiles in full light, uint8 (tiles, height, width, 3).
      number: Tile by material id and texture, int32 (materials, textures).
      icons: Inventory cells by item and amount, uint8 (items, amounts, height, width,
        3).
      vignette: How much darkness hides, float64 (height, width) of the map picture.
      size: Width and height of the picture.
      border: Place (x, y) of the map picture.
      columns: Columns of the inventory.
    """

    tiles: np.ndarray
    number: np.ndarray
    icons: np.ndarray
    vignette: np.ndarray
    size: tuple[int, int]
    border: tuple[int, int]
    columns: int


def make_palette(
    config: Config, size: tuple[int, int], textures: str | os.PathLike | None
) -> Palette:
    """Returns what pictures of a size (width, height) are made of.

    Raises:
      ValueError: If the size is too small for the view.
      crafter.views.TextureError: If the texture pack is not usable.
    """
    view = FrameView(Textures(textures), config.view, size, t.ITEMS)
    tiles, _, number = view.local_view.tile_tables(t.TEXTURES)
    width, height = view.unit
    return Palette(
        tiles=tiles.reshape(-1, height, width, 3),
        number=number.astype(np.int32),
        icons=view.item_view.cell_table(max(config.limits)),
        vignette=view.local_view.vignette,
        size=size,
        border=(view.border[0], view.border[1]),
        columns=view.item_view.columns,
    )


def night_noise(palette: Palette, state: State) -> jax.Array:
    """Returns the grey levels of the night, float32 (width, height)."""
    seed = jnp.stack([state.noise_seed, jnp.zeros_like(state.noise_seed)])
    shape = palette.vignette.shape[::-1]
    uniform = uniforms(seed, _NIGHT_NOISE_USE, shape)
    return uniform * _NOISE_RANGE + _NOISE_LOW


def pixels(
    config: Config, palette: Palette, state: State, noise: jax.Array
) -> jax.Array:
    """Returns a picture, uint8 (height, width, 3).

    Args:
      config: What is fixed.
      palette: What pictures are made of.
      state: The game.
      noise: Grey levels of the night, float32 (width, height) of the map picture;
        by day it makes no difference.
    """
    columns, rows = grid(config)
    _, height, width, _ = palette.tiles.shape
    ids, shown = window(config, state)
    number = jnp.asarray(palette.number).reshape(-1)[ids * len(t.TEXTURES) + shown]
    tiles = jnp.asarray(palette.tiles)[number]
    tiles = tiles.reshape(columns, rows, height, width, 3).transpose(1, 2, 0, 3, 4)
    local = _light(palette, state, tiles.reshape(*palette.vignette.shape, 3), noise)
    icons = jnp.asarray(palette.icons)[
        np.arange(_ITEMS, dtype=np.int32), state.inventory
    ]
    item_rows = -(-_ITEMS // palette.columns)
    icons = jnp.pad(
        icons, ((0, item_rows * palette.columns - _ITEMS), (0, 0), (0, 0), (0, 0))
    )
    icons = icons.reshape(item_rows, palette.columns, height, width, 3)
    icons = icons.transpose(0, 2, 1, 3, 4).reshape(item_rows * height, -1, 3)
    both = jnp.concatenate([local, icons], 0)
    x, y = palette.border
    right = palette.size[0] - x - both.shape[1]
    return jnp.pad(both, ((y, palette.size[1] - y - both.shape[0]), (x, right), (0, 0)))


def _grey(colors: jax.Array) -> jax.Array:
    """Returns the luma of integer colours (..., 3) as Pillow does, (..., 1)."""
    red, green, blue = (colors[..., i : i + 1] for i in range(3))
    return (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16


def _light(
    palette: Palette, state: State, canvas: jax.Array, noise: jax.Array
) -> jax.Array:
    """Returns a map picture in the light of the hour, uint8 (height, width, 3)."""
    with double():
        tick = clock.tick(state)
        light = jnp.asarray(clock.daylight_table())[tick]
        zero = (tick >> 20).astype(jnp.int64)  # the table is shorter
        bright = canvas.astype(jnp.float64)
        dark = jnp.where(light < constants.time["dark"], 2 * (0.5 - light), 0.0)
        hidden = (dark * palette.vignette)[..., None]
        grain = noise.T.astype(jnp.float64)[..., None]
        night = rounded((1 - hidden) * bright, zero) + rounded(hidden * grain, zero)
        night_colors = jnp.floor(night).astype(jnp.int32)
        grey = _grey(night_colors)
        faded = grey + jnp.floor_divide(2 * (night_colors - grey), 5)
        dusk = (faded + np.array([0, 16, 64], np.int32)).astype(jnp.float64)
        shade = 0.5 * (1 - light)
        lit = rounded(bright * light, zero) + rounded(dusk * shade, zero)
        lit_colors = lit.astype(jnp.int32)
        asleep = (_grey(lit_colors) + np.array([0, 0, 16], np.int32)) >> 1
        shown = jnp.where(state.sleeping, asleep, lit_colors)
        return shown.astype(jnp.uint8)
