"""Levels of Craftax as values, and what changes them."""

import functools

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import craftax_convert
import jax
from craftax_jax import Game, config, stack

from crafter.games.craftax.jax import Env, levels, worldgen
from crafter.games.craftax.jax import tables as t

KEY = jax.random.key(0)
CONFIG = config("published")
LAVA, WATER = t.BLOCK["lava"], t.BLOCK["water"]
PAIRS = 300


@pytest.fixture(scope="module")
def hand_made():
    """A world of the object-oriented game as a level."""
    state = craftax_convert.load(CONFIG, stack([Game(0).fields()]))
    world = [getattr(state, name)[0] for name in worldgen.OF_STATE]
    return jax.device_get(worldgen.Level(*world, np.zeros(4, np.uint32), ()))


@pytest.mark.parametrize("restricted", [False, True])
def test_swaps_keep_what_every_floor_has(hand_made, restricted):
    swap = functools.partial(
        levels.mutate_swap, CONFIG, swaps=PAIRS, restricted=restricted
    )
    changed = jax.device_get(jax.jit(swap)(KEY, hand_made))
    before, after = hand_made.cells, changed.cells
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(
            np.bincount(one.ravel()), np.bincount(other.ravel())
        )
    differs = before != after
    assert 0 < differs.sum() <= 2 * PAIRS
    blocks, items = before & t.BLOCK_MASK, before >> t.ITEM_SHIFT
    assert not (differs & ((items > 0) | (blocks == LAVA))).any()
    assert not differs[:, 24, 24].any()
    barred = t.block_bits(CONFIG.tables) >> t.LAND & 1 == 1
    assert barred[WATER]
    moved = barred[blocks] != barred[after & t.BLOCK_MASK]
    assert moved.any() != restricted
    rest = [name for name in levels.Level._fields if name != "cells"]
    for name in rest:
        assert getattr(changed, name) is not None
        np.testing.assert_array_equal(getattr(changed, name), getattr(hand_made, name))


def test_swaps_keep_the_cell_of_arrival_in_the_graveyard(hand_made):
    """It has no ladder; here any swap with it would put a wall there."""
    row, column = hand_made.up_ladders[8]
    cells = np.full_like(hand_made.cells, t.BLOCK["wall"])
    cells[8, row, column] = t.BLOCK["path"]
    walled = hand_made._replace(cells=cells)
    swap = functools.partial(levels.mutate_swap, CONFIG, swaps=30_000)
    changed = jax.device_get(jax.jit(swap)(KEY, walled))
    np.testing.assert_array_equal(changed.cells, cells)
    other = hand_made.up_ladders.copy()
    other[8] = (row + 5) % 48, column
    changed = jax.device_get(jax.jit(swap)(KEY, walled._replace(up_ladders=other)))
    assert changed.cells[8, row, column] == t.BLOCK["wall"]


@functools.cache
def compiled():
    """Returns what samples, changes and starts levels."""
    env = Env(observation="compact")
    mutate = functools.partial(levels.mutate_noise, CONFIG)
    return (
        jax.jit(env.sample_level),
        jax.jit(mutate, static_argnames="swaps"),
        jax.jit(env.reset_to_level),
        jax.jit(env.reset),
    )


@pytest.mark.slow
def test_an_episode_begins_in_a_level():
    sample, _, start, reset = compiled()
    found, expected = start(KEY, sample(KEY)), reset(KEY)
    jax.tree.map(np.testing.assert_array_equal, found, expected)


@pytest.mark.slow
def test_noise_mutation_changes_some_of_the_terrain():
    sample, mutate, start, _ = compiled()
    level = jax.device_get(sample(KEY))
    jax.tree.map(np.testing.assert_array_equal, mutate(KEY, level, swaps=0), level)
    changed = jax.device_get(mutate(jax.random.key(1), level, swaps=2))
    turned = 0
    for one, other in zip(level.angles, changed.angles, strict=True):
        np.testing.assert_array_equal(
            np.sort(one, axis=None), np.sort(other, axis=None)
        )
        turned += (one != other).sum()
    assert 0 < turned <= 16
    same = level.cells == changed.cells
    built = worldgen._BUILT
    smooth = worldgen._SMOOTH
    assert same[built].all()
    assert 0.5 < same[smooth].mean() < 1
    state = start(KEY, changed)[1]
    np.testing.assert_array_equal(state.cells, changed.cells)
