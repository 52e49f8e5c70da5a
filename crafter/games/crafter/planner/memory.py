"""The game as a player remembers it: what has been in its view, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.tasks.provenance import Provenance
from crafter.tasks.view import Body, Cell, Pose, TaskView, Thing
from crafter.tasks.zones import Zones

#: Kinds of objects that are remembered where they were seen; others move too fast.
REMEMBERED = ("cow", "plant")


class Memory:
    """A view of what has been seen; see `crafter.tasks.view.TaskView`.

    Cells that were never in the view have no material. Creatures are where they are in
    the view now; cows and plants also where they were seen last. The health of others
    cannot be seen, so it is that of a fresh one.

    Args:
      view: The game.
    """

    def __init__(self, view: TaskView) -> None:
        self._view = view
        self._materials = np.zeros_like(view.materials)
        self._original = np.zeros_like(view.materials)
        self._labels = np.zeros_like(view.labels)
        self._things: dict[Cell, Thing] = {}
        self._zones: dict[Cell, str] = {}
        self._seen_zones = Zones(self._original, None, self.rules)
        self._memo: dict[Any, Any] = {}
        self.look()

    def look(self) -> None:
        """Takes note of what is in the view now; to be called after every step."""
        view = self._view
        window = view.view_cells()
        self._materials[window] = view.materials[window]
        fresh = self._original[window] == 0
        self._original[window][fresh] = view.original[window][fresh]
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
        self._seen_zones = Zones(self._original, None, self.rules)
        self._memo.clear()

    def _seen_as(self, thing: Thing) -> Thing:
        rule = self.rules.creatures.get(thing.kind)
        return thing if rule is None else thing._replace(health=rule["health"])

    @property
    def rules(self) -> Any:
        """The rules of the game."""
        return self._view.rules

    @property
    def area(self) -> Cell:
        """Map size (x, y) in cells."""
        return self._view.area

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
    def original(self) -> np.ndarray:
        """Material ids when each cell was seen first; 0 where nothing was seen."""
        return self._original

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
    def provenance(self) -> Provenance:
        """What the player made of the map, which it knows."""
        return self._view.provenance

    @property
    def own(self) -> np.ndarray:
        """Material ids of the player's own blocks, else 0; of shape `area`."""
        return self._view.own

    @property
    def dug(self) -> np.ndarray:
        """Which cells the player dug, bool of shape `area`."""
        return self._view.dug

    @property
    def start_pos(self) -> Cell:
        """Cell of the player at the start."""
        return self._view.start_pos

    @property
    def seen(self) -> np.ndarray:
        """Which cells have been in the view, bool of shape `area`."""
        return self._view.seen

    @property
    def visited(self) -> np.ndarray:
        """Which cells the player has stood on, bool of shape `area`."""
        return self._view.visited

    @property
    def trail(self) -> Sequence[Pose]:
        """How the player stood at the start and after each step so far."""
        return self._view.trail

    @property
    def marks(self) -> Mapping[str, tuple[int, int, int, int]]:
        """Name -> rectangle (x, y, width, height) of the scene, which it knows."""
        return self._view.marks

    def view_cells(self) -> tuple[slice, slice]:
        """Returns the columns and rows of the map that are in the view."""
        return self._view.view_cells()

    @property
    def memo(self) -> dict[Any, Any]:
        """Where conditions keep what is expensive to find out again."""
        return self._memo

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
