"""A world filled from noise: first the materials, then the creatures.

All noise fields are evaluated over whole arrays up front, since they draw nothing.
What draws (ores, trees, creatures) then goes cell by cell, x outer and y inner, in
the order of the published game.

Source: Crafter 1.8.3, world generation; the numbers are in `data.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def _fields(
    noise: Noise, requests: Sequence[tuple[dict[str, Any], np.ndarray, np.ndarray]]
) -> list[np.ndarray]:
    """Evaluates several noise fields at once.

    Args:
      noise: The noise source.
      requests: Rule (height z, octaves) and coordinates, float64 of shape (n,), of
        each field.

    Returns:
      The octaves of each field added up, left to right, float64 of shape (n,).
    """
    xs, ys, zs = [], [], []
    for rule, x, y in requests:
        for size, _ in rule["octaves"]:
            xs.append(x / size)
            ys.append(y / size)
            zs.append(np.full(x.shape, float(rule["z"])))
    values = noise(*(np.concatenate(axis) for axis in (xs, ys, zs)))
    octaves = iter(np.split(values, np.cumsum([len(x) for x in xs])[:-1]))
    return [_sum_octaves(rule, octaves) for rule, _, _ in requests]


def _sum_octaves(rule: dict[str, Any], octaves: Iterator[np.ndarray]) -> np.ndarray:
    weights = [weight for _, weight in rule["octaves"]]
    total: Any = 0
    for weight in weights:
        total = total + weight * next(octaves)
    return total / sum(weights) if rule.get("divide", True) else total


def _base_fields(
    noise: Noise, player: Player, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns how near the start, water and mountain are, of the shape of x."""
    names = ("start", "water", "mountain")
    start, water, mountain = _fields(noise, [(_T[n]["noise"], x, y) for n in names])
    rule = _T["start"]
    distance = np.sqrt((x - player.x) ** 2 + (y - player.y) ** 2)
    start = (rule["radius"] - distance) + rule["noise_weight"] * start
    start = 1 / (1 + np.exp(-start))
    rule = _T["water"]
    water = (water + rule["offset"]) - rule["start_weight"] * start
    rule = _T["mountain"]
    mountain -= rule["start_weight"] * start + rule["water_weight"] * water
    return start, water, mountain


def _materials(
    world: World, player: Player, noise: Noise
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the material ids, and which cells are tunnels; shape `area`."""
    x, y = (c.ravel().astype(np.float64) for c in np.indices(world.area))
    start, water, mountain = _base_fields(noise, player, x, y)
    far = ~(start > _T["start"]["grass"])
    high = far & (mountain > _T["mountain"]["threshold"])
    low = far & ~high
    below, above = _T["sand"]["water"]
    shore = low & (below < water) & (water <= above)
    lake = low & (water > _T["lake"])
    marks = _mark(
        noise,
        x,
        y,
        mountain,
        {
            "sand": (_T["sand"], shore),
            "tree": (_T["tree"], low),
            "cave": (_T["cave"], high),
            "lava": (_T["lava"], high),
            **{f"tunnel{i}": (rule, high) for i, rule in enumerate(_T["tunnels"])},
            **{ore["material"]: (ore, high) for ore in _T["ores"]},
        },
    )
    tunnels = np.any([marks[f"tunnel{i}"] for i in range(len(_T["tunnels"]))], axis=0)
    tunnels &= ~marks["cave"]
    rock = high & ~marks["cave"] & ~tunnels

    # From the last rule to the first; a later line overrules the earlier ones.
    materials = np.full(x.shape, _ID["grass"], np.uint8)
    materials[lake] = _ID["water"]
    materials[marks["sand"]] = _ID["sand"]
    materials[high] = _ID["path"]
    materials[rock] = _ID["stone"]
    materials[rock & marks["lava"]] = _ID["lava"]

    draws = np.where(marks["tree"] & (materials == _ID["grass"]), _TREE, 0)
    for bit, ore in enumerate(_T["ores"]):
        draws[rock & marks[ore["material"]]] |= 1 << bit
    _draw_materials(world, materials, draws)
    return materials.reshape(world.area), tunnels.reshape(world.area)


def _mark(
    noise: Noise,
    x: np.ndarray,
    y: np.ndarray,
    mountain: np.ndarray,
    rules: dict[str, tuple[dict[str, Any], np.ndarray]],
) -> dict[str, np.ndarray]:
    """Marks the cells that pass a rule's noise and mountain thresholds.

    Args:
      noise: The noise source.
      x: Columns of all cells, float64 of shape (n,).
      y: Rows of all cells.
      mountain: The mountain field.
      rules: Name -> rule, and the cells to look at, bool of shape (n,).

    Returns:
      Name -> bool of shape (n,).
    """
    marks = {}
    for name, (rule, where) in rules.items():
        marks[name] = where & (mountain > rule.get("mountain", -np.inf))
    noisy = {name: rule for name, (rule, _) in rules.items() if "noise" in rule}
    cells = {name: np.flatnonzero(marks[name]) for name in noisy}
    fields = _fields(
        noise,
        [
            (rule["noise"], *_stretched(rule, x[cells[name]], y[cells[name]]))
            for name, rule in noisy.items()
        ],
    )
    for (name, rule), values in zip(noisy.items(), fields):
        marks[name][cells[name]] = values > rule["above"]
    return marks


def _stretched(
    rule: dict[str, Any], x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Returns coordinates stretched by the rule's factors, if it has any."""
    # A factor below 1 is a division in the published game: 7 / 5 is not 7 * 0.2.
    sx, sy = (
        (np.multiply, f) if f >= 1 else (np.divide, round(1 / f))
        for f in rule.get("stretch", (1, 1))
    )
    return sx[0](x, sx[1]), sy[0](y, sy[1])


def _draw_materials(world: World, materials: np.ndarray, draws: np.ndarray) -> None:
    """Turns cells into ores and trees, where the draw is high enough.

    Args:
      world: Gives the random stream.
      materials: Material ids, uint8 of shape (cells,); changed in place.
      draws: Per cell the bits of what it may become, tried in bit order; shape
        (cells,).
    """
    random = world.random.random
    rules = [
        (1 << i, r["draw_above"], _ID[r["material"]]) for i, r in enumerate(_T["ores"])
    ]
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
