"""Worlds from noise: those of `crafter.worldgen` for the same noise seed and draws.

The terrain depends on the noise seed alone and takes almost all of the time; it is made
for several seeds at once. What is drawn comes after it, one world at a time.

Exponentials may differ from NumPy's in the last bit. A cell could come out otherwise
only if a threshold lay that close, one part in 10**15.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.batch import tables as t
from crafter.batch.jax import noise, world
from crafter.batch.jax.state import FIELDS, NEVER, Config, State, fields
from crafter.functional.arrays import count_before, look_up, select_first
from crafter.functional.precision import at_most, double

_T: Mapping[str, Any] = t.RULES.terrain
_ID = t.MATERIAL
_ORES, _CREATURES = _T["ores"], _T["creatures"]
#: How many seeds are evaluated at once.
BATCH = 8
#: Numbers that a cell may draw for its material, and for a creature.
MATERIAL_DRAWS, CREATURE_DRAWS = max(1, len(_ORES)), len(_CREATURES)
_TREE = 1 << len(_ORES)  # bit that says "may be a tree"; lower bits: ores
_TUNNEL = _TREE << 1


class Draws(NamedTuple):
    """The random numbers of a world, float32 in [0, 1), multiples of 2**-24.

    Attributes:
      materials: By number of the draw in a cell, shape (MATERIAL_DRAWS, X, Y). Ores
        use the one of their place in the list, trees the first.
      creatures: By kind, in the order of `data.yaml`; shape (CREATURE_DRAWS, X, Y).
    """

    materials: jax.Array
    creatures: jax.Array


class Terrain(NamedTuple):
    """What the noise seed decides.

    Attributes:
      materials: Material ids without what is drawn, uint8 (X, Y).
      marks: Bits per cell: the ores that it may become, a tree, a tunnel; uint8.
    """

    materials: jax.Array
    marks: jax.Array


def draw_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Returns the shape of each field of `Draws`."""
    return {
        "materials": (MATERIAL_DRAWS, *config.area),
        "creatures": (CREATURE_DRAWS, *config.area),
    }


def terrain(config: Config, permutation: jax.Array) -> Terrain:
    """Returns the terrain of a permutation; under `vmap` `BATCH` at a time.

    Args:
      config: What is fixed.
      permutation: As `noise.permutation` makes it from a seed, int32 (256,).
    """

    @jax.custom_batching.custom_vmap
    def one(permutation: jax.Array) -> Terrain:
        made = _terrains(config, permutation[None])
        return jax.tree.map(lambda leaf: leaf[0], made)

    @one.def_vmap
    def many(count: int, _: Any, permutations: jax.Array) -> tuple[Terrain, Terrain]:
        blocks = -(-count // BATCH)
        padded = jnp.pad(permutations, ((0, blocks * BATCH - count), (0, 0)))
        padded = padded.reshape(blocks, BATCH, -1)
        made = jax.lax.map(lambda block: _terrains(config, block), padded)
        made = jax.tree.map(lambda x: x.reshape(-1, *config.area)[:count], made)
        return made, Terrain(True, True)  # type: ignore[arg-type]

    return one(permutation)


@functools.cache
def _requests(area: tuple[int, int]) -> tuple[noise.Grids, noise.Lattice, list[str]]:
    """Returns the points of the octaves of all noise, their lattice, and their names.

    A name is that of the rule that the octave belongs to.
    """
    columns, rows, depths, names = [], [], [], []
    for name, rule in _rules().items():
        x, y = (
            c * f if f >= 1 else c / round(1 / f)
            for c, f in zip(map(np.arange, area), rule.get("stretch", (1, 1)))
        )
        for size, _ in rule["noise"]["octaves"]:
            columns.append(x / size)
            rows.append(y / size)
            depths.append(float(rule["noise"]["z"]))
            names.append(name)
    grids = noise.Grids(*map(np.array, (columns, rows, depths)))
    return grids, noise.lattice(grids), names


def _rules() -> dict[str, dict[str, Any]]:
    """Returns the rules that look at noise, by name."""
    names = ("start", "water", "mountain", "cave", "lava", "sand", "tree")
    rules = {name: _T[name] for name in names}
    rules |= {f"tunnel{i}": rule for i, rule in enumerate(_T["tunnels"])}
    rules |= {ore["material"]: ore for ore in _ORES if "noise" in ore}
    return rules


def _sum_octaves(rule: dict[str, Any], octaves: list[jax.Array]) -> jax.Array:
    weights = [weight for _, weight in rule["octaves"]]
    total = weights[0] * octaves[0]
    for weight, octave in zip(weights[1:], octaves[1:]):
        total = total + weight * octave
    return total / sum(weights) if rule.get("divide", True) else total


def _terrains(config: Config, permutations: jax.Array) -> Terrain:
    """Returns the terrain of several permutations, int32 (n, 256)."""
    grids, tables, names = _requests(config.area)
    with double():
        values = noise.evaluate(grids, tables, permutations)
        found = {
            name: _sum_octaves(
                rule["noise"], [v for v, n in zip(values, names) if n == name]
            )
            for name, rule in _rules().items()
        }
        materials, marks = _classify(config, found)
        shape = (-1, *config.area)
        return Terrain(materials.T.reshape(shape), marks.T.reshape(shape))


def _classify(
    config: Config, found: dict[str, jax.Array]
) -> tuple[jax.Array, jax.Array]:
    """Returns materials and marks, uint8 (cells, seeds), of noise fields."""
    start, water, mountain = _base_fields(config, found)

    def passes(rule: dict[str, Any], name: str) -> jax.Array:
        high_enough = mountain > rule.get("mountain", -np.inf)
        if "noise" not in rule:
            return high_enough
        return high_enough & (found[name] > rule["above"])

    far = ~(start > _T["start"]["grass"])
    high = far & (mountain > _T["mountain"]["threshold"])
    low = far & ~high
    below, above = _T["sand"]["water"]
    sand = low & (below < water) & (water <= above) & passes(_T["sand"], "sand")
    lake = low & (water > _T["lake"]) & ~sand
    cave = high & passes(_T["cave"], "cave")
    tunnels = jnp.zeros_like(cave)
    for i, rule in enumerate(_T["tunnels"]):
        tunnels |= passes(rule, f"tunnel{i}")
    tunnels &= high & ~cave
    rock = high & ~cave & ~tunnels
    lava = rock & passes(_T["lava"], "lava")
    tree = low & ~sand & ~lake & passes(_T["tree"], "tree")
    materials = jnp.full(start.shape, _ID["grass"], jnp.uint8)
    for mask, name in (
        (lake, "water"),
        (sand, "sand"),
        (high, "path"),
        (rock, "stone"),
        (lava, "lava"),
    ):
        materials = jnp.where(mask, jnp.uint8(_ID[name]), materials)
    marks = jnp.where(tree, jnp.uint8(_TREE), 0)
    marks |= jnp.where(tunnels, jnp.uint8(_TUNNEL), 0)
    for bit, ore in enumerate(_ORES):
        possible = rock & passes(ore, ore["material"])
        marks |= jnp.where(possible, jnp.uint8(1 << bit), 0)
    return materials, marks


def _base_fields(
    config: Config, found: dict[str, jax.Array]
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns how near the start is, water and mountain, float64 (cells, seeds)."""
    x, y = (c.ravel().astype(np.float64) for c in np.indices(config.area))
    center_x, center_y = (length // 2 for length in config.area)
    distance = np.sqrt((x - center_x) ** 2 + (y - center_y) ** 2)[:, None]
    rule = _T["start"]
    start = (rule["radius"] - distance) + rule["noise_weight"] * found["start"]
    start = 1 / (1 + jnp.exp(-start))
    rule = _T["water"]
    water = (found["water"] + rule["offset"]) - rule["start_weight"] * start
    rule = _T["mountain"]
    sunk = rule["start_weight"] * start + rule["water_weight"] * water
    return start, water, found["mountain"] - sunk


def _above(draw: jax.Array, threshold: float) -> jax.Array:
    """Tells whether draws are above a threshold, as in double precision."""
    return draw > at_most(threshold)


def fill(config: Config, ground: Terrain, draws: Draws) -> tuple[jax.Array, jax.Array]:
    """Adds what is drawn to a terrain: ores, trees and creatures.

    Returns:
      Material ids, and the kind of creature by cell or 0; uint8 (X, Y).
    """
    materials = ground.materials
    open_ = jnp.ones(config.area, bool)
    for bit, ore in enumerate(_ORES):
        hit = open_ & (ground.marks & jnp.uint8(1 << bit) > 0)
        hit &= _above(draws.materials[bit], ore["draw_above"])
        materials = jnp.where(hit, jnp.uint8(_ID[ore["material"]]), materials)
        open_ &= ~hit
    tree = ground.marks & jnp.uint8(_TREE) > 0
    tree &= _above(draws.materials[0], _T["tree"]["draw_above"])
    materials = jnp.where(tree, jnp.uint8(_ID["tree"]), materials)
    tunnels = ground.marks & jnp.uint8(_TUNNEL) > 0
    return materials, _creatures(config, materials, tunnels, draws.creatures)


def _creatures(
    config: Config, materials: jax.Array, tunnels: jax.Array, draws: jax.Array
) -> jax.Array:
    """Returns the kind of creature by cell, 0 for none, uint8 (X, Y)."""
    x, y = np.indices(config.area)
    center_x, center_y = (length // 2 for length in config.area)
    distance = np.sqrt((x - center_x) ** 2 + (y - center_y) ** 2)
    open_ = look_up(t.OPEN, materials)
    kinds = jnp.zeros(config.area, jnp.uint8)
    for (kind, rule), draw in zip(_CREATURES.items(), draws):
        ground = np.isin(np.arange(t.MATERIALS), [_ID[n] for n in rule["ground"]])
        possible = open_ & look_up(ground, materials) & (kinds == 0)
        possible &= distance > rule.get("distance", -1)
        if rule.get("tunnels"):
            possible &= tunnels
        hit = possible & _above(draw, rule["draw_above"])
        kinds = jnp.where(hit, jnp.uint8(t.KIND[kind]), kinds)
    return kinds


_NEW_HEALTH = t.NEW_HEALTH.astype(np.int32)


def start(config: Config, materials: jax.Array, kinds: jax.Array) -> State:
    """Returns the state at the start of an episode in a given world.

    Args:
      config: What is fixed.
      materials: Material ids, uint8 (X, Y).
      kinds: Kind of the creature in each cell, 0 for none, uint8 (X, Y). Creatures get
        their indices in the order x outer, y inner.
    """
    height = config.area[1]
    present = kinds.reshape(-1) > 0
    counts = count_before(present)
    cell = select_first(present, counts, config.max_objects)
    alive = cell < present.shape[0]
    cell = jnp.minimum(cell, present.shape[0] - 1)
    kind = jnp.where(alive, kinds.reshape(-1)[cell].astype(jnp.int32), 0)
    x, y = cell // height, cell % height
    order = jnp.arange(1, config.max_objects + 1, dtype=jnp.int32)
    center_x, center_y = config.area[0] // 2, height // 2
    own = world.chunk_of(config, jnp.int32(center_x), jnp.int32(center_y))
    chunk_joined = jnp.full(config.chunks, NEVER).at[own].set(0)
    chunk = jnp.where(alive, world.chunk_of(config, x, y), -1)
    count = jnp.minimum(counts[-1], config.max_objects)
    objects: dict[str, Any] = {
        "kind": kind,
        "x": x,
        "y": y,
        "health": look_up(_NEW_HEALTH, kind),
        "facing": -1,
        "id": order + 1,
        "joined": order,
    }
    columns = {
        f"object_{name}": jnp.where(alive, value, 0).astype(
            FIELDS[f"object_{name}"].dtype
        )
        for name, value in objects.items()
    }
    return fields(
        config,
        {
            **columns,
            "materials": materials,
            "player_x": center_x,
            "player_y": center_y,
            "player_facing": t.DOWN,
            "inventory": np.array(config.initial),
            "last_health": config.initial[t.HEALTH],
            "rewarded_health": config.initial[t.HEALTH],
            "object_count": count,
            "next_id": count + 2,
            "next_joined": count + 1,
            "chunk_joined": world.join_chunks(config, chunk_joined, chunk, order),
            "dropped_objects": counts[-1] - count,
        },
    )
