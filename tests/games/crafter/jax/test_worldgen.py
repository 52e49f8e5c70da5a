"""JAX worlds compared with those of worldgen.py, from equal seeds and draws."""

import unittest.mock

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax_games
from budget import LONG

from crafter.engine import World
from crafter.functional.precision import double
from crafter.games.crafter import noise, terrain, worldgen
from crafter.games.crafter.jax import noise as jax_noise
from crafter.games.crafter.jax import worldgen as jax_worldgen
from crafter.games.crafter.jax.state import Config
from crafter.objects import Player

WORLDS = 800 if LONG else 40


def draw(config, seed):
    random = np.random.RandomState(seed)
    return jax_worldgen.Draws(
        *(
            np.floor(random.uniform(size=shape) * 2**24).astype(np.float32) / 2**24
            for shape in jax_worldgen.draw_shapes(config).values()
        )
    )


class Sited:
    """A random stream with fixed draws per cell, independent of earlier draws."""

    def __init__(self, seed):
        self._seed = seed
        self.waiting = []

    def below(self, n):
        return self._seed

    def random(self):
        return float(self.waiting.pop(0))


def object_oriented(config, seed, draws):
    """Return the state of the world that worldgen.py generates from sited draws."""
    world = World(config.area, 0, config.rules)
    world.random = random = Sited(seed)
    player = Player(world, (config.area[0] // 2, config.area[1] // 2))
    world.add(player)

    def draw_materials(world, materials, marks):
        height = config.area[1]
        for cell in np.flatnonzero(marks).tolist():
            x, y = divmod(cell, height)
            bits = [bit for bit in range(8) if marks[cell] >> bit & 1]
            tree = len(config.rules.terrain["ores"])
            sites = [0 if bit == tree else bit for bit in bits]
            random.waiting = [draws.materials[site, x, y] for site in sites]
            one = np.zeros_like(marks)
            one[cell] = marks[cell]
            original_materials(world, materials, one)

    original_materials = worldgen._draw_materials
    with (
        unittest.mock.patch.object(worldgen, "_draw_materials", draw_materials),
        unittest.mock.patch.object(worldgen, "_creatures", lambda *_: None),
    ):
        tunnels = {}
        original = worldgen._materials

        def keep_tunnels(*args):
            materials, tunnels["cells"] = original(*args)
            return materials, tunnels["cells"]

        with unittest.mock.patch.object(worldgen, "_materials", keep_tunnels):
            worldgen.generate(world, player)
    random.waiting = creature_draws(world, player, tunnels["cells"], draws)
    worldgen._creatures(world, player, tunnels["cells"])
    assert not random.waiting
    return jax_games.load(config, world, player)


def creature_draws(world, player, tunnels, draws):
    """Return the draws of worldgen.py in its order (see its rules)."""
    wanted = []
    for x, y in np.ndindex(world.area):
        material = world[x, y][0]
        if material not in world.rules.walkable:
            continue
        distance = np.hypot(x - player.x, y - player.y)
        for site, rule in enumerate(world.rules.terrain["creatures"].values()):
            if material not in rule["ground"] or distance <= rule.get("distance", -1):
                continue
            if rule.get("tunnels") and not tunnels[x, y]:
                continue
            wanted.append(draws.creatures[site, x, y])
            if wanted[-1] > rule["draw_above"]:
                break
    return wanted


def check_worlds(config, seeds, draws=None):
    def generate(seed, draws):
        level = jax_worldgen.generate(config, jax_noise.permutation(seed), draws)
        return jax_worldgen.start(config, level)

    generate = jax.jit(jax.vmap(generate))
    draws = draws or [draw(config, seed % 2**32) for seed in seeds]
    found = jax.device_get(generate(np.array(seeds, np.int32), jax_games.stack(draws)))
    for i, seed in enumerate(seeds):
        one = jax.tree.map(lambda leaf, i=i: leaf[i], found)
        expected = object_oriented(config, seed, draws[i])
        jax_games.assert_same_game(config, one, jax.device_get(expected))


def test_permutations():
    make = jax.jit(jax.vmap(jax_noise.permutation))
    seeds = [0, 1, 5, 487388145, 2**31 - 2]
    found = make(np.array(seeds, np.int32))
    for i, seed in enumerate(seeds):
        np.testing.assert_array_equal(found[i], noise.permutation(seed))


def noises(grids, seeds):
    """Returns tables and rotations of grids, and approximate and exact noise."""
    tables = jax.tree.map(jax.numpy.asarray, jax_noise.lattice(grids))
    permutations = np.stack([noise.permutation(seed) for seed in seeds])
    turned = jax_noise.turns(tables, permutations.astype(np.int32))
    rough = jax.jit(lambda turned: jax_noise.roughly(tables, turned))(turned)
    points = np.broadcast_arrays(
        grids.columns[:, :, None], grids.rows[:, None], grids.depths[:, None, None]
    )
    exact = np.stack([noise.Noise(seed)(*points) for seed in seeds], -1)
    exact = exact.reshape(len(grids.depths), -1, len(seeds))
    assert rough.dtype == np.float32
    assert abs(rough - exact).max() < jax_noise.ERROR / 10
    return tables, turned, np.asarray(rough), exact


def test_noise():
    """Covers all kinds of points, such as vertices and pattern borders."""
    random = np.random.RandomState(0)
    halves = np.arange(0, 9, 0.5)
    columns, rows = (
        np.append(halves, random.uniform(-3, 40, 14))[None].repeat(32, 0)
        for _ in range(2)
    )
    depths = np.append(halves, random.uniform(-3, 40, 14))
    grids, seeds = jax_noise.Grids(columns, rows, depths), [3, 99]
    tables, turned, _, expected = noises(grids, seeds)

    def evaluate(turned, points, seeds):
        with double():
            return jax_noise.exactly(grids, tables, turned, points, seeds)

    number = np.arange(expected[0].size)
    with double():
        found = jax.jit(evaluate)(turned, *np.divmod(number, len(seeds)))
    expected = expected.reshape(len(depths), -1)
    np.testing.assert_array_max_ulp(found, expected, 1)  # of the division
    np.testing.assert_array_equal(np.sign(found), np.sign(expected))


def test_single_precision_decides_what_is_not_in_doubt():
    """Even far from the origin, errors are much smaller than the margin of doubt."""
    config = Config(area=(300, 20))
    grids, _, names = jax_worldgen._requests(config.area)
    _, _, rough, exact = noises(grids, range(16))

    def base_fields(distance, found):
        rules = config.rules.terrain
        return terrain.base_fields(rules, distance, found, jax.numpy.exp)

    distance = jax_worldgen._distance(config).reshape(-1, 1)
    with double():
        exact = base_fields(distance, jax_worldgen._sums(exact, names))
    near = distance.astype(np.float32)
    rough = base_fields(near, jax_worldgen._sums(rough, names))
    for one, other in zip(rough, exact):
        assert (one.dtype, other.dtype) == (np.float32, np.float64)
        # Far from all limits the error does not matter.
        one, other = (np.clip(np.asarray(field), -8, 8) for field in (one, other))
        assert abs(one - other).max() < jax_worldgen._DOUBT / 20


def test_some_worlds():
    check_worlds(Config(), [0, 1, 2**31 - 2, *range(1000, 1009)])


def test_worlds_with_a_cell_on_the_edge_of_the_start():
    """The exponentials of NumPy and XLA may fall on different sides there."""
    seed = 961178915
    value = noise.Noise(seed)(*(np.array([c]) for c in (28 / 3, 32 / 3, 8.0)))
    assert 1e-16 < 2 * value < 2e-16
    draws = draw(Config(), seed)
    draws.materials[...] = 0.99  # trees grow wherever possible
    check_worlds(Config(), [seed], [draws])


@pytest.mark.slow
def test_many_worlds():
    random = np.random.RandomState(0)
    for _ in range(WORLDS // 40):
        check_worlds(Config(), random.randint(0, 2**31 - 1, 40).tolist())


@pytest.mark.slow
@pytest.mark.parametrize(
    "config",
    [
        Config(rules=jax_games.changed_rules()),
        Config(area=(20, 33)),
        Config(area=(100, 80), max_objects=400),
    ],
    ids=["rules", "small", "large"],
)
def test_other_worlds(config):
    check_worlds(config, range(4, 8))
