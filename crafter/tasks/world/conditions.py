"""Conditions: predicates on the current state of a game.

A condition is a value: a pure function of a view. `&`, `|` and `~` combine conditions
that hold in one and the same moment. A condition is not a goal; `reach(condition)` is.
A game has conditions of its own, which derive from these and know its views.
"""

from __future__ import annotations

import abc
import dataclasses
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from crafter.core.grid import Cell
from crafter.tasks.world.fields import Declared, Mistake, at_least
from crafter.tasks.world.structures import Structure, disjoint
from crafter.tasks.world.view import recalled

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
      bare: Whether expressions write the goal to reach it without `reach`; class
        attribute.
    """

    joins: ClassVar[bool] = False
    bare: ClassVar[bool] = False

    def holds(self, view: Any) -> bool:
        """Returns whether it holds now. A kind of condition says this or `share`."""
        return self.share(view) >= 1

    def share(self, view: Any) -> float:
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

    def holds(self, view: Any) -> bool:
        """Returns whether all of them hold."""
        return all(condition.holds(view) for condition in self.conditions)

    def share(self, view: Any) -> float:
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

    def holds(self, view: Any) -> bool:
        """Returns whether one of them holds."""
        return any(condition.holds(view) for condition in self.conditions)

    def share(self, view: Any) -> float:
        """Returns the largest of their shares."""
        return max(condition.share(view) for condition in self.conditions)

    def __str__(self) -> str:
        return " | ".join(map(_inner, self.conditions))


@dataclasses.dataclass(frozen=True)
class Opposite(Condition):
    """A condition that does not hold."""

    joins = True
    condition: Condition

    def holds(self, view: Any) -> bool:
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

    def holds(self, view: Any) -> bool:
        """Returns whether the comparison is true."""
        return COMPARE[self.relation](self.quantity.value(view), self.number)

    def share(self, view: Any) -> float:
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

    @abc.abstractmethod
    def value(self, view: Any) -> Any:
        """Returns the number now."""

    def compare(self, relation: str, number: Any) -> Comparison:
        """Returns the comparison with a number.

        Raises:
          TypeError: If it is no number.
        """
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise TypeError(f"{self} is compared with a number, not {number!r}.")
        return Comparison(self, relation, number)


# Places. `holds` asks for the player's place, `holds_at` for any.


class Place(Condition):
    """A condition on where something is."""

    @abc.abstractmethod
    def holds_at(self, view: Any, cell: Cell) -> bool:
        """Returns whether a cell is such a place."""

    def holds(self, view: Any) -> bool:
        """Returns whether the player is in such a place."""
        return self.holds_at(view, view.player.pos)


class InZone(Place):
    """The cell lies in a zone; a game says which ones there are."""

    name: str

    def holds_at(self, view: Any, cell: Cell) -> bool:
        """Returns whether a cell lies in the zone."""
        return view.zone(cell) == self.name


class Counted(abc.ABC):
    """There are at least `n` of something."""

    n: int

    @abc.abstractmethod
    def count(self, view: Any) -> int:
        """Returns how many there are."""

    def share(self, view: Any) -> float:
        """Returns how many there are of those needed."""
        return min(1.0, self.count(view) / self.n)


@dataclasses.dataclass(frozen=True)
class Built(Condition):
    """A structure exists.

    The latest result is kept, per game, until something changes that it depends on.

    Attributes:
      structure: What.
      count: How many of it, without a common cell.
    """

    structure: Any
    count: int = 1

    def share(self, view: Any) -> float:
        """Returns how much of it there is."""
        moment = self.structure.moment(view)
        share: float = recalled(view, self, moment, lambda: self.evaluate(view))
        return share

    def evaluate(self, view: Any) -> float:
        """Returns how much of it there is, without looking at what is known."""
        if self.count == 1:
            return self.structure.best(view).share
        return disjoint(self.structure.matches(view), self.count) / self.count

    def mistakes(self, rules: Any) -> Iterator[Mistake]:
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


def built(
    kinds: Mapping[str, Callable[..., Structure]],
    /,
    name: str,
    *values: Any,
    count: int = 1,
    **arguments: Any,
) -> Built:
    """A structure exists.

    Args:
      kinds: The structures of the game, by name.
      name: Its kind.
      *values: Its arguments, by position.
      count: How many of it, without a common cell.
      **arguments: Its arguments, by name.

    Raises:
      ValueError: If there is no such kind, or the arguments do not fit.
    """
    if name not in kinds:
        raise ValueError(f"Unknown structure {name!r}; there are {sorted(kinds)}.")
    at_least("built", count=count)
    fields = [*inspect.signature(kinds[name]).parameters]
    try:
        return Built(kinds[name](*values, **arguments), count)
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
