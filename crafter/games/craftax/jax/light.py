"""Daylight, and light of torches on dark floors."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import double, doubles, single_in_double
from crafter.games.craftax import light as craftax_light
from crafter.games.craftax.jax import engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, State
from crafter.games.craftax.tables import single

_PI = single(math.pi)


def daylight(
    config: Config, timestep: jax.Array, day_length: int | jax.Array
) -> jax.Array:
    """Returns the brightness of the overworld, float32; see `game.daylight`.

    Args:
      config: Static configuration.
      timestep: Steps on the clock.
      day_length: Steps per day.
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


def pass_time(turn: Turn) -> Turn:
    """Advances the clock by a step and updates the daylight."""
    timestep = turn.state.timestep + np.int32(1)
    light = daylight(turn.config, timestep, turn.params.day_length)
    return turn.change(timestep=timestep, light_level=light)


def add_torch(turn: Turn, at: jax.Array, wanted: jax.Array) -> Turn:
    """Adds the light of a torch if wanted; lit floors are unaffected.

    Args:
      turn: The step in progress.
      at: Cell of the torch, (2,).
      wanted: Bool scalar.
    """
    config, dark_light = turn.config, turn.state.dark_light
    patch = craftax_light.patch(**turn.rules["torch_light"])
    offsets = np.moveaxis(np.indices(patch.shape), 0, -1).reshape(-1, 2)
    cells = at + (offsets - len(patch) // 2).astype(np.int32)
    inside = engine.inside(config, cells) & wanted
    flat = dark_light.reshape(-1)
    floor = t.take(t.DARK_INDEX, turn.state.player_level) * config.size**2
    place = jnp.where(inside, floor + engine.number(config, cells), flat.shape[0])
    lit = jnp.minimum(t.take(flat, place) + patch.reshape(-1), np.float32(1))
    flat = flat.at[place].set(lit, mode="drop")
    return turn.change(dark_light=flat.reshape(dark_light.shape))


def window(config: Config, state: State, cells: jax.Array) -> jax.Array:
    """Returns the light of cells on the player's floor, float32 (...).

    Args:
      config: Static configuration.
      state: The game state.
      cells: Positions on the map, (..., 2).
    """
    dark = t.take(t.DARK_INDEX, state.player_level)
    place = dark * config.size**2 + engine.number(config, cells)
    stored = t.take(state.dark_light.reshape(-1), place)
    full = t.take(t.FLOOR_LIGHT, state.player_level)
    return jnp.where(dark < len(t.DARK_FLOORS), stored, full)


def generate(config: Config, arrivals: jax.Array, lava: jax.Array) -> jax.Array:
    """Returns the initial light of the dark floors, float32 (dark floors, S, S).

    Args:
      config: Static configuration.
      arrivals: Cells of arrival from above, int32 (dark floors, 2).
      lava: Mask of glowing lava, bool (dark floors, S, S).
    """
    patch = craftax_light.patch(**config.tables.data["torch_light"])
    cut = config.applied("light_patch")
    light = jax.vmap(lambda cell: _arrival(config.size, cell, patch, cut))(arrivals)
    base = jnp.asarray(t.FLOOR_LIGHT[list(t.DARK_FLOORS)])[:, None, None]
    light = base + light * (np.float32(1) - base)
    glow = craftax_light.glow(lava, config.tables.data["terrain"]["glow"], jnp)
    return jnp.clip(light + glow, 0, 1)


def _arrival(size: int, cell: jax.Array, patch: np.ndarray, cut: bool) -> jax.Array:
    """Returns the light around one arrival, float32 (S, S).

    In the published game the patch is shifted inside at the lower and right edges, and
    jumps to the opposite edge at the upper and left ones; `cut` clips it instead.
    """
    reach = len(patch) // 2
    last = size - len(patch)
    if not cut:
        moved = jnp.where(cell >= reach, jnp.minimum(cell - reach, last), last)
        cell = moved + reach
    canvas = jnp.zeros((size + 2 * reach,) * 2, jnp.float32)
    canvas = jax.lax.dynamic_update_slice(
        canvas, jnp.asarray(patch), (cell[0], cell[1])
    )
    return canvas[reach:-reach, reach:-reach]
