"""Parts of pictures that games share."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.random import uniforms

_NOISE_USE = 64  # of `random.bits`


def grey_noise(
    seed: jax.Array, shape: tuple[int, ...], low: float, high: float
) -> jax.Array:
    """Returns random grey levels, float32 of a shape.

    Args:
      seed: uint32 ().
      shape: Shape of the picture.
      low: The least level.
      high: A level that is not reached.
    """
    uniform = uniforms(jnp.stack([seed, jnp.zeros_like(seed)]), _NOISE_USE, shape)
    return uniform * np.float32(high - low) + np.float32(low)


def as_floats(frame: jax.Array) -> jax.Array:
    """Returns a picture, uint8, as numbers from 0 to 1, float32."""
    return frame.astype(jnp.float32) / np.float32(255)
