"""Observations of one game; see `crafter.games.craftax.observations`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import boss
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.observations import CLASSES, Observer
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables

_CLASSES = len(t.CLASSES) + len(t.SHOOTERS)


def numbers(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    """Returns the parameters of observations."""
    observer = Observer(tables, parameters)
    own = [number.name for number in observer.numbers]
    cells = observer.view[0] * observer.view[1]
    return {
        "window": observer.view,
        "channels": observer.slices["cells"].stop // cells,
        "items_kinds": len(tables.item_names),
        "shown_items": [tables.held[n] for n in own[: own.index("sword_enchantment")]],
        "shown_root": [int(number.root) for number in observer.numbers],
        "shown_scale": np.array([n.scale for n in observer.numbers], np.float32),
        "shown_direction": own.index("direction"),
        "directions": len(tables.direction_names),
        "semantic_item": observer.semantic_starts["item"],
        "semantic_class": [observer.semantic_starts[kind] for kind in CLASSES],
        "semantic_player": len(observer.semantic_names) - 1,
        "erases": int("creature_bits" not in tables.applied),
    }


@inner
def _corner(g, rules):
    """Returns first row and column of the view, the floor, and its `dark_light` index.

    Callers read these once, before their loops: the compiler cannot rule out that the
    loops' writes alias the game.
    """
    rows, cols = rules.window
    level = g.level
    return g.row - rows // 2, g.col - cols // 2, level, rules.dark_index[level]


@inner
def _cell_code(g, rules, where, i, j):
    """Returns the cell code at a position in the view; -1 if it is dark."""
    top, left, level, dark = where
    row, col = top + i, left + j
    inside = 0 <= row < g.cells.shape[1] and 0 <= col < g.cells.shape[2]
    light = np.float32(inside)
    if inside and dark >= 0:
        light = g.dark_light[dark, row, col]
    if not light > rules.dim:
        return -1
    return np.int64(g.cells[level, row, col]) if inside else 0


@inner
def _show(g, rules, marks, first, last):
    """Marks the visible creatures and projectiles.

    In the published game every slot writes its mark or its absence in turn, so that a
    dead or distant creature may erase a live one of its kind.

    Args:
      g: The game.
      rules: The rules.
      marks: Output, uint8 (rows, columns, layers): bits of the types.
      first: Layer of the first class; earlier layers become 0.
      last: Whether to write type + 1 of the last live slot instead.
    """
    marks[:] = 0
    for kind in range(3):
        for slot in range(rules.slots[kind]):
            _mark(g, rules, marks, last, first + kind, g.mobs[kind, g.level, slot])
    for shooter in range(2):
        for slot in range(rules.shot_slots[shooter]):
            shot = g.shots[shooter, g.level, slot]
            _mark(g, rules, marks, last, first + 3 + shooter, shot)


@inner
def _mark(g, rules, marks, last, number, mob):
    rows, cols = rules.window
    row, col = mob.row - (g.row - rows // 2), mob.col - (g.col - cols // 2)
    bit = np.uint8(1 << mob.type)
    if mob.alive and 0 <= row < rows and 0 <= col < cols:
        seen = marks[row, col, number]
        marks[row, col, number] = mob.type + 1 if last else seen | bit
    elif not last and rules.erases and -rows <= row < rows and -cols <= col < cols:
        # Off the view, negative indices wrap, as in Python.
        marks[row % rows, col % cols, number] &= ~bit


@inner
def fill_numbers(g, rules, out):
    """Fills the unscaled numbers of an observation, float32."""
    place = 0
    for item in rules.shown_items:
        out[place], place = g.items[item], place + 1
    for enchantment in g.enchantments:
        out[place], place = enchantment, place + 1
    out[place], place = g.items[rules.bow], place + 1
    for i in range(len(g.potion_mapping)):
        out[place], place = g.items[rules.potion + i], place + 1
    out[place], place = g.health, place + 1
    for vital in g.vitals:
        out[place], place = vital, place + 1
    out[place], place = g.xp, place + 1
    for attribute in g.attributes:
        out[place], place = attribute, place + 1
    out[place], place = g.direction, place + 1
    for i in range(len(g.armour_enchantments)):
        out[place], place = g.items[rules.armour + i], place + 1
    for enchantment in g.armour_enchantments:
        out[place], place = enchantment, place + 1
    out[place], place = g.light_level, place + 1
    out[place], place = g.sleeping, place + 1
    out[place], place = g.resting, place + 1
    for known in g.learned_spells:
        out[place], place = known, place + 1
    out[place], place = g.level, place + 1
    out[place], place = g.monsters_killed[g.level] >= rules.monsters, place + 1
    out[place] = boss.is_vulnerable(g, rules)


@inner
def compact(g, rules, layers, numbers):
    """Fills a compact observation: `map`, uint8, and `numbers`, float32."""
    _show(g, rules, layers, 2, False)
    rows, cols = rules.window
    where = _corner(g, rules)
    for i in range(rows):
        for j in range(cols):
            code = _cell_code(g, rules, where, i, j)
            if code >= 0:
                layers[i, j, 0] = rules.block_of[code] + 1
                layers[i, j, 1] = rules.item_of[code]
            else:
                for number in range(_CLASSES):
                    layers[i, j, 2 + number] = 0
    fill_numbers(g, rules, numbers)


@inner
def semantic(g, rules, marks, local, numbers):
    """Fills a semantic observation: `local`, uint8, and `numbers`, float32."""
    _show(g, rules, marks, 0, False)
    rows, cols = rules.window
    where = _corner(g, rules)
    for i in range(rows):
        for j in range(cols):
            code = _cell_code(g, rules, where, i, j)
            shown = 0
            if code >= 0:
                item = rules.item_of[code]
                shown = rules.block_of[code] + 1
                if item > 0:
                    shown = rules.semantic_item + item
                for number in range(_CLASSES - 1, -1, -1):
                    bits, kind = marks[i, j, number], 0
                    if bits:
                        while not bits & 1:
                            bits, kind = bits >> 1, kind + 1
                        shown = rules.semantic_class[number] + kind
            local[i, j] = shown
    local[rows // 2, cols // 2] = rules.semantic_player
    fill_numbers(g, rules, numbers)


@inner
def symbolic(g, rules, marks, numbers, out):
    """Fills the published observation, float32; `marks` and `numbers` are scratch."""
    _show(g, rules, marks, 0, False)
    out[:] = 0
    rows, cols = rules.window
    where = _corner(g, rules)
    place, types = (
        0,
        (rules.channels - 1 - rules.blocks - rules.items_kinds) // _CLASSES,
    )
    for i in range(rows):
        for j in range(cols):
            code = _cell_code(g, rules, where, i, j)
            if code >= 0:
                out[place + rules.block_of[code]] = 1
                first = place + rules.blocks
                out[first + rules.item_of[code]] = 1
                first += rules.items_kinds
                for number in range(_CLASSES):
                    bits = marks[i, j, number]
                    for kind in range(types if bits else 0):
                        if bits >> kind & 1:
                            out[first + types * number + kind] = 1
                out[place + rules.channels - 1] = 1
            place += rules.channels
    _fill_scaled(g, rules, numbers, out, place)


@inner
def puffer(g, rules, marks, numbers, out):
    """Fills PufferLib's observation, float32; `marks` and `numbers` are scratch."""
    _show(g, rules, marks, 0, True)
    rows, cols = rules.window
    where = _corner(g, rules)
    channels, place = 3 + _CLASSES, 0
    out[:] = 0
    for i in range(rows):
        for j in range(cols):
            code = _cell_code(g, rules, where, i, j)
            if code >= 0:
                out[place] = rules.block_of[code]
                out[place + 1] = rules.item_of[code] + 1
                out[place + 2] = 1
                for number in range(_CLASSES):
                    out[place + 3 + number] = marks[i, j, number]
            place += channels
    _fill_scaled(g, rules, numbers, out, place)


@inner
def _fill_scaled(g, rules, numbers, out, place):
    """Fills the scaled numbers of a flat observation, starting at `place`."""
    fill_numbers(g, rules, numbers)
    for i in range(len(numbers)):
        if i == rules.shown_direction:
            out[place + np.int64(numbers[i]) - 1] = 1
            place += rules.directions
        else:
            value = numbers[i]
            if rules.shown_root[i]:
                value = np.float32(math.sqrt(value))
            out[place] = value / rules.shown_scale[i]
            place += 1
