"""Creatures that appear around the player."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.craftax.draws import Draws
from crafter.craftax.jax import boss, engine
from crafter.craftax.jax import tables as t
from crafter.craftax.jax.engine import Floor
from crafter.craftax.jax.state import Config, EnvParams, Mobs, State
from crafter.functional.arrays import find_nth, pick
from crafter.functional.precision import times_plus

#: Classes in the order in which they appear.
_ORDER = ("passive", "melee", "ranged")


def update(
    config: Config, params: EnvParams, state: State, floor: Floor, draws: Draws
) -> Floor:
    """Lets at most one creature of each class appear."""
    size = config.size
    rows = state.cells.reshape(t.FLOORS, -1)
    blocks = engine.block_of(t.take(rows, state.player_level)).astype(jnp.int32)
    bits = engine.bits(config, blocks).reshape(size, size)
    away = abs(jnp.arange(size, dtype=jnp.int32)[:, None] - state.player_position)
    factor = _factor(config, state, floor)
    for kind in _ORDER:
        part = config.part(kind)
        mobs: Mobs = jax.tree.map(lambda leaf, part=part: leaf[part], floor.mobs)
        slot = engine.first_free(mobs.mask)
        species = _species(config, state, kind)
        rolled = getattr(draws, f"spawn_{kind}_u") < _chance(
            config, state, kind, factor
        )
        fit = _ring(config, params, state, kind, away)
        fit &= t.flag(bits, _ground(config, state, kind, species))
        fit = _without(config, fit, floor.mobs)
        count = fit.sum(dtype=jnp.int32)
        nth = pick(getattr(draws, f"spawn_{kind}_cell_u"), count)
        cell = find_nth(fit, nth)
        slot &= rolled & (count > 0)
        # The species is set whether or not one appears, that of the first slot if all
        # are in use.
        marked = np.arange(mobs.mask.shape[0], dtype=np.int32) == jnp.argmin(mobs.mask)
        mobs = _appear(config, mobs, kind, slot, marked, species, cell)
        floor = floor._replace(
            mobs=jax.tree.map(
                lambda leaf, own, part=part: leaf.at[part].set(own), floor.mobs, mobs
            )
        )
    return floor


def _factor(config: Config, state: State, floor: Floor) -> jax.Array:
    """Returns what the chances of monsters are multiplied with, float32."""
    data = config.tables.data
    rule = data["spawning"]
    shut = floor.monsters_killed < data["ladders"]["monsters"]
    factor = jnp.where(shut, np.float32(rule["uncleared"]), np.float32(1))
    wave = jnp.where(boss.in_wave(state), np.float32(rule["wave"]), np.float32(0))
    return factor * jnp.where(state.in_graveyard, wave, np.float32(1))


def _species(config: Config, state: State, kind: str) -> jax.Array:
    """Returns the id of the species that appears here; the boss calls those of all."""
    level = state.player_level
    if kind != "passive":
        wave = jnp.minimum(state.boss_progress, t.FLOORS - 1)
        level = jnp.where(state.in_graveyard, wave, level)
    return t.take(t.floor_species(config.tables, kind), level)


def _chance(config: Config, state: State, kind: str, factor: jax.Array) -> jax.Array:
    """Returns the chance that a creature appears, float32."""
    tables, level = config.tables, state.player_level
    chance = t.take(t.by_floor(tables, kind), level)
    if kind == "passive":
        return chance
    if kind == "melee":
        dark = np.float32(1) - state.light_level
        night = t.take(t.by_floor(tables, "night"), level)
        chance = times_plus(night, dark * dark, chance)
    return chance * factor


def _ground(config: Config, state: State, kind: str, species: jax.Array) -> jax.Array:
    """Returns the bit of the blocks where a creature may appear."""
    own = t.species(config.tables).ground[t.CLASSES.index(kind)]
    return jnp.where(state.in_graveyard, t.GRAVE_BIT, t.take(own, species))


def _ring(
    config: Config, params: EnvParams, state: State, kind: str, away: jax.Array
) -> jax.Array:
    """Returns which cells are neither too near to the player nor too far, bool (S, S).

    Args:
      config: What is fixed.
      params: What may change.
      state: The game.
      kind: The class.
      away: How far rows and columns are from the player, int32 (S, 2).
    """
    rule = config.tables.data["spawning"]
    vanish = params.mob_despawn_distance
    nearest = rule["beyond"][kind] ** 2 + 1
    nearest = jnp.where(state.in_graveyard, 0, nearest)
    reach = jnp.where(state.in_graveyard, rule["graveyard_reach"], vanish)
    most = jnp.minimum(reach * reach, vanish * vanish - 1)
    squares = away * away
    square = squares[:, :1] + squares[:, 1]
    ring = (square >= nearest) & (square <= most)
    if config.repaired("spawn_metric"):
        ring &= away[:, :1] + away[:, 1] < vanish
    return ring


def _without(config: Config, fit: jax.Array, mobs: Mobs) -> jax.Array:
    """Returns the cells without those where creatures stand."""
    outside = config.size**2
    cells = jnp.where(mobs.mask, engine.number(config, mobs.position), outside)
    flat = fit.reshape(-1).at[cells].set(False, mode="drop")
    return flat.reshape(fit.shape)


def _appear(
    config: Config,
    mobs: Mobs,
    kind: str,
    slot: jax.Array,
    marked: jax.Array,
    species: jax.Array,
    cell: jax.Array,
) -> Mobs:
    """Returns the slots of a class with a new creature.

    Args:
      config: What is fixed.
      mobs: The slots.
      kind: The class.
      slot: The slot where it appears, bool (slots,).
      marked: The slot whose species is set, bool (slots,).
      species: Its species.
      cell: Where it appears, row * S + column.
    """
    health = t.species(config.tables).health[t.CLASSES.index(kind)]
    position = jnp.stack([cell // config.size, cell % config.size])
    mobs = mobs._replace(
        position=jnp.where(slot[:, None], position, mobs.position),
        health=jnp.where(slot, t.take(health, species), mobs.health),
        mask=mobs.mask | slot,
        type_id=jnp.where(marked, species, mobs.type_id),
    )
    if config.repaired("cooldown_reset"):
        cooldown = jnp.where(slot, 0, mobs.attack_cooldown)
        mobs = mobs._replace(attack_cooldown=cooldown)
    return mobs
