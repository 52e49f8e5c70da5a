"""Tables of the time of day, made in double precision."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np

from crafter.core.clock import daylight
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax.state import State

DAY: int = t.RULES.time["day"]
# Steps a day apart differ in the last bits. The table holds this many steps; later
# ones repeat its last day.
_STEPS = 40 * DAY


@functools.cache
def daylight_table() -> np.ndarray:
    """Returns the daylight by step on the clock, float64."""
    return np.array([daylight(step, t.RULES.time) for step in range(_STEPS)])


@functools.cache
def target_table() -> np.ndarray:
    """Returns how many creatures are wanted, int32 (steps of a day, kinds, 2).

    The last axis is minimum and maximum, cut to integers.
    """
    light = daylight_table()[:DAY, None, None]
    numbers = (
        t.DEFAULT.balance_targets[..., 0] + t.DEFAULT.balance_targets[..., 1] * light
    )
    return numbers.astype(np.int32)


def tick(state: State) -> jax.Array:
    """Returns the place of the present step in `daylight_table()`, int32."""
    clock = state.step + state.clock_offset
    return jnp.where(clock < _STEPS, clock, _STEPS - DAY + clock % DAY)


def light(state: State) -> jax.Array:
    """Returns the daylight, float32, 0 (darkest) to 1 (noon)."""
    return jnp.asarray(daylight_table().astype(np.float32))[tick(state)]
