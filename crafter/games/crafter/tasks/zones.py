"""Zones of the map; the thresholds are in `data/zones.yaml`."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core.grid import Cell
from crafter.core.regions import around, grown
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import tables


def names() -> tuple[str, ...]:
    """Returns the names of the zones; the first one whose rule holds counts."""
    return tuple(tables.zones()["rules"])


class Zones:
    """The zones of one map.

    Args:
      original: Material ids at the start, uint8 of shape `area`, [x, y].
      tunnels: Which cells world generation made tunnels, bool of the same shape, or
        `None`.
      rules: The rules of the game.
    """

    def __init__(
        self, original: np.ndarray, tunnels: np.ndarray | None, rules: Rules
    ) -> None:
        self._original, self._tunnels, self._rules = original, tunnels, rules

    def __call__(self, cell: Cell, dug: bool = False) -> str:
        """Returns the zone of a cell on the map.

        Args:
          cell: The cell (x, y).
          dug: Whether the player dug it.
        """
        zone: str = tables.zones()["dug"] if dug else names()[self._numbers[cell]]
        return zone

    def mask(self, zone: str) -> np.ndarray:
        """Returns which cells are in a zone, bool of the shape of the map."""
        return self._numbers == names().index(zone)

    @functools.cached_property
    def _numbers(self) -> np.ndarray:
        """Number of the first rule that holds, for each cell."""
        holds = [self._holds(rule) for rule in tables.zones()["rules"].values()]
        return np.argmax(holds, 0)

    def _holds(self, rule: Mapping[str, Any]) -> np.ndarray:
        original, ids = self._original, self._rules.material_ids
        if rule.get("tunnel"):
            tunnels = self._tunnels
            return np.zeros(original.shape, bool) if tunnels is None else tunnels
        if "cell" in rule:
            here: np.ndarray = original == ids.get(rule["cell"], 0)
            if "or_near" in rule:
                material, reach = rule["or_near"]
                near = original == ids.get(material, 0)
                for _ in range(reach):
                    near = grown(near)
                here = here | near
            return here
        least = rule.get("count", 0)
        every = np.ones(original.shape, bool)
        window = tables.zones()["window"]
        kinds = [rule.get("material", "")]
        if "materials" in rule:
            kinds = tables.zones()["mountain_materials"]
        number = around(np.isin(original, [ids.get(kind, 0) for kind in kinds]), window)
        if "share" in rule:
            least = float(rule["share"]) * around(every, window)
        return every if not rule else number >= least
