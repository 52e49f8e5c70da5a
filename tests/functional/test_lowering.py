"""Compiler input of the games, also for platforms that are not available here."""

import math
import re

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp
from budget import sample

from crafter.batch.jax import make

GAMES = 4
#: Name -> maximum bytes of constants, and the shape of a batch's maps. Most bytes are
#: the noise lattice of Crafter and an action table of Craftax.
PROGRAMS = {
    "Crafter-Compact-v1": (1_500_000, (GAMES, 64, 64)),
    "Craftax-Compact-v1": (160_000, (GAMES, 9 * 48 * 48)),
}
_BITS = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64}
_CONSTANT = re.compile(r"stablehlo\.constant [^\n]*?: tensor<((?:\d+x)*)u?([a-z]\d+)>")


@pytest.fixture(scope="module", params=sample(PROGRAMS))
def program(request):
    """Return a name, the traced step of a batch with donated states, and the states."""
    env = make(request.param)
    keys, params = jax.random.split(jax.random.key(0), GAMES), env.default_params
    _, state = jax.eval_shape(jax.vmap(env.reset, (0, None)), keys, params)
    step = jax.vmap(env.step, (0, 0, 0, None))
    step = jax.jit(step, donate_argnums=1, keep_unused=True)
    traced = step.trace(keys, state, jnp.zeros(GAMES, jnp.int32), params)
    return request.param, traced, state


@pytest.mark.parametrize("platform", sample(["cuda", "tpu"]))
def test_a_step_is_lowered_for_accelerators(program, platform):
    """Includes resets; has no large constants and updates states in place."""
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
    """Reads of the map are scheduled before its in-place updates."""
    name, traced, _ = program
    text = traced.lower().compile().as_text()
    array = re.escape(f"u8[{','.join(map(str, PROGRAMS[name][1]))}]")
    assert re.search(array, text)
    assert not re.findall(rf"= {array}\S* copy\(", text)
