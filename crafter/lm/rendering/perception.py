"""Perception: what the picture shows of a snapshot, and nothing else.

Places become offsets from the player; ids and hidden numbers (the health of creatures,
the age of plants) are dropped, and so are events that happened out of view.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from crafter.core.validation import one_of
from crafter.lm.rendering.facts import (
    UNCLEAR,
    Event,
    Offset,
    Rows,
    Thing,
    cells,
    distance,
    within,
)
from crafter.lm.rendering.words import Words

NIGHTS = ("as_seen", "clear")
NEAR = 4  # steps within which a creature or arrow is a threat
_HIDDEN = 0.6  # share of noise in a cell above which it is unclear


@dataclasses.dataclass(frozen=True)
class Moment:
    """Visible part of one moment.

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


class Perception(abc.ABC):
    """Reads from snapshots what the player can see; a subclass knows those of a game.

    Args:
      words: Names of materials, and which things matter.
      night: `as_seen`, so that darkness hides what it hides in the picture, or
        `clear`.

    Raises:
      ValueError: If `night` is something else.
    """

    def __init__(self, words: Words, night: str = "as_seen") -> None:
        one_of("night", night, NIGHTS)
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
        share = 2 * (self._dark - light)
        noise = ((cell, self._noise(cell, rows)) for cell, _ in cells(rows))
        return frozenset(cell for cell, most in noise if share * most > _HIDDEN)

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
        alive = (t for t in seen if not t.flat and t.ripe is None)
        places = {thing.offset for thing in alive if thing.offset in hidden}
        ores = self._words.ores
        places |= {place for place in hidden if within(place, rows) in ores}
        return clear + tuple(Thing(UNCLEAR, *place) for place in sorted(places))

    # What matters.

    def _near_dangers(
        self,
        creatures: Iterable[tuple[Hashable, str, Offset]],
        hidden: frozenset[Offset],
    ) -> dict[Hashable, str]:
        """Returns those of some creatures that are visible, near and hostile.

        Args:
          creatures: A key, the kind and the offset of each.
          hidden: Offsets that cannot be seen.
        """
        return {
            key: kind
            for key, kind, offset in creatures
            if kind in self._words.dangers
            and distance(offset) <= NEAR
            and offset not in hidden
        }

    def _found(
        self, rows: Rows, left: int, top: int, floor: int = 0
    ) -> dict[Hashable, str]:
        """Returns the ores and stations in view by their places on the map."""
        return {
            (floor, left + x, top + y): name
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


def dimmed(rows: Rows, hidden: frozenset[Offset]) -> Rows:
    """Returns the view with `unclear` cells."""
    if not hidden:
        return rows
    names = [UNCLEAR if at in hidden else name for at, name in cells(rows)]
    width = len(rows[0])
    return tuple(tuple(names[i : i + width]) for i in range(0, len(names), width))
