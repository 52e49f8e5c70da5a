"""What the compilers of accelerators are given of Craftax."""

import math

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
from lowered import constants, copies, donated, traced_step

import crafter.craftax.jax as craftax_jax
from crafter.games.craftax.jax import state

#: The largest is a table of the rules: a row of numbers for each action.
MOST = 16_000
GAMES = 4


@pytest.fixture(scope="module")
def traced():
    return traced_step(craftax_jax.make("Craftax-Compact-v1"), GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["cuda", "tpu"])
def test_a_step_is_lowered_for_accelerators(traced, platform):
    """With resets; without large constants; and each state is changed in place."""
    text = traced.lower(lowering_platforms=(platform,)).as_text()
    sizes = constants(text)
    assert len(sizes) > 100
    assert max(sizes) < MOST
    assert sum(sizes) < 10 * MOST
    # All but the noise of the night, of which the old value is not even read.
    leaves = jax.tree.leaves(
        jax.eval_shape(lambda: state.empty(craftax_jax.Env().config))
    )
    assert donated(text) == len(leaves) - 1


@pytest.mark.slow
def test_no_map_is_copied(traced):
    """What reads the map is compiled to come before what changes it in place."""
    number = math.prod(state.empty(craftax_jax.Env().config).cells.shape)
    assert copies(traced, (GAMES, number)) == 0
