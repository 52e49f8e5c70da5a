"""A moment of the game, in a form that is quick to look things up in."""

from __future__ import annotations

import functools
from collections.abc import Collection, Hashable
from typing import Any

from crafter.core.grid import Cell
from crafter.tasks.regions import of_materials
from crafter.tasks.view import TaskView, Thing


class Moment:
    """What a planner looks at between two steps.

    Args:
      view: The game as far as it is known.
      walkable: The materials that creatures may enter.

    Attributes:
      step: The number of moments before it.
      body: The player.
      things: Cell -> the object there, without the player.
      kinds: Kind -> the objects of it, without the player.
      materials: Material ids, by column.
      open: Whether a creature could walk on a cell, by column.
      answers: What has been found out; see `Actor.once`.
    """

    def __init__(self, view: TaskView, walkable: Collection[str]) -> None:
        self.step, self.body = len(view.trail), view.player
        self._view, self._walkable = view, walkable
        self.answers: dict[Hashable, Any] = {}

    @functools.cached_property
    def things(self) -> dict[Cell, Thing]:
        """See the class."""
        return {t.pos: t for t in self._view.objects() if t.kind != "player"}

    @functools.cached_property
    def kinds(self) -> dict[str, list[Thing]]:
        """See the class."""
        kinds: dict[str, list[Thing]] = {}
        for thing in self.things.values():
            kinds.setdefault(thing.kind, []).append(thing)
        return kinds

    @functools.cached_property
    def materials(self) -> list[list[int]]:
        """See the class."""
        return self._view.materials.tolist()

    @functools.cached_property
    def open(self) -> list[list[bool]]:
        """See the class."""
        plants = self._view.labels == self._view.rules.object_ids["plant"]
        return (of_materials(self._view, self._walkable) & ~plants).tolist()

    def free(self, cell: Cell) -> bool:
        """Returns whether a cell is on the map and open, and nobody stands there."""
        (x, y), columns = cell, self.open
        inside = 0 <= x < len(columns) and 0 <= y < len(columns[0])
        return inside and columns[x][y] and cell not in self.things
