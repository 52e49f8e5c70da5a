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
        self._kinds = set(world.rules.object_ids.values())
        self._known = {0, world.rules.object_ids[player.kind]}
        self._pending = self._new_sights()
        self._asleep = player.sleeping
        self._pos = player.position
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
