"""Perception of Crafter: what the picture shows of a snapshot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from crafter.games.crafter.snapshot import Snapshot
from crafter.lm.rendering.facts import FACINGS, OUTSIDE, Offset, Rows, Thing
from crafter.lm.rendering.perception import Perception

_SPREAD = 0.5  # of the darkness from the centre
_PLAYER = "player"
_COUNTERS = ("hunger", "thirst", "fatigue", "recover")


class CrafterPerception(Perception):
    """Reads what the player of Crafter can see; arguments as for `Perception`."""

    def _view(self, snapshot: Snapshot) -> tuple[Rows, Iterator[Thing]]:
        name = [OUTSIDE, *self._words.rules.materials].__getitem__
        ground = snapshot.ground.T.tolist()
        rows = Rows(tuple(map(name, row)) for row in ground)
        return rows, self._things(snapshot)

    def _things(self, snapshot: Snapshot) -> Iterator[Thing]:
        """Yields the objects in view without the player, in index order."""
        grown = self._words.rules.creatures["plant"]["ripe"]
        for record in snapshot.objects:
            offset = self._offset(record.position, snapshot.position)
            kind, way = record.kind, record.facing
            facing = FACINGS[way] if kind == "arrow" and way else None
            ripe = record.counters["grown"] > grown if kind == "plant" else None
            if kind != _PLAYER:
                yield Thing(kind, *offset, facing, ripe, key=record.id)

    def _moment_fields(self, snapshot: Snapshot) -> dict[str, Any]:
        items = self._words.rules.items.items()
        return {
            "inventory": snapshot.inventory,
            "limits": {name: item["max"] for name, item in items},
            "daylight": snapshot.daylight,
        }

    def privileged(self, snapshot: Snapshot) -> dict[str, Any]:
        """Returns information that players cannot see."""
        return {
            "position": list(snapshot.position),
            "area": list(snapshot.area),
            "creatures": [
                {"kind": r.kind, "position": list(r.position), "health": r.health}
                for r in snapshot.objects
                if r.kind != _PLAYER
            ],
            "counters": {name: getattr(snapshot, name) for name in _COUNTERS},
        }

    def _offset(self, position: Offset, centre: Offset) -> Offset:
        return position[0] - centre[0], position[1] - centre[1]

    def _noise(self, offset: Offset, rows: Rows) -> float:
        columns, lines = rows.middle
        across = (2 * (offset[0] + columns) + 1) / len(rows[0]) - 1
        down = (2 * (offset[1] + lines) + 1) / len(rows) - 1
        return 1 - math.exp(-(across**2 + down**2) / _SPREAD)
