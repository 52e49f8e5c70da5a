"""What compilers are given of the games, also for platforms that are not here."""

import math
import re

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp
from budget import sample

from crafter.batch.jax import make

GAMES = 4
#: Name -> the most bytes of constants, and the shape of the maps of a batch. Most are
#: of the lattice of the noise in Crafter, and of a table of the actions in Craftax.
PROGRAMS = {
    "Crafter-Compact-v1": (1_500_000, (GAMES, 64, 64)),
    "Craftax-Compact-v1": (160_000, (GAMES, 9 * 48 * 48)),
}
_BITS = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64}
_CONSTANT = re.compile(r"stablehlo\.constant [^\n]*?: tensor<((?:\d+x)*)u?([a-z]\d+)>")


@pytest.fixture(scope="module", params=sample(PROGRAMS))
def program(request):
    """Return a name, the step of a batch that gives its states away, and these."""
    env = make(request.param)
    keys, params = jax.random.split(jax.random.key(0), GAMES), env.default_params
    _, state = jax.eval_shape(jax.vmap(env.reset, (0, None)), keys, params)
    step = jax.vmap(env.step, (0, 0, 0, None))
    step = jax.jit(step, donate_argnums=1, keep_unused=True)
    traced = step.trace(keys, state, jnp.zeros(GAMES, jnp.int32), params)
    return request.param, traced, state


@pytest.mark.parametrize("platform", sample(["cuda", "tpu"]))
def test_a_step_is_lowered_for_accelerators(program, platform):
    """With resets, without large constants; and each state is changed in place."""
    name, traced, state = program
    text = traced.lower(lowering_platforms=(platform,)).as_text()
    assert "stablehlo.while" in text
    sizes = [
        math.prod(int(length) for length in dims.split("x") if length)
        * _BITS[kind]
        // 8
        for dims, kind in _CONSTANT.findall(text)
    ]
    assert len(sizes) > 100 and sum(sizes) < PROGRAMS[name][0]
    assert text.count("tf.aliasing_output") == len(jax.tree.leaves(state))


@pytest.mark.slow
def test_no_map_is_copied(program):
    """What reads the map is compiled to come before what changes it in place."""
    name, traced, _ = program
    text = traced.lower().compile().as_text()
    array = re.escape(f"u8[{','.join(map(str, PROGRAMS[name][1]))}]")
    assert re.search(array, text)
    assert not re.findall(rf"= {array}\S* copy\(", text)
