"""The boss: waves of creatures, and when it can be hit."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from crafter.games.craftax.jax.engine import Floor
from crafter.games.craftax.jax.state import Config, State


def is_vulnerable(config: Config, state: State, floor: Floor) -> jax.Array:
    """Returns whether the boss could be hit, on the floor of the player, bool.

    It can while no melee or ranged creature lives there and no wave is under way.
    """
    alive = floor.mobs.mask
    monsters = alive[config.part("melee")].any() | alive[config.part("ranged")].any()
    return (state.boss_timesteps_to_spawn_this_round <= 0) & ~monsters


def in_wave(state: State) -> jax.Array:
    """Returns whether a wave is under way around the player, bool."""
    return state.in_graveyard & (state.boss_timesteps_to_spawn_this_round >= 1)


def is_beaten(config: Config, state: State) -> jax.Array:
    """Returns whether the boss has taken all the hits that it can, bool."""
    hits: int = config.tables.data["boss"]["hits"]
    return state.boss_progress >= hits


def hit(config: Config, state: State, hits: jax.Array) -> State:
    """Returns the state after a hit of the boss, which calls the next wave."""
    steps = config.tables.data["boss"]["wave_steps"]
    timer = state.boss_timesteps_to_spawn_this_round
    return state._replace(
        boss_progress=state.boss_progress + hits.astype(jnp.int32),
        boss_timesteps_to_spawn_this_round=jnp.where(hits, steps, timer),
    )


def achievement(config: Config, name: str) -> int:
    """Returns the id of an achievement of the boss: `hit` or `won`."""
    tables = config.tables
    return tables.achievement_ids[tables.data["boss"]["achievements"][name]]


def update(config: Config, state: State) -> tuple[State, jax.Array]:
    """Counts down the time of a wave.

    Returns:
      The state, and the achievement of having won or -1.
    """
    won = jnp.where(is_beaten(config, state), achievement(config, "won"), -1)
    timer = state.boss_timesteps_to_spawn_this_round
    timer = timer - state.in_graveyard.astype(jnp.int32)
    return state._replace(boss_timesteps_to_spawn_this_round=timer), won
