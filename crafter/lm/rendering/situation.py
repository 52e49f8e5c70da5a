"""What an agent knows at one moment, as facts; the renderers make words of them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from crafter.lm.rendering.facts import (
    VECTORS,
    GoalState,
    Offset,
    Rows,
    StepRecord,
    Style,
    Thing,
    walking_order,
)
from crafter.lm.rendering.words import CRAFTER, OUTSIDE, UNCLEAR, Words


@dataclasses.dataclass(frozen=True)
class Situation:
    """What an agent knows at one moment: facts, without a form.

    Attributes:
      step: Steps taken in this game.
      step_limit: Steps after which it ends, or `None`.
      calls_left: Calls that may still be made, or `None`.
      clock: Steps on the clock of the day.
      daylight: From 0 (darkest) to 1 (noon); `None` where it cannot be seen.
      facing: `left`, `right`, `up` or `down`.
      asleep: Whether the player sleeps.
      inventory: Item name -> amount.
      limits: Item name -> maximum.
      rows: Materials of the view from top to bottom; `outside` and `unclear`
        included. The player is in the middle.
      things: Objects in view, the player not included.
      falling: Vitals that fell within the last steps.
      steps: What happened since the last observation.
      status: What else this game shows of the player: name -> value for JSON.
      achievements: Achievements so far, in table order.
      done: Whether the game is over.
      reason: Why; `None` while it goes on.
      goal: The task, if one is attempted; else `None`.
      notes: Sentences of the interface: why a batch stopped, what was not understood.
      memory: Map of what was seen earlier, or `None`.
      available: Actions that would have an effect now, or `None` if not told.
      privileged: What players cannot see, or `None`.
      style: How to tell it.
      words: The words of the game, and its rules.
      picture: Draws the moment at a size (width, height), by default the usual one; or
        `None`.
    """

    step: int
    step_limit: int | None
    clock: int
    daylight: float | None
    facing: str
    asleep: bool
    inventory: dict[str, int]
    limits: dict[str, int]
    rows: Rows
    things: tuple[Thing, ...]
    calls_left: int | None = None
    falling: tuple[str, ...] = ()
    steps: tuple[StepRecord, ...] = ()
    status: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    achievements: tuple[str, ...] = ()
    done: bool = False
    reason: str | None = None
    goal: GoalState | None = None
    notes: tuple[str, ...] = ()
    memory: str | None = None
    available: tuple[str, ...] | None = None
    privileged: dict[str, Any] | None = None
    style: Style = Style()
    words: Words = dataclasses.field(default=CRAFTER, repr=False, compare=False)
    picture: Callable[[tuple[int, int] | None], np.ndarray] | None = None

    # Facts that follow from the others.

    @property
    def middle(self) -> Offset:
        """Column and row of the player in the view."""
        return len(self.rows[0]) // 2, len(self.rows) // 2

    @property
    def day(self) -> int:
        """Number of the day, from 1."""
        length: int = self.words.book.time["day"]
        return self.clock // length + 1

    @property
    def phase(self) -> str:
        """Name of the time of day."""
        return self.words.phase(self.clock)

    @property
    def front(self) -> str:
        """What the player faces: an object, else the material."""
        return self.at(VECTORS[self.facing])

    @property
    def on(self) -> str:
        """Material under the player."""
        return self.material((0, 0))

    @property
    def unlocked(self) -> tuple[str, ...]:
        """Achievements unlocked since the last observation."""
        return tuple(name for step in self.steps for name in step.unlocked)

    @property
    def reward(self) -> float:
        """Sum of rewards since the last observation."""
        return math.fsum(step.reward for step in self.steps)

    @property
    def open_ground(self) -> tuple[str, ...]:
        """Directions in which the player can walk safely."""
        return tuple(
            name
            for name in ("up", "right", "down", "left")
            if self.at(VECTORS[name]) in self.words.book.walkable
        )

    @property
    def here(self) -> tuple[str, ...]:
        """Names of what lies or flies where the player stands."""
        return tuple(thing.name for thing in self.things if thing.offset == (0, 0))

    def material(self, offset: Offset) -> str:
        """Returns the material at an offset; `outside` beyond the view as well."""
        return within(offset, self.rows) or OUTSIDE

    def at(self, offset: Offset) -> str:
        """Returns the name of the object at an offset, else of the material."""
        return name_at(offset, self.rows, self.things, self.words)

    def places(self) -> Iterator[tuple[str, Offset]]:
        """Yields what is in view, its name and place, in walking order.

        Left out are the player, cells outside the map, and unclear cells that hold
        nothing of interest.
        """
        found: dict[Offset, list[str]] = {}
        covered = {thing.offset for thing in self.things if not thing.flat}
        for thing in self.things:
            found.setdefault(thing.offset, []).append(thing.name)
        columns, rows = self.middle
        for y, row in enumerate(self.rows, -rows):
            for x, name in enumerate(row, -columns):
                if name not in (OUTSIDE, UNCLEAR) and (x, y) not in covered:
                    found.setdefault((x, y), []).append(name)
        for offset in sorted(found.keys() - {(0, 0)}, key=walking_order):
            yield from ((name, offset) for name in found[offset])


def within(offset: Offset, rows: Rows) -> str | None:
    """Returns the material at an offset, `None` beyond the view."""
    x, y = offset[0] + len(rows[0]) // 2, offset[1] + len(rows) // 2
    return rows[y][x] if 0 <= x < len(rows[0]) and 0 <= y < len(rows) else None


def name_at(offset: Offset, rows: Rows, things: Iterable[Thing], words: Words) -> str:
    """Returns the name of the object at an offset, else of the material.

    What lies flat counts only on ground.
    """
    here = [thing for thing in things if thing.offset == offset]
    material = within(offset, rows) or OUTSIDE
    flat = material in words.background
    return next((t.name for t in here if flat or not t.flat), material)
