"""One step of the rules: draws first, then a pure function of state and draws."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

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
    clock,
    creatures,
    engine,
    magic,
    plants,
    spawning,
)
from crafter.games.craftax.jax import draws as draws_module
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Floor
from crafter.games.craftax.jax.state import Config, EnvParams, State
from crafter.games.craftax.tables import Tables, single

# What parts of a step change of the player.
_OF_PLAYER = (
    *(f"player_{name}" for name in (*t.VITALS, "position", "level", "direction")),
    *("items", "is_sleeping", "is_resting"),
)


def step(
    config: Config,
    params: EnvParams,
    state: State,
    action: jax.Array,
    source: Any,
    draw: Callable[[Config, Any], Draws] = draws_module.sample,
) -> tuple[State, jax.Array]:
    """Plays one step.

    Args:
      config: What is fixed.
      params: What may change.
      state: The game.
      action: Id of the action, an integer; one out of range does nothing.
      source: What random values come from: words as from `random.words`, or with
        `draws.given` an instance of `crafter.games.craftax.draws.Draws`.
      draw: Returns the draws of a step, of the source.

    Returns:
      The next state, and the reward, float32.
    """
    before, draws = state, draw(config, source)
    state = _widened(state)
    deed = t.deed(config.tables, _carried_out(state, action))
    state = actions.climb(config, params, state, deed)
    state, entered = actions.enter_floor(config, state)
    state, floor = _settled(state, engine.enter(state))
    deed = sparse.once(deed, state.timestep)
    state, floor, acted = _act(config, params, state, floor, deed, draws)
    state, floor = _settled(state, floor)
    state, won = boss.update(config, state)
    state, floor, fought = creatures.update(config, params, state, floor, draws)
    state, floor = _settled(state, floor)
    floor = spawning.update(config, params, state, floor, draws)
    state = plants.update(config, engine.leave(state, floor), floor)
    state, woken = body.update_rest(config, state, deed)
    state = body.update_counters(config, state)
    state = body.limit(config, params, state)
    earned = [entered, *acted, won, *fought, woken, _possessions(config, state)]
    state = clock.update(config, params, _achieve(state, earned))
    return _narrowed(state, before), reward(config, state, before)


def _settled(state: State, floor: Floor) -> tuple[State, Floor]:
    """Returns state and floor between two parts of a step.

    Without it, compilers for CPUs compute what the first part does in many places of
    the second, which takes long to compile and to run.
    """
    player = {name: getattr(state, name) for name in _OF_PLAYER}
    player, floor = sparse.once((player, floor), state.timestep)
    return state._replace(**player), floor


def _with_items_settled(state: State) -> State:
    """Does for the items between two actions what `_settled` does."""
    return state._replace(items=sparse.once(state.items, state.timestep))


def _carried_out(state: State, action: jax.Array) -> jax.Array:
    """Returns the action that the player carries out; a sleeper does nothing."""
    action = jnp.asarray(action).astype(jnp.int32)
    able = ~(state.is_sleeping | state.is_resting)
    return jnp.where(able & (action >= 0) & (action < t.ACTIONS), action, 0)


def _act(
    config: Config,
    params: EnvParams,
    state: State,
    floor: Floor,
    deed: t.Deed,
    draws: Draws,
) -> tuple[State, Floor, list[jax.Array]]:
    """Lets the player carry out its action, of which it has one.

    Returns:
      State, floor, and the achievements that were earned, -1 for none.
    """
    state = actions.turn(state, deed)
    front = actions.look_ahead(config, state, floor)
    state, made = actions.make(config, state, deed)
    # It has looked at the cells around, of which the next ones may change one.
    front = front._replace(number=after(front.number, made >= 0))
    state, floor, earned = actions.do(
        config, _with_items_settled(state), floor, front, deed, draws
    )
    state, placed = actions.place(config, state, front, deed)
    state = _with_items_settled(state)
    state, floor, launched = magic.launch(config, state, floor, deed)
    state, drunk = magic.drink(config, state, deed)
    state, read = magic.read(config, state, deed, draws)
    state, enchanted = magic.enchant(config, state, front, deed, draws)
    state = magic.level_up(config, params, state, deed)
    state = actions.move(config, params, state, front, deed)
    return state, floor, [made, *earned, placed, launched, drunk, read, enchanted]


@functools.cache
def _possession_rows(tables: Tables) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns places of items, amounts and achievements, int32 (possessions,)."""
    rows = [(t.HELD[item], amount, name) for item, amount, name in tables.possessions]
    places, amounts, names = np.array(rows, np.int32).reshape(-1, 3).T
    return places, amounts, names


def _possessions(config: Config, state: State) -> jax.Array:
    """Returns the achievements that the inventory alone decides, -1 for none."""
    places, amounts, names = _possession_rows(config.tables)
    return jnp.where(t.take(state.items, places) >= amounts, names, -1)


def _achieve(state: State, earned: list[jax.Array]) -> State:
    """Returns the state with achievements; ids of -1 are none."""
    names = jnp.concatenate([jnp.atleast_1d(ids) for ids in earned])
    reached = names[:, None] == np.arange(t.ACHIEVEMENTS, dtype=np.int32)
    return state._replace(achievements=state.achievements | reached.any(0))


def reward(config: Config, state: State, before: State) -> jax.Array:
    """Returns the reward of a step, float32.

    Args:
      config: What is fixed.
      state: The game after it.
      before: The game before it.
    """
    weights = np.array(config.tables.weights, np.float32)
    new = state.achievements & ~before.achievements
    gained = jnp.where(new, weights, np.float32(0)).sum()
    change = state.player_health - before.player_health
    return gained + change * np.float32(single(config.tables.data["rewards"]["health"]))


def is_over(config: Config, state: State) -> jax.Array:
    """Returns whether the player died or beat the boss, bool."""
    return (state.player_health <= 0) | boss.is_beaten(config, state)


_NARROW = ("items", "armour_enchantments")


def _widened(state: State) -> State:
    """Returns a state whose numbers of the player have 32 bits."""
    wide = {name: getattr(state, name).astype(jnp.int32) for name in _NARROW}
    return state._replace(**wide)


def _narrowed(state: State, like: State) -> State:
    """Returns a state with the types of another."""
    narrow: State = jax.tree.map(
        lambda leaf, other: leaf.astype(other.dtype), state, like
    )
    return narrow
