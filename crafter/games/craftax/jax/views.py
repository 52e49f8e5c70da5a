"""Pixel observations; see `crafter.games.craftax.views`."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.precision import double, doubles, rounded
from crafter.functional.random import grey_noise
from crafter.games.craftax import sprites as sprites_module
from crafter.games.craftax import views as craftax_views
from crafter.games.craftax.icons import ItemView
from crafter.games.craftax.jax import boss, engine, observations
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, Mobs, State
from crafter.games.craftax.sprites import CREATURES, ICONS
from crafter.games.craftax.tables import load
from crafter.games.craftax.textures import Textures

# In random play, one in this many games shows night noise.
_NIGHT_SHARE = 8
_WAYS = 4  # upright or upside down, rows and columns swapped or not
_LADDER, _BLOCKED = t.ITEM["ladder_down"], t.ITEM["ladder_down_blocked"]
_BOSS, _VULNERABLE = t.BLOCK["necromancer"], t.BLOCK["necromancer_vulnerable"]


class Palette(NamedTuple):
    """Textures and sizes of images.

    Attributes:
      size: Pixels of a cell along a side.
      tiles: Every item on every block, uint8 (items * blocks, size * size * 3).
      sprites: Sprites drawn on tiles, uint8 (sprites, size * size * 3).
      opaque: Opacity masks of the sprites, bool of the same shape.
      icons: Cells of the inventory, uint8 (cells, size * size * 3).
      distance: Distance of map pixels from the centre, float32 (height, width).
    """

    size: int
    tiles: np.ndarray
    sprites: np.ndarray
    opaque: np.ndarray
    icons: np.ndarray
    distance: np.ndarray


# Sprites, in order: the player by direction, with sleep at id 0; creatures by class and
# type; projectiles by type and orientation. Index of the first of each class:
_STARTS = np.cumsum(
    [len(sprites_module.PLAYER), *(len(CREATURES[kind]) for kind in t.CLASSES)]
).tolist()
_SLEEPER = 0
# Icons: numbers of values and elements with their own image, and first image.
_VALUES = [{0: len(i.stems), 1: 10, 2: 100}[i.digits] for i in ICONS]
_ELEMENTS = [max(len(icon.glows), 1) for icon in ICONS]
_FIRST = [0, *np.cumsum(np.multiply(_VALUES, _ELEMENTS)).tolist()]


def make_palette(size: int = 10, textures: str | os.PathLike | None = None) -> Palette:
    """Builds the palette of images with a cell size in pixels.

    Args:
      size: Side of a cell in pixels, at least 3.
      textures: Folder of a texture pack; by default our own images.

    Raises:
      ValueError: If the size is too small.
      crafter.games.craftax.textures.TextureError: If the texture pack is unusable.
    """
    pack = Textures(textures)
    view = craftax_views.FrameView(size, pack)
    sprites = [
        pack.square(name, size)
        for name in (
            sprites_module.SLEEPER,
            *sprites_module.PLAYER[1:],
            *(name for kind in t.CLASSES for name in CREATURES[kind]),
        )
    ]
    for name in sprites_module.PROJECTILES:
        images = pack.square(name, size)
        sprites += [
            craftax_views.turned(images, bool(way & 1), bool(way & 2))
            for way in range(_WAYS)
        ]
    item_view = ItemView(pack, size)
    icons = [
        item_view.cell(number, value, element)
        for number in range(len(ICONS))
        for value in range(_VALUES[number])
        for element in range(_ELEMENTS[number])
    ]
    tiles = craftax_views.tiles(pack, load(), size)
    return Palette(
        size=size,
        tiles=tiles.reshape(len(tiles), -1),
        sprites=np.stack([colours.reshape(-1) for colours, _ in sprites]),
        opaque=np.stack([opaque.reshape(-1) for _, opaque in sprites]),
        icons=np.stack(icons).reshape(len(icons), -1),
        distance=craftax_views.night_distance(view.noise_shape),
    )


def night_noise(palette: Palette, seed: jax.Array) -> jax.Array:
    """Returns the grey levels of the night, float32 (map height, map width)."""
    return grey_noise(seed, palette.distance.shape, *craftax_views.NOISE)


def pixels(
    config: Config, palette: Palette, state: State, noise: jax.Array | None = None
) -> jax.Array:
    """Renders an image, uint8 (height, width, 3).

    Args:
      config: Static configuration.
      palette: Textures and sizes.
      state: The game state.
      noise: Grey levels of the night, float32 (map height, map width); by default those
        of the game. Unused by day and below the overworld.
    """
    turn, size = engine.enter(Turn(config, state)), palette.size
    rows, columns = observations.VIEW
    seen = observations.window(config, state)
    cells = _with_sprites(turn, palette, _tiles(turn, palette, seen))
    picture = cells.reshape(rows, columns, size, size, 3).transpose(0, 2, 1, 3, 4)
    lit = _lit(palette, state, seen.light, picture, noise)
    strip = _inventory(turn, palette)
    return jnp.concatenate([lit, strip])


def _tiles(turn: Turn, palette: Palette, seen: observations.Window) -> jax.Array:
    """Returns the cells without sprites, uint8 (cells, size**2 * 3)."""
    opened = turn.floor.monsters_killed >= turn.rules["ladders"]["monsters"]
    items = jnp.where((seen.items == _LADDER) & ~opened, _BLOCKED, seen.items)
    bare = boss.is_vulnerable(turn)
    blocks = jnp.where((seen.blocks == _BOSS) & bare, _VULNERABLE, seen.blocks)
    number = items * len(sprites_module.BLOCKS) + blocks
    return t.take(palette.tiles, number.reshape(-1))


def _with_sprites(turn: Turn, palette: Palette, cells: jax.Array) -> jax.Array:
    """Draws the player, creatures and projectiles on the cells, in this order."""
    state, (rows, columns) = turn.state, observations.VIEW
    sleeper = jnp.where(state.is_sleeping, _SLEEPER, state.player_direction)
    places = [jnp.int32(rows // 2 * columns + columns // 2)[None]]
    numbers = [sleeper[None]]
    for kind, own in enumerate(observations.slots(turn)):
        row, column, seen = observations.in_view(state, own)
        places.append(jnp.where(seen, row * columns + column, rows * columns))
        if isinstance(own, Mobs):
            numbers.append(_STARTS[kind] + own.type_id)
        else:
            drow, dcol = own.direction[:, 0], own.direction[:, 1]
            flipped = ((drow > 0) | (dcol > 0)).astype(jnp.int32)
            way = flipped + 2 * (dcol != 0).astype(jnp.int32)
            numbers.append(_STARTS[-1] + own.type_id * _WAYS + way)
    place, number = jnp.concatenate(places), jnp.concatenate(numbers)

    def draw(cells: jax.Array, one: tuple[jax.Array, jax.Array]) -> Any:
        at, sprite = one
        below = t.take(cells, at)
        colours = t.take(palette.sprites, sprite)
        row = jnp.where(t.take(palette.opaque, sprite), colours, below)
        return cells.at[at].set(row, mode="drop"), None

    return jax.lax.scan(draw, cells, (place, number))[0]


def _lit(
    palette: Palette,
    state: State,
    light: jax.Array,
    picture: jax.Array,
    noise: jax.Array | None,
) -> jax.Array:
    """Applies cell light, night and sleep.

    Args:
      palette: Textures and sizes.
      state: The game state.
      light: Light of the cells, float32 (rows, columns).
      picture: Image in full light, uint8 (rows, size, columns, size, 3).
      noise: As in `pixels`.

    Returns:
      uint8 (height, width, 3).
    """
    tone = _tone(state)
    cell_light = rounded(light * tone.all, tone.zero)
    lit = picture.astype(jnp.float32) * cell_light[:, None, :, None, None]
    lit = rounded(lit, tone.zero).reshape(*palette.distance.shape, 3)

    def at_night(operands: tuple[Any, ...]) -> jax.Array:
        lit, tone, seed, noise = operands
        grey = night_noise(palette, seed) if noise is None else noise
        hidden = np.float32(2) * tone.gloom * palette.distance
        part = np.float32(1) - rounded(hidden * tone.share, tone.zero)
        kept = rounded(lit * part[..., None], tone.zero)
        grey = rounded(grey * hidden * tone.night, tone.zero)
        return kept + grey[..., None]

    operands = lit, tone, state.noise_seed, noise
    lit = sparse.where(tone.gloom > 0, at_night, operands, lit, _NIGHT_SHARE)
    tint = jnp.asarray(craftax_views.NIGHT_TINT)
    lit = lit + rounded(tint * tone.night, tone.zero)
    # Rounds to nearest, since `astype` truncates.
    return (lit + np.float32(0.5)).astype(jnp.uint8)


class _Tone(NamedTuple):
    """Light factors of an image, float32 scalars.

    Attributes:
      all: Factor of the whole image.
      night: Factor of the night colours.
      share: Share of hidden colours that they replace.
      gloom: How far daylight is below the threshold of noise.
      zero: An int32 zero that the compiler cannot fold.
    """

    all: jax.Array
    night: jax.Array
    share: jax.Array
    gloom: jax.Array
    zero: jax.Array


def _tone(state: State) -> _Tone:
    with double():
        half, one = doubles(0.5, 1.0)
        light = state.light_level.astype(jnp.float64)
        day = jnp.where(state.player_level == 0, light, one)
        open_eyes = jnp.where(state.is_sleeping, half, one)
        dusk = half * (one - day)
        everything, night = open_eyes * (day + dusk), open_eyes * dusk
        share, gloom = dusk / (day + dusk), half - day
        parts = [x.astype(jnp.float32) for x in (everything, night, share, gloom)]
    zero = (state.player_level >> 16).astype(jnp.int32)  # levels are small
    return _Tone._make([*parts, zero])


def _inventory(turn: Turn, palette: Palette) -> jax.Array:
    """Returns the image of the inventory, uint8 (height, width, 3)."""
    rows, columns = sprites_module.STRIP
    names = [one.name for one in observations.observer(turn.config.tables).numbers]
    shown = dict(zip(names, observations.numbers(turn).astype(jnp.int32)))
    numbers = []
    for icon, first, values, elements in zip(ICONS, _FIRST, _VALUES, _ELEMENTS):
        value = jnp.maximum(shown[icon.value], icon.least)
        element = shown[icon.element] if icon.element else 0
        number = jnp.minimum(value, values - 1) * elements + element
        numbers.append(first + number)
    drawn = t.take(palette.icons, jnp.stack(numbers))
    places = [icon.place[1] * columns + icon.place[0] for icon in ICONS]
    order = np.full(rows * columns, len(places), np.int32)
    order[places] = np.arange(len(places))
    drawn = jnp.concatenate([drawn, jnp.zeros_like(drawn[:1])])
    size = palette.size
    cells = t.take(drawn, order).reshape(rows, columns, size, size, 3)
    return cells.transpose(0, 2, 1, 3, 4).reshape(rows * size, columns * size, 3)
