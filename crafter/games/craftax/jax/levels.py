"""Operators that change levels, for curricula.

A curriculum samples levels with `Env.sample_level`, keeps those worth learning in,
mutates them, and plays them with `Env.reset_to_level`.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from crafter.functional import random
from crafter.functional.levels import swap_pairs, swap_some
from crafter.games.craftax.jax import engine, worldgen
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config, EnvParams
from crafter.games.craftax.jax.worldgen import Level

_USE = 0  # of `random.bits`; the keys are used for nothing else
_LAVA = t.BLOCK["lava"]


def mutate_noise(
    config: Config,
    key: jax.Array,
    level: Level,
    swaps: int = 2,
    params: EnvParams | None = None,
) -> Level:
    """Changes the terrain here and there on the floors that are made of noise.

    Gradients at some lattice points exchange their directions. Everything else is drawn
    as before, so that far from these points the floors, and all floors of rooms, stay
    as they were, but for ladders that find other ground.

    Args:
      config: What is fixed.
      key: Key of `jax.random`.
      level: The level; swaps of cells in it are lost.
      swaps: How many pairs of lattice points of each noise, on all floors together.
      params: May ask for a diamond; directions of gradients in it do not count. By
        default those of the rules.
    """
    params = params or EnvParams.of(config.tables)
    params = params.replace(fractal_noise_angles=(None,) * 4)
    words = random.words(key)
    angles = tuple(
        swap_some(one, words, _USE + number, swaps)
        for number, one in enumerate(level.angles)
    )
    return worldgen.with_angles(config, params, level, angles)


def mutate_swap(
    config: Config,
    key: jax.Array,
    level: Level,
    swaps: int = 64,
    restricted: bool = False,
) -> Level:
    """Exchanges the blocks of pairs of cells, both on one floor.

    The middle of each floor, where the player starts or the boss stands, the cell where
    it arrives from above, cells with an item, and lava, whose light stays where it is,
    are left alone.

    Args:
      config: What is fixed.
      key: Key of `jax.random`.
      level: The level.
      swaps: How many pairs to try, on all floors together.
      restricted: Exchange only two blocks that can be walked on, or two others, so that
        ways stay ways and walls stay walls.
    """
    size = config.size
    drawn = random.bits(random.words(key), _USE, 3 * swaps).reshape(3, swaps)
    drawn = (drawn >> 1).astype(jnp.int32)
    floor = drawn[0] % t.FLOORS
    places = drawn[1:].T % size**2
    pairs = floor[:, None] * size**2 + places
    found = level.cells.reshape(-1)[pairs]
    blocks = found & t.BLOCK_MASK
    middle = size // 2 * (size + 1)
    arrivals = t.take(level.up_ladders.astype(jnp.int32), floor)
    arrivals = engine.number(config, arrivals)[:, None]
    fixed = (
        (places == middle)
        | (places == arrivals)
        | (found >> t.ITEM_SHIFT > 0)
        | (blocks == _LAVA)
    )
    kept = fixed.any(1)
    if restricted:
        bits = t.take(t.block_bits(config.tables), blocks.astype(jnp.int32))
        barred = t.flag(bits, t.LAND)
        kept |= barred[:, 0] != barred[:, 1]
    return level._replace(cells=swap_pairs(level.cells, pairs, kept))
