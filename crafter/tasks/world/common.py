"""Conditions shared by games, on the player and its surroundings.

Besides `world.view.View` they use `where`, `view_cells`, `creatures`, `object`,
`material`, `daylight`, `start_pos` and `trail` of a view.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any

import numpy as np

from crafter.core.grid import Cell, distance
from crafter.tasks import game as games
from crafter.tasks.world import conditions
from crafter.tasks.world.fields import Count, Positive, Words

Material = Annotated[
    str, Words("material", lambda rules: games.of(rules).language.materials(rules))
]
Thing = Annotated[
    str,
    Words("material or object", lambda rules: games.of(rules).language.things(rules)),
]
Creature = Annotated[
    str, Words("creature", lambda rules: games.of(rules).language.creatures(rules))
]


# The time of day, and the player.


class Night(conditions.Condition, word="night"):
    """It is night: the daylight is below the threshold of the rules."""

    def holds(self, view: Any) -> bool:
        """Returns whether it is night."""
        return bool(view.daylight < view.rules.time["dark"])


class Day(conditions.Condition, word="day"):
    """It is not night."""

    def holds(self, view: Any) -> bool:
        """Returns whether it is day."""
        return bool(view.daylight >= view.rules.time["dark"])


class Asleep(conditions.Condition, word="asleep"):
    """The player is asleep."""

    def holds(self, view: Any) -> bool:
        """Returns whether the player is asleep."""
        return bool(view.player.sleeping)


class On(conditions.Condition, word="on"):
    """The player stands on a material."""

    material: Material

    def holds(self, view: Any) -> bool:
        """Returns whether the material is under the player."""
        return bool(view.material(*view.player.pos) == self.material)


class Facing(conditions.Condition, word="facing"):
    """A material or a kind of object is in the cell that the player faces."""

    what: Thing

    def holds(self, view: Any) -> bool:
        """Returns whether it is there."""
        target = view.player.target
        thing = view.object(*target)
        if thing is not None:
            return bool(thing.kind == self.what)
        return bool(view.material(*target) == self.what)


class Still(conditions.Condition, word="still"):
    """The player has not moved in the last steps.

    Attributes:
      n: Number of steps.
    """

    n: Positive = 1

    def share(self, view: Any) -> float:
        """Returns the share of these steps."""
        last = reversed(view.trail[-self.n - 1 :])
        here = view.player.pos
        stood = sum(1 for _ in itertools.takewhile(lambda p: p.pos == here, last)) - 1
        return max(stood, 0) / self.n


# Places.


class Near(conditions.Place, word="near"):
    """A material or kind of object is within a square around a cell.

    Attributes:
      what: The material or kind.
      r: Chebyshev distance; crafting uses 1.
    """

    what: Thing
    r: Count = 1

    def holds_at(self, view: Any, cell: Cell) -> bool:
        """Returns whether it lies within the square around a cell."""
        x, y = cell
        columns = slice(max(0, x - self.r), x + self.r + 1)
        window = columns, slice(max(0, y - self.r), y + self.r + 1)
        return bool(view.where(self.what, window).any())


class Away(conditions.Place, word="away"):
    """The L1 distance from the start is at least a number."""

    n: Positive

    def holds_at(self, view: Any, cell: Cell) -> bool:
        """Returns whether a cell is that far away."""
        return distance(cell, view.start_pos) >= self.n

    def share(self, view: Any) -> float:
        """Returns the share of the distance covered."""
        return min(1.0, distance(view.player.pos, view.start_pos) / self.n)


class InLine(conditions.Place, word="in_line"):
    """A creature of a kind is in the row or column of the cell.

    Attributes:
      kind: Its kind.
      r: How far away it is, at most.
    """

    kind: Creature
    r: Positive

    def holds_at(self, view: Any, cell: Cell) -> bool:
        """Returns whether there is one."""
        offsets = (
            (abs(x - cell[0]), abs(y - cell[1])) for x, y in view.creatures(self.kind)
        )
        return any(min(by) == 0 and max(by) <= self.r for by in offsets)


# What is around.


class Sees(conditions.Counted, conditions.Condition, word="sees"):
    """Cells or objects are in the view.

    Attributes:
      what: A material or a kind of object.
      n: Least number.
    """

    what: Thing
    n: Positive = 1

    def count(self, view: Any) -> int:
        """Returns how many are in the view."""
        return int(np.count_nonzero(view.where(self.what, view.view_cells())))


class HostileWithin(conditions.Condition, word="hostile_within"):
    """A creature that attacks is within an L1 distance of the player."""

    r: Count

    def holds(self, view: Any) -> bool:
        """Returns whether there is one."""
        return _creatures(view, view.hostile, self.r) > 0


class Around(conditions.Counted, conditions.Condition, word="around"):
    """Creatures of a kind are within an L1 distance of the player.

    Attributes:
      kind: Their kind.
      r: The distance.
      n: Least number.
    """

    kind: Creature
    r: Count
    n: Positive = 1

    def count(self, view: Any) -> int:
        """Returns how many are within the distance."""
        return _creatures(view, (self.kind,), self.r)


def _creatures(view: Any, kinds: tuple[str, ...], r: int) -> int:
    """Returns how many creatures of kinds are within an L1 distance of the player."""
    here = view.player.pos
    return sum(distance(cell, here) <= r for cell in view.creatures(*kinds))
