"""Operators that change levels, for curricula.

A curriculum samples levels, keeps those worth learning in, mutates them, and plays them
with `Env.reset_to_level`.
"""

from __future__ import annotations

import jax

from crafter.functional import random
from crafter.functional.levels import swap_alike, swap_blocks, swap_some
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax.state import Config
from crafter.games.crafter.jax.worldgen import Level, draw, generate

_USE = 16  # of `random.bits`
#: Groups of materials that are exchanged with each other.
_ALIKE = [
    [t.MATERIAL[name] for name in names]
    for names in (("grass", "tree"), ("stone", "coal", "iron", "diamond"))
]
#: Materials that are brought to the middle; plants are objects and stay.
_SWAPPED = [*_ALIKE[0], *_ALIKE[1], t.MATERIAL["water"], t.MATERIAL["lava"]]


def mutate_noise(config: Config, key: jax.Array, level: Level, swaps: int = 4) -> Level:
    """Changes the terrain here and there, and draws ores, trees and creatures anew.

    Entries of the permutation are exchanged, which turns the gradients of the noise at
    the lattice points that use them.

    Args:
      config: Static configuration.
      key: Key of `jax.random`.
      level: The level; swaps of cells in it are lost.
      swaps: How many pairs of the 256 entries to exchange.
    """
    words = random.words(key)
    permutation = swap_some(level.permutation, words, _USE, swaps)
    return generate(config, permutation, draw(config, words))


def mutate_swap(config: Config, key: jax.Array, level: Level, edits: int) -> Level:
    """Brings random blocks to the middle; see `functional.levels.swap_blocks`.

    The start and cells with creatures are left alone.

    Args:
      config: Static configuration.
      key: Key of `jax.random`.
      level: The level.
      edits: How many blocks.
    """
    drawn = random.uniforms(random.words(key), _USE, (edits, 3))
    swapped = swap_blocks(level.materials, _free(config, level), drawn, _SWAPPED)
    return level._replace(materials=swapped)


def mutate_rswap(config: Config, key: jax.Array, level: Level, edits: int) -> Level:
    """Exchanges grass with trees, and stone and ores with each other.

    See `functional.levels.swap_alike`. The rest is as for `mutate_swap`.
    """
    drawn = random.uniforms(random.words(key), _USE, (edits, 4))
    swapped = swap_alike(level.materials, _free(config, level), drawn, _ALIKE)
    return level._replace(materials=swapped)


def _free(config: Config, level: Level) -> jax.Array:
    """Returns the cells that may change, bool (X, Y)."""
    start = tuple(length // 2 for length in config.area)
    return (level.creatures == 0).at[start].set(False)
