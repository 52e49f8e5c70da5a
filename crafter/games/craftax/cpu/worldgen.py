"""World generation: draws at a reset, and generates floors when they are entered.

The draws are those of `crafter.games.craftax.worldgen`, in the same order from the same
stream. Most are uniform numbers, one per cell of each floor: a reset skips them, and
stores the stream positions from which they can be drawn later. Rooms consume a varying
number of words, so they are drawn at the reset.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from crafter.compiled import pcg64
from crafter.compiled.jit import inner, pasted
from crafter.compiled.random import episode_seed
from crafter.games.craftax.cpu import draws
from crafter.games.craftax.ladders import floor_rules
from crafter.games.craftax.noise import lattice_weights
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.rooms import Rooms
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.terrain import Ore, Terrain
from crafter.games.craftax.worldgen import draw_table

_NOISES = ("water", "mountain", "tunnel", "tree")
_WATER, _MOUNTAIN, _TUNNEL, _TREE = range(len(_NOISES))
_LAND = ("ground", "sea", "coast", "mountain", "tunnel", "cave", "lava", "centre")
_GROUND, _SEA, _COAST, _HIGH, _HOLE, _CAVE, _LAVA, _CENTRE = range(len(_LAND))
_SPECIAL, _FOUNTAIN, _RARE = range(3)


# Rules.


def numbers(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    """Returns the parameters of world generation."""
    terrain, size = Terrain(tables), parameters.map_size
    rows, ids = floor_rules(tables), tables.block_ids
    smooth, built = terrain.floors, Rooms(tables).floors
    return {
        "floor_terrain": [_index(smooth, name) for name in tables.floor_names],
        "floor_rooms": [_index(built, name) for name in tables.floor_names],
        "floor_light": np.array([row["light"] for row in rows], np.float32),
        "ladder_ground": [ids[row["ladders"]["ground"]] for row in rows],
        "has_ladder": [
            [int(row["ladders"][n]) for n in ("down", "up")] for row in rows
        ],
        **_draw_places(tables, terrain, size),
        **_noise_tables(terrain, size),
        **_terrain_tables(terrain, tables),
        **_room_tables(tables),
    }


def _index(names: tuple[str, ...], name: str) -> int:
    return names.index(name) if name in names else -1


def _draw_places(tables: Tables, terrain: Terrain, size: int) -> dict[str, Any]:
    """Returns the offset of the first uniform number of each kind."""
    places, place = {}, 0
    for draw in draw_table(tables, terrain, size):
        places[draw.name], place = place, place + math.prod(draw.shape)
    ways = ("smooth.ladder_down_u", "smooth.ladder_up_u")
    return {
        "draw_angle": [places[f"smooth.{name}_angle"] for name in _NOISES],
        "draw_tree": places["smooth.tree_u"],
        "draw_ore": places["smooth.ore_u"],
        "draw_diamond": places["smooth.diamond_u"],
        "draw_ladder": [places[way] for way in ways],
        "draw_rooms": places["room.size"],
    }


def _noise_tables(terrain: Terrain, size: int) -> dict[str, Any]:
    """Returns the lattice lines around each row and column, and their weights."""
    shapes = [terrain.lattice(name, size) for name in _NOISES]
    first = np.zeros((len(shapes), 2, size), np.int64)
    weight = np.zeros((len(shapes), 2, size, 2, 2))  # plain, and times the offset
    for noise, shape in enumerate(shapes):
        for axis, lines in enumerate(shape):
            first[noise, axis] = np.arange(size) * (lines - 1) // size
            for kind, table in enumerate(lattice_weights(size, lines - 1)):
                for side in range(2):
                    lines_there = first[noise, axis] + side
                    column = table[np.arange(size), lines_there]
                    weight[noise, axis, :, kind, side] = column
    ramps = [terrain._ramp(name, size) for name in ("water", "mountain")]
    return {
        "lattice": shapes,
        "lattice_first": first,
        "lattice_weight": weight,
        "ramp": np.stack(ramps, 1),
    }


def _terrain_tables(terrain: Terrain, tables: Tables) -> dict[str, Any]:
    rules = tables.data["terrain"]
    ores = [terrain.ore(i) for i in range(terrain.ores)]

    def column(*path: str) -> np.ndarray:
        return terrain.column(*path).ravel().astype(float)

    return {
        "mountain_offset": float(rules["mountain"]["offset"]),
        "mountain_above": float(rules["mountain"]["above"]),
        "tunnel_above": float(rules["tunnel"]["above"]),
        "cave_above": [float(rules["cave"][n]) for n in ("mountain", "water")],
        "lava_above": [float(rules["lava"][n]) for n in ("mountain", "tree")],
        "glow": np.array([*rules["glow"].values()], np.float32),
        "glows": terrain.glows().astype(np.uint8),
        "sea_above": column("water", "sea"),
        "coast_above": column("water", "coast"),
        "tree_noise": column("tree", "noise"),
        "tree_draw": column("tree", "draw").astype(np.float32),
        "tree_block": terrain.ids("tree", "block").ravel(),
        "tree_ground": terrain.ids("tree", "ground").ravel(),
        "land_block": np.stack([terrain.ids("blocks", n).ravel() for n in _LAND], 1),
        **{
            f"ore_{name}": np.stack([column.ravel() for column in columns], 1)
            for name, columns in zip(Ore._fields, zip(*ores))
        },
    }


def _room_tables(tables: Tables) -> dict[str, Any]:
    rules, ids = tables.data["rooms"], tables.block_ids
    names = ("special", "fountain", "rare")
    return {
        **{f"room_{n}": rules[n] for n in ("size", "chunk", "offset", "special")},
        "fountain_above": np.float32(rules["fountain_above"]),
        "rare_chance": np.float32(rules["rare"]),
        "room_block": [
            [ids[row["blocks"][name]] for name in names]
            for row in rules["floors"].values()
        ],
        "torch_item": tables.item_ids["torch"],
    }


def make_scratch(tables: Tables, parameters: Parameters) -> np.ndarray:
    """Returns the scratch for draws and world generation, one per thread.

    Args:
      tables: The rules.
      parameters: The arguments of the game.
    """
    size, rules = parameters.map_size, tables.data["rooms"]
    # Rooms start on the map. Most rules get the same width, and so share compiled code.
    wide = max(2 * size, size + rules["size"][1])
    lattices = [Terrain(tables).lattice(name, size) for name in _NOISES]
    most = max(max(shape) for shape in lattices)
    building = len(rules["floors"]), rules["count"]
    fields = [
        ("draws", draws.dtype(parameters)),  # of a step
        *pcg64.FIELDS,
        ("wave", np.float64, (2, most, most)),  # cosines and sines
        ("noise", np.float64, (len(_NOISES), size, size)),
        ("blocks", np.uint8, (wide, wide)),
        ("items", np.uint8, (wide, wide)),
        ("marks", np.uint8, (wide, wide)),
        ("queue", np.int64, size * size),
        ("chunks", np.int64, max(rules["count"], (size // rules["chunk"]) ** 2)),
        *((n, np.int64, (*building, 2)) for n in ("corner", "extent")),
        *((n, np.int64, (*building, 2)) for n in ("chest", "fountain")),
        *((n, np.int64, building) for n in ("wet", "joined")),
        ("furnished", np.dtype(pcg64.FIELDS, align=True)),  # the stream after rooms
    ]
    return np.zeros(1, np.dtype(fields, align=True))


# Draws.


@pasted
def copy_stream(to, stream):
    """Copies the state of a stream; see `crafter.compiled.pcg64.FIELDS`."""
    for i in range(2):
        to.rng_state[i] = stream.rng_state[i]
        to.rng_increment[i] = stream.rng_increment[i]
    to.rng_has_half, to.rng_half = stream.rng_has_half, stream.rng_half


@inner
def draw(g, rules, scratch):
    """Draws the world of an episode; floors are generated later, by `make`."""
    pcg64.seed(g, episode_seed(g.seed_hash, g.episode), 0)
    copy_stream(g.begun, g)
    _draw_rooms(g, rules, scratch)
    copy_stream(g, scratch.furnished)
    floors, size = scratch.corner.shape[0], g.cells.shape[1]
    pcg64.skip_halves(g, floors * (size * size + 2))
    for i in range(len(g.potion_mapping)):
        g.potion_mapping[i] = i
    pcg64.shuffle(g, g.potion_mapping)
    g.made[:] = 0


@inner
def _draw_rooms(g, rules, scratch):
    """Draws the rooms of a world, for the first time or again.

    Records do not store them: drawing takes less time than the rest of generating a
    floor.
    """
    copy_stream(scratch, g.begun)
    pcg64.skip_halves(scratch, rules.draw_rooms)
    floors, rooms = scratch.wet.shape
    low, high = rules.room_size
    for i in range(floors):
        for room in range(rooms):
            for axis in range(2):
                scratch.extent[i, room, axis] = pcg64.integer(scratch, low, high)
    side = g.cells.shape[1] // rules.room_chunk
    chunks = scratch.chunks
    for i in range(floors):
        for number in range(len(chunks)):
            chunks[number] = number if number < side * side else 0
        pcg64.shuffle(scratch, chunks[: side * side])
        for room in range(rooms):
            scratch.corner[i, room, 0] = chunks[room] // side * rules.room_chunk
            scratch.corner[i, room, 1] = chunks[room] % side * rules.room_chunk
    low, high = rules.room_offset
    for i in range(floors):
        for room in range(rooms):
            for axis in range(2):
                scratch.corner[i, room, axis] += pcg64.integer(scratch, low, high)
    _draw_inside(scratch, scratch.chest)
    _draw_inside(scratch, scratch.fountain)
    for i in range(floors):
        for room in range(rooms):
            scratch.wet[i, room] = pcg64.uniform(scratch) > rules.fountain_above
    for i in range(floors):
        for room in range(rooms):
            pick = pcg64.integer(scratch, 0, room)
            scratch.joined[i, room] = rooms - 1 if pick == 0 else pick - 1
    copy_stream(scratch.furnished, scratch)


@inner
def _draw_inside(scratch, offsets):
    """Draws offsets of cells inside rooms, excluding their border."""
    for i in range(offsets.shape[0]):
        for room in range(offsets.shape[1]):
            for axis in range(2):
                last = scratch.extent[i, room, axis] - 2
                offsets[i, room, axis] = pcg64.integer(scratch, 1, last)


@inner
def _seek(g, scratch, rooms, place):
    """Seeks the stream to one of the uniform numbers of floors.

    Args:
      g: The game.
      scratch: Receives the stream.
      rooms: Whether to count from the end of the rooms' draws, not from the start.
      place: Number of uniform numbers to skip.
    """
    copy_stream(scratch, scratch.furnished if rooms else g.begun)
    pcg64.skip_halves(scratch, place)


# Floors.


@inner
def make(g, rules, scratch, level):
    """Generates a floor unless it already is.

    Args:
      g: The game.
      rules: The rules.
      scratch: Scratch of `make_scratch`.
      level: Index of the floor.
    """
    if g.made[level]:
        return
    g.made[level] = 1
    terrain, rooms = rules.floor_terrain[level], rules.floor_rooms[level]
    if terrain >= 0:
        _make_terrain(g, rules, scratch, terrain)
    else:
        _make_rooms(g, rules, scratch, rooms)
    _place_ladders(g, rules, scratch, level)
    size = g.cells.shape[1]
    for row in range(size):
        for col in range(size):
            item = scratch.items[row, col]
            g.cells[level, row, col] = scratch.blocks[row, col] + rules.blocks * item
    if rules.dark_index[level] >= 0:
        _light(g, rules, scratch, level)


@inner
def _ladder_draw(g, rules, scratch, level, way):
    """Returns the draw of the ladder down (`way` = 0) or up (1)."""
    terrain, rooms = rules.floor_terrain[level], rules.floor_rooms[level]
    if terrain >= 0:
        _seek(g, scratch, False, rules.draw_ladder[way] + terrain)
    else:
        floors, size = scratch.corner.shape[0], g.cells.shape[1]
        _seek(g, scratch, True, floors * (size * size + way) + rooms)
    return np.float64(pcg64.uniform(scratch))


@inner
def _make_terrain(g, rules, scratch, i):
    size = g.cells.shape[1]
    for noise in range(4):
        _make_noise(g, rules, scratch, noise, i)
    for row in range(size):
        for col in range(size):
            scratch.noise[_WATER, row, col] += rules.ramp[i, 0, row, col]
            high = scratch.noise[_MOUNTAIN, row, col] + rules.ramp[i, 1, row, col]
            scratch.noise[_MOUNTAIN, row, col] = high + rules.mountain_offset
            scratch.items[row, col] = 0
    _seek(g, scratch, False, rules.draw_tree + i * size * size)
    for row in range(size):
        for col in range(size):
            block = _land(rules, scratch, i, row, col)
            draw = pcg64.uniform(scratch)
            wooded = scratch.noise[_TREE, row, col] > rules.tree_noise[i]
            if block == rules.tree_ground[i] and wooded and draw > rules.tree_draw[i]:
                block = rules.tree_block[i]
            scratch.blocks[row, col] = block
    ores = rules.ore_block.shape[1]
    _seek(g, scratch, False, rules.draw_ore + i * ores * size * size)
    for ore in range(ores):
        replaces, chance = rules.ore_replaces[i, ore], rules.ore_chance[i, ore]
        for row in range(size):
            for col in range(size):
                draw = pcg64.uniform(scratch)
                if scratch.blocks[row, col] == replaces and draw < chance:
                    scratch.blocks[row, col] = rules.ore_block[i, ore]
    for row in range(size):
        for col in range(size):
            hot = scratch.noise[_MOUNTAIN, row, col] > rules.lava_above[0]
            hot = hot and scratch.noise[_TREE, row, col] > rules.lava_above[1]
            scratch.marks[row, col] = hot
            if hot:
                scratch.blocks[row, col] = rules.land_block[i, _LAVA]
    _set_single_cells(g, rules, scratch, i)


@inner
def _make_noise(g, rules, scratch, noise, i):
    """Computes a noise field; see `crafter.games.craftax.noise`."""
    size, wave = g.cells.shape[1], scratch.wave
    lines, columns = rules.lattice[noise]
    _seek(g, scratch, False, rules.draw_angle[noise] + i * lines * columns)
    for row in range(lines):
        for col in range(columns):
            angle = 2 * np.pi * np.float64(pcg64.uniform(scratch))
            wave[0, row, col], wave[1, row, col] = math.cos(angle), math.sin(angle)
    first, weight = rules.lattice_first[noise], rules.lattice_weight[noise]
    low, out = np.inf, scratch.noise[noise]
    for row in range(size):
        top = first[0, row]
        for col in range(size):
            value, left = 0.0, first[1, col]
            for kind in range(2):
                # Rows are weighted by the offset first, then columns.
                up, down = weight[0, row, 1 - kind]
                before, after = weight[1, col, kind]
                here = up * wave[kind, top, left] + down * wave[kind, top + 1, left]
                there = up * wave[kind, top, left + 1]
                there += down * wave[kind, top + 1, left + 1]
                value += here * before + there * after
            out[row, col] = value
            low = min(low, value)
    high = 0.0
    for row in range(size):
        for col in range(size):
            out[row, col] -= low
            high = max(high, out[row, col])
    for row in range(size):
        for col in range(size):
            out[row, col] /= high


@inner
def _land(rules, scratch, i, row, col):
    """Returns the block of a cell before trees, ores and lava."""
    water = scratch.noise[_WATER, row, col]
    mountain = scratch.noise[_MOUNTAIN, row, col]
    if mountain > rules.cave_above[0] and water > rules.cave_above[1]:
        return rules.land_block[i, _CAVE]
    if mountain > rules.mountain_above:
        tunnel = scratch.noise[_TUNNEL, row, col] > rules.tunnel_above
        tunnel = tunnel or scratch.noise[_TUNNEL, col, row] > rules.tunnel_above
        return rules.land_block[i, _HOLE if tunnel else _HIGH]
    if water > rules.sea_above[i]:
        return rules.land_block[i, _SEA]
    return rules.land_block[i, _COAST if water > rules.coast_above[i] else _GROUND]


@inner
def _set_single_cells(g, rules, scratch, i):
    """Sets the corner stone, the guaranteed diamond, and the centre."""
    size = g.cells.shape[1]
    stones = _count(scratch, size, rules.stone_block)
    row, col = 0, 0
    if i == 0 and rules.always_diamond:
        _seek(g, scratch, False, rules.draw_diamond)
        draw = np.float64(pcg64.uniform(scratch))
        row, col = _pick(scratch, size, rules.stone_block, np.int64(draw * stones))
    if not stones and not rules.corner_stone:
        scratch.blocks[0, 0] = rules.stone_block
    if i == 0 and rules.always_diamond:
        scratch.blocks[row, col] = rules.diamond_block
    scratch.blocks[size // 2, size // 2] = rules.land_block[i, _CENTRE]


@inner
def _count(scratch, size, block):
    count = 0
    for row in range(size):
        for col in range(size):
            count += scratch.blocks[row, col] == block
    return count


@inner
def _pick(scratch, size, block, number):
    """Returns cell `number` of a block in row-major order; (0, 0) if there is none."""
    for row in range(size):
        for col in range(size):
            if scratch.blocks[row, col] == block:
                if number == 0:
                    return row, col
                number -= 1
    return 0, 0


# Rooms.


@inner
def _make_rooms(g, rules, scratch, i):
    size = g.cells.shape[1]
    _draw_rooms(g, rules, scratch)
    for row in range(size + rules.room_size[1]):
        for col in range(size + rules.room_size[1]):
            scratch.blocks[row, col], scratch.items[row, col] = rules.wall_block, 0
    for room in range(scratch.corner.shape[1]):
        _build_room(rules, scratch, i, room)
    for room in range(scratch.corner.shape[1]):
        _dig_corridor(rules, scratch, i, room)
    row = scratch.corner[i, 0, 0] + rules.room_special[0]
    col = scratch.corner[i, 0, 1] + rules.room_special[1]
    scratch.blocks[row, col] = rules.room_block[i, _SPECIAL]
    for row in range(size):
        for col in range(size):
            scratch.marks[row, col] = _is_seen(rules, scratch, size, row, col)
    _seek(g, scratch, True, i * size * size)
    for row in range(size):
        for col in range(size):
            rare = pcg64.uniform(scratch) < rules.rare_chance
            block = scratch.blocks[row, col]
            bare = block == rules.path_block and scratch.items[row, col] == 0
            if not scratch.marks[row, col]:
                scratch.blocks[row, col] = rules.darkness_block
            elif rare and bare:
                scratch.blocks[row, col] = rules.room_block[i, _RARE]
            elif rare and block == rules.wall_block:
                scratch.blocks[row, col] = rules.wall_moss_block


@inner
def _build_room(rules, scratch, i, room):
    top, left = scratch.corner[i, room]
    bottom, right = top + scratch.extent[i, room, 0], left + scratch.extent[i, room, 1]
    for row in range(top, bottom):
        for col in range(left, right):
            scratch.blocks[row, col] = rules.path_block
    for row in (top, bottom - 1):
        for col in (left, right - 1):
            scratch.items[row, col] = rules.torch_item
    row, col = top + scratch.chest[i, room, 0], left + scratch.chest[i, room, 1]
    scratch.blocks[row, col] = rules.chest_block
    if scratch.wet[i, room]:
        row = top + scratch.fountain[i, room, 0]
        col = left + scratch.fountain[i, room, 1]
        scratch.blocks[row, col] = rules.room_block[i, _FOUNTAIN]


@inner
def _dig_corridor(rules, scratch, i, room):
    """Digs a corridor between corners of rooms: along a row, then a column."""
    row, col = scratch.corner[i, room]
    end_row, end_col = scratch.corner[i, scratch.joined[i, room]]
    if col != end_col:
        for place in range(min(col, end_col), max(col, end_col) + 1):
            if scratch.blocks[row, place] == rules.wall_block:
                scratch.blocks[row, place] = rules.path_block
    if row != end_row:
        for place in range(min(row, end_row), max(row, end_row) + 1):
            if scratch.blocks[place, end_col] == rules.wall_block:
                scratch.blocks[place, end_col] = rules.path_block


@inner
def _is_seen(rules, scratch, size, row, col):
    """Returns whether a cell or one of its four neighbours is not a wall."""
    if scratch.blocks[row, col] != rules.wall_block:
        return True
    if row > 0 and scratch.blocks[row - 1, col] != rules.wall_block:
        return True
    if row + 1 < size and scratch.blocks[row + 1, col] != rules.wall_block:
        return True
    if col > 0 and scratch.blocks[row, col - 1] != rules.wall_block:
        return True
    return col + 1 < size and scratch.blocks[row, col + 1] != rules.wall_block


# Ladders and light.


@inner
def _place_ladders(g, rules, scratch, level):
    size, block = g.cells.shape[1], rules.ladder_ground[level]
    count = _count(scratch, size, block)
    draw = _ladder_draw(g, rules, scratch, level, 0)
    down_row, down_col = _pick(scratch, size, block, np.int64(draw * count))
    draw = _ladder_draw(g, rules, scratch, level, 1)
    row, col = _pick(scratch, size, block, np.int64(draw * count))
    if rules.ladders_apart and level:
        goal = down_row, down_col
        if not rules.has_ladder[level, 0]:
            goal = size // 2, size // 2
        row, col = _fit_cell(g, rules, scratch, block, (row, col), goal, draw * count)
    if rules.has_ladder[level, 0]:
        scratch.items[down_row, down_col] = rules.ladder_down
    if rules.has_ladder[level, 1]:
        scratch.items[row, col] = rules.ladder_up
    g.down_ladder[level, 0], g.down_ladder[level, 1] = down_row, down_col
    g.up_ladder[level, 0], g.up_ladder[level, 1] = row, col


@inner
def _fit_cell(g, rules, scratch, block, cell, goal, draw):
    """Returns a cell from which the goal is reachable; see `ladders.fit_cell`.

    Args:
      g: The game.
      rules: The rules.
      scratch: Blocks of the floor, and scratch.
      block: Required block of the cell.
      cell: The picked cell.
      goal: The cell to reach.
      draw: The draw, times the number of candidates.
    """
    size = g.cells.shape[1]
    lava = scratch.noise[_TUNNEL]  # not `marks`, which the light still needs
    _walk(rules, scratch, size, goal, lava)
    count = 0
    for row in range(size):
        for col in range(size):
            fit = lava[row, col] != 0 and scratch.blocks[row, col] == block
            lava[row, col] = fit and (row != goal[0] or col != goal[1])
            count += lava[row, col] != 0
    if count == 0 or lava[cell[0], cell[1]] != 0:
        return cell
    left = np.int64(draw % 1 * count)
    for row in range(size):
        for col in range(size):
            if lava[row, col] != 0:
                if left == 0:
                    return row, col
                left -= 1
    return cell


@inner
def _walk(rules, scratch, size, goal, reached):
    """Marks the cells from which the player can walk to a cell."""
    for row in range(size):
        for col in range(size):
            reached[row, col] = 0
    reached[goal[0], goal[1]] = 1
    scratch.queue[0], first, end = goal[0] * size + goal[1], 0, 1
    while first < end:
        here, first = scratch.queue[first], first + 1
        for direction in range(1, 5):
            row = here // size + rules.vectors[direction, 0]
            col = here % size + rules.vectors[direction, 1]
            new = 0 <= row < size and 0 <= col < size and reached[row, col] == 0
            if new and not rules.lasting[scratch.blocks[row, col]]:
                reached[row, col] = 1
                scratch.queue[end], end = row * size + col, end + 1


@inner
def _light(g, rules, scratch, level):
    """Lights a dark floor around the arrival, and near lava."""
    size, default = g.cells.shape[1], rules.floor_light[level]
    light, patch = g.dark_light[rules.dark_index[level]], rules.patch
    for row in range(size):
        for col in range(size):
            light[row, col] = default
    reach, last = patch.shape[0] // 2, size - patch.shape[0]
    top, left = g.up_ladder[level, 0] - reach, g.up_ladder[level, 1] - reach
    if not rules.light_patch:  # as the published game has it
        top = min(top, last) if top >= 0 else last
        left = min(left, last) if left >= 0 else last
    for i in range(patch.shape[0]):
        for j in range(patch.shape[1]):
            if 0 <= top + i < size and 0 <= left + j < size:
                light[top + i, left + j] += patch[i, j] * (np.float32(1) - default)
    terrain = rules.floor_terrain[level]
    if terrain >= 0 and rules.glows[terrain]:
        _glow(rules, scratch, size, light)
    for row in range(size):
        for col in range(size):
            light[row, col] = min(max(light[row, col], 0), 1)


@inner
def _glow(rules, scratch, size, light):
    centre, beside, diagonal = rules.glow
    for row in range(size):
        for col in range(size):
            left = _beside(scratch, size, row, col - 1)
            right = _beside(scratch, size, row, col + 1)
            here = _beside(scratch, size, row, col)
            near = here + _hot(scratch, size, row, col - 1)
            near = near + _hot(scratch, size, row, col + 1)
            total = centre * _hot(scratch, size, row, col)
            total = total + beside * near
            light[row, col] += total + diagonal * (left + right)


@inner
def _beside(scratch, size, row, col):
    """Returns the number of hot cells directly above and below."""
    return _hot(scratch, size, row - 1, col) + _hot(scratch, size, row + 1, col)


@inner
def _hot(scratch, size, row, col):
    if 0 <= row < size and 0 <= col < size:
        return np.float32(scratch.marks[row, col])
    return np.float32(0)
