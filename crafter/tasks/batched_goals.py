"""Monitors for many games at once: goals compiled to operations on arrays.

A node stands for a part of a goal in all games; its verdicts are numbers, so that what
`crafter.tasks.monitors` does for one game is done here for all by a few array
operations. It knows events that are achievements, actions, conditions on inventory,
vitals and time, and places.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from crafter.batch import tables as t
from crafter.tasks import conditions as c
from crafter.tasks import goals
from crafter.tasks.goals import Goal
from crafter.tasks.verdicts import Verdict

#: Verdicts as numbers: the index here.
VERDICTS = (Verdict.PENDING, Verdict.SAFE, Verdict.DONE, Verdict.FAILED)
PENDING, SAFE, DONE, FAILED = range(4)

#: Event type -> the field that says what of, and how the achievement begins.
_EVENTS = {
    "collected": ("what", "collect_"),
    "placed": ("what", "place_"),
    "made": ("what", "make_"),
    "ate": ("what", "eat_"),
    "defeated": ("kind", "defeat_"),
    "woke": ("cause", "wake_up"),
}
#: Events of these types happen in the cell that the player faces.
_AT_TARGET = ("collected", "placed", "ate", "defeated")
_MOST_STAGES = 64

CAN = (
    "events collected, placed, made, ate, defeated and woke (rested) without further "
    "fields, and actions (act_...)",
    "comparisons of inv.ITEM, health, food, drink, energy, light and best(...)",
    "night, day, asleep, on, facing and near of materials, away, rectangle",
    "&, |, >>, ~, first, within, times, hold, when, where, using, without and "
    "from_scratch",
)


class UnsupportedGoal(ValueError):
    """The batched monitor cannot do a goal; the message says what it can."""


def _refuse(part: Any) -> UnsupportedGoal:
    listed = "; ".join(CAN)
    return UnsupportedGoal(
        f"The batched monitor cannot do {part}. It can do: {listed}. For other goals "
        "use gymnasium.make_vec(..., vectorization_mode='sync') or 'async'."
    )


class Moment:
    """What the games look like between two steps.

    Args:
      games: Records of `crafter.batch.layout.dtype`, shape (n,); a live array.
      starts: Cells of the players at the start of their attempts, int64 (n, 2).
    """

    def __init__(self, games: np.ndarray, starts: np.ndarray) -> None:
        self.games, self.starts = games, starts

    @property
    def position(self) -> np.ndarray:
        """Cells of the players, int64 (n, 2)."""
        games = self.games
        return np.stack([games["object_x"][:, 0], games["object_y"][:, 0]], 1).astype(
            np.int64
        )

    @property
    def target(self) -> np.ndarray:
        """Cells that the players face, int64 (n, 2); may lie outside the map."""
        return self.position + t.DIRECTIONS[self.games["object_facing"][:, 0]]

    def material(self, cells: np.ndarray) -> np.ndarray:
        """Returns the material ids of a cell per game, 0 outside the map."""
        area = np.array(self.games["materials"].shape[1:])
        inside = ((cells >= 0) & (cells < area)).all(1)
        x, y = np.clip(cells, 0, area - 1).T
        found = self.games["materials"][np.arange(len(cells)), x, y]
        return np.where(inside, found, 0)

    def free(self, cells: np.ndarray) -> np.ndarray:
        """Returns where the cells hold no object."""
        area = np.array(self.games["materials"].shape[1:])
        x, y = np.clip(cells, 0, area - 1).T
        empty: np.ndarray = self.games["occupants"][np.arange(len(cells)), x, y] == 0
        return empty


#: Whether a condition holds in every game; `cells` for places other than the player's.
Test = Callable[[Moment], np.ndarray]
PlaceTest = Callable[[Moment, np.ndarray], np.ndarray]


class Frame:
    """One step of all games.

    Args:
      before: Achievement counters before the step, int32 (n, achievements).
      target: Cells that were faced before the step, int64 (n, 2).
      held: Guard -> whether it held before the step.
      actions: The chosen actions, int64 (n,).
      after: The games after the step.
    """

    def __init__(
        self,
        before: np.ndarray,
        target: np.ndarray,
        held: dict[Any, np.ndarray],
        actions: np.ndarray,
        after: Moment,
    ) -> None:
        self.gained = after.games["achievements"] - before
        self.target, self.held = target, held
        self.actions, self.after = actions, after
        self._tests: dict[Any, np.ndarray] = {}

    def holds(self, condition: c.Condition, test: Test) -> np.ndarray:
        """Returns where a condition holds after the step; found out once."""
        if condition not in self._tests:
            self._tests[condition] = test(self.after)
        return self._tests[condition]


# Conditions.


def condition_test(condition: c.Condition) -> Test:
    """Returns what says in which games a condition holds.

    Raises:
      UnsupportedGoal: If the batched monitor cannot do it.
    """
    if isinstance(condition, (c.AllOf, c.AnyOf)):
        parts = [condition_test(part) for part in condition.parts()]
        join = np.logical_and if isinstance(condition, c.AllOf) else np.logical_or
        return lambda moment: join.reduce([part(moment) for part in parts])
    if isinstance(condition, c.Opposite):
        (inner,) = (condition_test(part) for part in condition.parts())
        return lambda moment: ~inner(moment)
    if isinstance(condition, c.Comparison):
        return _comparison(condition)
    if isinstance(condition, c.Place):
        place = place_test(condition)
        return lambda moment: place(moment, moment.position)
    if isinstance(condition, c.Asleep):
        return lambda moment: moment.games["sleeping"].copy()
    if isinstance(condition, (c.Night, c.Day)):
        dark, night = t.RULES.time["dark"], isinstance(condition, c.Night)
        return lambda moment: (moment.games["daylight"] < dark) == night
    if isinstance(condition, (c.On, c.Facing)):
        return _on_or_facing(condition)
    raise _refuse(condition)


def _on_or_facing(condition: c.On | c.Facing) -> Test:
    if isinstance(condition, c.On):
        wanted = _material(condition.material, condition)
        return lambda moment: moment.material(moment.position) == wanted
    wanted = _material(condition.what, condition)

    def faces(moment: Moment) -> np.ndarray:
        cells = moment.target
        return (moment.material(cells) == wanted) & moment.free(cells)

    return faces


def _material(name: str, condition: Any) -> int:
    if name not in t.MATERIAL:
        raise _refuse(condition)
    number: int = t.MATERIAL[name]
    return number


def _comparison(condition: c.Comparison) -> Test:
    quantity, number = condition.quantity, condition.number
    compare: Callable[[Any, Any], Any] = c.COMPARE[condition.relation]
    if isinstance(quantity, c.Amount):
        if quantity.item not in t.ITEM:
            raise _refuse(condition)
        item = t.ITEM[quantity.item]
        return lambda moment: compare(moment.games["inventory"][:, item], number)
    if isinstance(quantity, c.Light):
        return lambda moment: compare(moment.games["daylight"], number)
    if isinstance(quantity, c.Best):
        items = [t.ITEM[f"{tier}_{quantity.tool}"] for tier in c.TIERS[1:]]
        wanted = c.TIERS.index(number)

        def best(moment: Moment) -> np.ndarray:
            owned = moment.games["inventory"][:, items] > 0
            ranks = np.arange(1, len(items) + 1)
            found: np.ndarray = compare((owned * ranks).max(1), wanted)
            return found

        return best
    raise _refuse(condition)


def place_test(place: c.Condition) -> PlaceTest:
    """Returns what says for a cell per game whether it is such a place.

    Raises:
      UnsupportedGoal: If the batched monitor cannot do it.
    """
    if isinstance(place, c.Away):
        least = place.n

        def away(moment: Moment, cells: np.ndarray) -> np.ndarray:
            far: np.ndarray = np.abs(cells - moment.starts).sum(1)
            return np.greater_equal(far, least)

        return away
    if isinstance(place, c.Rectangle):
        low = np.array([place.left, place.top])
        high = np.array([place.right, place.bottom])

        def inside(moment: Moment, cells: np.ndarray) -> np.ndarray:
            within: np.ndarray = (cells >= low) & (cells <= high)
            return np.logical_and.reduce(within, axis=1)

        return inside
    if isinstance(place, c.Near) and place.what in t.MATERIAL:
        wanted, reach = t.MATERIAL[place.what], range(-place.r, place.r + 1)
        steps = np.array([(dx, dy) for dx in reach for dy in reach])

        def near(moment: Moment, cells: np.ndarray) -> np.ndarray:
            return np.logical_or.reduce(
                [moment.material(cells + step) == wanted for step in steps]
            )

        return near
    raise _refuse(place)


# Nodes.


class Node(abc.ABC):
    """A part of a goal in all games.

    Args:
      count: Number of games.

    Attributes:
      verdict: Numbers of `VERDICTS`, int8 (n,).
    """

    initial = PENDING

    def __init__(self, count: int) -> None:
        self.verdict = np.full(count, self.initial, np.int8)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games, bool (n,)."""
        self.verdict[who] = self.initial

    def step(self, who: np.ndarray, frame: Frame) -> None:
        """Takes note of a step of some games, where the verdict is not final."""
        who = who & (self.verdict < DONE)
        if who.any():
            self._advance(who, frame)

    def expire(self, who: np.ndarray) -> None:
        """Ends at the horizon: what is safe is done, what is pending has failed."""
        who = who & (self.verdict < DONE)
        if who.any():
            self._expire(who)

    def kill(self, who: np.ndarray) -> None:
        """Fails where it is not final, with all parts."""
        for part in self.parts:
            part.kill(who)
        self.verdict[who & (self.verdict < DONE)] = FAILED

    @property
    def parts(self) -> Sequence[Node]:
        """The nodes below."""
        return ()

    @abc.abstractmethod
    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        """Updates the verdicts."""

    def _expire(self, who: np.ndarray) -> None:
        self.verdict[who] = FAILED


class EventNode(Node):
    """Counts events; `crafter.tasks.monitors.EventNode` for all games."""

    def __init__(
        self,
        count: int,
        happened: Callable[[Frame], np.ndarray],
        n: int,
        starts: Sequence[c.Condition],
    ) -> None:
        super().__init__(count)
        self._happened, self._n, self._starts = happened, n, starts
        self._found = np.zeros(count, np.int64)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        super().begin(who)
        self._found[who] = 0

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        for condition in self._starts:
            who = who & frame.held[condition]
        self._found[who] += self._happened(frame)[who]
        self.verdict[who & (self._found >= self._n)] = DONE


class StateNode(Node):
    """Waits for a state; `crafter.tasks.monitors.StateNode` for all games."""

    def __init__(
        self,
        count: int,
        wanted: Sequence[tuple[c.Condition, Test]],
        hold: int,
        starts: Sequence[c.Condition],
    ) -> None:
        super().__init__(count)
        self._wanted, self._hold, self._starts = wanted, hold, starts
        self._streak = np.zeros(count, np.int64)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        super().begin(who)
        self._streak[who] = 0

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        met = who.copy()
        for condition in self._starts:
            met &= frame.held[condition]
        for condition, test in self._wanted:
            met &= frame.holds(condition, test)
        self._streak[who] = np.where(met, self._streak + 1, 0)[who]
        self.verdict[who & (self._streak >= self._hold)] = DONE


class NotNode(Node):
    """Stays safe; `crafter.tasks.monitors.NotNode` for all games."""

    initial = SAFE

    def __init__(self, count: int, inner: Node) -> None:
        super().__init__(count)
        self._inner = inner

    @property
    def parts(self) -> Sequence[Node]:
        """What must not be done."""
        return (self._inner,)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        super().begin(who)
        self._inner.begin(who)

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        self._inner.step(who, frame)
        self.verdict[who & (self._inner.verdict == DONE)] = FAILED

    def _expire(self, who: np.ndarray) -> None:
        self._inner.expire(who)
        self.verdict[who] = np.where(self._inner.verdict == DONE, FAILED, DONE)[who]


class GroupNode(Node):
    """Parts that begin together."""

    def __init__(self, count: int, parts: Sequence[Node]) -> None:
        super().__init__(count)
        self._parts = parts
        self._judge(np.ones(count, bool))

    @property
    def parts(self) -> Sequence[Node]:
        """The nodes of its parts."""
        return self._parts

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        for part in self._parts:
            part.begin(who)
        self._judge(who)

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        for part in self._parts:
            part.step(who, frame)
        self._judge(who)

    def _expire(self, who: np.ndarray) -> None:
        for part in self._parts:
            part.expire(who)
        self._judge(who)

    def _judge(self, who: np.ndarray) -> None:
        verdicts = np.stack([part.verdict for part in self._parts])
        self.verdict[who] = self._together(verdicts)[who]

    @abc.abstractmethod
    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        """Returns the verdict from those of the parts, int8 (parts, n)."""


class AllNode(GroupNode):
    """All parts; `crafter.tasks.monitors.AllNode` for all games."""

    def __init__(self, count: int, parts: Sequence[Node], only_safety: bool) -> None:
        self._only_safety = only_safety
        super().__init__(count, parts)

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        has_safe = (verdicts == SAFE).any(0)
        has_done = (verdicts == DONE).any(0)
        done = ~has_safe | (has_done & (not self._only_safety))
        chosen = np.where(done, DONE, SAFE)
        chosen = np.where((verdicts == PENDING).any(0), PENDING, chosen)
        return np.where((verdicts == FAILED).any(0), FAILED, chosen)


class AnyNode(GroupNode):
    """One of the parts; `crafter.tasks.monitors.AnyNode` for all games."""

    def _together(self, verdicts: np.ndarray) -> np.ndarray:
        chosen = np.where((verdicts == SAFE).any(0), SAFE, PENDING)
        chosen = np.where((verdicts == FAILED).all(0), FAILED, chosen)
        return np.where((verdicts == DONE).any(0), DONE, chosen)


class SequenceNode(Node):
    """Stages in order; `crafter.tasks.monitors.SequenceNode` for all games."""

    def __init__(self, count: int, stages: Sequence[Node]) -> None:
        super().__init__(count)
        self._stages = stages
        self._stage = np.zeros(count, np.int64)
        self._judge(np.ones(count, bool))

    @property
    def parts(self) -> Sequence[Node]:
        """The nodes of the stages."""
        return self._stages

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games, with the first stage."""
        self._stage[who] = 0
        self._stages[0].begin(who)
        self._judge(who)

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        at = self._stage.copy()  # a stage that begins sees later steps only
        for number, stage in enumerate(self._stages):
            here = who & (at == number)
            if not here.any():
                continue
            stage.step(here, frame)
            done = here & (stage.verdict == DONE)
            if number + 1 < len(self._stages) and done.any():
                self._stage[done] = number + 1
                self._stages[number + 1].begin(done)
        self._judge(who)

    def _expire(self, who: np.ndarray) -> None:
        for number, stage in enumerate(self._stages):
            stage.expire(who & (self._stage == number))
        self._judge(who)
        self.verdict[who & (self.verdict < DONE)] = FAILED

    def _judge(self, who: np.ndarray) -> None:
        last = len(self._stages) - 1
        verdicts = np.stack([stage.verdict for stage in self._stages])
        now = verdicts[self._stage, np.arange(len(self._stage))]
        counts = (now == FAILED) | (self._stage == last)
        self.verdict[who] = np.where(counts, now, PENDING)[who]


class WithinNode(Node):
    """A horizon; `crafter.tasks.monitors.WithinNode` for all games."""

    def __init__(self, count: int, inner: Node, n: int) -> None:
        super().__init__(count)
        self._inner, self._n = inner, n
        self._steps = np.zeros(count, np.int64)
        self.verdict = inner.verdict.copy()

    @property
    def parts(self) -> Sequence[Node]:
        """The part that has a horizon."""
        return (self._inner,)

    def begin(self, who: np.ndarray) -> None:
        """Begins anew in some games."""
        self._steps[who] = 0
        self._inner.begin(who)
        self.verdict[who] = self._inner.verdict[who]

    def _advance(self, who: np.ndarray, frame: Frame) -> None:
        self._steps[who] += 1
        self._inner.step(who, frame)
        self._inner.expire(who & (self._steps >= self._n))
        self.verdict[who] = self._inner.verdict[who]

    def _expire(self, who: np.ndarray) -> None:
        self._inner.expire(who)
        self.verdict[who] = self._inner.verdict[who]


# Goals.


class Program:
    """A goal in many games.

    Args:
      goal: The goal.
      count: Number of games.

    Attributes:
      root: The node of the whole goal.

    Raises:
      UnsupportedGoal: If the batched monitor cannot do it; the message lists what it
        can.
    """

    def __init__(self, goal: Goal, count: int) -> None:
        self._count = count
        self._guards: dict[c.Condition, Test] = {}
        self.root = self._node(goal, ())

    def held(self, moment: Moment) -> dict[Any, np.ndarray]:
        """Returns where the guards hold at the start of a step."""
        return {condition: test(moment) for condition, test in self._guards.items()}

    def _node(self, goal: Goal, guards: goals.Guards) -> Node:
        if isinstance(goal, (goals.Name, goals.FromScratch)):
            return self._node(goal.parts[0], guards)
        if isinstance(goal, (goals.When, goals.Where, goals.Using)):
            return self._node(goal.goal, (*goal.guards(), *guards))
        make = _MAKERS.get(type(goal))
        if make is None:
            raise _refuse(goal)
        made: Node = make(self, goal, guards)
        return made

    def _event(self, goal: goals.Event, guards: goals.Guards) -> Node:
        places = [place_test(g.condition) for g in guards if g.kind == "where"]
        starts = self._starts([g for g in guards if g.kind != "where"])
        happened = _happened(goal)

        def counted(frame: Frame) -> np.ndarray:
            number = happened(frame)
            at = frame.after.position
            if goal.type in _AT_TARGET:
                at = frame.target
            for place in places:
                number = number * place(frame.after, at)
            return number

        return EventNode(self._count, counted, goal.n, starts)

    def _reach(self, goal: goals.Reach, guards: goals.Guards) -> Node:
        together = [g.condition for g in guards if g.kind != "using"]
        wanted = [(x, condition_test(x)) for x in (goal.condition, *together)]
        starts = self._starts([g for g in guards if g.kind == "using"])
        return StateNode(self._count, wanted, goal.steps, starts)

    def _starts(self, guards: Sequence[Any]) -> list[c.Condition]:
        for guard in guards:
            self._guards[guard.condition] = condition_test(guard.condition)
        return [guard.condition for guard in guards]

    def _not(self, goal: goals.Not, guards: goals.Guards) -> Node:
        return NotNode(self._count, self._node(goal.goal, ()))

    def _and(self, goal: goals.And, guards: goals.Guards) -> Node:
        operands = dict.fromkeys(goal.operands(guards))
        nodes = [self._node(part, own) for part, own in operands]
        only_safety = all(part.is_safety for part, _ in operands)
        return AllNode(self._count, nodes, only_safety)

    def _without(self, goal: goals.Without, guards: goals.Guards) -> Node:
        things = [self._not(goals.Not(thing), ()) for thing in goal.things]
        nodes = [self._node(goal.goal, guards), *things]
        return AllNode(self._count, nodes, goal.goal.is_safety)

    def _or(self, goal: goals.Or, guards: goals.Guards) -> Node:
        operands = dict.fromkeys(goal.operands(guards))
        nodes = [self._node(part, own) for part, own in operands]
        return AnyNode(self._count, nodes)

    def _first(self, goal: goals.First, guards: goals.Guards) -> Node:
        return AnyNode(self._count, [self._node(part, guards) for part in goal.goals])

    def _then(self, goal: goals.Then, guards: goals.Guards) -> Node:
        stages = [self._node(part, own) for part, own in goal.operands(guards)]
        return SequenceNode(self._count, stages)

    def _within(self, goal: goals.Within, guards: goals.Guards) -> Node:
        return WithinNode(self._count, self._node(goal.goal, guards), goal.n)

    def _times(self, goal: goals.Times, guards: goals.Guards) -> Node:
        state = goals.state_of(goal.goal)
        if goal.n > _MOST_STAGES or (
            state is not None and isinstance(state.condition, c.Built)
        ):
            raise _refuse(goal)
        stages = [self._node(goal.goal, guards) for _ in range(goal.n)]
        return SequenceNode(self._count, stages)

    def _hold(self, goal: goals.Hold, guards: goals.Guards) -> Node:
        state = goals.state_of(goal.goal)
        assert state is not None  # or the goal could not have been made
        return self._reach(goals.Reach(state.condition, goal.n), guards)


_MAKERS: dict[type[Goal], Callable[..., Node]] = {
    goals.Event: Program._event,
    goals.Reach: Program._reach,
    goals.Not: Program._not,
    goals.And: Program._and,
    goals.Or: Program._or,
    goals.First: Program._first,
    goals.Then: Program._then,
    goals.Without: Program._without,
    goals.Within: Program._within,
    goals.Times: Program._times,
    goals.Hold: Program._hold,
}


def _happened(goal: goals.Event) -> Callable[[Frame], np.ndarray]:
    """Returns what counts the events of a step, int64 (n,)."""
    filters = dict(goal.filters)
    if goal.type == "act" and set(filters) <= {"action"}:
        wanted = [t.ACTION[name] for name in _values(filters.get("action"), t.ACTION)]
        return lambda frame: np.isin(frame.actions, wanted).astype(np.int64)
    field, prefix = _EVENTS.get(goal.type, ("", ""))
    if not field or set(filters) - {field}:
        raise _refuse(goal)
    known = _known(goal.type, prefix)
    if field not in filters and goal.type == "woke":
        raise _refuse(goal)  # those who are hurt wake, too
    values = _values(filters.get(field), known)
    if not set(values) <= set(known):
        raise _refuse(goal)
    columns = [t.ACHIEVEMENT[known[value]] for value in values]
    return lambda frame: frame.gained[:, columns].sum(1)


def _known(type: str, prefix: str) -> dict[str, str]:
    """Returns what events of a type can be of, and the achievement of each."""
    if type == "woke":
        return {"rested": prefix}
    return {
        name.removeprefix(prefix): name
        for name in t.ACHIEVEMENT
        if name.startswith(prefix)
    }


def _values(wanted: Any, known: Any) -> list[Any]:
    if wanted is None:
        return list(known)
    return list(wanted) if isinstance(wanted, tuple) else [wanted]
