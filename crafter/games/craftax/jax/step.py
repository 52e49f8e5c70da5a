"""One step: all draws first, then a pure function of state and draws."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import after
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.jax import (
    actions,
    body,
    boss,
    creatures,
    engine,
    light,
    magic,
    plants,
    spawning,
)
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, EnvParams, State
from crafter.games.craftax.tables import single

# Player fields that change within a step.
_OF_PLAYER = (
    *(f"player_{name}" for name in (*t.VITALS, "position", "level", "direction")),
    *("items", "is_sleeping", "is_resting"),
)


def step(
    config: Config,
    params: EnvParams,
    state: State,
    action: jax.Array,
    draws: Draws,
) -> tuple[State, jax.Array]:
    """Plays one tick: a step, except with the switch `collapse`.

    Args:
      config: Static configuration.
      params: Dynamic parameters.
      state: The game state.
      action: Id of the action, an integer; ids out of range do nothing.
      draws: The random values of the step, from `draws.sample`.

    Returns:
      The next state, and the reward, float32.
    """
    before, wide = state, ("items", "armour_enchantments")
    state = state._replace(**{n: getattr(state, n).astype(jnp.int32) for n in wide})
    row = t.action_row(config.tables, _effective_action(state, action))
    turn = Turn(config, state, params, draws, row)
    turn = actions.enter_floor(actions.climb(turn), state.player_level)
    turn = _barrier(engine.enter(turn))
    turn = turn._replace(action=sparse.once(row, turn.state.timestep))
    turn = boss.update(_barrier(_act(turn)))
    turn = _barrier(creatures.update(turn))
    turn = engine.leave(spawning.update(turn))
    for update in (plants.update, body.update_rest, body.update_counters, body.limit):
        turn = update(turn)
    after_step = light.pass_time(_achieve(turn)).state
    narrow = jax.tree.map(lambda x, old: x.astype(old.dtype), after_step, before)
    return narrow, reward(config, after_step, before)


def _barrier(turn: Turn) -> Turn:
    """Inserts an optimization barrier between two parts of a step.

    Without it, the CPU compiler inlines the first part repeatedly into the second,
    which is slow to compile and to run.
    """
    player = {name: getattr(turn.state, name) for name in _OF_PLAYER}
    player, floor = sparse.once((player, turn.floor), turn.state.timestep)
    return turn.change(**player)._replace(floor=floor)


def _barrier_for_items(turn: Turn) -> Turn:
    """Inserts an optimization barrier for the items between two actions."""
    return turn.change(items=sparse.once(turn.state.items, turn.state.timestep))


def _effective_action(state: State, action: jax.Array) -> jax.Array:
    """Returns the action to carry out; `noop` while asleep or resting."""
    action = jnp.asarray(action).astype(jnp.int32)
    able = ~(state.is_sleeping | state.is_resting)
    return jnp.where(able & (action >= 0) & (action < t.ACTIONS), action, 0)


def _act(turn: Turn) -> Turn:
    """Carries out the player's action, which has one verb."""
    turn = actions.make(actions.face(turn))
    # `make` must read the surroundings before the next verbs change a cell.
    number = after(turn.front.number, turn.earned[-1] >= 0)
    turn = turn._replace(front=turn.front._replace(number=number))
    turn = actions.do(_barrier_for_items(turn))
    turn = _barrier_for_items(actions.place(turn))
    for use in (magic.launch, magic.drink, magic.read, magic.enchant, magic.level_up):
        turn = use(turn)
    return actions.move(turn)


def _achieve(turn: Turn) -> Turn:
    """Unlocks the earned achievements and those that depend on the inventory."""
    possessions = turn.config.tables.possessions
    rows = [(t.HELD[item], amount, name) for item, amount, name in possessions]
    places, amounts, names = np.array(rows, np.int32).reshape(-1, 3).T
    turn = turn.earn(names, t.take(turn.state.items, places) >= amounts)
    earned = jnp.concatenate([jnp.atleast_1d(ids) for ids in turn.earned])
    reached = earned[:, None] == np.arange(t.ACHIEVEMENTS, dtype=np.int32)
    return turn.change(achievements=turn.state.achievements | reached.any(0))


def reward(config: Config, state: State, before: State) -> jax.Array:
    """Returns the reward of a step, float32.

    Args:
      config: Static configuration.
      state: The state after the step.
      before: The state before the step.
    """
    weights = np.array(config.tables.weights, np.float32)
    new = state.achievements & ~before.achievements
    gained = jnp.where(new, weights, np.float32(0)).sum()
    if config.applied("armour_reward"):
        armour = (s.items[t.ARMOUR].sum(dtype=jnp.int32) for s in (state, before))
        added = (next(armour) - next(armour)).astype(jnp.float32)
        return jnp.where(state.player_health <= 0, np.float32(-1), gained + added)
    change = state.player_health - before.player_health
    return gained + change * np.float32(single(config.tables.data["rewards"]["health"]))


def is_over(config: Config, state: State) -> jax.Array:
    """Returns whether the player died or won, bool."""
    dead = state.player_health <= 0
    return dead if config.applied("endless") else dead | boss.is_beaten(config, state)
