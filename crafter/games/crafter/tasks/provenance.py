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

#: Material of the cells that the player dug: what digging leaves to walk on.
DUG = "path"
#: Event types that change a cell, its plant included.
CHANGES = frozenset({"collected", "missed", "placed", "station_lost", "plant_lost"})


class Provenance:
    """Which cells the player built and dug.

    Args:
      original: Material ids at the start, uint8 of shape `area`, [x, y].
      rules: The rules of the game.

    Attributes:
      original: The same, read-only.
      now: Material ids after the events so far; not to be written, like the others.
      own: Material ids where the present material was placed by the player, else 0.
      dug: Bool; cells that are path now because the player collected what was there.
      opened: Cell -> the step in which the player last collected what was there, where
        that left something to walk on.
      own_plants: Cells of the living plants that the player placed.
      lost: Plant, table or furnace -> where one of the player's was lost to a creature
        or an arrow.
      changes: The cells that changed, in order; a cell may come again.
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
        """Books the events of a step.

        Args:
          events: What happened in it.
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
