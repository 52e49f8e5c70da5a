"""Bow, spells, potions, books, enchantments and attributes: verbs of `actions`.

See `crafter.games.craftax.jax.actions` for the conventions.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.arrays import pick
from crafter.games.craftax.jax import actions, combat, engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.tables import is_verb


def launch(turn: Turn) -> Turn:
    """Shoots an arrow or casts a spell in the facing direction."""
    action, state = turn.action, turn.state
    able, way = can_launch(turn), engine.facing(state)
    shots = turn.floor.player_projectiles
    at, kind = state.player_position, action.projectile
    shots, is_free = combat.launch(shots, kind, at, way, able)
    able &= is_free
    turn = actions.pay(turn, able).change_floor(player_projectiles=shots)
    return _pay_mana(turn, able).earn(action.achievement, able)


def _pay_mana(turn: Turn, wanted: jax.Array) -> Turn:
    mana = turn.state.player_mana - jnp.where(wanted, turn.action.mana, 0)
    return turn.change(player_mana=mana)


def can_launch(turn: Turn) -> jax.Array:
    """Returns whether the player can shoot or cast, given a free slot, bool."""
    action, state = turn.action, turn.state
    shoots = is_verb(action, "shoot") & (state.items[t.HELD["bow"]] > 0)
    casts = is_verb(action, "cast") & t.take(state.learned_spells, action.number)
    able = (shoots | casts) & actions.affords(turn)
    return able & (state.player_mana >= action.mana)


def drink(turn: Turn) -> Turn:
    """Drinks a potion; the effect depends on the episode's colour mapping."""
    action, state = turn.action, turn.state
    drinks = is_verb(action, "drink") & actions.affords(turn)
    effects = turn.rules["potions"]["effects"]
    rows = [[effect.get(name, 0) for name in t.VITALS] for effect in effects]
    effect = t.take(state.potion_mapping, action.number)
    changes = jnp.where(drinks, t.take(np.array(rows, np.int32), effect), 0)
    turn = actions.pay(turn, drinks)
    for i, name in enumerate(f"player_{vital}" for vital in t.VITALS):
        turn = turn.change(**{name: getattr(state, name) + changes[i]})
    return turn.earn(action.achievement, drinks)


def read(turn: Turn) -> Turn:
    """Reads a book, and learns an unknown spell if any is left."""
    reads = is_verb(turn.action, "read") & actions.affords(turn)
    learned = turn.state.learned_spells
    unknown = ~learned
    # The book is used up even if no spell is left to learn.
    number = jnp.where(unknown.all(), turn.draws.book_spell, jnp.argmax(unknown))
    learns = (np.arange(unknown.shape[0], dtype=np.int32) == number) & reads
    turn = actions.pay(turn, reads).change(learned_spells=learned | learns)
    names = [spell.learned for spell in turn.config.tables.spells.values()]
    return turn.earn(t.take(np.array(names, np.int32), number), reads)


def enchant(turn: Turn) -> Turn:
    """Enchants the sword, the bow or a piece of armour at an enchantment table."""
    action, state = turn.action, turn.state
    able, element, gem = can_enchant(turn)
    done = is_verb(action, "enchant") & able
    piece = _armour_piece(turn, element)
    sword, armour, bow = (done & (action.number == i) for i in range(len(t.ENCHANTED)))
    worn = state.armour_enchantments
    armour &= np.arange(worn.shape[0], dtype=np.int32) == piece
    gems = t.one_hot_sum(t.ITEMS, [(gem, done.astype(jnp.int32))])
    turn = turn.change(
        sword_enchantment=jnp.where(sword, element, state.sword_enchantment),
        bow_enchantment=jnp.where(bow, element, state.bow_enchantment),
        armour_enchantments=jnp.where(armour, element, worn),
        items=state.items - gems,
    )
    return _pay_mana(turn, done).earn(action.achievement, done)


def can_enchant(turn: Turn) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns whether enchanting is possible, the element, and the gem's index."""
    action, items, tables = turn.action, turn.state.items, turn.config.tables
    table = np.zeros((2, len(tables.block_names)), np.int32)
    for number, row in tables.elements.items():
        table[:, number] = row.id, t.HELD[row.gem]
    block = engine.block_of(turn.front.cell)
    element, gem = (t.take(column, block) for column in table)
    amounts = items[t.HELD["sword"]], items[t.ARMOUR].max(), items[t.HELD["bow"]]
    able = (element > 0) & (t.take(jnp.stack(amounts), action.number) > 0)
    able &= (t.take(items, gem) >= 1) & (turn.state.player_mana >= action.mana)
    if turn.config.applied("closed_map"):
        able &= turn.front.inside
    if turn.config.applied("armour_enchantment"):
        bare, other = _fitting(turn, element)
        is_armour = action.number == t.ENCHANTED.index("armour")
        able &= ~is_armour | bare.any() | other.any()
    return able, element, gem


def _fitting(turn: Turn, element: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns the pieces without and with another enchantment, bool (pieces,)."""
    old, worn = turn.state.armour_enchantments, turn.state.items[t.ARMOUR] > 0
    fit = worn if turn.config.applied("armour_enchantment") else jnp.ones_like(worn)
    return fit & (old == 0), fit & (old != element)


def _armour_piece(turn: Turn, element: jax.Array) -> jax.Array:
    """Returns the index of the armour piece to enchant.

    Pieces without enchantment come first, then pieces with another element. In the
    published game the piece need not be worn, and the first one is "enchanted" again if
    all have the element.
    """
    bare, other = _fitting(turn, element)
    chosen = jnp.where(bare.any(), bare, other)
    count = chosen.sum(dtype=jnp.int32)
    nth = pick(turn.draws.enchant_armour_u, count)
    before = (np.tri(chosen.shape[0], k=-1, dtype=np.int32) * chosen).sum(1)
    return jnp.argmax(chosen & (before == nth))


def level_up(turn: Turn) -> Turn:
    """Spends experience on an attribute."""
    xp = turn.state.player_xp
    wanted = is_verb(turn.action, "level_up") & (xp >= 1)
    spent = jnp.int32(0)
    for number, (name, value) in enumerate(turn.state.attributes.items()):
        rises = wanted & (turn.action.number == number)
        rises &= value < turn.params.max_attribute
        spent = spent + rises.astype(jnp.int32)
        turn = turn.change(**{f"player_{name}": value + rises.astype(jnp.int32)})
    return turn.change(player_xp=xp - spent)
