"""Conditions: predicates on the current state of a game.

A condition is an immutable value: a pure function of a view. `&`, `|` and `~` combine
conditions on the same state. A condition is not a goal; `reach(condition)` is. Games
derive their own conditions from these classes.
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
    """Predicate on the current state.

    Attributes:
      joins: Whether it is an operator expression, which needs parentheses inside
        another one; class attribute.
      bare: Whether it is a goal without `reach`; class attribute.
    """

    joins: ClassVar[bool] = False
    bare: ClassVar[bool] = False

    def holds(self, view: Any) -> bool:
        """Returns whether it holds. Subclasses define this or `share`."""
        return self.share(view) >= 1

    def share(self, view: Any) -> float:
        """Returns the degree to which it holds, 0 to 1; 1 exactly if it holds."""
        return float(self.holds(view))

    def conjuncts(self) -> list[Condition]:
        """Returns its conjuncts; itself, if it is not a conjunction."""
        return [self]

    @property
    def values(self) -> list[Any]:
        """Its arguments in order, with lists flattened."""
        fields = dataclasses.fields(self)
        arguments = [getattr(self, field.name) for field in fields]
        return [v for x in arguments for v in (x if isinstance(x, tuple) else (x,))]

    def parts(self) -> tuple[Condition, ...]:
        """Returns its operands."""
        return tuple(value for value in self.values if isinstance(value, Condition))

    def walk(self) -> Iterator[Condition]:
        """Yields the condition and all below, outer ones first."""
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
    """Returns the expression of a goal, or of the goal to reach a condition."""
    return f"reach({value})" if isinstance(value, Condition) else str(value)


def _inner(condition: Condition) -> str:
    """Returns a condition as an operand, in parentheses if needed."""
    return f"({condition})" if condition.joins else str(condition)


@dataclasses.dataclass(frozen=True)
class AllOf(Condition):
    """Conjunction of conditions."""

    joins = True
    conditions: tuple[Condition, ...]

    def conjuncts(self) -> list[Condition]:
        """Returns the conjuncts, however they are nested."""
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
    """Conjunction that is also a goal."""

    joins = False
    __str__ = Condition.__str__


@dataclasses.dataclass(frozen=True)
class AnyOf(Condition):
    """Disjunction of conditions."""

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
    """Negation of a condition."""

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
    """Comparison of a quantity with a number.

    Attributes:
      quantity: The quantity.
      relation: `>=`, `<=`, `==`, `<` or `>`.
      number: The number.
    """

    joins = True
    quantity: Quantity
    relation: str
    number: Any

    def holds(self, view: Any) -> bool:
        """Returns whether the comparison is true."""
        return COMPARE[self.relation](self.quantity.value(view), self.number)

    def share(self, view: Any) -> float:
        """Returns the share of a required minimum."""
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
    """Number of the game that can be compared."""

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


# Places. `holds` is about the cell of the player, `holds_at` about any cell.


class Place(Condition):
    """Condition on a cell."""

    @abc.abstractmethod
    def holds_at(self, view: Any, cell: Cell) -> bool:
        """Returns whether a cell is such a place."""

    def holds(self, view: Any) -> bool:
        """Returns whether the player is in such a place."""
        return self.holds_at(view, view.player.pos)


class InZone(Place):
    """The cell is in a zone; games define the zones."""

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

    The latest result is cached in the view until something changes that it depends on.

    Attributes:
      structure: The structure.
      count: Number of instances, without a common cell.
    """

    structure: Any
    count: int = 1

    def share(self, view: Any) -> float:
        """Returns how much of it there is."""
        moment = self.structure.moment(view)
        share: float = recalled(view, self, moment, lambda: self.evaluate(view))
        return share

    def evaluate(self, view: Any) -> float:
        """Returns the share without the cache."""
        if self.count == 1:
            return self.structure.best(view).share
        return disjoint(self.structure.matches(view), self.count) / self.count

    def mistakes(self, rules: Any) -> Iterator[Mistake]:
        """Yields the words of the structure that the rules do not know."""
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
    """Condition of a hand-written trace."""

    name: str

    def holds(self, view: Any) -> bool:
        """Returns whether the trace says so."""
        return self.name in view

    def __str__(self) -> str:
        return self.name


# Functions of expressions that are not a single class.


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
      count: Number of instances, without a common cell.
      **arguments: Its arguments, by name.

    Raises:
      ValueError: If there is no such kind, or the arguments do not fit.
    """
    if name not in kinds:
        raise ValueError(f"Unknown structure {name!r}; valid: {sorted(kinds)}.")
    at_least("built", count=count)
    fields = [*inspect.signature(kinds[name]).parameters]
    try:
        return Built(kinds[name](*values, **arguments), count)
    except TypeError:
        given = [*map(repr, values), *(f"{k}={v!r}" for k, v in arguments.items())]
        raise ValueError(
            f"{name}: expected the arguments {fields}, got "
            f"{', '.join(given) or 'none'}."
        ) from None


def together(*conditions: Condition) -> Together:
    """Conjunction of conditions that is also a goal."""
    wrong = [c for c in conditions if not isinstance(c, Condition)]
    if not conditions or wrong:
        raise TypeError(f"together: expected conditions, got {wrong or 'nothing'}.")
    return Together(tuple(conditions))
