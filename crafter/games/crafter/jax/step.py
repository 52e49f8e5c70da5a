"""One step: all draws first, then a pure function of state and draws."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from crafter.functional import random, sparse
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import creatures, player, world
from crafter.games.crafter.jax import spawning as balance_module
from crafter.games.crafter.jax.state import Config, State

_ACTIONS = len(t.ACTIONS)


class Draws(NamedTuple):
    """Random numbers of a step, float32 in [0, 1), multiples of 2**-24.

    Attributes:
      player: Draw of the chance of collecting, shape ().
      objects: Row k is for the k-th object, in index order, within the update range
        plus one of the player's cell before the step; shape (max_active,
        creatures.DRAWS). See `creatures` for their meaning.
      balance: Per chunk and kind: the chance, and the pick among cells or members;
        shape (chunks, balance.KINDS, balance.DRAWS).
    """

    player: jax.Array
    objects: jax.Array
    balance: jax.Array


def draw_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Returns the shape of each field of `Draws`."""
    return {
        "player": (),
        "objects": (config.max_active, creatures.DRAWS),
        "balance": (config.chunks, balance_module.KINDS, balance_module.DRAWS),
    }


def step(
    config: Config,
    state: State,
    action: jax.Array,
    source: jax.Array | Draws,
) -> tuple[State, jax.Array]:
    """Plays one step.

    Args:
      config: Static configuration.
      state: The game state.
      action: Index of the action, an integer; actions out of range do nothing and are
        counted.
      source: Words from `random.words`, or given random numbers.

    Returns:
      The next state, and the reward, float32.
    """

    def numbers(source: Any, name: str) -> jax.Array:
        if isinstance(source, Draws):
            return getattr(source, name)
        use = Draws._fields.index(name)
        return random.uniforms(source, use, draw_shapes(config)[name])

    before = state.achievements
    player_draw, object_draws = (numbers(source, n) for n in ("player", "objects"))
    object_draws = sparse.once(object_draws, state.step)
    valid = (action >= 0) & (action < _ACTIONS)
    action = jnp.where(valid, action, t.ACTION["noop"]).astype(jnp.int32)
    state = state._replace(
        step=state.step + 1,
        invalid_actions=state.invalid_actions + (~valid).astype(jnp.int32),
    )
    turn, plant = player.update(world.begin(config, state), action, player_draw)
    state = creatures.update(turn, plant, object_draws)

    def balanced(operands: tuple[Any, State]) -> dict[str, jax.Array]:
        source, state = operands
        draws = numbers(source, "balance")
        return balance_module.changing(balance_module.balance(config, state, draws))

    interval: int = config.rules.balance["interval"]
    # Balancing runs every few steps, and with its draws costs more than all the rest.
    changed = sparse.where(
        state.step % interval == 0,
        balanced,
        (source, state),
        balance_module.changing(state),
        # Slightly above the expected share, so that one block is usually enough.
        max(interval * 4 // 5, 1),
    )
    return reward(config, state._replace(**changed), before)


def reward(config: Config, state: State, before: jax.Array) -> tuple[State, jax.Array]:
    """Returns the state with updated `rewarded_health`, and the reward, float32.

    Args:
      config: Static configuration.
      state: The state after the step.
      before: The achievements before the step.
    """
    health = state.inventory[t.HEALTH]
    change = (health - state.rewarded_health).astype(jnp.float32)
    points = float(config.tables.health_reward)
    change = change / points if points else jnp.zeros_like(change)
    unlocks = ((before == 0) & (state.achievements > 0)).any()
    gained = change + jnp.where(unlocks, jnp.float32(config.tables.unlock_reward), 0)
    return state._replace(rewarded_health=health), gained
