"""The land that a scene is laid in: where things are, and how far it is to them.

Distances are counted backwards from the targets, by waves over the whole map at once.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np

from crafter.core.grid import Cell
from crafter.games.crafter.map_edits import Edit, Land, apply_edits
from crafter.games.crafter.rules import Rules
from crafter.tasks.world import zones
from crafter.tasks.world.regions import of_materials
from crafter.tasks.world.zones import Zones

#: Where there is no way.
FAR = 9999
#: What tasks call the corners of the map when they need them at a distance.
CORNER = "corner"


class Ground:
    """The land of a scene while it is being made.

    Args:
      land: Materials, tunnels and creatures.
      rules: The rules of the game.

    Attributes:
      rules: The rules of the game.
      materials: Material ids, uint8 of shape `area`.
      tunnels: Which cells are tunnels of world generation.
      creatures: Cell -> kind.
    """

    def __init__(self, land: Land, rules: Rules) -> None:
        self.rules = rules
        self.materials = land.materials
        tunnels = land.tunnels
        self.tunnels = (
            np.zeros(land.materials.shape, bool) if tunnels is None else tunnels
        )
        self.creatures = {cell: kind for kind, cell in land.creatures}

    def edited(self, edits: Iterable[Edit]) -> Ground:
        """Returns the ground after edits, without creatures on the edited cells."""
        materials = self.materials.copy()
        touched = apply_edits(materials, edits, self.rules)
        left = [(kind, c) for c, kind in self.creatures.items() if not touched[c]]
        land = Land(materials, self.tunnels & ~touched, tuple(left), (0, 0))
        return Ground(land, self.rules)

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
        """Which cells creatures may enter, other creatures left out of account."""
        return self.made_of(*self.rules.walkable)

    @functools.cached_property
    def free(self) -> np.ndarray:
        """Which open cells hold no creature."""
        free = self.open.copy()
        for cell in self.creatures:
            free[cell] = False
        return free

    @functools.cached_property
    def zones(self) -> Zones:
        """The zones of the map."""
        return Zones(self.materials, self.tunnels, self.rules)

    def where(self, kind: str) -> np.ndarray:
        """Returns where a kind of thing is: material, creature, zone or `corner`."""
        mask = np.zeros(self.area, bool)
        if kind == CORNER:
            mask[np.ix_([0, -1], [0, -1])] = True
            return mask
        if kind in self.rules.material_ids:
            return self.made_of(kind)
        if kind in zones.names():
            return self.zones.mask(kind)
        for cell, found in self.creatures.items():
            mask[cell] = mask[cell] or found == kind
        return mask

    def nearest(self, cell: Cell, mask: np.ndarray) -> Cell | None:
        """Returns the cell of a mask that is nearest (L1), the first of equals."""
        xs, ys = mask.nonzero()
        if not len(xs):
            return None
        best = int(np.argmin(abs(xs - cell[0]) + abs(ys - cell[1])))
        return int(xs[best]), int(ys[best])

    def field(
        self, targets: np.ndarray, dig: int = 0, bridge: int = 0, most: int = FAR
    ) -> np.ndarray:
        """Returns the cost of the cheapest way from every cell to a target.

        Args:
          targets: Bool of shape `area`.
          dig: What it costs to cross a cell that has to be dug; 0 if none can be.
          bridge: The same of a cell of water.
          most: Ways that cost more are not looked for.

        Returns:
          int16 of shape `area`, `FAR` where there is no way.
        """
        cost = np.where(self.open, 1, 0)
        if dig:
            rules = self.rules.collect.items()
            diggable = [m for m, r in rules if r["leaves"] in self.rules.walkable]
            cost = np.where(self.made_of(*diggable) & ~self.open, dig, cost)
        if bridge:
            cost = np.where(self.made_of("water"), bridge, cost)
        found = np.where(targets, 0, FAR).astype(np.int16)
        # The wave enters a cell at the price of leaving the one before; a target is
        # left for 1 wherever it stands.
        price = np.where(targets, 1, cost).astype(np.int16)
        closed = cost == 0
        for reached in range(most):
            wave = found == reached
            if wave.any():
                _spread(found, wave, price, closed)
            elif not ((found > reached) & (found < FAR)).any():
                break
        return found


_STEPS = (
    ((slice(1, None), slice(None)), (slice(None, -1), slice(None))),
    ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
    ((slice(None), slice(1, None)), (slice(None), slice(None, -1))),
    ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
)


def _spread(
    found: np.ndarray, wave: np.ndarray, price: np.ndarray, closed: np.ndarray
) -> None:
    """Lets a wave enter the neighbours of its cells that can be crossed."""
    before = found[closed]
    out = np.where(wave, found + price, np.int16(FAR))
    for to, come in _STEPS:
        np.minimum(found[to], out[come], out=found[to])
    found[closed] = before
