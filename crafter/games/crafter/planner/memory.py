"""The game as a player remembers it: what has been in its view, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from crafter.tasks.world.view import Body, Cell, TaskView, Thing
from crafter.tasks.world.zones import Zones

#: Kinds of objects that are remembered where they were seen; others move too fast.
REMEMBERED = ("cow", "plant")


class Memory(TaskView):
    """A view of what has been seen; see `crafter.tasks.world.view.TaskView`.

    Cells that were never in the view have no material. Creatures are where they are in
    the view now; cows and plants also where they were seen last. The health of others
    cannot be seen, so it is that of a fresh one.

    Args:
      view: The game.
    """

    def __init__(self, view: TaskView) -> None:
        self._view = view
        self.rules, self.area, self.start_pos = view.rules, view.area, view.start_pos
        self.provenance, self.own, self.dug = view.provenance, view.own, view.dug
        self.seen, self.visited, self.trail = view.seen, view.visited, view.trail
        self.original = np.zeros_like(view.materials)  # when it was seen first
        self.memo = {}
        self._materials = np.zeros_like(view.materials)
        self._labels = np.zeros_like(view.labels)
        self._things: dict[Cell, Thing] = {}
        self._zones: dict[Cell, str] = {}
        self._seen_zones = Zones(self.original, None, self.rules)
        self.look()

    def look(self) -> None:
        """Takes note of what is in the view now; to be called after every step."""
        view = self._view
        window = view.view_cells()
        self._materials[window] = view.materials[window]
        fresh = self.original[window] == 0
        self.original[window][fresh] = view.original[window][fresh]
        columns, rows = window
        self._things = {
            pos: thing
            for pos, thing in self._things.items()
            if thing.kind in REMEMBERED and not _within(pos, columns, rows)
        }
        for thing in view.objects():
            if _within(thing.pos, columns, rows):
                self._things[thing.pos] = self._seen_as(thing)
        self._labels[:] = 0
        for pos, thing in self._things.items():
            self._labels[pos] = self.rules.object_ids[thing.kind]
        zone = view.zone(view.player.pos)
        if zone is not None:
            self._zones[view.player.pos] = zone
        self._seen_zones = Zones(self.original, None, self.rules)
        self.memo.clear()

    def _seen_as(self, thing: Thing) -> Thing:
        rule = self.rules.creatures.get(thing.kind)
        return thing if rule is None else thing._replace(health=rule["health"])

    def material(self, x: int, y: int) -> str | None:
        """Returns the material of a cell; `None` if it was never seen."""
        if not (0 <= x < self.area[0] and 0 <= y < self.area[1]):
            return None
        name: str | None = self.rules.semantic_names[self._materials[x, y]]
        return name

    def object(self, x: int, y: int) -> Thing | None:
        """Returns the object in a cell, as far as it is remembered."""
        return self._things.get((x, y))

    def objects(self, kind: str | None = None) -> tuple[Thing, ...]:
        """Returns the remembered objects of a kind, or all, in index order."""
        found = [t for t in self._things.values() if kind in (None, t.kind)]
        return tuple(sorted(found, key=lambda thing: thing.id))

    @property
    def materials(self) -> np.ndarray:
        """Material ids, 0 where nothing was seen; uint8 of shape `area`."""
        return self._materials

    @property
    def labels(self) -> np.ndarray:
        """Semantic ids of the remembered objects, uint8 of shape `area`."""
        return self._labels

    @property
    def player(self) -> Body:
        """The player."""
        return self._view.player

    @property
    def clock(self) -> int:
        """Steps on the clock of the day."""
        return self._view.clock

    @property
    def daylight(self) -> float:
        """Brightness from 0 (darkest) to 1 (noon)."""
        return self._view.daylight

    @property
    def marks(self) -> Mapping[str, tuple[int, int, int, int]]:
        """Name -> rectangle (x, y, width, height) of the scene, which it knows."""
        return self._view.marks

    def view_cells(self) -> tuple[slice, slice]:
        """Returns the columns and rows of the map that are in the view."""
        return self._view.view_cells()

    def zone(self, cell: Cell) -> str | None:
        """Returns the zone of a cell: as told on the spot, else from what was seen."""
        known = self._zones.get(cell)
        if known is not None:
            return known
        x, y = cell
        if self.material(x, y) is None:
            return None
        return self._seen_zones(cell, bool(self.dug[cell]))


def _within(pos: Cell, columns: slice, rows: slice) -> bool:
    return columns.start <= pos[0] < columns.stop and rows.start <= pos[1] < rows.stop
