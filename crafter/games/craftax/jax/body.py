"""Body of the player: sleep, rest, hunger, thirst, fatigue, healing and mana."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import times_plus
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.tables import is_verb

_ZERO, _ONE = np.float32(0), np.float32(1)


def factor(turn: Turn, name: str) -> jax.Array:
    """Returns a factor of `data.yaml`, a function of one attribute, float32."""
    row = turn.config.tables.factors[name]
    steps = (turn.state.attributes[row.attribute] - 1).astype(jnp.float32)
    return times_plus(_ONE, steps * np.float32(row.per), _ONE)


def maximum(turn: Turn, vital: str) -> jax.Array:
    """Returns the maximum of a vital, int32."""
    row = turn.config.tables.maxima[vital]
    return int(row.base) + int(row.per) * turn.state.attributes[row.attribute]


def restore(turn: Turn, vital: str, amount: Any, wanted: jax.Array) -> Turn:
    """Raises food, drink or energy up to its maximum."""
    name = f"player_{vital}"
    before = getattr(turn.state, name)
    after = jnp.minimum(before + amount, maximum(turn, vital))
    return turn.change(**{name: jnp.where(wanted, after, before)})


def restart(turn: Turn, counter: str, wanted: jax.Array) -> Turn:
    """Resets a counter of the body."""
    name = f"player_{counter}"
    return turn.change(**{name: jnp.where(wanted, _ZERO, getattr(turn.state, name))})


def update_rest(turn: Turn) -> Turn:
    """Updates whether the player sleeps or rests."""
    state = turn.state
    rested = state.player_energy >= maximum(turn, "energy")
    asleep = state.is_sleeping | (is_verb(turn.action, "sleep") & ~rested)
    wakes = asleep & rested
    healthy = state.player_health >= maximum(turn, "health")
    resting = state.is_resting | (is_verb(turn.action, "rest") & ~healthy)
    gets_up = healthy | (state.player_food <= 0) | (state.player_drink <= 0)
    turn = turn.change(is_sleeping=asleep & ~wakes, is_resting=resting & ~gets_up)
    return turn.earn_named(turn.rules["waking"], wakes)


def update_counters(turn: Turn) -> Turn:
    """Updates hunger, thirst, fatigue, health and mana."""
    rules = turn.rules["intrinsics"]
    turn = _wear(turn, "hunger", rules["hunger"])
    turn = _wear(turn, "thirst", rules["thirst"])
    turn = _tire(turn, rules["fatigue"])
    turn = _heal(turn, rules["recover"])
    return _regain_mana(turn, rules["recover_mana"])


def _pace(turn: Turn, rule: dict[str, Any], prefix: str = "") -> jax.Array:
    """Returns the change of a counter per step, asleep or awake."""
    asleep, awake = (np.float32(rule[prefix + name]) for name in ("asleep", "awake"))
    return jnp.where(turn.state.is_sleeping, asleep, awake)


def _lower(turn: Turn, vital: str, wanted: jax.Array) -> dict[str, jax.Array]:
    """Returns a vital lowered by one, except in the graveyard."""
    name = f"player_{vital}"
    value = getattr(turn.state, name)
    lowered = jnp.maximum(value - jnp.where(turn.state.in_graveyard, 0, 1), 0)
    return {name: jnp.where(wanted, lowered, value)}


def _wear(turn: Turn, counter: str, rule: dict[str, Any]) -> Turn:
    name = f"player_{counter}"
    decay = factor(turn, "decay")
    count = getattr(turn.state, name) + _pace(turn, rule) * decay
    full = count > rule["limit"]
    turn = turn.change(**{name: jnp.where(full, _ZERO, count)})
    return turn.change(**_lower(turn, rule["lowers"], full))


def _tire(turn: Turn, rule: dict[str, Any]) -> Turn:
    decay = factor(turn, "decay")
    before, sleeps = turn.state.player_fatigue, turn.state.is_sleeping
    awake = before + np.float32(rule["awake"]) * decay
    full = ~sleeps & (awake > rule["limit"])
    asleep = jnp.minimum(before + np.float32(rule["asleep"]), _ZERO)
    count = jnp.where(sleeps, asleep, awake)
    count = jnp.where(full, _ZERO, count)
    rested = count < rule["rested"]
    turn = turn.change(player_fatigue=jnp.where(rested, _ZERO, count))
    turn = turn.change(**_lower(turn, rule["lowers"], full))
    return restore(turn, "energy", 1, rested)


def _heal(turn: Turn, rule: dict[str, Any]) -> Turn:
    state = turn.state
    lacks = (state.player_food <= 0) | (state.player_drink <= 0)
    lacks |= (state.player_energy <= 0) & ~state.is_sleeping
    suffers = jnp.where(state.in_graveyard, _ZERO, _pace(turn, rule, "lacking_"))
    count = state.player_recover + jnp.where(lacks, suffers, _pace(turn, rule))
    gains, loses = count > rule["gain"], count < rule["loss"]
    health = state.player_health
    most = maximum(turn, "health").astype(jnp.float32)
    healed, hurt = jnp.minimum(health + 1, most), health - loses.astype(jnp.float32)
    return turn.change(
        player_health=jnp.where(gains, healed, hurt),
        player_recover=jnp.where(gains | loses, _ZERO, count),
    )


def _regain_mana(turn: Turn, rule: dict[str, Any]) -> Turn:
    growth = factor(turn, "mana")
    before, pace = turn.state.player_recover_mana, _pace(turn, rule)
    if turn.config.applied("mana_growth"):
        count = before + pace * growth
    else:
        count = (before + pace) * growth
    full, mana = count > rule["limit"], turn.state.player_mana
    gains = full & (mana < maximum(turn, "mana"))
    return turn.change(
        player_recover_mana=jnp.where(full, _ZERO, count),
        player_mana=mana + gains.astype(jnp.int32),
    )


def limit(turn: Turn) -> Turn:
    """Clips the inventory and vitals to their limits."""
    state, god_health = turn.state, np.float32(turn.rules["player"]["god_health"])
    lowest = jnp.where(turn.params.god_mode, god_health, _ZERO)
    highest = maximum(turn, "health").astype(jnp.float32)
    turn = turn.change(
        items=jnp.minimum(state.items, t.limits(turn.config.tables)),
        player_health=jnp.clip(state.player_health, lowest, highest),
    )
    for vital in t.VITALS[1:]:
        name = f"player_{vital}"
        value = jnp.clip(getattr(state, name), 0, maximum(turn, vital))
        turn = turn.change(**{name: value})
    return turn
