"""Spawning of creatures around the player."""

from __future__ import annotations

import math

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu import world
from crafter.games.craftax.cpu.player import single


@inner
def update(g, rules, d):
    """Spawns at most one creature of each class."""
    factor = _factor(g, rules)
    for kind, chance, cell in (
        (t.PASSIVE, d.spawn_passive_u, d.spawn_passive_cell_u),
        (t.MELEE, d.spawn_melee_u, d.spawn_melee_cell_u),
        (t.RANGED, d.spawn_ranged_u, d.spawn_ranged_cell_u),
    ):
        slot = _free_slot(g, rules, kind)
        mob = g.mobs[kind, g.level, max(slot, 0)]
        # The species is set even if nothing spawns.
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
    """Returns the multiplier of the spawn chances of monsters."""
    shut = g.monsters_killed[g.level] < rules.monsters
    factor = rules.uncleared if shut else 1.0
    if g.level == rules.boss_floor:
        factor *= rules.wave if g.boss_timer >= 1 else 0.0
    return factor


@inner
def _species(g, rules, kind):
    """Returns the species to spawn; boss waves use those of each floor."""
    level = g.level
    if level == rules.boss_floor and kind != t.PASSIVE:
        level = min(g.boss_progress, len(rules.floor_species) - 1)
    return rules.floor_species[level, kind]


@inner
def _chance(g, rules, kind, factor):
    """Returns the spawn chance of a class, in single precision."""
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
    """Spawns a creature in one of the valid cells, if there are any."""
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
    """Returns the minimum and maximum spawn distance along a row, in columns."""
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
    """Returns the column ranges (first, end) of a row on both sides of the player."""
    least, greatest = _span(g, rules, kind, row)
    size, col = g.cells.shape[2], g.col
    return (
        (max(col - greatest, 0), min(col - least + 1, size)),
        (max(col + max(least, 1), 0), min(col + greatest + 1, size)),
    )


@inner
def _count(g, rules, kind, ground, row):
    """Returns the number of valid cells of a row; `ground` masks valid blocks."""
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
    """Returns whether no earlier slot has a creature that occupies the same cell."""
    mob = g.mobs[kind, g.level, slot]
    for other in range(kind + 1):
        for i in range(slot if other == kind else rules.slots[other]):
            before = g.mobs[other, g.level, i]
            if before.alive == 1 and before.row == mob.row and before.col == mob.col:
                return False
    return True


@inner
def _pick(g, rules, kind, ground, row, left):
    """Returns the column of valid cell number `left` of a row."""
    for first, end in _sides(g, rules, kind, row):
        for col in range(first, end):
            fits = ground[world.block(g, rules, row, col)]
            if fits and not world.occupied(g, rules, row, col):
                if left == 0:
                    return col
                left -= 1
    return g.col
