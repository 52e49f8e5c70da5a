"""Work for some games of a batch only.

Under `vmap` a conditional turns into doing both branches for all games. What is needed
rarely and costs much, a new world or the balance of creatures, is done here for those
games that need it, a block at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

Tree = Any


def where(
    needed: jax.Array,
    work: Callable[[Tree], Tree],
    operands: Tree,
    otherwise: Tree,
    share: int,
) -> Tree:
    """Returns `work(operands)` where it is needed, else `otherwise`.

    Args:
      needed: Bool ().
      work: A pure function.
      operands: Its argument, a pytree of arrays.
      otherwise: A pytree like its result.
      share: Under `vmap`, one of so many games is expected to need it. Blocks have
        that part of the batch.
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


def once(value: Tree, one: jax.Array) -> Tree:
    """Returns a value as it is, so that no compiler computes it anew for every use.

    Args:
      value: A pytree of arrays.
      one: An int32 1 of which the compiler does not know that it is 1.
    """
    nothing = jax.tree.map(jnp.zeros_like, value)
    return jax.lax.fori_loop(0, one, lambda _, __: value, nothing)


def replace(
    needed: jax.Array,
    make: Callable[[jax.Array, jax.Array], Tree],
    rows: Tree,
    block: int,
) -> Tree:
    """Returns rows of a batch, some of them made anew, a block at a time.

    Args:
      needed: Which rows are made anew, bool (n,).
      make: Makes a block of them from how many were made before, int32 (), and their
        indices, int32 (block,), n where there are no more.
      rows: The batch, a pytree of arrays (n, ...).
      block: How many rows are made at a time.
    """
    size = needed.shape[0]
    (indices,) = jnp.nonzero(needed, size=size, fill_value=size)
    indices = jnp.pad(indices.astype(jnp.int32), (0, block), constant_values=size)
    count = needed.sum(dtype=jnp.int32)

    def work_on(carry: tuple[jax.Array, Tree]) -> tuple[jax.Array, Tree]:
        start, result = carry
        chosen = jax.lax.dynamic_slice(indices, (start,), (block,))
        made = make(start, chosen)
        result = jax.tree.map(
            lambda old, new: old.at[chosen].set(new, mode="drop"), result, made
        )
        return start + block, result

    _, result = jax.lax.while_loop(
        lambda carry: carry[0] < count, work_on, (jnp.int32(0), rows)
    )
    return result
