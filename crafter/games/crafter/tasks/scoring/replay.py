"""Replays an attempt and collects the facts that scores depend on.

Records contain the actions of the player. The positions of creatures, newly seen cells
and the progress of the goal are read from the replayed game.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.core.regions import FAR
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks.conditions import Enclosed
from crafter.games.crafter.tasks.scoring.measures import nearest
from crafter.games.crafter.tasks.scoring.progress import Part, part_of, stations_near
from crafter.games.crafter.tasks.scoring.references import Undone, effects_in, undone
from crafter.games.crafter.tasks.tables import constants
from crafter.games.crafter.tasks.view import CREATURES, TaskView
from crafter.tasks.env.replay import played
from crafter.tasks.language.goals import Goal, Reach, walk_over
from crafter.tasks.scoring.references import Reference
from crafter.tasks.scoring.score import ScoreError
from crafter.tasks.world import records
from crafter.tasks.world.common import Night
from crafter.tasks.world.conditions import Built
from crafter.tasks.world.records import StepRecord

Cell = tuple[int, int]


class Foe(NamedTuple):
    """A creature or arrow that can hurt the player.

    Attributes:
      kind: `zombie`, `skeleton` or `arrow`.
      id: Its index in the world.
      far: Its L1 distance from the player.
    """

    kind: str
    id: int
    far: int


class Situation(NamedTuple):
    """Facts about the game between two steps.

    Attributes:
      vitals: Health, food, drink and energy.
      foes: Creatures and arrows that can hurt.
      waits: Whether waiting advances the goal.
      crowded: Whether a creature is within two cells.
      dark: Whether it is night.
      shut_in: Whether the player is enclosed at night, near a foe, or hurt.
      seen: How many cells have been in the view.
      progress: Progress of the goal, 0 to 1.
      sources: Low vital -> L1 distance to its nearest source.
    """

    vitals: tuple[int, ...]
    foes: tuple[Foe, ...]
    waits: bool
    crowded: bool
    dark: bool
    shut_in: bool
    seen: int
    progress: float
    sources: Mapping[str, int]

    def far(self, *kinds: str, id: int | None = None) -> int:
        """Returns the distance of the nearest foe of some kinds, or of one foe."""
        distances = (f.far for f in self.foes if f.kind in kinds and id in (None, f.id))
        return min(distances, default=FAR)


@dataclasses.dataclass(frozen=True)
class Moment:
    """A step, with the facts before and after it."""

    record: StepRecord
    before: Situation
    after: Situation

    @functools.cached_property
    def effects(self) -> list[str]:
        """What the player did, such as `placed table`."""
        return effects_in(self.record)

    def find(self, *types: str, **fields: Any) -> Mapping[str, Any] | None:
        """Returns the first event of some types with these fields, or `None`."""
        for event in self.record.events:
            if event["type"] in types and fields.items() <= event.items():
                return event
        return None


class Trace(NamedTuple):
    """A replayed attempt.

    Attributes:
      goal: The goal.
      budget: Maximum number of steps.
      rules: The rules of the game.
      moments: Its steps, up to the verdict.
      part: Progress of the goal.
      undone: Blocks that the player placed and removed.
      inventory: What the player had at the start.
      stations: Stations near it at the start.
      built: Cells of the structures that the goal requires, at the end.
    """

    goal: Goal
    budget: int
    rules: Rules
    moments: tuple[Moment, ...]
    part: Part
    undone: Sequence[Undone]
    inventory: Mapping[str, int]
    stations: Collection[str]
    built: frozenset[Cell]

    @property
    def records(self) -> list[StepRecord]:
        """The records of the steps."""
        return [moment.record for moment in self.moments]

    def after(self, number: int, steps: int) -> Sequence[Moment]:
        """Returns the steps that follow one."""
        return self.moments[number + 1 : number + 1 + steps]


def replay(
    attempt: records.Attempt, reference: Reference | None = None, path: str = "attempt"
) -> Trace:
    """Replays an attempt.

    Args:
      attempt: Its records.
      reference: A solution, for requirements that the rules do not determine.
      path: Its file, for errors.

    Raises:
      ScoreError: If it has no goal or is not over.
      crafter.tasks.RecordError: If it diverges from the recording.
    """
    head = attempt.header
    if head.task is None or head.budget is None:
        raise ScoreError(f"{path}: no goal or no budget, so there is nothing to score.")
    again = played(attempt, path)
    env, tracker, _ = next(again)
    goal, monitor = tracker.goal, tracker.monitor
    view: Any = tracker.view
    assert goal is not None and monitor is not None
    part = part_of(monitor.root, view, reference, head.budget)
    inventory, stations = dict(view.player.inventory), stations_near(view)
    back = undone(attempt.steps)
    taken = {block.taken for block in back}
    moments = []
    before = _situation(view, part)
    for recorded in attempt.steps:
        if monitor.verdict.final:
            break
        next(again)
        part.update(_gains(recorded, env.rules, recorded.t in taken), view)
        after = _situation(view, part)
        moments.append(Moment(recorded, before, after))
        before = after
    if not monitor.verdict.final:
        raise ScoreError(
            f"{path}: the attempt stops at step {len(moments)} of {head.budget}, "
            "before a verdict."
        )
    return Trace(
        goal,
        head.budget,
        env.rules,
        tuple(moments),
        part,
        [block for block in back if block.taken <= len(moments)],
        inventory,
        stations,
        _structure_cells(goal, view),
    )


def _gains(record: StepRecord, rules: Rules, back: bool) -> collections.Counter[str]:
    """Returns what was collected, made and placed; removed own blocks do not count."""
    gained: collections.Counter[str] = collections.Counter()
    for event in record.events:
        what = event.get("what", "")
        if event["type"] == "ate":
            gained["food"] += event["gain"]
        elif event["type"] == "collected" and not back:
            gained[what] += event["gain"]
        elif event["type"] == "made" or (
            event["type"] == "placed" and what not in rules.items
        ):
            gained[what] += 1  # placing a stone is not having one more
    return gained


def _situation(view: TaskView, part: Part) -> Situation:
    numbers, (x, y) = constants()["control"], view.player.pos
    vitals, rules = view.player.vitals, view.rules
    foes = tuple(
        Foe(kind, thing.id, abs(thing.pos[0] - x) + abs(thing.pos[1] - y))
        for kind in ("zombie", "skeleton", "arrow")
        for thing in view.objects(kind)
    )
    dark = Night().holds(view)
    danger = dark or vitals[0] <= numbers["upkeep"]["health"]
    danger = danger or any(foe.far <= numbers["upkeep"]["block"] for foe in foes)
    around = view.labels[max(0, x - 2) : x + 3, max(0, y - 2) : y + 3]
    sources = {
        name: (cells == label)
        for name, value, cells, label in (
            ("food", vitals[1], view.labels, rules.object_ids["cow"]),
            ("drink", vitals[2], view.materials, rules.material_ids["water"]),
        )
        if value < constants()["errors"]["recovered"][0]
    }
    return Situation(
        vitals=vitals,
        foes=foes,
        waits=part.waits(view),
        crowded=bool(np.isin(around, [rules.object_ids[k] for k in CREATURES]).any()),
        dark=dark,
        shut_in=danger and Enclosed(1, numbers["room"]).holds(view),
        seen=int(np.count_nonzero(view.seen)),
        progress=part.value,
        sources={
            name: nearest(mask, (x, y)) for name, mask in sources.items() if mask.any()
        },
    )


def _structure_cells(goal: Goal, view: TaskView) -> frozenset[Cell]:
    """Returns the cells of the structures that a goal requires."""
    cells: set[Cell] = set()
    for state in (part for part in walk_over(goal) if isinstance(part, Reach)):
        for part in state.condition.walk():
            if isinstance(part, Built):
                places = list(part.structure.matches(view))
                whole = [match for match in places if match.share >= 1]
                best = whole or places and [max(places, key=lambda m: m.share)]
                cells.update(*(match.cells for match in best))
            elif isinstance(part, Enclosed):
                cells |= part.match(view).cells
    return frozenset(cells)
