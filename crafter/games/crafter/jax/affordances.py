"""Action masks: which actions may have an effect now."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.arrays import look_up
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import player, world
from crafter.games.crafter.jax.state import Config, State

_MOVES, _PLACES, _MAKES = (verb == t.ACTION_VERB for verb in (t.MOVE, t.PLACE, t.MAKE))
_STEPS = world.DIRECTIONS[np.where(_MOVES, t.ACTION_ARGUMENT, 0)]
# Actions with a recipe, except `do`, whose recipe depends on the cell in front.
_RECIPE = np.select(
    [_PLACES, _MAKES],
    [player.FIRST_PLACE + t.ACTION_ARGUMENT, player.FIRST_MAKE + t.ACTION_ARGUMENT],
)


def action_mask(config: Config, state: State) -> jax.Array:
    """Returns the mask of actions that may differ in effect from `noop`.

    Args:
      config: Static configuration.
      state: The game state.

    Returns:
      int8 of shape (17,), as `crafter.games.crafter.affordances.action_mask`.
    """
    step = jnp.asarray(world.DIRECTIONS)[state.player_facing]
    x, y = state.player_x + step[0], state.player_y + step[1]
    material = world.material(config, state, x, y)
    objects = _objects_at(state, x, y)
    occupied = objects.any()
    recipe = jnp.where(t.ACTION_VERB == t.DO, material, _RECIPE)
    possible = player.recipe_is_possible(config, state, recipe, material)
    tired = state.inventory[t.ENERGY] < config.tables.limits[t.ENERGY]
    may = jnp.select(
        [
            t.ACTION_VERB == t.NOOP,
            _MOVES,
            t.ACTION_VERB == t.SLEEP,
            t.ACTION_VERB == t.DO,
            _PLACES,
        ],
        [
            True,
            _moves(config, state),
            tired,
            jnp.where(occupied, _can_use(config, state, objects), possible),
            possible & ~occupied,
        ],
        possible,
    )
    asleep = (state.sleeping > 0) & tired
    return jnp.where(asleep, t.ACTION_VERB == t.NOOP, may).astype(jnp.int8)


def _objects_at(state: State, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns the mask of objects in a cell, bool (N,)."""
    there = (state.object_x == x) & (state.object_y == y)
    return there & (state.object_kind > 0)


def _can_use(config: Config, state: State, objects: jax.Array) -> jax.Array:
    """Returns whether `do` on an object has an effect."""
    verbs = config.tables.do_verb.astype(np.int32)
    verb = look_up(verbs, state.object_kind.astype(jnp.int32))
    ripe = state.object_counter > config.rules.creatures["plant"]["ripe"]
    return (objects & ((verb == t.STRIKE) | ((verb == t.EAT) & ripe))).any()


def _moves(config: Config, state: State) -> jax.Array:
    """Returns which moves turn or move the player, or kill it, bool (17,)."""
    x, y = state.player_x + _STEPS[:, 0], state.player_y + _STEPS[:, 1]
    there = world.material(config, state, x, y)
    taken = _objects_at(state, x[:, None], y[:, None]).any(1)
    free = look_up(config.tables.walkable[t.PLAYER], there) & ~taken
    here = world.material(config, state, state.player_x, state.player_y)
    burns = look_up(config.tables.deadly, here)
    return free | burns | (state.player_facing != t.ACTION_ARGUMENT)
