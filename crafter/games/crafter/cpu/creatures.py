"""Updates of cows, zombies, skeletons, arrows and plants."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.compiled.random import below, uniform
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import world


@inner
def update(g, rules, i):
    """Updates the object in slot i."""
    kind = g.object_kind[i]
    if kind == t.COW:
        _update_cow(g, rules, i)
    elif kind == t.ZOMBIE:
        _update_zombie(g, rules, i)
    elif kind == t.SKELETON:
        _update_skeleton(g, rules, i)
    elif kind == t.ARROW:
        _update_arrow(g, rules, i)
    elif kind == t.PLANT:
        _update_plant(g, rules, i)


@inner
def _remove_if_dead(g, i):
    if g.object_health[i] <= 0:
        world.remove(g, i)


@inner
def _move_randomly(g, rules, i):
    k = below(g, 4)
    world.move(g, rules, i, t.DIRECTIONS[k, 0], t.DIRECTIONS[k, 1])


@inner
def _toward(g, i, long_axis):
    """Returns the step (dx, dy) toward the player along one axis."""
    dx = g.object_x[0] - g.object_x[i]
    dy = g.object_y[0] - g.object_y[i]
    if (abs(dx) > abs(dy)) == long_axis:
        return int(dx > 0) - int(dx < 0), 0
    return 0, int(dy > 0) - int(dy < 0)


@inner
def _update_cow(g, rules, i):
    _remove_if_dead(g, i)
    if uniform(g) < rules.cow_move_chance:
        _move_randomly(g, rules, i)


@inner
def _update_zombie(g, rules, i):
    _remove_if_dead(g, i)
    if (
        world.distance(g, i) <= rules.zombie_sight
        and uniform(g) < rules.zombie_chase_chance
    ):
        dx, dy = _toward(g, i, uniform(g) < rules.zombie_long_axis_chance)
        world.move(g, rules, i, dx, dy)
    else:
        _move_randomly(g, rules, i)
    if world.distance(g, i) > rules.zombie_reach:
        return
    if g.object_counter[i] > 0:
        g.object_counter[i] -= 1
        return
    damage = rules.zombie_damage_asleep if g.sleeping else rules.zombie_damage
    g.inventory[t.HEALTH] = max(0, g.inventory[t.HEALTH] - damage)
    g.object_counter[i] = rules.zombie_cooldown


@inner
def _update_skeleton(g, rules, i):
    _remove_if_dead(g, i)
    g.object_counter[i] = max(0, g.object_counter[i] - 1)
    distance = world.distance(g, i)
    if distance <= rules.skeleton_retreat_distance:
        dx, dy = _toward(g, i, uniform(g) < rules.skeleton_long_axis_chance)
        if world.move(g, rules, i, -dx, -dy):
            return
    if (
        distance <= rules.skeleton_shoot_distance
        and uniform(g) < rules.skeleton_shoot_chance
    ):
        _shoot(g, rules, i)
    elif distance <= rules.skeleton_sight and uniform(g) < rules.skeleton_chase_chance:
        dx, dy = _toward(g, i, uniform(g) < rules.skeleton_long_axis_chance)
        world.move(g, rules, i, dx, dy)
    elif uniform(g) < rules.skeleton_wander_chance:
        _move_randomly(g, rules, i)


@inner
def _shoot(g, rules, i):
    dx, dy = _toward(g, i, True)
    if g.object_counter[i] > 0 or (dx == 0 and dy == 0):
        return
    x, y = g.object_x[i] + dx, g.object_y[i] + dy
    if world.is_free(g, rules, t.ARROW, x, y):
        if dx:
            facing = t.RIGHT if dx > 0 else t.LEFT
        else:
            facing = t.DOWN if dy > 0 else t.UP
        world.add(g, t.ARROW, x, y, rules.arrow_health, facing)
        g.object_counter[i] = rules.skeleton_reload


@inner
def _update_arrow(g, rules, i):
    facing = g.object_facing[i]
    dx, dy = t.DIRECTIONS[facing, 0], t.DIRECTIONS[facing, 1]
    x, y = g.object_x[i] + dx, g.object_y[i] + dy
    if not world.inside(g, x, y):
        world.remove(g, i)
        return
    hit = g.occupants[x, y] - 1
    if hit == 0:
        g.inventory[t.HEALTH] = max(0, g.inventory[t.HEALTH] - rules.arrow_damage)
        world.remove(g, i)
    elif hit > 0:
        g.object_health[hit] = max(0, g.object_health[hit] - rules.arrow_damage)
        world.remove(g, i)
    elif not world.move(g, rules, i, dx, dy):
        world.remove(g, i)
        if rules.arrow_destroys[g.materials[x, y]]:
            world.set_material(g, x, y, rules.arrow_leaves)


@inner
def _update_plant(g, rules, i):
    g.object_counter[i] += 1
    for k in range(4):
        x = g.object_x[i] + t.DIRECTIONS[k, 0]
        y = g.object_y[i] + t.DIRECTIONS[k, 1]
        if not world.inside(g, x, y):
            continue
        other = g.occupants[x, y] - 1
        if other >= 0 and rules.plant_enemies[g.object_kind[other]]:
            g.object_health[i] = max(0, g.object_health[i] - rules.plant_damage)
            break
    _remove_if_dead(g, i)
