"""Growth of saplings, which continues while the player is on other floors."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.arrays import after
from crafter.games.craftax.jax import engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn


def update(turn: Turn) -> Turn:
    """Grows all plants by a step, after all movement."""
    state, floor = turn.state, turn.floor
    age = jnp.where(state.growing_plants_mask, state.growing_plants_age + 1, 0)
    ripe = state.growing_plants_mask & (age >= turn.rules["plants"]["ripe"])
    cells = state.growing_plants_positions.astype(jnp.int32)
    cells = engine.number(turn.config, cells)
    here = engine.with_block(turn.read(cells, 0), t.BLOCK["ripe_plant"])
    turn = turn.change(growing_plants_age=age)
    # Ordered after projectiles and spawning have read the map.
    cells = after(cells, floor.player_projectiles.mask, floor.creatures.mask)
    return turn.write(cells, here, ripe, 0)


def sow(turn: Turn, at: jax.Array, wanted: jax.Array) -> Turn:
    """Assigns the first free plant slot; a sapling without a slot never ripens."""
    state = turn.state
    slot = engine.first_free(state.growing_plants_mask) & wanted
    positions = state.growing_plants_positions
    at = at.astype(positions.dtype)
    return turn.change(
        growing_plants_positions=jnp.where(slot[:, None], at, positions),
        growing_plants_age=jnp.where(slot, 0, state.growing_plants_age),
        growing_plants_mask=state.growing_plants_mask | slot,
    )


def eat(turn: Turn, at: jax.Array, eaten: jax.Array) -> Turn:
    """Resets the age of a plant's slot, or of the first slot if it has none."""
    place = jnp.argmax(engine.same(turn.state.growing_plants_positions, at))
    age = turn.state.growing_plants_age
    slots = np.arange(age.shape[0], dtype=np.int32)
    return turn.change(growing_plants_age=jnp.where((slots == place) & eaten, 0, age))
