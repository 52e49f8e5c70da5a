"""One observation, from which text, JSON, ASCII map and picture are rendered."""

from __future__ import annotations

import base64
import dataclasses
import io
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PIL import Image

from crafter import constants
from crafter.lm.tell import ascii_map, json_form, markup, text
from crafter.lm.tell.facts import Offset, StepRecord, Style, Thing, walking_order
from crafter.lm.tell.words import OUTSIDE, UNCLEAR, VECTORS, WORDS

FORMATS = ("text", "md", "xml", "json", "ascii")


@dataclasses.dataclass(frozen=True)
class Observation:
    """What an agent knows at one moment. Holds facts; the renderers hold the words.

    Attributes:
      step: Steps taken in this game.
      step_limit: Steps after which it ends, or `None`.
      calls_left: Calls that may still be made, or `None`.
      clock: Steps on the clock of the day.
      daylight: From 0 (darkest) to 1 (noon).
      facing: `left`, `right`, `up` or `down`.
      asleep: Whether the player sleeps.
      inventory: Item name -> amount.
      limits: Item name -> maximum.
      rows: Materials of the view from top to bottom; `outside` and `unclear`
        included. The player is in the middle.
      things: Objects in view, the player not included.
      falling: Vitals that fell within the last steps.
      steps: What happened since the last observation.
      achievements: Achievements so far, in table order.
      done: Whether the game is over.
      reason: Why; `None` while it goes on.
      notes: Sentences of the interface: why a batch stopped, what was not understood.
      memory: Map of what was seen earlier, or `None`.
      available: Actions that would have an effect now, or `None` if not told.
      privileged: What players cannot see, or `None`.
      style: How to tell it.
      picture: Draws the moment at a size (width, height), or `None`.
    """

    step: int
    step_limit: int | None
    clock: int
    daylight: float
    facing: str
    asleep: bool
    inventory: dict[str, int]
    limits: dict[str, int]
    rows: tuple[tuple[str, ...], ...]
    things: tuple[Thing, ...]
    calls_left: int | None = None
    falling: tuple[str, ...] = ()
    steps: tuple[StepRecord, ...] = ()
    achievements: tuple[str, ...] = ()
    done: bool = False
    reason: str | None = None
    notes: tuple[str, ...] = ()
    memory: str | None = None
    available: tuple[str, ...] | None = None
    privileged: dict[str, Any] | None = None
    style: Style = Style()
    picture: Callable[[tuple[int, int]], np.ndarray] | None = None

    # Facts that follow from the others.

    @property
    def middle(self) -> Offset:
        """Column and row of the player in the view."""
        return len(self.rows[0]) // 2, len(self.rows) // 2

    @property
    def day(self) -> int:
        """Number of the day, from 1."""
        return self.clock // constants.time["day"] + 1

    @property
    def phase(self) -> str:
        """Name of the time of day."""
        step = self.clock % constants.time["day"]
        return next(name for start, name in _LATE_PHASES if start <= step)

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
            if self.at(VECTORS[name]) in constants.walkable
        )

    def material(self, offset: Offset) -> str:
        """Returns the material at an offset; `outside` beyond the view as well."""
        x, y = offset[0] + self.middle[0], offset[1] + self.middle[1]
        if 0 <= x < len(self.rows[0]) and 0 <= y < len(self.rows):
            return self.rows[y][x]
        return OUTSIDE

    def at(self, offset: Offset) -> str:
        """Returns the name of the object at an offset, else of the material."""
        named = (thing.name for thing in self.things if thing.offset == offset)
        return next(named, None) or self.material(offset)

    def places(self) -> Iterator[tuple[str, Offset]]:
        """Yields what is in view, its name and place, in walking order.

        Left out are the player, cells outside the map, and unclear cells that hold
        nothing of interest.
        """
        found = {thing.offset: thing.name for thing in self.things}
        for y, row in enumerate(self.rows):
            for x, name in enumerate(row):
                offset = x - self.middle[0], y - self.middle[1]
                if name not in (OUTSIDE, UNCLEAR):
                    found.setdefault(offset, name)
        for offset in sorted(found.keys() - {(0, 0)}, key=walking_order):
            yield found[offset], offset

    # Renderings.

    def text(self, **style: Any) -> str:
        """Returns the observation in words; `style` changes fields of `Style`."""
        return text.render(self, dataclasses.replace(self.style, **style))

    def json(self) -> dict[str, Any]:
        """Returns the observation as data for JSON, see observation.schema.json."""
        return json_form.render(self)

    def ascii(self, **style: Any) -> str:
        """Returns the map as characters; `style` changes fields of `Style`."""
        return ascii_map.render(self, dataclasses.replace(self.style, **style))

    def image(self, size: tuple[int, int] = (576, 576)) -> np.ndarray:
        """Returns the picture, uint8 of shape (height, width, 3).

        Args:
          size: (width, height) in pixels.

        Raises:
          ValueError: If the game has gone on since, so that it cannot be drawn.
        """
        if self.picture is None:
            raise ValueError("This observation was made without a game to draw.")
        return self.picture(size)

    def image_uri(self, size: tuple[int, int] = (576, 576)) -> str:
        """Returns the picture as the data URI of a PNG file."""
        file = io.BytesIO()
        Image.fromarray(self.image(size)).save(file, "png")
        return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()

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
            "json": lambda: json_form.dump(self),
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


_LATE_PHASES = sorted(WORDS["phases"].items(), reverse=True)
