"""Random numbers: a few words from JAX's generator, spread over many places by hashing.

A step needs hundreds of numbers of which it uses few. Drawing all of them from the
generator would take longer than the step.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

#: Words that a key is turned into.
WORDS = 4
_GOLDEN = np.uint32(0x9E3779B9)
_NOISE_USE = 64  # of `random.bits`


def words(key: jax.Array) -> jax.Array:
    """Returns the words of a key of `jax.random`, uint32 (WORDS,)."""
    return jax.random.bits(key, (WORDS,), jnp.uint32)


def _mix(x: Any) -> jax.Array:
    """Scrambles 32 bits: `lowbias32` of Wellons and Ettlin, one to one."""
    x = x ^ (x >> 16)
    x = x * np.uint32(0x21F0AAAD)
    x = x ^ (x >> 15)
    x = x * np.uint32(0xD35A2D97)
    return x ^ (x >> 15)


def bits(seed: jax.Array, use: int, count: int) -> jax.Array:
    """Returns words that depend on seed, use and place.

    Args:
      seed: uint32 (WORDS,).
      use: What they are for; different numbers give unrelated words.
      count: How many.

    Returns:
      uint32 (count,).
    """
    # Counted by the program, which would else contain a table of all places.
    places = jax.lax.iota(jnp.uint32, count) * _GOLDEN
    first = _mix(seed[0] + np.uint32(use * int(_GOLDEN) % 2**32))
    second = _mix(seed[1] ^ first)
    return _mix(_mix(places ^ first) + second)


def uniforms(seed: jax.Array, use: int, shape: tuple[int, ...]) -> jax.Array:
    """Returns numbers in [0, 1), multiples of 2**-24, float32 of a shape."""
    numbers = bits(seed, use, math.prod(shape)) >> 8
    return (numbers.astype(jnp.float32) * np.float32(2.0**-24)).reshape(shape)


def fill(
    shapes: dict[str, tuple[int, ...]], seed: jax.Array, use: int
) -> dict[str, jax.Array]:
    """Returns numbers in [0, 1) by name.

    Args:
      shapes: Name -> shape.
      seed: uint32 (WORDS,).
      use: What they are for; they take this number and the following ones.
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
      shape: Shape of the picture.
      low: The least level.
      high: A level that is not reached.
    """
    uniform = uniforms(jnp.stack([seed, jnp.zeros_like(seed)]), _NOISE_USE, shape)
    return uniform * np.float32(high - low) + np.float32(low)
