"""Operators that change levels, for curricula.

A curriculum samples levels, keeps those worth learning in, mutates them, and plays them
with `Env.reset_to_level`.
"""

from __future__ import annotations

import jax
import numpy as np

from crafter.functional import random
from crafter.functional.arrays import look_up
from crafter.functional.levels import swap_pairs, swap_some
from crafter.games.crafter.jax.state import Config
from crafter.games.crafter.jax.worldgen import Level, draw, generate

_USE = 16  # of `random.bits`


def mutate_noise(config: Config, key: jax.Array, level: Level, swaps: int = 4) -> Level:
    """Changes the terrain here and there, and draws ores, trees and creatures anew.

    Entries of the permutation are exchanged, which turns the gradients of the noise at
    the lattice points that use them.

    Args:
      config: What is fixed.
      key: Key of `jax.random`.
      level: The level; swaps of cells in it are lost.
      swaps: How many pairs of the 256 entries to exchange.
    """
    words = random.words(key)
    permutation = swap_some(level.permutation, words, _USE, swaps)
    return generate(config, permutation, draw(config, words))


def mutate_swap(
    config: Config,
    key: jax.Array,
    level: Level,
    swaps: int = 16,
    restricted: bool = False,
) -> Level:
    """Exchanges the materials of pairs of cells.

    The start and cells with creatures are left alone.

    Args:
      config: What is fixed.
      key: Key of `jax.random`.
      level: The level.
      swaps: How many pairs to try.
      restricted: Exchange only two walkable materials, or two others, so that ways
        stay ways and walls stay walls.
    """
    cells = level.materials.size
    words = random.words(key)
    pairs = random.bits(words, _USE, 2 * swaps) % np.uint32(cells)
    pairs = pairs.reshape(swaps, 2)
    center = config.area[0] // 2 * config.area[1] + config.area[1] // 2
    taken = level.creatures.reshape(-1)[pairs].any(1) | (pairs == center).any(1)
    if restricted:
        walkable = look_up(config.tables.open, level.materials.reshape(-1)[pairs])
        taken |= walkable[:, 0] != walkable[:, 1]
    return level._replace(materials=swap_pairs(level.materials, pairs, taken))
