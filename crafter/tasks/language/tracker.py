"""Records the steps of a game in progress and monitors its goal.

It adds the events `saw`, `left` and `entered`, and `goal` for every part of the goal
whose verdict changes. Recording uses no random numbers and never changes the game.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import Any

from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Node, Verdict
from crafter.tasks.world.records import Footer, StepRecord
from crafter.tasks.world.view import View

Event = Mapping[str, Any]


class Tracker:
    """Tracker of an attempt in progress.

    Args:
      view: View of the game; see `crafter.tasks.game.TaskGame.view`.
      goal: The goal; `None` to record only.
      budget: Maximum number of steps, or `None`.
      keep: Whether all records are kept.

    Things in the initial view are reported as seen in the first step.

    Attributes:
      goal: The goal, or `None`.
      budget: Maximum number of steps, or `None`.
      view: View of the game.
      steps: Number of recorded steps.
      start: Position, facing, vitals and clock at the start, by name.
      monitor: Monitor of the goal; `None` without a goal.
      records: The records of all steps, if they are kept.
    """

    def __init__(
        self,
        view: View,
        goal: Goal | None = None,
        budget: int | None = None,
        keep: bool = True,
    ) -> None:
        self.goal, self.budget = goal, budget
        self.view = view
        self.steps = 0
        self._before = player = view.player
        self._pending = view.sights()
        self._zone = view.zone(player.pos)
        self.start = {
            **{name: getattr(player, name) for name in ("pos", "facing", "vitals")},
            "clock": view.clock,
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
        """Records the step that was just played.

        Args:
          action: Name of the chosen action.
          events: Events of the step.

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
        events: list[Event] = []
        verdicts = self._verdicts
        for node in self.monitor.root.walk():
            before, verdict = verdicts.get(node), node.verdict
            if before is not verdict:
                verdicts[node] = verdict
                if before is not None or verdict.final:
                    fields = {"node": node.label, "verdict": str(verdict)}
                    events.append({"type": "goal", **fields})
        return events

    def footer(self) -> Footer:
        """Returns the final or current state of the attempt."""
        counts = dict(sorted(self._counts.items()))
        if self.monitor is None:
            return Footer(None, None, self.steps, counts)
        step = self.monitor.verdict_step or self.steps
        return Footer(str(self.monitor.verdict), self.monitor.reason, step, counts)

    def _record(self, action: str, events: tuple[Event, ...]) -> StepRecord:
        """Returns the record of a step, with sightings and zone changes."""
        view = self.view
        self.steps += 1
        view.advance(events)
        before, self._before = self._before, view.player
        now = self._before
        moved = now.pos != before.pos
        seen, self._pending = self._pending, []
        added = [*seen, *view.sights(moved or bool(events))]
        if moved:
            added += self._zone_events(now.pos)
        return StepRecord(
            self.steps,
            action,
            now.executed,
            before.sleeping,
            now.pos,
            now.facing,
            now.vitals,
            view.clock,
            (*events, *added) if added else events,
        )

    def _zone_events(self, position: tuple[int, int]) -> list[Event]:
        before, now = self._zone, self.view.zone(position)
        if before == now:
            return []
        self._zone = now
        return [{"type": "left", "zone": before}, {"type": "entered", "zone": now}]
