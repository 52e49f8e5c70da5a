"""Terrain of a draft: where things are, and distances to them.

Distances are computed backwards from the targets.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable

import numpy as np

from crafter.core.grid import Cell, mask_of
from crafter.core.regions import FAR, waves
from crafter.games.crafter.map_edits import Edit, Land, apply_edits
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import zones
from crafter.games.crafter.tasks.regions import of_materials
from crafter.games.crafter.tasks.zones import Zones


class Ground:
    """Terrain of a scene under construction.

    Args:
      land: Materials, tunnels and creatures.
      rules: The rules of the game.

    Attributes:
      rules: The rules of the game.
      materials: Material ids, uint8 of shape `area`.
      tunnels: Which cells are tunnels of world generation, or `None`.
      creatures: Cell -> kind.
    """

    def __init__(self, land: Land, rules: Rules) -> None:
        self.rules, self.materials, self.tunnels = rules, land.materials, land.tunnels
        self.creatures = {cell: kind for kind, cell in land.creatures}

    def edited(self, edits: Iterable[Edit]) -> Ground:
        """Returns the terrain after edits, without creatures on edited cells."""
        materials = self.materials.copy()
        touched = apply_edits(materials, edits, self.rules)
        left = [(kind, c) for c, kind in self.creatures.items() if not touched[c]]
        tunnels = None if self.tunnels is None else self.tunnels & ~touched
        return Ground(Land(materials, tunnels, tuple(left), (0, 0)), self.rules)

    @property
    def area(self) -> Cell:
        """Map size (x, y) in cells."""
        width, height = self.materials.shape
        return width, height

    def made_of(self, *materials: str) -> np.ndarray:
        """Returns which cells are of some materials, bool of shape `area`."""
        return of_materials(self, materials)

    @functools.cached_property
    def open(self) -> np.ndarray:
        """Which cells are walkable, whatever stands on them."""
        return self.made_of(*self.rules.walkable)

    @functools.cached_property
    def free(self) -> np.ndarray:
        """Which open cells hold no creature."""
        free: np.ndarray = self.open & ~mask_of(self.area, self.creatures)
        return free

    @functools.cached_property
    def zones(self) -> Zones:
        """The zones of the map."""
        return Zones(self.materials, self.tunnels, self.rules)

    def where(self, kind: str) -> np.ndarray:
        """Returns where a kind of thing is: material, creature, zone or `corner`."""
        if kind == "corner":
            return mask_of(self.area, itertools.product((0, -1), (0, -1)))
        if kind in self.rules.material_ids:
            return self.made_of(kind)
        if kind in zones.names():
            return self.zones.mask(kind)
        here = [cell for cell, creature in self.creatures.items() if creature == kind]
        return mask_of(self.area, here)

    def nearest(self, cell: Cell, mask: np.ndarray) -> Cell | None:
        """Returns the nearest cell of a mask (L1), the first of equals."""
        xs, ys = mask.nonzero()
        if not len(xs):
            return None
        best = int(np.argmin(abs(xs - cell[0]) + abs(ys - cell[1])))
        return int(xs[best]), int(ys[best])

    def field(
        self, targets: np.ndarray, dig: int = 0, bridge: int = 0, most: int = FAR
    ) -> np.ndarray:
        """Returns the cost of the cheapest path from every cell to a target.

        Args:
          targets: Bool of shape `area`.
          dig: Cost of a cell that has to be dug; 0 if digging is impossible.
          bridge: Cost of a cell of water; likewise.
          most: Largest cost of paths.

        Returns:
          int16 of shape `area`, `FAR` where there is no path.
        """
        cost = np.where(self.open, 1, 0)
        if dig:
            rules = self.rules.collect.items()
            diggable = [m for m, r in rules if r["leaves"] in self.rules.walkable]
            cost = np.where(self.made_of(*diggable) & ~self.open, dig, cost)
        if bridge:
            cost = np.where(self.made_of("water"), bridge, cost)
        return waves(cost, targets, most)
