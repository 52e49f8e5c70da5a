"""Pixel observations; see `crafter.games.craftax.views`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from crafter.compiled import pcg64
from crafter.compiled.jit import inner
from crafter.compiled.memory import copy_bytes, record
from crafter.compiled.random import episode_seed
from crafter.games.craftax import sprites, views
from crafter.games.craftax.cpu import boss, world
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.icons import ItemView
from crafter.games.craftax.observations import Observer
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.textures import Textures

_CLASSES = len(t.CLASSES)
_TURNS = tuple(itertools.product((False, True), repeat=2))
_LOW, _RANGE = np.float32(views.NOISE[0]), np.float32(np.ptp(views.NOISE))
_EVEN_NOISE, _EVEN_DISTANCE = views.EVEN_NOISE, views.EVEN_DISTANCE
_DARK = views.DARK


def make_palette(
    tables: Tables, parameters: Parameters, textures: Textures, size: int
) -> np.ndarray:
    """Returns the drawing tables.

    Args:
      tables: The rules.
      parameters: The arguments of the game.
      textures: The texture pack.
      size: Width and height of a cell in pixels.

    Returns:
      An array of one record. Images of cells are flattened, uint8 (3 * size * size,):
      `tiles` by cell code; `colours` of sprites, and their masks `opaque`, 255 or 0;
      and `icons` of the inventory by icon, value and element. `tint` repeats the night
      tint for many pixels, and `distance` is the normalized distance of pixels from the
      centre, both float32.
    """
    rows, columns = tables.data["view"]["cells"]
    width, _ = sprites.frame_cells(tables)
    return record(
        tiles=views.tiles(textures, tables, size).reshape(-1, 3 * size * size),
        tint=np.tile(views.NIGHT_TINT, size * max(size, columns)),
        distance=views.night_distance((rows * size, columns * size)),
        size=size,
        map_left=(width - columns) * size // 2,
        strip_left=(width - sprites.STRIP[1]) * size // 2,
        ladder_blocked=tables.item_ids["ladder_down_blocked"],
        boss_vulnerable=tables.block_ids["necromancer_vulnerable"],
        **_sprites(tables, textures, size),
        **_icons(tables, parameters, textures, size),
    )


def _sprites(tables: Tables, textures: Textures, size: int) -> dict[str, Any]:
    """Returns colours and opacity masks of the player, creatures and projectiles."""

    def image(stem: str, *turns: bool) -> views.Images:
        return views.turned(textures.square(stem, size), *(turns or (False, False)))

    stems = [*sprites.PLAYER[1:], sprites.SLEEPER]
    images = [image(stem) for stem in stems]
    first = []
    for kind in t.CLASSES:
        first.append(len(images))
        images += [image(sprites.stem(row.name)) for row in tables.species[kind]]
    shots = len(images)
    for row in tables.projectiles:
        images += [image(sprites.stem(row.name), *turns) for turns in _TURNS]
    masks = [np.repeat(opaque[..., 0], 3) for _, opaque in images]
    return {
        "colours": np.stack([colours.ravel() for colours, _ in images]),
        "opaque": np.where(masks, np.uint8(255), np.uint8(0)),
        "first_of_class": first,
        "first_shot": shots,
    }


def _icons(
    tables: Tables, parameters: Parameters, textures: Textures, size: int
) -> dict[str, Any]:
    """Returns the inventory cells by value and element, and the numbers they show."""
    icons, observer = sprites.icons(tables), Observer(tables, parameters)
    names = [number.name for number in observer.numbers]
    limits = [number.limit for number in observer.numbers]
    shown = [names.index(icon.value) for icon in icons]
    most = int(max(limits[place] for place in shown))
    view, elements = ItemView(textures, size, icons), 1 + len(tables.elements)
    cells = np.zeros((len(icons), most + 1, elements, 3 * size * size), np.uint8)
    for i, icon in enumerate(icons):
        for value in range(int(limits[shown[i]]) + 1):
            for element in range(elements if icon.element else 1):
                cell = view.cell(i, max(value, icon.least), element)
                cells[i, value, element] = cell.ravel()
    return {
        "icons": cells,
        "icon_place": [icon.place for icon in icons],
        "icon_value": shown,
        "icon_element": [
            names.index(icon.element) if icon.element else -1 for icon in icons
        ],
    }


def make_scratch(palette: np.ndarray, view: tuple[int, int]) -> dict[str, Any]:
    """Returns the fields of the scratch for drawing.

    Args:
      palette: Result of `make_palette`.
      view: Rows and columns of the agent's view.

    Returns:
      Name -> dtype and shape: `pictures`, the number of images drawn; `bright`, the
      light per cell; `tiles`, lit copies of the palette's, with the image and light
      they were made for, `seen` and `light`; `cell`, one more image of a cell; `noise`
      of an image; and `shine`, `kept` and `added` for a row of pixels, see `_dim`.
    """
    tiles, (height, width) = palette["tiles"][0], palette["distance"][0].shape
    return {
        "pictures": (np.int64, 1),
        "bright": (np.float32, view),
        "tiles": (np.uint8, tiles.shape),
        "seen": (np.int64, len(tiles)),
        "light": (np.float32, len(tiles)),
        "cell": (np.uint8, tiles.shape[1]),
        "noise": (np.uint32, height * width + 1),
        **dict.fromkeys(("shine", "kept", "added"), (np.float32, 3 * width)),
    }


@inner
def draw(g, rules, palette, stream, scratch, out):
    """Draws a frame.

    Args:
      g: The game.
      rules: The rules.
      palette: Drawing tables of `make_palette`.
      stream: A stream for the night noise; reseeded.
      scratch: Scratch for drawing; its `numbers` are those of the observation.
      out: Output, uint8 (height, 3 * width).
    """
    rows, cols = rules.window
    height = rows * palette.size
    if palette.map_left:
        out[:height] = 0
    out[height:] = 0
    light = _light(g, rules)
    _lay(g, rules, palette, scratch, light, out)
    player = 4 if g.sleeping else g.direction - 1
    _put(palette, scratch, light, out, player, rows // 2, cols // 2)
    for kind in range(_CLASSES):
        for slot in range(rules.slots[kind]):
            mob = g.mobs[kind, g.level, slot]
            number = palette.first_of_class[kind] + mob.type
            _show(g, rules, palette, scratch, light, out, mob, number)
    for shooter in range(2):
        for slot in range(rules.shot_slots[shooter]):
            shot = g.shots[shooter, g.level, slot]
            turns = 2 * (shot.drow > 0 or shot.dcol > 0) + (shot.dcol != 0)
            number = palette.first_shot + 4 * shot.type + turns
            _show(g, rules, palette, scratch, light, out, shot, number)
    if light[0]:
        pcg64.seed(stream, episode_seed(g.seed_hash, g.episode), g.step)
        pcg64.fill_halves(stream, scratch.noise)
        _darken(palette, scratch, light, out)
    _show_inventory(rules, palette, scratch.numbers, out)


@inner
def _light(g, rules):
    """Returns the lighting of the map.

    Returns:
      Whether there is noise, so that cells cannot be lit independently; the light of a
      bright cell; the depth of the night; the share of dusk in the light, which the
      night dims; and the weight of night tint and noise.
    """
    day = g.light_level if g.level == 0 else 1.0
    eyes, dusk = 0.5 if g.sleeping else 1.0, 0.5 * (1 - day)
    night = day < _DARK
    noisy = night and g.level == 0 and g.light_level < rules.dark
    depth = np.float32(2) * np.float32(_DARK - day) if night else np.float32(0)
    share = np.float32(dusk / (day + dusk)) if night else np.float32(0)
    return noisy, np.float32(eyes * (day + dusk)), depth, share, np.float32(dusk * eyes)


@inner
def _lay(g, rules, palette, scratch, light, out):
    """Lays out the tiles, each lit once unless there is noise."""
    rows, cols = rules.window
    shut = g.monsters_killed[g.level] < rules.monsters
    vulnerable = boss.is_vulnerable(g, rules)
    noisy, bright, _, _, shade = light
    size = palette.size
    first, left = g.row - rows // 2, g.col - cols // 2
    scratch.pictures[0] += 1
    picture = scratch.pictures[0]
    for i in range(rows):
        for j in range(cols):
            code = np.int64(0)
            if world.inside(g, first + i, left + j):
                code = np.int64(g.cells[g.level, first + i, left + j])
            block, item = rules.block_of[code], rules.item_of[code]
            if shut and item == rules.ladder_down:
                code = block + rules.blocks * palette.ladder_blocked
            if vulnerable and block == rules.boss_block:
                code += palette.boss_vulnerable - block
            own = world.light(g, rules, first + i, left + j) * bright
            scratch.bright[i, j] = own
            corner = i * size, 3 * (palette.map_left + j * size)
            if noisy or (own == 1 and not shade):
                _copy_cell(palette.tiles, code, size, out, corner)
                continue
            if scratch.seen[code] != picture or scratch.light[code] != own:
                scratch.seen[code], scratch.light[code] = picture, own
                _shade(palette, light, own, palette.tiles[code], scratch.tiles[code])
            _copy_cell(scratch.tiles, code, size, out, corner)


@inner
def _copy_cell(cells, number, size, out, corner):
    top, left = corner
    for y in range(size):
        place = number, 3 * size * y
        copy_bytes(out, (top + y, left), cells, place, 3 * size)


@inner
def _shade(palette, light, own, cell, out):
    """Lights a cell without noise."""
    _, _, depth, share, shade = light
    hidden = depth * np.float32(_EVEN_DISTANCE)
    kept = np.float32(1) - hidden * share
    added = np.float32(_EVEN_NOISE) * hidden * shade
    for i in range(len(cell)):
        level = np.float32(cell[i]) * own * kept + added
        level += palette.tint[i] * shade
        out[i] = np.int32(level + np.float32(0.5))


@inner
def _show(g, rules, palette, scratch, light, out, mob, number):
    rows, cols = rules.window
    row, col = mob.row - (g.row - rows // 2), mob.col - (g.col - cols // 2)
    if mob.alive and 0 <= row < rows and 0 <= col < cols:
        _put(palette, scratch, light, out, number, row, col)


@inner
def _put(palette, scratch, light, out, number, row, col):
    """Draws a sprite over a cell, lit like the cell unless there is noise."""
    size, cell = palette.size, scratch.cell
    if light[0]:
        cell[:] = palette.colours[number]
    else:
        own = scratch.bright[row, col]
        _shade(palette, light, own, palette.colours[number], cell)
    width, left = 3 * size, 3 * (palette.map_left + col * size)
    for y in range(size):
        below = out[row * size + y, left : left + width]
        above = cell[width * y : width * (y + 1)]
        opaque = palette.opaque[number, width * y : width * (y + 1)]
        for x in range(width):
            below[x] = (above[x] & opaque[x]) | (below[x] & ~opaque[x])


@inner
def _darken(palette, scratch, light, out):
    """Applies light and night noise to the map."""
    rows, cols = scratch.bright.shape
    size = palette.size
    width, left = cols * size, 3 * palette.map_left
    for i in range(rows):
        for j in range(cols):
            scratch.shine[3 * j * size : 3 * (j + 1) * size] = scratch.bright[i, j]
        for y in range(i * size, (i + 1) * size):
            pixels = out[y, left : left + 3 * width]
            noise = scratch.noise[y * width : (y + 1) * width]
            _dim(palette, scratch, light, noise, palette.distance[y], pixels)


@inner
def _dim(palette, scratch, light, noise, distance, pixels):
    """Applies the night to a row of pixels."""
    _, _, depth, share, shade = light
    kept, added = scratch.kept, scratch.added
    for x in range(len(noise)):
        grey = pcg64.fraction(noise[x]) * _RANGE + _LOW
        hidden = depth * distance[x]
        left, more = np.float32(1) - hidden * share, grey * hidden * shade
        kept[3 * x], kept[3 * x + 1], kept[3 * x + 2] = left, left, left
        added[3 * x], added[3 * x + 1], added[3 * x + 2] = more, more, more
    for i in range(len(pixels)):
        level = np.float32(pixels[i]) * scratch.shine[i] * kept[i] + added[i]
        level += palette.tint[i] * shade
        pixels[i] = np.int32(level + np.float32(0.5))


@inner
def _show_inventory(rules, palette, numbers, out):
    size = palette.size
    _, values, elements, _ = palette.icons.shape
    cells = palette.icons.reshape(-1, 3 * size * size)
    for i in range(len(palette.icon_value)):
        value, element = np.int64(numbers[palette.icon_value[i]]), 0
        if palette.icon_element[i] >= 0:
            element = np.int64(numbers[palette.icon_element[i]])
        left = 3 * (palette.strip_left + palette.icon_place[i, 0] * size)
        corner = (rules.window[0] + palette.icon_place[i, 1]) * size, left
        number = (i * values + value) * elements + element
        _copy_cell(cells, number, size, out, corner)
