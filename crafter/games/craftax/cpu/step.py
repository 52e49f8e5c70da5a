"""One step of one game: the order of updates."""

from __future__ import annotations

import math

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import actions, body, boss, creatures, spawning, world
from crafter.games.craftax.cpu.draws import draw
from crafter.games.craftax.cpu.player import achieve, single

_PI = float(np.float32(math.pi))


@inner
def step(g, rules, scratch, action, last):
    """Plays one step: one tick of the clock, or more with `collapse`.

    Args:
      g: The game.
      rules: The rules.
      scratch: Scratch for random values and world generation.
      action: Index of the action.
      last: Step limit, in ticks; a collapsed step ends there at the latest.

    Returns:
      The reward.
    """
    for number in range(len(g.unlocked)):
        g.unlocked[number] = 0
    health, armour, g.gained = g.health, _armour(g, rules), 0.0
    _tick(g, rules, scratch, action)
    while (
        rules.collapse
        and (g.sleeping or g.resting)
        and g.step < last
        and not is_over(g, rules)
    ):
        _tick(g, rules, scratch, 0)
    if not rules.armour_reward:
        return single(g.gained + single(g.health - health) * rules.reward_health)
    return -1.0 if g.health <= 0 else g.gained + (_armour(g, rules) - armour)


@inner
def _armour(g, rules):
    """Returns the sum of the tiers of the armour."""
    tiers = 0
    for piece in range(len(g.armour_enchantments)):
        tiers += g.items[rules.armour + piece]
    return tiers


@inner
def _tick(g, rules, scratch, action):
    draw(g, rules, scratch.draws)
    level = g.level
    if g.sleeping or g.resting:
        action = 0
    g.action = action
    g.step += 1
    verb, what = rules.verb[action], rules.what[action]
    climbs = actions.climbs(verb)
    if climbs:
        actions.act(g, rules, scratch, verb, what)
    if g.level != level or not rules.ladder_entry:
        _enter_floor(g, rules)
    if not climbs:
        actions.act(g, rules, scratch, verb, what)
    boss.update(g, rules)
    creatures.update(g, rules, scratch.draws)
    spawning.update(g, rules, scratch.draws)
    _grow_plants(g, rules)
    body.update_rest(g, rules, verb)
    body.update_counters(g, rules)
    body.limit(g, rules)
    body.achieve_possessions(g, rules)
    g.timestep += 1
    g.light_level = daylight(g.timestep, rules)


@inner
def is_over(g, rules):
    """Returns whether the player died or won."""
    won = g.boss_progress >= rules.boss_hits and not rules.endless
    return g.health <= 0 or won


@inner
def _enter_floor(g, rules):
    """Rewards the first visit to a floor."""
    number = rules.floor_achievement[g.level]
    if number >= 0 and not g.achievements[number]:
        achieve(g, rules, number)
        g.xp += 1


@inner
def _grow_plants(g, rules):
    """Grows the plants of the overworld by one step."""
    for i in range(len(g.plants)):
        plant = g.plants[i]
        plant.age = plant.age + 1 if plant.growing else 0
        if plant.growing and plant.age >= rules.ripe_age:
            world.set_block(g, rules, 0, plant.row, plant.col, rules.ripe_plant_block)


@inner
def daylight(timestep, rules):
    """Returns the daylight; see `crafter.games.craftax.game.daylight`."""
    if timestep < len(rules.day):
        return rules.day[timestep]
    turns = single(timestep * single(1 / rules.day_length))
    progress = single(turns % 1 + single(rules.day_start))
    wave = single(abs(math.cos(single(_PI * progress))))
    return single(1 - single(wave * wave) * wave)
