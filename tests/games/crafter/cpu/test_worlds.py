"""Worlds of the batched engine match those of the single environment."""

import itertools

import gymnasium
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

from budget import LONG

from crafter.core.stream import Stream, episode_seed
from crafter.engine import World
from crafter.games.crafter import noise as reference
from crafter.games.crafter import tables
from crafter.games.crafter.cpu.engine import Engine
from crafter.games.crafter.cpu.noise import LATTICE, permute
from crafter.games.crafter.cpu.noise_fields import (
    COARSE,
    add_field,
    field_shape,
    plan,
)
from crafter.games.crafter.rules import default
from crafter.objects import Player
from crafter.worldgen import generate


def single_world(seed):
    world = World((64, 64), episode_seed(seed, 1), default())
    player = Player(world, (32, 32))
    world.add(player)
    generate(world, player)
    return world


def assert_worlds_are_equal(seeds):
    batch = gymnasium.make_vec(
        "CrafterReward-v1", num_envs=len(seeds), observation="compact", threads=1
    )
    batch.reset(seed=list(seeds))
    for seed, game in zip(seeds, batch.unwrapped._engine.games, strict=True):
        world = single_world(seed)
        np.testing.assert_array_equal(game["materials"], world.materials)
        objects = [(obj.label, obj.x, obj.y, obj.id) for obj in world.objects]
        columns = (game[f"object_{name}"] for name in ("kind", "x", "y", "id"))
        rows = list(zip(*(c[: game["object_count"]].tolist() for c in columns)))
        assert rows == objects
        words, position = world.random.get_words()
        np.testing.assert_array_equal(game["random_key"], words)
        assert game["random_position"] == position
    batch.close()


def test_worlds_are_those_of_the_single_environment():
    assert_worlds_are_equal(range(60))


@pytest.mark.slow
def test_many_worlds_are_those_of_the_single_environment():
    assert_worlds_are_equal(range(1000, 6000 if LONG else 1800))


# Seeds of worlds in which, but for rounding, a cell 4 cells left of or above the player
# is on the border of the start area. In that of 20042 the exponentials of NumPy and of
# the C library can fall on different sides.
EDGES = {(28, 32): (2897, 5045, 17449, 20042), (32, 28): (8585, 10187, 21056, 29421)}


def test_worlds_with_a_cell_on_the_edge_of_the_start(monkeypatch):
    monkeypatch.setattr(Engine, "new_game", None)  # no fallback to the reference
    for (x, y), seeds in EDGES.items():
        for seed in seeds:
            source = reference.Noise(Stream(episode_seed(seed, 1)).below(2**31 - 1))
            value = source(*(np.array([c]) for c in (x / 3, y / 3, 8.0)))
            assert abs(2 * value) < 1e-14
        assert_worlds_are_equal(seeds)


def test_the_edge_of_the_start_is_where_numpy_puts_it():
    edge, random = tables.start_edge(), np.random.RandomState(0)
    assert abs(edge) < 1e-15
    spans = np.array([40, 1e-9, 1e-13, 1e-15, 4 * abs(edge)])
    exponents = random.uniform(-1, 1, (5, 100_000)) * spans[:, None]
    near = edge + np.arange(-2000, 2000) * np.spacing(edge)
    for row in (*exponents, near):
        start = 1 / (1 + np.exp(-row)) > 0.5
        np.testing.assert_array_equal(start, row > edge)
        assert 0 < start.sum() < len(start)


# Cell size in x and y, and height.
FIELDS = [(1 / 15, 1 / 15, 0.0), (1 / 3, 1 / 3, 8.0), (1 / 5, 1 / 5, 2.0)]
FIELDS += [(2 / 3, 1 / 15, 7.0), (1 / 15, 2 / 3, 7.0)]


@pytest.mark.parametrize("box", [(0, 0, 64, 64), (16, 20, 49, 23)])
def test_coarse_fields_are_as_close_as_they_say(box):
    lattice = np.zeros(1, LATTICE)[0]
    left, top, right, bottom = box
    x, y = np.indices((64, 64))[:, left:right, top:bottom]
    planned = plan([(units[:2], units[2], box) for units in FIELDS], (64, 64))
    for seed in range(8):
        permute(seed, lattice)
        for f, (unit_x, unit_y, z) in enumerate(FIELDS):
            field = np.full(field_shape((64, 64)), 3, np.float32)
            add_field(lattice, planned, f, 0.5, field)
            exact = reference.Noise(seed)(x * unit_x, y * unit_y, z)
            made = 2 * (field[left:right, top:bottom] - 3)
            assert 0 < np.abs(made - exact).max() < COARSE


def test_vertices_that_the_noise_leaves_out_contribute_less_than_the_coarse_error():
    # For any gradients: every omitted vertex counts with its worst one.
    points = np.random.RandomState(0).random_sample((3, 2**12))
    # Includes points close to corners and edges, where this is largest.
    sharp = np.clip(points * 1.6 - 0.3, 0, 1)
    points = np.concatenate([points, sharp], 1)
    total = points.sum(0)
    members = [total <= 1, total >= 2, (total > 1) & (total < 2)]
    worst = []
    for inside, (corners, extras, classify) in zip(members, reference.REGIONS):
        code = classify(*points[:, inside], total[inside])
        for number in np.unique(code):
            chosen = points[:, inside][:, code == number]
            added = {tuple(slot[-1, :, number].astype(int)) for slot in extras}
            worst.append(left_out(chosen, {*corners, *added}).max())
    assert len(worst) == 24
    assert COARSE / 3 < max(worst) < 0.9 * COARSE


def left_out(points, added):
    """Return the most that vertices other than `added` could contribute to points."""
    total = np.zeros(points.shape[1])
    for vertex in set(itertools.product(range(-2, 4), repeat=3)) - added:
        shift = (points.sum(0) - sum(vertex)) * reference.SQUISH
        deltas = np.abs(points - np.array(vertex)[:, None] + shift)
        reach = np.maximum(2 - (deltas**2).sum(0), 0)
        slope = 7 * deltas.max(0) + 4 * deltas.sum(0)  # gradients are (11, 4, 4)
        total += reach**4 * slope / reference.NORM
    return total
