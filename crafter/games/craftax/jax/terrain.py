"""Floors made of noise; see `crafter.games.craftax.terrain`.

All of them are made at once: every array has the floors as its first axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.arrays import find_nth, pick
from crafter.functional.precision import double, doubles
from crafter.games.craftax import terrain
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config
from crafter.games.craftax.noise import lattice_weights
from crafter.games.craftax.tables import load
from crafter.games.craftax.tables import terrain as _RULES

#: The rules of these floors.
TERRAIN = terrain.Terrain(load())
FLOORS, NOISES = TERRAIN.floors, TERRAIN.noises
#: For each floor whether the rule of lava makes lava.
GLOWS = TERRAIN.glows()
_STONE, _DIAMOND = t.BLOCK["stone"], t.BLOCK["diamond"]
_column = TERRAIN.column


def _ids(*path: str) -> np.ndarray:
    """Returns a block id of every floor, int32 (floors, 1, 1)."""
    return TERRAIN.ids(*path).astype(np.int32)


def generate(
    config: Config, draws: Mapping[str, jax.Array], always_diamond: jax.Array | bool
) -> tuple[jax.Array, jax.Array]:
    """Makes the blocks of the floors.

    Args:
      config: What is fixed.
      draws: The draws `smooth.*` of `worldgen.shapes`.
      always_diamond: Whether a stone of the first floor becomes a diamond.

    Returns:
      Block ids, int32, and where the rule of lava applied, bool; both of shape
      (floors, S, S).
    """
    blocks, trees, lava = _land(config.size, draws)
    trees = trees & (blocks == _ids("tree", "ground"))
    trees &= draws["smooth.tree_u"] > _column("tree", "draw").astype(np.float32)
    blocks = jnp.where(trees, _ids("tree", "block"), blocks)
    for number in range(TERRAIN.ores):
        ore = TERRAIN.ore(number)
        found = blocks == ore.replaces.astype(np.int32)
        found &= draws["smooth.ore_u"][:, number] < ore.chance
        blocks = jnp.where(found, ore.block.astype(np.int32), blocks)
    blocks = jnp.where(lava, _ids("blocks", "lava"), blocks)
    return _with_single_cells(config, blocks, draws, always_diamond), lava


def _land(
    size: int, draws: Mapping[str, jax.Array]
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns the blocks without trees, ores and lava, and where these may be.

    Returns:
      Block ids, int32; where noise lets trees grow, and where the rule of lava applies,
      bool.
    """
    with double():
        noise = {
            name: gradient_noise(draws[f"smooth.{name}_angle"], size) for name in NOISES
        }
        water, mountain = (
            noise[name] + _ramp(name, size) for name in ("water", "mountain")
        )
        mountain = mountain + doubles(_RULES["mountain"]["offset"])[0]
        sea = _above(water, _column("water", "sea"))
        coast = ~sea & _above(water, _column("water", "coast"))
        high = _above(mountain, _RULES["mountain"]["above"])
        tunnel = _above(noise["tunnel"], _RULES["tunnel"]["above"])
        cave = _above(mountain, _RULES["cave"]["mountain"])
        cave &= _above(water, _RULES["cave"]["water"])
        trees = _above(noise["tree"], _column("tree", "noise"))
        lava = _above(mountain, _RULES["lava"]["mountain"])
        lava &= _above(noise["tree"], _RULES["lava"]["tree"])
    tunnel |= tunnel.swapaxes(1, 2)
    blocks = jnp.where(sea, _ids("blocks", "sea"), _ids("blocks", "ground"))
    places = {"coast": coast, "mountain": high, "tunnel": high & tunnel, "cave": cave}
    for name, where in places.items():
        blocks = jnp.where(where, _ids("blocks", name), blocks)
    return blocks, trees, lava


def _above(noise: jax.Array, limit: Any) -> jax.Array:
    """Returns where a noise is above a limit; needs `precision.double()`."""
    return noise > doubles(limit)[0]


def _ramp(noise: str, size: int) -> jax.Array:
    """Returns what the distance to the middle adds to a noise on every floor.

    Needs `precision.double()`.

    Returns:
      float64 (floors, size, size).
    """
    offset = jax.lax.iota(jnp.int32, size) - size // 2
    squares = offset[:, None] ** 2 + offset**2
    strength, most, none, one = doubles(
        *(_column(noise, "ramp", name) for name in ("strength", "max")), 0.0, 1.0
    )
    distance = jnp.sqrt(squares.astype(jnp.float64))
    return jnp.minimum(jnp.maximum(distance / strength, none), most) - one


def _with_single_cells(
    config: Config,
    blocks: jax.Array,
    draws: Mapping[str, jax.Array],
    always_diamond: jax.Array | bool,
) -> jax.Array:
    """Returns the blocks with the corner, the diamond asked for, and the middle."""
    stone = blocks == _STONE
    if not config.repaired("corner_stone"):
        corner = jnp.where(stone.any((1, 2)), blocks[:, 0, 0], _STONE)
        blocks = blocks.at[:, 0, 0].set(corner)
    count = stone[0].sum(dtype=jnp.int32)
    cell = find_nth(stone[0], pick(draws["smooth.diamond_u"], count))
    cell = jnp.where(count > 0, cell, 0)
    cells = jax.lax.iota(jnp.int32, config.size**2).reshape(blocks.shape[1:])
    is_diamond = (cells == cell) & jnp.asarray(always_diamond)
    blocks = blocks.at[0].set(jnp.where(is_diamond, _DIAMOND, blocks[0]))
    middle = config.size // 2
    return blocks.at[:, middle, middle].set(_ids("blocks", "centre").ravel())


def gradient_noise(turns: jax.Array, size: int) -> jax.Array:
    """Returns maps of gradient noise, each stretched to 0 ... 1.

    Needs `precision.double()`, so that the last bits almost never decide what a cell
    becomes.

    Args:
      turns: Directions of the gradients in turns, float32 (..., a + 1, b + 1) for a
        lattice of a x b squares.
      size: Rows and columns of a map.

    Returns:
      float64 (..., size, size).
    """
    (turn,) = doubles(2 * np.pi)
    angles = turn * turns.astype(jnp.float64)
    row, row_offset = doubles(*lattice_weights(size, angles.shape[-2] - 1))
    column, column_offset = doubles(*lattice_weights(size, angles.shape[-1] - 1))
    noise = _weighted(_weighted(jnp.cos(angles), row_offset), column)
    noise = noise + _weighted(_weighted(jnp.sin(angles), row), column_offset)
    noise = noise - noise.min((-2, -1), keepdims=True)
    return noise / noise.max((-2, -1), keepdims=True)


def _weighted(lines: jax.Array, weights: jax.Array) -> jax.Array:
    """Returns sums over lattice lines for each cell; the next axis comes in front.

    This is a product of matrices as `jax.lax` has it: that of `jax.numpy` falls back to
    32 bits where it is traced again outside of `precision.double()`.

    Args:
      lines: float64 (..., lines, n).
      weights: float64 (cells, lines).

    Returns:
      float64 (..., n, cells).
    """
    axis = lines.ndim - 2
    return jax.lax.dot_general(lines, weights, (((axis,), (1,)), ((), ())))
