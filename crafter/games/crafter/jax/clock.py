"""Tables of daylight by time of day, computed in double precision."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np

from crafter.core import clock
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax.state import Config, State
from crafter.games.crafter.rules import Rules

# Steps a day apart differ in the last bits. The table covers this many days; later days
# repeat the last one.
_DAYS = 40


@functools.cache
def daylight_table(rules: Rules) -> np.ndarray:
    """Returns the daylight by time on the clock, float64 (steps,)."""
    steps = range(_DAYS * rules.time["day"])
    return np.array([clock.daylight(step, rules.time) for step in steps])


@functools.cache
def target_table(rules: Rules, days: int = 1) -> np.ndarray:
    """Returns the target populations by time, int32 (steps of `days`, kinds, 2).

    The last axis is minimum and maximum, truncated to integers.
    """
    light = daylight_table(rules)[: days * rules.time["day"], None, None]
    constant, per_daylight = np.moveaxis(t.Tables(rules).balance_targets, -1, 0)
    numbers: np.ndarray = constant + per_daylight * light
    return numbers.astype(np.int32)


def tick(config: Config, state: State) -> jax.Array:
    """Returns the index of the current step in the daylight table, int32."""
    day, now = config.rules.time["day"], state.step + state.clock_offset
    return jnp.where(now < _DAYS * day, now, (_DAYS - 1) * day + now % day)


def daylight(config: Config, state: State) -> jax.Array:
    """Returns the daylight, float32, 0 (darkest) to 1 (noon)."""
    table = daylight_table(config.rules).astype(np.float32)
    return jnp.asarray(table)[tick(config, state)]


def targets(config: Config, state: State) -> jax.Array:
    """Returns the current target populations, int32 (kinds, 2)."""
    now = (state.step + state.clock_offset) % config.rules.time["day"]
    return jnp.asarray(target_table(config.rules))[now]
