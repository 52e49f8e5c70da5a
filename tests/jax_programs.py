"""Crafter in JAX, compiled once for all tests of a process.

Compiling a step takes some ten thousand times as long as playing one. So tests use
these functions, with one configuration and `GAMES` games, wherever that says as much.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import numpy as np

import crafter.batch.jax as crafter_jax
from crafter.batch.jax import levels
from crafter.batch.jax import step as jax_step

#: Games side by side.
GAMES = 12
KEY = jax.random.key(0)
ENV = crafter_jax.make("Crafter-Compact-v1")
CONFIG = ENV.config
PARAMS = ENV.default_params

#: As `Env.reset` and `Env.step`, for `GAMES` games.
reset = jax.jit(jax.vmap(ENV.reset, (0, None)))
step = jax.jit(jax.vmap(ENV.step, (0, 0, 0, None)))

#: `step.step` of `GAMES` games with draws that are there already.
step_with_draws = jax.jit(
    jax.vmap(lambda s, a, d: jax_step.step(CONFIG, s, a, d, jax_step.given))
)

sample_level = jax.jit(ENV.sample_level)
reset_to_level = jax.jit(ENV.reset_to_level)
mutate_noise = jax.jit(functools.partial(levels.mutate_noise, CONFIG, swaps=2))


def keys(number: int = 0) -> jax.Array:
    """Return a key per game."""
    return jax.random.split(jax.random.fold_in(KEY, number), GAMES)


@functools.cache
def beginning() -> Any:
    """Return observations and states at the start of episodes."""
    return jax.device_get(reset(keys(), PARAMS))


def game_of(tree: Any, number: int = 0) -> Any:
    """Return one of the games."""
    return jax.tree.map(lambda leaf: leaf[number], tree)


def repeated(game: Any) -> Any:
    """Return one game `GAMES` times."""
    return jax.tree.map(lambda leaf: np.stack([leaf] * GAMES), game)
