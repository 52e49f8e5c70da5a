"""Cells of the player's floor, and the creatures there."""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import inner


@inner
def inside(g, row, col):
    """Returns whether a cell lies on the map."""
    return 0 <= row < g.cells.shape[1] and 0 <= col < g.cells.shape[2]


@inner
def ahead(g, rules):
    """Returns the row and column of the cell in front of the player."""
    return g.row + rules.vectors[g.direction, 0], g.col + rules.vectors[g.direction, 1]


@inner
def block(g, rules, row, col):
    """Returns the block of a cell on the map."""
    return rules.block_of[g.cells[g.level, row, col]]


@inner
def item(g, rules, row, col):
    """Returns the item of a cell on the map."""
    return rules.item_of[g.cells[g.level, row, col]]


@inner
def set_block(g, rules, level, row, col, block):
    """Sets the block of a cell."""
    item = rules.item_of[g.cells[level, row, col]]
    g.cells[level, row, col] = block + rules.blocks * item


@inner
def set_item(g, rules, row, col, item):
    """Sets the item of a cell."""
    block = rules.block_of[g.cells[g.level, row, col]]
    g.cells[g.level, row, col] = block + rules.blocks * item


@inner
def seen(place, size):
    """Returns the row or column that the published game reads at an index.

    Negative indices wrap; indices that are still out of range are clipped.
    """
    if place < 0:
        return max(place + size, 0)
    return min(place, size - 1)


@inner
def written(place, size):
    """Returns the row or column that the published game writes at an index, or -1."""
    if place < 0:
        place += size
    return place if 0 <= place < size else -1


@inner
def living(g, rules, kind, row, col):
    """Returns the slot of the first living creature of a class in a cell, or -1."""
    for slot in range(rules.slots[kind]):
        mob = g.mobs[kind, g.level, slot]
        if mob.alive and mob.row == row and mob.col == col:
            return slot
    return -1


@inner
def is_anyone(g, rules, row, col):
    """Returns whether a living creature stands in a cell."""
    for kind in range(3):
        if living(g, rules, kind, row, col) >= 0:
            return True
    return False


@inner
def occupied(g, rules, row, col):
    """Returns whether a cell counts as occupied by a creature."""
    for kind in range(3):
        for slot in range(rules.slots[kind]):
            mob = g.mobs[kind, g.level, slot]
            if mob.alive == 1 and mob.row == row and mob.col == col:
                return True
    return False


@inner
def free(g, rules, row, col):
    """Marks a cell as free, even if a creature is left there; only with `ghosts`."""
    if not rules.ghosts:
        return
    for kind in range(3):
        for slot in range(rules.slots[kind]):
            mob = g.mobs[kind, g.level, slot]
            if mob.alive and mob.row == row and mob.col == col:
                mob.alive = 2


@inner
def is_open(g, rules, row, col, barred):
    """Returns whether a cell is on the map, unoccupied and not barred.

    Args:
      g: The game.
      rules: The rules.
      row: Row of the cell.
      col: Column of the cell.
      barred: Mask of blocks that may not be entered.
    """
    if not inside(g, row, col) or barred[block(g, rules, row, col)]:
        return False
    return not occupied(g, rules, row, col)


@inner
def is_near(g, rules, blocks):
    """Returns whether all needed blocks are in the eight cells around the player.

    Args:
      g: The game.
      rules: The rules.
      blocks: Mask of needed blocks.
    """
    for number in range(len(blocks)):
        if blocks[number] and not _has_near(g, rules, number):
            return False
    return True


@inner
def _has_near(g, rules, number):
    for row in range(g.row - 1, g.row + 2):
        for col in range(g.col - 1, g.col + 2):
            beside = inside(g, row, col) and (row != g.row or col != g.col)
            if beside and block(g, rules, row, col) == number:
                return True
    return False


@inner
def add_light(g, rules, row, col):
    """Adds the light of a torch around a cell, clipped to 1."""
    dark = rules.dark_index[g.level]
    if dark < 0:
        return
    size, reach = g.dark_light.shape[1], rules.patch.shape[0] // 2
    for i in range(max(row - reach, 0), min(row + reach + 1, size)):
        for j in range(max(col - reach, 0), min(col + reach + 1, size)):
            added = rules.patch[i - row + reach, j - col + reach]
            g.dark_light[dark, i, j] = min(g.dark_light[dark, i, j] + added, 1)


@inner
def light(g, rules, row, col):
    """Returns the light of a cell from 0 to 1, float32; 0 outside the map."""
    if not inside(g, row, col):
        return np.float32(0)
    dark = rules.dark_index[g.level]
    return np.float32(1) if dark < 0 else g.dark_light[dark, row, col]


@inner
def free_shot(g, rules, shooter):
    """Returns the first free projectile slot of a shooter, or -1."""
    for slot in range(rules.shot_slots[shooter]):
        if not g.shots[shooter, g.level, slot].alive:
            return slot
    return -1
