"""World generation, equal to `crafter.worldgen` for the same noise seed and draws.

The terrain depends only on the noise seed and takes almost all of the time; it is
generated for several seeds at once. The random parts follow, one world at a time.

Double precision decides wherever single precision might be wrong. Its exponentials may
differ from NumPy's in the last bit, so a cell could differ only if it is that close to
a threshold, one part in 10**15. At the edge of the start area, where this is common,
exponents are compared instead.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import random, sparse
from crafter.functional.arrays import count_before, look_up, select_first
from crafter.functional.precision import at_most, double, doubles
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import noise, world
from crafter.games.crafter.jax.state import NEVER, Config, State, fields
from crafter.games.crafter.terrain import base_fields, sum_octaves

_T: Mapping[str, Any] = t.RULES.terrain
_ORES, _CREATURES = _T["ores"], _T["creatures"]
_NOISE_SEEDS = 2**31 - 1
_FIRST_USE = 8  # first argument of `random.bits`
#: Number of seeds evaluated at once.
BATCH = 8
_MARKS_AT, _IN_DOUBT = 8, 1 << 16
# Values nearer to a threshold are re-evaluated in double precision. The terrain fields
# are sums of noise with weights up to 4.
_DOUBT = 10 * noise.ERROR
# Number of such cells evaluated at once. Worlds have about 14, most of them where both
# the noise and the threshold are 0.
_DOUBTFUL = 128
#: Draws per cell for its material, and for a creature.
MATERIAL_DRAWS, CREATURE_DRAWS = len(_ORES), len(_CREATURES)
_TREE = 1 << len(_ORES)  # bit of tree candidates; lower bits: ores
_TUNNEL = _TREE << 1


class Draws(NamedTuple):
    """Random numbers of a world, float32 in [0, 1), multiples of 2**-24.

    Attributes:
      materials: Draws per cell, shape (MATERIAL_DRAWS, X, Y). Ores use the draw at
        their index in the list, trees the first.
      creatures: By kind, in the order of `data.yaml`; shape (CREATURE_DRAWS, X, Y).
    """

    materials: jax.Array
    creatures: jax.Array


class Level(NamedTuple):
    """A world before the first step.

    Attributes:
      permutation: Noise permutation of the terrain, int32 (256,).
      materials: Material ids, uint8 (X, Y).
      creatures: Kind of the creature in each cell, 0 for none, uint8 (X, Y).
    """

    permutation: jax.Array
    materials: jax.Array
    creatures: jax.Array


class Terrain(NamedTuple):
    """Part of a world that depends only on the noise seed.

    Attributes:
      materials: Material ids without the random parts, uint8 (X, Y).
      marks: Bits per cell: candidate ores, candidate tree, tunnel; uint8 (X, Y).
    """

    materials: jax.Array
    marks: jax.Array


def draw_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Returns the shape of each field of `Draws`."""
    return {
        "materials": (MATERIAL_DRAWS, *config.area),
        "creatures": (CREATURE_DRAWS, *config.area),
    }


def draw(config: Config, words: jax.Array) -> Draws:
    """Draws all random numbers of a world except the noise seed.

    Args:
      config: Static configuration.
      words: Words from `random.words`, uint32 (WORDS,).
    """
    return Draws(**random.fill(draw_shapes(config), words, _FIRST_USE))


def sample(config: Config, words: jax.Array) -> Level:
    """Generates a random level; arguments as for `draw`."""
    seed = (words[3] % np.uint32(_NOISE_SEEDS)).astype(jnp.int32)
    return generate(config, noise.permutation(seed), draw(config, words))


def generate(config: Config, permutation: jax.Array, draws: Draws) -> Level:
    """Generates a level from a noise permutation and random numbers."""
    ground = terrain(config, permutation)
    return Level(permutation, *fill(config, ground, draws))


def terrain(config: Config, permutation: jax.Array) -> Terrain:
    """Generates the terrain of a permutation; under `vmap`, `BATCH` at a time.

    Args:
      config: Static configuration.
      permutation: Result of `noise.permutation`, int32 (256,).
    """

    @jax.custom_batching.custom_vmap
    def one(permutation: jax.Array) -> Terrain:
        terrains = _terrains(config, permutation[None])
        return jax.tree.map(lambda leaf: leaf[0], terrains)

    @one.def_vmap
    def many(count: int, _: Any, permutations: jax.Array) -> tuple[Terrain, Terrain]:
        blocks = -(-count // BATCH)
        padded = jnp.pad(permutations, ((0, blocks * BATCH - count), (0, 0)))
        padded = padded.reshape(blocks, BATCH, -1)
        terrains = jax.lax.map(lambda block: _terrains(config, block), padded)
        terrains = jax.tree.map(lambda x: x.reshape(-1, *config.area)[:count], terrains)
        return terrains, Terrain(True, True)  # type: ignore[arg-type]

    return one(permutation)


@functools.cache
def _requests(area: tuple[int, int]) -> tuple[noise.Grids, noise.Lattice, list[str]]:
    """Returns the points of all noise octaves, their lattice, and their rule names."""
    points, names = [], []
    for name, rule in _rules().items():
        x, y = (
            c * f if f >= 1 else c / round(1 / f)
            for c, f in zip(map(np.arange, area), rule.get("stretch", (1, 1)))
        )
        for size, _ in rule["noise"]["octaves"]:
            points.append((x / size, y / size, float(rule["noise"]["z"])))
            names.append(name)
    grids = noise.Grids(*map(np.array, zip(*points)))
    return grids, noise.lattice(grids), names


def _rules() -> dict[str, dict[str, Any]]:
    """Returns the rules that depend on noise, by name."""
    names = ("start", "water", "mountain", "cave", "lava", "sand", "tree")
    rules = {name: _T[name] for name in names}
    rules |= {f"tunnel{i}": rule for i, rule in enumerate(_T["tunnels"])}
    rules |= {ore["material"]: ore for ore in _ORES if "noise" in ore}
    return rules


def _terrains(config: Config, permutations: jax.Array) -> Terrain:
    """Generates the terrains of several permutations, int32 (n, 256).

    Single precision decides most cells; doubtful ones are re-evaluated in double.
    """
    grids, tables, names = _requests(config.area)
    tables = jax.tree.map(jnp.asarray, tables)  # otherwise programs hold them twice
    turned = noise.turns(tables, permutations)
    distance = _distance(config).ravel()
    near = distance[:, None].astype(np.float32)
    rules = config.rules.terrain
    rough = _classify(rules, near, _sums(noise.roughly(tables, turned), names))
    rough = sparse.once(rough, permutations).ravel()

    def look(_: jax.Array, numbers: jax.Array) -> jax.Array:
        cells, seeds = jnp.divmod(numbers, len(permutations))
        cells = jnp.minimum(cells, len(distance) - 1)
        with double():
            values = noise.exactly(grids, tables, turned, cells, seeds)
            (far,) = doubles(distance)
            return _classify(rules, far[cells], _sums(values, names))

    words = sparse.replace(rough >= _IN_DOUBT, look, rough, _DOUBTFUL)
    words = jnp.moveaxis(words.reshape(*config.area, -1), -1, 0)
    parts = (words >> shift & 255 for shift in (0, _MARKS_AT))
    return Terrain(*(part.astype(jnp.uint8) for part in parts))


def _distance(config: Config) -> np.ndarray:
    """Returns the distance of cells from the player's start, float64 (X, Y)."""
    x, y = np.indices(config.area)
    center_x, center_y = (length // 2 for length in config.area)
    return np.sqrt((x - center_x) ** 2 + (y - center_y) ** 2)


def _sums(values: jax.Array, names: list[str]) -> dict[str, jax.Array]:
    """Sums the octaves of each rule."""
    return {
        name: sum_octaves(
            rule["noise"], [v for v, n in zip(values, names) if n == name]
        )
        for name, rule in _rules().items()
    }


def _classify(
    rules: Mapping[str, Any], distance: Any, sums: dict[str, jax.Array]
) -> jax.Array:
    """Returns the terrain of cells packed into integers, so that it is computed once.

    Args:
      rules: The section `terrain`, for its thresholds.
      distance: Distance of cells from the player's start.
      sums: Noise by rule name, float32 or float64 (cells, ...).

    Returns:
      Material, marks from bit `_MARKS_AT` on, and `_IN_DOUBT` where a relevant value is
      so near its threshold that single precision may be wrong; int32 (cells, ...).
    """
    nearness, _, water, mountain = base_fields(_T, distance, sums, jnp.exp)
    doubt = jnp.zeros(nearness.shape, bool)

    def above(value: jax.Array, threshold: float, among: jax.Array) -> jax.Array:
        nonlocal doubt
        doubt |= among & (abs(value - threshold) < _DOUBT)
        return among & (value > threshold)

    def passing(rule: dict[str, Any], name: str, among: jax.Array) -> jax.Array:
        if "mountain" in rule:
            among = above(mountain, rule["mountain"], among)
        if "noise" in rule:
            among = above(sums[name], rule["above"], among)
        return among

    everywhere = jnp.ones(nearness.shape, bool)
    far = ~above(nearness, t.start_edge(), everywhere)
    high = above(mountain, rules["mountain"]["threshold"], far)
    low = far & ~high
    least, most = rules["sand"]["water"]
    shore = above(water, least, low)
    shore &= ~above(water, most, shore)
    sand = passing(rules["sand"], "sand", shore)
    lake = above(water, rules["lake"], low & ~sand)
    cave = passing(rules["cave"], "cave", high)
    tunnels = jnp.zeros_like(cave)
    for i, rule in enumerate(rules["tunnels"]):
        tunnels |= passing(rule, f"tunnel{i}", high & ~cave)
    rock = high & ~cave & ~tunnels
    lava = passing(rules["lava"], "lava", rock)
    tree = passing(rules["tree"], "tree", low & ~sand & ~lake)
    places = {"water": lake, "sand": sand, "path": high, "stone": rock, "lava": lava}
    words = jnp.full(nearness.shape, t.MATERIAL["grass"], jnp.int32)
    for name, mask in places.items():
        words = jnp.where(mask, t.MATERIAL[name], words)
    marks = {_TREE: tree, _TUNNEL: tunnels}
    for bit, ore in enumerate(rules["ores"]):
        marks[1 << bit] = passing(ore, ore["material"], rock)
    for mark, mask in marks.items():
        words |= jnp.where(mask, mark << _MARKS_AT, 0)
    return words | jnp.where(doubt, _IN_DOUBT, 0)


def _above(draw: jax.Array, threshold: float) -> jax.Array:
    """Compares draws with a threshold, as in double precision."""
    return draw > at_most(threshold)


def fill(config: Config, ground: Terrain, draws: Draws) -> tuple[jax.Array, jax.Array]:
    """Adds the random parts to a terrain: ores, trees and creatures.

    Returns:
      Material ids, and the kind of creature by cell or 0; uint8 (X, Y).
    """
    rules, materials = config.rules.terrain, ground.materials
    open_ = jnp.ones(config.area, bool)
    for bit, ore in enumerate(rules["ores"]):
        hit = open_ & (ground.marks & jnp.uint8(1 << bit) > 0)
        hit &= _above(draws.materials[bit], ore["draw_above"])
        materials = jnp.where(hit, jnp.uint8(t.MATERIAL[ore["material"]]), materials)
        open_ &= ~hit
    tree = ground.marks & jnp.uint8(_TREE) > 0
    tree &= _above(draws.materials[0], rules["tree"]["draw_above"])
    materials = jnp.where(tree, jnp.uint8(t.MATERIAL["tree"]), materials)
    tunnels = ground.marks & jnp.uint8(_TUNNEL) > 0
    return materials, _creatures(config, materials, tunnels, draws.creatures)


def _creatures(
    config: Config, materials: jax.Array, tunnels: jax.Array, draws: jax.Array
) -> jax.Array:
    """Returns the kind of creature by cell, 0 for none, uint8 (X, Y)."""
    distance = _distance(config)
    open_ = look_up(config.tables.open, materials)
    kinds = jnp.zeros(config.area, jnp.uint8)
    rules = config.rules.terrain["creatures"]
    for (kind, rule), draw in zip(rules.items(), draws):
        ground = np.isin(
            np.arange(t.MATERIALS), [t.MATERIAL[n] for n in rule["ground"]]
        )
        possible = open_ & look_up(ground, materials) & (kinds == 0)
        possible &= distance > rule.get("distance", -1)
        if rule.get("tunnels"):
            possible &= tunnels
        hit = possible & _above(draw, rule["draw_above"])
        kinds = jnp.where(hit, jnp.uint8(t.KIND[kind]), kinds)
    return kinds


def start(config: Config, level: Level) -> State:
    """Returns the initial state of an episode in a level.

    Creatures are indexed in the order x outer, y inner.
    """
    center_x, center_y = (length // 2 for length in config.area)
    kinds = sparse.once(level.creatures, level.materials).reshape(-1)
    counts = count_before(kinds > 0)
    cell = select_first(kinds > 0, counts, config.max_objects)
    alive = cell < len(kinds)
    cell = jnp.minimum(cell, len(kinds) - 1)
    kind = jnp.where(alive, kinds[cell].astype(jnp.int32), 0)
    x, y = cell // config.area[1], cell % config.area[1]
    order = jnp.arange(1, config.max_objects + 1, dtype=jnp.int32)
    own = world.chunk_of(config, jnp.int32(center_x), jnp.int32(center_y))
    chunk_joined = jnp.full(config.chunks, NEVER).at[own].set(0)
    chunk = jnp.where(alive, world.chunk_of(config, x, y), -1)
    count = jnp.minimum(counts[-1], config.max_objects)
    health = int(config.tables.initial[t.HEALTH])
    objects: dict[str, Any] = {
        "kind": kind,
        "x": x,
        "y": y,
        "health": look_up(config.tables.new_health.astype(np.int32), kind),
        "facing": -1,
        "id": order + 1,
        "joined": order,
    }
    values = {
        **{f"object_{n}": jnp.where(alive, value, 0) for n, value in objects.items()},
        "materials": level.materials,
        "player_x": center_x,
        "player_y": center_y,
        "player_facing": t.DOWN,
        "inventory": config.tables.initial,
        "last_health": health,
        "rewarded_health": health,
        "object_count": count,
        "next_id": count + 2,
        "next_joined": count + 1,
        "chunk_joined": world.join_chunks(chunk_joined, chunk, order),
        "dropped_objects": counts[-1] - count,
    }
    return fields(config, values)
