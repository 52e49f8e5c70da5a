"""Pictures for agents; see `crafter.games.craftax.views`."""

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
_TINT = tuple(map(float, views.NIGHT_TINT))
_EVEN_NOISE, _EVEN_DISTANCE = views.EVEN_NOISE, views.EVEN_DISTANCE
_DARK = views.DARK


def make_palette(
    tables: Tables, parameters: Parameters, textures: Textures, size: int
) -> np.ndarray:
    """Collects what is needed to draw.

    Args:
      tables: The rules.
      parameters: The arguments of the game.
      textures: The texture pack.
      size: Width and height of a cell in pixels.

    Returns:
      A record, in an array of one, with tiles by the code of a cell, uint8 (codes,
      size, 3 * size); sprites, uint8 (n, size, size, 3), and where they are opaque;
      cells of the inventory by icon, value and element, uint8 (icons, values,
      elements, size, size, 3); and how far pixels are from the centre, float32.
    """
    rows, columns = tables.data["view"]["cells"]
    width, _ = sprites.frame_cells(tables)
    return record(
        tiles=views.tiles(textures, tables, size),
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
    """Returns colours, and where they are opaque, of all that stands in a cell."""

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
    return {
        "colours": np.stack([colours for colours, _ in images]),
        "opaque": np.stack([opaque[..., 0] for _, opaque in images]).astype(np.uint8),
        "first_of_class": first,
        "first_shot": shots,
    }


def _icons(
    tables: Tables, parameters: Parameters, textures: Textures, size: int
) -> dict[str, Any]:
    """Returns the cells of the inventory by value and element, and what they show."""
    icons, observer = sprites.icons(tables), Observer(tables, parameters)
    names = [number.name for number in observer.numbers]
    limits = [number.limit for number in observer.numbers]
    shown = [names.index(_number(tables, icon.value)) for icon in icons]
    glows = [_number(tables, icon.element) for icon in icons]
    most = int(max(limits[place] for place in shown))
    view, elements = ItemView(textures, size, icons), 1 + len(tables.elements)
    cells = np.zeros((len(icons), most + 1, elements, size, size, 3), np.uint8)
    for i, icon in enumerate(icons):
        for value in range(int(limits[shown[i]]) + 1):
            for element in range(elements if icon.element else 1):
                cells[i, value, element] = view.cell(i, max(value, icon.least), element)
    return {
        "icons": cells,
        "icon_place": [icon.place for icon in icons],
        "icon_value": shown,
        "icon_element": [names.index(name) if name else -1 for name in glows],
    }


def _number(tables: Tables, path: str) -> str:
    """Returns the name in observations of what an icon shows."""
    name, _, part = path.partition(".")
    rows = tables.data["inventory"]
    if name == "level":
        return "floor"
    if name == "learned_spells":
        return f"learned_{list(tables.spells)[int(part)]}"
    if name == "armour_enchantments":
        return f"{rows['armour']['each'][int(part)]}_enchantment"
    if name != "inventory":
        return part or name
    item, _, number = part.partition(".")
    if not number:
        return item
    return f"{'potion_' * (item == 'potions')}{rows[item]['each'][int(number)]}"


@inner
def draw(g, rules, palette, stream, numbers, out):
    """Draws a picture.

    Args:
      g: The game.
      rules: The rules.
      palette: From `make_palette`.
      stream: A stream for the noise of the night.
      numbers: The numbers of the observation.
      out: uint8 (height, width, 3).
    """
    out[:] = 0
    _lay(g, rules, palette, out)
    rows, cols = rules.window
    player = 4 if g.sleeping else g.direction - 1
    _put(palette, out, player, rows // 2, cols // 2)
    for kind in range(_CLASSES):
        for slot in range(rules.slots[kind]):
            mob = g.mobs[kind, g.level, slot]
            number = palette.first_of_class[kind] + mob.type
            _show(g, rules, palette, out, mob, number)
    for shooter in range(2):
        for slot in range(rules.shot_slots[shooter]):
            shot = g.shots[shooter, g.level, slot]
            turns = 2 * (shot.drow > 0 or shot.dcol > 0) + (shot.dcol != 0)
            number = palette.first_shot + 4 * shot.type + turns
            _show(g, rules, palette, out, shot, number)
    _light(g, rules, palette, stream, out)
    _show_inventory(rules, palette, numbers, out)


@inner
def _lay(g, rules, palette, out):
    """Lays out the tiles."""
    rows, cols = rules.window
    shut = g.killed[g.level] < rules.monsters
    vulnerable = boss.is_vulnerable(g, rules)
    size = palette.size
    for i in range(rows):
        for j in range(cols):
            row, col = g.row - rows // 2 + i, g.col - cols // 2 + j
            code = np.int64(0)
            if world.inside(g, row, col):
                code = np.int64(g.cells[g.level, row, col])
            block, item = rules.block_of[code], rules.item_of[code]
            if shut and item == rules.ladder_down:
                code = block + rules.blocks * palette.ladder_blocked
            if vulnerable and block == rules.boss_block:
                code += palette.boss_vulnerable - block
            top, left = i * size, palette.map_left + j * size
            for y in range(size):
                place = top + y, left, 0
                copy_bytes(out, place, palette.tiles, (code, y, 0), 3 * size)


@inner
def _show(g, rules, palette, out, mob, number):
    rows, cols = rules.window
    row, col = mob.row - (g.row - rows // 2), mob.col - (g.col - cols // 2)
    if mob.alive and 0 <= row < rows and 0 <= col < cols:
        _put(palette, out, number, row, col)


@inner
def _put(palette, out, number, row, col):
    """Draws a sprite over a cell."""
    size = palette.size
    top, left = row * size, palette.map_left + col * size
    for y in range(size):
        for x in range(size):
            if palette.opaque[number, y, x]:
                for colour in range(3):
                    level = palette.colours[number, y, x, colour]
                    out[top + y, left + x, colour] = level


@inner
def _light(g, rules, palette, stream, out):
    """Applies the light of the cells, the night and closed eyes."""
    rows, cols = rules.window
    day = g.light_level if g.level == 0 else 1.0
    eyes, dusk = 0.5 if g.sleeping else 1.0, 0.5 * (1 - day)
    night = day < _DARK
    noisy = night and g.level == 0 and g.light_level < rules.dark
    if noisy:
        pcg64.seed(stream, episode_seed(g.seed_hash, g.episode), g.step)
    bright, size = np.float32(eyes * (day + dusk)), palette.size
    shades = (
        np.float32(2) * np.float32(_DARK - day),
        np.float32(dusk / (day + dusk)) if night else np.float32(0),
        np.float32(dusk * eyes),
    )
    for y in range(rows * size):
        for j in range(cols):
            row, col = g.row - rows // 2 + y // size, g.col - cols // 2 + j
            light = world.light(g, rules, row, col) * bright
            left = palette.map_left + j * size
            if night:
                _dim(palette, stream, out, y, left, light, shades, noisy)
            elif light != 1 or dusk:
                for x in range(left, left + size):
                    for colour in range(3):
                        level = np.float32(out[y, x, colour]) * light
                        if dusk:
                            level += np.float32(_TINT[colour]) * shades[2]
                        out[y, x, colour] = np.uint8(level + np.float32(0.5))


@inner
def _dim(palette, stream, out, y, left, light, shades, noisy):
    """Applies the night to a row of pixels of a cell."""
    depth, share, shade = shades
    grey, far = np.float32(_EVEN_NOISE), np.float32(_EVEN_DISTANCE)
    for x in range(left, left + palette.size):
        if noisy:
            grey = pcg64.uniform(stream) * _RANGE + _LOW
            far = palette.distance[y, x - palette.map_left]
        hidden = depth * far
        kept, added = np.float32(1) - hidden * share, grey * hidden * shade
        for colour in range(3):
            level = np.float32(out[y, x, colour]) * light * kept + added
            level += np.float32(_TINT[colour]) * shade
            out[y, x, colour] = np.uint8(level + np.float32(0.5))


@inner
def _show_inventory(rules, palette, numbers, out):
    size = palette.size
    for i in range(len(palette.icon_value)):
        value, element = np.int64(numbers[palette.icon_value[i]]), 0
        if palette.icon_element[i] >= 0:
            element = np.int64(numbers[palette.icon_element[i]])
        left = palette.strip_left + palette.icon_place[i, 0] * size
        top = (rules.window[0] + palette.icon_place[i, 1]) * size
        for y in range(size):
            icon = i, value, element, y, 0, 0
            copy_bytes(out, (top + y, left, 0), palette.icons, icon, 3 * size)
