"""Observations of one game; see `games.crafter.observations` and `views`."""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import inner
from crafter.compiled.memory import copy_bytes, record
from crafter.compiled.random import episode_seed, mix, uniforms
from crafter.games.crafter import tables as t
from crafter.games.crafter.views import FrameView

# Parameters of `rules.light` that are compiled in: otherwise, images at night take 3 %
# longer.
_LUMA, _NIGHT, _SLEEP = (
    tuple(map(float, t.RULES.light[name]))
    for name in ("luma", "night_tint", "sleep_tint")
)
_SATURATION: float = t.RULES.light["saturation"]
_CODE = t.CODE.astype(np.uint8)
_CODES = int(_CODE.max())
_ITEMS = len(t.ITEMS)


def make_palette(view: FrameView, most: int) -> np.ndarray:
    """Returns the drawing tables, for amounts of up to `most` of an item.

    Returns:
      An array of one record with
        canvas: tiles in full light, uint8 (tiles, pixels, 3);
        planes: the same as colour planes, float64 (tiles, 3, width, height);
        dusk: tiles without daylight, doubled, float64 (tiles, pixels, 3);
        number: tile by material id and texture, int64 (materials, textures);
        icons: inventory cells by item and amount, uint8 (items, amounts, height,
          width, 3);
        vignette: opacity of the dark, float64 (width, height) of the map's image;
        geometry: columns, rows, cell width, cell height, border x, border y, columns
          of the inventory, int64 (7,).
    """
    canvas, dusk, number = view.local_view.tile_tables(t.TEXTURES)
    geometry = [*view.grid, *view.unit, *view.border, view.item_view.columns]
    width, height = view.unit
    planes = canvas.reshape(-1, height, width, 3).transpose(0, 3, 2, 1)
    return record(
        canvas=canvas,
        planes=planes.astype(np.float64),
        dusk=dusk,
        number=number,
        icons=view.item_view.cell_table(most),
        vignette=view.local_view.vignette.T,
        geometry=np.array(geometry, np.int64),
    )


def make_scratch(palette: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """Returns the scratch for drawing, one per thread.

    Returns:
      An array of one record with
        cells: tile per cell, int64 (columns, rows);
        lit: tiles in the current light, uint8 (tiles, pixels, 3);
        fresh: number of the image that a tile was last lit for, int64 (tiles,);
        words: random bits of the noise, uint32 (2 * width * height,);
        noise: grey levels, float64 (width, height);
        planes: colours, float64 (3, width, height);
        bytes: the same, rounded down, uint8 (3, width, height);
        picture: number of images drawn, int64 (1,).
    """
    width, height = palette["vignette"][0].shape
    return record(
        cells=np.zeros(grid, np.int64),
        lit=np.zeros_like(palette["canvas"][0]),
        fresh=np.full(len(palette["canvas"][0]), -1, np.int64),
        words=np.zeros(2 * width * height, np.uint32),
        noise=np.zeros((width, height)),
        planes=np.zeros((3, width, height)),
        bytes=np.zeros((3, width, height), np.uint8),
        picture=np.zeros(1, np.int64),
    )


@inner
def texture(g, rules, i):
    """Returns the texture of an object, an index in `tables.TEXTURES`."""
    kind = g.object_kind[i]
    special = g.object_counter[i] > rules.plant_ripe
    if kind == t.PLAYER:
        special = g.sleeping
    return t.LOOK[kind, max(0, g.object_facing[i]), int(special)]


@inner
def draw_noise(g, rules, scratch):
    """Draws the night noise from the game's stream."""
    flat = scratch.noise.reshape(-1)
    uniforms(g, scratch.words, flat)
    _scale_noise(rules, flat)


@inner
def draw_private_noise(g, rules, scratch):
    """Derives the night noise from seed, episode and step alone.

    See `crafter.core.stream.hashed_uniforms`.
    """
    flat = scratch.noise.reshape(-1)
    z = np.uint64(episode_seed(g.seed_hash, g.episode)) << np.uint64(32)
    z = mix(z ^ np.uint64(g.step))
    for i in range(len(flat)):
        bits = mix(z + np.uint64(i + 1) * np.uint64(0x9E3779B97F4A7C15))
        flat[i] = (bits >> np.uint64(11)) * 2.0**-53
    _scale_noise(rules, flat)


@inner
def _scale_noise(rules, flat):
    """Scales numbers in [0, 1) to grey levels, in place."""
    low = rules.noise[0]
    span = rules.noise[1] - low
    for i in range(len(flat)):
        flat[i] = flat[i] * span + low


@inner
def pixels(g, rules, palette, scratch, frame, picture):
    """Draws a frame; leaves pixels outside of the view unchanged.

    Args:
      g: State of the game.
      rules: Parameters of the rules; see `run`.
      palette: Drawing tables of `make_palette`.
      scratch: Scratch of `make_scratch`; its `noise` is used in the dark.
      frame: Output, uint8 (height, width, 3).
      picture: A number not used for an earlier image with this scratch.
    """
    _choose_tiles(g, rules, palette, scratch)
    if g.daylight < rules.dark:
        _draw_dark(g, rules, palette, scratch, frame)
    else:
        _draw_light(g, rules, palette, scratch, frame, picture)
    _draw_items(g, palette, frame)


@inner
def _choose_tiles(g, rules, palette, scratch):
    columns, rows = palette.geometry[0], palette.geometry[1]
    x0 = g.object_x[0] - columns // 2
    y0 = g.object_y[0] - rows // 2
    for i in range(columns):
        for j in range(rows):
            material, slot = _cell(g, x0 + i, y0 + j)
            look = texture(g, rules, slot) if slot >= 0 else 0
            scratch.cells[i, j] = palette.number[material, look]


@inner
def _cell(g, x, y):
    """Returns a cell's material, 0 outside of the map, and object slot, -1 for none."""
    if 0 <= x < g.materials.shape[0] and 0 <= y < g.materials.shape[1]:
        return np.int64(g.materials[x, y]), np.int64(g.occupants[x, y]) - 1
    return 0, -1


@inner
def _whole(value):
    """Rounds a small non-negative number down."""
    return float(np.int32(value))  # compiles to one vector instruction


@inner
def _grey(r, g, b):
    return _whole((_LUMA[0] * r + _LUMA[1] * g + _LUMA[2] * b + 32768.0) / 65536.0)


@inner
def _draw_light(g, rules, palette, scratch, frame, picture):
    columns, rows, width, height, left, top, _ = palette.geometry
    light, shade = g.daylight, 0.5 * (1 - g.daylight)
    for i in range(columns):
        for j in range(rows):
            tile = scratch.cells[i, j]
            lit = scratch.lit[tile]
            if scratch.fresh[tile] != picture:
                scratch.fresh[tile] = picture
                _light_tile(lit, palette.canvas[tile], palette.dusk[tile], light, shade)
                if g.sleeping:
                    _close_eyes(lit)
            for v in range(height):
                corner = top + j * height + v, left + i * width, 0
                copy_bytes(frame, corner, lit, (v * width, 0), 3 * width)


@inner
def _light_tile(lit, canvas, dusk, light, shade):
    for p in range(lit.shape[0]):
        for c in range(3):
            lit[p, c] = np.uint8(light * canvas[p, c] + dusk[p, c] * shade)


@inner
def _close_eyes(lit):
    for p in range(lit.shape[0]):
        grey = _grey(float(lit[p, 0]), float(lit[p, 1]), float(lit[p, 2]))
        for c in range(3):
            lit[p, c] = np.uint8(0.5 * (grey + _SLEEP[c]))


@inner
def _draw_dark(g, rules, palette, scratch, frame):
    left, top = palette.geometry[4], palette.geometry[5]
    planes = scratch.planes
    _fill_planes(palette, scratch)
    red, green, blue = planes[0].ravel(), planes[1].ravel(), planes[2].ravel()
    vignette, noise = palette.vignette.ravel(), scratch.noise.ravel()
    _darken(red, green, blue, vignette, noise, g.daylight, rules)
    if g.sleeping:
        _close_eyes_in_the_dark(red, green, blue)
    values, whole = planes.ravel(), scratch.bytes.ravel()
    for i in range(len(values)):
        whole[i] = np.uint8(values[i])
    for x in range(planes.shape[1]):
        for y in range(planes.shape[2]):
            for c in range(3):
                frame[top + y, left + x, c] = scratch.bytes[c, x, y]


@inner
def _fill_planes(palette, scratch):
    """Lays out the tiles in full light as colour planes."""
    columns, rows, width, height = palette.geometry[:4]
    for i in range(columns):
        for j in range(rows):
            tile = scratch.cells[i, j]
            for c in range(3):
                for u in range(width):
                    for v in range(height):
                        value = palette.planes[tile, c, u, v]
                        scratch.planes[c, i * width + u, j * height + v] = value


@inner
def _darken(red, green, blue, vignette, noise, daylight, rules):
    """Applies noise and dusk to three colour planes."""
    depth, shade = (rules.dark - daylight) / rules.dark, 0.5 * (1 - daylight)
    for i in range(len(red)):
        hidden = depth * vignette[i]
        grain = hidden * noise[i]
        shown = 1 - hidden
        r = _whole(shown * red[i] + grain)
        g = _whole(shown * green[i] + grain)
        b = _whole(shown * blue[i] + grain)
        grey = _grey(r, g, b)
        r = _whole((r - grey) * _SATURATION + grey)
        g = _whole((g - grey) * _SATURATION + grey)
        b = _whole((b - grey) * _SATURATION + grey)
        red[i] = red[i] * daylight + (r + _NIGHT[0]) * shade
        green[i] = green[i] * daylight + (g + _NIGHT[1]) * shade
        blue[i] = blue[i] * daylight + (b + _NIGHT[2]) * shade


@inner
def _close_eyes_in_the_dark(red, green, blue):
    for i in range(len(red)):
        grey = _grey(_whole(red[i]), _whole(green[i]), _whole(blue[i]))
        red[i] = 0.5 * (grey + _SLEEP[0])
        green[i] = 0.5 * (grey + _SLEEP[1])
        blue[i] = 0.5 * (grey + _SLEEP[2])


@inner
def _draw_items(g, palette, frame):
    _, rows, width, height, left, top, columns = palette.geometry
    top += rows * height
    for item in range(_ITEMS):
        x, y = left + item % columns * width, top + item // columns * height
        icon = palette.icons[item, g.inventory[item]]
        for v in range(height):
            copy_bytes(frame, (y + v, x, 0), icon, (v, 0, 0), 3 * width)


@inner
def compact(g, rules, grid, out):
    """Fills a compact observation, uint8 (n,); `grid` is (columns, rows)."""
    cells = grid[0] * grid[1]
    _window(g, rules, grid, out[:cells], out[cells : 2 * cells])
    rest = out[2 * cells :]
    for item in range(_ITEMS):
        rest[item] = g.inventory[item]
    rest[_ITEMS] = g.object_facing[0]
    rest[_ITEMS + 1] = g.sleeping
    rest[_ITEMS + 2] = np.uint8(g.daylight * 255)


@inner
def _window(g, rules, grid, materials, codes):
    """Fills the material ids and object codes of the view, x outer, y inner."""
    columns, rows = grid
    x0 = g.object_x[0] - columns // 2
    y0 = g.object_y[0] - rows // 2
    for i in range(columns):
        for j in range(rows):
            (material, slot), cell = _cell(g, x0 + i, y0 + j), i * rows + j
            materials[cell] = material
            codes[cell] = _CODE[texture(g, rules, slot)] if slot >= 0 else 0


@inner
def symbolic(g, rules, grid, bytes_, out):
    """Fills a symbolic observation, float32 (n,).

    Args:
      g: State of the game.
      rules: Parameters of the rules; see `run`.
      grid: (columns, rows) of the map part of the view.
      bytes_: Scratch, uint8 (2 * cells,).
      out: The observation.
    """
    cells = grid[0] * grid[1]
    _window(g, rules, grid, bytes_[:cells], bytes_[cells : 2 * cells])
    out[:] = 0
    start = t.MATERIALS * cells
    for cell in range(cells):
        out[cell * t.MATERIALS + bytes_[cell]] = 1
        code = bytes_[cells + cell]
        if code:
            out[start + cell * _CODES + code - 1] = 1
    start += _CODES * cells
    for item in range(_ITEMS):
        out[start + item] = g.inventory[item] / max(rules.limits[item], 1)
    start += _ITEMS
    out[start + g.object_facing[0]] = 1
    out[start + 4] = g.sleeping
    out[start + 5] = g.daylight


@inner
def semantic_map(g, out):
    """Fills the semantic ids of the whole map, uint8 of shape `area`."""
    for x in range(g.materials.shape[0]):
        for y in range(g.materials.shape[1]):
            out[x, y] = g.materials[x, y]
    for i in range(g.object_count):
        out[g.object_x[i], g.object_y[i]] = g.object_kind[i]


@inner
def semantic_local(g, out):
    """Fills the semantic ids of the view, uint8 (columns, rows)."""
    columns, rows = out.shape
    x0 = g.object_x[0] - columns // 2
    y0 = g.object_y[0] - rows // 2
    for i in range(columns):
        for j in range(rows):
            material, slot = _cell(g, x0 + i, y0 + j)
            out[i, j] = g.object_kind[slot] if slot >= 0 else material
