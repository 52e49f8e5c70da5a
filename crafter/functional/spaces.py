"""Spaces as in gymnax: shape, dtype, `sample` and `contains`.

If gymnax is imported, they are also instances of its classes, so that `isinstance`
checks pass.
"""

from __future__ import annotations

import functools
import sys
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np

_GYMNAX = "gymnax.environments.spaces"


@functools.cache
def _join_classes(ours: Any, theirs: Any) -> Any:
    return type(ours.__name__, (ours, theirs), {"__module__": ours.__module__})


class _Space:
    """A space that is also an instance of gymnax's class, if gymnax is imported."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        kind = cast(Any, cls)
        theirs = getattr(sys.modules.get(_GYMNAX), cls.__name__, None)
        if theirs is not None and not issubclass(cls, theirs):
            kind = _join_classes(kind, theirs)
        return super().__new__(kind)


class Discrete(_Space):
    """The integers 0 ... n - 1.

    Args:
      n: Number of integers.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.shape: tuple[int, ...] = ()
        self.dtype = jnp.int32

    def __repr__(self) -> str:
        return f"Discrete({self.n})"

    def sample(self, key: jax.Array) -> jax.Array:
        """Returns a random member, int32 ()."""
        return jax.random.randint(key, self.shape, 0, self.n, self.dtype)

    def contains(self, x: Any) -> jax.Array:
        """Returns whether a number is a member."""
        return jnp.logical_and(x >= 0, x < self.n)


class Box(_Space):
    """Arrays with bounds.

    Args:
      low: The smallest value.
      high: The largest value.
      shape: Shape of the arrays.
      dtype: Their dtype.
    """

    def __init__(
        self, low: float, high: float, shape: tuple[int, ...], dtype: Any
    ) -> None:
        self.low, self.high = low, high
        self.shape, self.dtype = shape, np.dtype(dtype)

    def __repr__(self) -> str:
        return f"Box({self.low}, {self.high}, {self.shape}, {self.dtype})"

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
        """Returns whether all values are within the bounds."""
        return jnp.logical_and(jnp.all(x >= self.low), jnp.all(x <= self.high))


class Dict(_Space):
    """Dicts of arrays.

    Args:
      spaces: Name -> space.
    """

    def __init__(self, spaces: dict[str, Box]) -> None:
        self.spaces, self.num_spaces = dict(spaces), len(spaces)

    def __repr__(self) -> str:
        return f"Dict({self.spaces})"

    def sample(self, key: jax.Array) -> dict[str, jax.Array]:
        """Returns a random member."""
        keys = jax.random.split(key, self.num_spaces)
        return {n: space.sample(k) for k, (n, space) in zip(keys, self.spaces.items())}

    def contains(self, x: Any) -> jax.Array:
        """Returns whether all values are within the bounds."""
        inside = [space.contains(x[name]) for name, space in self.spaces.items()]
        return jnp.all(jnp.stack(inside))
