"""Double precision inside functions, independent of `jax_enable_x64`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

_SINGLE = 8, 23  # bits of the exponent and the mantissa


def double() -> Any:
    """Returns a context in which new arrays may have 64 bits.

    Convert results to 32 bits or fewer before leaving the context.
    """
    return jax.enable_x64(True)


def doubles(*values: float | np.ndarray) -> list[jax.Array]:
    """Returns constants as 64-bit arrays, inside the context of `double`.

    Plain numbers and NumPy arrays lose half of their bits, or raise, if code traced
    inside the context is traced again outside, as by `vmap` around `jit`.
    """
    return [jnp.asarray(value, jnp.float64) for value in values]


def at_least(limits: float | np.ndarray) -> np.ndarray:
    """Returns the smallest single-precision numbers at or above limits.

    Args:
      limits: float64 of any shape. For a float32 draw, `draw < at_least(limit)` equals
        `draw < limit` in double precision; likewise `>=`.

    Returns:
      float32 of that shape.
    """
    limits = np.asarray(limits, np.float64)
    near = limits.astype(np.float32)
    return np.where(near < limits, np.nextafter(near, np.float32(np.inf)), near)


def at_most(limits: float | np.ndarray) -> np.ndarray:
    """Returns the largest single-precision numbers at or below limits.

    Args:
      limits: float64 of any shape. For a float32 draw, `draw > at_most(limit)` equals
        `draw > limit` in double precision; likewise `<=`.

    Returns:
      float32 of that shape.
    """
    return -at_least(-np.asarray(limits, np.float64))


def rounded(product: jax.Array, zero: jax.Array) -> jax.Array:
    """Returns a product unchanged, but prevents its fusion with a sum.

    A fused multiply-add rounds once instead of twice, and the last bit differs from
    NumPy's.

    Args:
      product: float64, or float32.
      zero: A zero, int64 or int32, that the compiler cannot fold.
    """
    bits = jax.lax.bitcast_convert_type(product, zero.dtype) ^ zero
    return jax.lax.bitcast_convert_type(bits, product.dtype)


def times_plus(a: Any, b: Any, c: Any) -> jax.Array:
    """Returns a * b + c of single-precision numbers, rounded once, float32.

    Compilers may or may not fuse a product and a sum in single precision; this result
    is the same everywhere, and the same as with Python floats.
    """
    with double():
        a, b, c = (jnp.asarray(x).astype(jnp.float64) for x in (a, b, c))
        return single_in_double(a * b + c).astype(jnp.float32)


def single_in_double(value: jax.Array) -> jax.Array:
    """Returns a float64 number rounded to single precision, float64.

    A plain conversion to float32 and back may be optimized away.
    """
    return jax.lax.reduce_precision(value, *_SINGLE)
