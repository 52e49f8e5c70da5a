"""A world filled from noise: first the materials, then the creatures.

All noise fields are evaluated over whole arrays up front, since they draw nothing.
What draws (ores, trees, creatures) then goes cell by cell, x outer and y inner, in
the order of the published game.

Source: Crafter 1.8.3, world generation; the numbers are in `data.yaml`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter import constants
from crafter.engine import World
from crafter.noise import Noise
from crafter.objects import KINDS, Creature, Player

_T: dict[str, Any] = constants.terrain
_ID = constants.material_ids
_TREE = 1 << len(_T["ores"])  # bit that says "may be a tree"; lower bits: ores


def generate(world: World, player: Player) -> None:
    """Fills a world with materials and creatures.

    Args:
      world: A world of no materials that holds the player alone.
      player: The player; the terrain around it is made safe.
    """
    noise = Noise(world.random.below(2**31 - 1))
    materials, tunnels = _materials(world, player, noise)
    world.fill(materials)
    _creatures(world, player, tunnels)


def _field(noise: Noise, rule: dict[str, Any], x, y) -> np.ndarray:
    """Returns the octaves of a field added up, left to right."""
    octaves = rule["octaves"]
    total: Any = 0
    for size, weight in octaves:
        total = total + weight * noise(x / size, y / size, rule["z"])
    if rule.get("divide", True):
        total = total / sum(weight for _, weight in octaves)
    return total


def _base_fields(noise: Noise, player: Player, x, y) -> tuple[np.ndarray, ...]:
    """Returns how near the start, water and mountain are, of the shape of x."""
    rule = _T["start"]
    distance = np.sqrt((x - player.x) ** 2 + (y - player.y) ** 2)
    start = rule["radius"] - distance
    start = start + rule["noise_weight"] * _field(noise, rule["noise"], x, y)
    start = 1 / (1 + np.exp(-start))
    rule = _T["water"]
    water = _field(noise, rule["noise"], x, y) + rule["offset"]
    water = water - rule["start_weight"] * start
    rule = _T["mountain"]
    mountain = _field(noise, rule["noise"], x, y)
    mountain = mountain - (rule["start_weight"] * start + rule["water_weight"] * water)
    return start, water, mountain


def _materials(
    world: World, player: Player, noise: Noise
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the material ids, and which cells are tunnels; shape `area`."""
    xs, ys = (c.ravel().astype(np.float64) for c in np.indices(world.area))
    start, water, mountain = _base_fields(noise, player, xs, ys)
    materials = np.full(xs.shape, _ID["grass"], np.uint8)
    draws = np.zeros(xs.shape, np.uint8)
    tunnels = np.zeros(xs.shape, bool)

    far = ~(start > _T["start"]["grass"])
    high = far & (mountain > _T["mountain"]["threshold"])
    cells = np.flatnonzero(high)
    materials[cells], draws[cells], tunnels[cells] = _mountain(
        noise, xs[cells], ys[cells], mountain[cells]
    )
    low = far & ~high
    rule = _T["sand"]
    shore = np.flatnonzero(low & (rule["water"][0] < water) & (water <= rule["water"][1]))
    sand = _field(noise, rule["noise"], xs[shore], ys[shore]) > rule["above"]
    materials[low & (water > _T["lake"])] = _ID["water"]
    materials[shore[sand]] = _ID["sand"]

    rule = _T["tree"]
    meadow = np.flatnonzero(low & (materials == _ID["grass"]))
    wooded = _field(noise, rule["noise"], xs[meadow], ys[meadow]) > rule["above"]
    draws[meadow[wooded]] = _TREE
    _draw_materials(world, materials, draws)
    return materials.reshape(world.area), tunnels.reshape(world.area)


def _mountain(noise: Noise, x, y, mountain) -> tuple[np.ndarray, ...]:
    """Returns material, possible draws and tunnel mark of mountain cells.

    Args:
      noise: The noise source.
      x: Columns of the cells, float array of shape (n,).
      y: Rows of the cells.
      mountain: The mountain field there.
    """
    materials = np.full(x.shape, _ID["stone"], np.uint8)
    lava = _above(noise, _T["lava"], x, y, mountain)
    materials[lava] = _ID["lava"]
    draws = np.zeros(x.shape, np.uint8)
    for bit, ore in enumerate(_T["ores"]):
        draws |= _above(noise, ore, x, y, mountain).astype(np.uint8) << bit

    cave = _above(noise, _T["cave"], x, y, mountain)
    tunnels = np.zeros(x.shape, bool)
    for rule in _T["tunnels"]:
        sx, sy = rule["stretch"]
        tunnels |= _above(noise, rule, _stretched(x, sx), _stretched(y, sy), mountain)
    tunnels &= ~cave
    materials[cave | tunnels] = _ID["path"]
    draws[cave | tunnels] = 0
    return materials, draws, tunnels


def _stretched(c: np.ndarray, factor: float) -> np.ndarray:
    # A factor below 1 is a division in the published game: 7 / 5 is not 7 * 0.2.
    return c * factor if factor >= 1 else c / round(1 / factor)


def _above(noise: Noise, rule: dict[str, Any], x, y, mountain) -> np.ndarray:
    """Returns where the rule's noise and mountain thresholds are passed."""
    result = mountain > rule.get("mountain", -np.inf)
    if "noise" in rule:
        cells = np.flatnonzero(result)
        values = _field(noise, rule["noise"], x[cells], y[cells])
        result[cells] = values > rule["above"]
    return result


def _draw_materials(world: World, materials: np.ndarray, draws: np.ndarray) -> None:
    """Turns cells into ores and trees, where the draw is high enough.

    Args:
      world: Gives the random stream.
      materials: Material ids, uint8 of shape (cells,); changed in place.
      draws: Per cell the bits of what it may become, tried in bit order.
    """
    random = world.random.random
    rules = [(1 << i, r["draw_above"], _ID[r["material"]]) for i, r in enumerate(_T["ores"])]
    rules.append((_TREE, _T["tree"]["draw_above"], _ID["tree"]))
    cells = np.flatnonzero(draws)
    for cell, bits in zip(cells.tolist(), draws[cells].tolist()):
        for bit, threshold, material in rules:
            if bits & bit and random() > threshold:
                materials[cell] = material
                break


def _creatures(world: World, player: Player, tunnels: np.ndarray) -> None:
    """Adds cows, zombies and skeletons, cell by cell."""
    random = world.random.random
    materials = world.materials
    xs, ys = np.isin(materials, [_ID[name] for name in constants.walkable]).nonzero()
    distance = np.sqrt((xs - player.x) ** 2 + (ys - player.y) ** 2)
    candidates = np.zeros(xs.shape, np.uint8)
    rules = []
    for i, (kind, rule) in enumerate(_T["creatures"].items()):
        possible = np.isin(materials[xs, ys], [_ID[name] for name in rule["ground"]])
        possible &= distance > rule.get("distance", -1)
        if rule.get("tunnels"):
            possible &= tunnels[xs, ys]
        candidates |= possible.astype(np.uint8) << i
        rules.append((1 << i, rule["draw_above"], KINDS[kind]))
    for x, y, bits in zip(xs.tolist(), ys.tolist(), candidates.tolist()):
        for bit, threshold, make in rules:
            if bits & bit and random() > threshold:
                assert issubclass(make, Creature)
                world.add(make(world, (x, y), player))
                break
