"""Perception of Crafter: what the picture shows of a snapshot."""

from __future__ import annotations

import math
from typing import Any

from crafter.games.crafter.snapshot import ObjectRecord, Snapshot
from crafter.lm.rendering.facts import (
    FACINGS,
    OUTSIDE,
    UNCLEAR,
    Event,
    Offset,
    Rows,
    Thing,
    middle,
    name_at,
    within,
)
from crafter.lm.rendering.perception import Moment, Perception, dimmed
from crafter.lm.rendering.words import Words

_SPREAD = 0.5  # of the darkness from the centre
_PLAYER = "player"


class CrafterPerception(Perception):
    """Reads what the player of Crafter can see; arguments as for `Perception`."""

    def __init__(self, words: Words, night: str = "as_seen") -> None:
        super().__init__(words, night)
        self._names = [OUTSIDE, *words.rules.materials]
        self._ripe: int = words.rules.creatures["plant"]["ripe"]
        items = words.rules.items.items()
        self._limits = {name: item["max"] for name, item in items}

    def look(self, snapshot: Snapshot) -> Moment:
        """Returns what is seen in a snapshot."""
        rows, seen = self._ground(snapshot), self._things(snapshot)
        light = snapshot.daylight if self._as_seen else 1.0
        hidden = self._hidden(rows, light)
        shown = dimmed(rows, hidden)
        x0, y0 = self._offset(snapshot.position, middle(rows))
        creatures = (
            (record.id, record.kind, self._offset(record.position, snapshot.position))
            for record in snapshot.objects
        )
        return Moment(
            snapshot,
            shown,
            self._visible(rows, seen, hidden),
            self._near_dangers(creatures, hidden),
            self._found(shown, x0, y0),
            name_at(snapshot.facing, shown, seen, self._words),
            FACINGS[snapshot.facing],
            snapshot.inventory,
            self._limits,
            snapshot.daylight,
        )

    def privileged(self, snapshot: Snapshot) -> dict[str, Any]:
        """Returns what players cannot see."""
        creatures = [
            {
                "kind": record.kind,
                "position": list(record.position),
                "health": record.health,
            }
            for record in snapshot.objects
            if record.kind != _PLAYER
        ]
        return {
            "position": list(snapshot.position),
            "area": list(snapshot.area),
            "creatures": creatures,
            "counters": {
                name: getattr(snapshot, name)
                for name in ("hunger", "thirst", "fatigue", "recover")
            },
        }

    def _offset(self, position: Offset, centre: Offset) -> Offset:
        return position[0] - centre[0], position[1] - centre[1]

    def _noise(self, offset: Offset, rows: Rows) -> float:
        columns, lines = middle(rows)
        across = (2 * (offset[0] + columns) + 1) / len(rows[0]) - 1
        down = (2 * (offset[1] + lines) + 1) / len(rows) - 1
        return 1 - math.exp(-(across**2 + down**2) / _SPREAD)

    def _ground(self, snapshot: Snapshot) -> Rows:
        names = self._names
        return tuple(tuple(names[i] for i in row) for row in snapshot.ground.T.tolist())

    def _things(self, snapshot: Snapshot) -> tuple[Thing, ...]:
        """Returns the objects in view without the player, in index order."""
        others = (record for record in snapshot.objects if record.kind != _PLAYER)
        return tuple(self._thing(record, snapshot.position) for record in others)

    def _thing(self, record: ObjectRecord, centre: Offset) -> Thing:
        dx, dy = self._offset(record.position, centre)
        facing = ripe = None
        if record.kind == "arrow" and record.facing:
            facing = FACINGS[record.facing]
        if record.kind == "plant":
            ripe = record.counters["grown"] > self._ripe
        return Thing(record.kind, dx, dy, facing, ripe)

    # Events.

    def _event(self, event: Event, moment: Moment) -> Event | None:
        snapshot, rows = moment.snapshot, moment.rows
        shown: Event = {"t": snapshot.step, "type": event["type"]}
        for name, value in event.items():
            if name == "at" or (name == "frm" and event["type"] == "arrow_shot"):
                dx, dy = self._offset(value, snapshot.position)
                if within((dx, dy), rows) in (None, UNCLEAR):
                    return None
                shown |= {"dx": dx, "dy": dy}
            elif name == "facing":
                shown["facing"] = FACINGS[value]
            elif name not in ("type", "id", "left"):
                shown[name] = value
        if event["type"] == "moved":
            dx, dy = self._offset(shown.pop("to"), shown.pop("frm"))
            shown |= {"direction": FACINGS[dx, dy], "onto": within((0, 0), rows)}
        elif event["type"] == "rejected":
            shown["front"] = moment.front
        return shown
