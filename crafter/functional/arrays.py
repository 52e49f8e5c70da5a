"""Array helpers that compile to fast code on CPUs and accelerators."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

_FEW = 3


def look_up(table: np.ndarray, index: jax.Array) -> jax.Array:
    """Looks up entries of a small table, by comparisons if few of them differ.

    Args:
      table: Bool, integer or float array of shape (n,).
      index: Integers in 0 ... n - 1.
    """
    others = np.flatnonzero(table != table[0]).tolist()
    if len(others) > _FEW:
        return jnp.take(jnp.asarray(table), index, mode="clip")
    result = jnp.full(index.shape, table[0])
    for i in others:
        result = jnp.where(index == i, table[i], result)
    return result


def count_before(mask: jax.Array) -> jax.Array:
    """Counts the set entries before each entry of a mask.

    Args:
      mask: Bool of shape (n,).

    Returns:
      int32 of shape (n + 1,); the last is the total.
    """
    length = mask.shape[0]
    blocks = -(-length // 32)
    padded = jnp.pad(mask, (0, blocks * 32 - length)).reshape(blocks, 32)
    weights = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
    words = jnp.where(padded, weights, np.uint32(0)).sum(1, dtype=jnp.uint32)
    inner = jax.lax.population_count(words[:, None] & (weights - np.uint32(1)))
    totals = jax.lax.population_count(words)
    if blocks > 32:
        outer = jnp.cumsum(totals, dtype=jnp.uint32) - totals
    else:  # faster for short masks
        earlier = jnp.tri(blocks, k=-1, dtype=jnp.uint32)
        outer = (earlier * totals[None, :]).sum(1, dtype=jnp.uint32)
    counts = (inner + outer[:, None]).reshape(-1)[:length].astype(jnp.int32)
    return jnp.append(counts, totals.sum(dtype=jnp.uint32).astype(jnp.int32))


def select_first(mask: jax.Array, counts: jax.Array, most: int) -> jax.Array:
    """Returns the indices of the first set entries of a mask.

    Args:
      mask: Bool of shape (n,).
      counts: `count_before(mask)`.
      most: Number of indices to return.

    Returns:
      int32 of shape (most,), padded with n.
    """
    length = mask.shape[0]
    places = jnp.where(mask, counts[:-1], most)
    nothing = jnp.full(most, length, jnp.int32)
    numbers = jax.lax.iota(jnp.int32, length)  # a table would be embedded in programs
    return nothing.at[places].set(numbers, mode="drop")


def pick(draw: jax.Array | float, count: jax.Array | np.ndarray | int) -> jax.Array:
    """Returns the exact floor(draw * count), int32.

    Args:
      draw: Numbers in [0, 1), truncated to multiples of 2**-24.
      count: Integers below 2**18.
    """
    whole = jnp.asarray(draw) * np.float32(2**24)
    return pick_whole(whole.astype(jnp.int32), count)


def pick_whole(whole: jax.Array, count: jax.Array | np.ndarray | int) -> jax.Array:
    """Returns floor(whole * count / 2**24), int32.

    Args:
      whole: Integers from 0 to 2**24 - 1.
      count: Integers below 2**18.
    """
    high, low = whole >> 12, whole & 0xFFF
    return (high * count + (low * count >> 12)) >> 12


def find_nth(mask: jax.Array, nth: jax.Array) -> jax.Array:
    """Returns the result of `find_nth_cell` as row * columns + column, int32 ()."""
    row, column = find_nth_cell(mask, nth)
    return row * mask.shape[1] + column


def find_nth_cell(mask: jax.Array, nth: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns the position of the n-th set entry of a mask, in row-major order.

    Args:
      mask: Bool (rows, columns).
      nth: From 0, int32 ().

    Returns:
      Row and column, int32 (); an arbitrary cell if there are fewer entries.
    """
    rows, columns = mask.shape
    row_sums = mask.sum(1, dtype=jnp.int32)
    ends = (jnp.tri(rows, dtype=jnp.int32) * row_sums).sum(1, dtype=jnp.int32)
    before = ends <= nth
    row = jnp.minimum(before.sum(dtype=jnp.int32), rows - 1)
    nth = nth - jnp.where(before, row_sums, 0).sum(dtype=jnp.int32)
    own = jnp.take(mask, row, axis=0, mode="clip").astype(jnp.int32)
    ends = (jnp.tri(columns, dtype=jnp.int32) * own).sum(1, dtype=jnp.int32)
    column = jnp.minimum((ends <= nth).sum(dtype=jnp.int32), columns - 1)
    return row, column


def after(number: jax.Array, *earlier: jax.Array) -> jax.Array:
    """Returns a number unchanged, but ordered after the computation of other values.

    Lets an array be updated in place at `number`: the compiler sees that everything
    read from it for the other values has been read before.

    Args:
      number: Integers, int32 (...).
      earlier: Bools, of any shapes.
    """
    for values in earlier:
        # Always 0, but the compiler cannot infer it.
        number = number + jnp.minimum(values.any().astype(jnp.int32), 0)
    return number


def join_bits(words: jax.Array) -> jax.Array:
    """Returns the bitwise or of words along the first axis, int32."""
    return jax.lax.reduce(words, np.int32(0), jax.lax.bitwise_or, (0,))


def as_floats(frame: jax.Array) -> jax.Array:
    """Converts a uint8 image to float32 in [0, 1]."""
    return frame.astype(jnp.float32) / np.float32(255)
