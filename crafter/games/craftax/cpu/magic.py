"""Bow, spells, potions, books, enchantments and attributes: verbs of actions."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.affordances import block_ahead
from crafter.games.craftax.cpu.combat import launch
from crafter.games.craftax.cpu.player import achieve, single, use


@inner
def shoot(g, rules, kind):
    """Shoots an arrow in the facing direction."""
    _launch(g, rules, kind)
    use(g, rules.shot_uses)
    achieve(g, rules, rules.shot_achievement)


@inner
def cast(g, rules, spell):
    """Casts a spell in the facing direction."""
    _launch(g, rules, rules.spell_projectile[spell])
    g.vitals[t.MANA] -= rules.spell_mana[spell]
    achieve(g, rules, rules.spell_achievement[spell])


@inner
def _launch(g, rules, kind):
    drow, dcol = rules.vectors[g.direction]
    launch(g, rules, t.PLAYER, kind, g.row, g.col, drow, dcol)


@inner
def drink(g, rules, colour):
    """Drinks a potion."""
    g.items[rules.potion + colour] -= 1
    effect = g.potion_mapping[colour]
    g.health = single(g.health + rules.potion_health[effect])
    for i in range(len(g.vitals)):
        g.vitals[i] += rules.potion_vitals[effect, i]
    achieve(g, rules, rules.potion_achievement)


@inner
def read(g, rules, d):
    """Reads a book, and learns an unknown spell if any is left."""
    unknown, number = 0, 0
    for spell in range(len(g.learned_spells) - 1, -1, -1):
        if not g.learned_spells[spell]:
            unknown, number = unknown + 1, spell
    if unknown == len(g.learned_spells):
        number = d.book_spell
    g.items[rules.books] -= 1
    g.learned_spells[number] = 1
    achieve(g, rules, rules.spell_learned[number])


@inner
def enchant(g, rules, d, thing):
    """Enchants the sword, the bow or a piece of armour at an enchantment table."""
    element = rules.element[block_ahead(g, rules)]
    if thing == t.ARMOUR:
        piece = _armour_piece(g, rules, element, d.enchant_armour_u)
        g.armour_enchantments[piece] = element
    else:
        g.enchantments[thing] = element
    g.items[rules.gem[element]] -= 1
    g.vitals[t.MANA] -= rules.enchanting_mana
    achieve(g, rules, rules.enchant_achievement[thing])


@inner
def _armour_piece(g, rules, element, draw):
    """Returns the index of the armour piece to enchant.

    Pieces without enchantment come first, then pieces with another element. In the
    published game the piece need not be worn.
    """
    pieces = len(g.armour_enchantments)
    for plain in (True, False):
        count = 0
        for piece in range(pieces):
            count += _fits(g, rules, piece, element, plain)
        if count:
            left = int(draw * count)
            for piece in range(pieces):
                if _fits(g, rules, piece, element, plain):
                    if left == 0:
                        return piece
                    left -= 1
    return 0


@inner
def _fits(g, rules, piece, element, plain):
    if rules.armour_enchantment and not g.items[rules.armour + piece]:
        return False
    old = g.armour_enchantments[piece]
    return old == 0 if plain else old != element


@inner
def level_up(g, attribute):
    """Spends experience on an attribute."""
    g.xp -= 1
    g.attributes[attribute] += 1
