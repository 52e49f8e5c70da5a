"""The boss: waves of creatures, and when it can be hit."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, State


def is_vulnerable(turn: Turn) -> jax.Array:
    """Returns whether the boss could be hit, on the floor of the player, bool.

    It can while no melee or ranged creature lives there and no wave is under way.
    """
    alive, config = turn.floor.creatures.mask, turn.config
    monsters = alive[config.part("melee")].any() | alive[config.part("ranged")].any()
    return (turn.state.boss_timesteps_to_spawn_this_round <= 0) & ~monsters


def in_wave(state: State) -> jax.Array:
    """Returns whether a wave is under way around the player, bool."""
    return state.in_graveyard & (state.boss_timesteps_to_spawn_this_round >= 1)


def is_beaten(config: Config, state: State) -> jax.Array:
    """Returns whether the boss has taken all the hits that it can, bool."""
    hits: int = config.tables.data["boss"]["hits"]
    return state.boss_progress >= hits


def hit(turn: Turn, hits: jax.Array) -> Turn:
    """Hits the boss, which calls the next wave."""
    steps = turn.rules["boss"]["wave_steps"]
    timer = turn.state.boss_timesteps_to_spawn_this_round
    return turn.change(
        boss_progress=turn.state.boss_progress + hits.astype(jnp.int32),
        boss_timesteps_to_spawn_this_round=jnp.where(hits, steps, timer),
    )


def update(turn: Turn) -> Turn:
    """Counts down the time of a wave, and ends the game of who has won."""
    won = turn.rules["boss"]["achievements"]["won"]
    turn = turn.earn_named(won, is_beaten(turn.config, turn.state))
    timer = turn.state.boss_timesteps_to_spawn_this_round
    timer = timer - turn.state.in_graveyard.astype(jnp.int32)
    return turn.change(boss_timesteps_to_spawn_this_round=timer)
