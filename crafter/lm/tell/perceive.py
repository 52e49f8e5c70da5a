"""From the game to an observation: what the picture shows, and nothing else.

Everything comes from `Env.snapshot`. Places become offsets from the player, ids and
hidden numbers (the health of creatures, the age of plants) are dropped, and so are
events that happened out of view.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from crafter.lm.tell.facts import FACINGS, Event, Offset, Thing, distance
from crafter.lm.tell.words import CRAFTER, OUTSIDE, UNCLEAR, Words
from crafter.snapshot import ObjectRecord, Snapshot

NIGHTS = ("as_seen", "clear")
NEAR = 4  # steps within which a creature or arrow is a threat
_HIDDEN = 0.6  # share of noise in a cell above which it is unclear
_SPREAD = 0.5  # of the darkness from the centre
_PLAYER = "player"

Rows = tuple[tuple[str, ...], ...]


@dataclasses.dataclass(frozen=True)
class Moment:
    """What is seen at one moment.

    Attributes:
      snapshot: The moment; more than players see.
      rows: Materials of the view as far as they can be seen, from top to bottom.
      things: Objects in view as far as they can be seen.
      dangers: Ids of the visible hostile creatures and arrows that are near.
      finds: Places (x, y) on the map with a visible ore or station, and their names.
      front: What the player faces: an object, else the material.
    """

    snapshot: Snapshot
    rows: Rows
    things: tuple[Thing, ...]
    dangers: dict[int, str]
    finds: dict[Offset, str]
    front: str


class Eye:
    """Sees what the player sees.

    Args:
      words: Names of materials, and which things matter.
      night: `as_seen`, so that darkness hides what it hides in the picture, or
        `clear`.

    Raises:
      ValueError: If `night` is something else.
    """

    def __init__(self, words: Words = CRAFTER, night: str = "as_seen") -> None:
        if night not in NIGHTS:
            raise ValueError(f"night must be one of {list(NIGHTS)}, got {night!r}.")
        self._words, self._night = words, night
        self._names = [OUTSIDE, *words.rules.materials]
        self._ripe: int = words.rules.creatures["plant"]["ripe"]
        self._dark: float = words.rules.time["dark"]
        self._finds = frozenset(words.ores + words.stations)

    def look(self, snapshot: Snapshot) -> Moment:
        """Returns what is seen in a snapshot."""
        rows, seen = self._ground(snapshot), self._things(snapshot)
        light = snapshot.daylight if self._night == "as_seen" else 1.0
        hidden = self._hidden(rows, light)
        dimmed = _dimmed(rows, hidden)
        ahead = (thing.name for thing in seen if thing.offset == snapshot.facing)
        return Moment(
            snapshot,
            dimmed,
            self._visible(rows, seen, hidden),
            self._dangers(snapshot, hidden),
            self._found(snapshot, dimmed),
            next(ahead, None) or _at(snapshot.facing, dimmed),
        )

    def _ground(self, snapshot: Snapshot) -> Rows:
        names = self._names
        return tuple(tuple(names[i] for i in row) for row in snapshot.ground.T.tolist())

    def _things(self, snapshot: Snapshot) -> tuple[Thing, ...]:
        """Returns the objects in view without the player, in index order."""
        others = (record for record in snapshot.objects if record.kind != _PLAYER)
        return tuple(self._thing(record, snapshot.position) for record in others)

    def _thing(self, record: ObjectRecord, centre: Offset) -> Thing:
        dx, dy = _offset(record.position, centre)
        facing = ripe = None
        if record.kind == "arrow" and record.facing:
            facing = FACINGS[record.facing]
        if record.kind == "plant":
            ripe = record.counters["grown"] > self._ripe
        return Thing(record.kind, dx, dy, facing, ripe)

    # Darkness.

    def _hidden(self, rows: Rows, light: float) -> frozenset[Offset]:
        """Returns the cells of the view that the noise of the night hides."""
        if light >= self._dark:
            return frozenset()
        columns, lines = _middle(rows)
        cells = (
            (x - columns, y - lines)
            for y in range(len(rows))
            for x in range(len(rows[0]))
        )
        return frozenset(
            cell for cell in cells if is_unclear(cell, rows, light, self._dark)
        )

    def _visible(
        self, rows: Rows, seen: tuple[Thing, ...], hidden: frozenset[Offset]
    ) -> tuple[Thing, ...]:
        """Returns the objects that are clear, and "something" in unclear cells.

        Something is where a creature or an ore is hidden.
        """
        if not hidden:
            return seen
        clear = tuple(thing for thing in seen if thing.offset not in hidden)
        places = {t.offset for t in seen if t.kind != "plant" and t.offset in hidden}
        places |= {place for place in hidden if _at(place, rows) in self._words.ores}
        return clear + tuple(Thing(UNCLEAR, *place) for place in sorted(places))

    # What matters.

    def _dangers(self, snapshot: Snapshot, hidden: frozenset[Offset]) -> dict[int, str]:
        near = {}
        for record in snapshot.objects:
            offset = _offset(record.position, snapshot.position)
            dangerous = record.kind in self._words.dangers
            if dangerous and distance(offset) <= NEAR and offset not in hidden:
                near[record.id] = record.kind
        return near

    def _found(self, snapshot: Snapshot, rows: Rows) -> dict[Offset, str]:
        x0, y0 = _offset(snapshot.position, _middle(rows))
        return {
            (x0 + x, y0 + y): name
            for y, row in enumerate(rows)
            for x, name in enumerate(row)
            if name in self._finds
        }

    # Events.

    def events(self, moment: Moment) -> tuple[Event, ...]:
        """Returns the events of the latest step as the player could see them."""
        silent = self._words["silent"]
        told = (e for e in moment.snapshot.events if e["type"] not in silent)
        shown = (self._event(event, moment) for event in told)
        return tuple(event for event in shown if event is not None)

    def _event(self, event: Event, moment: Moment) -> Event | None:
        snapshot, rows = moment.snapshot, moment.rows
        shown: Event = {"t": snapshot.step, "type": event["type"]}
        for name, value in event.items():
            if name == "at" or (name == "frm" and event["type"] == "arrow_shot"):
                dx, dy = _offset(value, snapshot.position)
                if not _is_seen((dx, dy), rows):
                    return None
                shown |= {"dx": dx, "dy": dy}
            elif name == "facing":
                shown["facing"] = FACINGS[value]
            elif name not in ("type", "id", "left"):
                shown[name] = value
        if event["type"] == "moved":
            dx, dy = _offset(shown.pop("to"), shown.pop("frm"))
            shown |= {"direction": FACINGS[dx, dy], "onto": _at((0, 0), rows)}
        elif event["type"] == "rejected":
            shown["front"] = moment.front
        return shown


def _offset(position: Offset, centre: Offset) -> Offset:
    return position[0] - centre[0], position[1] - centre[1]


def _middle(rows: Rows) -> Offset:
    return len(rows[0]) // 2, len(rows) // 2


def _at(offset: Offset, rows: Rows) -> str:
    return _within(offset, rows) or OUTSIDE


def _is_seen(offset: Offset, rows: Rows) -> bool:
    return _within(offset, rows) not in (None, UNCLEAR)


def _within(offset: Offset, rows: Rows) -> str | None:
    """Returns the material at an offset, `None` beyond the view."""
    x, y = (a + b for a, b in zip(offset, _middle(rows)))
    return rows[y][x] if 0 <= x < len(rows[0]) and 0 <= y < len(rows) else None


def is_unclear(offset: Offset, rows: Rows, daylight: float, dark: float = 0.5) -> bool:
    """Returns whether the noise of the night hides a cell.

    Args:
      offset: The cell, relative to the player.
      rows: Materials of the view.
      daylight: From 0 to 1.
      dark: Daylight below which it is night.

    Example:
      >>> view = (("grass",) * 9,) * 7
      >>> is_unclear((4, 0), view, daylight=0.5), is_unclear((4, 0), view, daylight=0)
      (False, True)
    """
    if daylight >= dark:
        return False
    x, y = (a + b for a, b in zip(offset, _middle(rows)))
    across = (2 * x + 1) / len(rows[0]) - 1
    down = (2 * y + 1) / len(rows) - 1
    darkness = 1 - math.exp(-(across**2 + down**2) / _SPREAD)
    return 2 * (dark - daylight) * darkness > _HIDDEN


def _dimmed(rows: Rows, hidden: frozenset[Offset]) -> Rows:
    """Returns the view with `unclear` cells."""
    if not hidden:
        return rows
    columns, lines = _middle(rows)
    return tuple(
        tuple(
            UNCLEAR if (x - columns, y - lines) in hidden else name
            for x, name in enumerate(row)
        )
        for y, row in enumerate(rows)
    )


def privileged(snapshot: Snapshot) -> dict[str, Any]:
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
