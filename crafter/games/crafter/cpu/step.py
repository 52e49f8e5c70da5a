"""One step of one game: the order of updates."""

from __future__ import annotations

import math

from crafter.compiled.jit import inner
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import creatures, player, world
from crafter.games.crafter.cpu.spawning import balance

_ACHIEVEMENTS = len(t.ACHIEVEMENT)


@inner
def step(g, rules, action):
    """Plays one step without observing it.

    Args:
      g: State of the game.
      rules: Parameters of the rules; see `run`.
      action: Index of the action.

    Returns:
      The reward.
    """
    for a in range(_ACHIEVEMENTS):
        g.unlocked[a] = g.achievements[a] == 0
    g.step += 1
    g.daylight = daylight(g.step + g.clock_offset, rules)
    g.action = action
    count = g.object_count
    player.update(g, rules)
    for i in range(1, count):
        if world.distance(g, i) < rules.reach:
            creatures.update(g, rules, i)
    world.sweep(g)
    if g.step % rules.balance_interval == 0:
        balance(g, rules)
    return _reward(g, rules)


@inner
def daylight(clock, rules):
    """Returns the daylight; see `crafter.core.clock.daylight`."""
    if clock < len(rules.light):
        return rules.light[clock]
    progress = (clock / rules.day) % 1 + rules.day_start
    # A float exponent selects `pow` of the C library, as there.
    return 1 - math.pow(abs(math.cos(math.pi * progress)), 3.0)


@inner
def _reward(g, rules):
    health = g.inventory[t.HEALTH]
    reward = 0.0
    if rules.health_reward != 0:
        reward = (health - g.rewarded_health) / rules.health_reward
    g.rewarded_health = health
    new = False
    for a in range(_ACHIEVEMENTS):
        g.unlocked[a] = g.unlocked[a] and g.achievements[a] > 0
        new = new or g.unlocked[a]
    return reward + rules.unlock_reward if new else reward
