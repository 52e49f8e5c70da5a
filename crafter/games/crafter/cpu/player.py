"""The player's update: the action, then hunger, thirst, fatigue and health."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.compiled.random import uniform
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import world

_ITEMS = len(t.ITEMS)
_NEEDS = (t.FOOD, t.DRINK, t.ENERGY)
_SLEEP_ACTION = t.ACTION["sleep"]
_WAKE_UP = t.ACHIEVEMENT["wake_up"]


@inner
def update(g, rules):
    """Carries out the action, then updates the body.

    Args:
      g: State of the game.
      rules: Parameters of the rules.
    """
    facing = g.object_facing[0]
    x = g.object_x[0] + t.DIRECTIONS[facing, 0]
    y = g.object_y[0] + t.DIRECTIONS[facing, 1]
    _wake_up_when_rested(g, rules)
    verb, argument = t.ACTION_VERB[g.action], t.ACTION_ARGUMENT[g.action]
    if verb == t.MOVE:
        _move(g, rules, argument)
    elif verb == t.DO:
        if world.inside(g, x, y):
            _do(g, rules, x, y)
    elif verb == t.SLEEP:
        if g.inventory[t.ENERGY] < rules.limits[t.ENERGY]:
            g.sleeping = True
    elif verb == t.PLACE:
        if world.inside(g, x, y):
            _place(g, rules, argument, x, y)
    elif verb == t.MAKE:
        _make(g, rules, argument)
    _update_life_counters(g, rules)
    _update_health(g, rules)
    for item in range(_ITEMS):
        g.inventory[item] = max(0, min(g.inventory[item], rules.limits[item]))
    if g.inventory[t.HEALTH] < g.last_health:
        g.sleeping = False
    g.last_health = g.inventory[t.HEALTH]


@inner
def _wake_up_when_rested(g, rules):
    if not g.sleeping:
        return
    if g.inventory[t.ENERGY] < rules.limits[t.ENERGY]:
        g.action = _SLEEP_ACTION
    else:
        g.sleeping = False
        g.achievements[_WAKE_UP] += 1


@inner
def _move(g, rules, direction):
    g.object_facing[0] = direction
    world.move(g, rules, 0, t.DIRECTIONS[direction, 0], t.DIRECTIONS[direction, 1])
    if rules.deadly[g.materials[g.object_x[0], g.object_y[0]]]:
        g.inventory[t.HEALTH] = 0


@inner
def _do(g, rules, x, y):
    slot = g.occupants[x, y] - 1
    if slot >= 0:
        _do_object(g, rules, slot)
    else:
        _do_material(g, rules, x, y)


@inner
def _do_object(g, rules, i):
    kind = g.object_kind[i]
    if rules.do_verb[kind] == t.STRIKE:
        if _strike(g, rules, i):
            _profit(g, rules, kind)
    elif rules.do_verb[kind] == t.EAT and g.object_counter[i] > rules.plant_ripe:
        g.object_counter[i] = 0
        _profit(g, rules, kind)


@inner
def _profit(g, rules, kind):
    """Gives the food and achievement of a defeated creature or an eaten plant."""
    g.inventory[t.FOOD] += rules.do_food[kind]
    if rules.do_achievement[kind] >= 0:
        g.achievements[rules.do_achievement[kind]] += 1
    _reset(g, rules.do_resets[kind])


@inner
def _reset(g, counters):
    """Zeroes body counters; `counters` is a mask in the order of `tables.COUNTERS`."""
    if counters[0]:
        g.hunger = 0
    if counters[1]:
        g.thirst = 0
    if counters[2]:
        g.fatigue = 0
    if counters[3]:
        g.recover = 0


@inner
def _strike(g, rules, i):
    """Damages a creature; returns whether its health is 0 now."""
    damage = rules.unarmed
    for item in range(_ITEMS):
        if g.inventory[item] > 0:
            damage = max(damage, rules.damage[item])
    g.object_health[i] = max(0, g.object_health[i] - damage)
    return g.object_health[i] <= 0


@inner
def _do_material(g, rules, x, y):
    material = g.materials[x, y]
    if not can_collect(g, rules, material):
        return
    world.set_material(g, x, y, rules.collect_leaves[material])
    _reset(g, rules.collect_resets[material])
    # Drawn even if the chance is 1.
    if uniform(g) > rules.collect_chance[material]:
        return
    for item in range(_ITEMS):
        if rules.collect_counts[material, item]:
            g.inventory[item] += rules.collect_gives[material, item]
            if t.COLLECT_ACHIEVEMENT[item] >= 0:
                g.achievements[t.COLLECT_ACHIEVEMENT[item]] += 1


@inner
def can_collect(g, rules, material):
    """Returns whether the player can collect a material."""
    return rules.collects[material] and _has(g, rules.collect_needs[material])


@inner
def _has(g, needs):
    for item in range(_ITEMS):
        if g.inventory[item] < needs[item]:
            return False
    return True


@inner
def _use(g, needs):
    for item in range(_ITEMS):
        g.inventory[item] -= needs[item]


@inner
def _place(g, rules, recipe, x, y):
    if not can_place(g, rules, recipe, x, y):
        return
    _use(g, rules.place_uses[recipe])
    if t.PLACE_MATERIAL[recipe]:
        world.set_material(g, x, y, t.PLACE_MATERIAL[recipe])
    else:
        world.add(g, t.PLANT, x, y, rules.plant_health, -1)
    g.achievements[t.PLACE_ACHIEVEMENT[recipe]] += 1


@inner
def can_place(g, rules, recipe, x, y):
    """Returns whether the player can place something in a cell of the map."""
    if g.occupants[x, y] != 0 or not rules.place_where[recipe, g.materials[x, y]]:
        return False
    return _has(g, rules.place_uses[recipe])


@inner
def can_make(g, rules, recipe):
    """Returns whether the player can craft a recipe."""
    for material in range(t.MATERIALS):
        if rules.make_nearby[recipe, material] and not _is_near(g, rules, material):
            return False
    return _has(g, rules.make_uses[recipe])


@inner
def _make(g, rules, recipe):
    if not can_make(g, rules, recipe):
        return
    _use(g, rules.make_uses[recipe])
    g.inventory[t.MAKE_ITEM[recipe]] += rules.make_gives[recipe]
    g.achievements[t.MAKE_ACHIEVEMENT[recipe]] += 1


@inner
def _is_near(g, rules, material):
    """Returns whether a material is nearby; see `World.nearby` for map edges."""
    width, height = g.materials.shape[0], g.materials.shape[1]
    x, y = g.object_x[0], g.object_y[0]
    left, top = x - rules.nearby, y - rules.nearby
    if left < 0:
        left = max(0, left + width)
    if top < 0:
        top = max(0, top + height)
    for nx in range(left, min(x + rules.nearby + 1, width)):
        for ny in range(top, min(y + rules.nearby + 1, height)):
            if g.materials[nx, ny] == material:
                return True
    return False


@inner
def _update_life_counters(g, rules):
    asleep = g.sleeping
    g.hunger += rules.hunger_asleep if asleep else rules.hunger_awake
    g.hunger = _used_up(g, t.FOOD, g.hunger, rules.hunger_limit)
    g.thirst += rules.thirst_asleep if asleep else rules.thirst_awake
    g.thirst = _used_up(g, t.DRINK, g.thirst, rules.thirst_limit)
    if asleep:
        g.fatigue = min(g.fatigue + rules.fatigue_asleep, 0.0)
    else:
        g.fatigue += rules.fatigue_awake
    if g.fatigue < rules.fatigue_rested:
        g.fatigue = 0
        g.inventory[t.ENERGY] += 1
    g.fatigue = _used_up(g, t.ENERGY, g.fatigue, rules.fatigue_limit)


@inner
def _used_up(g, item, counter, limit):
    """Uses up one of an item if a counter exceeds its limit; returns the counter."""
    if counter > limit:
        g.inventory[item] -= 1
        return 0.0
    return counter


@inner
def _update_health(g, rules):
    asleep, lacking = g.sleeping, False
    for need in range(len(_NEEDS)):
        needed = rules.recover_needs[int(asleep), need] != 0
        lacking |= needed and g.inventory[_NEEDS[need]] <= 0
    if lacking and asleep:
        g.recover += rules.recover_lacking_asleep
    elif lacking:
        g.recover += rules.recover_lacking_awake
    else:
        g.recover += rules.recover_asleep if asleep else rules.recover_awake
    if g.recover > rules.recover_gain:
        g.recover = 0
        g.inventory[t.HEALTH] += 1
    if g.recover < rules.recover_loss:
        g.recover = 0
        g.inventory[t.HEALTH] = max(0, g.inventory[t.HEALTH] - 1)
