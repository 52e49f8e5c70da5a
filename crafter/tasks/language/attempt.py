"""One attempt at a goal: records the steps of a game that is being played.

To the events of the rules come `saw`, `left` and `entered`, and `goal` for every part
of the goal whose verdict changes. Watching draws no random number and changes nothing.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from crafter.games.crafter.views import split_view
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Node
from crafter.tasks.language.verdicts import Verdict
from crafter.tasks.world.records import Footer, StepRecord
from crafter.tasks.world.view import TaskView

Event = Mapping[str, Any]


class Attempt:
    """An attempt that is being made.

    Args:
      world: The world, `Env.world`.
      player: The player in it, `Env.player`.
      grid: Columns and rows of the map in the picture.
      clock: Returns the steps on the clock of the day.
      goal: What is to be achieved; `None` to record only.
      budget: Steps of the attempt, or `None` for no limit.
      keep: Whether all records are kept.

    What lies in the view at the start is seen in the first step.

    Attributes:
      goal: What is to be achieved, or `None`.
      budget: Steps of the attempt, or `None`.
      view: The game, for goals.
      steps: How many steps were recorded.
      start: Position, facing, vitals and clock at the start, by name.
      monitor: Says how the goal fares; `None` without a goal.
      records: The records of all steps, if they are kept.
    """

    def __init__(
        self,
        world: Any,
        player: Any,
        grid: tuple[int, int],
        clock: Callable[[], int],
        goal: Goal | None = None,
        budget: int | None = None,
        keep: bool = True,
    ) -> None:
        self.goal, self.budget = goal, budget
        self.view = TaskView(world, player, grid, clock)
        self.steps = 0
        self._player = player
        self._kinds = set(world.rules.object_ids.values())
        self._known = {0, world.rules.object_ids[player.kind]}
        self._pending = self._new_sights()
        self._asleep = player.sleeping
        self._pos = player.position
        self._zone = self.view.zone(player.position)
        begun = self.view.player
        self.start = {
            **{name: getattr(begun, name) for name in ("pos", "facing", "vitals")},
            "clock": clock(),
        }
        self.monitor = None if goal is None else goal.monitor(budget)
        self.records: list[StepRecord] = []
        self._keep = keep
        self._counts: collections.Counter[str] = collections.Counter()
        self._verdicts: dict[Node, Verdict] = {}
        if self.monitor is not None:
            self.monitor.start(self.view)
            self._goal_events()

    def step(self, action: str, events: tuple[Event, ...]) -> StepRecord:
        """Takes note of the step that was just played.

        Args:
          action: Name of the action that was chosen.
          events: What the rules say of the step.

        Returns:
          The record of the step.
        """
        record = self._record(action, events)
        monitor = self.monitor
        if monitor is not None and not monitor.verdict.final:
            monitor.update(record, self.view)
            added = self._goal_events()
            if added:
                record = record._replace(events=(*record.events, *added))
        if self._keep:
            for event in record.events:
                self._counts[event["type"]] += 1
            self.records.append(record)
        return record

    def _goal_events(self) -> list[Event]:
        """Returns an event for every node whose verdict has changed."""
        assert self.monitor is not None
        found: list[Event] = []
        known = self._verdicts
        for node in self.monitor.nodes():
            before, verdict = known.get(node), node.verdict
            if before is not verdict:
                known[node] = verdict
                if before is not None or verdict.final:
                    told = {"node": node.label, "verdict": str(verdict)}
                    found.append({"type": "goal", **told})
        return found

    def footer(self) -> Footer:
        """Returns how the attempt ended, or stands."""
        counts = dict(sorted(self._counts.items()))
        if self.monitor is None:
            return Footer(None, None, self.steps, counts)
        step = self.monitor.verdict_step or self.steps
        return Footer(str(self.monitor.verdict), self.monitor.reason, step, counts)

    def _record(self, action: str, events: tuple[Event, ...]) -> StepRecord:
        """Returns the record of a step, with what is seen for the first time."""
        view, player = self.view, self._player
        self.steps += 1
        view.advance(events)
        position = player.position
        moved = position != self._pos
        seen, self._pending = self._pending, []
        added = [*seen, *self._new_sights(moved or bool(events))]
        if moved:
            added += self._zone_events(position)
        record = StepRecord(
            self.steps,
            action,
            player.executed,
            self._asleep,
            position,
            player.facing,
            view.vitals(player.inventory),
            view.clock,
            (*events, *added) if added else events,
        )
        self._asleep = player.sleeping
        return record

    def _new_sights(self, ground: bool = True) -> list[Event]:
        """Returns events for what lies in the view for the first time.

        Args:
          ground: Whether the materials in the view may have changed.
        """
        view, known = self.view, self._known
        window = view.view_cells()
        materials, labels = view.materials[window], view.labels[window]
        new = set(materials.tobytes()).difference(known) if ground else set()
        if not self._kinds <= known:
            new |= set(labels.tobytes()).difference(known)
        if not new:
            return []
        known |= new
        return [self._sight(materials, labels, label) for label in sorted(new)]

    def _sight(self, materials: np.ndarray, labels: np.ndarray, label: int) -> Event:
        """Returns the event of a semantic id; of several cells the nearest counts."""
        columns, rows = self.view.view_cells()
        found = labels if label > len(self.view.rules.materials) else materials
        xs, ys = (found == label).nonzero()
        xs, ys = xs + columns.start, ys + rows.start
        x, y = self._player.position
        nearest = int((abs(xs - x) + abs(ys - y)).argmin())
        name = self.view.rules.semantic_names[label]
        return {"type": "saw", "what": name, "at": (int(xs[nearest]), int(ys[nearest]))}

    def _zone_events(self, position: tuple[int, int]) -> list[Event]:
        self._pos = position
        before, now = self._zone, self.view.zone(position)
        if before == now:
            return []
        self._zone = now
        return [{"type": "left", "zone": before}, {"type": "entered", "zone": now}]


def attempt_of(
    env: Any, goal: Goal | None = None, budget: int | None = None, keep: bool = True
) -> Attempt:
    """Returns an attempt that begins now.

    Args:
      env: The environment, after its reset and with `events=True`.
      goal: What is to be achieved.
      budget: Steps of the attempt.
      keep: Whether all records are kept.

    Raises:
      ValueError: If the environment records no events.
    """
    if not env.events:
        raise ValueError("An attempt needs an environment with events=True.")
    grid, _ = split_view(env.view, len(env.rules.items))
    clock = functools.partial(getattr, env, "clock")
    return Attempt(env.world, env.player, grid, clock, goal, budget, keep)
