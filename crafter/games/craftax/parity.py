"""The game on plain arrays, to compare engines field by field.

A state is a dict of NumPy arrays with the field names of the published game, such as
`map`, `player_position`, `inventory.wood` and `melee_mobs.position`; maps are indexed
(floor, row, column). Each call builds the world of `Env` from the dict, applies the
rules of the game, and reads the state back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.games.craftax import draws as draws_module
from crafter.games.craftax import fields, game, tables
from crafter.games.craftax.engine import World
from crafter.games.craftax.observations import Observer
from crafter.games.craftax.parameters import make
from crafter.games.craftax.player import Player
from crafter.games.craftax.worldgen import WorldGenerator

Arrays = dict[str, np.ndarray]


def step(
    state: Mapping[str, Any],
    action: int,
    draws: Mapping[str, Any],
    rules: Any = "published",
    **parameters: Any,
) -> tuple[Arrays, float, bool]:
    """Plays one tick: a step, except with the switch `collapse`.

    Args:
      state: Field -> array; not modified.
      action: Id of the action.
      draws: Name -> value, see `crafter.games.craftax.draws.Draws`.
      rules: Rules as in `crafter.games.craftax.tables.load`.
      **parameters: Game parameters that differ from the defaults; see
        `crafter.games.craftax.parameters.Parameters`.

    Returns:
      The next state, the reward, and whether the episode is over: the player is dead,
      the boss is beaten or time is up.
    """
    world, player = _build(state, rules, parameters)
    drawn = draws_module.from_arrays(draws)
    reward = game.step(world, player, action, lambda: drawn)
    late = world.timestep >= world.parameters.max_timesteps
    return fields.capture(world, player), reward, game.is_over(player) or late


def observe(state: Mapping[str, Any], rules: Any = "published") -> np.ndarray:
    """Returns the symbolic observation of a state.

    Args:
      state: Field -> array.
      rules: Rules as in `crafter.games.craftax.tables.load`.

    Returns:
      float32 of shape (8268,); see `crafter.games.craftax.observations`.
    """
    world, player = _build(state, rules, {})
    return Observer(world.tables, world.parameters).symbolic(player)


def world(
    draws: Mapping[str, Any], rules: Any = "published", **parameters: Any
) -> Arrays:
    """Generates a world.

    Args:
      draws: Name -> value, see `crafter.games.craftax.worldgen.WorldGenerator.table`.
      rules: Rules as in `crafter.games.craftax.tables.load`.
      **parameters: Game parameters that differ from the defaults.

    Returns:
      The fields `map`, `item_map`, `light_map`, `down_ladders`, `up_ladders` and
      `potion_mapping` of a state.
    """
    loaded = tables.load(rules)
    generator = WorldGenerator(loaded, make(loaded.data["parameters"], parameters))
    return generator.generate(draws)._asdict()


def _build(
    state: Mapping[str, Any], rules: Any, parameters: Mapping[str, Any]
) -> tuple[World, Player]:
    loaded = tables.load(rules)
    return fields.restore(state, loaded, make(loaded.data["parameters"], parameters))
