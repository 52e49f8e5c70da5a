"""Affordances and action masks; see `crafter.games.craftax.affordances`."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.compiled.jit import inner
from crafter.core.validation import integer
from crafter.games.craftax.cpu import boss, world
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.player import has, maximum
from crafter.games.craftax.tables import Tables

_MOST = 16  # larger amounts of an item are clipped


@inner
def block_ahead(g, rules):
    """Returns the block in front; off the map, of the cell read instead."""
    (row, col), size = world.ahead(g, rules), g.cells.shape[1]
    return world.block(g, rules, world.seen(row, size), world.seen(col, size))


@inner
def _reads_ahead(g, rules):
    """Returns whether the game reads the cell in front, even off the map."""
    row, col = world.ahead(g, rules)
    return not rules.closed_map or world.inside(g, row, col)


@inner
def may_act(g, rules, verb, what):
    """Returns whether an action has an effect; always true for `move` and `do`.

    Args:
      g: The game; the player is neither asleep nor resting.
      rules: The rules.
      verb: Index into `tables.VERBS`.
      what: Argument of the verb.
    """
    if verb == t.DESCEND:
        return _can_descend(g, rules)
    if verb == t.ASCEND:
        return _can_ascend(g, rules)
    if verb == t.PLACE:
        return _can_place(g, rules, what)
    if verb == t.MAKE:
        return _can_make(g, rules, what)
    if verb == t.SHOOT:
        able = g.items[rules.bow] and has(g, rules.shot_uses)
        return able and world.free_shot(g, rules, t.PLAYER) >= 0
    if verb == t.CAST:
        able = g.learned_spells[what] and g.vitals[t.MANA] >= rules.spell_mana[what]
        return able and world.free_shot(g, rules, t.PLAYER) >= 0
    if verb == t.DRINK:
        return g.items[rules.potion + what] != 0
    if verb == t.READ:
        return g.items[rules.books] != 0
    if verb == t.ENCHANT:
        return _can_enchant(g, rules, what)
    if verb == t.LEVEL_UP:
        more = g.attributes[what] < rules.max_attribute
        return more and _experience(g, rules) >= 1
    return True


@inner
def _stands_on(g, rules, ladder):
    size = g.cells.shape[1]
    row, col = world.seen(g.row, size), world.seen(g.col, size)
    return rules.god_mode or world.item(g, rules, row, col) == ladder


@inner
def _can_descend(g, rules):
    if g.level == rules.boss_floor or not _stands_on(g, rules, rules.ladder_down):
        return False
    return rules.god_mode or g.monsters_killed[g.level] >= rules.monsters


@inner
def _can_ascend(g, rules):
    return g.level > 0 and _stands_on(g, rules, rules.ladder_up)


@inner
def _can_place(g, rules, thing):
    row, col = world.ahead(g, rules)
    if not has(g, rules.place_uses[thing]) or not world.inside(g, row, col):
        return False
    block = world.block(g, rules, row, col)
    if not rules.place_where[thing, block]:
        return False
    if world.item(g, rules, row, col) and not rules.place_over_items[thing, block]:
        return False
    below = rules.crowded and rules.below[thing, block]
    if world.occupied(g, rules, row, col) and not below:
        return False
    if thing != rules.plant or not rules.plant_slots:
        return True
    for plant in range(len(g.plants)):
        if not g.plants[plant].growing:
            return True
    return False


@inner
def _can_make(g, rules, recipe):
    uses = rules.make_uses[recipe]
    near = world.is_near(g, rules, rules.make_near[recipe])
    return near and has(g, uses) and not _keeps(g, rules, recipe)


@inner
def _keeps(g, rules, recipe):
    """Returns whether the player already owns a recipe's product, or is full."""
    raises = rules.make_raises[recipe]
    for i in range(len(raises)):
        if raises[i] and g.items[i] >= raises[i]:
            return True
    if rules.make_armour[recipe]:
        worst = g.items[rules.armour]
        for piece in range(len(g.armour_enchantments)):
            worst = min(worst, g.items[rules.armour + piece])
        if worst >= rules.make_armour[recipe]:
            return True
    gives = rules.make_gives[recipe]
    for i in range(len(gives)):
        if gives[i] and g.items[i] >= rules.item_limit[i]:
            return True
    return False


@inner
def _can_enchant(g, rules, thing):
    element = rules.element[block_ahead(g, rules)]
    if not _reads_ahead(g, rules):
        return False
    if not element or not g.items[rules.gem[element]]:
        return False
    if g.vitals[t.MANA] < rules.enchanting_mana:
        return False
    if thing != t.ARMOUR or not rules.armour_enchantment:
        return _owns(g, rules, thing)
    for piece in range(len(g.armour_enchantments)):
        if g.items[rules.armour + piece] and g.armour_enchantments[piece] != element:
            return True
    return False


# Masks.


def numbers(tables: Tables) -> dict[str, Any]:
    """Returns the parameters for masks, to be set by `prepare_masks`."""
    return {
        "means": np.zeros((len(tables.held), _MOST + 1), np.int64),
        "verb_bits": np.zeros(len(t.VERBS), np.int64),
        "move_bits": np.zeros(1 + len(tables.direction_names), np.int64),
        "asking": 0,
        "puffer_masks": 0,
    }


def prepare_masks(rules: Any, kind: str) -> None:
    """Sets the parameters for masks; bit i stands for action i.

    Args:
      rules: Record of the rules. Sets `verb_bits`, the actions of each verb;
        `move_bits`, the move of each direction; `asking`, actions that need further
        checks; and `means`, the actions for which an amount of an item is neither too
        small nor too large; `_MOST` never is.
      kind: Kind of masks, `exact` or `puffer`.

    Raises:
      ValueError: If there are too many actions.
    """
    integer("number of actions with masks", len(rules["verb"]), 1, 63)
    rules["asking"] = 0
    rules["puffer_masks"] = kind == "puffer"
    rules["means"] = -1
    amounts = np.arange(_MOST)
    for action, (verb, what) in enumerate(zip(rules["verb"], rules["what"])):
        rules["verb_bits"][verb] |= 1 << action
        least = np.zeros(len(rules["means"]), int)
        below = np.full(len(least), _MOST)
        if verb == t.MOVE:
            rules["move_bits"][what] |= 1 << action
        elif verb == t.PLACE:
            least += rules["place_uses"][what]
        elif verb == t.MAKE:
            least += rules["make_uses"][what]
            raises = rules["make_raises"][what]
            below = np.where(raises, raises, below)
        elif verb == t.SHOOT:
            least += rules["shot_uses"]
            least[rules["bow"]] |= 1
        elif verb == t.DRINK:
            least[rules["potion"] + what] = 1
        elif verb == t.READ:
            least[rules["books"]] = 1
        elif verb == t.ENCHANT and what != t.ARMOUR:
            least[rules["bow" if what else "sword"]] = 1
        if verb in (t.PLACE, t.MAKE, t.SHOOT, t.CAST, t.ENCHANT, t.LEVEL_UP):
            rules["asking"] |= 1 << action
        wrong = (amounts < least[:, None]) | (amounts >= below[:, None])
        rules["means"][:, :_MOST][wrong] &= ~(1 << action)


@inner
def fill(g, rules, mask):
    """Fills an action mask, like `crafter.games.craftax.affordances.MASKS`.

    Args:
      g: The game.
      rules: The rules, after `prepare_masks`.
      mask: Output, int8 (actions,).
    """
    left = rules.verb_bits[t.NOOP]
    if not g.sleeping and not g.resting:
        left = ~_useless_actions(g, rules)
        for i in range(len(g.items)):
            left &= rules.means[i, min(max(g.items[i], 0), _MOST)]
    for action in range(len(mask)):
        mask[action] = left >> action & 1
    left &= rules.asking
    for action in range(len(mask) if left else 0):
        if left >> action & 1:
            verb, what = rules.verb[action], rules.what[action]
            if rules.puffer_masks:
                mask[action] = _has_means(g, rules, verb, what)
            else:
                mask[action] = may_act(g, rules, verb, what)


@inner
def _useless_actions(g, rules):
    """Returns the bits of actions known to have no effect: whole verbs, and a move."""
    bits, shut, known = rules.verb_bits, 0, 0
    if g.vitals[t.ENERGY] >= maximum(g, rules, 1 + t.ENERGY):
        shut |= bits[t.SLEEP]
    if not _can_rest(g, rules):
        shut |= bits[t.REST]
    if not _can_descend(g, rules):
        shut |= bits[t.DESCEND]
    if not _can_ascend(g, rules):
        shut |= bits[t.ASCEND]
    if _experience(g, rules) < 1:
        shut |= bits[t.LEVEL_UP]
    for spell in range(len(g.learned_spells)):
        known |= g.learned_spells[spell]
    if not known:
        shut |= bits[t.CAST]
    if rules.puffer_masks:
        return shut if _has_gem(g, rules) else shut | bits[t.ENCHANT]
    if not _can_go_on(g, rules):
        shut |= rules.move_bits[g.direction]
    if not _can_do(g, rules):
        shut |= bits[t.DO]
    if not rules.element[block_ahead(g, rules)]:
        shut |= bits[t.ENCHANT]
    return shut


@inner
def _can_rest(g, rules):
    """Returns whether resting has an effect; for PufferLib, whether health is low."""
    if rules.puffer_masks:
        return g.health < maximum(g, rules, 0)
    fed = g.vitals[t.FOOD] > 0 and g.vitals[t.WATER] > 0
    return fed and (g.health < maximum(g, rules, 0) or _hit_may_come(g, rules))


@inner
def _experience(g, rules):
    """Returns the experience, plus any point still due for entering the floor."""
    due = rules.floor_achievement[g.level]
    counts = not rules.ladder_entry and not rules.puffer_masks
    return g.xp + (counts and due >= 0 and not g.achievements[due])


@inner
def _has_means(g, rules, verb, what):
    """Returns whether the player can afford an action, as in PufferLib's masks."""
    if verb == t.PLACE:
        return has(g, rules.place_uses[what])
    if verb == t.MAKE:
        return has(g, rules.make_uses[what]) and not _keeps(g, rules, what)
    if verb == t.SHOOT:
        return g.items[rules.bow] != 0 and has(g, rules.shot_uses)
    if verb == t.CAST:
        return (
            g.learned_spells[what] != 0 and g.vitals[t.MANA] >= rules.spell_mana[what]
        )
    if verb == t.ENCHANT:
        return g.vitals[t.MANA] >= rules.enchanting_mana and _owns(g, rules, what)
    return may_act(g, rules, verb, what)


@inner
def _owns(g, rules, thing):
    """Returns whether the player owns the weapon, or any armour, to enchant."""
    if thing != t.ARMOUR:
        return g.items[rules.bow if thing else rules.sword] != 0
    for piece in range(len(g.armour_enchantments)):
        if g.items[rules.armour + piece]:
            return True
    return False


@inner
def _has_gem(g, rules):
    for element in range(1, len(rules.gem)):
        if g.items[rules.gem[element]]:
            return True
    return False


@inner
def _can_go_on(g, rules):
    """Returns whether the player can move in the facing direction."""
    row, col = world.ahead(g, rules)
    land = rules.barred
    return rules.god_mode or world.is_open(g, rules, row, col, land)


@inner
def _can_do(g, rules):
    row, col = world.ahead(g, rules)
    if world.is_anyone(g, rules, row, col):
        return True
    block, on_map = block_ahead(g, rules), world.inside(g, row, col)
    vulnerable = boss.can_be_hit(g, rules) and _reads_ahead(g, rules)
    if block == rules.boss_block and (on_map or vulnerable):
        return vulnerable
    bounded = rules.chest_bounds or rules.closed_map
    opens_beyond = not bounded and not g.chest_opened[g.level]
    if block == rules.chest_block and (on_map or opens_beyond):
        return True
    return on_map and _can_collect(g, rules, block)


@inner
def _can_collect(g, rules, block):
    """Returns whether collecting a block would change anything."""
    if not rules.yields[block] or g.items[rules.pickaxe] < rules.collect_pickaxe[block]:
        return False
    if rules.collect_leaves[block] >= 0:
        return True
    for i in range(len(g.items)):
        if rules.collect_gives[block, i] and g.items[i] < rules.item_limit[i]:
            return True
    for i in range(len(g.vitals)):
        if rules.collect_restores[block, i] and g.vitals[i] < maximum(g, rules, 1 + i):
            return True
    counter, number = rules.collect_resets[block], rules.collect_achievement[block]
    if counter >= 0 and g.counters[counter] != 0:
        return True
    return number >= 0 and not g.achievements[number]


@inner
def _hit_may_come(g, rules):
    """Returns whether the player may be hit in this step, before the rest begins."""
    for slot in range(rules.slots[t.MELEE]):
        mob = g.mobs[t.MELEE, g.level, slot]
        ready = mob.alive and mob.cooldown <= 0
        if ready and _distance(g, mob) == rules.melee_reach:
            return True
    free = 0
    for slot in range(rules.shot_slots[t.MOB]):
        shot = g.shots[t.MOB, g.level, slot]
        here = shot.row == g.row and shot.col == g.col
        then = shot.row + shot.drow == g.row and shot.col + shot.dcol == g.col
        if shot.alive and (here or then):
            return True
        free += not shot.alive
    for slot in range(rules.slots[t.RANGED]):
        mob = g.mobs[t.RANGED, g.level, slot]
        if free and mob.alive and mob.cooldown <= 0:
            distance = _distance(g, mob)
            if distance <= 1:
                return True
            free -= rules.ranged_near < distance < rules.ranged_far
    return False


@inner
def _distance(g, mob):
    return abs(mob.row - g.row) + abs(mob.col - g.col)
