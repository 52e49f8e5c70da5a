"""Changes of levels, which are worlds as values that curricula store and play."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import random


def swap_some(values: jax.Array, words: jax.Array, use: int, swaps: int) -> jax.Array:
    """Exchanges random pairs of entries.

    Args:
      values: Of any shape.
      words: As from `random.words`.
      use: As for `random.bits`.
      swaps: How many pairs.
    """
    drawn = random.bits(words, use, 2 * swaps) % np.uint32(values.size)
    pairs = drawn.astype(jnp.int32).reshape(swaps, 2)
    return swap_pairs(values, pairs)


def swap_pairs(
    values: jax.Array, pairs: jax.Array, kept: jax.Array | None = None
) -> jax.Array:
    """Exchanges the entries of pairs, one pair after the other.

    Args:
      values: Of any shape.
      pairs: Two places each in the flat array, integers (pairs, 2).
      kept: Which pairs stay as they are, bool (pairs,); by default none.
    """
    if kept is not None:
        pairs = jnp.where(kept[:, None], 0, pairs)  # a place with itself: no change

    def swap(flat: jax.Array, pair: jax.Array) -> tuple[jax.Array, None]:
        return flat.at[pair].set(flat[pair[::-1]]), None

    return jax.lax.scan(swap, values.reshape(-1), pairs)[0].reshape(values.shape)
