"""Read-only view of Crafter for goals.

Conditions, structures and goals see a game only through `TaskView`.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core.grid import Cell, cells_of
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks.provenance import Provenance
from crafter.games.crafter.tasks.zones import Zones
from crafter.games.crafter.views import split_view

#: Kinds of objects that live and move, and those of them that attack.
CREATURES = ("cow", "zombie", "skeleton")
HOSTILE = ("zombie", "skeleton")


class Thing(NamedTuple):
    """An object of the world.

    Attributes:
      kind: Its kind, such as `zombie`.
      id: Its index in the world.
      pos: Its cell (x, y).
      health: Its health.
      ripe: Whether it is a plant that can be eaten.
    """

    kind: str
    id: int
    pos: Cell
    health: int
    ripe: bool


class Pose(NamedTuple):
    """Pose of the player after a step.

    Attributes:
      pos: Its cell (x, y).
      facing: Direction (dx, dy).
    """

    pos: Cell
    facing: Cell


class Body(NamedTuple):
    """The player.

    Attributes:
      pos: Its cell (x, y).
      facing: Direction (dx, dy).
      inventory: Item -> current amount, read-only.
      vitals: Health, food, drink and energy.
      sleeping: Whether it is asleep.
      executed: The last executed action.
    """

    pos: Cell
    facing: Cell
    inventory: Mapping[str, int]
    vitals: tuple[int, ...]
    sleeping: bool
    executed: str = "noop"

    @property
    def target(self) -> Cell:
        """The cell that it faces; may lie outside the map."""
        return self.pos[0] + self.facing[0], self.pos[1] + self.facing[1]


class TaskView:
    """Read-only view of a game for goals, conditions and structures.

    Args:
      world: The world, `Env.world`.
      player: The player in it, `Env.player`.
      grid: Columns and rows of the visible map.
      clock: Returns the steps on the clock of the day.

    Attributes:
      hostile: Kinds of creatures that attack; class attribute.
      rules: The rules of the game.
      area: Map size (x, y) in cells.
      provenance: Cells that the player built and dug.
      own: Material ids of own blocks, else 0; of shape `area`.
      dug: Which cells the player dug, bool of shape `area`.
      original: Initial material ids, of shape `area`.
      start_pos: Cell of the player at the start.
      seen: Which cells have been in the view, bool of shape `area`.
      visited: Which cells the player has stood on, bool of shape `area`.
      trail: Poses at the start and after each step.
      memo: Cache of conditions.
    """

    hostile = HOSTILE

    def __init__(
        self, world: Any, player: Any, grid: Cell, clock: Callable[[], int]
    ) -> None:
        self._world, self._player, self._grid = world, player, grid
        self._clock = clock
        self.rules: Rules = world.rules
        self.area: Cell = world.area
        self.provenance = made = Provenance(world.materials, world.rules)
        self.own, self.dug, self.original = made.own, made.dug, made.original
        self.start_pos: Cell = player.position
        self.seen, self.visited = np.zeros((2, *world.area), bool)
        self.trail: list[Pose] = []
        self.memo: dict[Any, Any] = {}
        life = world.rules.life
        needs = (life[name]["item"] for name in ("hunger", "thirst", "fatigue"))
        self._vitals = operator.itemgetter("health", *needs)
        self._zones = Zones(made.original, world.tunnels, world.rules)
        self._window: tuple[slice, slice] = (slice(0), slice(0))
        kinds = world.rules.object_ids
        self._kinds, self._known = set(kinds.values()), {0, kinds["player"]}
        self._stand()

    @classmethod
    def of(cls, env: Any) -> TaskView:
        """Returns the view of a game that is being played.

        Args:
          env: The environment, after its reset and with `events=True`.

        Raises:
          ValueError: If the environment records no events.
        """
        if not env.events:
            raise ValueError("An attempt needs an environment with events=True.")
        grid, _ = split_view(env.view, len(env.rules.items))
        clock = functools.partial(getattr, env, "clock")
        return cls(env.world, env.player, grid, clock)

    def advance(self, events: tuple[Mapping[str, Any], ...]) -> None:
        """Observes a step.

        Args:
          events: Its events, see `crafter.core.events`.
        """
        if events:
            self.provenance.apply(events, len(self.trail))
        self._stand()

    def _stand(self) -> None:
        """Updates the pose of the player and the visible cells."""
        x, y = self._player.position
        moved = not self.trail or self.trail[-1].pos != (x, y)
        self.trail.append(Pose((x, y), self._player.facing))
        if not moved:
            return
        self.visited[x, y] = True
        columns, rows = self._grid
        left, top = x - columns // 2, y - rows // 2
        width, height = self.area
        self._window = (
            slice(max(0, left), min(left + columns, width)),
            slice(max(0, top), min(top + rows, height)),
        )
        self.seen[self._window] = True

    def sights(self, ground: bool = True) -> list[Mapping[str, Any]]:
        """Returns events for things in the view for the first time.

        Args:
          ground: Whether materials in the view can have changed.
        """
        window, known = self._window, self._known
        materials, labels = self.materials[window], self.labels[window]
        new = set(materials.tobytes()).difference(known) if ground else set()
        if not self._kinds <= known:
            new |= set(labels.tobytes()).difference(known)
        known |= new
        return [self._sight(label) for label in sorted(new)]

    def _sight(self, label: int) -> Mapping[str, Any]:
        """Returns the event of a semantic id, at its nearest cell."""
        window = columns, rows = self._window
        x, y = self._player.position
        ground = label <= len(self.rules.materials)
        layer = self.materials if ground else self.labels
        xs, ys = (layer[window] == label).nonzero()
        xs, ys = xs + columns.start, ys + rows.start
        nearest = int((abs(xs - x) + abs(ys - y)).argmin())
        name = self.rules.semantic_names[label]
        return {"type": "saw", "what": name, "at": (int(xs[nearest]), int(ys[nearest]))}

    def material(self, x: int, y: int) -> str | None:
        """Returns the material of a cell; `None` outside the map."""
        width, height = self.materials.shape
        if not (0 <= x < width and 0 <= y < height):
            return None
        return self.rules.semantic_names[self.materials[x, y]]

    def object(self, x: int, y: int) -> Thing | None:
        """Returns the object in a cell, the player included."""
        entity = self._world[x, y][1]
        return None if entity is None else _thing(entity)

    def objects(self, kind: str | None = None) -> tuple[Thing, ...]:
        """Returns the objects of a kind, or all, in index order."""
        return tuple(
            _thing(obj) for obj in self._world.objects if kind in (None, obj.kind)
        )

    @property
    def materials(self) -> np.ndarray:
        """Material ids, uint8 of shape `area`, [x, y]."""
        materials: np.ndarray = self._world.materials
        return materials

    @property
    def labels(self) -> np.ndarray:
        """Semantic ids of the objects, uint8 of shape `area`; 0 for none."""
        labels: np.ndarray = self._world.labels
        return labels

    @property
    def player(self) -> Body:
        """The player."""
        player = self._player
        return Body(
            player.position,
            player.facing,
            player.inventory,
            self._vitals(player.inventory),
            player.sleeping,
            player.executed,
        )

    @property
    def clock(self) -> int:
        """Steps on the clock of the day."""
        return self._clock()

    @property
    def daylight(self) -> float:
        """Brightness from 0 (darkest) to 1 (noon)."""
        light: float = self._world.daylight
        return light

    @property
    def marks(self) -> Mapping[str, tuple[int, int, int, int]]:
        """Name -> rectangle (x, y, width, height) of the scene."""
        marks: Mapping[str, tuple[int, int, int, int]] = self._world.marks
        return marks

    def where(self, what: str, window: tuple[slice, ...]) -> np.ndarray:
        """Returns which cells of a window have a material or hold such an object."""
        rules = self.rules
        if what in rules.material_ids:
            return np.equal(self.materials[window], rules.material_ids[what])
        return np.equal(self.labels[window], rules.object_ids.get(what, -1))

    def creatures(self, *kinds: str) -> set[Cell]:
        """Returns where creatures of some kinds are."""
        ids = [self.rules.object_ids[k] for k in kinds if k in self.rules.objects]
        return set(cells_of(np.isin(self.labels, ids)))

    def view_cells(self) -> tuple[slice, slice]:
        """Returns the columns and rows of the map that are in the view."""
        return self._window

    def zone(self, cell: Cell) -> str | None:
        """Returns the zone of a cell; `None` outside the map."""
        width, height = self.area
        if not (0 <= cell[0] < width and 0 <= cell[1] < height):
            return None
        return self._zones(cell, bool(self.provenance.dug[cell]))


def _thing(obj: Any) -> Thing:
    ripe = bool(getattr(obj, "ripe", False))
    return Thing(obj.kind, obj.id, obj.position, obj.health, ripe)
