"""World generation, bit-identical to `crafter.games.crafter.worldgen`.

Materials depend on noise only through comparisons. First, all cells are compared
with approximate fields, rule by rule, without branches; values closer to a threshold
than the error of these fields are evaluated exactly. Then the random numbers are
drawn, cell by cell.

The sigmoid around the start uses the exponential of the C library, whose last bits
may differ from NumPy's. If a comparison is so close that this could matter, generation
fails, and the caller uses `crafter.games.crafter.worldgen`. At the edge of the start
this would affect one of 1,500 worlds, so `tables.start_edge` decides there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.compiled.jit import inner, inner_roughly
from crafter.compiled.memory import record
from crafter.compiled.random import POOL, below, draw, put_back
from crafter.compiled.work_queue import DONE, FAILED
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import world
from crafter.games.crafter.cpu.noise import BOUND, LATTICE, noise, permute
from crafter.games.crafter.cpu.noise_fields import (
    COARSE,
    add_field,
    field_shape,
    plan,
)
from crafter.games.crafter.rules import Rules

_T = t.RULES.terrain
_MARGIN = 1e-12
f32 = np.float32

_GRASS, _SAND, _WATER = (t.MATERIAL[n] for n in ("grass", "sand", "water"))
_PATH, _STONE, _LAVA = (t.MATERIAL[n] for n in ("path", "stone", "lava"))
_START_RULE = _T["start"]
_START_RADIUS: int = _START_RULE["radius"]
_START_WEIGHT = float(_START_RULE["noise_weight"])
_START_GRASS: float = _START_RULE["grass"]
# Distance in cells beyond which the start field is taken as 0.
_START_REACH = 16
_START_SLACK = max(
    math.exp(_START_RADIUS + _START_WEIGHT * BOUND - _START_REACH),
    _START_WEIGHT * COARSE / 4,  # the slope of the sigmoid is at most 1/4
)


# Marks of a cell are bits: its region, then one per rule that holds there, then one per
# rule that is too close to call, then one if the region is too close to call.
_SHORE, _LOW, _HIGH, _LAKE = 1, 2, 4, 8
_FIRST = 4


def _rules(terrain: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], int]]:
    """Returns the rules in the order of their marks, with the region of each."""
    rules = [terrain["cave"], *terrain["tunnels"], *terrain["ores"], terrain["lava"]]
    marked = [(rule, _HIGH) for rule in rules]
    return [(terrain["sand"], _SHORE), (terrain["tree"], _LOW), *marked]


_RULES = _rules(_T)
_COUNT = len(_RULES)
_OPEN = 1 << _FIRST + _COUNT  # the first bit of rules too close to call
_UNKNOWN = _OPEN << _COUNT
assert _UNKNOWN < 2**31
# An unknown cell may be in any region, so all rules are evaluated there.
_ANY = _UNKNOWN | _SHORE | _LOW | _HIGH


_REGION = np.array([region for _, region in _RULES])


def _noise_of(rule: Mapping[str, Any]) -> list[tuple[float, ...]]:
    """Returns size, weight, height, x and y stretch of each octave of a rule."""
    field = rule.get("noise", {"z": 0, "octaves": []})
    stretch = rule.get("stretch", (1, 1))
    return [(*octave, float(field["z"]), *stretch) for octave in field["octaves"]]


# Noise fields: start, water and mountain, then one per rule.
_START, _LAKES, _HEIGHT, _OWN = range(4)
_NOISES = [_noise_of(rule) for rule in (_START_RULE, _T["water"], _T["mountain"])]
_NOISES += [_noise_of(rule) for rule, _ in _RULES]
_OCTAVES = np.array([octave for octaves in _NOISES for octave in octaves])
_LAYER = np.repeat(np.arange(len(_NOISES)), [len(octaves) for octaves in _NOISES])
_FIRST_OCTAVE = np.searchsorted(_LAYER, np.arange(len(_NOISES) + 1))
_WEIGHT = _OCTAVES[:, 1].copy()
_MOUNTAIN_SUM = float(_WEIGHT[_LAYER == _HEIGHT].sum())
_WEIGHT[_LAYER == _HEIGHT] /= _MOUNTAIN_SUM
assert all(len(octaves) <= 1 for octaves in _NOISES[_OWN:])


def _draw_rules(terrain: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the rules with a random draw: ores, then trees."""
    return [*terrain["ores"], {**terrain["tree"], "material": "tree"}]


_DRAWS = len(_draw_rules(_T))


def _outcomes() -> np.ndarray:
    """Returns the outcome for each combination of marks, without `_SHORE` and `_LOW`.

    Returns:
      int32: in the lowest byte the material if no draw succeeds, in the next one
      whether the cell is a tunnel, and in the third a bit per possible draw, in the
      order of `_draw_rules`.
    """
    marks = np.arange(0, _OPEN, 4)
    bits = ((marks >> _FIRST + i) % 2 > 0 for i in range(_COUNT))
    sand, tree, cave, *others, lava = bits
    tunnels, ores = others[: len(_T["tunnels"])], others[len(_T["tunnels"]) :]
    high, lake = marks & _HIGH > 0, marks & _LAKE > 0
    tunnel = high & ~cave & np.any(tunnels, axis=0)
    kinds = [high & (cave | tunnel), high & lava, high, sand, lake]
    materials = np.select(kinds, [_PATH, _LAVA, _STONE, _SAND, _WATER], _GRASS)
    solid, grass = np.isin(materials, (_LAVA, _STONE)), materials == _GRASS
    drawn = [*(ore & solid for ore in ores), tree & grass]
    draws = sum(may * 2**n for n, may in enumerate(drawn))
    return (materials + tunnel * 2**8 + draws * 2**16).astype(np.int32)


_OUTCOME = _outcomes()
_UNSETTLED = 128
_SETTLE = _UNSETTLED << 16
_CREATURE_KIND = np.array([t.KIND[kind] for kind in _T["creatures"]])
_LOWEST = float(np.finfo(np.float32).min)


def _numbers(rules: Rules) -> np.ndarray:
    """Returns the terrain parameters that are not compiled in.

    Returns:
      An array of one record: the parameters of the water and mountain fields; their
      thresholds (`..._limits`), and the error bounds of the approximate fields
      (`..._slack`); thresholds of noise and mountain per rule (`above`, `least`);
      threshold and material per draw; and the placement rules of creatures.
    """
    terrain = rules.terrain
    water, mountain, sand = (terrain[name] for name in ("water", "mountain", "sand"))
    marked = [rule for rule, _ in _rules(terrain)]
    heights = {
        mountain["threshold"],
        *(r["mountain"] for r in marked if "mountain" in r),
    }
    limits = np.zeros(len(marked) + 1)
    limits[: len(heights)] = sorted(heights)
    water_slack = abs(water["start_weight"]) * _START_SLACK
    water_slack += COARSE * float(_WEIGHT[_LAYER == _LAKES].sum())
    mountain_slack = COARSE + abs(mountain["start_weight"]) * _START_SLACK
    drawn, creatures = _draw_rules(terrain), list(terrain["creatures"].values())
    distances = np.array([float(rule.get("distance", -1)) for rule in creatures])
    names = t.RULES.semantic_names[: t.MATERIALS]
    grounds = [set(rule["ground"]) & set(rules.walkable) for rule in creatures]
    lives = np.array([[name in ground for name in names] for ground in grounds])
    return record(
        water_offset=float(water["offset"]),
        water_start=float(water["start_weight"]),
        water_slack=water_slack,
        water_limits=np.array([*sand["water"], terrain["lake"]], float),
        mountain_start=float(mountain["start_weight"]),
        mountain_water=float(mountain["water_weight"]),
        mountain_slack=mountain_slack + abs(mountain["water_weight"]) * water_slack,
        mountain_limits=limits,
        mountain_limit_count=len(heights),
        threshold=float(mountain["threshold"]),
        # The layer of a rule without noise is 0.
        above=np.array([rule.get("above", -1) for rule in marked], float),
        least=np.array([rule.get("mountain", _LOWEST) for rule in marked], float),
        draw_above=np.array([rule["draw_above"] for rule in drawn], float),
        draw_material=np.array([t.MATERIAL[rule["material"]] for rule in drawn]),
        # Squared: equivalent for comparisons with the roots of integers.
        creature_distance=np.where(distances < 0, -1, distances**2),
        creature_tunnels=np.array([rule.get("tunnels", False) for rule in creatures]),
        creature_draw=np.array([rule["draw_above"] for rule in creatures], float),
        life_count=lives.sum(0),
        life=np.argsort(~lives, axis=0, kind="stable").T.copy(),
    )


def make_scratch(area: tuple[int, int], rules: Rules) -> np.ndarray:
    """Returns the scratch for world generation.

    Args:
      area: Map size (x, y) in cells.
      rules: The rules of the games.

    Returns:
      An array of one record: noise tables (`lattice`); the `plan` of the fields;
      `layers` of approximate noise; the `marks` of the cells; the mask of `tunnels`;
      bits of possible `draws`; a `pool` of random numbers; the `edge` of the start
      from `tables.start_edge`; and the `terrain` parameters of `_numbers`.
    """
    fields = []
    for layer, (size, _, z, *stretch) in zip(_LAYER, _OCTAVES.tolist()):
        box = _start_box(area) if layer == _START else (0, 0, *area)
        fields.append(((stretch[0] / size, stretch[1] / size), z, box))
    return record(
        lattice=np.zeros((), LATTICE),
        plan=plan(fields, area),
        layers=np.zeros((len(_NOISES), *field_shape(area)), np.float32),
        marks=np.zeros(area, np.int32),
        tunnels=np.zeros(area, np.uint8),
        draws=np.zeros(area, np.uint8),
        pool=np.zeros((), POOL),
        edge=t.start_edge(),
        terrain=_numbers(rules)[0],
    )


def _start_box(area: tuple[int, int]) -> tuple[int, int, int, int]:
    """Returns the box of cells around the centre where the start field counts."""
    left, top = (max(side // 2 - _START_REACH, 0) for side in area)
    right, bottom = (min(side // 2 + _START_REACH + 1, side) for side in area)
    return left, top, right, bottom


@inner
def generate(g, rules, scratch):
    """Generates materials and creatures of a world that contains only the player.

    Args:
      g: State of the game.
      rules: Parameters of the rules.
      scratch: Scratch of `make_scratch`.

    Returns:
      `DONE`; or `FAILED` if a comparison was too close to call, or there are too few
      slots for the objects.
    """
    permute(below(g, 2**31 - 1), scratch.lattice)
    scratch.layers[:] = 0
    for f in range(len(_LAYER)):
        layer = scratch.layers[_LAYER[f]]
        add_field(scratch.lattice, scratch.plan, f, _WEIGHT[f], layer)
    _mark_start(scratch)
    _mark_ground(scratch)
    for i in range(_COUNT):
        _mark_rule(scratch, i)
    scratch.pool.left = 0
    if not _fill(g, scratch):
        return FAILED
    world.count_space(g)
    done = _add_creatures(g, rules, scratch)
    put_back(g, scratch.pool)
    return done


@inner
def _mark_start(scratch):
    """Turns the noise of the start layer into the start field, from 0 to 1."""
    width, height = scratch.marks.shape
    left, top, right, bottom = scratch.plan.fields[0].box
    layer = scratch.layers[_START]
    for x in range(left, right):
        layer[x, bottom:] = 0  # blocks may extend beyond the box
        row = _FARNESS[np.uint64(x - width // 2 + _START_REACH)]
        for y in range(top, bottom):
            far = row[np.uint64(y - height // 2 + _START_REACH)]
            layer[x, y] = _ONE / (_ONE + far * _fade(layer[x, y]))


# Exponential of the distance of cells beyond the start's radius.
_OFFSETS = np.arange(-_START_REACH, _START_REACH + 1)
_DISTANCE = np.hypot(*np.meshgrid(_OFFSETS, _OFFSETS))
_FARNESS = np.exp(_DISTANCE - _START_RADIUS).astype(np.float32)
_ONE = np.float32(1)
# Series of the exponential for an eighth of the exponent, whose size is at most 2.
_FADE_1, _FADE_2, _FADE_3, _FADE_4, _FADE_5 = (
    np.float32((-_START_WEIGHT / 8) ** n / math.factorial(n)) for n in range(1, 6)
)
assert _START_WEIGHT * BOUND <= 2


@inner_roughly
def _fade(value):
    """Returns exp(-weight * value) for noise, with a relative error of at most 1e-5."""
    root = (((_FADE_5 * value + _FADE_4) * value + _FADE_3) * value + _FADE_2) * value
    root = (root + _FADE_1) * value + _ONE
    root *= root
    root *= root
    return root * root


_GRASS_ABOVE, _CLOSE_START = np.float32(_START_GRASS), np.float32(_START_SLACK)


@inner
def _flag(holds, bit):
    return np.int32(bit) if holds else np.int32(0)


@inner
def _mark_ground(scratch):
    """Marks the regions of the cells."""
    width, height = scratch.marks.shape
    terrain = scratch.terrain
    offset, water_start = f32(terrain.water_offset), f32(terrain.water_start)
    mountain_start = f32(terrain.mountain_start)
    mountain_water, threshold = f32(terrain.mountain_water), f32(terrain.threshold)
    low, high, lake = terrain.water_limits
    low, high, lake = f32(low), f32(high), f32(lake)
    starts, waters = scratch.layers[_START], scratch.layers[_LAKES]
    mountains = scratch.layers[_HEIGHT]
    for x in range(width):
        for y in range(height):
            start = starts[x, y]
            water = waters[x, y] + offset - water_start * start
            mountain = mountains[x, y] - mountain_start * start
            mountain -= mountain_water * water
            waters[x, y], mountains[x, y] = water, mountain
            wild = start <= _GRASS_ABOVE
            rock = wild & (mountain > threshold)
            land = wild & (mountain <= threshold)
            marks = _flag(rock, _HIGH) | _flag(land, _LOW)
            marks |= _flag(land & (water > low) & (water <= high), _SHORE)
            marks |= _flag(land & (water > lake), _LAKE)
            close = abs(start - _GRASS_ABOVE) < _CLOSE_START
            scratch.marks[x, y] = marks | _flag(close, _ANY)
    for limit in terrain.water_limits:
        _mark_close(scratch, waters, limit, terrain.water_slack, _LOW)
    for i in range(terrain.mountain_limit_count):
        limit, slack = terrain.mountain_limits[i], terrain.mountain_slack
        _mark_close(scratch, mountains, limit, slack, _LOW | _HIGH)


@inner
def _mark_close(scratch, field, limit, slack, region):
    """Marks cells of a region whose field is too close to a limit as unknown."""
    low, high = f32(limit - slack), f32(limit + slack)
    for x in range(scratch.marks.shape[0]):
        for y in range(scratch.marks.shape[1]):
            marks, value = scratch.marks[x, y], field[x, y]
            close = ((marks & region) != 0) & (low < value) & (value < high)
            scratch.marks[x, y] = marks | _flag(close, _ANY)


@inner
def _mark_rule(scratch, i):
    """Marks the cells where a rule holds, and where it is too close to call."""
    width, height = scratch.marks.shape
    mountains, layer = scratch.layers[_HEIGHT], scratch.layers[_OWN + i]
    above = scratch.terrain.above[i]
    region, bit = _REGION[i], 1 << _FIRST + i
    # Only unknown cells are closer to the mountain threshold than the slack.
    least, low, high = (
        f32(scratch.terrain.least[i] - scratch.terrain.mountain_slack),
        f32(above - COARSE),
        f32(above + COARSE),
    )
    for x in range(width):
        for y in range(height):
            marks, value = scratch.marks[x, y], layer[x, y]
            possible = ((marks & region) != 0) & (mountains[x, y] > least)
            marks |= _flag(possible & (value > low), bit)
            close = possible & (value > low) & (value < high)
            scratch.marks[x, y] = marks | _flag(close, bit << _COUNT)


@inner
def _exact(lattice, layer, x, y):
    """Returns the exact noise of a layer at a cell, summing octaves in order."""
    total = 0.0
    for n in range(_FIRST_OCTAVE[layer], _FIRST_OCTAVE[layer + 1]):
        size, weight, z, stretch_x, stretch_y = _OCTAVES[n]
        nx, ny = _stretched(x, stretch_x) / size, _stretched(y, stretch_y) / size
        total += weight * noise(lattice, nx, ny, z)
    return total


@inner
def _stretched(c, factor):
    # The published game divides for a factor below 1.
    return c * factor if factor >= 1 else c / math.floor(1 / factor + 0.5)


@inner
def _is_clear(value, limits, count):
    """Returns whether no limit is within the margin of a value."""
    for i in range(count):
        if abs(value - limits[i]) < _MARGIN:
            return False
    return True


@inner
def _mark_exactly(g, scratch, x, y, marks):
    """Returns the exact marks of an unknown cell; -1 if too close to call."""
    lattice, terrain = scratch.lattice, scratch.terrain
    px, py = g.object_x[0], g.object_y[0]
    distance = math.sqrt(float((x - px) ** 2 + (y - py) ** 2))
    value = _exact(lattice, _START, x, y)
    exponent = (_START_RADIUS - distance) + _START_WEIGHT * value
    if exponent > scratch.edge:
        return 0
    start = 1 / (1 + math.exp(-exponent))
    water = _exact(lattice, _LAKES, x, y) + terrain.water_offset
    water -= terrain.water_start * start
    mountain = _exact(lattice, _HEIGHT, x, y) / _MOUNTAIN_SUM
    mountain -= terrain.mountain_start * start + terrain.mountain_water * water
    if not _is_clear(mountain, terrain.mountain_limits, terrain.mountain_limit_count):
        return -1
    exact = _HIGH
    if not mountain > terrain.threshold:
        if not _is_clear(water, terrain.water_limits, 3):
            return -1
        low, high, lake = terrain.water_limits
        exact = _LOW | (_SHORE if low < water <= high else 0)
        exact |= _LAKE if water > lake else 0
    for i in range(_COUNT):
        if exact & _REGION[i] and mountain > terrain.least[i]:
            exact |= marks & (1 << _FIRST + i | _OPEN << i)
    return exact


@inner
def _settle(g, scratch, x, y, marks):
    """Resolves the marks too close to call; returns -1 if not possible."""
    if marks & _UNKNOWN:
        marks = _mark_exactly(g, scratch, x, y, marks)
        if marks < 0:
            return marks
    for i in range(_COUNT):
        if marks & (_OPEN << i):
            value = _exact(scratch.lattice, _OWN + i, x, y)
            if not value > scratch.terrain.above[i]:
                marks ^= 1 << _FIRST + i
    return marks & (_OPEN - 1)


@inner
def _fill(g, scratch):
    """Sets the materials from the marks; returns whether all could be resolved."""
    width, height = g.materials.shape
    terrain = scratch.terrain
    for x in range(width):
        for y in range(height):
            marks = scratch.marks[x, y]
            outcome = _OUTCOME[np.uint64((marks & (_OPEN - 1)) >> 2)]
            outcome |= _flag(marks >= _OPEN, _SETTLE)
            g.materials[x, y] = np.uint8(outcome)
            scratch.tunnels[x, y] = np.uint8(outcome >> 8)
            scratch.draws[x, y] = np.uint8(outcome >> 16)
    for x in range(width):
        for y in range(height):
            draws = scratch.draws[x, y]
            if not draws:
                continue
            if draws & _UNSETTLED:
                marks = _settle(g, scratch, x, y, np.int64(scratch.marks[x, y]))
                if marks < 0:
                    return False
                outcome = _OUTCOME[np.uint64(marks >> 2)]
                g.materials[x, y] = np.uint8(outcome)
                scratch.tunnels[x, y] = np.uint8(outcome >> 8)
                draws = np.uint8(outcome >> 16)
            for i in range(_DRAWS):
                if draws >> i & 1 and draw(g, scratch.pool) > terrain.draw_above[i]:
                    g.materials[x, y] = terrain.draw_material[i]
                    break
    return True


@inner
def _add_creatures(g, rules, scratch):
    px, py, terrain = g.object_x[0], g.object_y[0], scratch.terrain
    room = g.object_kind.shape[0]
    for x in range(g.materials.shape[0]):
        for y in range(g.materials.shape[1]):
            material = g.materials[x, y]
            for n in range(terrain.life_count[material]):
                i = terrain.life[material, n]
                if not (x - px) ** 2 + (y - py) ** 2 > terrain.creature_distance[i]:
                    continue
                if terrain.creature_tunnels[i] and not scratch.tunnels[x, y]:
                    continue
                if draw(g, scratch.pool) > terrain.creature_draw[i]:
                    if g.object_count == room:
                        return FAILED
                    kind = _CREATURE_KIND[i]
                    world.add(g, kind, x, y, rules.new_health[kind], -1)
                    break
    return DONE
