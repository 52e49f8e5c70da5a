"""Saplings, which ripen on the overworld wherever the player is."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.arrays import after
from crafter.games.craftax.jax import engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Floor
from crafter.games.craftax.jax.state import Config, State


def update(config: Config, state: State, floor: Floor) -> State:
    """Lets all plants grow by a step.

    Args:
      config: What is fixed.
      state: The game.
      floor: What moves on the floor of the player, when it has moved.
    """
    age = jnp.where(state.growing_plants_mask, state.growing_plants_age + 1, 0)
    ripe = state.growing_plants_mask & (age >= config.tables.data["plants"]["ripe"])
    cells = engine.number(config, state.growing_plants_positions.astype(jnp.int32))
    here = engine.read(config, state, 0, cells)
    here = engine.with_block(here, t.BLOCK["ripe_plant"])
    state = state._replace(growing_plants_age=age)
    # Shots and new creatures have looked at the map.
    cells = after(cells, floor.own_shots.mask, floor.mobs.mask)
    return engine.write(config, state, 0, cells, here, ripe)


def sow(state: State, at: jax.Array, wanted: jax.Array) -> State:
    """Gives a plant the first free slot; without one it never ripens."""
    slot = engine.first_free(state.growing_plants_mask) & wanted
    positions = state.growing_plants_positions
    return state._replace(
        growing_plants_positions=jnp.where(
            slot[:, None], at.astype(positions.dtype), positions
        ),
        growing_plants_age=jnp.where(slot, 0, state.growing_plants_age),
        growing_plants_mask=state.growing_plants_mask | slot,
    )


def eat(state: State, at: jax.Array, eaten: jax.Array) -> State:
    """Lets a plant start again; the first slot does if it has none of its own."""
    place = jnp.argmax(engine.same(state.growing_plants_positions, at))
    slots = np.arange(state.growing_plants_age.shape[0], dtype=np.int32)
    age = jnp.where((slots == place) & eaten, 0, state.growing_plants_age)
    return state._replace(growing_plants_age=age)
