"""Spaces as in gymnax: shape, dtype, `sample` and `contains`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


class Discrete:
    """The integers 0 ... n - 1.

    Args:
      n: How many.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.shape: tuple[int, ...] = ()
        self.dtype = jnp.int32

    def sample(self, key: jax.Array) -> jax.Array:
        """Returns a random member, int32 ()."""
        return jax.random.randint(key, self.shape, 0, self.n, self.dtype)

    def contains(self, x: Any) -> jax.Array:
        """Tells whether a number is a member."""
        return jnp.logical_and(x >= 0, x < self.n)


class Box:
    """Arrays with bounds.

    Args:
      low: The least value.
      high: The largest value.
      shape: Shape of the arrays.
      dtype: Their dtype.
    """

    def __init__(
        self, low: float, high: float, shape: tuple[int, ...], dtype: Any
    ) -> None:
        self.low, self.high = low, high
        self.shape, self.dtype = shape, dtype

    def sample(self, key: jax.Array) -> jax.Array:
        """Returns a random member."""
        if np.issubdtype(self.dtype, np.integer):
            values = jax.random.randint(key, self.shape, self.low, self.high + 1)
        else:
            values = jax.random.uniform(
                key, self.shape, minval=self.low, maxval=self.high
            )
        return values.astype(self.dtype)

    def contains(self, x: Any) -> jax.Array:
        """Tells whether all values are within the bounds."""
        return jnp.logical_and(jnp.all(x >= self.low), jnp.all(x <= self.high))
