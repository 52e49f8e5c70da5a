"""One attempt at a goal: watches the game, runs the monitor, keeps the records."""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any

from crafter.tasks.events import Watcher
from crafter.tasks.goals import Goal
from crafter.tasks.monitors import Node
from crafter.tasks.records import Footer, StepRecord
from crafter.tasks.verdicts import Verdict


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

    Attributes:
      goal: What is to be achieved, or `None`.
      budget: Steps of the attempt, or `None`.
      watcher: Makes the records.
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
        self.watcher = Watcher(world, player, grid, clock)
        self.monitor = None if goal is None else goal.monitor(budget)
        self.records: list[StepRecord] = []
        self._keep = keep
        self._counts: collections.Counter[str] = collections.Counter()
        self._verdicts: dict[Node, Verdict] = {}
        if self.monitor is not None:
            self.monitor.start(self.watcher.view)
            self._goal_events()

    def step(self, action: str, events: tuple[Mapping[str, Any], ...]) -> StepRecord:
        """Takes note of the step that was just played.

        Args:
          action: Name of the action that was chosen.
          events: What the rules say of the step.

        Returns:
          The record of the step.
        """
        record = self.watcher.record(action, events)
        monitor = self.monitor
        if monitor is not None and not monitor.verdict.final:
            monitor.update(record, self.watcher.view)
            added = self._goal_events()
            if added:
                record = record._replace(events=(*record.events, *added))
        if self._keep:
            for event in record.events:
                self._counts[event["type"]] += 1
            self.records.append(record)
        return record

    def _goal_events(self) -> list[Mapping[str, Any]]:
        """Returns an event for every node whose verdict has changed."""
        assert self.monitor is not None
        found: list[Mapping[str, Any]] = []
        known = self._verdicts
        for node in self.monitor.nodes():
            before, verdict = known.get(node), node.verdict
            if before is not verdict:
                known[node] = verdict
                if before is not None or verdict.final:
                    event = {
                        "type": "goal",
                        "node": node.label,
                        "verdict": str(verdict),
                    }
                    found.append(event)
        return found

    def footer(self) -> Footer:
        """Returns how the attempt ended, or stands."""
        counts = dict(sorted(self._counts.items()))
        steps = self.watcher.steps
        if self.monitor is None:
            return Footer(None, None, steps, counts)
        step = self.monitor.verdict_step or steps
        return Footer(str(self.monitor.verdict), self.monitor.reason, step, counts)
