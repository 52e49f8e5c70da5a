"""Level mutation operators for curricula, and maps of levels.

A curriculum samples levels with `Env.sample_level`, keeps those worth learning in,
mutates them, and plays them with `Env.reset_to_level`.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import random
from crafter.functional.levels import swap_alike, swap_blocks
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax import worldgen
from crafter.games.craftax.jax.state import Config, EnvParams
from crafter.games.craftax.jax.worldgen import Level

_USE = 0  # argument of `random.bits`; the keys have no other use
#: Groups of blocks that are swapped with each other.
_ALIKE = [
    [t.BLOCK[name] for name in names]
    for names in (("grass", "tree"), ("stone", "coal", "iron", "diamond"))
]
_MORE = [t.BLOCK[name] for name in ("water", "lava", "ripe_plant")]
#: Blocks that are moved to the middle.
_SWAPPED = [*_ALIKE[0], *_ALIKE[1], *_MORE]


def mutate_noise(
    config: Config,
    key: jax.Array,
    level: Level,
    reach: float = 0.2,
    params: EnvParams | None = None,
) -> Level:
    """Perturbs all noise gradients, and redraws everything else.

    Args:
      config: Static configuration.
      key: Key of `jax.random`.
      level: The level; block swaps in it are lost.
      reach: Maximum change of directions, in turns; they are clipped to [0, 1].
      params: Dynamic parameters; gradient directions in them are ignored. By default
        those of the rules.
    """
    params = params or EnvParams.of(config.tables)
    params = params.replace(fractal_noise_angles=(None,) * 4)
    words = random.words(key)
    angles = []
    for number, one in enumerate(level.angles):
        turns = 2 * random.uniforms(words, _USE + number, one.shape) - 1
        angles.append(jnp.clip(one + reach * turns, 0, 1))
    level = level._replace(words=words)
    return worldgen.with_angles(config, params, level, tuple(angles))


def mutate_swap(config: Config, key: jax.Array, level: Level, edits: int) -> Level:
    """Moves random blocks to the middle of the overworld.

    See `functional.levels.swap_blocks`. The player's cell is unaffected, and items stay
    in place.

    Args:
      config: Static configuration.
      key: Key of `jax.random`.
      level: The level.
      edits: Number of blocks.
    """
    drawn = random.uniforms(random.words(key), _USE, (edits, 3))
    return _edit(level, swap_blocks, drawn, _SWAPPED)


def mutate_rswap(config: Config, key: jax.Array, level: Level, edits: int) -> Level:
    """Swaps grass with trees, and stone and ores with each other.

    See `functional.levels.swap_alike`. Arguments as for `mutate_swap`.
    """
    drawn = random.uniforms(random.words(key), _USE, (edits, 4))
    return _edit(level, swap_alike, drawn, _ALIKE)


def map_of(level: Level) -> jax.Array:
    """Returns blocks and items of the overworld, uint8 (..., S, S, 2)."""
    cells = level.cells[..., 0, :, :]
    return jnp.stack([cells & t.BLOCK_MASK, cells >> t.ITEM_SHIFT], -1)


def _edit(level: Level, change: Any, drawn: jax.Array, kinds: Any) -> Level:
    """Applies a swap function to the blocks of the overworld."""
    cells = level.cells[0]
    blocks, items = cells & t.BLOCK_MASK, cells & ~np.uint8(t.BLOCK_MASK)
    free = np.ones(cells.shape, bool)
    free[tuple(length // 2 for length in cells.shape)] = False
    blocks = change(blocks, jnp.asarray(free), drawn, kinds)
    return level._replace(cells=level.cells.at[0].set(blocks | items))
