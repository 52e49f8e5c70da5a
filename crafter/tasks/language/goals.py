"""Goals as immutable values.

Atoms are events and states; operators and methods combine them:

    a & b         both, in any order          a.when(c)       only what happens while c
    a | b         one of them                 a.where(place)  only what happens there
    a >> b        first a, later b            a.using(tool)   with this as best tool
    ~a            a never happens             a.without(x)    and no x until it is done
    a.within(n)   in n steps from its start   a.times(n)      n times, one by one
    a.hold(n)     a state, for n steps        a.from_scratch() with nothing at the start

`~` binds most tightly, then `>>`, `&` and `|`. `str(goal)` shows how it is understood.
"""

from __future__ import annotations

import abc
import dataclasses
import importlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from crafter.tasks import game as games
from crafter.tasks.language.monitors import Guard, Guards, Monitor, Term
from crafter.tasks.world import conditions as c
from crafter.tasks.world.fields import Mistake, Words, at_least, dataclass_transform

#: Word and field of the atom for chosen actions.
ACT = {"act": ("action",)}


@dataclass_transform(frozen_default=True)
class Goal(abc.ABC):
    """Base class of goals; all kinds are frozen dataclasses."""

    def __init_subclass__(cls) -> None:
        """Turns subclasses into frozen dataclasses."""
        dataclasses.dataclass(frozen=True)(cls)

    @classmethod
    def parse(cls, text: str, rules: Any = None) -> Goal:
        """Returns the goal that an expression describes.

        Args:
          text: The expression.
          rules: The rules of the game; by default those of the published one.

        Raises:
          crafter.tasks.TaskSyntaxError: If it is not one; the message says where.
        """
        # The parser makes goals, so it comes after them in the order of imports.
        parser = importlib.import_module("crafter.tasks.language.parse")
        goal: Goal = parser.parse(text, rules)
        return goal

    def monitor(self, budget: int | None = None) -> Monitor:
        """Returns a fresh monitor.

        Args:
          budget: Maximum number of steps, after which the goal is done or failed; or
            `None`.
        """
        return Monitor(self.term(()), budget)

    @abc.abstractmethod
    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards."""

    @property
    def is_safety(self) -> bool:
        """Whether it is a pure safety constraint: nothing to do, only to avoid."""
        return self.term().is_safety

    @property
    def is_endless(self) -> bool:
        """Whether it is done only at the end of the attempt."""
        return self.term().is_endless

    @property
    def parts(self) -> tuple[Goal, ...]:
        """Its direct subgoals."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        values = [getattr(self, field.name) for field in fields]
        flat = [v for x in values for v in (x if isinstance(x, tuple) else (x,))]
        return tuple(value for value in flat if isinstance(value, Goal))

    # Operators.

    def __and__(self, other: Any) -> Goal:
        return And(self, _operand(self, "&", other))

    def __or__(self, other: Any) -> Goal:
        return Or(self, _operand(self, "|", other))

    def __rshift__(self, other: Any) -> Goal:
        return Then(self, _operand(self, ">>", other))

    def __rand__(self, other: Any) -> Goal:
        return And(_operand(self, "&", other, True), self)

    def __ror__(self, other: Any) -> Goal:
        return Or(_operand(self, "|", other, True), self)

    def __rrshift__(self, other: Any) -> Goal:
        return Then(_operand(self, ">>", other, True), self)

    def __invert__(self) -> Goal:
        return Not(self)

    def __bool__(self) -> bool:
        raise TypeError(
            f"The goal {self} is neither true nor false. Combine goals with &, |, >> "
            "and ~ instead of and, or and not."
        )

    # Constraints.

    def when(self, condition: c.Condition) -> Goal:
        """Restricts a goal to steps at whose start a condition holds."""
        return When(self, condition)

    def where(self, place: c.Place | str) -> Goal:
        """Restricts a goal to a place: the name of a zone, or a condition on places."""
        zone = games.find().language.zone
        return Where(self, zone(place) if isinstance(place, str) else place)

    def using(self, tool: str) -> Goal:
        """Restricts a goal to steps in which a tool is the best of its class.

        Args:
          tool: Such as `stone_sword`; `none:sword` for bare hands.
        """
        return using(games.find().language, self, tool)

    def without(self, *things: Goal | str) -> Goal:
        """Forbids goals until this one is done.

        Args:
          *things: Goals, such as names of events; or classes of tools, of which
            none may be owned.
        """
        return Without(self, tuple(_forbidden(thing) for thing in things))

    def within(self, n: int) -> Goal:
        """Limits the number of steps, counted from the start of the goal."""
        return Within(self, n)

    def times(self, n: int) -> Goal:
        """Requires a goal several times in sequence.

        Structures have to exist at the same time, without a common cell.
        """
        return Times(self, n)

    def hold(self, n: int) -> Goal:
        """Requires a state for consecutive steps.

        Raises:
          TypeError: If the goal is not a state.
        """
        state = state_of(self)
        if state is None:
            raise TypeError(f"hold: {self} is not a state, so it cannot be held.")
        return reach(state.condition, n)

    def from_scratch(self) -> Goal:
        """Requires a start with an empty inventory and no station nearby."""
        return FromScratch(self)


def _operand(goal: Goal, sign: str, other: Any, before: bool = False) -> Goal:
    """Returns the other operand as a goal.

    Raises:
      TypeError: If it is a condition or something else; the message has the corrected
        expression.
    """
    if isinstance(other, (Goal, c.Together)):
        return as_goal(other)
    left, right = (other, goal) if before else (goal, other)
    if isinstance(other, c.Condition):
        raise TypeError(
            f"{other} is a condition, not a goal. Write "
            f"{inner(left)} {sign} {inner(right)}."
        )
    raise TypeError(f"Expected a goal beside {sign} {goal}, got {other!r}.")


def as_goal(value: Any) -> Goal:
    """Returns a value as a goal; `together(...)` becomes a state to reach.

    Raises:
      TypeError: If it is no goal; for a condition the message says how to write it.
    """
    if isinstance(value, Goal):
        return value
    if isinstance(value, c.Together):
        return Reach(value)
    if isinstance(value, c.Condition):
        raise TypeError(f"{value} is a condition, not a goal. Write reach({value}).")
    raise TypeError(f"Expected a goal, got {value!r}.")


def inner(goal: Any) -> str:
    """Returns a goal as a part of another one, in parentheses if it has operators."""
    text = c.goal_text(goal)
    return f"({text})" if isinstance(goal, (And, Or, Then, Not)) else text


def _label(goal: Goal, guards: Guards) -> str:
    if not guards:
        return str(goal)
    return inner(goal) + "".join(guard.text for guard in guards)


# Atoms.


class Event(Goal):
    """Goal: the n-th event of a type, counted from its start.

    Attributes:
      type: Type of the events; see `crafter.core.events`.
      n: Required number.
      filters: Field -> required value, or a tuple of accepted values.
      same: Field in which the n events have to agree, such as `at`, or `None`.
    """

    type: str
    n: int = 1
    filters: tuple[tuple[str, Any], ...] = ()
    same: str | None = None

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards."""
        return Term("event", self, _label(self, guards), (), guards)

    def mistakes(self, rules: Any) -> Iterator[Mistake]:
        """Yields the words of its filters that the rules do not know."""
        words = games.of(rules).language.fields
        for name, value in self.filters:
            valid = words.get((self.type, name)) or words.get(("", name))
            if valid is not None:
                what = f"{name} of the event {self.type!r}"
                yield from Words(what, valid).mistakes(value, rules)

    def matches(self, event: Any) -> bool:
        """Returns whether an event matches."""
        if event["type"] != self.type:
            return False
        return all(
            name in event and _fits(event[name], value) for name, value in self.filters
        )

    def __str__(self) -> str:
        arguments = [repr(self.type)]
        if self.n != 1:
            arguments.append(f"n={self.n}")
        if self.same is not None:
            arguments.append(f"same={self.same!r}")
        arguments += [f"{name}={value!r}" for name, value in self.filters]
        return f"event({', '.join(arguments)})"


def _fits(value: Any, wanted: Any) -> bool:
    """Returns whether a field has a value; lists of causes match any element."""
    if isinstance(value, list):
        return any(_fits(part, wanted) for part in value)
    return bool(value == wanted) or (isinstance(wanted, tuple) and value in wanted)


class Reach(Goal):
    """Goal: a condition holds at the end of consecutive steps.

    Attributes:
      condition: The condition.
      steps: Number of steps.
    """

    condition: c.Condition
    steps: int = 1

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards."""
        return Term("state", self, _label(self, guards), (), guards)

    def mistakes(self, rules: Any) -> Iterator[Mistake]:
        """Yields the words of a bare condition that the rules do not know."""
        yield from self.condition.mistakes(rules) if self.condition.bare else ()

    def __str__(self) -> str:
        if self.steps != 1:
            return f"reach({self.condition}, hold={self.steps})"
        if self.condition.bare:
            return str(self.condition)
        return f"reach({self.condition})"


class Name(Goal):
    """A named goal, such as a task of the catalogue.

    Attributes:
      name: The name.
      meaning: The goal that it stands for.
    """

    name: str
    meaning: Goal

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards."""
        term = self.meaning.term(guards)
        names = (self.name, *term.names)
        return dataclasses.replace(term, label=_label(self, guards), names=names)

    def __str__(self) -> str:
        return self.name


# Operators.


class Not(Goal):
    """A goal that must not be done."""

    goal: Goal

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form; guards do not apply to negated goals."""
        return Term("not", self, str(self), (self.goal.term(),))

    def __str__(self) -> str:
        return f"~{inner(self.goal)}"


class _Pair(Goal):
    op: ClassVar[str]
    sign: ClassVar[str]
    left: Goal
    right: Goal

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards.

        Operators are associative, constraints distribute over them, and names are
        expanded, so that only the chain matters, not how it is written.
        """
        parts: list[Term] = []
        for goal in (self.left, self.right):
            while isinstance(goal, Name) and isinstance(goal.meaning, _CONSTRAINED):
                goal = goal.meaning
            term = goal.term(guards)
            parts += term.parts if type(term.goal) is type(self) else [term]
        if self.op != "sequence":  # there, repetitions count
            parts = list(dict.fromkeys(parts))
        return Term(self.op, self, _label(self, guards), tuple(parts))

    def __str__(self) -> str:
        return f"{inner(self.left)} {self.sign} {inner(self.right)}"


class And(_Pair):
    """Conjunction: all goals, in any order."""

    op, sign = "all", "&"


class Or(_Pair):
    """Disjunction: one of the goals."""

    op, sign = "any", "|"


class Then(_Pair):
    """Sequence: the second goal starts after the step in which the first one is done.

    Raises:
      ValueError: If the first one can only be done at the end of the attempt.
    """

    op, sign = "sequence", ">>"

    def __post_init__(self) -> None:
        if self.left.is_endless:
            raise ValueError(
                f"In {self} nothing can come after {inner(self.left)}, which is only "
                "done at the end of the attempt. Give it an end with .within(n), or "
                f"write {inner(self.left)} & {inner(self.right)}."
            )


# Constraints.


class _Around(Goal):
    """A goal with a constraint."""

    goal: Goal

    def guards(self) -> Guards:
        """Returns the guards that it puts on events and states."""
        return ()

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards."""
        return self.goal.term((*self.guards(), *guards))

    def suffix(self) -> str:
        """Returns how the constraint is written after the goal."""
        (value,) = (
            getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name != "goal" and field.compare
        )
        text = repr(value) if isinstance(value, str) else str(value)
        return f".{type(self).__name__.lower()}({text})"

    def __str__(self) -> str:
        return inner(self.goal) + self.suffix()


class When(_Around):
    """A goal restricted to steps at whose start a condition holds."""

    condition: c.Condition

    def __post_init__(self) -> None:
        if not isinstance(self.condition, c.Condition):
            raise TypeError(f"when: expected a condition, got {self.condition}.")

    def guards(self) -> Guards:
        """Returns the guards that it puts on events and states."""
        return (Guard("when", self.condition, self.suffix()),)


class Where(_Around):
    """A goal restricted to a place."""

    place: c.Condition

    def __post_init__(self) -> None:
        if not isinstance(self.place, (c.Place, c.Named)):
            raise TypeError(
                "where: expected the name of a zone, near(...), away(...), lost(...) "
                f"or rectangle(...), got {self.place}."
            )

    def guards(self) -> Guards:
        """Returns the guards that it puts on events and states."""
        return (Guard("where", self.place, self.suffix()),)

    def suffix(self) -> str:
        """Returns how the constraint is written; a zone by its name alone."""
        if isinstance(self.place, c.InZone):
            return f".where({self.place.name!r})"
        return super().suffix()


class Using(_Around):
    """A goal restricted to steps in which a tool is the best of its class.

    Attributes:
      tool: Name of the tool.
      best: The condition; follows from the name.
    """

    tool: str
    best: c.Condition = dataclasses.field(repr=False, compare=False)

    def guards(self) -> Guards:
        """Returns the guards that it puts on events and states."""
        return (Guard("using", self.best, self.suffix()),)


def using(language: games.Language, goal: Goal, /, tool: str) -> Using:
    """Returns a goal restricted to steps in which a tool is the best of its class.

    Raises:
      ValueError: If there is no such tool.
    """
    return Using(goal, tool, language.tool(tool))


#: Names of such goals are expanded in chains.
_CONSTRAINED = (When, Where, Using, Name)


def _forbidden(thing: Any) -> Goal:
    return Goal.parse(thing) if isinstance(thing, str) else as_goal(thing)


class Without(_Around):
    """A goal with others that are forbidden until it is done."""

    things: tuple[Goal, ...]

    def __post_init__(self) -> None:
        if not self.things:
            raise TypeError("without: expected at least one thing.")

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards."""
        parts = self.goal.term(guards), *(Not(thing).term() for thing in self.things)
        return Term("all", self, _label(self, guards), parts)

    def suffix(self) -> str:
        """Returns how the constraint is written after the goal."""
        return f".without({', '.join(map(str, self.things))})"


class Within(_Around):
    """A goal with a horizon, counted in steps from its start."""

    n: int

    def __post_init__(self) -> None:
        at_least("within", n=self.n)

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards."""
        label, part = _label(self, guards), self.goal.term(guards)
        return Term("within", self, label, (part,), n=self.n)


class Times(_Around):
    """A goal required several times in sequence."""

    n: int

    def __post_init__(self) -> None:
        at_least("times", n=self.n)
        if self.goal.is_endless:
            raise ValueError(
                f"{self.goal} is only done at the end of the attempt, so it cannot be "
                "done several times. Give it an end with .within(n)."
            )

    def term(self, guards: Guards = ()) -> Term:
        """Returns the normal form of the goal under guards."""
        state, label = state_of(self.goal), _label(self, guards)
        if state is not None and isinstance(state.condition, c.Built):
            built = dataclasses.replace(state.condition, count=self.n)
            return Term("state", Reach(built, state.steps), label, (), guards)
        parts = (self.goal.term(guards),) * self.n
        return Term("sequence", self, label, parts, n=self.n)


class FromScratch(_Around):
    """A goal that requires a start with nothing."""

    def suffix(self) -> str:
        """Returns how the constraint is written after the goal."""
        return ".from_scratch()"


def state_of(goal: Goal) -> Reach | None:
    """Returns the goal as a state, or `None`."""
    if isinstance(goal, Name):
        return state_of(goal.meaning)
    return goal if isinstance(goal, Reach) else None


# Functions of expressions.


def event(
    fields: Mapping[str, Collection[str]],
    /,
    type: str,
    n: int = 1,
    same: str | None = None,
    **filters: Any,
) -> Event:
    """Returns the goal of the n-th event of a type.

    Args:
      fields: Event type -> its fields.
      type: Type of the events.
      n: Required number.
      same: Field in which the n events have to agree, such as `at`.
      **filters: Field -> required value.

    Raises:
      ValueError: If there is no such type or field.
    """
    fields = {**fields, **ACT}
    if type not in fields:
        raise ValueError(f"Unknown event {type!r}; valid: {sorted(fields)}.")
    asked = [*filters, *([] if same is None else [same])]
    unknown = [name for name in asked if name not in fields[type]]
    if unknown:
        valid = list(fields[type])
        raise ValueError(f"The event {type!r} has no {unknown}; valid: {valid}.")
    at_least("event", n=n)
    return Event(type, n, tuple(filters.items()), same)


def reach(condition: c.Condition, hold: int = 1) -> Reach:
    """Returns the goal that a condition holds at the end of consecutive steps."""
    if not isinstance(condition, c.Condition):
        raise TypeError(f"reach: expected a condition, got {condition}.")
    at_least("reach", hold=hold)
    return Reach(condition, hold)


def walk_over(goal: Goal) -> Sequence[Goal]:
    """Returns a goal and all its subgoals, outer ones first."""
    return [goal, *(subgoal for part in goal.parts for subgoal in walk_over(part))]
