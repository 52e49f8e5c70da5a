"""Levels: worlds as values, with operators that change them.

A curriculum samples levels, keeps those worth learning in, mutates them, and plays them
with `Env.reset_to_level`.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import random
from crafter.functional.arrays import look_up
from crafter.functional.levels import swap_pairs, swap_some
from crafter.games.crafter.jax import noise, worldgen
from crafter.games.crafter.jax.state import Config, State

_NOISE_SEEDS = 2**31 - 1
_USE_WORLD, _USE_MUTATION = 8, 16  # of `random.bits`


class Level(NamedTuple):
    """A world before the first step.

    Attributes:
      permutation: What the terrain was made from, int32 (256,).
      materials: Material ids, uint8 (X, Y).
      creatures: Kind of the creature in each cell, 0 for none, uint8 (X, Y).
    """

    permutation: jax.Array
    materials: jax.Array
    creatures: jax.Array


def generate(config: Config, permutation: jax.Array, draws: worldgen.Draws) -> Level:
    """Returns the level of a permutation of the noise and of random numbers."""
    ground = worldgen.terrain(config, permutation)
    return Level(permutation, *worldgen.fill(config, ground, draws))


def start(config: Config, level: Level) -> State:
    """Returns the state at the start of an episode in a level."""
    return worldgen.start(config, level.materials, level.creatures)


def sample(config: Config, words: jax.Array) -> Level:
    """Returns a random level.

    Args:
      config: What is fixed.
      words: As from `random.words`, uint32 (WORDS,).
    """
    seed = (words[3] % np.uint32(_NOISE_SEEDS)).astype(jnp.int32)
    return generate(config, noise.permutation(seed), _draws(config, words))


def _draws(config: Config, words: jax.Array) -> worldgen.Draws:
    shapes = worldgen.draw_shapes(config)
    return worldgen.Draws(**random.fill(shapes, words, _USE_WORLD))


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
    permutation = swap_some(level.permutation, words, _USE_MUTATION, swaps)
    return generate(config, permutation, _draws(config, words))


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
    pairs = random.bits(words, _USE_MUTATION, 2 * swaps) % np.uint32(cells)
    pairs = pairs.reshape(swaps, 2)
    center = config.area[0] // 2 * config.area[1] + config.area[1] // 2
    taken = level.creatures.reshape(-1)[pairs].any(1) | (pairs == center).any(1)
    if restricted:
        walkable = look_up(config.tables.open, level.materials.reshape(-1)[pairs])
        taken |= walkable[:, 0] != walkable[:, 1]
    return level._replace(materials=swap_pairs(level.materials, pairs, taken))
