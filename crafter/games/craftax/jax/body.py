"""The body of the player: sleep, rest, hunger, thirst, fatigue, healing and mana."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config, EnvParams, State
from crafter.games.craftax.jax.tables import Deed, is_verb


def maximum(config: Config, state: State, vital: str) -> jax.Array:
    """Returns the most that the player can have of a vital, int32."""
    return t.maximum(config.tables, vital, state.attributes)


def restore(
    config: Config, state: State, vital: str, amount: Any, wanted: jax.Array
) -> State:
    """Returns the state with food, drink or energy raised up to its maximum."""
    name = f"player_{vital}"
    before = getattr(state, name)
    after = jnp.minimum(before + amount, maximum(config, state, vital))
    changes: dict[str, Any] = {name: jnp.where(wanted, after, before)}
    return state._replace(**changes)


def update_rest(config: Config, state: State, deed: Deed) -> tuple[State, jax.Array]:
    """Lets the player fall asleep, wake, sit down to rest, or get up.

    Returns:
      The state, and the achievement of waking or -1.
    """
    rested = state.player_energy >= maximum(config, state, "energy")
    asleep = state.is_sleeping | (is_verb(deed, "sleep") & ~rested)
    wakes = asleep & rested
    healthy = state.player_health >= maximum(config, state, "health")
    resting = state.is_resting | (is_verb(deed, "rest") & ~healthy)
    gets_up = healthy | (state.player_food <= 0) | (state.player_drink <= 0)
    state = state._replace(is_sleeping=asleep & ~wakes, is_resting=resting & ~gets_up)
    return state, jnp.where(wakes, waking(config), -1)


def waking(config: Config) -> int:
    """Returns the id of the achievement of waking up."""
    tables = config.tables
    return tables.achievement_ids[tables.data["waking"]]


def update_counters(config: Config, state: State) -> State:
    """Lets the player get hungry, thirsty and tired, heal or suffer, regain mana."""
    rules = config.tables.data["intrinsics"]
    state = _wear(config, state, "hunger", rules["hunger"])
    state = _wear(config, state, "thirst", rules["thirst"])
    state = _tire(config, state, rules["fatigue"])
    state = _heal(config, state, rules["recover"])
    return _regain_mana(config, state, rules["recover_mana"])


def _paced(state: State, rule: dict[str, Any], prefix: str = "") -> jax.Array:
    """Returns how a counter changes in a step, by whether the player sleeps."""
    return jnp.where(
        state.is_sleeping,
        np.float32(rule[f"{prefix}asleep"]),
        np.float32(rule[f"{prefix}awake"]),
    )


def _lowered(state: State, value: jax.Array) -> jax.Array:
    """Returns food, drink or energy lowered by one; nobody hungers in the graveyard."""
    return jnp.maximum(value - jnp.where(state.in_graveyard, 0, 1), 0)


def _wear(config: Config, state: State, counter: str, rule: dict[str, Any]) -> State:
    decay = t.factor(config.tables, "decay", state.attributes)
    count = getattr(state, f"player_{counter}") + _paced(state, rule) * decay
    full = count > rule["limit"]
    vital = f"player_{rule['lowers']}"
    value = getattr(state, vital)
    changes: dict[str, Any] = {
        f"player_{counter}": jnp.where(full, np.float32(0), count),
        vital: jnp.where(full, _lowered(state, value), value),
    }
    return state._replace(**changes)


def _tire(config: Config, state: State, rule: dict[str, Any]) -> State:
    decay = t.factor(config.tables, "decay", state.attributes)
    before, lowered = state.player_fatigue, f"player_{rule['lowers']}"
    awake = before + np.float32(rule["awake"]) * decay
    full = ~state.is_sleeping & (awake > rule["limit"])
    asleep = jnp.minimum(before + np.float32(rule["asleep"]), np.float32(0))
    count = jnp.where(state.is_sleeping, asleep, awake)
    count = jnp.where(full, np.float32(0), count)
    value = getattr(state, lowered)
    rested = count < rule["rested"]
    changes: dict[str, Any] = {
        "player_fatigue": jnp.where(rested, np.float32(0), count),
        lowered: jnp.where(full, _lowered(state, value), value),
    }
    state = state._replace(**changes)
    return restore(config, state, "energy", 1, rested)


def _heal(config: Config, state: State, rule: dict[str, Any]) -> State:
    lacks = (state.player_food <= 0) | (state.player_drink <= 0)
    lacks |= (state.player_energy <= 0) & ~state.is_sleeping
    suffers = jnp.where(
        state.in_graveyard, np.float32(0), _paced(state, rule, "lacking_")
    )
    count = state.player_recover + jnp.where(lacks, suffers, _paced(state, rule))
    gains, loses = count > rule["gain"], count < rule["loss"]
    health = state.player_health
    most = maximum(config, state, "health").astype(jnp.float32)
    health = jnp.where(
        gains, jnp.minimum(health + 1, most), health - loses.astype(jnp.float32)
    )
    return state._replace(
        player_recover=jnp.where(gains | loses, np.float32(0), count),
        player_health=health,
    )


def _regain_mana(config: Config, state: State, rule: dict[str, Any]) -> State:
    factor = t.factor(config.tables, "mana", state.attributes)
    before, pace = state.player_recover_mana, _paced(state, rule)
    if config.repaired("mana_growth"):
        count = before + pace * factor
    else:
        count = (before + pace) * factor
    full = count > rule["limit"]
    gains = full & (state.player_mana < maximum(config, state, "mana"))
    return state._replace(
        player_recover_mana=jnp.where(full, np.float32(0), count),
        player_mana=state.player_mana + gains.astype(jnp.int32),
    )


def limit(config: Config, params: EnvParams, state: State) -> State:
    """Brings everything within its limits."""
    tables = config.tables
    most = np.hstack(
        [
            [row["max"]] * len(row.get("each", [name]))
            for name, row in tables.data["inventory"].items()
        ]
    ).astype(np.int32)
    lowest = jnp.where(
        params.god_mode, np.float32(tables.data["player"]["god_health"]), np.float32(0)
    )
    highest = maximum(config, state, "health").astype(jnp.float32)
    changes: dict[str, Any] = {
        "items": jnp.minimum(state.items, most),
        "player_health": jnp.clip(state.player_health, lowest, highest),
    }
    for vital in t.VITALS[1:]:
        value = getattr(state, f"player_{vital}")
        changes[f"player_{vital}"] = jnp.clip(value, 0, maximum(config, state, vital))
    return state._replace(**changes)
