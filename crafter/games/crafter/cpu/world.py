"""Objects and chunks of one game.

`g` is a record of `layout.dtype`, `i` the slot of an object, `rules` the record of
`tables.Tables`.
"""

from __future__ import annotations

from crafter.compiled.jit import compiled, inner
from crafter.games.crafter import tables as t

_CHUNK_X, _CHUNK_Y = t.CHUNK


@inner
def inside(g, x, y):
    """Returns whether a cell lies on the map."""
    return 0 <= x < g.materials.shape[0] and 0 <= y < g.materials.shape[1]


@inner
def is_free(g, rules, kind, x, y):
    """Returns whether an object of a kind can enter a cell."""
    if not inside(g, x, y) or g.occupants[x, y] != 0:
        return False
    return rules.walkable[kind, g.materials[x, y]] != 0


@inner
def set_material(g, x, y, material):
    """Sets the material of a cell, and updates its chunk's counts."""
    c = chunk_number(g, x, y)
    g.chunk_space[c, g.materials[x, y]] -= 1
    g.chunk_space[c, material] += 1
    g.materials[x, y] = material


@inner
def chunk_number(g, x, y):
    """Returns the number of the chunk of a cell."""
    rows = (g.materials.shape[1] + _CHUNK_Y - 1) // _CHUNK_Y
    return x // _CHUNK_X * rows + y // _CHUNK_Y


@inner
def chunk_corner(g, c):
    """Returns the first cell (xmin, ymin) of a chunk."""
    rows = (g.materials.shape[1] + _CHUNK_Y - 1) // _CHUNK_Y
    return c // rows * _CHUNK_X, c % rows * _CHUNK_Y


@inner
def join(g, i):
    """Adds an object to the chunk of its cell as its newest member."""
    c = chunk_number(g, g.object_x[i], g.object_y[i])
    if not g.chunk_exists[c]:
        g.chunk_exists[c] = 1
        g.chunk_order[g.chunk_count] = c
        g.chunk_count += 1
    g.chunk_population[c, g.object_kind[i]] += 1
    g.object_joined[i] = g.next_joined
    g.next_joined += 1


@inner
def leave(g, i):
    """Removes an object from its chunk's counts."""
    c = chunk_number(g, g.object_x[i], g.object_y[i])
    g.chunk_population[c, g.object_kind[i]] -= 1


@inner
def add(g, kind, x, y, health, facing):
    """Adds an object to an empty cell and returns its slot.

    The caller ensures that a slot is left.
    """
    i = g.object_count
    g.object_count = i + 1
    g.object_kind[i] = kind
    g.object_x[i] = x
    g.object_y[i] = y
    g.object_health[i] = health
    g.object_facing[i] = facing
    g.object_counter[i] = 0
    g.object_id[i] = g.next_id
    g.next_id += 1
    g.occupants[x, y] = i + 1
    join(g, i)
    return i


@inner
def is_removed(g, i):
    """Returns whether an object was removed in this step."""
    return g.occupants[g.object_x[i], g.object_y[i]] != i + 1


@inner
def remove(g, i):
    """Removes an object from the map; `sweep` frees its slot."""
    if not is_removed(g, i):
        leave(g, i)
        g.occupants[g.object_x[i], g.object_y[i]] = 0
        g.removed_count += 1


@inner
def sweep(g):
    """Compacts the slots, dropping removed objects."""
    if g.removed_count == 0:
        return  # as in most steps; checking all objects is slow
    kept = 0
    for i in range(g.object_count):
        if is_removed(g, i):
            continue
        if kept != i:
            g.object_kind[kept] = g.object_kind[i]
            g.object_x[kept] = g.object_x[i]
            g.object_y[kept] = g.object_y[i]
            g.object_health[kept] = g.object_health[i]
            g.object_facing[kept] = g.object_facing[i]
            g.object_counter[kept] = g.object_counter[i]
            g.object_id[kept] = g.object_id[i]
            g.object_joined[kept] = g.object_joined[i]
            g.occupants[g.object_x[kept], g.object_y[kept]] = kept + 1
        kept += 1
    g.object_count = kept
    g.removed_count = 0


@inner
def move(g, rules, i, dx, dy):
    """Moves an object if the target is free, and returns whether it was.

    A removed object does not move, but the result is the same.
    """
    x, y = g.object_x[i], g.object_y[i]
    nx, ny = x + dx, y + dy
    if not is_free(g, rules, g.object_kind[i], nx, ny):
        return False
    if is_removed(g, i):
        return True
    g.occupants[x, y] = 0
    g.occupants[nx, ny] = i + 1
    if x // _CHUNK_X == nx // _CHUNK_X and y // _CHUNK_Y == ny // _CHUNK_Y:
        g.object_x[i] = nx
        g.object_y[i] = ny
    else:
        leave(g, i)
        g.object_x[i] = nx
        g.object_y[i] = ny
        join(g, i)
    return True


@inner
def distance(g, i):
    """Returns the L1 distance from an object to the player."""
    dx = g.object_x[i] - g.object_x[0]
    dy = g.object_y[i] - g.object_y[0]
    return abs(dx) + abs(dy)


@inner
def clear(g):
    """Removes all objects and chunks."""
    g.occupants[:] = 0
    g.object_count = 0
    g.removed_count = 0
    g.next_id = 1
    g.next_joined = 0
    g.chunk_count = 0
    g.chunk_exists[:] = 0
    g.chunk_population[:] = 0
    g.chunk_space[:] = 0


@compiled
def count_space(g):
    """Counts the cells of each material in all chunks."""
    g.chunk_space[:] = 0
    for x in range(g.materials.shape[0]):
        for y in range(g.materials.shape[1]):
            g.chunk_space[chunk_number(g, x, y), g.materials[x, y]] += 1
