"""From the game to an observation: what the picture shows, and nothing else.

Everything comes from `Env.snapshot`. Places become offsets from the player, ids and
hidden numbers (the health of creatures, the age of plants) are dropped, and so are
events that happened out of view.
"""

from __future__ import annotations

import abc
import dataclasses
import math
from collections.abc import Hashable, Mapping
from typing import Any

from crafter.games.crafter.snapshot import ObjectRecord, Snapshot
from crafter.lm.rendering.facts import FACINGS, Event, Offset, Rows, Thing, distance
from crafter.lm.rendering.situation import name_at, within
from crafter.lm.rendering.words import CRAFTER, OUTSIDE, UNCLEAR, Words

NIGHTS = ("as_seen", "clear")
NEAR = 4  # steps within which a creature or arrow is a threat
_HIDDEN = 0.6  # share of noise in a cell above which it is unclear
_SPREAD = 0.5  # of the darkness from the centre
_PLAYER = "player"


@dataclasses.dataclass(frozen=True)
class Moment:
    """What is seen at one moment.

    Attributes:
      snapshot: The moment; more than players see.
      rows: Materials of the view as far as they can be seen, from top to bottom.
      things: Objects in view as far as they can be seen; of several in one cell the one
        that matters most comes first.
      dangers: Visible hostile creatures and arrows that are near, by a key of each.
      finds: Places on the map with a visible ore or station, and their names.
      front: What the player faces: an object, else the material.
      facing: Direction in which the player looks.
      inventory: Item name -> amount; vitals included.
      limits: Item name -> maximum.
      daylight: From 0 (darkest) to 1 (noon); `None` where it cannot be seen.
      resting: Whether the player rests.
      status: What else the game shows: name -> value for JSON.
    """

    snapshot: Any
    rows: Rows
    things: tuple[Thing, ...]
    dangers: Mapping[Hashable, str]
    finds: Mapping[Hashable, str]
    front: str
    facing: str
    inventory: Mapping[str, int]
    limits: Mapping[str, int]
    daylight: float | None
    resting: bool = False
    status: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def idle(self) -> bool:
        """Whether the player sleeps or rests."""
        return self.snapshot.sleeping or self.resting


class Eye(abc.ABC):
    """Sees what the player sees.

    A subclass knows the snapshots of a game.

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
        self._words, self._as_seen = words, night == "as_seen"
        self._dark: float = words.book.time["dark"]
        self._finds = frozenset(words.ores + words.stations)

    @abc.abstractmethod
    def look(self, snapshot: Any) -> Moment:
        """Returns what is seen in a snapshot."""

    @abc.abstractmethod
    def privileged(self, snapshot: Any) -> dict[str, Any]:
        """Returns what players cannot see."""

    @abc.abstractmethod
    def _offset(self, position: Offset, centre: Offset) -> Offset:
        """Returns the cells to the right and down from one position to another."""

    @abc.abstractmethod
    def _event(self, event: Event, moment: Moment) -> Event | None:
        """Returns an event as the player could see it; `None` if it could not."""

    # Darkness.

    def _hidden(self, rows: Rows, light: float) -> frozenset[Offset]:
        """Returns the cells of the view that the noise of the night hides."""
        if light >= self._dark:
            return frozenset()
        columns, lines = middle(rows)
        cells = (
            (x - columns, y - lines)
            for y in range(len(rows))
            for x in range(len(rows[0]))
        )
        return frozenset(
            cell
            for cell in cells
            if 2 * (self._dark - light) * self._noise(cell, rows) > _HIDDEN
        )

    @abc.abstractmethod
    def _noise(self, offset: Offset, rows: Rows) -> float:
        """Returns how much of a cell the darkest night hides, from 0 to 1."""

    def _visible(
        self, rows: Rows, seen: tuple[Thing, ...], hidden: frozenset[Offset]
    ) -> tuple[Thing, ...]:
        """Returns the objects that are clear, and "something" in unclear cells.

        Something is where a creature or an ore is hidden.
        """
        if not hidden:
            return seen
        clear = tuple(thing for thing in seen if thing.offset not in hidden)
        alive = (t for t in seen if not t.flat and t.kind != "plant")
        places = {thing.offset for thing in alive if thing.offset in hidden}
        ores = self._words.ores
        places |= {place for place in hidden if within(place, rows) in ores}
        return clear + tuple(Thing(UNCLEAR, *place) for place in sorted(places))

    # Events.

    def events(self, moment: Moment) -> tuple[Event, ...]:
        """Returns the events of the latest step as the player could see them."""
        silent = self._words["silent"]
        told = (e for e in moment.snapshot.events if e["type"] not in silent)
        shown = (self._event(event, moment) for event in told)
        return tuple(event for event in shown if event is not None)


class CrafterEye(Eye):
    """Sees what the player of Crafter sees; arguments as for `Eye`."""

    def __init__(self, words: Words = CRAFTER, night: str = "as_seen") -> None:
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
        return Moment(
            snapshot,
            shown,
            self._visible(rows, seen, hidden),
            self._dangers(snapshot, hidden),
            self._found(snapshot, shown),
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

    # What matters.

    def _dangers(
        self, snapshot: Snapshot, hidden: frozenset[Offset]
    ) -> dict[Hashable, str]:
        near: dict[Hashable, str] = {}
        for record in snapshot.objects:
            offset = self._offset(record.position, snapshot.position)
            dangerous = record.kind in self._words.dangers
            if dangerous and distance(offset) <= NEAR and offset not in hidden:
                near[record.id] = record.kind
        return near

    def _found(self, snapshot: Snapshot, rows: Rows) -> dict[Hashable, str]:
        x0, y0 = self._offset(snapshot.position, middle(rows))
        return {
            (x0 + x, y0 + y): name
            for y, row in enumerate(rows)
            for x, name in enumerate(row)
            if name in self._finds
        }

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


def middle(rows: Rows) -> Offset:
    """Returns the column and the row of the player in a view."""
    return len(rows[0]) // 2, len(rows) // 2


def dimmed(rows: Rows, hidden: frozenset[Offset]) -> Rows:
    """Returns the view with `unclear` cells."""
    if not hidden:
        return rows
    columns, lines = middle(rows)
    return tuple(
        tuple(
            UNCLEAR if (x - columns, y - lines) in hidden else name
            for x, name in enumerate(row)
        )
        for y, row in enumerate(rows)
    )
