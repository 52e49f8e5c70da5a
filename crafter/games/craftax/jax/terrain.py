"""Floors made of noise; see `crafter.games.craftax.terrain`.

All of them are generated at once: every array has the floors as its first axis.
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

#: Rules of these floors.
TERRAIN = terrain.Terrain(load())
_RULES = load().data["terrain"]
_STONE, _DIAMOND = t.BLOCK["stone"], t.BLOCK["diamond"]


def generate(
    config: Config, draws: Mapping[str, jax.Array], always_diamond: jax.Array | bool
) -> tuple[jax.Array, jax.Array]:
    """Generates the blocks of the floors.

    Args:
      config: Static configuration.
      draws: The draws `smooth.*` of `worldgen.shapes`.
      always_diamond: Whether to turn a stone of the first floor into a diamond.

    Returns:
      Block ids, int32, and the mask of the lava rule, bool; both of shape
      (floors, S, S).
    """
    with double():
        noise = {
            name: gradient_noise(draws[f"smooth.{name}_angle"], config.size)
            for name in TERRAIN.noises
        }
        for name in ("water", "mountain"):
            noise[name] = noise[name] + _ramp(name, config.size)
        (offset,) = doubles(_RULES["mountain"]["offset"])
        noise["mountain"] = noise["mountain"] + offset
        blocks, lava = TERRAIN.cover(noise, draws, jnp, _above)
        blocks = blocks.astype(jnp.int32)
    return _with_single_cells(config, blocks, draws, always_diamond), lava


def _above(noise: jax.Array, limit: Any) -> jax.Array:
    """Compares a noise with a threshold; requires `precision.double()`."""
    return noise > doubles(limit)[0]


def _ramp(noise: str, size: int) -> jax.Array:
    """Returns the offset of a noise by distance from the centre, per floor.

    Requires `precision.double()`.

    Returns:
      float64 (floors, size, size).
    """
    offset = jax.lax.iota(jnp.int32, size) - size // 2
    squares = offset[:, None] ** 2 + offset**2
    strength, most, none, one = doubles(
        *(TERRAIN.column(noise, "ramp", name) for name in ("strength", "max")), 0.0, 1.0
    )
    distance = jnp.sqrt(squares.astype(jnp.float64))
    return jnp.minimum(jnp.maximum(distance / strength, none), most) - one


def _with_single_cells(
    config: Config,
    blocks: jax.Array,
    draws: Mapping[str, jax.Array],
    always_diamond: jax.Array | bool,
) -> jax.Array:
    """Sets the corner stone, the guaranteed diamond, and the centre."""
    stone = blocks == _STONE
    if not config.applied("corner_stone"):
        corner = jnp.where(stone.any((1, 2)), blocks[:, 0, 0], _STONE)
        blocks = blocks.at[:, 0, 0].set(corner)
    count = stone[0].sum(dtype=jnp.int32)
    cell = find_nth(stone[0], pick(draws["smooth.diamond_u"], count))
    cell = jnp.where(count > 0, cell, 0)
    cells = jax.lax.iota(jnp.int32, config.size**2).reshape(blocks.shape[1:])
    is_diamond = (cells == cell) & jnp.asarray(always_diamond)
    blocks = blocks.at[0].set(jnp.where(is_diamond, _DIAMOND, blocks[0]))
    middle = config.size // 2
    centre = TERRAIN.ids("blocks", "centre").astype(np.int32).ravel()
    return blocks.at[:, middle, middle].set(centre)


def gradient_noise(turns: jax.Array, size: int) -> jax.Array:
    """Returns maps of gradient noise, each rescaled to [0, 1].

    Requires `precision.double()`, so that the last bits almost never change a block.

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
    noise = _contract(_contract(jnp.cos(angles), row_offset), column)
    noise = noise + _contract(_contract(jnp.sin(angles), row), column_offset)
    noise = noise - noise.min((-2, -1), keepdims=True)
    return noise / noise.max((-2, -1), keepdims=True)


def _contract(lines: jax.Array, weights: jax.Array) -> jax.Array:
    """Contracts lattice lines with weights, and moves the next axis to the front.

    Uses `jax.lax`, since a matrix product of `jax.numpy` falls back to 32 bits when it
    is traced again outside of `precision.double()`.

    Args:
      lines: float64 (..., lines, n).
      weights: float64 (cells, lines).

    Returns:
      float64 (..., n, cells).
    """
    axis = lines.ndim - 2
    return jax.lax.dot_general(lines, weights, (((axis,), (1,)), ((), ())))
