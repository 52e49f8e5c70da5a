"""Spawning and despawning of creatures in chunks."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.compiled.random import below, uniform
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import world

_CHUNK_X, _CHUNK_Y = t.CHUNK
_COUNT = len(t.BALANCE_KIND)


@inner
def balance(g, rules):
    """Spawns or despawns creatures in all existing chunks."""
    for rank in range(g.chunk_count):
        c = g.chunk_order[rank]
        for rule in range(_COUNT):
            number = g.chunk_population[c, t.BALANCE_KIND[rule]]
            low, high = _target(g, rules, rule, 0), _target(g, rules, rule, 1)
            space = g.chunk_space[c, rules.balance_material[rule]]
            if number < low and space >= rules.balance_space[rule]:
                if uniform(g) < rules.balance_spawn[rule, 1]:
                    _spawn(g, rules, c, rule, below(g, space))
            elif number > high and uniform(g) < rules.balance_despawn[rule, 1]:
                _despawn(g, rules, c, rule, below(g, number))
    world.sweep(g)


@inner
def _target(g, rules, rule, bound):
    constant = rules.balance_targets[rule, bound, 0]
    per_daylight = rules.balance_targets[rule, bound, 1]
    return int(constant + per_daylight * g.daylight)


@inner
def _spawn(g, rules, c, rule, pick):
    """Tries to spawn a creature on the chunk's cell number `pick` of its material."""
    xmin, ymin = world.chunk_corner(g, c)
    for x in range(xmin, min(xmin + _CHUNK_X, g.materials.shape[0])):
        for y in range(ymin, min(ymin + _CHUNK_Y, g.materials.shape[1])):
            if g.materials[x, y] != rules.balance_material[rule]:
                continue
            if pick > 0:
                pick -= 1
                continue
            far = abs(x - g.object_x[0]) + abs(y - g.object_y[0])
            if far >= rules.balance_spawn[rule, 0] and g.occupants[x, y] == 0:
                kind = t.BALANCE_KIND[rule]
                world.add(g, kind, x, y, rules.new_health[kind], -1)
            return


@inner
def _despawn(g, rules, c, rule, pick):
    """Despawns member number `pick` of a kind in the chunk, if far from the player."""
    after = -1
    chosen = -1
    for _ in range(pick + 1):
        chosen = -1
        for i in range(g.object_count):
            if g.object_kind[i] != t.BALANCE_KIND[rule] or g.object_joined[i] <= after:
                continue
            if world.chunk_number(g, g.object_x[i], g.object_y[i]) != c:
                continue
            if world.is_removed(g, i):
                continue
            if chosen < 0 or g.object_joined[i] < g.object_joined[chosen]:
                chosen = i
        after = g.object_joined[chosen]
    if world.distance(g, chosen) >= rules.balance_despawn[rule, 0]:
        world.remove(g, chosen)
