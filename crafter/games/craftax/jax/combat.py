"""Damage between the player and creatures."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import times_plus
from crafter.games.craftax.jax import body, engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, Projectiles
from crafter.games.craftax.tables import Tables, single

_MONSTERS = np.array([kind != "passive" for kind in t.CLASSES])
_ELEMENTS = np.arange(1, 3, dtype=np.int32)


def launch(
    shots: Projectiles,
    kind: jax.Array,
    at: jax.Array,
    way: jax.Array,
    wanted: jax.Array,
) -> tuple[Projectiles, jax.Array]:
    """Launches a projectile in the first free slot, if wanted and possible.

    Args:
      shots: The slots, (slots, ...).
      kind: Id of the projectile.
      at: Cell where it starts, (2,).
      way: Displacement per step, (2,).
      wanted: Bool scalar.

    Returns:
      The slots, and whether one was free.
    """
    slot = engine.first_free(shots.mask)
    used = slot & wanted
    return Projectiles(
        position=jnp.where(used[:, None], at, shots.position),
        direction=jnp.where(used[:, None], way, shots.direction),
        mask=shots.mask | used,
        type_id=jnp.where(used, kind, shots.type_id),
    ), slot.any()


def strike(
    turn: Turn, at: jax.Array, damage: jax.Array, wanted: jax.Array, eats: bool = False
) -> tuple[Turn, jax.Array]:
    """Hits the creature at a cell.

    Args:
      turn: The step in progress.
      at: The cell, (2,).
      damage: Physical, fire, ice, float32 (3,).
      wanted: Whether to hit at all, bool ().
      eats: Whether the player eats a killed creature; true only for melee.

    Returns:
      The turn, and whether there was a creature.
    """
    mobs, kinds = turn.floor.creatures, turn.config.classes
    species = t.species(turn.config.tables)
    hit = _struck(turn.config, mobs.mask & engine.same(mobs.position, at) & wanted)
    spared = jnp.asarray(species.spared)[kinds, mobs.type_id]
    health = jnp.where(hit, mobs.health - after_defence(damage, spared), mobs.health)
    dies = hit & (health <= 0)
    is_monster = _MONSTERS[kinds]
    killed = (dies & is_monster).any().astype(jnp.int32)
    turn = turn.change_floor(
        creatures=mobs._replace(health=health, mask=mobs.mask & ~dies).freeing(
            engine.same(mobs.position, at) & dies.any()
        ),
        monsters_killed=turn.floor.monsters_killed + killed,
    )
    rewarded = dies
    if eats:
        food = turn.rules["behaviour"]["passive"]["food"]
        eaten = (dies & ~is_monster).any()
        turn = body.restore(turn, "food", food, eaten)
        turn = body.restart(turn, "hunger", eaten)
    elif not turn.config.applied("hunting"):
        rewarded = dies & is_monster
    names = jnp.asarray(species.achievement)[kinds, mobs.type_id]
    return turn.earn(names, rewarded), hit.any()


def _struck(config: Config, in_cell: jax.Array) -> jax.Array:
    """Returns which creatures in a cell are hit, bool (slots,)."""

    def first(in_cell: jax.Array) -> jax.Array:
        slots = np.arange(in_cell.shape[0], dtype=np.int32)
        return in_cell & (slots == jnp.argmax(in_cell))

    if config.applied("one_target"):
        return first(in_cell)
    if config.applied("ghosts"):  # otherwise a cell holds at most one per class
        parts = map(config.part, t.CLASSES)
        return jnp.concatenate([first(in_cell[part]) for part in parts])
    return in_cell


def after_defence(damage: jax.Array, spared: jax.Array) -> jax.Array:
    """Returns the health lost to an attack, float32 (...).

    Args:
      damage: Physical, fire, ice, float32 (..., 3).
      spared: Fraction of each that gets through, float32 (..., 3).
    """
    total: Any = np.float32(0)
    for part in range(3):
        total = times_plus(spared[..., part], damage[..., part], total)
    return total


def melee_damage(turn: Turn) -> jax.Array:
    """Returns the player's melee damage: physical, fire, ice."""
    rules, state = turn.rules, turn.state
    strength = np.array(rules["melee_damage"], np.float32)
    base = t.take(strength, state.items[t.HELD["sword"]])
    added = base * np.float32(rules["enchanting"]["weapon"])
    added = added * body.factor(turn, "melee_enchantment")
    physical = base[None] * body.factor(turn, "melee")
    is_element = state.sword_enchantment == _ELEMENTS
    return jnp.concatenate([physical, jnp.where(is_element, added, np.float32(0))])


def projectile_damage(tables: Tables) -> np.ndarray:
    """Returns the damage of all projectiles, float32 (kinds, 3)."""
    return np.array([row.damage for row in tables.projectiles], np.float32)


def own_projectile_damage(turn: Turn, kind: jax.Array) -> jax.Array:
    """Returns the damage of the player's projectiles.

    Args:
      turn: The step in progress.
      kind: Ids, (n,).

    Returns:
      Physical, fire, ice, float32 (n, 3).
    """
    tables, bow = turn.config.tables, turn.state.bow_enchantment
    grows = [row.grows for row in tables.projectiles]
    is_bow, is_spell = (
        t.take(np.array([name == grown for grown in grows]), kind)[:, None]
        for name in ("bow", "spell")
    )
    damage = t.take(projectile_damage(tables), kind)
    added = damage[:, :1] * np.float32(turn.rules["enchanting"]["weapon"])
    chosen = (np.arange(3, dtype=np.int32) == bow) & is_bow & (bow > 0)
    damage = damage + jnp.where(chosen, added, np.float32(0))
    factor = jnp.where(is_spell, body.factor(turn, "spell"), np.float32(1))
    return damage * jnp.where(is_bow, body.factor(turn, "bow"), factor)


def spared_by_armour(turn: Turn) -> jax.Array:
    """Returns the fraction of damage let through: physical, fire, ice, float32 (3,)."""
    rule, armour = turn.rules["defence"], turn.state.items[t.ARMOUR]
    tier, physical = np.float32(rule["tier"]), jnp.float32(0)
    for piece in range(armour.shape[0]):
        physical = times_plus(armour[piece].astype(jnp.float32), tier, physical)
    sums = np.zeros(armour.shape[0] + 1, np.float32)
    for count in range(1, len(sums)):
        sums[count] = single(float(sums[count - 1]) + single(rule["enchantment"]))
    is_element = turn.state.armour_enchantments[:, None] == _ELEMENTS
    counts = is_element.sum(0, dtype=jnp.int32)
    return np.float32(1) - jnp.append(physical, t.take(sums, counts))


def grown(turn: Turn, damage: jax.Array, asleep: float) -> jax.Array:
    """Returns the damage of attacks on the player before defence.

    Args:
      turn: The step in progress.
      damage: Physical, fire, ice, float32 (..., 3).
      asleep: Extra multiplier for a sleeping player.
    """
    boss = single(asleep * turn.rules["boss"]["damage_factor"])
    return damage * jnp.where(
        turn.state.in_graveyard, np.float32(boss), np.float32(asleep)
    )


def hurt(turn: Turn, amounts: jax.Array, hits: jax.Array) -> Turn:
    """Applies attacks to the player in order; a hit ends sleep and rest.

    Args:
      turn: The step in progress.
      amounts: float32 (n,).
      hits: Which attacks happen, bool (n,).
    """
    health = turn.state.player_health
    for amount, hit in zip(amounts, hits):
        health = jnp.where(hit, health - amount, health)
    was_hit = hits.any()
    return turn.change(
        player_health=health,
        is_sleeping=turn.state.is_sleeping & ~was_hit,
        is_resting=turn.state.is_resting & ~was_hit,
    )
