"""Creatures that appear around the player."""

from __future__ import annotations

import math

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu import world
from crafter.games.craftax.cpu.player import single


@inner
def update(g, rules, d):
    """Lets at most one creature of each class appear."""
    factor = _factor(g, rules)
    for kind, chance, cell in (
        (t.PASSIVE, d.spawn_passive_u, d.spawn_passive_cell_u),
        (t.MELEE, d.spawn_melee_u, d.spawn_melee_cell_u),
        (t.RANGED, d.spawn_ranged_u, d.spawn_ranged_cell_u),
    ):
        slot = _free_slot(g, rules, kind)
        mob = g.mobs[kind, g.level, max(slot, 0)]
        # The species is set whether or not one appears.
        mob.type = _species(g, rules, kind)
        if slot < 0:
            mob.alive = 1  # if its cell counted as free
        appears = chance < _chance(g, rules, kind, factor)
        if slot >= 0 and appears:
            _spawn(g, rules, kind, mob, cell)


@inner
def _free_slot(g, rules, kind):
    for slot in range(rules.slots[kind]):
        if not g.mobs[kind, g.level, slot].alive:
            return slot
    return -1


@inner
def _factor(g, rules):
    """Returns what the chances of monsters are multiplied with."""
    shut = g.monsters_killed[g.level] < rules.monsters
    factor = rules.uncleared if shut else 1.0
    if g.level == rules.boss_floor:
        factor *= rules.wave if g.boss_timer >= 1 else 0.0
    return factor


@inner
def _species(g, rules, kind):
    """Returns the species that appears here; the boss calls those of all floors."""
    level = g.level
    if level == rules.boss_floor and kind != t.PASSIVE:
        level = min(g.boss_progress, len(rules.floor_species) - 1)
    return rules.floor_species[level, kind]


@inner
def _chance(g, rules, kind, factor):
    """Returns the chance that a creature appears, in single precision."""
    chance = rules.floor_chances[g.level, kind]
    if kind == t.PASSIVE:
        return chance
    night = rules.floor_night[g.level]
    if kind == t.MELEE and night:
        dark = single(1 - g.light_level)
        chance = single(chance + night * single(dark * dark))
    return chance * factor if factor < 2 else single(chance * factor)


@inner
def _spawn(g, rules, kind, mob, draw):
    """Lets a creature appear in one of the cells where it may, if there are any."""
    ground = rules.mob_spawns_on[kind, mob.type]
    reach = rules.mob_despawn_distance
    if g.level == rules.boss_floor:
        ground, reach = rules.graveyard[:], rules.graveyard_reach
    first, end = max(g.row - reach, 0), min(g.row + reach + 1, g.cells.shape[1])
    count = 0
    for row in range(first, end):
        count += _count(g, rules, kind, ground, row)
    if not count:
        return
    left = np.int64(draw * count)
    for row in range(first, end):
        here = _count(g, rules, kind, ground, row)
        if left < here:
            mob.row, mob.col = row, _pick(g, rules, kind, ground, row, left)
            mob.health, mob.alive = rules.mob_health[kind, mob.type], 1
            if rules.cooldown_reset:
                mob.cooldown = 0
            return
        left -= here


@inner
def _span(g, rules, kind, row):
    """Returns the least and the greatest distance of cells of a row in columns."""
    rows, graveyard = row - g.row, g.level == rules.boss_floor
    far = rules.mob_despawn_distance
    reach = rules.graveyard_reach if graveyard else far
    most = min(reach * reach, far * far - 1) - rows * rows
    greatest = np.int64(math.sqrt(most)) if most >= 0 else -1
    if rules.spawn_metric:
        greatest = min(greatest, far - 1 - abs(rows))
    too_near = rules.beyond[kind] * rules.beyond[kind] - rows * rows
    near = not graveyard and too_near >= 0
    return np.int64(math.sqrt(too_near)) + 1 if near else 0, greatest


@inner
def _sides(g, rules, kind, row):
    """Returns the first column on the map and the end of both parts of a row."""
    least, greatest = _span(g, rules, kind, row)
    size, col = g.cells.shape[2], g.col
    return (
        (max(col - greatest, 0), min(col - least + 1, size)),
        (max(col + max(least, 1), 0), min(col + greatest + 1, size)),
    )


@inner
def _count(g, rules, kind, ground, row):
    """Returns how many cells of a row fit; `ground` says which blocks do."""
    count, level = 0, g.level
    sides = _sides(g, rules, kind, row)
    for first, end in sides:
        for col in range(first, end):
            count += ground[rules.block_of[g.cells[level, row, col]]]
    for other in range(3):
        for slot in range(rules.slots[other]):
            mob = g.mobs[other, level, slot]
            if mob.row == row and mob.alive == 1 and _is_first(g, rules, other, slot):
                for first, end in sides:
                    if first <= mob.col < end:
                        count -= ground[world.block(g, rules, row, mob.col)]
    return count


@inner
def _is_first(g, rules, kind, slot):
    """Returns whether no creature before this one counts in its cell."""
    mob = g.mobs[kind, g.level, slot]
    for other in range(kind + 1):
        for i in range(slot if other == kind else rules.slots[other]):
            before = g.mobs[other, g.level, i]
            if before.alive == 1 and before.row == mob.row and before.col == mob.col:
                return False
    return True


@inner
def _pick(g, rules, kind, ground, row, left):
    """Returns the column of a cell of a row that fits, by its number."""
    for first, end in _sides(g, rules, kind, row):
        for col in range(first, end):
            fits = ground[world.block(g, rules, row, col)]
            if fits and not world.occupied(g, rules, row, col):
                if left == 0:
                    return col
                left -= 1
    return g.col
