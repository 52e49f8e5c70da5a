"""Gradient noise over whole maps; see `crafter.games.craftax.noise`."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import doubles
from crafter.games.craftax.noise import lattice_weights


def gradient_noise(turns: jax.Array, size: int) -> jax.Array:
    """Returns maps of gradient noise, each stretched to 0 ... 1.

    Needs `precision.double()`, so that the last bits almost never decide what a cell
    becomes.

    Args:
      turns: Directions of the gradients in turns, float32 (..., a + 1, b + 1) for a
        lattice of a x b squares.
      size: Rows and columns of a map.

    Returns:
      float64 (..., size, size).
    """
    (turn,) = doubles(2 * np.pi)
    angles = turn * turns.astype(jnp.float64)
    row, row_offset = doubles(*lattice_weights(size, angles.shape[-2] - 1))
    column, column_offset = doubles(*lattice_weights(size, angles.shape[-1] - 1))
    noise = _weighted(_weighted(jnp.cos(angles), row_offset), column)
    noise = noise + _weighted(_weighted(jnp.sin(angles), row), column_offset)
    noise = noise - noise.min((-2, -1), keepdims=True)
    return noise / noise.max((-2, -1), keepdims=True)


def _weighted(lines: jax.Array, weights: jax.Array) -> jax.Array:
    """Returns sums over lattice lines for each cell; the next axis comes in front.

    This is a product of matrices as `jax.lax` has it: that of `jax.numpy` falls back to
    32 bits where it is traced again outside of `precision.double()`.

    Args:
      lines: float64 (..., lines, n).
      weights: float64 (cells, lines).

    Returns:
      float64 (..., n, cells).
    """
    axis = lines.ndim - 2
    return jax.lax.dot_general(lines, weights, (((axis,), (1,)), ((), ())))
