"""The player: limits, inventory, achievements and damage."""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t

_FACTORS = {name: place for place, name in enumerate(t.FACTORS)}
_MELEE, _MELEE_ENCHANTMENT = _FACTORS["melee"], _FACTORS["melee_enchantment"]
_BOW_FACTOR, _SPELL_FACTOR = _FACTORS["bow"], _FACTORS["spell"]
_GROWS_BOW = t.GROWS.index("bow")


@inner
def single(value):
    """Rounds a number to single precision, in which the game compares."""
    return np.float64(np.float32(value))


@inner
def maximum(g, rules, i):
    """Returns the maximum of health (`i` = 0) or of a vital (`i` = 1 + its index)."""
    base, attribute, per = rules.maximum[i]
    return np.int64(base + per * g.attributes[np.int64(attribute)])


@inner
def factor(g, rules, number):
    """Returns the multiplier of a quantity; `number` is an index into `FACTORS`."""
    _, attribute, per = rules.factor[number]
    grown = single(per) * (g.attributes[np.int64(attribute)] - 1)
    return single(1 + single(grown))


@inner
def achieve(g, rules, number):
    """Unlocks an achievement unless it already is; ignores -1."""
    if number >= 0 and not g.achievements[number]:
        g.achievements[number] = 1
        g.unlocked[number] = 1
        g.gained += rules.weights[number]


@inner
def has(g, needs):
    """Returns whether the player has the needed amounts of items."""
    for i in range(len(needs)):
        if g.items[i] < needs[i]:
            return False
    return True


@inner
def use(g, items):
    """Removes items from the inventory."""
    for i in range(len(items)):
        g.items[i] -= items[i]


@inner
def restore(g, rules, vital, amount):
    """Adds to food, drink, energy or mana up to the maximum."""
    g.vitals[vital] = min(g.vitals[vital] + amount, maximum(g, rules, 1 + vital))


# Fighting.


@inner
def after_defence(physical, fire, ice, defence):
    """Returns the health lost to an attack, in single precision."""
    # Product and sum are rounded once, as in the compiled published game.
    total = single(single(1 - defence[0]) * physical)
    total = single(single(1 - defence[1]) * fire + total)
    return single(single(1 - defence[2]) * ice + total)


@inner
def melee_damage(g, rules):
    """Returns melee damage: physical, fire, ice."""
    base = rules.melee_damage[g.items[rules.sword]]
    element, added = g.enchantments[t.SWORD], 0.0
    if element:
        added = base * rules.enchanted_weapon
        added = single(added * factor(g, rules, _MELEE_ENCHANTMENT))
    fire, ice = added if element == 1 else 0.0, added if element == 2 else 0.0
    return single(base * factor(g, rules, _MELEE)), fire, ice


@inner
def projectile_damage(g, rules, kind):
    """Returns the damage of a projectile of the player: physical, fire, ice."""
    physical, fire, ice = rules.shot_damage[kind]
    grows, element = rules.shot_grows[kind], g.enchantments[t.BOW]
    if grows < 0:
        return physical, fire, ice
    times = factor(g, rules, _SPELL_FACTOR)
    if grows == _GROWS_BOW:
        times = factor(g, rules, _BOW_FACTOR)
        added = physical * rules.enchanted_weapon
        fire += added if element == 1 else 0.0
        ice += added if element == 2 else 0.0
    return single(physical * times), single(fire * times), single(ice * times)


@inner
def hit(g, rules, damage, factor):
    """Takes damage from an attack; returns whether the player was asleep."""
    if g.level == rules.boss_floor:
        factor *= rules.boss_damage_factor
    physical, fire, ice = damage
    amount = after_defence(
        single(physical * factor),
        single(fire * factor),
        single(ice * factor),
        _defence(g, rules),
    )
    g.health = single(g.health - amount)
    g.resting = False
    was_asleep = g.sleeping
    g.sleeping = False
    return was_asleep


@inner
def _defence(g, rules):
    physical = fire = ice = 0.0
    for piece in range(len(g.armour_enchantments)):
        tier = g.items[rules.armour + piece]
        physical = single(physical + tier * rules.defence_tier)
        element = g.armour_enchantments[piece]
        if element == 1:
            fire = single(fire + rules.defence_enchantment)
        elif element == 2:
            ice = single(ice + rules.defence_enchantment)
    return physical, fire, ice
