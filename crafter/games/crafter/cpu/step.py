"""One step of the rules for one game: the order in which things happen."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import creatures, player, world
from crafter.games.crafter.cpu.spawning import balance

_INTERVAL: int = t.BALANCE_INTERVAL
_HEALTH = t.HEALTH
_ACHIEVEMENTS = len(t.ACHIEVEMENT)
_UNLOCK_REWARD, _HEALTH_REWARD = t.UNLOCK_REWARD, t.HEALTH_REWARD


@inner
def step(g, action, daylight, limits, reach, unlocked):
    """Plays one step without looking at it.

    Args:
      g: State of the game.
      action: Index of the action.
      daylight: Brightness in this step.
      limits: Maximum of every item, int32.
      reach: L1 distance from the player below which objects act.
      unlocked: Bool array (achievements,); set to what is new in this step.

    Returns:
      The reward.
    """
    for a in range(_ACHIEVEMENTS):
        unlocked[a] = g.achievements[a] == 0
    g.step += 1
    g.daylight = daylight
    g.action = action
    count = g.object_count
    player.update(g, limits)
    for i in range(1, count):
        if world.distance(g, i) < reach:
            creatures.update(g, i)
    world.sweep(g)
    if g.step % _INTERVAL == 0:
        balance(g)
    return _reward(g, unlocked)


@inner
def _reward(g, unlocked):
    health = g.inventory[_HEALTH]
    reward = (health - g.rewarded_health) / _HEALTH_REWARD
    g.rewarded_health = health
    new = False
    for a in range(_ACHIEVEMENTS):
        unlocked[a] = unlocked[a] and g.achievements[a] > 0
        new = new or unlocked[a]
    return reward + _UNLOCK_REWARD if new else reward
