"""Boss fight: waves of creatures, and when the boss is vulnerable."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.player import achieve


@inner
def is_vulnerable(g, rules):
    """Returns whether the boss can be hit now, given a player on its floor."""
    if g.boss_timer > 0:
        return False
    for kind in (t.MELEE, t.RANGED):
        for slot in range(rules.slots[kind]):
            if g.mobs[kind, g.level, slot].alive:
                return False
    return True


@inner
def can_be_hit(g, rules):
    """Returns whether the player can hit the boss, given that it is in front."""
    return g.level == rules.boss_floor and is_vulnerable(g, rules)


@inner
def hit(g, rules, counts):
    """Hits the boss and starts the next wave; `counts` unlocks the achievement."""
    g.boss_progress += 1
    g.boss_timer = rules.boss_wave_steps
    if counts:
        achieve(g, rules, rules.boss_hit)


@inner
def update(g, rules):
    """Rewards beating the boss, and counts down the timer of a wave."""
    if g.boss_progress >= rules.boss_hits:
        achieve(g, rules, rules.boss_won)
    if g.level == rules.boss_floor:
        g.boss_timer -= 1
