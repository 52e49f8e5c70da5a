"""Array helpers that compile to fast code on CPUs and accelerators."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

_FEW = 3


def look_up(table: np.ndarray, index: jax.Array) -> jax.Array:
    """Returns the entries of a small table; comparisons where few of them differ.

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
    if blocks > 32:
        outer = jnp.cumsum(totals, dtype=jnp.uint32) - totals
    else:  # for a few this is faster
        earlier = jnp.tri(blocks, k=-1, dtype=jnp.uint32)
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
    numbers = jax.lax.iota(jnp.int32, length)  # a table would be part of programs
    return nothing.at[places].set(numbers, mode="drop")


def pick(draw: jax.Array | float, count: jax.Array | np.ndarray | int) -> jax.Array:
    """Returns floor(draw * count) without rounding, int32.

    Args:
      draw: Numbers in [0, 1), of which multiples of 2**-24 count.
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
    """Returns what `find_nth_cell` does as row * columns + column, int32 ()."""
    row, column = find_nth_cell(mask, nth)
    return row * mask.shape[1] + column


def find_nth_cell(mask: jax.Array, nth: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns where a mask is set for the n-th time, row by row.

    Args:
      mask: Bool (rows, columns).
      nth: From 0, int32 ().

    Returns:
      Row and column, int32 (); of some cell if there are not as many.
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
    """Returns a number as it is, which is computed after other values are.

    An array that is written to at `number` need not be copied for those values: the
    compiler sees that whatever they are read from it has been read before.

    Args:
      number: Integers, int32 (...).
      earlier: Bools, of any shapes.
    """
    for values in earlier:
        # It is 0, but the compiler does not reason about ranges.
        number = number + jnp.minimum(values.any().astype(jnp.int32), 0)
    return number


def join_bits(words: jax.Array) -> jax.Array:
    """Returns the bits that are set in any of the words along the first axis, int32."""
    return jax.lax.reduce(words, np.int32(0), jax.lax.bitwise_or, (0,))


def as_floats(frame: jax.Array) -> jax.Array:
    """Returns a picture, uint8, as numbers from 0 to 1, float32."""
    return frame.astype(jnp.float32) / np.float32(255)
