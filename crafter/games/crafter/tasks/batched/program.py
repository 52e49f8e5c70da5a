"""Monitors one goal in many games, on the records of the compiled engine.

The engine counts achievements and has no events. Supported goals therefore consist of
events that are achievements, of actions, and of conditions on the engine's records.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from crafter.core.grid import Cell
from crafter.games.crafter import tables as t
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import conditions as c
from crafter.games.crafter.tasks.view import TaskView, Thing
from crafter.tasks.language.goals import Event, Goal
from crafter.tasks.language.monitors import Monitor, Term, Verdict
from crafter.tasks.language.names import Names
from crafter.tasks.world import common
from crafter.tasks.world.conditions import AllOf, AnyOf, Comparison, Opposite
from crafter.tasks.world.records import StepRecord

CAN = (
    "events collected, placed, made, ate, defeated and woke (rested) without further "
    "fields, and actions (act_...)",
    "comparisons of inv.ITEM, health, food, drink, energy, light and best(...)",
    "night, day, asleep, on, facing, near, away, rectangle",
    "&, |, >>, ~, within, times, hold, when, where, using, without and from_scratch",
)
#: Conditions that a `RecordView` supports.
_CONDITIONS = (
    *(AllOf, AnyOf, Opposite, Comparison, c.Rectangle, common.Near, common.Away),
    *(common.Night, common.Day, common.Asleep, common.On, common.Facing),
)
#: Events of these types happen in the cell that the player faces.
_AT_TARGET = ("collected", "placed", "ate", "defeated")


class UnsupportedGoal(ValueError):
    """The goal is not supported in batches; the message lists what is."""

    def __init__(self, part: Any) -> None:
        super().__init__(
            f"The batched monitor does not support {part}. It supports: "
            f"{'; '.join(CAN)}. For "
            "other goals use gymnasium.make_vec(..., vectorization_mode='sync') or "
            "'async'."
        )


class RecordView:
    """View of an engine record, with the part of `TaskView` that conditions need.

    Args:
      game: A record of `crafter.games.crafter.layout.dtype`.
      start_pos: Cell of the player at the start.
      rules: The rules of the game.
    """

    where = TaskView.where
    material: Any = TaskView.material

    def __init__(self, game: Any, start_pos: Cell, rules: Rules) -> None:
        self._game, self.start_pos, self.rules = game, start_pos, rules
        self.materials = game["materials"]
        self.player = self

    @property
    def pos(self) -> Cell:
        """Cell of the player."""
        return int(self._game["object_x"][0]), int(self._game["object_y"][0])

    @property
    def target(self) -> Cell:
        """The cell that it faces."""
        dx, dy = t.DIRECTIONS[self._game["object_facing"][0]].tolist()
        return self.pos[0] + dx, self.pos[1] + dy

    @functools.cached_property
    def inventory(self) -> dict[str, int]:
        """Item -> amount."""
        return dict(zip(t.ITEMS, self._game["inventory"].tolist()))

    @property
    def sleeping(self) -> bool:
        """Whether the player is asleep."""
        return bool(self._game["sleeping"])

    @property
    def daylight(self) -> float:
        """Brightness from 0 (darkest) to 1 (noon)."""
        return float(self._game["daylight"])

    @property
    def labels(self) -> np.ndarray:
        """Semantic ids of the objects; 0 for none."""
        kinds = np.concatenate([[0], self._game["object_kind"]])
        found: np.ndarray = kinds[self._game["occupants"]]
        return found

    def object(self, x: int, y: int) -> Thing | None:
        """Returns the object in a cell."""
        inside = self.material(x, y) is not None
        slot = int(self._game["occupants"][x, y]) - 1 if inside else -1
        if slot < 0:
            return None
        kind = str(self.rules.semantic_names[self._game["object_kind"][slot]])
        return Thing(kind, slot, (x, y), 1, False)


class Program:
    """Monitors of one goal in many games.

    Args:
      goal: The goal.
      count: Number of games.
      rules: Their rules.

    Attributes:
      done: Where it is done, bool (n,).
      failed: Where it has failed, bool (n,).

    Raises:
      UnsupportedGoal: If it is not supported; the message lists what is.
    """

    def __init__(self, goal: Goal, count: int, rules: Rules = t.RULES) -> None:
        self._term, self._rules = goal.term(), rules
        #: Number of an achievement -> the event that it counts.
        self._events: dict[int, dict[str, Any]] = {}
        #: Whether nothing but these events changes a verdict.
        self._waits = True
        for term in self._term.walk():
            self._check(term)
        self._monitors = [Monitor(self._term) for _ in range(count)]
        self._starts: list[Cell] = [(0, 0)] * count
        self.done, self.failed = np.zeros((2, count), bool)

    def _check(self, term: Term) -> None:
        if term.op == "event":
            self._events |= _counted(term.goal)
        conditions = list(term.asked())
        for condition in conditions:
            if not isinstance(condition, _CONDITIONS):
                raise UnsupportedGoal(condition)
        acts = term.op == "event" and term.goal.type == "act"
        if conditions or acts or term.op == "within":
            self._waits = False

    def begin(self, who: Iterable[int], games: np.ndarray) -> None:
        """Restarts in some games.

        Args:
          who: Their indices.
          games: Records of `crafter.games.crafter.layout.dtype`, shape (n,).
        """
        for b in who:
            self._monitors[b] = Monitor(self._term)
            self._starts[b] = self._view(games, b).pos
            view: Any = self._view(games, b)
            self._monitors[b].start(view)
            self._note(b)

    def look(self, games: np.ndarray) -> None:
        """Observes the state before a step."""
        self._before = games["achievements"].copy()
        places = np.stack([games["object_x"][:, 0], games["object_y"][:, 0]], 1)
        self._target = places + t.DIRECTIONS[games["object_facing"][:, 0]]

    def step(
        self, who: np.ndarray, games: np.ndarray, actions: Any, dead: np.ndarray
    ) -> None:
        """Observes a step.

        Args:
          who: Indices of the stepped games.
          games: The records after the step.
          actions: The chosen action of each game.
          dead: Where the player is dead, bool (n,).
        """
        gained = games["achievements"] > self._before
        if self._waits:
            who = who[gained[who][:, list(self._events)].any(1) | dead[who]]
        for b in who.tolist():
            at = tuple(self._target[b].tolist())
            found = [e for number, e in self._events.items() if gained[b, number]]
            events = [{**e, "at": at} if e["type"] in _AT_TARGET else e for e in found]
            action = t.ACTIONS[actions[b]]
            vitals = (0 if dead[b] else 1,)
            record = StepRecord(
                0, action, action, False, at, (0, 1), vitals, 0, tuple(events)
            )
            view: Any = self._view(games, b)
            self._monitors[b].update(record, view)
            self._note(b)

    def expire(self, who: Iterable[int]) -> None:
        """Ends at the budget in some games."""
        for b in who:
            self._monitors[b].root.expire("timeout")
            self._note(b)

    def _view(self, games: np.ndarray, b: int) -> RecordView:
        return RecordView(games[b], self._starts[b], self._rules)

    def _note(self, b: int) -> None:
        verdict = self._monitors[b].verdict
        self.done[b] = verdict is Verdict.DONE
        self.failed[b] = verdict is Verdict.FAILED


def _counted(goal: Event) -> dict[int, dict[str, Any]]:
    """Returns achievement -> event, for the achievements that count the goal."""
    names = Names()
    events: dict[str, dict[str, Any]] = {
        name: {"type": goal.type, **dict(event.filters)}
        for name in t.ACHIEVEMENT
        if (event := names.event(name)) is not None and event.type == goal.type
    }
    if goal.type == "act":
        events = {name: {"action": name} for name in t.ACTION}
    valid = all(
        any(word == meaning.get(name) for meaning in events.values())
        for name, value in goal.filters
        for word in (value if isinstance(value, tuple) else (value,))
    )
    woken = goal.type == "woke" and not goal.filters  # those who are hurt wake, too
    if goal.same is not None or not events or not valid or woken:
        raise UnsupportedGoal(goal)
    if goal.type == "act":
        return {}
    return {t.ACHIEVEMENT[n]: e for n, e in events.items() if goal.matches(e)}
