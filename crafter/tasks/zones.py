"""In which zone of the map a cell lies; the thresholds are in `data/zones.yaml`."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core.ruleset import freeze, read
from crafter.games.crafter.rules import Rules

Cell = tuple[int, int]

_PATH = pathlib.Path(__file__).parent / "data" / "zones.yaml"


@functools.cache
def table() -> Mapping[str, Any]:
    """Returns the content of `data/zones.yaml`."""
    frozen: Mapping[str, Any] = freeze(read(_PATH))
    return frozen


def names() -> tuple[str, ...]:
    """Returns the names of the zones, in the order in which they are tried."""
    return tuple(table()["rules"])


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
        ids = rules.material_ids
        self._mountain = [ids[m] for m in table()["mountain_materials"] if m in ids]
        self._known: dict[Cell, str] = {}

    def __call__(self, cell: Cell, dug: bool = False) -> str:
        """Returns the zone of a cell on the map.

        Args:
          cell: The cell (x, y).
          dug: Whether the player dug it.
        """
        if dug:
            dug_zone: str = table()["dug"]
            return dug_zone
        zone = self._known.get(cell)
        if zone is None:
            zone = self._known[cell] = self._find(cell)
        return zone

    def mask(self, zone: str) -> np.ndarray:
        """Returns which cells are in a zone, bool of the shape of the map."""
        left = np.ones(self._original.shape, bool)
        for name, rule in table()["rules"].items():
            here = left & self._all_that_hold(rule)
            if name == zone:
                return here
            left &= ~here
        raise ValueError(f"Unknown zone {zone!r}; there are {names()}.")

    def _all_that_hold(self, rule: Mapping[str, Any]) -> np.ndarray:
        original = self._original
        if not rule:
            return np.ones(original.shape, bool)
        if rule.get("tunnel"):
            tunnels = self._tunnels
            return np.zeros(original.shape, bool) if tunnels is None else tunnels
        if "cell" in rule:
            near = np.zeros(original.shape, bool)
            if "or_near" in rule:
                material, reach = rule["or_near"]
                near = _within(original == self._id(material), reach)
            return (original == self._id(rule["cell"])) | near
        kinds = self._mountain
        if "materials" not in rule:
            kinds = [self._id(rule["material"])]
        columns, rows = table()["window"]
        number = _sums(np.isin(original, kinds), columns // 2, rows // 2)
        if "count" in rule:
            enough: np.ndarray = number >= int(rule["count"])
            return enough
        cells = _sums(np.ones(original.shape, bool), columns // 2, rows // 2)
        enough = number >= float(rule["share"]) * cells
        return enough

    def _find(self, cell: Cell) -> str:
        columns, rows = table()["window"]
        counts = np.bincount(
            self._around(cell, columns // 2, rows // 2).ravel(),
            minlength=len(self._rules.materials) + 1,
        )
        rules: Mapping[str, Mapping[str, Any]] = table()["rules"]
        return next(n for n, rule in rules.items() if self._holds(rule, cell, counts))

    def _around(self, cell: Cell, dx: int, dy: int) -> np.ndarray:
        x, y = cell
        return self._original[max(0, x - dx) : x + dx + 1, max(0, y - dy) : y + dy + 1]

    def _holds(self, rule: Mapping[str, Any], cell: Cell, counts: np.ndarray) -> bool:
        if not rule:
            return True
        if rule.get("tunnel"):
            return self._tunnels is not None and bool(self._tunnels[cell])
        if "cell" in rule:
            here = self._original[cell] == self._id(rule["cell"])
            return bool(here) or ("or_near" in rule and self._near(cell, rule))
        if "materials" in rule:
            number = int(sum(counts[self._mountain]))
        else:
            number = int(counts[self._id(rule["material"])])
        if "count" in rule:
            return number >= int(rule["count"])
        return number >= float(rule["share"]) * int(counts.sum())

    def _near(self, cell: Cell, rule: Mapping[str, Any]) -> bool:
        material, reach = rule["or_near"]
        window = self._around(cell, reach, reach)
        corner = max(0, cell[0] - reach), max(0, cell[1] - reach)
        xs, ys = (window == self._id(material)).nonzero()
        far = abs(xs + corner[0] - cell[0]) + abs(ys + corner[1] - cell[1])
        return bool((far <= reach).any())

    def _id(self, material: str) -> int:
        """Returns the id of a material; one that no cell has, if there is none."""
        return self._rules.material_ids.get(material, 0)


def _sums(mask: np.ndarray, dx: int, dy: int) -> np.ndarray:
    """Returns how many cells of a mask lie in the window around each cell."""
    sums = np.pad(mask.astype(np.int64), ((dx, dx), (dy, dy)))
    for axis, reach in ((0, dx), (1, dy)):
        width = 2 * reach + 1
        total = np.cumsum(sums, axis)
        first = np.take(total, [width - 1], axis)
        head = np.take(total, range(width, total.shape[axis]), axis)
        tail = np.take(total, range(total.shape[axis] - width), axis)
        sums = np.concatenate([first, head - tail], axis)
    return sums


def _within(mask: np.ndarray, reach: int) -> np.ndarray:
    """Returns which cells are at most so many steps (L1) from a cell of a mask."""
    for _ in range(reach):
        wider = mask.copy()
        wider[1:] |= mask[:-1]
        wider[:-1] |= mask[1:]
        wider[:, 1:] |= mask[:, :-1]
        wider[:, :-1] |= mask[:, 1:]
        mask = wider
    return mask
