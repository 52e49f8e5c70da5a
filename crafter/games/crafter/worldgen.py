"""World generation from noise: first the materials, then the creatures.

All noise fields are evaluated over whole arrays first, since they draw no random
numbers. Random steps (ores, trees, creatures) then go cell by cell, x outer and y
inner, in the order of the published game.

Source: Crafter 1.8.3, world generation; the numbers are in `data.yaml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crafter.core.grid import frozen
from crafter.games.crafter.engine import World
from crafter.games.crafter.noise import Noise
from crafter.games.crafter.objects import KINDS, Player
from crafter.games.crafter.terrain import base_fields, sum_octaves


def generate(world: World, player: Player) -> None:
    """Fills a world with materials and creatures.

    Args:
      world: A world without materials that contains only the player.
      player: The player, which gets safe terrain around it.
    """
    noise = Noise(world.random.below(2**31 - 1))
    materials, tunnels = _materials(world, player, noise)
    world.fill(materials)
    world.tunnels = frozen(tunnels)
    _creatures(world, player, tunnels)


def _fields(
    noise: Noise, requests: Sequence[tuple[dict[str, Any], np.ndarray, np.ndarray]]
) -> list[np.ndarray]:
    """Evaluates several noise fields at once.

    Args:
      noise: The noise source.
      requests: Rule (height z, octaves) and coordinates, float64 of shape (n,), of
        each field.

    Returns:
      Weighted octaves of each field, summed left to right, float64 of shape (n,).
    """
    xs, ys, zs = [], [], []
    for rule, x, y in requests:
        for size, _ in rule["octaves"]:
            xs.append(x / size)
            ys.append(y / size)
            zs.append(np.full(x.shape, float(rule["z"])))
    values = noise(*(np.concatenate(axis) for axis in (xs, ys, zs)))
    octaves = iter(np.split(values, np.cumsum([len(x) for x in xs])[:-1]))
    return [sum_octaves(rule, octaves) for rule, _, _ in requests]


def _base_fields(
    noise: Noise, player: Player, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the fields of start, water and mountain, of the shape of x."""
    terrain = player.world.rules.terrain
    names = ("start", "water", "mountain")
    fields = _fields(noise, [(terrain[name]["noise"], x, y) for name in names])
    distance = np.sqrt((x - player.x) ** 2 + (y - player.y) ** 2)
    return base_fields(terrain, distance, dict(zip(names, fields)), np.exp)[1:]


def _materials(
    world: World, player: Player, noise: Noise
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the material ids and the mask of tunnels, of shape `area`."""
    terrain, ids = world.rules.terrain, world.rules.material_ids
    x, y = (c.ravel().astype(np.float64) for c in np.indices(world.area))
    start, water, mountain = _base_fields(noise, player, x, y)
    far = ~(start > terrain["start"]["grass"])
    high = far & (mountain > terrain["mountain"]["threshold"])
    low = far & ~high
    below, above = terrain["sand"]["water"]
    shore = low & (below < water) & (water <= above)
    lake = low & (water > terrain["lake"])
    tunnel_rules, ore_rules = enumerate(terrain["tunnels"]), enumerate(terrain["ores"])
    places = {
        "sand": (terrain["sand"], shore),
        "tree": (terrain["tree"], low),
        "cave": (terrain["cave"], high),
        "lava": (terrain["lava"], high),
        **{f"tunnel{i}": (rule, high) for i, rule in tunnel_rules},
        **{f"ore{i}": (rule, high) for i, rule in ore_rules},
    }
    marks = _mark(noise, x, y, mountain, places)
    tunnels = np.zeros(x.shape, bool)
    for i in range(len(terrain["tunnels"])):
        tunnels |= marks[f"tunnel{i}"]
    tunnels &= ~marks["cave"]
    rock = high & ~marks["cave"] & ~tunnels

    # From the last rule to the first; later lines override earlier ones.
    materials = np.full(x.shape, ids["grass"], np.uint8)
    materials[lake] = ids["water"]
    materials[marks["sand"]] = ids["sand"]
    materials[high] = ids["path"]
    materials[rock] = ids["stone"]
    materials[rock & marks["lava"]] = ids["lava"]

    # Bits of the candidates of a cell: the ores in order, then a tree.
    draws = np.zeros(x.shape, np.int64)
    for i in range(len(terrain["ores"])):
        draws[rock & marks[f"ore{i}"]] |= 1 << i
    draws[marks["tree"] & (materials == ids["grass"])] = 1 << len(terrain["ores"])
    _draw_materials(world, materials, draws)
    return materials.reshape(world.area), tunnels.reshape(world.area)


def _mark(
    noise: Noise,
    x: np.ndarray,
    y: np.ndarray,
    mountain: np.ndarray,
    rules: dict[str, tuple[dict[str, Any], np.ndarray]],
) -> dict[str, np.ndarray]:
    """Marks the cells above the noise and mountain thresholds of rules.

    Args:
      noise: The noise source.
      x: Columns of all cells, float64 of shape (n,).
      y: Rows of all cells.
      mountain: The mountain field.
      rules: Name -> rule, and the mask of cells to evaluate, bool of shape (n,).

    Returns:
      Name -> bool of shape (n,).
    """
    marks = {
        name: where & (mountain > rule.get("mountain", -np.inf))
        for name, (rule, where) in rules.items()
    }
    noisy = {name: rule for name, (rule, _) in rules.items() if "noise" in rule}
    cells = {name: np.flatnonzero(marks[name]) for name in noisy}
    requests = []
    for name, rule in noisy.items():
        sx, sy = rule.get("stretch", (1, 1))
        here = cells[name]
        requests.append((rule["noise"], _times(x[here], sx), _times(y[here], sy)))
    for (name, rule), values in zip(noisy.items(), _fields(noise, requests)):
        marks[name][cells[name]] = values > rule["above"]
    return marks


def _times(values: np.ndarray, factor: float) -> np.ndarray:
    """Multiplies by a factor.

    Factors such as 0.2 are divisions in the published game: 7 / 5 is not 7 * 0.2.
    """
    divisor = round(1 / factor)
    return values / divisor if 1 / factor == divisor else values * factor


def _draw_materials(world: World, materials: np.ndarray, draws: np.ndarray) -> None:
    """Turns cells into ores and trees if their random draw is high enough.

    Args:
      world: The world, with the random stream.
      materials: Material ids, uint8 of shape (cells,); changed in place.
      draws: Bits of the candidates per cell, tried in bit order; shape (cells,).
    """
    random = world.random.random
    terrain, ids = world.rules.terrain, world.rules.material_ids
    becomes = [(r["draw_above"], ids[r["material"]]) for r in terrain["ores"]]
    becomes.append((terrain["tree"]["draw_above"], ids["tree"]))
    rules = [(1 << i, *rule) for i, rule in enumerate(becomes)]
    cells = np.flatnonzero(draws)
    for cell, bits in zip(cells.tolist(), draws[cells].tolist()):
        for bit, threshold, material in rules:
            if bits & bit and random() > threshold:
                materials[cell] = material
                break


def _creatures(world: World, player: Player, tunnels: np.ndarray) -> None:
    """Adds cows, zombies and skeletons, cell by cell."""
    random = world.random.random
    materials, ids = world.materials, world.rules.material_ids
    xs, ys = np.isin(materials, [ids[name] for name in world.rules.walkable]).nonzero()
    distance = np.sqrt((xs - player.x) ** 2 + (ys - player.y) ** 2)
    candidates = np.zeros(xs.shape, np.uint8)
    rules = []
    for i, (kind, rule) in enumerate(world.rules.terrain["creatures"].items()):
        possible = np.isin(materials[xs, ys], [ids[name] for name in rule["ground"]])
        possible &= distance > rule.get("distance", -1)
        if rule.get("tunnels"):
            possible &= tunnels[xs, ys]
        candidates |= possible.astype(np.uint8) << i
        rules.append((1 << i, rule["draw_above"], KINDS[kind].create))
    for x, y, bits in zip(xs.tolist(), ys.tolist(), candidates.tolist()):
        for bit, threshold, create in rules:
            if bits & bit and random() > threshold:
                world.add(create(world, (x, y), player))
                break
