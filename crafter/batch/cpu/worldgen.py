"""Worlds from noise, with those of `crafter.worldgen` bit for bit.

Materials depend on noise through comparisons alone. Where a roughly evaluated field is
not close to the threshold, it settles the question; elsewhere noise is evaluated
exactly.

The sigmoid around the start uses the exponential of the C library, whose last bits
may differ from NumPy's. A comparison so close that this could matter is reported
(`UNSURE`), and the caller then takes the world from `crafter.worldgen`.
"""

from __future__ import annotations

import math

import numpy as np

from crafter.batch import tables as t
from crafter.batch.cpu import world
from crafter.batch.cpu.jit import compiled
from crafter.batch.cpu.noise import (
    BOUND,
    COARSE,
    LATTICE,
    coarse,
    noise,
    permute,
)
from crafter.batch.cpu.random import below, uniform

_T = t.RULES.terrain
_MARGIN = 1e-12
DONE, UNSURE, FULL = range(3)

_GRASS, _SAND, _WATER = (t.MATERIAL[n] for n in ("grass", "sand", "water"))
_PATH, _STONE, _TREE = (t.MATERIAL[n] for n in ("path", "stone", "tree"))
_LAVA = t.MATERIAL["lava"]
_COW, _ZOMBIE, _SKELETON = t.KIND["cow"], t.KIND["zombie"], t.KIND["skeleton"]
_NEW_HEALTH = t.NEW_HEALTH


def _octaves(rule: dict) -> np.ndarray:
    return np.array(rule["octaves"], float)


_START, _WATER_RULE, _MOUNTAIN = _T["start"], _T["water"], _T["mountain"]
_START_Z, _START_SIZE = (
    float(_START["noise"]["z"]),
    float(_START["noise"]["octaves"][0][0]),
)
_START_RADIUS: int = _START["radius"]
_START_WEIGHT = float(_START["noise_weight"])
_START_GRASS: float = _START["grass"]
_WATER_Z, _WATER_OCTAVES = (
    float(_WATER_RULE["noise"]["z"]),
    _octaves(_WATER_RULE["noise"]),
)
_WATER_OFFSET: float = _WATER_RULE["offset"]
_WATER_START = float(_WATER_RULE["start_weight"])
_MOUNTAIN_Z, _MOUNTAIN_OCTAVES = (
    float(_MOUNTAIN["noise"]["z"]),
    _octaves(_MOUNTAIN["noise"]),
)
_MOUNTAIN_SUM = float(_MOUNTAIN_OCTAVES[0, 1] + _MOUNTAIN_OCTAVES[1, 1])
_MOUNTAIN_START = float(_MOUNTAIN["start_weight"])
_MOUNTAIN_WATER: float = _MOUNTAIN["water_weight"]
_THRESHOLD: float = _MOUNTAIN["threshold"]
_SAND_RULE, _TREE_RULE = _T["sand"], _T["tree"]
_SAND_LOW, _SAND_HIGH = _SAND_RULE["water"]
_LAKE: float = _T["lake"]
_WATER_LIMITS = np.array([_SAND_LOW, _SAND_HIGH, _LAKE])
_WATER_SLACK = COARSE * float(_WATER_OCTAVES[:, 1].sum())
# Beyond this distance, in cells, the start is worth less than the slack.
_START_REACH = 16.0
_START_SLACK = math.exp(_START_RADIUS + _START_WEIGHT * BOUND - _START_REACH)
_TREE_DRAW: float = _TREE_RULE["draw_above"]


def _single(rules: list[dict]) -> np.ndarray:
    """Returns per rule: z, size, noise above, mountain above; -inf for no bound."""
    rows = []
    for rule in rules:
        field = rule.get("noise", {"z": 0, "octaves": [[0, 1]]})
        assert len(field["octaves"]) == 1
        size = field["octaves"][0][0]
        rows.append(
            (field["z"], size, rule.get("above", 0), rule.get("mountain", -np.inf))
        )
    return np.array(rows, float)


_CAVE_RULE, _LAVA_RULE = _single([_T["cave"]])[0], _single([_T["lava"]])[0]
_SAND_NOISE, _TREE_NOISE = _single([_SAND_RULE])[0], _single([_TREE_RULE])[0]
_TUNNEL_RULES = _single(_T["tunnels"])
_STRETCH = np.array([rule["stretch"] for rule in _T["tunnels"]], float)
_ORE_RULES = _single(_T["ores"])
_MOUNTAIN_LIMITS = np.array(
    [_THRESHOLD]
    + [
        rule["mountain"]
        for rule in (_T["cave"], _T["lava"], *_T["ores"])
        if "mountain" in rule
    ]
)
_ORE_DRAW = np.array([ore["draw_above"] for ore in _T["ores"]])
_ORE_MATERIAL = np.array([t.MATERIAL[ore["material"]] for ore in _T["ores"]])
_CREATURES = list(_T["creatures"].values())
_CREATURE_KIND = np.array([t.KIND[kind] for kind in _T["creatures"]])
_CREATURE_GROUND = np.array(
    [
        [name in rule["ground"] for name in t.RULES.semantic_names[: t.MATERIALS]]
        for rule in _CREATURES
    ]
)
_CREATURE_DISTANCE = np.array([rule.get("distance", -1) for rule in _CREATURES], float)
_CREATURE_TUNNELS = np.array([rule.get("tunnels", False) for rule in _CREATURES])
_CREATURE_DRAW = np.array([rule["draw_above"] for rule in _CREATURES])
_WALKABLE = np.array(
    [name in t.RULES.walkable for name in t.RULES.semantic_names[: t.MATERIALS]]
)


def make_ground(area: tuple[int, int]) -> np.void:
    """Returns room to make a world of an area in, one per thread.

    Returns:
      A record with the tables of the noise (`lattice`); the octaves of water and
      mountain and the field of the trees, all roughly; room for one field (`octave`);
      and which cells are `tunnels`.
    """
    fields = [
        (name, np.float32, area) for name in ("water", "mountain", "trees", "octave")
    ]
    dtype = np.dtype([("lattice", LATTICE), *fields, ("tunnels", np.uint8, area)])
    return np.zeros(1, dtype)[0]


@compiled
def _sum_coarse(ground, octaves, z, out):
    """Adds the octaves of a field, roughly."""
    out[:] = 0
    for i in range(len(octaves)):
        coarse(ground.lattice, octaves[i, 0], z, ground.octave)
        for x in range(out.shape[0]):
            for y in range(out.shape[1]):
                out[x, y] += octaves[i, 1] * ground.octave[x, y]


@compiled
def generate(g, ground):
    """Fills a world that holds the player alone.

    Args:
      g: State of the game.
      ground: Room to work in.

    Returns:
      `DONE`; `UNSURE` if a comparison was too close; `FULL` if there are too few
      slots for the objects.
    """
    permute(below(g, 2**31 - 1), ground.lattice)
    _sum_coarse(ground, _WATER_OCTAVES, _WATER_Z, ground.water)
    _sum_coarse(ground, _MOUNTAIN_OCTAVES, _MOUNTAIN_Z, ground.mountain)
    coarse(ground.lattice, _TREE_NOISE[1], _TREE_NOISE[0], ground.trees)
    sure = True
    for x in range(g.materials.shape[0]):
        for y in range(g.materials.shape[1]):
            sure = _fill_cell(g, ground, x, y) and sure
    if not sure:
        return UNSURE
    world.count_space(g)
    return _add_creatures(g, ground.tunnels)


@compiled
def _start_at(lattice, x, y, distance):
    """Returns how near the start is."""
    value = noise(lattice, x / _START_SIZE, y / _START_SIZE, _START_Z)
    start = (_START_RADIUS - distance) + _START_WEIGHT * value
    return 1 / (1 + math.exp(-start))


@compiled
def _octave(lattice, octaves, i, x, y, z):
    size, weight = octaves[i, 0], octaves[i, 1]
    return weight * noise(lattice, x / size, y / size, z)


@compiled
def _fill_cell(g, ground, x, y):
    """Sets the material of a cell; returns whether all comparisons are sure.

    Water and mountain are known within a slack. If a threshold lies within it, all
    noise is evaluated exactly.
    """
    ground.tunnels[x, y] = False
    px, py = g.object_x[0], g.object_y[0]
    distance = math.sqrt(float((x - px) ** 2 + (y - py) ** 2))
    start, start_slack = 0.0, _START_SLACK
    if distance < _START_REACH:
        start, start_slack = _start_at(ground.lattice, x, y, distance), 0.0
        if abs(start - _START_GRASS) < _MARGIN:
            return False
        if start > _START_GRASS:
            g.materials[x, y] = _GRASS
            return True
    water = (ground.water[x, y] + _WATER_OFFSET) - _WATER_START * start
    water_slack = _WATER_SLACK + _WATER_START * start_slack
    mountain = ground.mountain[x, y] / _MOUNTAIN_SUM
    mountain -= _MOUNTAIN_START * start + _MOUNTAIN_WATER * water
    slack = COARSE + _MOUNTAIN_START * start_slack + _MOUNTAIN_WATER * water_slack
    # The threshold is the least of the limits.
    if mountain > _THRESHOLD - slack:
        if not _is_clear(mountain, slack, _MOUNTAIN_LIMITS):
            return _fill_exactly(g, ground, x, y, distance)
        _fill_mountain(g, ground, x, y, mountain)
        return True
    if not _is_clear(water, water_slack, _WATER_LIMITS):
        return _fill_exactly(g, ground, x, y, distance)
    _fill_low(g, ground, x, y, water)
    return True


@compiled
def _is_clear(value, slack, limits):
    """Returns whether no limit lies within the slack of a value."""
    for limit in limits:
        if abs(value - limit) < slack:
            return False
    return True


@compiled
def _fill_exactly(g, ground, x, y, distance):
    """Sets the material of a cell with all noise evaluated."""
    lattice = ground.lattice
    start = _start_at(lattice, x, y, distance)
    water = _octave(lattice, _WATER_OCTAVES, 0, x, y, _WATER_Z)
    water += _octave(lattice, _WATER_OCTAVES, 1, x, y, _WATER_Z)
    water = (water + _WATER_OFFSET) - _WATER_START * start
    mountain = _octave(lattice, _MOUNTAIN_OCTAVES, 0, x, y, _MOUNTAIN_Z)
    mountain += _octave(lattice, _MOUNTAIN_OCTAVES, 1, x, y, _MOUNTAIN_Z)
    mountain /= _MOUNTAIN_SUM
    mountain -= _MOUNTAIN_START * start + _MOUNTAIN_WATER * water
    if not _is_clear(mountain, _MARGIN, _MOUNTAIN_LIMITS):
        return False
    if mountain > _THRESHOLD:
        _fill_mountain(g, ground, x, y, mountain)
        return True
    if not _is_clear(water, _MARGIN, _WATER_LIMITS):
        return False
    _fill_low(g, ground, x, y, water)
    return True


@compiled
def _fill_low(g, ground, x, y, water):
    """Sets the material of a cell that is neither start nor mountain."""
    lattice = ground.lattice
    if _SAND_LOW < water <= _SAND_HIGH and _passes(lattice, _SAND_NOISE, x, y, 0.0):
        g.materials[x, y] = _SAND
    elif water > _LAKE:
        g.materials[x, y] = _WATER
    elif _is_wooded(ground, x, y) and uniform(g) > _TREE_DRAW:
        g.materials[x, y] = _TREE
    else:
        g.materials[x, y] = _GRASS


@compiled
def _is_wooded(ground, x, y):
    """Returns whether the cell may hold a tree."""
    above = ground.trees[x, y] - _TREE_NOISE[2]
    if abs(above) >= COARSE:
        return above > 0
    return _passes(ground.lattice, _TREE_NOISE, x, y, 0.0)


@compiled
def _passes(lattice, rule, x, y, mountain):
    """Returns whether noise and mountain are above the thresholds of a rule."""
    z, size, above, least = rule
    if not mountain > least:
        return False
    if size == 0:
        return True
    return noise(lattice, x / size, y / size, z) > above


@compiled
def _stretched(c, factor):
    # A factor below 1 is a division in the published game.
    return c * factor if factor >= 1 else c / np.round(1 / factor)


@compiled
def _fill_mountain(g, ground, x, y, mountain):
    """Sets the material of a mountain cell."""
    lattice = ground.lattice
    g.materials[x, y] = _PATH
    if _passes(lattice, _CAVE_RULE, x, y, mountain):
        return
    for i in range(len(_TUNNEL_RULES)):
        tx, ty = _stretched(x, _STRETCH[i, 0]), _stretched(y, _STRETCH[i, 1])
        if _passes(lattice, _TUNNEL_RULES[i], tx, ty, mountain):
            ground.tunnels[x, y] = True
            return
    for i in range(len(_ORE_RULES)):
        possible = _passes(lattice, _ORE_RULES[i], x, y, mountain)
        if possible and uniform(g) > _ORE_DRAW[i]:
            g.materials[x, y] = _ORE_MATERIAL[i]
            return
    lava = _passes(lattice, _LAVA_RULE, x, y, mountain)
    g.materials[x, y] = _LAVA if lava else _STONE


@compiled
def _add_creatures(g, tunnels):
    px, py = g.object_x[0], g.object_y[0]
    room = g.object_kind.shape[0]
    for x in range(g.materials.shape[0]):
        for y in range(g.materials.shape[1]):
            material = g.materials[x, y]
            if not _WALKABLE[material]:
                continue
            distance = math.sqrt(float((x - px) ** 2 + (y - py) ** 2))
            for i in range(len(_CREATURE_KIND)):
                if not distance > _CREATURE_DISTANCE[i]:
                    continue
                if not _CREATURE_GROUND[i, material]:
                    continue
                if _CREATURE_TUNNELS[i] and not tunnels[x, y]:
                    continue
                if uniform(g) > _CREATURE_DRAW[i]:
                    if g.object_count == room:
                        return FULL
                    kind = _CREATURE_KIND[i]
                    world.add(g, kind, x, y, _NEW_HEALTH[kind], -1)
                    break
    return DONE
