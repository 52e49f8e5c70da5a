"""Drafts: scenes under construction, and where they can start."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from crafter.core.grid import Cell, cells_of, distance, mask_of
from crafter.core.regions import FAR, around
from crafter.games.crafter.map_edits import Edit, line
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import tables
from crafter.games.crafter.tasks.scenes.ground import Ground
from crafter.games.crafter.tasks.scenes.settings import Settings, useful
from crafter.games.crafter.tasks.view import HOSTILE
from crafter.tasks.catalogue.tasks import Task

#: Kind -> material on which it is placed, by default grass.
_GROUND = {"skeleton": "path", "arrow": "path"}
#: Least distance of creatures in marked places.
_REACH = 5
#: Largest distance of placed things, in steps.
_FARTHEST = 64
#: Needs that are everywhere, without a required distance.
_EVERYWHERE = ("grass",)


def numbers() -> Any:
    """Returns the numbers of the generator, from `data/levels.yaml`."""
    return tables.levels()["generation"]


def working(inventory: Mapping[str, int]) -> dict[str, int]:
    """Returns path costs with a pickaxe, which can be made; see `Ground.field`.

    Water can only be bridged with stone from the inventory.
    """
    bridge = numbers()["bridge"] if inventory.get("stone") else 0
    return {"dig": numbers()["dig"], "bridge": bridge}


def owns_pickaxe(inventory: Mapping[str, int]) -> bool:
    """Returns whether one of the items digs."""
    return any(n and item.endswith("_pickaxe") for item, n in inventory.items())


@dataclasses.dataclass
class Draft:
    """A scene under construction; other fields are those of `Scene`.

    Attributes:
      task: The task.
      settings: Its scene settings.
      plain: The terrain without edits.
      target: The kind whose distance counts, or `None`.
      obstacles: Number of placed obstacles.
      clutter: Cells of useless things.
      repaired: Reasons of repairs.
      feature: The nearest cell of the first feature, or `None`.
      unplaced: Features for which there was no room.
    """

    task: Task
    settings: Settings
    plain: Ground
    target: str | None
    spawn: Cell
    facing: Cell = (0, 1)
    inventory: dict[str, int] = dataclasses.field(default_factory=dict)
    vitals: dict[str, int] = dataclasses.field(default_factory=dict)
    clock: int = 0
    edits: list[Edit] = dataclasses.field(default_factory=list)
    mobs: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    remove_mobs: dict[str, int] = dataclasses.field(default_factory=dict)
    marks: dict[str, tuple[int, int, int, int]] = dataclasses.field(
        default_factory=dict
    )
    wording: str = "train:0"
    obstacles: int = 0
    clutter: list[Cell] = dataclasses.field(default_factory=list)
    repaired: list[str] = dataclasses.field(default_factory=list)
    feature: Cell | None = None
    unplaced: list[str] = dataclasses.field(default_factory=list)
    _ground: tuple[int, Ground] | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.task.rules

    @property
    def useful(self) -> frozenset[str]:
        """Names of things that can help with the task."""
        return useful(self.task)

    @property
    def ground(self) -> Ground:
        """The terrain with the edits so far, without removed creatures."""
        if self._ground is None or self._ground[0] != len(self.edits):
            ground = self.plain.edited(self.edits) if self.edits else self.plain
            self._ground = len(self.edits), ground
        return self._ground[1]

    def creatures(self) -> list[tuple[str, Cell]]:
        """Returns the initial creatures: kind and cell."""
        left = [
            (kind, cell)
            for cell, kind in self.ground.creatures.items()
            if cell != self.spawn
            and distance(cell, self.spawn) > self.remove_mobs.get(kind, -1)
        ]
        return left + [(mob["kind"], tuple(mob["position"])) for mob in self.mobs]

    def hostiles(self) -> list[tuple[str, Cell]]:
        """Returns the creatures that attack."""
        return [(kind, cell) for kind, cell in self.creatures() if kind in HOSTILE]

    def where(self, kind: str) -> np.ndarray:
        """Returns the cells of a kind of thing, including added ones."""
        here = [cell for creature, cell in self.creatures() if creature == kind]
        return self.ground.where(kind) | mask_of(self.ground.area, here)

    def free(self) -> np.ndarray:
        """Returns the open cells on which nothing stands."""
        taken = [self.spawn, *(cell for _, cell in self.creatures())]
        free: np.ndarray = self.ground.free & ~mask_of(self.ground.area, taken)
        return free

    @functools.cached_property
    def steps(self) -> np.ndarray:
        """Steps from the start to each cell, before obstacles are added."""
        return self.walk(_FARTHEST)

    def walk(self, most: int = FAR) -> np.ndarray:
        """Returns the steps from the start to each cell, `FAR` where none lead."""
        start = mask_of(self.ground.area, [self.spawn])
        return self.ground.field(start, most=most)

    def spots(self, kind: str, ring: Iterable[int]) -> list[Cell]:
        """Returns the cells for a thing at a distance from the start.

        Args:
          kind: A kind of object, or a material.
          ring: Least and largest number of steps to it.
        """
        near, far = ring
        mask = self.free()
        if kind in self.rules.object_ids:
            mask &= self.ground.made_of(_GROUND.get(kind, "grass"))
        mask &= (self.steps >= near) & (self.steps <= far)
        return [c for c in cells_of(mask) if near <= distance(c, self.spawn) <= far]

    def spots_at(self, mark: str) -> list[Cell]:
        """Returns the free cells of a mark that are not near the start."""
        x, y, width, height = self.marks.get(mark, (0, 0, 0, 0))
        mask = np.zeros(self.ground.area, bool)
        mask[x : x + width, y : y + height] = True
        cells = cells_of(mask & self.free())
        return [cell for cell in cells if distance(cell, self.spawn) > _REACH]

    def goal_cell(self) -> Cell | None:
        """Returns the nearest cell of the feature, or of the target, if any."""
        if self.feature is not None or self.target is None:
            return self.feature
        return self.ground.nearest(self.spawn, self.where(self.target))

    def way(self) -> list[Cell]:
        """Returns the straight line from the start to the goal cell, if any."""
        goal = self.goal_cell()
        return [] if goal is None else line(self.spawn, goal)

    def steps_to(self, kind: str, **way: int) -> int:
        """Returns the cost of the cheapest way from the start to a kind of thing.

        Args:
          kind: The kind.
          **way: What ways cost; see `Ground.field`.
        """
        return int(self.ground.field(self.where(kind), **way)[self.spawn])


def needs_of(task: Task) -> list[str]:
    """Returns the kinds of things that a task needs and that are not everywhere."""
    needs = () if task.spec is None else task.spec.needs
    return [kind for kind in needs if kind not in _EVERYWHERE]


def target_of(task: Task, ground: Ground, given: Collection[str] = ()) -> str | None:
    """Returns the rarest needed kind, whose distance counts.

    Args:
      task: The task.
      ground: The land.
      given: Kinds that need not be there.
    """
    needs = [kind for kind in needs_of(task) if kind not in given]
    return min(needs, key=lambda kind: int(ground.where(kind).sum()), default=None)


def places(task: Task, settings: Settings, ground: Ground) -> np.ndarray:
    """Returns the possible start cells, bool of shape `area`."""
    mask = _standing(ground)
    if settings.biome is not None:
        mask &= ground.zones.mask(settings.biome)
    if settings.base != "natural":
        return mask
    if not owns_pickaxe(settings.inventory) and "tree" in useful(task):
        mask &= ground.field(ground.where("tree")) < FAR
    given = {entry["what"] for entry in settings.near}
    target = target_of(task, ground, given)
    if target is None:
        return mask
    here = ground.where(target)
    if not here.any():
        return here
    near, far = settings.distance["band"]
    in_view, way = settings.distance["view"], working(settings.inventory)
    steps = ground.field(here, most=far + 1, **({} if in_view else way))
    mask &= (steps >= near) & (steps <= far)
    seen = around(here, tables.zones()["window"]) > 0
    if in_view:
        mask &= seen
    elif near > tables.zones()["window"][0] // 2 + 1:
        mask &= ~seen
    reach = settings.distance["others"]
    for kind in needs_of(task):
        if kind not in (*given, target) and mask.any():
            mask &= ground.field(ground.where(kind), most=reach + 1, **way) <= reach
    return mask


def _standing(ground: Ground) -> np.ndarray:
    """Returns the free cells with room around them, without lava, off the edges."""
    mask = np.zeros(ground.area, bool)
    inner = (slice(numbers()["margin"], -numbers()["margin"]),) * 2
    mask[inner] = ground.free[inner]
    beside = around(ground.open, (3, 1)) + around(ground.open, (1, 3)) - 2 * ground.open
    return mask & (beside >= 2) & (around(ground.made_of("lava"), (3, 3)) == 0)
