"""The time of the day."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import double, doubles, single_in_double
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config
from crafter.games.craftax.tables import single

_PI = single(math.pi)


def daylight(
    config: Config, timestep: jax.Array, day_length: int | jax.Array
) -> jax.Array:
    """Returns how bright the overworld is, float32; as `game.daylight`.

    Args:
      config: What is fixed.
      timestep: Steps on the clock.
      day_length: Steps of a day.
    """
    begin = single(config.tables.data["time"]["start"])
    with double():
        rounded = single_in_double
        one, pi, start = doubles(1.0, _PI, begin)
        length = jnp.asarray(day_length).astype(jnp.float64)
        elapsed = rounded(timestep.astype(jnp.float64) * rounded(one / length))
        progress = rounded(elapsed - jnp.floor(elapsed) + start)
        wave = rounded(abs(jnp.cos(rounded(pi * progress))))
        light = rounded(one - rounded(wave * wave) * wave)
        return light.astype(jnp.float32)


def update(turn: Turn) -> Turn:
    """Lets a step of time pass, and the daylight change."""
    timestep = turn.state.timestep + np.int32(1)
    light = daylight(turn.config, timestep, turn.params.day_length)
    return turn.change(timestep=timestep, light_level=light)
