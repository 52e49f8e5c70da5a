"""Tracks the cells that the player built and dug, from events alone.

The masks depend only on the initial map and the events since, so that a recorded
attempt gives the same masks as the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from crafter.core.grid import Cell
from crafter.games.crafter.rules import Rules

#: Material that digging leaves.
DUG = "path"
#: Event types that change a cell, its plant included.
CHANGES = frozenset({"collected", "missed", "placed", "station_lost", "plant_lost"})


class Provenance:
    """Cells that the player built and dug.

    Args:
      original: Material ids at the start, uint8 of shape `area`, [x, y].
      rules: The rules of the game.

    Attributes:
      original: The same, read-only.
      now: Current material ids; read-only, like the others.
      own: Material ids where the player placed the current material, else 0.
      dug: Bool; cells that became path because the player collected their material.
      opened: Cell -> step in which the player last collected its material and left it
        walkable.
      own_plants: Cells of living own plants.
      lost: Plant, table or furnace -> cells of own ones that a creature or an arrow
        destroyed.
      changes: Changed cells in order, with repetitions.
    """

    def __init__(self, original: np.ndarray, rules: Rules) -> None:
        self._rules = rules
        self.original = original.copy()
        self.original.flags.writeable = False
        self.now = original.copy()
        self.own = np.zeros_like(original)
        self.dug = np.zeros(original.shape, bool)
        self.opened: dict[Cell, int] = {}
        self.own_plants: set[Cell] = set()
        self.lost: dict[str, set[Cell]] = {}
        self.changes: list[Cell] = []
        self._step = 0

    def apply(self, events: Iterable[Mapping[str, Any]], step: int = 0) -> None:
        """Applies the events of a step.

        Args:
          events: Its events.
          step: Its number.
        """
        self._step = step
        for event in events:
            if event["type"] in CHANGES:
                cell = event["at"]
                self.changes.append(cell)
                getattr(self, f"_{event['type']}")(cell, event)

    def _collected(self, cell: Cell, event: Mapping[str, Any]) -> None:
        before = self._rules.semantic_names[self.now[cell]]
        leaves = self._rules.collect[before or ""]["leaves"]
        if leaves == before:
            return
        self._set(cell, leaves)
        self.dug[cell] = leaves == DUG
        if leaves in self._rules.walkable:
            self.opened[cell] = self._step

    _missed = _collected

    def _placed(self, cell: Cell, event: Mapping[str, Any]) -> None:
        what = event["what"]
        if self._rules.place[what]["type"] == "material":
            self._set(cell, what)
            self.own[cell] = self.now[cell]
        else:
            self.own_plants.add(cell)

    def _station_lost(self, cell: Cell, event: Mapping[str, Any]) -> None:
        if self.own[cell]:
            self.lost.setdefault(event["what"], set()).add(cell)
        self._set(cell, self._rules.creatures["arrow"]["leaves"])

    def _plant_lost(self, cell: Cell, event: Mapping[str, Any]) -> None:
        if cell in self.own_plants:
            self.own_plants.discard(cell)
            self.lost.setdefault("plant", set()).add(cell)

    def _set(self, cell: Cell, material: str) -> None:
        self.now[cell] = self._rules.material_ids[material]
        self.own[cell] = 0
        self.dug[cell] = False
