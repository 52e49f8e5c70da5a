"""Start of an episode, in a new world or a copy of one in a pool."""

from __future__ import annotations

import numpy as np

from crafter.compiled import pcg64
from crafter.compiled.jit import compiled, inner
from crafter.compiled.random import episode_seed
from crafter.games.craftax.cpu import worldgen


@inner
def reset(games, b, rules, scratch, pool):
    """Starts the next episode of a game.

    Args:
      games: Records of all games.
      b: Index of the game.
      rules: The rules.
      scratch: Scratch for world generation.
      pool: Games at their start, one of which is copied; may be empty.
    """
    g = games[b]
    g.episode += 1
    if len(pool):
        _copy_world(games, b, scratch, pool)
    else:
        _begin(g, rules, scratch)


@inner
def _copy_world(games, b, scratch, pool):
    """Starts in a world of a pool, picked by a separate stream that the game keeps."""
    g = games[b]
    seed, episode = g.seed_hash, g.episode
    pcg64.seed(g, episode_seed(seed, episode), 2**32 - 1)
    number = np.int64(np.float64(pcg64.uniform(g)) * len(pool))
    worldgen.copy_stream(scratch, g)
    games[b] = pool[number]
    g = games[b]
    g.seed_hash, g.episode, g.world = seed, episode, number
    worldgen.copy_stream(g, scratch)


@inner
def _begin(g, rules, scratch):
    g.world = -1
    worldgen.draw(g, rules, scratch)
    g.step = g.start = g.timestep = 0
    g.ended = False
    g.action = 0
    g.light_level = rules.day[0]
    g.boss_progress, g.boss_timer = 0, rules.boss_wave_steps
    _reset_player(g, rules)
    for level in range(len(g.monsters_killed)):
        g.monsters_killed[level] = rules.killed_at_start if level == 0 else 0
        g.chest_opened[level] = 0
    _clear(g)
    worldgen.make(g, rules, scratch, 0)


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
    g.learned_spells[:] = 0
    g.enchantments[:] = 0
    g.armour_enchantments[:] = 0
    g.achievements[:] = 0


@inner
def _clear(g):
    """Empties all slots."""
    for i in range(len(g.plants)):
        plant = g.plants[i]
        plant.row = plant.col = plant.age = plant.growing = 0
    for level in range(g.mobs.shape[1]):
        for kind in range(g.mobs.shape[0]):
            for slot in range(g.mobs.shape[2]):
                mob = g.mobs[kind, level, slot]
                mob.row = mob.col = mob.cooldown = 0
                mob.health = 1
                mob.alive = mob.type = 0
        for shooter in range(g.shots.shape[0]):
            for slot in range(g.shots.shape[2]):
                shot = g.shots[shooter, level, slot]
                shot.row = shot.col = shot.alive = shot.type = 0
                shot.drow = shot.dcol = 1


@compiled
def fill_pool(pool, tables, scratches):
    """Starts the next episode of each game of a pool, and generates all its floors."""
    for number in range(len(pool)):
        g = pool[number]
        g.episode += 1
        _begin(g, tables[0], scratches[0])
        for level in range(len(g.made)):
            worldgen.make(g, tables[0], scratches[0], level)


@compiled
def make_floors(games, indices, tables, scratches):
    """Generates the missing floors of some games.

    Args:
      games: Records of all games.
      indices: Indices of the games, int64 (n,).
      tables: Parameters of the rules, an array of one record.
      scratches: Scratch for world generation, likewise.
    """
    for place in range(len(indices)):
        g = games[indices[place]]
        for level in range(len(g.made)):
            worldgen.make(g, tables[0], scratches[0], level)
