"""Creatures that appear around the player."""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu import world
from crafter.games.craftax.cpu.draws import real
from crafter.games.craftax.cpu.player import single

_MELEE, _PASSIVE, _RANGED = range(len(t.CLASSES))
_PASSIVE_U, _PASSIVE_CELL = t.DRAWS["spawn_passive_u"], t.DRAWS["spawn_passive_cell_u"]
_MELEE_U, _MELEE_CELL = t.DRAWS["spawn_melee_u"], t.DRAWS["spawn_melee_cell_u"]
_RANGED_U, _RANGED_CELL = t.DRAWS["spawn_ranged_u"], t.DRAWS["spawn_ranged_cell_u"]


@inner
def update(g, rules, d):
    """Lets at most one creature of each class appear."""
    factor = _factor(g, rules)
    for kind, chance, cell in (
        (_PASSIVE, _PASSIVE_U, _PASSIVE_CELL),
        (_MELEE, _MELEE_U, _MELEE_CELL),
        (_RANGED, _RANGED_U, _RANGED_CELL),
    ):
        slot = _free_slot(g, rules, kind)
        mob = g.mobs[kind, g.level, max(slot, 0)]
        # The species is set whether or not one appears.
        mob.type = _species(g, rules, kind)
        if slot < 0:
            mob.alive = 1  # if its cell counted as free
        appears = real(rules, d, chance, 0) < _chance(g, rules, kind, factor)
        if slot >= 0 and appears:
            _spawn(g, rules, kind, mob, real(rules, d, cell, 0))


@inner
def _free_slot(g, rules, kind):
    for slot in range(rules.slots[kind]):
        if not g.mobs[kind, g.level, slot].alive:
            return slot
    return -1


@inner
def _factor(g, rules):
    """Returns what the chances of monsters are multiplied with."""
    shut = g.killed[g.level] < rules.monsters
    factor = rules.uncleared if shut else 1.0
    if g.level == rules.boss_floor:
        factor *= rules.wave if g.boss_timer >= 1 else 0.0
    return factor


@inner
def _species(g, rules, kind):
    """Returns the species that appears here; the boss calls those of all floors."""
    level = g.level
    if level == rules.boss_floor and kind != _PASSIVE:
        level = min(g.boss_progress, len(rules.floor_species) - 1)
    return rules.floor_species[level, kind]


@inner
def _chance(g, rules, kind, factor):
    """Returns the chance that a creature appears, in single precision."""
    chance = rules.floor_chance[g.level, kind]
    if kind == _PASSIVE:
        return chance
    night = rules.floor_night[g.level]
    if kind == _MELEE and night:
        dark = single(1 - g.light_level)
        chance = single(chance + night * single(dark * dark))
    return chance * factor if factor < 2 else single(chance * factor)


@inner
def _spawn(g, rules, kind, mob, draw):
    count = 0
    for place in range(_cells(g, rules, kind)):
        count += _fits(g, rules, kind, mob.type, place)
    if not count:
        return
    left = np.int64(draw * count)
    for place in range(_cells(g, rules, kind)):
        if _fits(g, rules, kind, mob.type, place):
            if left == 0:
                side, reach = 2 * _reach(g, rules) + 1, _reach(g, rules)
                mob.row = g.row + place // side - reach
                mob.col = g.col + place % side - reach
                mob.health, mob.alive = rules.mob_health[kind, mob.type], 1
                if rules.cooldown_reset:
                    mob.cooldown = 0
                return
            left -= 1


@inner
def _reach(g, rules):
    return rules.graveyard_reach if g.level == rules.boss_floor else rules.despawn


@inner
def _cells(g, rules, kind):
    """Returns how many cells there are in the square around the player."""
    side = 2 * _reach(g, rules) + 1
    return side * side


@inner
def _fits(g, rules, kind, species, place):
    """Returns whether a creature may appear in a cell of the square, row by row."""
    reach, far = _reach(g, rules), rules.despawn
    side, graveyard = 2 * reach + 1, g.level == rules.boss_floor
    rows, cols = place // side - reach, place % side - reach
    square = rows * rows + cols * cols
    if square > reach * reach or square >= far * far:
        return False
    if not graveyard and square <= rules.beyond[kind] * rules.beyond[kind]:
        return False
    if rules.spawn_metric and abs(rows) + abs(cols) >= far:
        return False
    row, col = g.row + rows, g.col + cols
    if not world.inside(g, row, col):
        return False
    block = world.block(g, rules, row, col)
    ground = (
        rules.graveyard[block] if graveyard else rules.mob_ground[kind, species, block]
    )
    return ground and not world.occupied(g, rules, row, col)
