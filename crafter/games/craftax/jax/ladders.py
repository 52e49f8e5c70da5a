"""Ladders: the cells where the player leaves and enters a floor.

See `crafter.games.craftax.ladders`.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.arrays import find_nth, pick_whole
from crafter.games.craftax import ladders as craftax_ladders
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config

_WHOLE = 2**24  # draws are multiples of its inverse


def place(
    config: Config, blocks: jax.Array, items: jax.Array, draws: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Places the ladders of all floors.

    Args:
      config: Static configuration.
      blocks: Block ids, int32 (F, S, S).
      items: Item ids, int32 (F, S, S).
      draws: Numbers in [0, 1) for the ladders down and up, float32 (F, 2).

    Returns:
      Item ids with ladders, and the cells of the ladders down and up, int32 (F, 2, 2).
    """
    rules = [row["ladders"] for row in craftax_ladders.floor_rules(config.tables)]
    kinds = np.array([t.BLOCK[rule["ground"]] for rule in rules], np.int32)
    ground = blocks == kinds[:, None, None]
    wholes = (draws * np.float32(_WHOLE)).astype(jnp.int32)
    pick_each = jax.vmap(_pick_cell)
    down, up = (pick_each(ground, wholes[:, way]) for way in range(2))
    has = {
        way: np.array([rule[way] for rule in rules])[:, None, None]
        for way in ("down", "up")
    }
    cells = jax.lax.iota(jnp.int32, config.size**2).reshape(blocks.shape[1:])
    if config.applied("ladders_apart"):
        middle = config.size // 2 * (config.size + 1)
        goal = jnp.where(has["down"].ravel(), down, middle)
        up = _replace_arrivals(config, blocks, ground, goal, up, wholes[:, 1])
    for way, cell in (("down", down), ("up", up)):
        is_there = (cells == cell[:, None, None]) & has[way]
        items = jnp.where(is_there, t.ITEM[f"ladder_{way}"], items)
    numbers = jnp.stack([down, up], 1)
    size = config.size
    return items, jnp.stack([numbers // size, numbers % size], -1)


def _pick_cell(candidates: jax.Array, whole: jax.Array) -> jax.Array:
    """Returns a uniformly picked cell, row * S + column; 0 without candidates.

    Args:
      candidates: Bool (S, S).
      whole: A draw times 2**24, int32.
    """
    count = candidates.sum(dtype=jnp.int32)
    cell = find_nth(candidates, pick_whole(whole, count))
    return jnp.where(count > 0, cell, 0)


def _replace_arrivals(
    config: Config,
    blocks: jax.Array,
    ground: jax.Array,
    goal: jax.Array,
    up: jax.Array,
    wholes: jax.Array,
) -> jax.Array:
    """Replaces arrivals without a path to the goal, int32 (F,).

    The second pick reuses the remainder of the first draw.
    """
    cells = jax.lax.iota(jnp.int32, config.size**2).reshape(blocks.shape[1:])
    lasting = t.take(craftax_ladders.lasting_blocks(config.tables), blocks)
    at_goal = cells == goal[:, None, None]
    fit = ground & _reachable(lasting, at_goal) & ~at_goal
    is_fit = (fit & (cells == up[:, None, None])).any((1, 2))
    count = ground.sum((1, 2), dtype=jnp.uint32)
    left = (wholes.astype(jnp.uint32) * count & np.uint32(_WHOLE - 1)).astype(jnp.int32)
    other = jax.vmap(_pick_cell)(fit, left)
    keeps = is_fit | ~fit.any((1, 2)) | (np.arange(t.FLOORS) == 0)
    return jnp.where(keeps, up, other)


def _reachable(lasting: jax.Array, goal: jax.Array) -> jax.Array:
    """Returns the cells from which the player can walk to a cell, bool (F, S, S).

    Args:
      lasting: Permanent obstacles, bool (F, S, S).
      goal: Mask of the goal, which always counts as reachable.
    """

    def spread(both: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        reached, _ = both
        padded = jnp.pad(reached, ((0, 0), (1, 1), (1, 1)))
        near = padded[:, 2:, 1:-1] | padded[:, :-2, 1:-1]
        near |= padded[:, 1:-1, 2:] | padded[:, 1:-1, :-2]
        new = near & ~lasting & ~reached
        return reached | new, new.any()

    def goes_on(both: tuple[jax.Array, jax.Array]) -> jax.Array:
        return both[1]

    start = goal, jnp.bool_(True)
    return jax.lax.while_loop(goes_on, spread, start)[0]
