"""The updates of cows, zombies, skeletons, arrows and plants."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.compiled.random import below, uniform
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import world

_COW, _ZOMBIE, _SKELETON = t.KIND["cow"], t.KIND["zombie"], t.KIND["skeleton"]
_ARROW, _PLANT = t.KIND["arrow"], t.KIND["plant"]
_DIRECTIONS = t.DIRECTIONS
_LEFT, _RIGHT, _UP, _DOWN = t.LEFT, t.RIGHT, t.UP, t.DOWN
_HEALTH = t.HEALTH
_COW_MOVES: float = t.RULES.creatures["cow"]["move_chance"]
_Z = t.RULES.creatures["zombie"]
_Z_SIGHT, _Z_REACH, _Z_COOLDOWN = _Z["sight"], _Z["reach"], _Z["cooldown"]
_Z_DAMAGE, _Z_DAMAGE_ASLEEP = _Z["damage"], _Z["damage_asleep"]
_Z_CHASE, _Z_LONG = _Z["chase_chance"], _Z["long_axis_chance"]
_S = t.RULES.creatures["skeleton"]
_S_RETREAT, _S_SHOOT, _S_SIGHT = (
    _S["retreat_distance"],
    _S["shoot_distance"],
    _S["sight"],
)
_S_SHOOT_CHANCE, _S_CHASE, _S_LONG = (
    _S["shoot_chance"],
    _S["chase_chance"],
    _S["long_axis_chance"],
)
_S_WANDER, _S_RELOAD = _S["wander_chance"], _S["reload"]
_A = t.RULES.creatures["arrow"]
_A_DAMAGE, _A_HEALTH = _A["damage"], _A["health"]
_A_LEAVES: int = t.MATERIAL[_A["leaves"]]
_A_DESTROYS = tuple(
    name in _A["destroys"] for name in t.RULES.semantic_names[: t.MATERIALS]
)
_P = t.RULES.creatures["plant"]
_P_DAMAGE: int = _P["damage"]
_P_ENEMIES = tuple(name in _P["enemies"] for name in t.RULES.semantic_names)


@inner
def update(g, i):
    """Lets the object in slot i act."""
    kind = g.object_kind[i]
    if kind == _COW:
        _update_cow(g, i)
    elif kind == _ZOMBIE:
        _update_zombie(g, i)
    elif kind == _SKELETON:
        _update_skeleton(g, i)
    elif kind == _ARROW:
        _update_arrow(g, i)
    elif kind == _PLANT:
        _update_plant(g, i)


@inner
def _remove_if_dead(g, i):
    if g.object_health[i] <= 0:
        world.remove(g, i)


@inner
def _move_randomly(g, i):
    k = below(g, 4)
    world.move(g, i, _DIRECTIONS[k, 0], _DIRECTIONS[k, 1])


@inner
def _toward(g, i, long_axis):
    """Returns the step (dx, dy) toward the player along one axis."""
    dx = g.object_x[0] - g.object_x[i]
    dy = g.object_y[0] - g.object_y[i]
    if (abs(dx) > abs(dy)) == long_axis:
        return int(dx > 0) - int(dx < 0), 0
    return 0, int(dy > 0) - int(dy < 0)


@inner
def _update_cow(g, i):
    _remove_if_dead(g, i)
    if uniform(g) < _COW_MOVES:
        _move_randomly(g, i)


@inner
def _update_zombie(g, i):
    _remove_if_dead(g, i)
    if world.distance(g, i) <= _Z_SIGHT and uniform(g) < _Z_CHASE:
        dx, dy = _toward(g, i, uniform(g) < _Z_LONG)
        world.move(g, i, dx, dy)
    else:
        _move_randomly(g, i)
    if world.distance(g, i) > _Z_REACH:
        return
    if g.object_counter[i] > 0:
        g.object_counter[i] -= 1
        return
    damage = _Z_DAMAGE_ASLEEP if g.sleeping else _Z_DAMAGE
    g.inventory[_HEALTH] = max(0, g.inventory[_HEALTH] - damage)
    g.object_counter[i] = _Z_COOLDOWN


@inner
def _update_skeleton(g, i):
    _remove_if_dead(g, i)
    g.object_counter[i] = max(0, g.object_counter[i] - 1)
    distance = world.distance(g, i)
    if distance <= _S_RETREAT:
        dx, dy = _toward(g, i, uniform(g) < _S_LONG)
        if world.move(g, i, -dx, -dy):
            return
    if distance <= _S_SHOOT and uniform(g) < _S_SHOOT_CHANCE:
        _shoot(g, i)
    elif distance <= _S_SIGHT and uniform(g) < _S_CHASE:
        dx, dy = _toward(g, i, uniform(g) < _S_LONG)
        world.move(g, i, dx, dy)
    elif uniform(g) < _S_WANDER:
        _move_randomly(g, i)


@inner
def _shoot(g, i):
    dx, dy = _toward(g, i, True)
    if g.object_counter[i] > 0 or (dx == 0 and dy == 0):
        return
    x, y = g.object_x[i] + dx, g.object_y[i] + dy
    if world.is_free(g, _ARROW, x, y):
        if dx:
            facing = _RIGHT if dx > 0 else _LEFT
        else:
            facing = _DOWN if dy > 0 else _UP
        world.add(g, _ARROW, x, y, _A_HEALTH, facing)
        g.object_counter[i] = _S_RELOAD


@inner
def _update_arrow(g, i):
    facing = g.object_facing[i]
    dx, dy = _DIRECTIONS[facing, 0], _DIRECTIONS[facing, 1]
    x, y = g.object_x[i] + dx, g.object_y[i] + dy
    if not world.inside(g, x, y):
        world.remove(g, i)
        return
    hit = g.occupants[x, y] - 1
    if hit == 0:
        g.inventory[_HEALTH] = max(0, g.inventory[_HEALTH] - _A_DAMAGE)
        world.remove(g, i)
    elif hit > 0:
        g.object_health[hit] = max(0, g.object_health[hit] - _A_DAMAGE)
        world.remove(g, i)
    elif not world.move(g, i, dx, dy):
        world.remove(g, i)
        if _A_DESTROYS[g.materials[x, y]]:
            world.set_material(g, x, y, _A_LEAVES)


@inner
def _update_plant(g, i):
    g.object_counter[i] += 1
    for k in range(4):
        x = g.object_x[i] + _DIRECTIONS[k, 0]
        y = g.object_y[i] + _DIRECTIONS[k, 1]
        if not world.inside(g, x, y):
            continue
        other = g.occupants[x, y] - 1
        if other >= 0 and _P_ENEMIES[g.object_kind[other]]:
            g.object_health[i] = max(0, g.object_health[i] - _P_DAMAGE)
            break
    _remove_if_dead(g, i)
