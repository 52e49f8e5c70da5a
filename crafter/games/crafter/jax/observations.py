"""Observations; see `games.crafter.observations` and `views`."""

from __future__ import annotations

import fractions
import os
from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import look_up
from crafter.functional.precision import double, rounded
from crafter.functional.random import grey_noise
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import clock, world
from crafter.games.crafter.jax.state import Config, State
from crafter.games.crafter.views import FrameView, Textures, split_view

_ITEMS = len(t.ITEMS)
_CODE = t.CODE.astype(np.int32)
_CODES = int(_CODE.max())
_LIGHT = t.RULES.light
# In random play, one in this many games is in the dark.
_NIGHT_SHARE = 8
_NIGHT_TINT, _SLEEP_TINT = _LIGHT["night_tint"], _LIGHT["sleep_tint"]
# As a fraction, 2/5, since colours fade in integers here.
_SATURATION = fractions.Fraction(str(_LIGHT["saturation"]))
_DARK: float = t.RULES.time["dark"]

# Craftax-Classic: its cell classes by number, and its items, in order.
_CLASSES = [
    *("invalid", "outside", "grass", "water", "stone", "tree", "wood", "path", "coal"),
    *("iron", "diamond", "table", "furnace", "sand", "lava", "plant", "plant-ripe"),
    *("zombie", "cow", "skeleton", "arrow"),
]
_CRAFTAX_ITEMS = [
    *("wood", "stone", "coal", "iron", "diamond", "sapling"),
    *("wood_pickaxe", "stone_pickaxe", "iron_pickaxe"),
    *("wood_sword", "stone_sword", "iron_sword"),
    *("health", "food", "drink", "energy"),
]
_BLOCK_OF = np.array(
    [_CLASSES.index(name) for name in ("outside", *t.RULES.materials)], np.int32
)


def grid(config: Config) -> tuple[int, int]:
    """Returns the (columns, rows) of the map part of the view."""
    return split_view(config.view, _ITEMS)[0]


def _texture(kind: jax.Array, facing: jax.Array, special: jax.Array) -> jax.Array:
    """Returns texture indices into `tables.TEXTURES`, 0 for none.

    Args:
      kind: Semantic ids, integers (...).
      facing: Their directions, -1 for none.
      special: Whether they are asleep or ripe.
    """
    kind, facing = kind.astype(jnp.int32), jnp.maximum(facing.astype(jnp.int32), 0)
    place = (kind * len(t.DIRECTIONS) + facing) * 2 + special.astype(jnp.int32)
    return jnp.take(jnp.asarray(t.LOOK.astype(np.int32)), place, mode="clip")


def window(config: Config, state: State) -> tuple[jax.Array, jax.Array]:
    """Returns the contents of the map part of the view, x outer, y inner.

    Returns:
      Material ids, 0 outside the map, and textures of objects, 0 for none; int32
      (cells,).
    """
    columns, rows = grid(config)
    left, top = state.player_x - columns // 2, state.player_y - rows // 2
    x = left + np.arange(columns, dtype=np.int32)[:, None]
    y = top + np.arange(rows, dtype=np.int32)[None, :]
    ids = world.material(config, state, x, y).reshape(-1)
    dx = state.object_x.astype(jnp.int32) - left
    dy = state.object_y.astype(jnp.int32) - top
    seen = (dx >= 0) & (dx < columns) & (dy >= 0) & (dy < rows)
    seen &= state.object_kind > 0
    place = jnp.where(seen, dx * rows + dy, columns * rows)
    ripe = state.object_counter > config.rules.creatures["plant"]["ripe"]
    textures = _texture(state.object_kind, state.object_facing, ripe)
    shown = jnp.zeros(columns * rows, jnp.int32).at[place].set(textures, mode="drop")
    kind = jnp.int32(t.PLAYER)
    player = _texture(kind, state.player_facing, state.sleeping)
    center = columns // 2 * rows + rows // 2
    return ids, jnp.where(
        np.arange(columns * rows, dtype=np.int32) == center, player, shown
    )


def compact(config: Config, state: State) -> jax.Array:
    """Returns the compact observation, uint8 (n,)."""
    ids, shown = window(config, state)
    levels = (clock.daylight_table(config.rules) * 255).astype(np.int32)
    light = jnp.asarray(levels)[clock.tick(config, state)]
    rest = [state.player_facing, state.sleeping.astype(jnp.int32), light]
    parts = [ids, look_up(_CODE, shown), state.inventory, jnp.stack(rest)]
    return jnp.concatenate(parts).astype(jnp.uint8)


def _one_hot(index: jax.Array, first: int, last: int) -> jax.Array:
    """Returns flattened one-hot vectors, float32 (n * (last + 1 - first),)."""
    classes = np.arange(first, last + 1, dtype=np.int32)
    return (index[:, None] == classes).astype(jnp.float32).reshape(-1)


def symbolic(config: Config, state: State) -> jax.Array:
    """Returns the symbolic observation, float32 (n,)."""
    ids, shown = window(config, state)
    most = max(*config.tables.limits, 1)
    limits = np.maximum(config.tables.limits, 1)[:, None]
    shares = (np.arange(most + 1) / limits).astype(np.float32)
    facing = _one_hot(state.player_facing[None], 0, 3)
    amounts = jnp.asarray(shares)[np.arange(_ITEMS, dtype=np.int32), state.inventory]
    rest = [state.sleeping.astype(jnp.float32), clock.daylight(config, state)]
    parts = [_one_hot(ids, 0, t.MATERIALS - 1)]
    parts.append(_one_hot(look_up(_CODE, shown), 1, _CODES))
    return jnp.concatenate([*parts, amounts, facing, jnp.stack(rest)])


def craftax_classic(config: Config, state: State) -> jax.Array:
    """Returns Craftax-Classic's symbolic observation, float32 (n,).

    1345 numbers in its layout for the default view: 21 per cell in row-major order (17
    for the block, then zombie, cow, skeleton, arrow), the inventory in tenths, facing,
    daylight and sleep. Plants are blocks there.

    Source:
      Craftax 1.6.1, Craftax-Classic-Symbolic-v1.
    """
    columns, rows = grid(config)
    ids, shown = (
        cells.reshape(columns, rows).T.reshape(-1) for cells in window(config, state)
    )
    blocks = look_up(_BLOCK_OF, ids)
    for name in ("plant", "plant-ripe"):
        blocks = jnp.where(shown == t.TEXTURE[name], _CLASSES.index(name), blocks)
    channel = np.full(len(t.TEXTURES), -1, np.int32)
    for name, texture in t.TEXTURE.items():
        kind = name.partition("-")[0]
        if kind in _CLASSES and kind != "plant":
            channel[texture] = _CLASSES.index(kind)
    mobs = look_up(channel, shown)
    classes = np.arange(len(_CLASSES), dtype=np.int32)
    cells = (blocks[:, None] == classes) | (mobs[:, None] == classes)
    # Craftax-Classic rounds the inventory to half precision.
    most = max(config.tables.limits) + 1
    tenths = np.arange(most, dtype=np.float16) / np.float16(10)
    order = np.array([t.ITEM[name] for name in _CRAFTAX_ITEMS])
    amounts = jnp.asarray(tenths.astype(np.float32))[state.inventory[order]]
    facing = _one_hot(state.player_facing[None], 0, 3)
    rest = [clock.daylight(config, state), state.sleeping.astype(jnp.float32)]
    cells = cells.astype(jnp.float32).reshape(-1)
    return jnp.concatenate([cells, amounts, facing, jnp.stack(rest)])


class Palette(NamedTuple):
    """Textures and sizes of images.

    Attributes:
      view: Layout of the frame, and the vignette.
      colors: Colours of the tiles in full light, int32 (3, colours).
      tiles: Colour index of each pixel, unsigned (tiles, height, width).
      number: Tile by material id and texture, int32 (materials, textures).
    """

    view: FrameView
    colors: np.ndarray
    tiles: np.ndarray
    number: np.ndarray


def make_palette(
    config: Config, size: tuple[int, int], textures: str | os.PathLike | None
) -> Palette:
    """Builds the palette of images of a size (width, height).

    Raises:
      ValueError: If the size is too small for the view.
      crafter.games.crafter.views.TextureError: If the texture pack is unusable.
    """
    view = FrameView(Textures(textures), config.view, size, t.RULES)
    tiles, _, number = view.local_view.tile_tables(t.TEXTURES)
    colors, numbers = np.unique(tiles.reshape(-1, 3), axis=0, return_inverse=True)
    small = np.min_scalar_type(len(colors))
    numbers = numbers.reshape(-1, *view.unit[::-1]).astype(small)
    return Palette(view, colors.T.astype("i4"), numbers, number.astype("i4"))


def night_noise(palette: Palette, noise_seed: jax.Array) -> jax.Array:
    """Returns the grey levels of the night, float32 (width, height)."""
    return grey_noise(noise_seed, palette.view.noise_shape, *_LIGHT["noise"])


def pixels(
    config: Config, palette: Palette, state: State, noise: jax.Array | None = None
) -> jax.Array:
    """Renders an image, uint8 (height, width, 3).

    Args:
      config: Static configuration.
      palette: Textures and sizes.
      state: The game state.
      noise: Grey levels of the night, float32 (map width, map height); by default those
        of the game. Unused by day.
    """
    local, view = _map_picture(config, palette, state, noise), palette.view
    width, height = view.unit
    columns = view.item_view.columns
    rows = -(-_ITEMS // columns)
    table = jnp.asarray(_pack(view.item_view.cell_table(max(config.tables.limits))))
    icons = table[np.arange(_ITEMS, dtype=np.int32), state.inventory]
    icons = jnp.pad(icons, ((0, rows * columns - _ITEMS), (0, 0), (0, 0)))
    icons = icons.reshape(rows, columns, height, width).transpose(0, 2, 1, 3)
    both = jnp.concatenate([local, icons.reshape(rows * height, -1)], 0)
    x, y = view.border
    right, below = view.size[0] - x, view.size[1] - y
    margin = ((y, below - both.shape[0]), (x, right - both.shape[1]))
    bytes_ = jax.lax.bitcast_convert_type(jnp.pad(both, margin), jnp.uint8)
    return bytes_[..., :3]


def _pack(colors: np.ndarray) -> np.ndarray:
    """Packs colours (..., 3) into integers, uint32; the lowest byte is red."""
    weights = np.array([1, 1 << 8, 1 << 16], np.uint32)
    return (colors * weights).sum(-1, dtype=np.uint32)


class _Light(NamedTuple):
    """Light of a map image; scalars.

    Attributes:
      tick: Index into `clock.daylight_table`, int32.
      sleeping: Whether the player is asleep, bool.
      noise: Seed of the night noise, or the noise itself.
    """

    tick: jax.Array
    sleeping: jax.Array
    noise: jax.Array


def _map_picture(
    config: Config, palette: Palette, state: State, noise: jax.Array | None
) -> jax.Array:
    """Returns the image of the map in packed colours, (height, width).

    Daylight changes a colour independently of its position, so only the few distinct
    colours are lit, and then arranged. Only night images are lit per pixel.
    """
    _, height, width = palette.tiles.shape
    columns, rows = grid(config)
    ids, shown = window(config, state)
    number = jnp.asarray(palette.number).reshape(-1)[ids * len(t.TEXTURES) + shown]
    given = state.noise_seed if noise is None else noise
    light = _Light(clock.tick(config, state), state.sleeping, given)
    day = _light(config, list(jnp.asarray(palette.colors)), light)
    # Otherwise the CPU compiler inlines their computation into the pixel loop.
    number, day = sparse.once((number, day), light.tick)
    canvas = _canvas(palette, number.reshape(columns, rows).T, light.tick)

    def by_night(operands: tuple[jax.Array, _Light]) -> jax.Array:
        canvas, light = operands
        grain = light.noise
        if noise is None:
            grain = night_noise(palette, grain)
        packed = jnp.asarray(_pack(palette.colors.T))[canvas]
        colors = [((packed >> shift) & 255).astype(jnp.int32) for shift in (0, 8, 16)]
        vignette = palette.view.local_view.vignette
        return _light(config, colors, light, vignette, grain.T)

    dark = jnp.asarray(clock.daylight_table(config.rules) < _DARK)[light.tick]
    return sparse.where(dark, by_night, (canvas, light), day[canvas], _NIGHT_SHARE)


def _canvas(palette: Palette, number: jax.Array, known: jax.Array) -> jax.Array:
    """Returns the colour index of each pixel, unsigned (height, width).

    Tiles are copied a word at a time; otherwise the CPU compiler would divide to find
    the cell of every pixel.

    Args:
      palette: Textures and sizes.
      number: Tile of each cell, int32 (rows, columns).
      known: Argument of `sparse.once`.
    """
    tiles, (rows, columns) = palette.tiles, number.shape
    _, height, width = tiles.shape
    tiles = np.pad(tiles, ((0, 0), (0, 0), (0, -width % (4 // tiles.itemsize))))
    lines = tiles.reshape(-1, tiles.shape[2]).view("<u4")
    line = number[:, None] * height + np.arange(height, dtype=np.int32)[:, None]
    words = sparse.once(jnp.asarray(lines)[line], known)
    parts = jax.lax.bitcast_convert_type(words, tiles.dtype)
    parts = parts.reshape(rows * height, columns, -1)[..., :width]
    return parts.reshape(rows * height, -1)


def _grey(colors: Sequence[jax.Array]) -> jax.Array:
    """Returns the luma of integer red, green and blue, as in Pillow."""
    red, green, blue = (w * color for w, color in zip(_LIGHT["luma"], colors))
    return (red + green + blue + 32768) >> 16


def _light(
    config: Config,
    colors: Sequence[jax.Array],
    light: _Light,
    vignette: np.ndarray | None = None,
    grain: jax.Array | None = None,
) -> jax.Array:
    """Applies light to colours.

    An image stays one integer per pixel until the end, so that it compiles to a single
    loop that computes everything once.

    Args:
      config: Static configuration.
      colors: Red, green and blue, int32 of equal shape.
      light: The light.
      vignette: Strength of darkness, float64 of this shape; `None` by day.
      grain: Grey levels of the night, float32 of this shape; `None` by day.

    Returns:
      Packed colours, uint32.
    """
    with double():
        daylight = jnp.asarray(clock.daylight_table(config.rules))[light.tick]
        zero = (light.tick >> 20).astype(jnp.int64)  # the table is shorter
        bright = [plane.astype(jnp.float64) for plane in colors]
        night = colors
        if vignette is not None and grain is not None:
            hidden = ((_DARK - daylight) / _DARK) * vignette
            noise = rounded(hidden * grain.astype(jnp.float64), zero)
            night = tuple(
                (rounded((1 - hidden) * plane, zero) + noise).astype(jnp.int32)
                for plane in bright
            )
        grey, shade = _grey(night), 0.5 * (1 - daylight)
        part, whole = _SATURATION.numerator, _SATURATION.denominator
        lit = []
        for plane, dark, tint in zip(bright, night, _NIGHT_TINT):
            # Interpolates to the colour; kept above 0, where // is cheap.
            way = part * (dark - grey) + 255 * whole
            faded = grey + jax.lax.div(way, np.int32(whole)) - 255
            dusk = (faded + tint).astype(jnp.float64)
            total = rounded(plane * daylight, zero) + rounded(dusk * shade, zero)
            lit.append(total.astype(jnp.int32))
        asleep = _grey(lit)
        shown = [
            jnp.where(light.sleeping, (asleep + tint) >> 1, plane).astype(jnp.uint32)
            for plane, tint in zip(lit, _SLEEP_TINT)
        ]
        return shown[0] | shown[1] << 8 | shown[2] << 16
