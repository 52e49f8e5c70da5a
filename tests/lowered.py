"""What a compiler is given: programs lowered for platforms that need not be here."""

from __future__ import annotations

import math
import re
from typing import Any

import jax
import jax.numpy as jnp

_BITS = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64}
_CONSTANT = re.compile(r"stablehlo\.constant [^\n]*?: tensor<((?:\d+x)*)u?([a-z]\d+)>")


def traced_step(env: Any, games: int = 4) -> Any:
    """Returns the step of a batch that gives its states away, traced."""
    keys = jax.random.split(jax.random.key(0), games)
    params = env.default_params
    _, state = jax.eval_shape(jax.vmap(env.reset, (0, None)), keys, params)
    step = jax.jit(jax.vmap(env.step, (0, 0, 0, None)), donate_argnums=1)
    return step.trace(keys, state, jnp.zeros(games, jnp.int32), params)


def constants(text: str) -> list[int]:
    """Returns the sizes of the constants of a program in bytes."""
    sizes = []
    for dims, kind in _CONSTANT.findall(text):
        cells = math.prod(int(length) for length in dims.split("x") if length)
        sizes.append(cells * _BITS[kind] // 8)
    return sizes


def donated(text: str) -> int:
    """Returns how many arguments of a program lend their memory to a result."""
    return text.count("tf.aliasing_output")


def copies(traced: Any, shape: tuple[int, ...]) -> int:
    """Returns how many copies of bytes of a shape a program compiled for a CPU makes.

    Raises:
        ValueError: If it has none of them at all, so that there is nothing to copy.
    """
    text = traced.lower().compile().as_text()
    array = re.escape(f"u8[{','.join(map(str, shape))}]")
    if not re.search(array, text):
        raise ValueError(f"Expected arrays u8{shape} in the program.")
    return len(re.findall(rf"= {array}\S* copy\(", text))
