"""Conditions of the goal language of Crafter, and numbers of the player."""

from __future__ import annotations

import dataclasses
import functools
from typing import Annotated, Any, ClassVar

import numpy as np

from crafter.core import validation
from crafter.core.grid import Cell, distance
from crafter.core.regions import holds, within_reach
from crafter.games.crafter.tasks import zones
from crafter.games.crafter.tasks.regions import open_mask, own_mask
from crafter.games.crafter.tasks.structures import Match, rooms
from crafter.games.crafter.tasks.view import CREATURES, TaskView
from crafter.tasks.world import common, conditions
from crafter.tasks.world.fields import Choice, Count, Positive
from crafter.tasks.world.view import recalled

#: Tiers and classes of tools.
TIERS = ("none", "wood", "stone", "iron")
CLASSES = ("sword", "pickaxe")
#: Things that creatures and arrows can destroy.
LOSABLE = ("plant", "table", "furnace")
VITALS = ("health", "food", "drink", "energy")
#: Things that a player can place.
OWN = ("stone", "table", "furnace", "plant")
#: Names of marked rectangles in scenes of the catalogue.
MARKS = ("maze", "far_side")


@dataclasses.dataclass(frozen=True)
class Amount(conditions.Quantity):
    """Amount of an item."""

    item: str

    def value(self, view: TaskView) -> int:
        """Returns the amount; 0 if the rules have no such item."""
        return view.player.inventory.get(self.item, 0)

    def __str__(self) -> str:
        return self.item if self.item in VITALS else f"inv.{self.item}"


class Light(conditions.Quantity, word="light"):
    """Daylight, 0 to 1."""

    def value(self, view: TaskView) -> float:
        """Returns the daylight."""
        return view.daylight

    def __str__(self) -> str:
        return "light"


class Best(conditions.Quantity, word="best"):
    """The best tool of a class that the player has."""

    tool: Annotated[str, Choice(CLASSES)]

    def value(self, view: TaskView) -> str:
        """Returns its tier, `none` if there is none."""
        inventory = view.player.inventory
        owned = (t for t in reversed(TIERS) if inventory.get(f"{t}_{self.tool}"))
        return next(owned, TIERS[0])

    def compare(self, relation: str, number: Any) -> conditions.Comparison:
        """Returns the comparison with a tier.

        Raises:
          TypeError: If it is another relation than `==`.
          ValueError: If there is no such tier.
        """
        if relation != "==":
            raise TypeError(f"{self} can only be compared with ==, not {relation}.")
        tier = validation.one_of(f"{self}: the tier", number, TIERS)
        return conditions.Comparison(self, relation, tier)

    def __str__(self) -> str:
        return f"best({self.tool!r})"


# Places.


class InZone(conditions.InZone, word="in_zone"):
    """The cell lies in a zone; see `crafter.games.crafter.tasks.zones`."""

    name: Annotated[str, Choice(zones.names())]


class Lost(conditions.Place, word="lost"):
    """The player lost an own thing near the cell to a creature or an arrow.

    Attributes:
      what: `plant`, `table` or `furnace`.
      r: Largest Chebyshev distance.
    """

    what: Annotated[str, Choice(LOSABLE)]
    r: Count = 1

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether it was lost within that distance of a cell."""
        x, y = cell
        lost = view.provenance.lost.get(self.what, ())
        return any(max(abs(lx - x), abs(ly - y)) <= self.r for lx, ly in lost)


class Rectangle(conditions.Place, word="rectangle"):
    """The cell lies in a rectangle of the map.

    Attributes:
      left: First column; likewise `top`.
      right: Last column; likewise `bottom`.
    """

    left: Count
    top: Count
    right: Count
    bottom: Count

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell lies in it."""
        x, y = cell
        return self.left <= x <= self.right and self.top <= y <= self.bottom


class Reachable(conditions.Place, word="reachable"):
    """A short open path joins the cell and the player; creatures do not block it.

    Attributes:
      n: Largest length of the path in steps.
    """

    n: Positive

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether there is such a path."""
        start = view.player.pos
        if distance(cell, start) > self.n:
            return False
        mask = open_mask(view)
        moment = start, mask.tobytes()
        reach = functools.partial(within_reach, mask, start, self.n)
        return bool(recalled(view, self, moment, reach)[cell])


class OwnBlock(conditions.Place, word="own_block"):
    """The cell holds a block that the player placed.

    Attributes:
      what: `stone`, `table` or `furnace`.
    """

    what: Annotated[str, Choice(OWN[:3])]

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell does."""
        return holds(own_mask(view, self.what), cell)


class Corner(conditions.Place, word="corner"):
    """A corner of the map is near.

    Attributes:
      r: Largest L1 distance to the nearest corner cell.
    """

    r: Count

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a corner is that near to a cell."""
        pairs = zip(cell, view.area)
        return sum(min(c, size - 1 - c) for c, size in pairs) <= self.r


class InMark(conditions.Place, word="in_mark"):
    """The cell is in a rectangle that the scene marks, such as its maze.

    It never holds in a scene without the mark.
    """

    name: str

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell lies in it."""
        x, y, width, height = view.marks.get(self.name, (0, 0, 0, 0))
        return x <= cell[0] < x + width and y <= cell[1] < y + height


# What is around.


class Walk(conditions.Condition, word="find"):
    """Something is in the view and within a short walk; `find` makes it a goal.

    Attributes:
      what: A material or a kind of object.
      r: Largest length of the shortest walk; 1 for an adjacent cell.
    """

    bare: ClassVar[bool] = True
    what: common.Thing
    r: Positive

    def share(self, view: TaskView) -> float:
        """Returns 1 if it is near, a half if it is in the view."""
        window = view.view_cells()
        there = view.where(self.what, window)
        if not there.any():
            return 0.0
        reached = within_reach(open_mask(view), view.player.pos, self.r)
        return 1.0 if (reached[window] & there).any() else 0.5


class Own(conditions.Condition, word="own"):
    """An own block or living plant exists, optionally in a certain place.

    Attributes:
      what: The material of the block, or `plant`.
      place: Required place, or `None`.
    """

    what: Annotated[str, Choice(OWN)]
    place: conditions.Place | None = None

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        place, plants = self.place, view.provenance.own_plants
        cells = plants if self.what == "plant" else rooms.own_cells(view, self.what)
        return any(place is None or place.holds_at(view, cell) for cell in cells)


class Opened(conditions.Condition, word="opened"):
    """The player faces a gap that it has just opened, or looks out of it.

    In one of the last steps it removed a block from the cell that it faces, or from its
    own cell, and does not face the cell in which it stood then.

    Attributes:
      n: Number of steps.
    """

    n: Positive

    def holds(self, view: TaskView) -> bool:
        """Returns whether it does."""
        now, opened = len(view.trail) - 1, view.provenance.opened
        here, target = view.player.pos, view.player.target
        if now - opened.get(target, now - self.n) < self.n:
            return True
        step = opened.get(here, now - self.n)
        return now - step < self.n and view.trail[step].pos != target


class Enclosed(conditions.Condition, word="enclosed"):
    """The player is enclosed: its region is small and has no other creature.

    It is the structure `enclosure` around the player, complete or not at all.

    Attributes:
      lo: Least number of cells.
      hi: Largest number of cells.
      own: Least number of own blocks in the boundary.
    """

    lo: Positive = 1
    hi: Positive = 12
    own: Count = 0

    def match(self, view: TaskView) -> Match:
        """Returns the enclosure around the player, and how complete it is."""
        return rooms.Enclosure(self.lo, self.hi, self.own, inside=1).best(view)

    def holds(self, view: TaskView) -> bool:
        """Returns whether the player is enclosed."""
        return self.match(view).share >= 1


class Explored(conditions.Condition, word="explored"):
    """At least a share of the cells of the map has been in the view."""

    f: float

    def __post_init__(self) -> None:
        """Raises ValueError if the share is invalid."""
        validation.number(f"{self.word}: f", self.f, 0.0001, 1)
        object.__setattr__(self, "f", float(self.f))

    def holds(self, view: TaskView) -> bool:
        """Returns whether it has."""
        return bool(np.count_nonzero(view.seen) >= self.f * view.seen.size)

    def share(self, view: TaskView) -> float:
        """Returns how much of it has been."""
        seen = np.count_nonzero(view.seen) / view.seen.size
        return 1.0 if self.holds(view) else min(seen / self.f, 0.99)


class Alive(conditions.Condition, word="alive"):
    """A creature of a kind is alive, optionally in a certain place.

    Attributes:
      kind: Its kind.
      place: Required place, or `None`.
    """

    kind: Annotated[str, Choice((*CREATURES, "plant"))]
    place: conditions.Place | None = None

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        place, alive = self.place, (t for t in view.objects(self.kind) if t.health > 0)
        return any(place is None or place.holds_at(view, t.pos) for t in alive)
