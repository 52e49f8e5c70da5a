"""Planning agents: Oracle sees the whole game, Scout remembers what it has seen."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from crafter.games.crafter.planner.planner import Planner
from crafter.games.crafter.tasks.view import Cell, TaskView, Thing
from crafter.games.crafter.tasks.zones import Zones
from crafter.tasks.episodes.agents import Planned
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Monitor


class Oracle(Planned):
    """Agent that plans with the full state of the game.

    Args:
      env: The environment in which it plays, `CrafterTask-v1`, perhaps wrapped.

    Example:
      >>> from crafter.tasks.env.single import TaskEnv
      >>> env = TaskEnv("place_table", split="test")
      >>> agent = Oracle(env)
      >>> obs, info = env.reset(seed=0)
      >>> agent.reset(obs, info)
      >>> done = False
      >>> while not done:
      ...     obs, reward, done, _, info = env.step(agent.act(obs))
      >>> info["task"]["verdict"]
      'DONE'
    """

    def plan(self, goal: Goal, monitor: Monitor, view: Any) -> Planner:
        """Returns a planner that sees the game itself."""
        return Planner(goal, monitor, view)


class Scout(Oracle):
    """Agent that plans with a memory of what has been in its view.

    Args:
      env: The environment in which it plays, `CrafterTask-v1`, perhaps wrapped.
    """

    def plan(self, goal: Goal, monitor: Monitor, view: Any) -> Planner:
        """Returns a planner that sees a memory of the game."""
        self._memory = Memory(view)
        return Planner(goal, monitor, cast(TaskView, self._memory))

    def act(self, obs: Any) -> int:
        """Returns the index of the next action."""
        if self._planner is not None:
            self._memory.look()
        return super().act(obs)


#: Kinds of objects that are remembered; others move too fast.
REMEMBERED = ("cow", "plant")


class Memory:
    """A view of what has been seen; see `crafter.games.crafter.tasks.view.TaskView`.

    Cells that were never in the view have no material. Creatures are known in the
    current view, cows and plants also where they were last seen. Their health is
    invisible and assumed to be full. Everything else is as in the game.

    Args:
      view: The game.

    Attributes:
      original: Material ids when cells were first seen, 0 for unseen cells.
      materials: Material ids when cells were last seen, likewise.
      labels: Semantic ids of the remembered objects.
      memo: Cache of conditions.
    """

    material: Any = TaskView.material

    def __init__(self, view: TaskView) -> None:
        self._view = view
        self.memo: dict[Any, Any] = {}
        self.original = np.zeros_like(view.materials)
        self.materials = np.zeros_like(view.materials)
        self.labels = np.zeros_like(view.labels)
        self._things: dict[Cell, Thing] = {}
        self._zones: dict[Cell, str] = {}
        self.look()

    def __getattr__(self, name: str) -> Any:
        """Returns an attribute of the game that is always known."""
        return getattr(self._view, name)

    def look(self) -> None:
        """Observes the current view; to be called after every step."""
        view = self._view
        window = view.view_cells()
        self.materials[window] = view.materials[window]
        fresh = self.original[window] == 0
        self.original[window][fresh] = view.original[window][fresh]
        columns, rows = window
        self._things = {
            pos: thing
            for pos, thing in self._things.items()
            if thing.kind in REMEMBERED and not _within(pos, columns, rows)
        }
        for thing in view.objects():
            if _within(thing.pos, columns, rows):
                self._things[thing.pos] = self._seen_as(thing)
        self.labels[:] = 0
        for pos, thing in self._things.items():
            self.labels[pos] = self.rules.object_ids[thing.kind]
        self._zones[view.player.pos] = view.zone(view.player.pos) or ""
        self._seen_zones = Zones(self.original, None, self.rules)
        self.memo.clear()

    def _seen_as(self, thing: Thing) -> Thing:
        rule = self.rules.creatures.get(thing.kind)
        return thing if rule is None else thing._replace(health=rule["health"])

    def object(self, x: int, y: int) -> Thing | None:
        """Returns the remembered object in a cell."""
        return self._things.get((x, y))

    def objects(self, kind: str | None = None) -> tuple[Thing, ...]:
        """Returns the remembered objects of a kind, or all, in index order."""
        things = [t for t in self._things.values() if kind in (None, t.kind)]
        return tuple(sorted(things, key=lambda thing: thing.id))

    def zone(self, cell: Cell) -> str | None:
        """Returns the zone of a cell: exact where the player was, else estimated."""
        if cell in self._zones or self.material(*cell) is None:
            return self._zones.get(cell)
        return self._seen_zones(cell, bool(self.dug[cell]))


def _within(pos: Cell, columns: slice, rows: slice) -> bool:
    return columns.start <= pos[0] < columns.stop and rows.start <= pos[1] < rows.stop
