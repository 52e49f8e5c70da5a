"""Level mutations; levels are worlds that curricula store and play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import random
from crafter.functional.arrays import find_nth, look_up, pick

MIDDLE = 16  # cells along a side of the square around the start


def swap_some(values: jax.Array, words: jax.Array, use: int, swaps: int) -> jax.Array:
    """Swaps random pairs of entries in sequence.

    Args:
      values: Array of any shape.
      words: Words from `random.words`.
      use: Argument of `random.bits`.
      swaps: Number of pairs.
    """
    drawn = random.bits(words, use, 2 * swaps) % np.uint32(values.size)
    pairs = drawn.astype(jnp.int32).reshape(swaps, 2)

    def swap(flat: jax.Array, pair: jax.Array) -> tuple[jax.Array, None]:
        return flat.at[pair].set(flat[pair[::-1]]), None

    return jax.lax.scan(swap, values.reshape(-1), pairs)[0].reshape(values.shape)


def swap_blocks(
    blocks: jax.Array, free: jax.Array, drawn: jax.Array, kinds: Sequence[int]
) -> jax.Array:
    """Moves random blocks to the middle of a map in sequence.

    A random kind of block moves to a random cell of the middle, and the block there
    moves to a random cell that had this kind; if there is none, it is lost.

    Args:
      blocks: Ids (rows, columns).
      free: Mask of cells that may change, bool (rows, columns).
      drawn: Numbers in [0, 1), float32 (edits, 3).
      kinds: Ids to choose from.

    Source:
      Matthews et al. 2024, "Craftax", and its code: `Swap`.
    """
    near = free & _middle(blocks.shape)

    def edit(blocks: jax.Array, draws: jax.Array) -> jax.Array:
        kind = look_up(np.array(kinds, np.int32), pick(draws[0], len(kinds)))
        return _exchange(blocks, near, (blocks == kind) & free, draws[1:], kind)

    return _apply_edits(edit, blocks, drawn)


def swap_alike(
    blocks: jax.Array,
    free: jax.Array,
    drawn: jax.Array,
    groups: Sequence[Sequence[int]],
) -> jax.Array:
    """Swaps random pairs of blocks of the same group in sequence.

    The first block of a pair lies in the middle if one of its kind does. A pair with a
    kind missing from the map is skipped.

    Args:
      blocks: Ids (rows, columns).
      free: Mask of cells that may change, bool (rows, columns).
      drawn: Numbers in [0, 1), float32 (edits, 4).
      groups: Groups of at least two ids that may be swapped with each other.

    Source:
      Matthews et al. 2024, "Craftax", and its code: `RSwap`.
    """
    kinds = [(one, [x for x in group if x != one]) for group in groups for one in group]
    firsts = np.array([one for one, _ in kinds], np.int32)
    counts = np.array([len(others) for _, others in kinds], np.int32)
    others = np.array([np.resize(row, counts.max()) for _, row in kinds], np.int32)
    middle = _middle(blocks.shape)

    def edit(blocks: jax.Array, draws: jax.Array) -> jax.Array:
        row = pick(draws[0], len(firsts))
        other = jnp.asarray(others)[row, pick(draws[1], jnp.asarray(counts)[row])]
        first = (blocks == jnp.asarray(firsts)[row]) & free
        near = first & middle
        first = jnp.where(near.any(), near, first)
        return _exchange(blocks, first, (blocks == other) & free, draws[2:])

    return _apply_edits(edit, blocks, drawn)


def _middle(shape: tuple[int, ...]) -> np.ndarray:
    """Returns the mask of cells in the middle, bool (rows, columns)."""
    rows, columns = (
        abs(np.arange(length) + 0.5 - length // 2) < MIDDLE / 2 for length in shape
    )
    return rows[:, None] & columns


def _apply_edits(
    edit: Callable[[jax.Array, jax.Array], jax.Array],
    blocks: jax.Array,
    drawn: jax.Array,
) -> jax.Array:
    return jax.lax.scan(lambda b, row: (edit(b, row), None), blocks, drawn)[0]


def _exchange(
    blocks: jax.Array,
    one: jax.Array,
    other: jax.Array,
    draws: jax.Array,
    kind: jax.Array | None = None,
) -> jax.Array:
    """Swaps the blocks of two random cells of masks; no change if a mask is empty.

    Args:
      blocks: Ids (rows, columns).
      one: Mask of the first cell, bool (rows, columns).
      other: Mask of the second cell.
      draws: Draws that pick the cells, float32 (2,).
      kind: Id written to the first cell even if the second mask is empty.
    """
    flat = blocks.reshape(-1)
    here, there = (
        find_nth(mask, pick(draw, mask.sum(dtype=jnp.int32)))
        for mask, draw in zip((one, other), draws)
    )
    both, before = one.any() & other.any(), flat[here]
    after = jnp.where(both, flat[there], before)
    if kind is not None:
        after = jnp.where(one.any(), kind.astype(flat.dtype), before)
    flat = flat.at[there].set(jnp.where(both, before, flat[there]))
    return flat.at[here].set(after).reshape(blocks.shape)
