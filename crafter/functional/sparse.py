"""Conditional work that only some games of a batch need.

Under `vmap`, a conditional computes both branches for all games. Here, rare and
expensive work, such as a new world or spawning, runs only for the games that need it, a
block at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from crafter.functional.arrays import after, count_before, select_first

Tree = Any


def where(
    needed: jax.Array,
    work: Callable[[Tree], Tree],
    operands: Tree,
    otherwise: Tree,
    share: int,
) -> Tree:
    """Returns `work(operands)` where needed, else `otherwise`.

    Args:
      needed: Bool ().
      work: A pure function.
      operands: Its argument, a pytree of arrays.
      otherwise: A pytree like its result.
      share: Under `vmap`, one in this many games is expected to need it; this fraction
        of the batch is the block size.
    """

    @jax.custom_batching.custom_vmap
    def one(needed: jax.Array, operands: Tree, otherwise: Tree) -> Tree:
        return jax.lax.cond(
            needed, lambda both: work(both[0]), lambda both: both[1],
            (operands, otherwise),
        )  # fmt: skip

    @one.def_vmap
    def many(
        size: int, batched: Any, needed: jax.Array, operands: Tree, otherwise: Tree
    ) -> tuple[Tree, Tree]:
        def spread(leaf: jax.Array, has_axis: bool) -> jax.Array:
            shape = leaf.shape if has_axis else (size, *jnp.shape(leaf))
            return jnp.broadcast_to(leaf, shape)

        needed, operands, otherwise = jax.tree.map(
            spread, (needed, operands, otherwise), tuple(batched)
        )

        def work_on(_: jax.Array, chosen: jax.Array) -> Tree:
            some = jax.tree.map(lambda x: x.at[chosen].get(mode="clip"), operands)
            return jax.vmap(work)(some)

        result = replace(needed, work_on, otherwise, -(-size // share))
        return result, jax.tree.map(lambda _: True, result)

    return one(needed, operands, otherwise)


def once(value: Tree, known: jax.Array) -> Tree:
    """Returns a value unchanged, but prevents its recomputation for every use.

    The CPU compiler inlines the computation of an array into all loops that read it,
    and ignores `optimization_barrier`; but it computes the initial value of a loop
    once. So on CPUs the value passes through a loop of one iteration.

    Args:
      value: A pytree of arrays.
      known: An array that is already computed; determines the number of iterations.
    """

    @jax.custom_batching.custom_vmap
    def one(value: Tree, known: jax.Array) -> Tree:
        return jax.lax.platform_dependent(
            value,
            known,
            cpu=_in_a_loop,
            default=lambda value, _: jax.lax.optimization_barrier(value),
        )

    @one.def_vmap
    def many(_: int, batched: Any, value: Tree, known: jax.Array) -> tuple[Tree, Tree]:
        return once(value, known), batched[0]

    return one(value, known)


def _in_a_loop(value: Tree, known: jax.Array) -> Tree:
    """Passes a value through a loop of one iteration."""
    turns = after(jnp.int32(1), known.ravel()[:1] != 0)
    nothing = jax.tree.map(jnp.zeros_like, value)
    return jax.lax.fori_loop(0, turns, lambda _, __: value, nothing)


def replace(
    needed: jax.Array,
    make: Callable[[jax.Array, jax.Array], Tree],
    rows: Tree,
    block: int,
) -> Tree:
    """Replaces some rows of a batch, a block at a time.

    Args:
      needed: Mask of rows to replace, bool (n,).
      make: Computes a block of rows from the number of rows made before, int32 (), and
        their indices, int32 (block,), padded with n.
      rows: The batch, a pytree of arrays (n, ...).
      block: Number of rows per block.
    """
    size = needed.shape[0]
    counts = count_before(needed)
    indices = select_first(needed, counts, size)
    indices = jnp.pad(indices, (0, block), constant_values=size)
    count = counts[-1]

    def work_on(carry: tuple[jax.Array, Tree]) -> tuple[jax.Array, Tree]:
        start, result = carry
        chosen = jax.lax.dynamic_slice(indices, (start,), (block,))
        new_rows = make(start, chosen)
        result = jax.tree.map(
            lambda old, new: old.at[chosen].set(new, mode="drop"), result, new_rows
        )
        return start + block, result

    _, result = jax.lax.while_loop(
        lambda carry: carry[0] < count, work_on, (jnp.int32(0), rows)
    )
    return result
