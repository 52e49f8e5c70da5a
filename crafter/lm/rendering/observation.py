"""Observation: what an agent knows at one moment, in several forms."""

from __future__ import annotations

import base64
import dataclasses
import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import imageio.v3 as iio
import numpy as np

from crafter.core.clock import part
from crafter.lm.rendering import ascii_map, json_form, markup, text
from crafter.lm.rendering.facts import (
    OUTSIDE,
    UNCLEAR,
    VECTORS,
    Offset,
    Rows,
    StepRecord,
    Style,
    Thing,
    cells,
    middle,
    name_at,
    walking_order,
    within,
)
from crafter.lm.rendering.messages import Reporter
from crafter.lm.rendering.words import Words

if TYPE_CHECKING:
    from crafter.tasks.env.single import GoalState

FORMATS = ("text", "md", "xml", "json", "ascii")


@dataclasses.dataclass(frozen=True)
class Observation:
    """Observation of an agent at one moment, in several forms.

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
    words: Words = dataclasses.field(repr=False, compare=False)
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
    picture: Callable[[tuple[int, int] | None], np.ndarray] | None = None

    # Facts that follow from the others.

    @property
    def middle(self) -> Offset:
        """Column and row of the player in the view."""
        return middle(self.rows)

    @property
    def day(self) -> int:
        """Number of the day, from 1."""
        return self.clock // int(self.words.book.time["day"]) + 1

    @property
    def phase(self) -> str:
        """Name of the time of day."""
        return part(self.clock, self.words.book.time)

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
        ways, walkable = ("up", "right", "down", "left"), self.words.book.walkable
        return tuple(way for way in ways if self.at(VECTORS[way]) in walkable)

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
        for offset, name in cells(self.rows):
            if name not in (OUTSIDE, UNCLEAR) and offset not in covered:
                found.setdefault(offset, []).append(name)
        for offset in sorted(found.keys() - {(0, 0)}, key=walking_order):
            yield from ((name, offset) for name in found[offset])

    def happened(self, directions: str) -> list[str]:
        """Returns what happened since the last observation, one line an action."""
        reporter = Reporter(self.words, self.inventory, self.limits, directions)
        return reporter.lines(self.steps)

    # Forms.

    def text(self, **style: Any) -> str:
        """Returns the observation in words; `style` changes fields of `Style`."""
        return text.render(self, dataclasses.replace(self.style, **style))

    def json(self) -> dict[str, Any]:
        """Returns the observation as data for JSON, see observation.schema.json."""
        return json_form.render(self)

    def ascii(self, **style: Any) -> str:
        """Returns the map as characters; `style` changes fields of `Style`."""
        return ascii_map.render(self, dataclasses.replace(self.style, **style))

    def image(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Returns the picture, uint8 of shape (height, width, 3).

        Args:
          size: (width, height) in pixels; by default 64 pixels a cell, inventory
            included.

        Raises:
          ValueError: If the game has gone on since, so that it cannot be drawn.
        """
        if self.picture is None:
            raise ValueError("This observation was made without a game to draw.")
        return self.picture(size)

    def image_uri(self, size: tuple[int, int] | None = None) -> str:
        """Returns the picture as the data URI of a PNG file."""
        png = iio.imwrite("<bytes>", self.image(size), extension=".png")
        return "data:image/png;base64," + base64.b64encode(png).decode()

    def render(self, format: str = "text") -> str:
        """Returns the observation in a format, or several joined by `+`.

        Args:
          format: `text`, `md`, `xml`, `json`, `ascii`, or for example `text+ascii`.

        Raises:
          ValueError: If the format is unknown.
        """
        makers: dict[str, Callable[[], str]] = {
            "text": self.text,
            "md": lambda: markup.render_md(self, self.style),
            "xml": lambda: markup.render_xml(self, self.style),
            "json": lambda: json.dumps(self.json(), separators=(",", ":")),
            "ascii": self.ascii,
        }
        return "\n\n".join(makers[part]() for part in split_format(format))


def split_format(format: str) -> list[str]:
    """Returns the parts of a format such as `text+ascii`.

    Raises:
      ValueError: If a part is unknown.
    """
    parts = format.split("+")
    unknown = [part for part in parts if part not in FORMATS]
    if unknown:
        raise ValueError(
            f"Unknown format {format!r}; there are {list(FORMATS)} and combinations "
            "such as 'text+ascii'."
        )
    return parts
