"""Worlds from noise, with those of `crafter.worldgen` bit for bit.

Materials depend on noise through comparisons alone. They are made with coarse fields
of noise first; what lies closer to a threshold than the error of these fields is
evaluated exactly.

The sigmoid around the start uses the exponential of the C library, whose last bits
may differ from NumPy's. A comparison so close that this could matter is reported
(`UNSURE`), and the caller then takes the world from `crafter.worldgen`.
On the edge of the start that would be one of 1,500 worlds; `tables.start_edge` decides
there.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.compiled.jit import inner
from crafter.compiled.memory import record
from crafter.compiled.random import POOL, below, draw, put_back
from crafter.compiled.work_queue import DONE
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import world
from crafter.games.crafter.cpu.noise import BOUND, LATTICE, noise, permute
from crafter.games.crafter.cpu.noise_fields import (
    COARSE,
    Field,
    add_field,
    field_shape,
    plan,
)
from crafter.games.crafter.rules import Rules

_T = t.RULES.terrain
_MARGIN = 1e-12
#: Status of a world that could not be made; see `generate`.
UNSURE, FULL = 1, 2

_GRASS, _SAND, _WATER = (t.MATERIAL[n] for n in ("grass", "sand", "water"))
_PATH, _STONE, _LAVA = (t.MATERIAL[n] for n in ("path", "stone", "lava"))
_START_RULE = _T["start"]
_START_RADIUS: int = _START_RULE["radius"]
_START_WEIGHT = float(_START_RULE["noise_weight"])
_START_GRASS: float = _START_RULE["grass"]
# Beyond this distance, in cells, the start counts as 0.
_START_REACH = 16
_START_SLACK = max(
    math.exp(_START_RADIUS + _START_WEIGHT * BOUND - _START_REACH),
    _START_WEIGHT * COARSE / 4,  # the sigmoid rises by 1/4 at most
)


def _rules(terrain: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the rules that compare a noise of their own, in the order of `_SAND`."""
    single = [{"material": "tree", **terrain["tree"]}, terrain["cave"]]
    several = [*terrain["tunnels"], *terrain["ores"]]
    return [terrain["sand"], *single, *several, terrain["lava"]]


_COUNT = len(_rules(_T))
_BEACH, _TREE, _CAVE, _TUNNEL, _MAGMA = 0, 1, 2, 3, _COUNT - 1
_ORE = _TUNNEL + len(_T["tunnels"])


def _noise_of(rule: Mapping[str, Any]) -> list[tuple[float, ...]]:
    """Returns size, weight, height and stretch in x and y of the octaves of a rule."""
    field = rule.get("noise", {"z": 0, "octaves": []})
    stretch = rule.get("stretch", (1, 1))
    return [(*octave, float(field["z"]), *stretch) for octave in field["octaves"]]


# Fields of noise: those of start, water and mountain, and of the rules.
_START, _LAKES, _HEIGHT, _FIRST = range(4)
_NOISES = [_noise_of(rule) for rule in (_START_RULE, _T["water"], _T["mountain"])]
_NOISES += [_noise_of(rule) for rule in _rules(_T)]
_OCTAVES = np.array([octave for octaves in _NOISES for octave in octaves])
_LAYER = np.repeat(np.arange(len(_NOISES)), [len(octaves) for octaves in _NOISES])
_WATER_OCTAVES, _MOUNTAIN_OCTAVES = (_OCTAVES[n == _LAYER] for n in (_LAKES, _HEIGHT))
_MOUNTAIN_SUM = float(_MOUNTAIN_OCTAVES[:, 1].sum())
_WEIGHT = np.where(_LAYER == _HEIGHT, _OCTAVES[:, 1] / _MOUNTAIN_SUM, _OCTAVES[:, 1])
_RULE_NOISE = np.array([(octaves or [(0, 0, 0, 1, 1)])[0] for octaves in _NOISES])
assert all(len(octaves) <= 1 for octaves in _NOISES[_FIRST:])

_CREATURE_KIND = np.array([t.KIND[kind] for kind in _T["creatures"]])
_LOWEST = float(np.finfo(np.float32).min)


def _numbers(rules: Rules) -> np.ndarray:
    """Returns the numbers of the rules that may be changed, as a record.

    Returns:
      A record, in an array of one: the numbers of the water and mountain fields; the
      limits that these are compared with, and how far the coarse fields may be off
      (`..._slack`); per rule the noise and the mountain above which it holds (`above`,
      `least`), and chance and material of what is drawn; and per creature where it may
      stand.
    """
    terrain = rules.terrain
    water, mountain, sand = (terrain[name] for name in ("water", "mountain", "sand"))
    ruled, creatures = _rules(terrain), list(terrain["creatures"].values())
    heights = sorted(
        {mountain["threshold"], *(r["mountain"] for r in ruled if "mountain" in r)}
    )
    water_slack = abs(water["start_weight"]) * _START_SLACK
    water_slack += COARSE * float(_WATER_OCTAVES[:, 1].sum())
    mountain_slack = COARSE + abs(mountain["start_weight"]) * _START_SLACK
    distances = np.array([float(rule.get("distance", -1)) for rule in creatures])
    names = t.RULES.semantic_names[: t.MATERIALS]
    lives = [
        [n in rule["ground"] and n in rules.walkable for n in names]
        for rule in creatures
    ]
    return record(
        water_offset=float(water["offset"]),
        water_start=float(water["start_weight"]),
        water_slack=water_slack,
        water_limits=np.array([*sand["water"], terrain["lake"]], float),
        mountain_start=float(mountain["start_weight"]),
        mountain_water=float(mountain["water_weight"]),
        mountain_slack=mountain_slack + abs(mountain["water_weight"]) * water_slack,
        mountain_limits=np.array([*heights, *[np.inf] * (_COUNT + 1 - len(heights))]),
        mountain_limit_count=len(heights),
        threshold=float(mountain["threshold"]),
        above=np.array([rule.get("above", 0) for rule in ruled], float),
        least=np.array([rule.get("mountain", _LOWEST) for rule in ruled], float),
        draw_above=np.array([rule.get("draw_above", 0) for rule in ruled], float),
        draw_material=np.array([t.MATERIAL.get(r.get("material"), 0) for r in ruled]),
        # Squared: the root of a whole number exceeds a distance where the number
        # exceeds this.
        creature_distance=np.where(distances < 0, -1, distances**2),
        creature_tunnels=np.array([rule.get("tunnels", False) for rule in creatures]),
        creature_draw=np.array([rule["draw_above"] for rule in creatures], float),
        creature_lives=np.array(lives),
        inhabited=np.any(lives, 0),
    )


def make_ground(area: tuple[int, int], rules: Rules) -> np.ndarray:
    """Returns room to make a world of an area in, one per thread.

    Args:
      area: Map size (x, y) in cells.
      rules: The rules of the games.

    Returns:
      A record, in an array of one: the tables of the noise (`lattice`); the `plan` of
      its fields; `layers` of coarse noise; which cells are `tunnels`; a `pool` of
      random numbers; the `edge` of the start, as `tables.start_edge` returns it; and
      the `terrain`, see `_numbers`.
    """
    fields, terrain = _planned(area), _numbers(rules)
    dtype: list[Any] = [
        ("lattice", LATTICE),
        ("plan", fields.dtype),
        ("layers", np.float32, (len(_NOISES), *field_shape(area))),
        ("tunnels", np.uint8, area),
        ("pool", POOL),
        ("edge", np.float64),
        ("terrain", terrain.dtype),
    ]
    ground = np.zeros(1, np.dtype(dtype, align=True))
    ground["plan"], ground["edge"] = fields, t.start_edge()
    ground["terrain"] = terrain
    return ground


@functools.lru_cache(maxsize=4)
def _planned(area: tuple[int, int]) -> np.void:
    """Returns the plan of all fields, which all threads and batches share."""
    fields = []
    for layer, (size, _, z, *stretch) in zip(_LAYER, _OCTAVES.tolist()):
        box = _start_box(area) if layer == _START else (0, 0, *area)
        fields.append(Field((stretch[0] / size, stretch[1] / size), z, box))
    return plan(fields, area)


def _start_box(area: tuple[int, int]) -> tuple[int, int, int, int]:
    """Returns the cells where the start counts, around the player in the centre."""
    x, y = area[0] // 2, area[1] // 2
    return (
        max(x - _START_REACH, 0),
        max(y - _START_REACH, 0),
        min(x + _START_REACH + 1, area[0]),
        min(y + _START_REACH + 1, area[1]),
    )


@inner
def generate(g, rules, ground):
    """Fills a world that holds the player alone.

    Args:
      g: State of the game.
      rules: Numbers of the rules.
      ground: Room to work in.

    Returns:
      `DONE`; `UNSURE` if a comparison was too close; `FULL` if there are too few
      slots for the objects.
    """
    permute(below(g, 2**31 - 1), ground.lattice)
    ground.layers[:] = 0
    for f in range(len(_LAYER)):
        layer = ground.layers[_LAYER[f]]
        add_field(ground.lattice, ground.plan, f, _WEIGHT[f], layer)
    ground.pool.left = 0
    if not _fill(g, ground):
        return UNSURE
    world.count_space(g)
    done = _add_creatures(g, rules, ground)
    put_back(g, ground.pool)
    return done


@inner
def _fill(g, ground):
    """Sets the materials; returns whether all comparisons are sure."""
    terrain = ground.terrain
    for x in range(g.materials.shape[0]):
        for y in range(g.materials.shape[1]):
            start = _start(g, ground, x, y)
            water = ground.layers[_LAKES, x, y] + terrain.water_offset
            water -= terrain.water_start * start
            mountain = ground.layers[_HEIGHT, x, y] - terrain.mountain_start * start
            mountain -= terrain.mountain_water * water
            starts = start > _START_GRASS
            close = abs(start - _START_GRASS) < _START_SLACK
            slacks = terrain.water_slack, terrain.mountain_slack
            if close or (not starts and _is_close(terrain, water, mountain, slacks)):
                starts, water, mountain = _exactly(g, ground, x, y)
                slacks = _MARGIN, _MARGIN
                if not starts and _is_close(terrain, water, mountain, slacks):
                    return False
            ground.tunnels[x, y] = 0
            g.materials[x, y] = _GRASS
            if not starts:
                g.materials[x, y] = _material(g, ground, x, y, water, mountain)
    return True


@inner
def _start(g, ground, x, y):
    """Returns how near the start is, within `_START_SLACK`."""
    dx, dy = x - g.object_x[0], y - g.object_y[0]
    if abs(dx) > _START_REACH or abs(dy) > _START_REACH:
        return 0.0
    nearness = _NEARNESS[dx + _START_REACH, dy + _START_REACH]
    value = np.float64(ground.layers[_START, x, y])
    return 1 / (1 + math.exp(-nearness - _START_WEIGHT * value))


_OFFSETS = np.arange(-_START_REACH, _START_REACH + 1)
_NEARNESS = _START_RADIUS - np.hypot(*np.meshgrid(_OFFSETS, _OFFSETS))


@inner
def _is_close(terrain, water, mountain, slacks):
    """Returns whether fields are so close to a limit that it is unsure who wins."""
    close = False
    for i in range(terrain.mountain_limit_count):
        close |= abs(mountain - terrain.mountain_limits[i]) < slacks[1]
    if not mountain > terrain.threshold:
        for i in range(3):
            close |= abs(water - terrain.water_limits[i]) < slacks[0]
    return close


@inner
def _exactly(g, ground, x, y):
    """Returns whether a cell is in the start; and water and mountain there."""
    lattice, terrain = ground.lattice, ground.terrain
    dx, dy = x - g.object_x[0], y - g.object_y[0]
    distance = math.sqrt(float(dx**2 + dy**2))
    value = _octave(lattice, _RULE_NOISE[_START], x, y)
    exponent = (_START_RADIUS - distance) + _START_WEIGHT * value
    start = 1 / (1 + math.exp(-exponent))
    water = _octave(lattice, _WATER_OCTAVES[0], x, y)
    water += _octave(lattice, _WATER_OCTAVES[1], x, y)
    water = (water + terrain.water_offset) - terrain.water_start * start
    mountain = _octave(lattice, _MOUNTAIN_OCTAVES[0], x, y)
    mountain += _octave(lattice, _MOUNTAIN_OCTAVES[1], x, y)
    mountain /= _MOUNTAIN_SUM
    mountain -= terrain.mountain_start * start + terrain.mountain_water * water
    return exponent > ground.edge, water, mountain


@inner
def _octave(lattice, octave, x, y):
    size, weight, z, stretch_x, stretch_y = octave
    x, y = _stretched(x, stretch_x), _stretched(y, stretch_y)
    return weight * noise(lattice, x / size, y / size, z)


@inner
def _stretched(c, factor):
    # A factor below 1 is a division in the published game.
    return c * factor if factor >= 1 else c / math.floor(1 / factor + 0.5)


@inner
def _material(g, ground, x, y, water, mountain):
    """Returns the material of a cell outside of the start."""
    terrain = ground.terrain
    if mountain > terrain.threshold:
        if _holds(ground, _CAVE, x, y, mountain):
            return _PATH
        for i in range(_TUNNEL, _ORE):
            if _holds(ground, i, x, y, mountain):
                ground.tunnels[x, y] = 1
                return _PATH
        for i in range(_ORE, _MAGMA):
            possible = _holds(ground, i, x, y, mountain)
            if possible and draw(g, ground.pool) > terrain.draw_above[i]:
                return terrain.draw_material[i]
        return _LAVA if _holds(ground, _MAGMA, x, y, mountain) else _STONE
    low, high, lake = terrain.water_limits
    if low < water <= high and _holds(ground, _BEACH, x, y, mountain):
        return _SAND
    if water > lake:
        return _WATER
    possible = _holds(ground, _TREE, x, y, mountain)
    if possible and draw(g, ground.pool) > terrain.draw_above[_TREE]:
        return terrain.draw_material[_TREE]
    return _GRASS


@inner
def _holds(ground, i, x, y, mountain):
    """Returns whether noise and mountain are above the thresholds of a rule."""
    octave, above = _RULE_NOISE[_FIRST + i], ground.terrain.above[i]
    if not mountain > ground.terrain.least[i]:
        return False
    if octave[0] == 0:
        return True
    value = np.float64(ground.layers[_FIRST + i, x, y])
    if abs(value - above) < COARSE:
        value = _octave(ground.lattice, octave, x, y)
    return value > above


@inner
def _add_creatures(g, rules, ground):
    px, py, terrain = g.object_x[0], g.object_y[0], ground.terrain
    room = g.object_kind.shape[0]
    for x in range(g.materials.shape[0]):
        for y in range(g.materials.shape[1]):
            material = g.materials[x, y]
            if not terrain.inhabited[material]:
                continue
            for i in range(len(_CREATURE_KIND)):
                if not terrain.creature_lives[i, material]:
                    continue
                if not (x - px) ** 2 + (y - py) ** 2 > terrain.creature_distance[i]:
                    continue
                if terrain.creature_tunnels[i] and not ground.tunnels[x, y]:
                    continue
                if draw(g, ground.pool) > terrain.creature_draw[i]:
                    if g.object_count == room:
                        return FULL
                    kind = _CREATURE_KIND[i]
                    world.add(g, kind, x, y, rules.new_health[kind], -1)
                    break
    return DONE
