"""An attempt told again: played from its records, with what the scores look at.

The records say what the player did. Where creatures were, what was new in the view and
how far the goal had come, the game itself says when it is played again.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.games.crafter.rules import Rules
from crafter.tasks import records
from crafter.tasks.attempt import Attempt, attempt_of
from crafter.tasks.conditions import Built, Enclosed, Night, leaves
from crafter.tasks.fields import CREATURES
from crafter.tasks.goals import Goal, Reach, walk_over
from crafter.tasks.records import Header, StepRecord
from crafter.tasks.regions import open_mask, region
from crafter.tasks.replay import env_of, goal_of
from crafter.tasks.scores.constants import constants
from crafter.tasks.scores.parts import Context, Part, stations_near
from crafter.tasks.scores.progress import part_of
from crafter.tasks.scores.references import Reference
from crafter.tasks.view import TaskView

Cell = tuple[int, int]
#: Kinds that can hurt.
FOES = ("zombie", "skeleton", "arrow")
#: Foes farther away than this do not matter.
_FAR = 16


class ScoreError(ValueError):
    """An attempt cannot be scored; the message says why."""


class Foe(NamedTuple):
    """Something that can hurt.

    Attributes:
      kind: `zombie`, `skeleton` or `arrow`.
      id: Its index in the world.
      far: Its L1 distance from the player.
    """

    kind: str
    id: int
    far: int


class Moment(NamedTuple):
    """A step, with what the game says.

    Attributes:
      record: Its record.
      before: Health, food, drink and energy before it.
      foes: What can hurt, near the player, before it.
      foes_after: Likewise after it.
      waits: Whether, before it, there was something that comes by waiting only.
      crowded: Whether, before it, an animal or a foe stood within two steps.
      dark: Whether it was night before it.
      shut_in: Whether, before it, the player was shut in by night, near a foe, or hurt.
      fresh: Whether cells came into the view for the first time.
      progress: How far the goal has come after it.
      sources: Vital -> L1 distance to the nearest source of it, after the step.
    """

    record: StepRecord
    before: tuple[int, ...]
    foes: tuple[Foe, ...]
    foes_after: tuple[Foe, ...]
    waits: bool
    crowded: bool
    dark: bool
    shut_in: bool
    fresh: bool
    progress: float
    sources: Mapping[str, int]

    def foe_within(self, reach: int, *kinds: str) -> bool:
        """Returns whether there was a foe so near before the step."""
        return any(
            foe.far <= reach and (not kinds or foe.kind in kinds) for foe in self.foes
        )


class Story(NamedTuple):
    """An attempt that was played again.

    Attributes:
      header: Of the attempt.
      goal: What was to be achieved.
      rules: The rules of the game.
      moments: Its steps, up to the verdict.
      part: How far the goal came.
      verdict: Of the goal.
      reason: Why it failed, or `None`.
      inventory: What the player had at the start.
      stations: Stations near it at the start.
      in_structures: Cells of what the goal wants built, at its best.
    """

    header: Header
    goal: Goal
    rules: Rules
    moments: tuple[Moment, ...]
    part: Part
    verdict: str
    reason: str | None
    inventory: Mapping[str, int]
    stations: frozenset[str]
    in_structures: frozenset[Cell]

    @property
    def records(self) -> list[StepRecord]:
        """The records of the steps."""
        return [moment.record for moment in self.moments]


def tell(
    attempt: records.Attempt, reference: Reference | None = None, path: str = "attempt"
) -> Story:
    """Plays an attempt again.

    Args:
      attempt: Its records.
      reference: A solution, for what the rules do not say of the goal.
      path: Its file, for errors.

    Raises:
      ScoreError: If it has no goal, is not over, or cannot be played as recorded.
    """
    head = attempt.header
    if head.task is None or head.budget is None:
        raise ScoreError(f"{path}: there is no goal or no budget, so nothing to score.")
    env = env_of(head, path)
    goal = goal_of(head, env.rules)
    assert goal is not None
    return _Teller(env, goal, head, reference).told(attempt.steps, path)


class _Teller:
    """Plays and watches."""

    def __init__(
        self, env: Any, goal: Goal, head: Header, reference: Reference | None
    ) -> None:
        assert head.budget is not None
        self._env, self._goal, self._head = env, goal, head
        self._attempt: Attempt = attempt_of(env, goal, head.budget)
        assert self._attempt.monitor is not None
        self._monitor = self._attempt.monitor
        self._view: TaskView = self._attempt.view
        context = Context(env.rules, reference, head.budget)
        self._part = part_of(self._monitor.root, context, self._view)
        self._inventory = dict(self._view.player.inventory)
        self._wanted = _structures(goal)
        self._bests = dict.fromkeys(self._wanted, 0.0)
        self._cells: dict[Any, frozenset[Cell]] = {}
        self._own: set[Cell] = set()
        self._changes = 0

    def told(self, steps: list[StepRecord], path: str) -> Story:
        """Returns the story of the steps."""
        stations = frozenset(stations_near(self._view))
        moments = tuple(self._moments(steps, path))
        if not self._monitor.verdict.final:
            raise ScoreError(
                f"{path}: the attempt stops at step {len(moments)} of "
                f"{self._head.budget}, before there is a verdict."
            )
        return Story(
            self._head,
            self._goal,
            self._env.rules,
            moments,
            self._part,
            str(self._monitor.verdict),
            self._monitor.reason,
            self._inventory,
            stations,
            frozenset(cell for cells in self._cells.values() for cell in cells),
        )

    def _moments(self, steps: list[StepRecord], path: str) -> Iterator[Moment]:
        view = self._view
        foes, before = self._foes(), view.player.vitals
        for recorded in steps:
            if self._monitor.verdict.final:
                return
            waits, seen = self._part.waits(view), np.count_nonzero(view.seen)
            crowded, dark = self._crowded(), Night().holds(view)
            shut_in = self._shut_in(dark or _hurt(before), foes)
            record = self._step(recorded, path)
            self._part.update(record, self._gained(record), view)
            self._look_at_structures()
            after = self._foes()
            yield Moment(
                record,
                before,
                foes,
                after,
                waits,
                crowded,
                dark,
                shut_in,
                bool(np.count_nonzero(view.seen) > seen),
                self._part.value,
                self._sources(record.vitals),
            )
            foes, before = after, record.vitals

    def _step(self, recorded: StepRecord, path: str) -> StepRecord:
        names = self._env.action_names
        if recorded.action not in names:
            raise ScoreError(f"{path}: unknown action {recorded.action!r}.")
        info = self._env.step(names.index(recorded.action))[-1]
        record = self._attempt.step(recorded.action, info["events"])
        if record != recorded:
            raise ScoreError(
                f"{path}: step {recorded.t} goes otherwise than recorded; "
                "`crafter-tasks replay` shows how."
            )
        return record

    def _gained(self, record: StepRecord) -> collections.Counter[str]:
        """Returns what was collected; own blocks taken back do not count."""
        gained: collections.Counter[str] = collections.Counter()
        for event in record.events:
            if event["type"] == "placed":
                self._own.add(event["at"])
            elif event["type"] == "station_lost":
                self._own.discard(event["at"])
            elif event["type"] == "collected":
                if event["at"] not in self._own:
                    gained[event["what"]] += event["gain"]
                self._own.discard(event["at"])
            elif event["type"] == "ate":
                gained["food"] += event["gain"]
        return gained

    def _foes(self) -> tuple[Foe, ...]:
        x, y = self._view.player.pos
        found = (
            Foe(obj.kind, obj.id, abs(obj.position[0] - x) + abs(obj.position[1] - y))
            for obj in self._env.world.objects
            if obj.kind in FOES
        )
        return tuple(foe for foe in found if foe.far <= _FAR)

    def _crowded(self) -> bool:
        x, y = self._view.player.pos
        window = slice(max(0, x - 2), x + 3), slice(max(0, y - 2), y + 3)
        ids = self._view.rules.object_ids
        creatures = [ids[kind] for kind in CREATURES]
        return bool(np.isin(self._view.labels[window], creatures).any())

    def _shut_in(self, reason: bool, foes: tuple[Foe, ...]) -> bool:
        numbers = constants()["control"]
        near = any(foe.far <= numbers["upkeep"]["block"] for foe in foes)
        return (reason or near) and Enclosed(1, numbers["room"]).holds(self._view)

    def _sources(self, vitals: tuple[int, ...]) -> dict[str, int]:
        """Returns how far food and water are, while one of them is short."""
        _, food, drink, _ = vitals
        limit = constants()["errors"]["recovered"][0]
        found = {}
        view, (x, y) = self._view, self._view.player.pos
        ids = view.rules
        for name, value, cells in (
            ("food", food, (view.labels, ids.object_ids["cow"])),
            ("drink", drink, (view.materials, ids.material_ids["water"])),
        ):
            if value < limit:
                xs, ys = (cells[0] == cells[1]).nonzero()
                if len(xs):
                    found[name] = int((abs(xs - x) + abs(ys - y)).min())
        return found

    def _look_at_structures(self) -> None:
        """Keeps the cells of what is to be built, when there is more of it."""
        changes = len(self._view.provenance.changes)
        if not self._wanted or (changes == self._changes and not self._done()):
            return
        self._changes = changes
        for condition in self._wanted:
            share, cells = _found(condition, self._view)
            if share > self._bests[condition]:
                self._bests[condition], self._cells[condition] = share, cells

    def _done(self) -> bool:
        return self._monitor.verdict.final


def _structures(goal: Goal) -> list[Any]:
    """Returns the conditions of a goal that ask for something built."""
    states = [part for part in walk_over(goal) if isinstance(part, Reach)]
    found = [leaf for state in states for leaf in leaves(state.condition)]
    return list(dict.fromkeys(c for c in found if isinstance(c, (Built, Enclosed))))


def _found(condition: Any, view: TaskView) -> tuple[float, frozenset[Cell]]:
    """Returns how much there is of something built, and its cells."""
    if isinstance(condition, Built):
        match = condition.structure.best(view)
        return match.share, match.cells
    shut = region(open_mask(view), view.player.pos, condition.hi)
    if shut is None:
        return 0.0, frozenset()
    return condition.share(view), shut.cells | shut.boundary


def _hurt(vitals: tuple[int, ...]) -> bool:
    """Returns whether a player has to recover."""
    return bool(vitals[0] <= constants()["control"]["upkeep"]["health"])
