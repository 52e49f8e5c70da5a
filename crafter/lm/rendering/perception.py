"""Perception: what the picture of a snapshot shows, and nothing else.

Positions become offsets from the player; ids, hidden values (health of creatures, age
of plants) and events out of view are dropped.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from crafter.core.grid import distance
from crafter.core.validation import one_of
from crafter.lm.rendering import facts
from crafter.lm.rendering.facts import Event, Offset, Rows, Thing
from crafter.lm.rendering.words import Words

NIGHTS = ("as_seen", "clear")
NEAR = 4  # distance at which a creature or arrow is a threat
#: Names of cells out of view or in the dark.
DARK = (None, facts.UNCLEAR, facts.DARKNESS)
_LEFT_OUT = frozenset(["type", "id", "slot", "left", "absorbed", "first"])
_SHOTS = ("arrow_shot", "shot")
_HIDDEN = 0.6  # noise level above which a cell is unclear


@dataclasses.dataclass(frozen=True)
class Moment:
    """The visible part of a snapshot.

    Attributes:
      snapshot: The snapshot; it holds more than players can see.
      rows: Materials of the view as far as visible, from top to bottom.
      things: Objects in view as far as visible; within a cell, the most important one
        comes first.
      dangers: Visible hostile creatures and arrows nearby, by key.
      finds: Visible ores and stations, by key of their position on the map.
      front: What the player faces: an object, else the material.
      facing: Facing direction of the player.
      inventory: Item name -> amount, including vitals.
      limits: Item name -> maximum.
      daylight: From 0 (darkest) to 1 (noon); `None` if not visible.
      resting: Whether the player is resting.
      status: Further status of this game: name -> JSON value.
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
        """Whether the player is asleep or resting."""
        return self.snapshot.sleeping or self.resting


class Perception(abc.ABC):
    """Reads what the player can see from snapshots; subclassed for each game.

    Args:
      words: Vocabulary of the game.
      night: `as_seen` hides what darkness hides in the picture; `clear` does not.

    Raises:
      ValueError: If `night` is anything else.
    """

    def __init__(self, words: Words, night: str = "as_seen") -> None:
        one_of("night", night, NIGHTS)
        self._words, self._as_seen = words, night == "as_seen"
        self._dark: float = words.time["dark"]
        self._noises: dict[tuple[int, int], tuple[tuple[Offset, float], ...]] = {}
        self._finds = frozenset(words.ores + words.stations)

    # Implemented by each game.

    @abc.abstractmethod
    def _view(self, snapshot: Any) -> tuple[Rows, Iterable[Thing]]:
        """Returns the materials and objects in view, without the player.

        Within a cell, the most important object comes first.
        """

    @abc.abstractmethod
    def _moment_fields(self, snapshot: Any) -> dict[str, Any]:
        """Returns the fields of a `Moment` from `inventory` on."""

    @abc.abstractmethod
    def privileged(self, snapshot: Any) -> dict[str, Any]:
        """Returns information that players cannot see."""

    @abc.abstractmethod
    def _offset(self, position: Offset, centre: Offset) -> Offset:
        """Returns the offset (right, down) from one position to another."""

    @abc.abstractmethod
    def _noise(self, offset: Offset, rows: Rows) -> float:
        """Returns the noise in a cell at the darkest hour, from 0 to 1."""

    # Moments.

    def look(self, snapshot: Any) -> Moment:
        """Returns what is visible in a snapshot."""
        rows, objects = self._view(snapshot)
        fields, things = self._moment_fields(snapshot), tuple(objects)
        hidden = self._hidden(rows, fields["daylight"])
        if hidden:
            things = self._visible(rows, things, hidden)
            names = (
                facts.UNCLEAR if at in hidden else name for at, name in rows.cells()
            )
            rows = Rows(zip(*[names] * len(rows[0])))
        facing = self._offset(snapshot.facing, (0, 0))
        x, y = self._offset(snapshot.position, (0, 0))
        floor, near = getattr(snapshot, "level", 0), self._words.dangers
        return Moment(
            snapshot=snapshot,
            rows=rows,
            things=things,
            dangers={
                thing.key: thing.kind
                for thing in things
                if thing.kind in near
                and thing.key is not None
                and distance(thing.offset) <= NEAR
            },
            finds={
                (floor, x + dx, y + dy): name
                for (dx, dy), name in rows.cells()
                if name in self._finds
            },
            front=facts.name_at(facing, rows, things, self._words),
            facing=facts.FACINGS[facing],
            **fields,
        )

    # Darkness.

    def _hidden(self, rows: Rows, light: float | None) -> frozenset[Offset]:
        """Returns the cells of the view hidden by the noise of the night."""
        if light is None or light >= self._dark or not self._as_seen:
            return frozenset()
        share = 2 * (self._dark - light)
        size = len(rows[0]), len(rows)
        if size not in self._noises:
            noise = ((cell, self._noise(cell, rows)) for cell, _ in rows.cells())
            self._noises[size] = tuple(noise)
        noises = self._noises[size]
        return frozenset(cell for cell, most in noises if share * most > _HIDDEN)

    def _visible(
        self, rows: Rows, seen: tuple[Thing, ...], hidden: frozenset[Offset]
    ) -> tuple[Thing, ...]:
        """Returns the clearly visible objects, and "something" for unclear cells.

        These are cells where a creature or an ore is hidden.
        """
        clear = tuple(thing for thing in seen if thing.offset not in hidden)
        alive = (t for t in seen if not t.flat and t.ripe is None)
        places = {thing.offset for thing in alive if thing.offset in hidden}
        ores = self._words.ores
        places |= {at for at, name in rows.cells() if name in ores and at in hidden}
        return clear + tuple(Thing(facts.UNCLEAR, *place) for place in sorted(places))

    # Events.

    def events(self, moment: Moment) -> tuple[Event, ...]:
        """Returns the events of the latest step as visible to the player."""
        silent = self._words["silent"]
        events = (e for e in moment.snapshot.events if e["type"] not in silent)
        shown = (self._event(event, moment) for event in events)
        return tuple(event for event in shown if event is not None)

    def _event(self, event: Event, moment: Moment) -> Event | None:
        """Returns an event as visible to the player; `None` if it was not."""
        kind, snapshot = event["type"], moment.snapshot
        shown: Event = {"t": snapshot.step, "type": kind}
        own_shot = kind == "shot" and event["by"] == "player"
        felt = own_shot or kind in self._words["felt"]
        for name, value in event.items():
            if name == "at" or (name == "frm" and kind in _SHOTS):
                offset = self._offset(value, snapshot.position)
                if moment.rows.at(offset) in DARK and not felt:
                    return None
                shown["dx"], shown["dy"] = offset
            elif name in ("facing", "direction"):
                shown[name] = facts.FACINGS.get(self._offset(value, (0, 0)))
            elif name not in _LEFT_OUT:
                shown[name] = value
        if kind == "moved":
            step = self._offset(shown.pop("to"), shown.pop("frm"))
            shown |= {"direction": facts.FACINGS[step], "onto": moment.rows.at((0, 0))}
        elif kind == "rejected":
            shown["front"] = moment.front
        return shown
