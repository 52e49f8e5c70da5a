"""Views of drawn worlds: the start and the current state.

A drawing has one character per cell. At the start these are the materials of hand-made
maps. The current state also has, placed by the player,

    O  own stone      A  own table      U  own furnace      p  own plant
    :  dug cell (path)

and creatures (on the starting material): C cow, Z zombie, S skeleton, @ player. Where
the start is not drawn, it is natural ground: grass below what the player placed, stone
where the player dug.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from crafter.games.crafter.rules import default
from crafter.games.crafter.tasks.provenance import Provenance
from crafter.games.crafter.tasks.view import Body, TaskView, Thing
from crafter.games.crafter.tasks.zones import Zones

RULES = default()
MATERIALS = dict(RULES.symbols["materials"])
OWN = {"O": "stone", "A": "table", "U": "furnace"}
KINDS = {"C": "cow", "Z": "zombie", "S": "skeleton", "p": "plant", "@": "player"}


class DrawnView:
    """A view of a drawn world; see `crafter.games.crafter.tasks.view.TaskView`.

    Args:
        now: Rows of the current state, separated by blanks.
        start: Rows of the start.
        player: Cell of the player; by default that of `@`, or far away.
        start_pos: Initial cell of the player; by default the current one.
        **body: Fields of the player.
    """

    hostile, where, creatures = TaskView.hostile, TaskView.where, TaskView.creatures
    material = TaskView.material

    def __init__(self, now, start=None, player=None, start_pos=None, **body):
        rows = now.split()
        begun = start.split() if start else [_guess(row) for row in rows]
        self.area = (len(rows[0]), len(rows))
        self.rules = RULES
        ids = RULES.material_ids
        original = np.zeros(self.area, np.uint8)
        for (x, y), _ in np.ndenumerate(original):
            original[x, y] = ids[MATERIALS[begun[y][x]]]
        self.provenance = Provenance(original, RULES)
        self.original, self.materials = self.provenance.original, self.provenance.now
        self.own, self.dug = self.provenance.own, self.provenance.dug
        self.labels = np.zeros(self.area, np.uint8)
        self._things = {}
        where = player
        for (x, y), _ in np.ndenumerate(original):
            char = rows[y][x]
            self._draw(char, (x, y), begun[y][x])
            if char == "@":
                where = (x, y)
        self.start_pos = start_pos or where or (0, 0)
        self.player = Body(
            where or (0, 0),
            body.get("facing", (0, 1)),
            MappingProxyType(
                {**dict.fromkeys(RULES.items, 0), **body.get("items", {})}
            ),
            body.get("vitals", (9, 9, 9, 9)),
            body.get("sleeping", False),
        )
        self.daylight, self.clock = body.get("daylight", 1.0), 0
        self.seen = np.zeros(self.area, bool)
        self.visited = np.zeros(self.area, bool)
        self.trail, self.marks = [], {}
        self.memo = {}
        self._zones = Zones(original, None, RULES)

    def _draw(self, char, cell, begun):
        if char in OWN:
            self._apply("placed", cell, what=OWN[char], on="")
        elif char == ":":
            if RULES.collect.get(MATERIALS[begun], {}).get("leaves") != "path":
                self._apply("placed", cell, what="stone", on="")
            self._apply("collected", cell, what="stone", gain=1, tool=None)
        elif char in KINDS:
            label = RULES.object_ids[KINDS[char]]
            self.labels[cell] = label
            self._things[cell] = Thing(
                KINDS[char], len(self._things) + 1, cell, 1, False
            )
            if char == "p":
                self._apply("placed", cell, what="plant", on="grass")
        elif MATERIALS[char] != MATERIALS[begun]:
            self.change(cell, MATERIALS[char])

    def _apply(self, type, cell, **fields):
        self.provenance.apply([{"type": type, "at": cell, **fields}])

    def change(self, cell, material):
        """Change the material of a cell without anyone placing it."""
        self.provenance._set(cell, material)
        self.provenance.changes.append(cell)

    def destroy(self, cell):
        """Remove what the player made of a cell, restoring the natural ground."""
        self.change(cell, "grass" if cell not in self._things else "stone")
        self.provenance.own_plants.discard(cell)
        if self._things.pop(cell, None):
            self.labels[cell] = 0
            self.change(cell, "grass")

    def object(self, x, y):
        return self._things.get((x, y))

    def objects(self, kind=None):
        return tuple(t for t in self._things.values() if kind in (None, t.kind))

    def view_cells(self):
        return slice(0, self.area[0]), slice(0, self.area[1])

    def zone(self, cell):
        return self._zones(cell, bool(self.dug[cell]))


def _guess(row):
    """Return the natural ground of a row for which no start is drawn."""
    return "".join("#" if c == ":" else c if c in MATERIALS else "." for c in row)


def turned(picture):
    """Transpose a drawing."""
    return " ".join("".join(row) for row in zip(*picture.split()))


def padded(picture, char):
    """Return a drawing with a border of a character."""
    rows = picture.split()
    line = char * (len(rows[0]) + 2)
    return " ".join([line, *(char + row + char for row in rows), line])
