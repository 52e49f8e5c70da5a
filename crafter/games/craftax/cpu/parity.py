"""The compiled game on plain arrays, to compare engines field by field.

The functions are those of `crafter.games.craftax.parity`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.games.craftax import draws as draws_module
from crafter.games.craftax import fields, tables
from crafter.games.craftax.cpu import layout, reset, run, worldgen
from crafter.games.craftax.cpu import state as records
from crafter.games.craftax.cpu.engine import observe_one, rules_record
from crafter.games.craftax.parameters import Parameters, make
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.worldgen import WorldGenerator

Arrays = dict[str, np.ndarray]
_ROOMS = {"extent": "size", "chest": "chest_offset", "fountain": "fountain_offset"}


def step(
    state: Mapping[str, Any],
    action: int,
    draws: Mapping[str, Any],
    rules: Any = "published",
    **parameters: Any,
) -> tuple[Arrays, float, bool]:
    """Plays one step; see `crafter.games.craftax.parity.step`."""
    loaded, chosen, record = _loaded(rules, parameters)
    games = _games(state, loaded, chosen)
    ground = worldgen.make_ground(loaded, chosen)
    kinds = draws_module.distributions()
    for first, (name, rule) in zip(record["draw_first"][0].tolist(), kinds.items()):
        values = np.asarray(draws[name]).ravel()
        column = "reals" if rule.kind == "uniform" else "wholes"
        ground[column][0, first : first + len(values)] = values
    rewards, over = np.zeros(1), np.zeros(1, bool)
    run.advance(games, np.array([action]), rewards, over, record, ground)
    late = int(games["timestep"][0]) >= chosen.max_timesteps
    held = records.unload(games[0], loaded, chosen)
    after = fields.typed(loaded, held | {name: state[name] for name in records.FIXED})
    return after, float(rewards[0]), bool(over[0]) or late


def observe(state: Mapping[str, Any], rules: Any = "published") -> np.ndarray:
    """Returns the symbolic observation; see `crafter.games.craftax.parity.observe`."""
    loaded, chosen, record = _loaded(rules, {})
    return observe_one(_games(state, loaded, chosen), loaded, chosen, record)


def world(
    draws: Mapping[str, Any], rules: Any = "published", **parameters: Any
) -> Arrays:
    """Makes a world; see `crafter.games.craftax.parity.world`."""
    loaded, chosen, record = _loaded(rules, parameters)
    generator = WorldGenerator(loaded, chosen)
    diamond = {"smooth.diamond_u": np.float32(0)}
    values: dict[str, np.ndarray]
    values = {n: np.asarray(value) for n, value in {**diamond, **draws}.items()}
    rare = np.where(values["room.rare"], -1.0, 2.0)  # below and above all chances
    given = [values[d.name] for d in generator.table if d.name.startswith("smooth.")]
    given += [rare, values["room.ladder_down_u"], values["room.ladder_up_u"]]
    numbers = np.concatenate([np.ravel(part) for part in given])
    games = np.zeros(1, layout.dtype(loaded, chosen))
    games["potions"][0] = values["potion_mapping"]
    ground = worldgen.make_ground(loaded, chosen, len(numbers))
    ground["given"][0] = numbers
    for own, name in _ROOMS.items():
        ground[own][0] = values[f"room.{name}"]
    chunk = loaded.data["rooms"]["chunk"]
    ground["corner"][0] = values["room.chunk"] * chunk + values["room.offset"]
    ground["wet"][0] = values["room.fountain_u"] > record["fountain_above"]
    ground["joined"][0] = values["room.corridor_to"]
    reset.make_floors(games, np.zeros(1, np.int64), record, ground)
    made = fields.typed(loaded, records.unload(games[0], loaded, chosen))
    names = ("map", "item_map", "light_map", "down_ladders", "up_ladders")
    return {name: made[name] for name in (*names, "potion_mapping")}


@functools.lru_cache(maxsize=8)
def _record(loaded: Tables, chosen: Parameters) -> np.ndarray:
    return rules_record(loaded, chosen)


def _loaded(
    rules: Any, parameters: Mapping[str, Any]
) -> tuple[Tables, Parameters, np.ndarray]:
    loaded = tables.load(rules)
    chosen = make(loaded.data["parameters"], parameters)
    return loaded, chosen, _record(loaded, chosen)


def _games(state: Mapping[str, Any], loaded: Tables, chosen: Parameters) -> np.ndarray:
    games = np.zeros(1, layout.dtype(loaded, chosen))
    values = {name: np.asarray(value) for name, value in state.items()}
    records.load(games[0], values, loaded, chosen)
    return games
