"""One step of the rules: draws first, then a pure function of state and draws."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

from crafter.batch import tables as t
from crafter.batch.jax import balance as balance_module
from crafter.batch.jax import creatures, player, world
from crafter.batch.jax.state import Config, State

_ACTIONS = len(t.ACTIONS)
_UNLOCK_REWARD = 1.0
_HEALTH_REWARD = 10


class Draws(NamedTuple):
    """The random numbers of a step, float32 in [0, 1), multiples of 2**-24.

    Attributes:
      player: For the chance of collecting, shape ().
      objects: Row k is for the object number k among those within the range of
        updates plus one of where the player starts the step, in index order; shape
        (near, creatures.DRAWS). See `creatures` for what each number decides.
      balance: By chunk and kind: the chance, and the pick among cells or members;
        shape (chunks, balance.KINDS, balance.DRAWS).
    """

    player: jax.Array
    objects: jax.Array
    balance: jax.Array


def draw_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Returns the shape of each field of `Draws`."""
    return {
        "player": (),
        "objects": (config.near, creatures.DRAWS),
        "balance": (config.chunks, balance_module.KINDS, balance_module.DRAWS),
    }


def step(
    config: Config, state: State, action: jax.Array, draws: Draws
) -> tuple[State, jax.Array]:
    """Plays one step.

    Args:
      config: What is fixed.
      state: The game.
      action: Index of the action, an integer; one out of range does nothing and is
        counted.
      draws: The random numbers.

    Returns:
      The next state, and the reward, float32.
    """
    before = state.achievements
    state = act(config, state, action, draws.player, draws.objects)
    balanced = balance_module.balance(config, state, draws.balance)
    due = is_balanced(state)
    state = jax.tree.map(lambda new, old: jnp.where(due, new, old), balanced, state)
    return reward(state, before)


def act(
    config: Config,
    state: State,
    action: jax.Array,
    player_draw: jax.Array,
    object_draws: jax.Array,
) -> State:
    """Lets player and objects act: a step without the balance and the reward."""
    valid = (action >= 0) & (action < _ACTIONS)
    action = jnp.where(valid, action, t.ACTION["noop"]).astype(jnp.int32)
    state = state._replace(
        step=state.step + 1,
        invalid_actions=state.invalid_actions + (~valid).astype(jnp.int32),
    )
    near, count = world.near(config, state)
    state, near, deed = player.update(config, state, near, action, player_draw)
    return creatures.update(config, state, near, count, deed, object_draws)


def is_balanced(state: State) -> jax.Array:
    """Tells whether the creatures are balanced at the end of this step."""
    return state.step % t.BALANCE_INTERVAL == 0


def reward(state: State, before: jax.Array) -> tuple[State, jax.Array]:
    """Returns the state with its health rewarded, and the reward, float32.

    Args:
      state: The game after the step.
      before: The achievements before it.
    """
    health = state.inventory[t.HEALTH]
    change = (health - state.rewarded_health).astype(jnp.float32) / _HEALTH_REWARD
    unlocks = ((before == 0) & (state.achievements > 0)).any()
    gained = change + jnp.where(unlocks, jnp.float32(_UNLOCK_REWARD), 0)
    return state._replace(rewarded_health=health), gained
