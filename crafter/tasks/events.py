"""The step records of a game that is being played, with what a watcher sees.

To the events of the rules a `Watcher` adds `saw`, `left` and `entered`; those of goals
come from `crafter.tasks.attempt`. It draws no random number and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from crafter.tasks.records import StepRecord
from crafter.tasks.view import GameView

Event = Mapping[str, Any]


class Watcher:
    """Makes the record of every step.

    What lies in the view at the start is seen in the first step.

    Args:
      world: The world, `Env.world`.
      player: The player in it, `Env.player`.
      grid: Columns and rows of the map in the picture.
      clock: Returns the steps on the clock of the day.

    Attributes:
      view: The game, for goals.
      steps: How many steps were recorded.
    """

    def __init__(
        self,
        world: Any,
        player: Any,
        grid: tuple[int, int],
        clock: Callable[[], int],
    ) -> None:
        self.view = GameView(world, player, grid, clock)
        self.steps = 0
        self._player = player
        self._known = {0, world.rules.object_ids[player.kind]}
        self._pending = self._new_sights()
        self._asleep = player.sleeping
        self._zone = self.view.zone(player.position)

    def record(self, action: str, events: tuple[Event, ...]) -> StepRecord:
        """Returns the record of the step that was just played.

        Args:
          action: Name of the action that was chosen.
          events: What the rules say of the step.
        """
        view, player = self.view, self._player
        self.steps += 1
        view.advance(events)
        seen, self._pending = self._pending, []
        added = [*seen, *self._new_sights(), *self._zone_events()]
        body = view.player
        record = StepRecord(
            self.steps,
            action,
            player.action,
            self._asleep,
            body.pos,
            body.facing,
            body.vitals,
            view.clock,
            (*events, *added) if added else events,
        )
        self._asleep = body.sleeping
        return record

    def _new_sights(self) -> list[Event]:
        view, window = self.view, self.view.view_cells()
        materials, labels = view.materials[window], view.labels[window]
        here = set(materials.tobytes()) | set(labels.tobytes())
        if here <= self._known:
            return []
        new = sorted(here - self._known)
        self._known |= here
        return [self._sight(materials, labels, label) for label in new]

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

    def _zone_events(self) -> list[Event]:
        before, now = self._zone, self.view.zone(self._player.position)
        if before == now:
            return []
        self._zone = now
        return [{"type": "left", "zone": before}, {"type": "entered", "zone": now}]
