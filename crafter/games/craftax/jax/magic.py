"""Bow, spells, potions, books, enchantments and attributes: more verbs.

They are like those of `crafter.games.craftax.jax.actions`.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.arrays import pick
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.jax import actions, combat
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.actions import Front
from crafter.games.craftax.jax.engine import Floor, block_of
from crafter.games.craftax.jax.state import Config, EnvParams, State
from crafter.games.craftax.jax.tables import Deed, is_verb
from crafter.games.craftax.tables import Tables


def launch(
    config: Config, state: State, floor: Floor, deed: Deed
) -> tuple[State, Floor, jax.Array]:
    """Shoots an arrow, or casts a spell, in the direction that the player faces."""
    able = can_launch(state, deed)
    shots, is_free = combat.launch(
        floor.own_shots,
        deed.projectile,
        state.player_position,
        actions.facing(state),
        able,
    )
    able &= is_free
    state = actions.pay(state, deed, able)
    mana = state.player_mana - jnp.where(able, deed.mana, 0)
    state = state._replace(player_mana=mana)
    earned = jnp.where(able, deed.achievement, -1)
    return state, floor._replace(own_shots=shots), earned


def can_launch(state: State, deed: Deed) -> jax.Array:
    """Returns whether the player could shoot or cast, if a slot is free, bool."""
    shoots = is_verb(deed, "shoot") & (state.items[t.HELD["bow"]] > 0)
    casts = is_verb(deed, "cast") & t.take(state.learned_spells, deed.number)
    able = (shoots | casts) & actions.affords(state, deed)
    return able & (state.player_mana >= deed.mana)


@functools.cache
def _effects(tables: Tables) -> np.ndarray:
    """Returns what each effect of a potion adds to the vitals, int32."""
    effects = tables.data["potions"]["effects"]
    rows = [[effect.get(name, 0) for name in t.VITALS] for effect in effects]
    return np.array(rows, np.int32)


def drink(config: Config, state: State, deed: Deed) -> tuple[State, jax.Array]:
    """Drinks a potion, whose effect the player may not know yet."""
    drinks = is_verb(deed, "drink") & actions.affords(state, deed)
    effect = t.take(state.potion_mapping, deed.number)
    changes = jnp.where(drinks, t.take(_effects(config.tables), effect), 0)
    state = actions.pay(state, deed, drinks)
    vitals: dict[str, Any] = {
        f"player_{name}": getattr(state, f"player_{name}") + changes[i]
        for i, name in enumerate(t.VITALS)
    }
    return state._replace(**vitals), jnp.where(drinks, deed.achievement, -1)


def read(
    config: Config, state: State, deed: Deed, draws: Draws
) -> tuple[State, jax.Array]:
    """Reads a book, and learns a spell if one is still unknown."""
    reads = is_verb(deed, "read") & actions.affords(state, deed)
    unknown = ~state.learned_spells
    # With nothing left to learn the book is used up all the same.
    number = jnp.where(unknown.all(), draws.book_spell, jnp.argmax(unknown))
    learns = (np.arange(unknown.shape[0], dtype=np.int32) == number) & reads
    state = actions.pay(state, deed, reads)
    state = state._replace(learned_spells=state.learned_spells | learns)
    names = np.array([spell.learned for spell in config.tables.spells.values()])
    return state, jnp.where(reads, t.take(names.astype(np.int32), number), -1)


@functools.cache
def _elements(tables: Tables) -> tuple[np.ndarray, np.ndarray]:
    """Returns the element and the place of the gem of enchantment tables, by block."""
    element = np.zeros((2, len(tables.block_names)), np.int32)
    for block, row in tables.elements.items():
        element[:, block] = row.id, t.HELD[row.gem]
    return element[0], element[1]


def enchant(
    config: Config, state: State, front: Front, deed: Deed, draws: Draws
) -> tuple[State, jax.Array]:
    """Enchants the sword, the bow or a piece of armour at an enchantment table."""
    items = state.items
    able, element, gem = can_enchant(config, state, front, deed)
    done = is_verb(deed, "enchant") & able
    piece = _armour_piece(config, state, element, draws)
    sword, armour, bow = (done & (deed.number == i) for i in range(len(t.ENCHANTED)))
    pieces = np.arange(state.armour_enchantments.shape[0], dtype=np.int32)
    state = state._replace(
        sword_enchantment=jnp.where(sword, element, state.sword_enchantment),
        bow_enchantment=jnp.where(bow, element, state.bow_enchantment),
        armour_enchantments=jnp.where(
            (pieces == piece) & armour, element, state.armour_enchantments
        ),
        items=items - t.one_hot_sum(t.ITEMS, [(gem, done.astype(jnp.int32))]),
        player_mana=state.player_mana - jnp.where(done, deed.mana, 0),
    )
    return state, jnp.where(done, deed.achievement, -1)


def can_enchant(
    config: Config, state: State, front: Front, deed: Deed
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns whether something can be enchanted, the element, and the gem's place."""
    elements, gems = _elements(config.tables)
    block = block_of(front.cell)
    element, gem = t.take(elements, block), t.take(gems, block)
    items = state.items
    held = items[t.HELD["sword"]], items[t.ARMOUR].max(), items[t.HELD["bow"]]
    able = (element > 0) & (t.take(jnp.stack(held), deed.number) > 0)
    able &= (t.take(items, gem) >= 1) & (state.player_mana >= deed.mana)
    if config.repaired("armour_enchantment"):
        bare, other = _fitting(config, state, element)
        is_armour = deed.number == t.ENCHANTED.index("armour")
        able &= ~is_armour | bare.any() | other.any()
    return able, element, gem


def _fitting(
    config: Config, state: State, element: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns pieces without, and with another enchantment, bool (pieces,)."""
    old = state.armour_enchantments
    repaired = config.repaired("armour_enchantment")
    fit = state.items[t.ARMOUR] > 0 if repaired else jnp.ones_like(old, bool)
    return fit & (old == 0), fit & (old != element)


def _armour_piece(
    config: Config, state: State, element: jax.Array, draws: Draws
) -> jax.Array:
    """Returns which piece of armour is enchanted.

    Those without enchantment come first, then those with another element. In the
    published game it need not be worn, and the first piece is "enchanted" again if all
    have the element.
    """
    bare, other = _fitting(config, state, element)
    chosen = jnp.where(bare.any(), bare, other)
    count = chosen.sum(dtype=jnp.int32)
    nth = pick(draws.enchant_armour_u, count)
    before = (np.tri(chosen.shape[0], k=-1, dtype=np.int32) * chosen).sum(1)
    return jnp.argmax(chosen & (before == nth))


def level_up(config: Config, params: EnvParams, state: State, deed: Deed) -> State:
    """Spends experience on an attribute."""
    wanted = is_verb(deed, "level_up") & (state.player_xp >= 1)
    changes: dict[str, Any] = {}
    spent = jnp.int32(0)
    for number, (name, value) in enumerate(state.attributes.items()):
        rises = wanted & (deed.number == number) & (value < params.max_attribute)
        spent = spent + rises.astype(jnp.int32)
        changes[f"player_{name}"] = value + rises.astype(jnp.int32)
    return state._replace(player_xp=state.player_xp - spent, **changes)
