"""Records of the text interface, independent of wording.

`Thing` is an object in view, `StepRecord` an executed action, `Style` the settings of
rendering.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from crafter.core.grid import distance
from crafter.core.validation import one_of

if TYPE_CHECKING:
    from crafter.lm.rendering.words import Words

#: Names of cells that are not materials of the game.
OUTSIDE, UNCLEAR = "outside", "unclear"
DARKNESS = "darkness"  # unlit cells
EDGE = "edge of the world"

Offset = tuple[int, int]
Event = dict[str, Any]
#: Direction name -> (dx, dy), and back; the same in all games and rules.
VECTORS: dict[str, Offset] = {
    "left": (-1, 0),
    "right": (1, 0),
    "up": (0, -1),
    "down": (0, 1),
}
FACINGS = {vector: name for name, vector in VECTORS.items()}


class Rows(tuple[tuple[str, ...], ...]):
    """Materials of a view, from top to bottom; the player is at the centre."""

    __slots__ = ()

    @property
    def middle(self) -> Offset:
        """Column and row of the player."""
        return len(self[0]) // 2, len(self) // 2

    def cells(self) -> Iterator[tuple[Offset, str]]:
        """Yields the offset and the material of each cell."""
        offsets = view_offsets(len(self[0]), len(self))
        return zip(offsets, itertools.chain.from_iterable(self))

    def at(self, offset: Offset) -> str | None:
        """Returns the material at an offset, `None` beyond the view."""
        columns, lines = len(self[0]), len(self)
        x, y = offset[0] + columns // 2, offset[1] + lines // 2
        return self[y][x] if 0 <= x < columns and 0 <= y < lines else None


@functools.lru_cache(maxsize=64)
def view_offsets(columns: int, lines: int) -> tuple[Offset, ...]:
    """Returns the offsets of a view's cells from its centre, row by row."""
    ys, xs = range(-(lines // 2), lines - lines // 2), range(columns)
    return tuple((x - columns // 2, y) for y in ys for x in xs)


@dataclasses.dataclass(frozen=True)
class Thing:
    """An object in view.

    Attributes:
      kind: Its name, such as `zombie`.
      dx: Cells to the right of the player.
      dy: Cells below the player.
      facing: Direction of flight, for projectiles.
      ripe: Whether a plant is ripe; `None` for other things.
      flat: Whether it lies on the ground, so that the player can stand on it.
      key: Identity of things that may be dangerous; not visible to players.
    """

    kind: str
    dx: int
    dy: int
    facing: str | None = None
    ripe: bool | None = None
    flat: bool = False
    key: Hashable = dataclasses.field(default=None, repr=False, compare=False)

    @property
    def name(self) -> str:
        """Display name."""
        return f"ripe {self.kind}" if self.ripe else self.kind

    @property
    def offset(self) -> Offset:
        """Position relative to the player."""
        return self.dx, self.dy


@dataclasses.dataclass(frozen=True)
class StepRecord:
    """One step of the environment as the player saw it.

    Attributes:
      t: Step number in the game, from 1.
      action: The chosen action.
      executed: The action that took effect; differs when asleep.
      forced: Whether the player was asleep or resting when the step began.
      reward: Reward of the game.
      vitals: Health, food, drink and energy after the step.
      events: Visible events, see `crafter.lm.rendering.perception`.
      unlocked: Achievements unlocked in this step.
      resting: Whether it was rest rather than sleep.
    """

    t: int
    action: str
    executed: str
    forced: bool
    reward: float
    vitals: dict[str, int]
    events: tuple[Event, ...]
    unlocked: tuple[str, ...]
    resting: bool = False


@dataclasses.dataclass(frozen=True)
class Style:
    """Rendering settings of observations.

    Attributes:
      verbosity: 0 terse, 1 normal, 2 with zeros, maxima and requirements.
      directions: `screen`, `compass` or `both`.
      detail: `nearest` of each kind, nearest in each `octant`, or `all` cells.
      reach: Whether to give the number of moves to each place.
      glyphs: Set of map characters, `crafter` or `craftaxlm`.
      legend: Whether to explain the characters of the map.
    """

    verbosity: int = 1
    directions: str = "screen"
    detail: str = "nearest"
    reach: bool = False
    glyphs: str = "crafter"
    legend: bool = False

    def __post_init__(self) -> None:
        for name, valid in STYLES.items():
            one_of(name, getattr(self, name), valid)


#: Field of `Style` -> valid values.
STYLES: dict[str, tuple[Any, ...]] = {
    "verbosity": (0, 1, 2),
    "directions": ("screen", "compass", "both"),
    "detail": ("nearest", "octant", "all"),
    "glyphs": ("crafter", "craftaxlm"),
}


@functools.lru_cache(maxsize=4096)
def walking_order(offset: Offset) -> tuple[int, float]:
    """Sort key by distance, then up, right, down, left.

    Example:
      >>> sorted([(-1, 0), (0, 1), (0, -2), (1, 0), (0, -1)], key=walking_order)
      [(0, -1), (1, 0), (0, 1), (-1, 0), (0, -2)]
    """
    dx, dy = offset
    return distance(offset), math.atan2(dx, -dy) % (2 * math.pi)


@functools.lru_cache(maxsize=64)
def walk(columns: int, lines: int) -> list[Offset]:
    """Returns the cells of a view in walking order, without the centre."""
    return sorted(view_offsets(columns, lines), key=walking_order)[1:]


def name_at(offset: Offset, rows: Rows, things: Iterable[Thing], words: Words) -> str:
    """Returns the name of the object at an offset, else of the material.

    Flat objects count only on ground.
    """
    (dx, dy), material = offset, rows.at(offset) or OUTSIDE
    for thing in things:
        here = thing.dx == dx and thing.dy == dy
        if here and (not thing.flat or material in words.background):
            return thing.name
    return material
