"""Conditions: what holds in one moment of the game.

A condition is a value: a pure function of a view. `&`, `|` and `~` combine conditions
that hold in one and the same moment. A condition is not a goal; `reach(condition)` is.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import inspect
import operator
from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar

import numpy as np

from crafter.core import validation
from crafter.core.grid import Cell, distance
from crafter.games.crafter.rules import Rules
from crafter.tasks.world import zones
from crafter.tasks.world.fields import (
    CREATURES,
    HOSTILE,
    Choice,
    Count,
    Creature,
    Declared,
    Material,
    Mistake,
    Positive,
    Thing,
    at_least,
)
from crafter.tasks.world.regions import holds, open_mask, own_mask, within_reach
from crafter.tasks.world.structures import KINDS, Match, Structure, disjoint
from crafter.tasks.world.structures.rooms import Enclosure, creature_cells, own_cells
from crafter.tasks.world.view import TaskView, recalled

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


class Condition(Declared, abc.ABC):
    """Something that holds in a moment or does not.

    Attributes:
      joins: Whether it joins others by a sign, so that it needs parentheses inside
        another one; class attribute.
    """

    registry: ClassVar[dict[str, Any]] = {}
    joins: ClassVar[bool] = False

    def holds(self, view: TaskView) -> bool:
        """Returns whether it holds now. A kind of condition says this or `share`."""
        return self.share(view) >= 1

    def share(self, view: TaskView) -> float:
        """Returns how much of it there is, 0 to 1; 1 exactly where it holds."""
        return float(self.holds(view))

    def conjuncts(self) -> list[Condition]:
        """Returns the conditions that have to hold together; itself, if it is one."""
        return [self]

    @property
    def values(self) -> list[Any]:
        """Its arguments in order; those of a list one by one."""
        fields = dataclasses.fields(self)
        found = [getattr(self, field.name) for field in fields]
        return [v for x in found for v in (x if isinstance(x, tuple) else (x,))]

    def parts(self) -> tuple[Condition, ...]:
        """Returns the conditions that it is made of."""
        return tuple(value for value in self.values if isinstance(value, Condition))

    def walk(self) -> Iterator[Condition]:
        """Yields it and all that it is made of, outer ones first."""
        yield self
        for part in self.parts():
            yield from part.walk()

    def __str__(self) -> str:
        values = [
            str(value) if isinstance(value, Condition) else repr(value)
            for value in self.values
            if value is not None
        ]
        return f"{self.word}({', '.join(values)})" if self.values else self.word

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
    """Returns a condition as a part of another one, in parentheses if it has signs."""
    return f"({condition})" if condition.joins else str(condition)


@dataclasses.dataclass(frozen=True)
class AllOf(Condition):
    """Conditions that hold together, in the same moment."""

    joins = True
    conditions: tuple[Condition, ...]

    def conjuncts(self) -> list[Condition]:
        """Returns the conditions of the chain, however it is nested."""
        return [leaf for part in self.conditions for leaf in part.conjuncts()]

    def holds(self, view: TaskView) -> bool:
        """Returns whether all of them hold."""
        return all(condition.holds(view) for condition in self.conditions)

    def share(self, view: TaskView) -> float:
        """Returns the mean of their shares."""
        return sum(c.share(view) for c in self.conditions) / len(self.conditions)

    def __str__(self) -> str:
        return " & ".join(map(_inner, self.conditions))


class Together(AllOf, word="together"):
    """Conditions that hold together; as a goal it is reached when they do."""

    joins = False
    __str__ = Condition.__str__


@dataclasses.dataclass(frozen=True)
class AnyOf(Condition):
    """Conditions of which one holds."""

    joins = True
    conditions: tuple[Condition, ...]

    def holds(self, view: TaskView) -> bool:
        """Returns whether one of them holds."""
        return any(condition.holds(view) for condition in self.conditions)

    def share(self, view: TaskView) -> float:
        """Returns the largest of their shares."""
        return max(condition.share(view) for condition in self.conditions)

    def __str__(self) -> str:
        return " | ".join(map(_inner, self.conditions))


@dataclasses.dataclass(frozen=True)
class Opposite(Condition):
    """A condition that does not hold."""

    joins = True
    condition: Condition

    def holds(self, view: TaskView) -> bool:
        """Returns whether the condition does not hold."""
        return not self.condition.holds(view)

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

    joins = True
    quantity: Quantity
    relation: str
    number: Any

    def holds(self, view: TaskView) -> bool:
        """Returns whether the comparison is true."""
        return COMPARE[self.relation](self.quantity.value(view), self.number)

    def share(self, view: TaskView) -> float:
        """Returns how far an amount has come that has to be at least a number."""
        value, wanted = self.quantity.value(view), self.number
        if COMPARE[self.relation](value, wanted):
            return 1.0
        if self.relation not in (">=", "==", ">") or not isinstance(
            wanted, (int, float)
        ):
            return 0.0
        least = wanted + (self.relation == ">")
        return min(value / least, 0.99) if 0 <= value < least else 0.0

    def __str__(self) -> str:
        number = self.number if isinstance(self.number, str) else repr(self.number)
        return f"{self.quantity} {self.relation} {number}"


class Quantity(Declared, abc.ABC):
    """A number of the game, which is compared with another one."""

    registry: ClassVar[dict[str, Any]] = {}

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


@dataclasses.dataclass(frozen=True)
class Amount(Quantity):
    """How many of an item the player has."""

    item: str

    def value(self, view: TaskView) -> int:
        """Returns the amount; 0 if the rules have no such item."""
        return view.player.inventory.get(self.item, 0)

    def __str__(self) -> str:
        return self.item if self.item in VITALS else f"inv.{self.item}"


class Light(Quantity, word="light"):
    """How bright it is, 0 to 1."""

    def value(self, view: TaskView) -> float:
        """Returns the daylight."""
        return view.daylight

    def __str__(self) -> str:
        return "light"


class Best(Quantity, word="best"):
    """The best tool of a class that the player has."""

    tool: Annotated[str, Choice(CLASSES)]

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
        tier = validation.one_of(f"{self}: the tier", number, TIERS)
        return Comparison(self, relation, tier)

    def __str__(self) -> str:
        return f"best({self.tool!r})"


# The time of day, and the player.


class Night(Condition, word="night"):
    """It is night: the daylight is below the threshold of the rules."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether it is night."""
        return bool(view.daylight < view.rules.time["dark"])


class Day(Condition, word="day"):
    """It is not night."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether it is day."""
        return bool(view.daylight >= view.rules.time["dark"])


class Asleep(Condition, word="asleep"):
    """The player is asleep."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether the player is asleep."""
        return view.player.sleeping


class On(Condition, word="on"):
    """The player stands on a material."""

    material: Material

    def holds(self, view: TaskView) -> bool:
        """Returns whether the material is under the player."""
        return view.material(*view.player.pos) == self.material


class Facing(Condition, word="facing"):
    """A material or a kind of object is in the cell that the player faces."""

    what: Thing

    def holds(self, view: TaskView) -> bool:
        """Returns whether it is there."""
        target = view.player.target
        thing = view.object(*target)
        if thing is not None:
            return thing.kind == self.what
        return view.material(*target) == self.what


# Places. `holds` asks for the player's place, `holds_at` for any.


class Place(Condition):
    """A condition on where something is."""

    @abc.abstractmethod
    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell is such a place."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether the player is in such a place."""
        return self.holds_at(view, view.player.pos)


class Near(Place, word="near"):
    """A material or kind of object lies within a square around.

    Attributes:
      what: What lies there.
      r: Chebyshev distance; that of crafting is 1.
    """

    what: Thing
    r: Count = 1

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether it lies within the square around a cell."""
        x, y = cell
        columns = slice(max(0, x - self.r), x + self.r + 1)
        window = columns, slice(max(0, y - self.r), y + self.r + 1)
        return bool(_where(view, self.what, window).any())


class InZone(Place, word="in_zone"):
    """The cell lies in a zone; see `crafter.tasks.world.zones`."""

    name: Annotated[str, Choice(zones.names())]

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell lies in the zone."""
        return view.zone(cell) == self.name


class Away(Place, word="away"):
    """The L1 distance from the start is at least a number."""

    n: Positive

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell is that far away."""
        return distance(cell, view.start_pos) >= self.n

    def share(self, view: TaskView) -> float:
        """Returns how far the player has come."""
        return min(1.0, distance(view.player.pos, view.start_pos) / self.n)


class Lost(Place, word="lost"):
    """The player lost one of its own things here to a creature or an arrow.

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


class Rectangle(Place, word="rectangle"):
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


class Reachable(Place, word="reachable"):
    """An open way of few steps joins the cell and the player; creatures do not block.

    Attributes:
      n: Length of the way in steps, at most.
    """

    n: Positive

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether there is such a way."""
        start = view.player.pos
        if distance(cell, start) > self.n:
            return False
        mask = open_mask(view)
        moment = start, mask.tobytes()
        reach = functools.partial(within_reach, mask, start, self.n)
        return bool(recalled(view, self, moment, reach)[cell])


class InLine(Place, word="in_line"):
    """A creature of a kind is in the row or column of the cell.

    Attributes:
      kind: Its kind.
      r: How far away it is, at most.
    """

    kind: Creature
    r: Positive

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether there is one."""
        offsets = (
            (abs(x - cell[0]), abs(y - cell[1]))
            for x, y in creature_cells(view, (self.kind,))
        )
        return any(min(by) == 0 and max(by) <= self.r for by in offsets)


class OwnBlock(Place, word="own_block"):
    """The cell holds a block that the player placed.

    Attributes:
      what: `stone`, `table` or `furnace`.
    """

    what: Annotated[str, Choice(OWN[:3])]

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell does."""
        return holds(own_mask(view, self.what), cell)


class Corner(Place, word="corner"):
    """A corner of the map is at most so many steps away.

    Attributes:
      r: L1 distance to the nearest corner cell, at most.
    """

    r: Count

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a corner is that near to a cell."""
        pairs = zip(cell, view.area)
        return sum(min(c, size - 1 - c) for c, size in pairs) <= self.r


class InMark(Place, word="in_mark"):
    """The cell lies in a rectangle that the scene names, such as its maze.

    It holds nowhere in a scene without the mark.
    """

    name: str

    def holds_at(self, view: TaskView, cell: Cell) -> bool:
        """Returns whether a cell lies in it."""
        x, y, width, height = view.marks.get(self.name, (0, 0, 0, 0))
        return x <= cell[0] < x + width and y <= cell[1] < y + height


# What is around.


class Counted(abc.ABC):
    """There are at least `n` of something."""

    n: int

    @abc.abstractmethod
    def count(self, view: TaskView) -> int:
        """Returns how many there are."""

    def share(self, view: TaskView) -> float:
        """Returns how many there are of those needed."""
        return min(1.0, self.count(view) / self.n)


class Sees(Counted, Condition, word="sees"):
    """Cells or objects lie in the view.

    Attributes:
      what: A material or a kind of object.
      n: How many at least.
    """

    what: Thing
    n: Positive = 1

    def count(self, view: TaskView) -> int:
        """Returns how many are in the view."""
        return int(np.count_nonzero(_where(view, self.what, view.view_cells())))


def _where(view: TaskView, what: str, window: tuple[slice, ...]) -> np.ndarray:
    """Returns which cells of a window have a material or hold an object of a name."""
    rules = view.rules
    if what in rules.material_ids:
        return view.materials[window] == rules.material_ids[what]
    return view.labels[window] == rules.object_ids.get(what, -1)


@dataclasses.dataclass(frozen=True)
class Walk(Condition):
    """Something is in the view, and it is a short walk to it; `find` makes it a goal.

    Attributes:
      what: A material or a kind of object.
      r: Length of the shortest walk to it in steps, at most; next to it, it is 1.
    """

    word = "find"
    what: Thing
    r: Positive

    def share(self, view: TaskView) -> float:
        """Returns 1 if it is near, a half if it is in the view."""
        window = view.view_cells()
        there = _where(view, self.what, window)
        if not there.any():
            return 0.0
        reached = within_reach(open_mask(view), view.player.pos, self.r)
        return 1.0 if (reached[window] & there).any() else 0.5


class HostileWithin(Condition, word="hostile_within"):
    """A zombie or skeleton is within an L1 distance of the player."""

    r: Count

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        return _creatures(view, HOSTILE, self.r) > 0


class Around(Counted, Condition, word="around"):
    """Creatures of a kind are within an L1 distance of the player.

    Attributes:
      kind: Their kind.
      r: The distance.
      n: How many at least.
    """

    kind: Creature
    r: Count
    n: Positive = 1

    def count(self, view: TaskView) -> int:
        """Returns how many are within the distance."""
        return _creatures(view, (self.kind,), self.r)


def _creatures(view: TaskView, kinds: tuple[str, ...], r: int) -> int:
    """Returns how many creatures of kinds are within an L1 distance of the player."""
    here = view.player.pos
    return sum(distance(cell, here) <= r for cell in creature_cells(view, kinds))


class Own(Condition, word="own"):
    """A block or living plant of the player's own is there, perhaps in a certain place.

    Attributes:
      what: The material of the block, or `plant`.
      place: Where it has to be, or `None` for anywhere.
    """

    what: Annotated[str, Choice(OWN)]
    place: Place | None = None

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        place, plants = self.place, view.provenance.own_plants
        cells = plants if self.what == "plant" else own_cells(view, self.what)
        return any(place is None or place.holds_at(view, cell) for cell in cells)


class Opened(Condition, word="opened"):
    """The player faces a gap that it has just opened, or looks out of it.

    That is, in one of the last steps it removed a block from the cell that it faces, or
    from the cell in which it stands, and does not look back to where it stood then.

    Attributes:
      n: How many steps.
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


class Enclosed(Condition, word="enclosed"):
    """The player is shut in: its region is small and holds no other creature.

    That is the structure `enclosure` around the player, all of it or nothing.

    Attributes:
      lo: Least number of cells.
      hi: Largest number of cells.
      own: Least number of own blocks in the boundary.
    """

    lo: Positive = 1
    hi: Positive = 12
    own: Count = 0

    def match(self, view: TaskView) -> Match:
        """Returns the room around the player, and how much of it is as wanted."""
        return Enclosure(self.lo, self.hi, self.own, inside=1).best(view)

    def holds(self, view: TaskView) -> bool:
        """Returns whether the player is shut in."""
        return self.match(view).share >= 1


class Explored(Condition, word="explored"):
    """At least a share of the cells of the map has been in the view."""

    f: float

    def __post_init__(self) -> None:
        """Raises ValueError if the share is none."""
        validation.number(f"{self.word}: f", self.f, 0.0001, 1)
        object.__setattr__(self, "f", float(self.f))

    def holds(self, view: TaskView) -> bool:
        """Returns whether it has."""
        return bool(np.count_nonzero(view.seen) >= self.f * view.seen.size)

    def share(self, view: TaskView) -> float:
        """Returns how much of it has been."""
        seen = np.count_nonzero(view.seen) / view.seen.size
        return 1.0 if self.holds(view) else min(seen / self.f, 0.99)


class Alive(Condition, word="alive"):
    """A creature of a kind is alive, perhaps in a certain place.

    Attributes:
      kind: Its kind.
      place: Where it has to be, or `None` for anywhere.
    """

    kind: Annotated[str, Choice((*CREATURES, "plant"))]
    place: Place | None = None

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        place, alive = self.place, (t for t in view.objects(self.kind) if t.health > 0)
        return any(place is None or place.holds_at(view, t.pos) for t in alive)


@dataclasses.dataclass(frozen=True)
class Built(Condition):
    """A structure exists; see `crafter.tasks.world.structures`.

    The latest result is kept, per game, until something changes that it depends on.

    Attributes:
      structure: What.
      count: How many of it, without a common cell.
    """

    structure: Structure
    count: int = 1

    def share(self, view: TaskView) -> float:
        """Returns how much of it there is."""
        moment: Any = len(view.provenance.changes)
        if self.structure.mobile:
            moment = moment, view.labels.tobytes()
        share: float = recalled(view, self, moment, lambda: self.evaluate(view))
        return share

    def evaluate(self, view: TaskView) -> float:
        """Returns how much of it there is, without looking at what is known."""
        if self.count == 1:
            return self.structure.best(view).share
        return disjoint(self.structure.matches(view), self.count) / self.count

    def mistakes(self, rules: Rules) -> Iterator[Mistake]:
        """Yields the words of the structure that rules do not have."""
        return self.structure.mistakes(rules)

    def __str__(self) -> str:
        arguments = [repr(self.structure.word)]
        fields = dataclasses.fields(self.structure)
        for field in fields:  # those with default values are left out
            value = getattr(self.structure, field.name)
            if value != field.default:
                arguments.append(f"{field.name}={value!r}")
        if self.count != 1:
            arguments.append(f"count={self.count}")
        return f"built({', '.join(arguments)})"


@dataclasses.dataclass(frozen=True)
class Named(Condition):
    """A condition of a hand-written trace, which says when it holds."""

    name: str

    def holds(self, view: Any) -> bool:
        """Returns whether the trace says so."""
        return self.name in view

    def __str__(self) -> str:
        return self.name


# What expressions call that are no words of a single class.


def built(name: str, *values: Any, count: int = 1, **arguments: Any) -> Built:
    """A structure exists.

    Args:
      name: Its kind; see `crafter.tasks.world.structures.KINDS`.
      *values: Its arguments, by position.
      count: How many of it, without a common cell.
      **arguments: Its arguments, by name.

    Raises:
      ValueError: If there is no such kind, or the arguments do not fit.
    """
    if name not in KINDS:
        raise ValueError(f"Unknown structure {name!r}; there are {sorted(KINDS)}.")
    at_least("built", count=count)
    fields = [*inspect.signature(KINDS[name]).parameters]
    try:
        return Built(KINDS[name](*values, **arguments), count)
    except TypeError:
        given = [*map(repr, values), *(f"{k}={v!r}" for k, v in arguments.items())]
        raise ValueError(
            f"{name}: the arguments are {fields}, got {', '.join(given) or 'none'}."
        ) from None


def together(*conditions: Condition) -> Together:
    """Conditions that hold in the same moment; also a goal."""
    wrong = [c for c in conditions if not isinstance(c, Condition)]
    if not conditions or wrong:
        raise TypeError(f"together: expected conditions, got {wrong or 'nothing'}.")
    return Together(tuple(conditions))
