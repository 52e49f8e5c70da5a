"""The start of an episode."""

from __future__ import annotations

from crafter.compiled.jit import compiled, inner
from crafter.games.craftax.cpu import worldgen
from crafter.games.craftax.cpu.player import derive


@inner
def reset(g, rules, ground):
    """Starts the next episode of a game.

    Args:
      g: The game.
      rules: The rules.
      ground: Room to make the world in.
    """
    g.episode += 1
    worldgen.draw(g, rules, ground)
    g.step = g.start = g.timestep = 0
    g.ended = False
    g.action = 0
    g.light_level = rules.day[0]
    g.boss_progress, g.boss_timer = 0, rules.wave_steps
    _reset_player(g, rules)
    for level in range(len(g.killed)):
        g.killed[level] = rules.killed_at_start if level == 0 else 0
        g.opened[level] = 0
    _clear(g)
    worldgen.make(g, rules, ground, 0)


@inner
def _reset_player(g, rules):
    g.level = 0
    g.row = g.col = g.cells.shape[1] // 2
    g.direction, g.xp = rules.start_direction, 0
    g.health = rules.start_health
    for i in range(len(g.vitals)):
        g.vitals[i] = rules.start_vitals[i]
    for i in range(len(g.counters)):
        g.counters[i] = 0
    for i in range(len(g.attributes)):
        g.attributes[i] = rules.start_attributes[i]
    for i in range(len(g.items)):
        g.items[i] = rules.start_items[i] if rules.god_mode else 0
    g.sleeping = g.resting = False
    g.learned[:] = 0
    g.enchantments[:] = 0
    g.armour_enchantments[:] = 0
    g.achievements[:] = 0
    derive(g, rules)


@inner
def _clear(g):
    """Empties all slots."""
    for i in range(len(g.plants)):
        plant = g.plants[i]
        plant.row = plant.col = plant.age = plant.growing = 0
    for level in range(g.mobs.shape[1]):
        for kind in range(g.mobs.shape[0]):
            for slot in range(g.mobs.shape[2]):
                _empty(g.mobs[kind, level, slot])
        for shooter in range(g.shots.shape[0]):
            for slot in range(g.shots.shape[2]):
                shot = g.shots[shooter, level, slot]
                _empty(shot)
                shot.drow = shot.dcol = 1


@inner
def _empty(mob):
    mob.row = mob.col = mob.cooldown = 0
    mob.health = 1
    mob.alive = mob.type = 0


@compiled
def make_floors(games, which, tables, grounds):
    """Makes the floors of some games that are not made yet.

    Args:
      games: The games.
      which: Numbers of the games, int64 (n,).
      tables: Numbers of the rules, in an array of one.
      grounds: Room to make them in, likewise.
    """
    for place in range(len(which)):
        g = games[which[place]]
        for level in range(len(g.made)):
            worldgen.make(g, tables[0], grounds[0], level)
