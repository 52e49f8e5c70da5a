"""The player's update: act, then live."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.compiled.random import uniform
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import world

_NOOP, _MOVE, _DO, _SLEEP, _PLACE, _MAKE = range(6)
_VERB, _ARGUMENT = t.ACTION_VERB, t.ACTION_ARGUMENT
_DIRECTIONS = t.DIRECTIONS
_PLANT = t.KIND["plant"]
_DEADLY = t.DEADLY
_ITEMS = len(t.ITEMS)
_HEALTH, _FOOD, _DRINK, _ENERGY = t.HEALTH, t.FOOD, t.DRINK, t.ENERGY
_COLLECTS, _COLLECT_NEEDS, _COLLECT_GIVES = t.COLLECTS, t.COLLECT_NEEDS, t.COLLECT_GIVES
_COLLECT_CHANCE, _COLLECT_LEAVES = t.COLLECT_CHANCE, t.COLLECT_LEAVES
_COLLECT_ACHIEVEMENT, _COLLECT_RESETS = t.COLLECT_ACHIEVEMENT, t.COLLECT_RESETS
_STRIKE, _EAT, _DO_VERB = t.STRIKE, t.EAT, t.DO_VERB
_DO_FOOD, _DO_ACHIEVEMENT, _DO_RESETS = t.DO_FOOD, t.DO_ACHIEVEMENT, t.DO_RESETS
_PLACE_USES, _PLACE_WHERE, _PLACE_MATERIAL = (
    t.PLACE_USES,
    t.PLACE_WHERE,
    t.PLACE_MATERIAL,
)
_PLACE_ACHIEVEMENT = t.PLACE_ACHIEVEMENT
_MAKE_USES, _MAKE_NEARBY, _MAKE_GIVES = t.MAKE_USES, t.MAKE_NEARBY, t.MAKE_GIVES
_MAKE_ITEM, _MAKE_ACHIEVEMENT = t.MAKE_ITEM, t.MAKE_ACHIEVEMENT
_MATERIALS = t.MATERIALS
_DAMAGE, _UNARMED = t.DAMAGE, t.UNARMED
_SLEEP_ACTION = t.ACTION["sleep"]
_WAKE_UP = t.ACHIEVEMENT["wake_up"]
_REACH: int = t.RULES.world["nearby"]
_PLANT_HEALTH: int = t.RULES.creatures["plant"]["health"]
_RIPE: int = t.RULES.creatures["plant"]["ripe"]
_HUNGER, _THIRST = t.RULES.life["hunger"], t.RULES.life["thirst"]
_HUNGER_AWAKE, _HUNGER_ASLEEP = float(_HUNGER["awake"]), float(_HUNGER["asleep"])
_HUNGER_LIMIT: int = _HUNGER["limit"]
_THIRST_AWAKE, _THIRST_ASLEEP = float(_THIRST["awake"]), float(_THIRST["asleep"])
_THIRST_LIMIT: int = _THIRST["limit"]
_FATIGUE = t.RULES.life["fatigue"]
_FATIGUE_AWAKE, _FATIGUE_ASLEEP = float(_FATIGUE["awake"]), float(_FATIGUE["asleep"])
_FATIGUE_LIMIT: int = _FATIGUE["limit"]
_RESTED: int = _FATIGUE["rested"]
_RECOVER = t.RULES.life["recover"]
_RECOVER_AWAKE, _RECOVER_ASLEEP = float(_RECOVER["awake"]), float(_RECOVER["asleep"])
_LACKING_AWAKE = float(_RECOVER["lacking_awake"])
_LACKING_ASLEEP = float(_RECOVER["lacking_asleep"])
_RECOVER_GAIN: int = _RECOVER["gain"]
_RECOVER_LOSS: int = _RECOVER["loss"]
_NEEDS_FOOD, _NEEDS_DRINK, _NEEDS_ENERGY = map(tuple, t.RECOVER_NEEDS.T.tolist())


@inner
def update(g, limits):
    """Carries out the action, then lets life go on.

    Args:
      g: State of the game.
      limits: Maximum of every item, int32.
    """
    facing = g.object_facing[0]
    x = g.object_x[0] + _DIRECTIONS[facing, 0]
    y = g.object_y[0] + _DIRECTIONS[facing, 1]
    _wake_up_when_rested(g, limits)
    verb, argument = _VERB[g.action], _ARGUMENT[g.action]
    if verb == _MOVE:
        _move(g, argument)
    elif verb == _DO:
        if world.inside(g, x, y):
            _do(g, x, y)
    elif verb == _SLEEP:
        if g.inventory[_ENERGY] < limits[_ENERGY]:
            g.sleeping = True
    elif verb == _PLACE:
        if world.inside(g, x, y):
            _place(g, argument, x, y)
    elif verb == _MAKE:
        _make(g, argument)
    _update_life_counters(g)
    _update_health(g)
    for item in range(_ITEMS):
        g.inventory[item] = max(0, min(g.inventory[item], limits[item]))
    if g.inventory[_HEALTH] < g.last_health:
        g.sleeping = False
    g.last_health = g.inventory[_HEALTH]


@inner
def _wake_up_when_rested(g, limits):
    if not g.sleeping:
        return
    if g.inventory[_ENERGY] < limits[_ENERGY]:
        g.action = _SLEEP_ACTION
    else:
        g.sleeping = False
        g.achievements[_WAKE_UP] += 1


@inner
def _move(g, direction):
    g.object_facing[0] = direction
    world.move(g, 0, _DIRECTIONS[direction, 0], _DIRECTIONS[direction, 1])
    if _DEADLY[g.materials[g.object_x[0], g.object_y[0]]]:
        g.inventory[_HEALTH] = 0


@inner
def _do(g, x, y):
    slot = g.occupants[x, y] - 1
    if slot >= 0:
        _do_object(g, slot)
    else:
        _do_material(g, x, y)


@inner
def _do_object(g, i):
    kind = g.object_kind[i]
    if _DO_VERB[kind] == _STRIKE:
        if _strike(g, i):
            _profit(g, kind)
    elif _DO_VERB[kind] == _EAT and g.object_counter[i] > _RIPE:
        g.object_counter[i] = 0
        _profit(g, kind)


@inner
def _profit(g, kind):
    """Gives what a creature defeated or a plant eaten promises."""
    g.inventory[_FOOD] += _DO_FOOD[kind]
    if _DO_ACHIEVEMENT[kind] >= 0:
        g.achievements[_DO_ACHIEVEMENT[kind]] += 1
    _reset(g, _DO_RESETS[kind])


@inner
def _reset(g, counters):
    """Lets counters of the body start again, `counters` by `tables.COUNTERS`."""
    if counters[0]:
        g.hunger = 0
    if counters[1]:
        g.thirst = 0
    if counters[2]:
        g.fatigue = 0
    if counters[3]:
        g.recover = 0


@inner
def _strike(g, i):
    """Damages a creature; returns whether its health is 0 now."""
    damage = _UNARMED
    for item in range(_ITEMS):
        if g.inventory[item] > 0:
            damage = max(damage, _DAMAGE[item])
    g.object_health[i] = max(0, g.object_health[i] - damage)
    return g.object_health[i] <= 0


@inner
def _do_material(g, x, y):
    material = g.materials[x, y]
    if not _COLLECTS[material] or not _has(g, _COLLECT_NEEDS[material]):
        return
    world.set_material(g, x, y, _COLLECT_LEAVES[material])
    _reset(g, _COLLECT_RESETS[material])
    # Drawn even where the chance is 1.
    if uniform(g) > _COLLECT_CHANCE[material]:
        return
    for item in range(_ITEMS):
        amount = _COLLECT_GIVES[material, item]
        if amount:
            g.inventory[item] += amount
            g.achievements[_COLLECT_ACHIEVEMENT[item]] += 1


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
def _place(g, recipe, x, y):
    if g.occupants[x, y] != 0:
        return
    if not _PLACE_WHERE[recipe, g.materials[x, y]]:
        return
    if not _has(g, _PLACE_USES[recipe]):
        return
    _use(g, _PLACE_USES[recipe])
    if _PLACE_MATERIAL[recipe]:
        world.set_material(g, x, y, _PLACE_MATERIAL[recipe])
    else:
        world.add(g, _PLANT, x, y, _PLANT_HEALTH, -1)
    g.achievements[_PLACE_ACHIEVEMENT[recipe]] += 1


@inner
def _make(g, recipe):
    for material in range(_MATERIALS):
        if _MAKE_NEARBY[recipe, material] and not _is_near(g, material):
            return
    if not _has(g, _MAKE_USES[recipe]):
        return
    _use(g, _MAKE_USES[recipe])
    g.inventory[_MAKE_ITEM[recipe]] += _MAKE_GIVES[recipe]
    g.achievements[_MAKE_ACHIEVEMENT[recipe]] += 1


@inner
def _is_near(g, material):
    """Returns whether a material is in reach; see `World.nearby` for the edges."""
    width, height = g.materials.shape[0], g.materials.shape[1]
    x, y = g.object_x[0], g.object_y[0]
    left, top = x - _REACH, y - _REACH
    if left < 0:
        left = max(0, left + width)
    if top < 0:
        top = max(0, top + height)
    for nx in range(left, min(x + _REACH + 1, width)):
        for ny in range(top, min(y + _REACH + 1, height)):
            if g.materials[nx, ny] == material:
                return True
    return False


@inner
def _update_life_counters(g):
    asleep = g.sleeping
    g.hunger += _HUNGER_ASLEEP if asleep else _HUNGER_AWAKE
    if g.hunger > _HUNGER_LIMIT:
        g.hunger = 0
        g.inventory[_FOOD] -= 1
    g.thirst += _THIRST_ASLEEP if asleep else _THIRST_AWAKE
    if g.thirst > _THIRST_LIMIT:
        g.thirst = 0
        g.inventory[_DRINK] -= 1
    if asleep:
        g.fatigue = min(g.fatigue + _FATIGUE_ASLEEP, 0.0)
    else:
        g.fatigue += _FATIGUE_AWAKE
    if g.fatigue < _RESTED:
        g.fatigue = 0
        g.inventory[_ENERGY] += 1
    if g.fatigue > _FATIGUE_LIMIT:
        g.fatigue = 0
        g.inventory[_ENERGY] -= 1


@inner
def _update_health(g):
    asleep = g.sleeping
    pace = int(asleep)
    fed = g.inventory[_FOOD] > 0 or not _NEEDS_FOOD[pace]
    watered = g.inventory[_DRINK] > 0 or not _NEEDS_DRINK[pace]
    if fed and watered and (g.inventory[_ENERGY] > 0 or not _NEEDS_ENERGY[pace]):
        g.recover += _RECOVER_ASLEEP if asleep else _RECOVER_AWAKE
    else:
        g.recover += _LACKING_ASLEEP if asleep else _LACKING_AWAKE
    if g.recover > _RECOVER_GAIN:
        g.recover = 0
        g.inventory[_HEALTH] += 1
    if g.recover < _RECOVER_LOSS:
        g.recover = 0
        g.inventory[_HEALTH] = max(0, g.inventory[_HEALTH] - 1)
