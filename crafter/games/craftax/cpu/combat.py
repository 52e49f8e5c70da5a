"""Damage dealt by the player in melee and with projectiles."""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu import world
from crafter.games.craftax.cpu.player import achieve, after_defence, restore, single


@inner
def launch(g, rules, shooter, kind, row, col, drow, dcol):
    """Launches a projectile in the first free slot, if any."""
    slot = world.free_shot(g, rules, shooter)
    if slot >= 0:
        shot = g.shots[shooter, g.level, slot]
        shot.row, shot.col, shot.drow, shot.dcol = row, col, drow, dcol
        shot.alive, shot.type = 1, kind


@inner
def strike(g, rules, row, col, damage, eats):
    """Hits the first living creature of each class at a cell.

    Returns:
      Whether any creature was hit.
    """
    struck = killed = monster = False
    for kind in range(3):
        slot = world.living(g, rules, kind, row, col)
        if slot >= 0:
            struck = True
            mob = g.mobs[kind, g.level, slot]
            physical, fire, ice = damage
            defence = rules.mob_defence[kind, mob.type]
            lost = after_defence(
                physical, fire, ice, (defence[0], defence[1], defence[2])
            )
            mob.health = np.float32(single(mob.health - lost))
            if mob.health <= 0:
                mob.alive = 0
                killed, monster = True, monster or kind != t.PASSIVE
                _reward(g, rules, kind, mob.type, eats)
            if rules.one_target:
                break
    if killed:
        world.free(g, rules, row, col)
    if killed and monster:
        g.monsters_killed[g.level] += 1
    return struck


@inner
def _reward(g, rules, kind, species, eats):
    """Grants the rewards for killing a creature."""
    if kind == t.PASSIVE:
        if not (eats or rules.hunting):
            return
        if eats:
            restore(g, rules, t.FOOD, rules.food_of_passive)
            g.counters[t.HUNGER] = 0
    achieve(g, rules, rules.mob_achievement[kind, species])
