"""Boss fight: waves of creatures, and when the boss is vulnerable."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, State


def is_vulnerable(turn: Turn) -> jax.Array:
    """Returns whether the boss can be hit now, given a player on its floor, bool.

    It can while the player's floor has no living melee or ranged creature and no wave
    is under way.
    """
    alive, config = turn.floor.creatures.mask, turn.config
    monsters = alive[config.part("melee")].any() | alive[config.part("ranged")].any()
    return (turn.state.boss_timesteps_to_spawn_this_round <= 0) & ~monsters


def in_wave(state: State) -> jax.Array:
    """Returns whether a wave is under way around the player, bool."""
    return state.in_graveyard & (state.boss_timesteps_to_spawn_this_round >= 1)


def is_beaten(config: Config, state: State) -> jax.Array:
    """Returns whether the boss has taken enough hits to be beaten, bool."""
    hits: int = config.tables.data["boss"]["hits"]
    return state.boss_progress >= hits


def hit(turn: Turn, hits: jax.Array) -> Turn:
    """Hits the boss, which starts the next wave."""
    steps = turn.rules["boss"]["wave_steps"]
    timer = turn.state.boss_timesteps_to_spawn_this_round
    return turn.change(
        boss_progress=turn.state.boss_progress + hits.astype(jnp.int32),
        boss_timesteps_to_spawn_this_round=jnp.where(hits, steps, timer),
    )


def update(turn: Turn) -> Turn:
    """Rewards beating the boss, and counts down the timer of a wave."""
    won = turn.rules["boss"]["achievements"]["won"]
    turn = turn.earn_named(won, is_beaten(turn.config, turn.state))
    timer = turn.state.boss_timesteps_to_spawn_this_round
    timer = timer - turn.state.in_graveyard.astype(jnp.int32)
    return turn.change(boss_timesteps_to_spawn_this_round=timer)
