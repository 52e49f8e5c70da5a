"""From the game to an observation: what the picture shows, and nothing else.

Everything comes from `Env.snapshot`. Places become offsets from the player, ids and
hidden numbers (the health of creatures, the age of plants) are dropped, and so are
events that happened out of view.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from crafter import constants
from crafter.lm.tell.facts import Event, Offset, Thing, distance
from crafter.lm.tell.words import FACINGS, OUTSIDE, UNCLEAR, WORDS
from crafter.snapshot import ObjectRecord, Snapshot

_PLAYER = "player"
_RIPE: int = constants.creatures["plant"]["ripe"]
_LISTED_AT_NIGHT = frozenset(WORDS["ores"])
_FINDS = frozenset(WORDS["ores"] + WORDS["stations"])
NEAR = 4  # steps within which a creature or arrow is a threat
_HIDDEN = 0.6  # share of noise in a cell above which it is unclear
_SPREAD = 0.5  # of the darkness from the centre
_NAMES: list[str] = [OUTSIDE, *constants.materials]

Rows = tuple[tuple[str, ...], ...]


def ground(snapshot: Snapshot) -> Rows:
    """Returns the materials of the view, rows from top to bottom.

    Args:
      snapshot: A snapshot with the whole map.
    """
    materials = snapshot.materials
    assert materials is not None, "the snapshot needs whole_map=True"
    columns, rows = snapshot.local_view.shape
    left = snapshot.position[0] - columns // 2
    top = snapshot.position[1] - rows // 2
    window = np.zeros((columns, rows), int)
    xs = slice(max(left, 0), max(left + columns, 0))
    ys = slice(max(top, 0), max(top + rows, 0))
    inside = materials[xs, ys]
    x, y = max(-left, 0), max(-top, 0)
    window[x : x + inside.shape[0], y : y + inside.shape[1]] = inside
    return tuple(tuple(_NAMES[i] for i in row) for row in window.T.tolist())


def things(snapshot: Snapshot) -> tuple[Thing, ...]:
    """Returns the objects in view without the player, in index order."""
    return tuple(
        _thing(record, snapshot.position)
        for record in snapshot.objects
        if record.kind != _PLAYER
    )


def _thing(record: ObjectRecord, centre: Offset) -> Thing:
    dx, dy = _offset(record.position, centre)
    facing = (
        FACINGS[record.facing] if record.kind == "arrow" and record.facing else None
    )
    ripe = record.counters["grown"] > _RIPE if record.kind == "plant" else None
    return Thing(record.kind, dx, dy, facing, ripe)


def _offset(position: Offset, centre: Offset) -> Offset:
    return position[0] - centre[0], position[1] - centre[1]


def events(snapshot: Snapshot, rows: Rows) -> tuple[Event, ...]:
    """Returns the events of the latest step as the player could see them.

    Args:
      snapshot: The moment after the step.
      rows: Materials of the view as far as they can be seen.
    """
    shown = (_event(event, snapshot, rows) for event in snapshot.events)
    return tuple(event for event in shown if event is not None)


def _event(event: Event, snapshot: Snapshot, rows: Rows) -> Event | None:
    if event["type"] in WORDS["silent"]:
        return None
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
        shown |= {
            "direction": FACINGS[dx, dy],
            "onto": rows[_middle(rows)[1]][_middle(rows)[0]],
        }
    elif event["type"] == "rejected":
        shown["front"] = _front(snapshot, rows)
    return shown


def _middle(rows: Rows) -> Offset:
    return len(rows[0]) // 2, len(rows) // 2


def _is_seen(offset: Offset, rows: Rows) -> bool:
    x, y = (a + b for a, b in zip(offset, _middle(rows)))
    inside = 0 <= x < len(rows[0]) and 0 <= y < len(rows)
    return inside and rows[y][x] != UNCLEAR


def _front(snapshot: Snapshot, rows: Rows) -> str:
    for thing in things(snapshot):
        if thing.offset == snapshot.facing:
            return thing.name
    x, y = (a + b for a, b in zip(snapshot.facing, _middle(rows)))
    return rows[y][x]


def is_unclear(offset: Offset, rows: Rows, daylight: float) -> bool:
    """Tells whether the noise of the night hides a cell.

    Args:
      offset: The cell, relative to the player.
      rows: Materials of the view.
      daylight: From 0 to 1.

    Example:
      >>> view = (("grass",) * 9,) * 7
      >>> is_unclear((4, 0), view, daylight=0.5), is_unclear((4, 0), view, daylight=0)
      (False, True)
    """
    if daylight >= constants.time["dark"]:
        return False
    x, y = (a + b for a, b in zip(offset, _middle(rows)))
    across = (2 * x + 1) / len(rows[0]) - 1
    down = (2 * y + 1) / len(rows) - 1
    darkness = 1 - math.exp(-(across**2 + down**2) / _SPREAD)
    return 2 * (constants.time["dark"] - daylight) * darkness > _HIDDEN


def dim(rows: Rows, seen: tuple[Thing, ...], daylight: float) -> tuple[Rows, Any]:
    """Returns the view as far as the darkness lets it be seen.

    An unclear cell with a creature or an ore keeps "something" of kind `unclear`.

    Args:
      rows: Materials of the view.
      seen: Objects in the view.
      daylight: From 0 to 1.

    Returns:
      Rows with `unclear` cells, and the things.
    """
    if daylight >= constants.time["dark"]:
        return rows, seen
    middle = _middle(rows)
    hidden = {
        (x - middle[0], y - middle[1]): name
        for y, row in enumerate(rows)
        for x, name in enumerate(row)
        if is_unclear((x - middle[0], y - middle[1]), rows, daylight)
    }
    dimmed = tuple(
        tuple(
            UNCLEAR if (x - middle[0], y - middle[1]) in hidden else name
            for x, name in enumerate(row)
        )
        for y, row in enumerate(rows)
    )
    clear = tuple(thing for thing in seen if thing.offset not in hidden)
    places = {thing.offset for thing in seen if thing.kind != "plant"} & hidden.keys()
    places |= {place for place, name in hidden.items() if name in _LISTED_AT_NIGHT}
    return dimmed, clear + tuple(Thing(UNCLEAR, *place) for place in sorted(places))


@dataclasses.dataclass(frozen=True)
class Moment:
    """What is seen at one moment.

    Attributes:
      snapshot: The moment; more than players see.
      rows: Materials of the view as far as they can be seen.
      things: Objects in view as far as they can be seen.
      dangers: Ids of the visible hostile creatures and arrows that are near.
      finds: Places (x, y) on the map with a visible ore or station, and their names.
    """

    snapshot: Snapshot
    rows: Rows
    things: tuple[Thing, ...]
    dangers: dict[int, str]
    finds: dict[Offset, str]

    @property
    def front(self) -> str:
        """What the player faces: an object, else the material."""
        return _front(self.snapshot, self.rows)


def look(snapshot: Snapshot, night: str = "as_seen") -> Moment:
    """Returns what is seen in a snapshot with the whole map.

    Args:
      snapshot: The snapshot.
      night: `as_seen`, so that darkness hides what it hides in the picture, or
        `clear`.
    """
    rows, seen = ground(snapshot), things(snapshot)
    light = snapshot.daylight if night == "as_seen" else 1.0
    dimmed, visible = dim(rows, seen, light)
    return Moment(
        snapshot,
        dimmed,
        visible,
        _dangers(snapshot, rows, light),
        _finds(snapshot, dimmed),
    )


def _dangers(snapshot: Snapshot, rows: Rows, light: float) -> dict[int, str]:
    near = {}
    for record in snapshot.objects:
        offset = _offset(record.position, snapshot.position)
        if record.kind not in WORDS["dangers"] or distance(offset) > NEAR:
            continue
        if not is_unclear(offset, rows, light):
            near[record.id] = record.kind
    return near


def _finds(snapshot: Snapshot, rows: Rows) -> dict[Offset, str]:
    x0, y0 = (a - b for a, b in zip(snapshot.position, _middle(rows)))
    return {
        (x0 + x, y0 + y): name
        for y, row in enumerate(rows)
        for x, name in enumerate(row)
        if name in _FINDS
    }


def hidden(snapshot: Snapshot) -> dict[str, Any]:
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
