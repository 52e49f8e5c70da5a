"""The time of the day."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import double, doubles
from crafter.games.craftax.jax.state import Config, EnvParams, State
from crafter.games.craftax.tables import single

_PI = single(math.pi)
_SINGLE = 8, 23  # bits of the exponent and the mantissa


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

        def rounded(x: jax.Array) -> jax.Array:
            return jax.lax.reduce_precision(x, *_SINGLE)

        one, pi, start = doubles(1.0, _PI, begin)
        length = jnp.asarray(day_length).astype(jnp.float64)
        elapsed = rounded(timestep.astype(jnp.float64) * rounded(one / length))
        progress = rounded(elapsed - jnp.floor(elapsed) + start)
        wave = rounded(abs(jnp.cos(rounded(pi * progress))))
        light = rounded(one - rounded(wave * wave) * wave)
        return light.astype(jnp.float32)


def update(config: Config, params: EnvParams, state: State) -> State:
    """Lets a step of time pass, and the daylight change."""
    timestep = state.timestep + np.int32(1)
    light = daylight(config, timestep, params.day_length)
    return state._replace(timestep=timestep, light_level=light)
