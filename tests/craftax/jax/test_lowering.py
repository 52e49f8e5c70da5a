"""What the compilers of accelerators are given of Craftax."""

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
from lowered import constants, donated, traced_step

import crafter.craftax.jax as craftax_jax
from crafter.craftax.jax import state

#: The largest is a table of the rules: a row of numbers for each action.
MOST = 16_000


@pytest.fixture(scope="module")
def traced():
    return traced_step(craftax_jax.make("Craftax-Compact-v1"))


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
