"""Random numbers: a few words from JAX's generator, expanded by hashing.

A step needs hundreds of random numbers but uses few of them. Drawing all from the
generator would take longer than the step.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

#: Number of words per key.
WORDS = 4
_GOLDEN = np.uint32(0x9E3779B9)
_NOISE_USE = 64  # argument of `bits`


def words(key: jax.Array) -> jax.Array:
    """Converts a key of `jax.random` to words, uint32 (WORDS,)."""
    return jax.random.bits(key, (WORDS,), jnp.uint32)


def _mix(x: Any) -> jax.Array:
    """Hashes 32 bits, bijectively: `lowbias32` of Wellons and Ettlin."""
    x = x ^ (x >> 16)
    x = x * np.uint32(0x21F0AAAD)
    x = x ^ (x >> 15)
    x = x * np.uint32(0xD35A2D97)
    return x ^ (x >> 15)


def bits(seed: jax.Array, use: int, count: int) -> jax.Array:
    """Returns words that depend on seed, use and index.

    Args:
      seed: uint32 (WORDS,).
      use: Domain number; different numbers give unrelated words.
      count: Number of words.

    Returns:
      uint32 (count,).
    """
    # An `iota`, since programs would otherwise embed a table of all indices.
    places = jax.lax.iota(jnp.uint32, count) * _GOLDEN
    first = _mix(seed[0] + np.uint32(use * int(_GOLDEN) % 2**32))
    second = _mix(seed[1] ^ first)
    return _mix(_mix(places ^ first) + second)


def uniforms(seed: jax.Array, use: int, shape: tuple[int, ...]) -> jax.Array:
    """Returns uniforms in [0, 1), multiples of 2**-24, float32 of a shape."""
    numbers = bits(seed, use, math.prod(shape)) >> 8
    return (numbers.astype(jnp.float32) * np.float32(2.0**-24)).reshape(shape)


def fill(
    shapes: dict[str, tuple[int, ...]], seed: jax.Array, use: int
) -> dict[str, jax.Array]:
    """Returns uniforms in [0, 1) by name.

    Args:
      shapes: Name -> shape.
      seed: uint32 (WORDS,).
      use: First domain number; each name takes the next one.
    """
    return {
        name: uniforms(seed, use + i, shape)
        for i, (name, shape) in enumerate(shapes.items())
    }


def grey_noise(
    seed: jax.Array, shape: tuple[int, ...], low: float, high: float
) -> jax.Array:
    """Returns random grey levels, float32 of a shape.

    Args:
      seed: uint32 ().
      shape: Shape of the image.
      low: Lowest level, included.
      high: Highest level, excluded.
    """
    uniform = uniforms(jnp.stack([seed, jnp.zeros_like(seed)]), _NOISE_USE, shape)
    return uniform * np.float32(high - low) + np.float32(low)
