"""Damage between the player and creatures."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import times_plus
from crafter.games.craftax.jax import body, engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Floor
from crafter.games.craftax.jax.state import Config, Projectiles, State
from crafter.games.craftax.tables import Tables, single

_MONSTERS = np.array([kind != "passive" for kind in t.CLASSES])


class Struck(NamedTuple):
    """What came of a blow or a shot of the player.

    Attributes:
      any: Whether there was a creature, bool ().
      earned: Achievements, int32 (slots,), -1 for none.
    """

    any: jax.Array
    earned: jax.Array


def launch(
    shots: Projectiles,
    kind: jax.Array,
    position: jax.Array,
    direction: jax.Array,
    wanted: jax.Array,
) -> tuple[Projectiles, jax.Array]:
    """Starts a projectile in the first free slot, if it is wanted and there is one.

    Args:
      shots: The slots, (slots, ...).
      kind: Id of the projectile.
      position: Cell where it starts, (2,).
      direction: What it moves in a step, (2,).
      wanted: Bool ().

    Returns:
      The slots, and whether one was free.
    """
    slot = engine.first_free(shots.mask)
    used = slot & wanted
    return Projectiles(
        position=jnp.where(used[:, None], position, shots.position),
        direction=jnp.where(used[:, None], direction, shots.direction),
        mask=shots.mask | used,
        type_id=jnp.where(used, kind, shots.type_id),
    ), slot.any()


def strike(
    config: Config,
    state: State,
    floor: Floor,
    at: jax.Array,
    damage: jax.Array,
    wanted: jax.Array,
    eats: bool = False,
) -> tuple[State, Floor, Struck]:
    """Hits the creature at a cell.

    Args:
      config: What is fixed.
      state: The game.
      floor: The floor of the player.
      at: The cell, (2,).
      damage: Physical, fire, ice, float32 (3,).
      wanted: Whether to hit at all, bool ().
      eats: Whether the player eats what it kills; only a blow does.
    """
    mobs, species = floor.mobs, t.species(config.tables)
    hit = mobs.mask & engine.same(mobs.position, at) & wanted
    spared = jnp.asarray(species.spared)[config.classes, mobs.type_id]
    health = jnp.where(hit, mobs.health - after_defence(damage, spared), mobs.health)
    dies = hit & (health <= 0)
    is_monster = _MONSTERS[config.classes]
    floor = floor._replace(
        mobs=mobs._replace(health=health, mask=mobs.mask & ~dies),
        monsters_killed=floor.monsters_killed
        + (dies & is_monster).any().astype(jnp.int32),
    )
    rewarded = dies
    if eats:
        food = config.tables.data["behaviour"]["passive"]["food"]
        eaten = (dies & ~is_monster).any()
        state = body.restore(config, state, "food", food, eaten)
        hunger = jnp.where(eaten, np.float32(0), state.player_hunger)
        state = state._replace(player_hunger=hunger)
    else:
        rewarded = dies & is_monster
    names = jnp.asarray(species.achievement)[config.classes, mobs.type_id]
    return state, floor, Struck(hit.any(), jnp.where(rewarded, names, -1))


def after_defence(damage: jax.Array, spared: jax.Array) -> jax.Array:
    """Returns how much health an attack costs, float32 (...).

    Args:
      damage: Physical, fire, ice, float32 (..., 3).
      spared: What gets through of each, float32 (..., 3).
    """
    total: Any = np.float32(0)
    for part in range(3):
        total = times_plus(spared[..., part], damage[..., part], total)
    return total


def melee_damage(config: Config, state: State) -> jax.Array:
    """Returns the damage of a stroke of the player: physical, fire, ice."""
    tables, attributes = config.tables, state.attributes
    base = t.take(
        np.array(tables.data["melee_damage"], np.float32), state.items[t.HELD["sword"]]
    )
    added = base * np.float32(tables.data["enchanting"]["weapon"])
    added = added * t.factor(tables, "melee_enchantment", attributes)
    elements = np.arange(1, 3, dtype=np.int32)
    return jnp.concatenate(
        [
            base[None] * t.factor(tables, "melee", attributes),
            jnp.where(state.sword_enchantment == elements, added, np.float32(0)),
        ]
    )


@functools.cache
def projectile_damage(tables: Tables) -> np.ndarray:
    """Returns the damage of all projectiles, float32 (kinds, 3)."""
    return np.array([row.damage for row in tables.projectiles], np.float32)


def own_projectile_damage(config: Config, state: State, kind: jax.Array) -> jax.Array:
    """Returns the damage of projectiles of the player.

    Args:
      config: What is fixed.
      state: The game.
      kind: Ids, (n,).

    Returns:
      Physical, fire, ice, float32 (n, 3).
    """
    tables, attributes = config.tables, state.attributes
    grows = [row.grows for row in tables.projectiles]
    is_bow, is_spell = (
        t.take(np.array([name == grown for grown in grows]), kind)[:, None]
        for name in ("bow", "spell")
    )
    damage = t.take(projectile_damage(tables), kind)
    added = damage[:, :1] * np.float32(tables.data["enchanting"]["weapon"])
    chosen = (np.arange(3, dtype=np.int32) == state.bow_enchantment) & is_bow
    chosen &= state.bow_enchantment > 0
    damage = damage + jnp.where(chosen, added, np.float32(0))
    factor = jnp.where(is_spell, t.factor(tables, "spell", attributes), np.float32(1))
    factor = jnp.where(is_bow, t.factor(tables, "bow", attributes), factor)
    return damage * factor


def spared_by_armour(config: Config, state: State) -> jax.Array:
    """Returns what gets through to the player: physical, fire, ice, float32 (3,)."""
    rule = config.tables.data["defence"]
    tier, physical = np.float32(rule["tier"]), jnp.float32(0)
    armour = state.items[t.ARMOUR]
    for piece in range(armour.shape[0]):
        physical = times_plus(armour[piece].astype(jnp.float32), tier, physical)
    pieces = armour.shape[0] + 1
    sums = np.zeros(pieces, np.float32)
    for count in range(1, pieces):
        sums[count] = single(float(sums[count - 1]) + single(rule["enchantment"]))
    elements = np.arange(1, 3, dtype=np.int32)
    counts = (state.armour_enchantments[:, None] == elements).sum(0, dtype=jnp.int32)
    return np.float32(1) - jnp.append(physical, t.take(sums, counts))


def grown(config: Config, state: State, damage: jax.Array, asleep: float) -> jax.Array:
    """Returns the damage of attacks on the player before its defence.

    Args:
      config: What is fixed.
      state: The game.
      damage: Physical, fire, ice, float32 (..., 3).
      asleep: What it is multiplied with besides, for a sleeper.
    """
    boss = config.tables.data["boss"]["damage_factor"]
    factor = jnp.where(
        state.in_graveyard, np.float32(single(asleep * boss)), np.float32(asleep)
    )
    return damage * factor


def hurt(state: State, amounts: jax.Array, hits: jax.Array) -> State:
    """Lets the player lose health to attacks, one after the other, and get up.

    Args:
      state: The game.
      amounts: float32 (n,).
      hits: Which of them happen, bool (n,).
    """
    health = state.player_health
    for amount, hit in zip(amounts, hits):
        health = jnp.where(hit, health - amount, health)
    was_hit = hits.any()
    return state._replace(
        player_health=health,
        is_sleeping=state.is_sleeping & ~was_hit,
        is_resting=state.is_resting & ~was_hit,
    )
