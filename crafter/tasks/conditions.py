"""Conditions: what holds in one moment of the game.

A condition is a value: a pure function of a view. `&`, `|` and `~` combine conditions
that hold in one and the same moment. A condition is not a goal; `reach(condition)` is.
"""

from __future__ import annotations

import abc
import dataclasses
import operator
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from crafter.tasks import zones
from crafter.tasks.regions import open_mask, region, steps_to, within_reach
from crafter.tasks.structures import KINDS, Structure, disjoint
from crafter.tasks.structures.base import at_least
from crafter.tasks.structures.rooms import CREATURES, creature_cells, own_in
from crafter.tasks.view import TaskView

Cell = tuple[int, int]

#: Creatures that attack.
HOSTILE = ("zombie", "skeleton")
#: Tools by class, from none to the best; what the inventory calls them comes after.
TIERS = ("none", "wood", "stone", "iron")
CLASSES = ("sword", "pickaxe")
#: What creatures and arrows can destroy.
LOSABLE = ("plant", "table", "furnace")
VITALS = ("health", "food", "drink", "energy")
#: What a player can place.
OWN = ("stone", "table", "furnace", "plant")
#: Names of the rectangles that scenes of the catalogue mark.
MARKS = ("maze", "far_side")

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


class Condition(abc.ABC):
    """Something that holds in a moment or does not."""

    @abc.abstractmethod
    def holds(self, view: TaskView) -> bool:
        """Returns whether it holds now."""

    def share(self, view: TaskView) -> float:
        """Returns how much of it there is, 0 to 1; 1 exactly where it holds."""
        return float(self.holds(view))

    def parts(self) -> tuple[Condition, ...]:
        """Returns the conditions that it is made of."""
        return ()

    def __and__(self, other: Any) -> Condition:
        return AllOf((self, other)) if isinstance(other, Condition) else NotImplemented

    def __or__(self, other: Any) -> Condition:
        return AnyOf((self, other)) if isinstance(other, Condition) else NotImplemented

    def __invert__(self) -> Condition:
        return Opposite(self)

    def __rshift__(self, other: Any) -> Any:
        if isinstance(self, Together):
            return NotImplemented  # a goal knows what to do with it
        raise TypeError(
            f"Conditions have no order. Write {goal_text(self)} >> {goal_text(other)}."
        )

    def __bool__(self) -> bool:
        raise TypeError(
            f"The condition {self} is neither true nor false by itself. Combine "
            "conditions with &, | and ~, and compare once: not 1 <= x <= 2, but "
            "(x >= 1) & (x <= 2)."
        )


def goal_text(value: Any) -> str:
    """Returns how a goal is written that has a condition or goal as its content."""
    return f"reach({value})" if isinstance(value, Condition) else str(value)


def _inner(condition: Condition) -> str:
    """Returns a condition as a part of another one, in parentheses if it has parts."""
    text = str(condition)
    whole = isinstance(condition, (Together, Alive, Own)) or not (
        condition.parts() or isinstance(condition, Comparison)
    )
    return text if whole else f"({text})"


@dataclasses.dataclass(frozen=True)
class AllOf(Condition):
    """Conditions that hold together, in the same moment."""

    conditions: tuple[Condition, ...]

    def holds(self, view: TaskView) -> bool:
        """Returns whether all of them hold."""
        return all(condition.holds(view) for condition in self.conditions)

    def share(self, view: TaskView) -> float:
        """Returns the mean of their shares."""
        return sum(c.share(view) for c in self.conditions) / len(self.conditions)

    def parts(self) -> tuple[Condition, ...]:
        """Returns the conditions."""
        return self.conditions

    def __str__(self) -> str:
        return " & ".join(map(_inner, self.conditions))


class Together(AllOf):
    """Conditions that hold together; as a goal it is reached when they do."""

    def __str__(self) -> str:
        return f"together({', '.join(map(str, self.conditions))})"


@dataclasses.dataclass(frozen=True)
class AnyOf(Condition):
    """Conditions of which one holds."""

    conditions: tuple[Condition, ...]

    def holds(self, view: TaskView) -> bool:
        """Returns whether one of them holds."""
        return any(condition.holds(view) for condition in self.conditions)

    def share(self, view: TaskView) -> float:
        """Returns the largest of their shares."""
        return max(condition.share(view) for condition in self.conditions)

    def parts(self) -> tuple[Condition, ...]:
        """Returns the conditions."""
        return self.conditions

    def __str__(self) -> str:
        return " | ".join(map(_inner, self.conditions))


@dataclasses.dataclass(frozen=True)
class Opposite(Condition):
    """A condition that does not hold."""

    condition: Condition

    def holds(self, view: TaskView) -> bool:
        """Returns whether the condition does not hold."""
        return not self.condition.holds(view)

    def parts(self) -> tuple[Condition, ...]:
        """Returns the condition."""
        return (self.condition,)

    def __str__(self) -> str:
        return f"~{_inner(self.condition)}"


# Numbers that are compared.


@dataclasses.dataclass(frozen=True)
class Comparison(Condition):
    """A number of the game compared with another one.

    Attributes:
      quantity: What is compared.
      relation: `>=`, `<=`, `==`, `<` or `>`.
      number: What it is compared with.
    """

    quantity: Quantity
    relation: str
    number: Any

    def holds(self, view: TaskView) -> bool:
        """Returns whether the comparison is true."""
        return COMPARE[self.relation](self.quantity.value(view), self.number)

    def share(self, view: TaskView) -> float:
        """Returns how far an amount has come that has to be at least a number."""
        if self.holds(view):
            return 1.0
        value, wanted = self.quantity.value(view), self.number
        if self.relation not in (">=", "==", ">") or not isinstance(
            wanted, (int, float)
        ):
            return 0.0
        least = wanted + (self.relation == ">")
        return min(value / least, 0.99) if 0 <= value < least else 0.0

    def __str__(self) -> str:
        number = self.number if isinstance(self.number, str) else repr(self.number)
        return f"{self.quantity} {self.relation} {number}"


class Quantity(abc.ABC):
    """A number of the game; comparing it with another one gives a condition."""

    @abc.abstractmethod
    def value(self, view: TaskView) -> Any:
        """Returns the number now."""

    def compare(self, relation: str, number: Any) -> Comparison:
        """Returns the comparison with a number.

        Raises:
          TypeError: If it is no number.
        """
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise TypeError(f"{self} is compared with a number, not {number!r}.")
        return Comparison(self, relation, number)

    def __ge__(self, other: Any) -> Comparison:
        return self.compare(">=", other)

    def __le__(self, other: Any) -> Comparison:
        return self.compare("<=", other)

    def __gt__(self, other: Any) -> Comparison:
        return self.compare(">", other)

    def __lt__(self, other: Any) -> Comparison:
        return self.compare("<", other)


@dataclasses.dataclass(frozen=True)
class Amount(Quantity):
    """How many of an item the player has."""

    item: str

    def value(self, view: TaskView) -> int:
        """Returns the amount; 0 if the rules have no such item."""
        return view.player.inventory.get(self.item, 0)

    def __str__(self) -> str:
        return self.item if self.item in VITALS else f"inv.{self.item}"


@dataclasses.dataclass(frozen=True)
class Light(Quantity):
    """How bright it is, 0 to 1."""

    def value(self, view: TaskView) -> float:
        """Returns the daylight."""
        return view.daylight

    def __str__(self) -> str:
        return "light"


@dataclasses.dataclass(frozen=True)
class Best(Quantity):
    """The best tool of a class that the player has."""

    tool: str

    def value(self, view: TaskView) -> str:
        """Returns its tier, `none` if there is none."""
        inventory = view.player.inventory
        owned = (t for t in reversed(TIERS) if inventory.get(f"{t}_{self.tool}"))
        return next(owned, TIERS[0])

    def compare(self, relation: str, number: Any) -> Comparison:
        """Returns the comparison with a tier.

        Raises:
          TypeError: If it is another relation than `==`.
          ValueError: If there is no such tier.
        """
        if relation != "==":
            raise TypeError(f"{self} can only be compared with ==, not {relation}.")
        if number not in TIERS:
            raise ValueError(f"{self}: a tier is one of {TIERS}, not {number!r}.")
        return Comparison(self, relation, number)

    def __str__(self) -> str:
        return f"best({self.tool!r})"


# The time of day, and the player.


@dataclasses.dataclass(frozen=True)
class Night(Condition):
    """It is night: the daylight is below the threshold of the rules."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether it is night."""
        return bool(view.daylight < view.rules.time["dark"])

    def __str__(self) -> str:
        return "night"


@dataclasses.dataclass(frozen=True)
class Day(Condition):
    """It is not night."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether it is day."""
        return bool(view.daylight >= view.rules.time["dark"])

    def __str__(self) -> str:
        return "day"


@dataclasses.dataclass(frozen=True)
class Asleep(Condition):
    """The player is asleep."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether the player is asleep."""
        return view.player.sleeping

    def __str__(self) -> str:
        return "asleep"


@dataclasses.dataclass(frozen=True)
class On(Condition):
    """The player stands on a material."""

    material: str

    def holds(self, view: TaskView) -> bool:
        """Returns whether the material is under the player."""
        return view.material(*view.player.pos) == self.material

    def __str__(self) -> str:
        return f"on({self.material!r})"


@dataclasses.dataclass(frozen=True)
class Facing(Condition):
    """A material or a kind of object is in the cell that the player faces."""

    what: str

    def holds(self, view: TaskView) -> bool:
        """Returns whether it is there."""
        target = view.player.target
        thing = view.object(*target)
        if thing is not None:
            return thing.kind == self.what
        return view.material(*target) == self.what

    def __str__(self) -> str:
        return f"facing({self.what!r})"


# Places. `holds` asks for the player's place, `holds_at` for any.


class Place(Condition):
    """A condition on where something is."""

    @abc.abstractmethod
    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell is such a place."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether the player is in such a place."""
        return self.holds_at(view, view.player.pos)


@dataclasses.dataclass(frozen=True)
class Near(Place):
    """A material or kind of object lies within a square around.

    Attributes:
      what: What lies there.
      r: Chebyshev distance; that of crafting is 1.
    """

    what: str
    r: int = 1

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether it lies within the square around a cell."""
        x, y = cell
        columns = slice(max(0, x - self.r), x + self.r + 1)
        window = columns, slice(max(0, y - self.r), y + self.r + 1)
        return _count(view, self.what, window) > 0

    def __str__(self) -> str:
        return f"near({self.what!r}, {self.r})"


@dataclasses.dataclass(frozen=True)
class InZone(Place):
    """The cell lies in a zone; see `crafter.tasks.zones`."""

    name: str

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell lies in the zone."""
        return view.zone(cell) == self.name

    def __str__(self) -> str:
        return f"in_zone({self.name!r})"


@dataclasses.dataclass(frozen=True)
class Away(Place):
    """The L1 distance from the start is at least a number."""

    n: int

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell is that far away."""
        return self._distance(view, cell) >= self.n

    def share(self, view: TaskView) -> float:
        """Returns how far the player has come."""
        return min(1.0, self._distance(view, view.player.pos) / self.n)

    def _distance(self, view: TaskView, cell: Cell) -> int:
        x, y = view.start_pos
        return abs(cell[0] - x) + abs(cell[1] - y)

    def __str__(self) -> str:
        return f"away({self.n})"


@dataclasses.dataclass(frozen=True)
class Lost(Place):
    """The player lost one of its own things here to a creature or an arrow.

    Attributes:
      what: `plant`, `table` or `furnace`.
      r: Largest Chebyshev distance.
    """

    what: str
    r: int = 1

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether it was lost within that distance of a cell."""
        x, y = cell
        lost = view.provenance.lost.get(self.what, ())
        return any(max(abs(lx - x), abs(ly - y)) <= self.r for lx, ly in lost)

    def __str__(self) -> str:
        return f"lost({self.what!r}, {self.r})"


@dataclasses.dataclass(frozen=True)
class Rectangle(Place):
    """The cell lies in a rectangle of the map.

    Attributes:
      left: First column; likewise `top`.
      right: Last column; likewise `bottom`.
    """

    left: int
    top: int
    right: int
    bottom: int

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell lies in it."""
        x, y = cell
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def __str__(self) -> str:
        return f"rectangle({self.left}, {self.top}, {self.right}, {self.bottom})"


@dataclasses.dataclass(frozen=True)
class Reachable(Place):
    """An open way of few steps joins the cell and the player; creatures do not block.

    Attributes:
      n: Length of the way in steps, at most.
    """

    n: int

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether there is such a way."""
        start = view.player.pos
        if abs(cell[0] - start[0]) + abs(cell[1] - start[1]) > self.n:
            return False
        mask = open_mask(view)
        moment = start, mask.tobytes()
        known = view.memo.get(self)
        if known is None or known[0] != moment:
            reached = within_reach(mask, start, self.n)
            known = view.memo[self] = moment, reached
        return bool(known[1][cell])

    def __str__(self) -> str:
        return f"reachable({self.n})"


@dataclasses.dataclass(frozen=True)
class InLine(Place):
    """A creature of a kind is in the row or column of the cell.

    Attributes:
      kind: Its kind.
      r: How far away it is, at most.
    """

    kind: str
    r: int

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether there is one."""
        offsets = (
            (abs(x - cell[0]), abs(y - cell[1]))
            for x, y in creature_cells(view, (self.kind,))
        )
        return any(min(by) == 0 and max(by) <= self.r for by in offsets)

    def __str__(self) -> str:
        return f"in_line({self.kind!r}, {self.r})"


@dataclasses.dataclass(frozen=True)
class OwnBlock(Place):
    """The cell holds a block that the player placed.

    Attributes:
      what: `stone`, `table` or `furnace`.
    """

    what: str

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell does."""
        wanted = view.rules.material_ids.get(self.what, -1)
        x, y = cell
        inside = 0 <= x < view.area[0] and 0 <= y < view.area[1]
        return inside and bool(view.own[x, y] == wanted)

    def __str__(self) -> str:
        return f"own_block({self.what!r})"


@dataclasses.dataclass(frozen=True)
class Corner(Place):
    """A corner of the map is at most so many steps away.

    Attributes:
      r: L1 distance to the nearest corner cell, at most.
    """

    r: int

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a corner is that near to a cell."""
        pairs = zip(cell, view.area)
        return sum(min(c, size - 1 - c) for c, size in pairs) <= self.r

    def __str__(self) -> str:
        return f"corner({self.r})"


@dataclasses.dataclass(frozen=True)
class InMark(Place):
    """The cell lies in a rectangle that the scene names, such as its maze.

    It holds nowhere in a scene without the mark.
    """

    name: str

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell lies in it."""
        if self.name not in view.marks:
            return False
        x, y, width, height = view.marks[self.name]
        return x <= cell[0] < x + width and y <= cell[1] < y + height

    def __str__(self) -> str:
        return f"in_mark({self.name!r})"


# What is around.


class Counted(Condition):
    """There are at least `n` of something."""

    n: int

    @abc.abstractmethod
    def count(self, view: TaskView) -> int:
        """Returns how many there are."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether there are that many."""
        return self.count(view) >= self.n

    def share(self, view: TaskView) -> float:
        """Returns how many there are of those needed."""
        return min(1.0, self.count(view) / self.n)


@dataclasses.dataclass(frozen=True)
class Sees(Counted):
    """Cells or objects lie in the view.

    Attributes:
      what: A material or a kind of object.
      n: How many at least.
    """

    what: str
    n: int = 1

    def count(self, view: TaskView) -> int:
        """Returns how many are in the view."""
        return _count(view, self.what, view.view_cells())

    def __str__(self) -> str:
        return f"sees({self.what!r}, {self.n})"


def _count(view: TaskView, what: str, window: tuple[slice, ...]) -> int:
    """Returns how many cells or objects of a name lie in a window."""
    rules = view.rules
    if what in rules.material_ids:
        cells = view.materials[window] == rules.material_ids[what]
    else:
        cells = view.labels[window] == rules.object_ids.get(what, -1)
    return int(np.count_nonzero(cells))


@dataclasses.dataclass(frozen=True)
class Walk(Condition):
    """Something is in the view, and it is a short walk to it.

    Attributes:
      what: A material or a kind of object.
      r: Length of the shortest walk to it in steps, at most; next to it, it is 1.
    """

    what: str
    r: int

    def holds(self, view: TaskView) -> bool:
        """Returns whether it is that near."""
        return self._steps(view) is not None

    def share(self, view: TaskView) -> float:
        """Returns 1 if it is near, a half if it is in the view."""
        if self.holds(view):
            return 1.0
        return 0.5 if Sees(self.what).holds(view) else 0.0

    def _steps(self, view: TaskView) -> int | None:
        if not Sees(self.what).holds(view):
            return None
        targets = self._targets(view)
        start = view.player.pos
        return steps_to([start], targets.__contains__, open_mask(view), self.r)

    def _targets(self, view: TaskView) -> set[Cell]:
        columns, rows = view.view_cells()
        rules = view.rules
        if self.what in rules.material_ids:
            found = view.materials[columns, rows] == rules.material_ids[self.what]
        else:
            found = view.labels[columns, rows] == rules.object_ids.get(self.what, -1)
        xs, ys = found.nonzero()
        return set(zip((xs + columns.start).tolist(), (ys + rows.start).tolist()))

    def __str__(self) -> str:
        return f"walk({self.what!r}, {self.r})"


@dataclasses.dataclass(frozen=True)
class HostileWithin(Condition):
    """A zombie or skeleton is within an L1 distance of the player."""

    r: int

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        return _creatures(view, HOSTILE, self.r) > 0

    def __str__(self) -> str:
        return f"hostile_within({self.r})"


@dataclasses.dataclass(frozen=True)
class Around(Counted):
    """Creatures of a kind are within an L1 distance of the player.

    Attributes:
      kind: Their kind.
      r: The distance.
      n: How many at least.
    """

    kind: str
    r: int
    n: int = 1

    def count(self, view: TaskView) -> int:
        """Returns how many are within the distance."""
        return _creatures(view, (self.kind,), self.r)

    def __str__(self) -> str:
        return f"around({self.kind!r}, {self.r}, {self.n})"


def _creatures(view: TaskView, kinds: tuple[str, ...], r: int) -> int:
    """Returns how many creatures of kinds are within an L1 distance of the player."""
    x, y = view.player.pos
    cells = creature_cells(view, kinds)
    return sum(abs(cx - x) + abs(cy - y) <= r for cx, cy in cells)


@dataclasses.dataclass(frozen=True)
class Own(Condition):
    """A block or living plant of the player's own is there, perhaps in a certain place.

    Attributes:
      what: The material of the block, or `plant`.
      place: Where it has to be, or `None` for anywhere.
    """

    what: str
    place: Place | None = None

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        place = self.place
        cells = self.cells(view)
        return any(place is None or place.holds_at(view, cell) for cell in cells)

    def cells(self, view: TaskView) -> list[Cell]:
        """Returns where they are, anywhere."""
        if self.what == "plant":
            return sorted(view.provenance.own_plants)
        xs, ys = (view.own == view.rules.material_ids.get(self.what, -1)).nonzero()
        return list(zip(xs.tolist(), ys.tolist()))

    def parts(self) -> tuple[Condition, ...]:
        """Returns the place."""
        return () if self.place is None else (self.place,)

    def __str__(self) -> str:
        place = "" if self.place is None else f", {self.place}"
        return f"own({self.what!r}{place})"


@dataclasses.dataclass(frozen=True)
class Opened(Condition):
    """The player faces a gap that it has just opened, or looks out of it.

    That is, in one of the last steps it removed a block from the cell that it faces, or
    from the cell in which it stands, and does not look back to where it stood then.

    Attributes:
      n: How many steps.
    """

    n: int

    def holds(self, view: TaskView) -> bool:
        """Returns whether it does."""
        now, opened = len(view.trail) - 1, view.provenance.opened
        here, target = view.player.pos, view.player.target
        if now - opened.get(target, now - self.n) < self.n:
            return True
        step = opened.get(here, now - self.n)
        return now - step < self.n and view.trail[step].pos != target

    def __str__(self) -> str:
        return f"opened({self.n})"


@dataclasses.dataclass(frozen=True)
class Enclosed(Condition):
    """The player is shut in: its region is small and holds no other creature.

    Attributes:
      lo: Least number of cells.
      hi: Largest number of cells.
      own: Least number of own blocks in the boundary.
    """

    lo: int = 1
    hi: int = 12
    own: int = 0

    def holds(self, view: TaskView) -> bool:
        """Returns whether the player is shut in."""
        found = region(open_mask(view), view.player.pos, self.hi)
        return (
            found is not None
            and len(found.cells) >= self.lo
            and own_in(view, found.boundary) >= self.own
            and not found.cells & creature_cells(view)
        )

    def __str__(self) -> str:
        return f"enclosed({self.lo}, {self.hi}, {self.own})"


@dataclasses.dataclass(frozen=True)
class Explored(Condition):
    """At least a share of the cells of the map has been in the view."""

    f: float

    def holds(self, view: TaskView) -> bool:
        """Returns whether it has."""
        return bool(np.count_nonzero(view.seen) >= self.f * view.seen.size)

    def share(self, view: TaskView) -> float:
        """Returns how much of it has been."""
        seen = np.count_nonzero(view.seen) / view.seen.size
        return 1.0 if self.holds(view) else min(seen / self.f, 0.99)

    def __str__(self) -> str:
        return f"explored({self.f!r})"


@dataclasses.dataclass(frozen=True)
class Alive(Condition):
    """A creature of a kind is alive, perhaps in a certain place.

    Attributes:
      kind: Its kind.
      place: Where it has to be, or `None` for anywhere.
    """

    kind: str
    place: Place | None = None

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        for thing in view.objects(self.kind):
            alive = thing.health > 0
            if alive and (self.place is None or self.place.holds_at(view, thing.pos)):
                return True
        return False

    def parts(self) -> tuple[Condition, ...]:
        """Returns the place."""
        return () if self.place is None else (self.place,)

    def __str__(self) -> str:
        place = "" if self.place is None else f", {self.place}"
        return f"alive({self.kind!r}{place})"


@dataclasses.dataclass(frozen=True)
class Built(Condition):
    """A structure exists; see `crafter.tasks.structures`.

    The latest result is kept, per game, until something changes that it depends on.

    Attributes:
      structure: What.
      count: How many of it, without a common cell.
    """

    structure: Structure
    count: int = 1

    def holds(self, view: TaskView) -> bool:
        """Returns whether it exists."""
        return self.share(view) >= 1

    def share(self, view: TaskView) -> float:
        """Returns how much of it there is."""
        results = view.memo
        moment = self._moment(view)
        known = results.get(self)
        if known is None or known[0] != moment:
            known = results[self] = moment, self.evaluate(view)
        share: float = known[1]
        return share

    def _moment(self, view: TaskView) -> tuple[Any, ...]:
        changes = len(view.provenance.changes)
        if not self.structure.mobile:
            return (changes,)
        return changes, view.labels.tobytes()

    def evaluate(self, view: TaskView) -> float:
        """Returns how much of it there is, without looking at what is known."""
        if self.count == 1:
            return self.structure.best(view).share
        return disjoint(self.structure.matches(view), self.count) / self.count

    def __str__(self) -> str:
        arguments = [repr(self.structure.name), *_written(self.structure)]
        if self.count != 1:
            arguments.append(f"count={self.count}")
        return f"built({', '.join(arguments)})"


def _written(structure: Structure) -> list[str]:
    """Returns the arguments of a structure, those with default values left out."""
    fields = dataclasses.fields(structure)
    values = [(f.name, getattr(structure, f.name), f.default) for f in fields]
    return [f"{name}={value!r}" for name, value, usual in values if value != usual]


@dataclasses.dataclass(frozen=True)
class Named(Condition):
    """A condition of a hand-written trace, which says when it holds."""

    name: str

    def holds(self, view: Any) -> bool:
        """Returns whether the trace says so."""
        return bool(view.says(self.name))

    def __str__(self) -> str:
        return self.name


# What expressions call them.


def name_of(function: str, argument: str, value: Any) -> str:
    """Returns an argument that has to be a name; raises TypeError if it is none."""
    if not isinstance(value, str):
        raise TypeError(f"{function}: {argument} is a name, got {value!r}.")
    return value


def _count_of(function: str, **amounts: Any) -> None:
    for argument, amount in amounts.items():
        if isinstance(amount, bool) or not isinstance(amount, int) or amount < 0:
            raise TypeError(
                f"{function}: {argument} is an integer of at least 0, got {amount!r}."
            )


def on(material: str) -> On:
    """The player stands on a material."""
    return On(name_of("on", "material", material))


def facing(what: str) -> Facing:
    """A material or a kind of object is in the cell that the player faces."""
    return Facing(name_of("facing", "what", what))


def near(what: str, r: int = 1) -> Near:
    """A material or kind of object is within Chebyshev distance `r`."""
    _count_of("near", r=r)
    return Near(name_of("near", "what", what), r)


def lost(what: str, r: int = 1) -> Lost:
    """A plant, table or furnace of the player's was lost within distance `r`."""
    if what not in LOSABLE:
        raise ValueError(f"lost: what is one of {LOSABLE}, not {what!r}.")
    _count_of("lost", r=r)
    return Lost(what, r)


def sees(what: str, n: int = 1) -> Sees:
    """At least `n` cells or objects lie in the view."""
    at_least("sees", n=n)
    return Sees(name_of("sees", "what", what), n)


def in_zone(name: str) -> InZone:
    """The player is in a zone."""
    if name_of("in_zone", "name", name) not in zones.names():
        raise ValueError(f"Unknown zone {name!r}; zones are {list(zones.names())}.")
    return InZone(name)


def away(n: int) -> Away:
    """The player is at least `n` steps from the start."""
    at_least("away", n=n)
    return Away(n)


def rectangle(left: int, top: int, right: int, bottom: int) -> Rectangle:
    """The player is in a rectangle of the map; the last cells belong to it."""
    _count_of("rectangle", left=left, top=top, right=right, bottom=bottom)
    if left > right or top > bottom:
        raise ValueError("rectangle: expected left <= right and top <= bottom.")
    return Rectangle(left, top, right, bottom)


def corner(r: int) -> Corner:
    """A corner of the map is within `r` steps."""
    _count_of("corner", r=r)
    return Corner(r)


def in_mark(name: str) -> InMark:
    """The player is in a rectangle that the scene names."""
    return InMark(name_of("in_mark", "name", name))


def hostile_within(r: int) -> HostileWithin:
    """A zombie or skeleton is within `r` steps."""
    _count_of("hostile_within", r=r)
    return HostileWithin(r)


def enclosed(lo: int = 1, hi: int = 12, own: int = 0) -> Enclosed:
    """The player is shut in a region of `lo` to `hi` cells."""
    at_least("enclosed", lo=lo, hi=hi)
    _count_of("enclosed", own=own)
    if lo > hi:
        raise ValueError(f"enclosed: lo {lo} is more than hi {hi}.")
    return Enclosed(lo, hi, own)


def around(kind: str, r: int, n: int = 1) -> Around:
    """At least `n` creatures of a kind are within `r` steps of the player."""
    _count_of("around", r=r)
    at_least("around", n=n)
    return Around(_creature("around", kind), r, n)


def in_line(kind: str, r: int) -> InLine:
    """A creature of a kind is in the row or column, at most `r` cells away."""
    at_least("in_line", r=r)
    return InLine(_creature("in_line", kind), r)


def reachable(n: int) -> Reachable:
    """An open way of at most `n` steps leads to the player."""
    at_least("reachable", n=n)
    return Reachable(n)


def own_block(what: str) -> OwnBlock:
    """A block that the player placed is in the cell."""
    blocks = [name for name in OWN if name != "plant"]
    if what not in blocks:
        raise ValueError(f"own_block: it is one of {blocks}, not {what!r}.")
    return OwnBlock(what)


def opened(n: int) -> Opened:
    """The player faces a gap that it opened in the last `n` steps, or is in it."""
    at_least("opened", n=n)
    return Opened(n)


def own(what: str, place: Place | str | None = None) -> Own:
    """A block or plant of the player's own is there, anywhere or in a place."""
    if what not in OWN:
        raise ValueError(f"own: it is one of {OWN}, not {what!r}.")
    return Own(what, in_zone(place) if isinstance(place, str) else place)


def _creature(function: str, kind: str) -> str:
    if kind not in CREATURES:
        raise ValueError(f"{function}: a kind is one of {CREATURES}, not {kind!r}.")
    return kind


def explored(f: float) -> Explored:
    """A share of the map, above 0 and up to 1, has been in the view."""
    if isinstance(f, bool) or not isinstance(f, (int, float)) or not 0 < f <= 1:
        raise ValueError(f"explored: expected a number above 0 and up to 1, got {f!r}.")
    return Explored(float(f))


def best(tool: str) -> Best:
    """The best tool of a class: `sword` or `pickaxe`."""
    if tool not in CLASSES:
        raise ValueError(f"best: a class is one of {CLASSES}, not {tool!r}.")
    return Best(tool)


def alive(kind: str, place: Place | str | None = None) -> Alive:
    """A creature of a kind is alive, anywhere or in a place."""
    if kind not in (*CREATURES, "plant"):
        raise ValueError(f"alive: a kind is one of {CREATURES} or plant, not {kind!r}.")
    return Alive(kind, in_zone(place) if isinstance(place, str) else place)


def built(name: str, *values: Any, count: int = 1, **arguments: Any) -> Built:
    """A structure exists.

    Args:
      name: Its kind; see `crafter.tasks.structures.KINDS`.
      *values: Its arguments, by position.
      count: How many of it, without a common cell.
      **arguments: Its arguments, by name.

    Raises:
      ValueError: If there is no such kind, or the arguments do not fit.
    """
    if name not in KINDS:
        raise ValueError(f"Unknown structure {name!r}; there are {sorted(KINDS)}.")
    at_least("built", count=count)
    fields = [field.name for field in dataclasses.fields(KINDS[name])]
    try:
        structure = KINDS[name](*values, **arguments)
    except TypeError:
        given = [*map(repr, values), *(f"{k}={v!r}" for k, v in arguments.items())]
        raise ValueError(
            f"{name}: the arguments are {fields}, got {', '.join(given) or 'none'}."
        ) from None
    structure.check()
    return Built(structure, count)


def together(*conditions: Condition) -> Together:
    """Conditions that hold in the same moment; also a goal."""
    wrong = [c for c in conditions if not isinstance(c, Condition)]
    if not conditions or wrong:
        raise TypeError(f"together: expected conditions, got {wrong or 'nothing'}.")
    return Together(tuple(conditions))


def leaves(condition: Condition) -> Collection[Condition]:
    """Returns the conditions that a condition is made of, down to the simple ones."""
    if not condition.parts() or isinstance(condition, (Alive, Own)):
        return (condition,)
    return [leaf for part in condition.parts() for leaf in leaves(part)]
