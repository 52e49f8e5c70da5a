"""Craftax levels as values, and their mutations."""

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
EDITS = 100


@pytest.fixture(scope="module")
def hand_made():
    """A world of the object-oriented game as a level."""
    state = craftax_convert.load(CONFIG, stack([Game(0).fields()]))
    world = [getattr(state, name)[0] for name in worldgen.OF_STATE]
    return jax.device_get(worldgen.Level(*world, np.zeros(4, np.uint32), ()))


@pytest.mark.parametrize("kind", ["swap", "rswap"])
def test_swaps_keep_what_the_overworld_has(hand_made, kind):
    mutate = getattr(levels, f"mutate_{kind}")
    change = jax.jit(functools.partial(mutate, CONFIG, edits=EDITS))
    changed = jax.device_get(change(KEY, hand_made))
    before, after = hand_made.cells, changed.cells
    blocks = [x[0] & t.BLOCK_MASK for x in (before, after)]
    counts = [np.bincount(x.ravel(), minlength=64) for x in blocks]
    absent = [b for b in levels._SWAPPED if not counts[0][b]]
    assert t.BLOCK["ripe_plant"] in absent
    if kind == "rswap":
        np.testing.assert_array_equal(*counts)
        groups = [
            np.isin(x[0] & t.BLOCK_MASK, levels._ALIKE[1]) for x in (before, after)
        ]
        np.testing.assert_array_equal(*groups)
    else:
        gained = counts[1] - counts[0]
        assert (gained > 0).sum() == len(absent) and (gained[absent] == 1).all()
        assert abs(gained).sum() == 2 * len(absent)
    np.testing.assert_array_equal(before >> t.ITEM_SHIFT, after >> t.ITEM_SHIFT)
    differs = before != after
    assert 0 < differs.sum() <= 2 * EDITS and not differs[0, 24, 24]
    assert not differs[1:].any() and differs[0, 16:32, 16:32].any()
    for name in set(levels.Level._fields) - {"cells"}:
        np.testing.assert_array_equal(getattr(changed, name), getattr(hand_made, name))


def test_the_map_of_a_level_has_blocks_and_items(hand_made):
    state = craftax_convert.load(CONFIG, stack([Game(0).fields()]))
    found = levels.map_of(hand_made)
    np.testing.assert_array_equal(found[..., 0], state.map[0, 0])
    np.testing.assert_array_equal(found[..., 1], state.item_map[0, 0])


@functools.cache
def compiled():
    """Returns compiled functions that sample, mutate and start levels."""
    env = Env(observation="compact")
    mutate = functools.partial(levels.mutate_noise, CONFIG)
    return (
        jax.jit(env.sample_level),
        jax.jit(mutate),
        jax.jit(env.reset_to_level),
        jax.jit(env.reset),
    )


@pytest.mark.slow
def test_an_episode_begins_in_a_level():
    sample, _, start, reset = compiled()
    found, expected = start(KEY, sample(KEY)), reset(KEY)
    jax.tree.map(np.testing.assert_array_equal, found, expected)


@pytest.mark.slow
def test_noise_mutation_turns_gradients_and_draws_the_rest_anew():
    sample, mutate, start, _ = compiled()
    level = jax.device_get(sample(KEY))
    changed = jax.device_get(mutate(jax.random.key(1), level))
    for one, other in zip(level.angles, changed.angles, strict=True):
        apart = np.abs(one - other)
        assert 0.15 < apart.max() <= 0.2001 and (apart > 0).mean() > 0.9
        assert other.min() >= 0 and other.max() <= 1
    same = level.cells == changed.cells
    assert 0.3 < same[worldgen._SMOOTH].mean() < 1
    assert not same[worldgen._BUILT].all()
    state = start(KEY, changed)[1]
    np.testing.assert_array_equal(state.cells, changed.cells)
