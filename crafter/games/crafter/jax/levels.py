"""Level mutation operators for curricula, and maps of levels.

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

_USE = 16  # argument of `random.bits`
#: Groups of materials that are swapped with each other.
_ALIKE = [
    [t.MATERIAL[name] for name in names]
    for names in (("grass", "tree"), ("stone", "coal", "iron", "diamond"))
]
#: Materials that are moved to the middle; plants are objects and stay.
_SWAPPED = [*_ALIKE[0], *_ALIKE[1], t.MATERIAL["water"], t.MATERIAL["lava"]]


def mutate_noise(config: Config, key: jax.Array, level: Level, swaps: int = 4) -> Level:
    """Perturbs the terrain, and redraws ores, trees and creatures.

    Swaps entries of the permutation, which changes the noise gradients at the lattice
    points that use them.

    Args:
      config: Static configuration.
      key: Key of `jax.random`.
      level: The level; block swaps in it are lost.
      swaps: Number of pairs of the 256 entries to swap.
    """
    words = random.words(key)
    permutation = swap_some(level.permutation, words, _USE, swaps)
    return generate(config, permutation, draw(config, words))


def mutate_swap(config: Config, key: jax.Array, level: Level, edits: int) -> Level:
    """Moves random blocks to the middle; see `functional.levels.swap_blocks`.

    The start and cells with creatures are unaffected.

    Args:
      config: Static configuration.
      key: Key of `jax.random`.
      level: The level.
      edits: Number of blocks.
    """
    drawn = random.uniforms(random.words(key), _USE, (edits, 3))
    swapped = swap_blocks(level.materials, _free(config, level), drawn, _SWAPPED)
    return level._replace(materials=swapped)


def mutate_rswap(config: Config, key: jax.Array, level: Level, edits: int) -> Level:
    """Swaps grass with trees, and stone and ores with each other.

    See `functional.levels.swap_alike`. Arguments as for `mutate_swap`.
    """
    drawn = random.uniforms(random.words(key), _USE, (edits, 4))
    swapped = swap_alike(level.materials, _free(config, level), drawn, _ALIKE)
    return level._replace(materials=swapped)


def map_of(level: Level) -> jax.Array:
    """Returns the materials, uint8 (..., Y, X, 1)."""
    return level.materials.swapaxes(-1, -2)[..., None]


def _free(config: Config, level: Level) -> jax.Array:
    """Returns the mask of cells that may change, bool (X, Y)."""
    start = tuple(length // 2 for length in config.area)
    return (level.creatures == 0).at[start].set(False)
