"""Worlds from noise, with those of `crafter.worldgen` to the bit.

Noise is evaluated only where it can matter: a cell whose material is certain
whatever the finer noise may be is settled without it.

The sigmoid around the start uses the exponential of the C library, whose last bits
may differ from NumPy's. A comparison so close that this could matter is reported
(`UNSURE`), and the caller then takes the world from `crafter.worldgen`.
"""

from __future__ import annotations

import math

import numpy as np

from crafter import constants
from crafter.batch import tables as t
from crafter.batch.cpu import world
from crafter.batch.cpu.balance import HEALTH
from crafter.batch.cpu.jit import compiled
from crafter.batch.cpu.noise import BOUND, noise, permute
from crafter.batch.cpu.random import below, uniform

_T = constants.terrain
_MARGIN = 1e-12
DONE, UNSURE, FULL = range(3)

_GRASS, _SAND, _WATER = (t.MATERIAL[n] for n in ("grass", "sand", "water"))
_PATH, _STONE, _TREE = (t.MATERIAL[n] for n in ("path", "stone", "tree"))
_LAVA = t.MATERIAL["lava"]
_COW, _ZOMBIE, _SKELETON = t.KIND["cow"], t.KIND["zombie"], t.KIND["skeleton"]


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
_ORE_DRAW = np.array([ore["draw_above"] for ore in _T["ores"]])
_ORE_MATERIAL = np.array([t.MATERIAL[ore["material"]] for ore in _T["ores"]])
_CREATURES = list(_T["creatures"].values())
_CREATURE_KIND = np.array([t.KIND[kind] for kind in _T["creatures"]])
_CREATURE_GROUND = np.array(
    [
        [name in rule["ground"] for name in constants.semantic_names[: t.MATERIALS]]
        for rule in _CREATURES
    ]
)
_CREATURE_DISTANCE = np.array([rule.get("distance", -1) for rule in _CREATURES], float)
_CREATURE_TUNNELS = np.array([rule.get("tunnels", False) for rule in _CREATURES])
_CREATURE_DRAW = np.array([rule["draw_above"] for rule in _CREATURES])
_WALKABLE = np.array(
    [name in constants.walkable for name in constants.semantic_names[: t.MATERIALS]]
)


@compiled
def generate(g, perm, slopes, tunnels):
    """Fills the world, which holds the player alone.

    Args:
      g: State of the game.
      perm: Scratch, uint8 (256,).
      slopes: Scratch, float64 (256, 3).
      tunnels: Scratch, bool of shape `area`.

    Returns:
      `DONE`; `UNSURE` if a comparison was too close; `FULL` if there are too few
      slots for the objects.
    """
    permute(below(g, 2**31 - 1), perm, slopes)
    sure = True
    for x in range(g.materials.shape[0]):
        for y in range(g.materials.shape[1]):
            sure = _fill_cell(g, perm, slopes, tunnels, x, y) and sure
    if not sure:
        return UNSURE
    world.count_space(g)
    return _add_creatures(g, tunnels)


@compiled
def _start_at(perm, slopes, x, y, px, py):
    """Returns how near the start is."""
    distance = math.sqrt(float((x - px) ** 2 + (y - py) ** 2))
    value = noise(perm, slopes, x / _START_SIZE, y / _START_SIZE, _START_Z)
    start = (_START_RADIUS - distance) + _START_WEIGHT * value
    return 1 / (1 + math.exp(-start))


@compiled
def _octave(perm, slopes, octaves, i, x, y, z):
    size, weight = octaves[i, 0], octaves[i, 1]
    return weight * noise(perm, slopes, x / size, y / size, z)


@compiled
def _fill_cell(g, perm, slopes, tunnels, x, y):
    """Sets the material of a cell; tells whether all comparisons are sure."""
    px, py = g.object_x[0], g.object_y[0]
    tunnels[x, y] = False
    w = _octave(perm, slopes, _WATER_OCTAVES, 0, x, y, _WATER_Z)
    m = _octave(perm, slopes, _MOUNTAIN_OCTAVES, 0, x, y, _MOUNTAIN_Z)
    distance = math.sqrt(float((x - px) ** 2 + (y - py) ** 2))
    if _surely_meadow(w, m, distance):
        return _fill_low(g, perm, slopes, x, y, 0.0)
    start = _start_at(perm, slopes, x, y, px, py)
    if abs(start - _START_GRASS) < _MARGIN:
        return False
    if start > _START_GRASS:
        g.materials[x, y] = _GRASS
        return True
    water = w + _octave(perm, slopes, _WATER_OCTAVES, 1, x, y, _WATER_Z)
    water = (water + _WATER_OFFSET) - _WATER_START * start
    mountain = m + _octave(perm, slopes, _MOUNTAIN_OCTAVES, 1, x, y, _MOUNTAIN_Z)
    mountain /= _MOUNTAIN_SUM
    mountain -= _MOUNTAIN_START * start + _MOUNTAIN_WATER * water
    sure = abs(mountain - _THRESHOLD) >= _MARGIN
    if mountain > _THRESHOLD:
        return _fill_mountain(g, perm, slopes, tunnels, x, y, mountain) and sure
    return _fill_low(g, perm, slopes, x, y, water) and sure


@compiled
def _surely_meadow(w, m, distance):
    """Tells whether a cell is grassland whatever the finer noise says.

    Args:
      w: First octave of water.
      m: First octave of mountain.
      distance: Distance to the player, cells.
    """
    near = (_START_RADIUS - distance) + _START_WEIGHT * BOUND
    if near > -_START_WEIGHT:
        return False  # the start may matter
    start = 1 / (1 + math.exp(-near))
    fine = BOUND * _WATER_OCTAVES[1, 1]
    most = w + fine + _WATER_OFFSET
    least = w - fine + _WATER_OFFSET - _WATER_START * start
    if most >= _SAND_LOW - _MARGIN:
        return False
    high = (
        m + BOUND * _MOUNTAIN_OCTAVES[1, 1]
    ) / _MOUNTAIN_SUM - _MOUNTAIN_WATER * least
    return high < _THRESHOLD - _MARGIN


@compiled
def _fill_low(g, perm, slopes, x, y, water):
    """Sets the material of a cell that is neither start nor mountain."""
    sure = True
    for limit in (_SAND_LOW, _SAND_HIGH, _LAKE):
        sure = sure and abs(water - limit) >= _MARGIN
    if _SAND_LOW < water <= _SAND_HIGH and _passes(
        perm, slopes, _SAND_NOISE, x, y, 0.0
    ):
        g.materials[x, y] = _SAND
    elif water > _LAKE:
        g.materials[x, y] = _WATER
    elif _passes(perm, slopes, _TREE_NOISE, x, y, 0.0) and uniform(g) > _TREE_DRAW:
        g.materials[x, y] = _TREE
    else:
        g.materials[x, y] = _GRASS
    return sure


@compiled
def _passes(perm, slopes, rule, x, y, mountain):
    """Tells whether noise and mountain are above the thresholds of a rule."""
    z, size, above, least = rule
    if not mountain > least:
        return False
    if size == 0:
        return True
    return noise(perm, slopes, x / size, y / size, z) > above


@compiled
def _stretched(c, factor):
    # A factor below 1 is a division in the published game.
    return c * factor if factor >= 1 else c / np.round(1 / factor)


@compiled
def _fill_mountain(g, perm, slopes, tunnels, x, y, mountain):
    """Sets the material of a mountain cell; tells whether it is sure."""
    sure = True
    for rule in (_CAVE_RULE, _LAVA_RULE):
        sure = sure and abs(mountain - rule[3]) >= _MARGIN
    for i in range(len(_ORE_RULES)):
        sure = sure and abs(mountain - _ORE_RULES[i, 3]) >= _MARGIN
    g.materials[x, y] = _PATH
    if _passes(perm, slopes, _CAVE_RULE, x, y, mountain):
        return sure
    for i in range(len(_TUNNEL_RULES)):
        tx, ty = _stretched(x, _STRETCH[i, 0]), _stretched(y, _STRETCH[i, 1])
        if _passes(perm, slopes, _TUNNEL_RULES[i], tx, ty, mountain):
            tunnels[x, y] = True
            return sure
    for i in range(len(_ORE_RULES)):
        if _passes(perm, slopes, _ORE_RULES[i], x, y, mountain):
            if uniform(g) > _ORE_DRAW[i]:
                g.materials[x, y] = _ORE_MATERIAL[i]
                return sure
    lava = _passes(perm, slopes, _LAVA_RULE, x, y, mountain)
    g.materials[x, y] = _LAVA if lava else _STONE
    return sure


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
                    world.add(g, kind, x, y, HEALTH[kind], -1)
                    break
    return DONE
