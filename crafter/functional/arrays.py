"""Small tools for arrays that compile to fast code on CPUs and accelerators."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np


def look_up(table: np.ndarray, index: jax.Array) -> jax.Array:
    """Returns the rows of a small table, without a gather.

    Args:
      table: Bool, integer or float array of shape (n,).
      index: Integers in 0 ... n - 1.
    """
    if table.dtype == bool and len(table) <= 32:
        bits = sum(1 << i for i, value in enumerate(table.tolist()) if value)
        return (jnp.uint32(bits) >> index.astype(jnp.uint32)) & 1 == 1
    result = jnp.full(index.shape, table[0])
    for i in range(1, len(table)):
        if table[i] != table[0]:
            result = jnp.where(index == i, table[i], result)
    return result


def count_before(mask: jax.Array) -> jax.Array:
    """Returns how many entries are set before each one.

    Args:
      mask: Bool of shape (n,).

    Returns:
      int32 of shape (n + 1,); the last is the number of all.
    """
    length = mask.shape[0]
    blocks = -(-length // 32)
    padded = jnp.pad(mask, (0, blocks * 32 - length)).reshape(blocks, 32)
    weights = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
    words = jnp.where(padded, weights, np.uint32(0)).sum(1, dtype=jnp.uint32)
    inner = jax.lax.population_count(words[:, None] & (weights - np.uint32(1)))
    totals = jax.lax.population_count(words)
    earlier = np.tri(blocks, k=-1, dtype=np.uint32)
    outer = (earlier * totals[None, :]).sum(1, dtype=jnp.uint32)
    counts = (inner + outer[:, None]).reshape(-1)[:length].astype(jnp.int32)
    return jnp.append(counts, totals.sum(dtype=jnp.uint32).astype(jnp.int32))


def select_first(mask: jax.Array, counts: jax.Array, most: int) -> jax.Array:
    """Returns the indices of the first entries of a mask that are set.

    Args:
      mask: Bool of shape (n,).
      counts: `count_before(mask)`.
      most: How many indices to return.

    Returns:
      int32 of shape (most,); n where there are no more.
    """
    length = mask.shape[0]
    places = jnp.where(mask, counts[:-1], most)
    nothing = jnp.full(most, length, jnp.int32)
    return nothing.at[places].set(np.arange(length, dtype=np.int32), mode="drop")
