"""The order of a step."""

from __future__ import annotations

import math

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import actions, body, boss, creatures, spawning, world
from crafter.games.craftax.cpu.player import achieve, single

_PI = float(np.float32(math.pi))


@inner
def step(g, rules, d, action, unlocked):
    """Plays one step; draws nothing.

    Args:
      g: The game.
      rules: The rules.
      d: The random values of the step, and room to make a floor in.
      action: Number of the action.
      unlocked: Set to the achievements of this step, uint8.

    Returns:
      The reward.
    """
    for number in range(len(unlocked)):
        unlocked[number] = 0
    health, g.gained = g.health, 0.0
    if g.sleeping or g.resting:
        action = 0
    g.action = action
    g.step += 1
    verb, what = rules.verb[action], rules.what[action]
    climbs = actions.climbs(verb)
    if climbs:
        actions.act(g, rules, d, unlocked, verb, what)
    _enter_floor(g, rules, unlocked)
    if not climbs:
        actions.act(g, rules, d, unlocked, verb, what)
    boss.update(g, rules, unlocked)
    creatures.update(g, rules, d, unlocked)
    spawning.update(g, rules, d)
    _grow_plants(g, rules)
    body.update_rest(g, rules, unlocked, verb)
    body.update_counters(g, rules)
    body.limit(g, rules)
    body.achieve_possessions(g, rules, unlocked)
    g.timestep += 1
    g.light_level = daylight(g.timestep, rules)
    change = single(g.health - health)
    return single(g.gained + change * rules.reward_health)


@inner
def is_over(g, rules):
    """Returns whether the player died or beat the boss."""
    return g.health <= 0 or g.boss_progress >= rules.boss_hits


@inner
def _enter_floor(g, rules, unlocked):
    """Rewards the player for being on a floor for the first time."""
    number = rules.floor_achievement[g.level]
    if number >= 0 and not g.achievements[number]:
        achieve(g, rules, unlocked, number)
        g.xp += 1


@inner
def _grow_plants(g, rules):
    """Lets all plants of the overworld grow by a step."""
    for i in range(len(g.plants)):
        plant = g.plants[i]
        plant.age = plant.age + 1 if plant.growing else 0
        if plant.growing and plant.age >= rules.ripe_age:
            world.set_block(g, rules, 0, plant.row, plant.col, rules.ripe_plant)


@inner
def daylight(timestep, rules):
    """Returns the brightness; see `crafter.games.craftax.game.daylight`."""
    if timestep < len(rules.day):
        return rules.day[timestep]
    turns = single(timestep * single(1 / rules.day_length))
    progress = single(turns % 1 + single(rules.day_start))
    wave = single(abs(math.cos(single(_PI * progress))))
    return single(1 - single(wave * wave) * wave)
