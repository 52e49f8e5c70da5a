"""Snapshots: frozen, public records of the game state.

Text interfaces, tasks, recorders and tests read snapshots instead of private state.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from crafter.core.grid import frozen
from crafter.games.crafter.objects import Object
from crafter.games.crafter.views import local_region

if TYPE_CHECKING:
    from crafter.games.crafter.game import Game


@dataclasses.dataclass(frozen=True)
class ObjectRecord:
    """Record of an object.

    Attributes:
      kind: Its name, such as `zombie`.
      id: Its index in the world.
      position: Its cell (x, y).
      health: Its health.
      facing: Direction, or `None` for kinds without a facing.
      counters: Its other state variables, such as `cooldown`.
    """

    kind: str
    id: int
    position: tuple[int, int]
    health: int
    facing: tuple[int, int] | None
    counters: dict[str, float]


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """State of a game at one step.

    Attributes:
      step: Environment steps since reset.
      clock: Time on the clock, in steps: `step` plus the chosen daytime.
      episode: Number of the episode in the sequence of its seed, from 1.
      daylight: From 0 (darkest) to 1 (noon).
      position: Cell (x, y) of the player.
      facing: Direction (dx, dy) of the player.
      sleeping: Whether the player is asleep.
      dead: Whether the player's health is 0.
      action: Name of the action carried out in the latest step.
      inventory: Item name -> amount.
      achievements: Achievement name -> count in this episode.
      unlocked: Achievements unlocked so far, in table order.
      hunger: Body counter, a multiple of 0.5; likewise thirst, fatigue and recover.
      local_view: Semantic ids of the map part of the view, uint8 of shape
        (columns, rows), [x, y]; 0 outside the map; read-only.
      ground: Likewise, but materials only, without objects.
      objects: Objects in the view, the player included, in index order.
      events: Events of the latest step; empty if events are off.
      area: Map size (x, y) in cells.
      view: View size (x, y) in cells, including the inventory rows.
      materials: Material ids of the whole map, uint8 of shape `area`, or `None`;
        read-only.
      all_objects: All objects in index order, or `None`.
    """

    step: int
    clock: int
    episode: int
    daylight: float
    position: tuple[int, int]
    facing: tuple[int, int]
    sleeping: bool
    dead: bool
    action: str
    inventory: dict[str, int]
    achievements: dict[str, int]
    unlocked: tuple[str, ...]
    hunger: float
    thirst: float
    fatigue: float
    recover: float
    local_view: np.ndarray
    ground: np.ndarray
    objects: tuple[ObjectRecord, ...]
    events: tuple[dict[str, Any], ...]
    area: tuple[int, int]
    view: tuple[int, int]
    materials: np.ndarray | None = None
    all_objects: tuple[ObjectRecord, ...] | None = None


def record_object(obj: Object) -> ObjectRecord:
    """Returns the record of an object."""
    return ObjectRecord(
        kind=obj.kind,
        id=obj.id,
        position=obj.position,
        health=obj.health,
        facing=obj.facing if obj.turns else None,
        counters={name: getattr(obj, name) for name in obj.fields},
    )


def take(game: Game, whole_map: bool) -> Snapshot:
    """Takes a snapshot of a game.

    Args:
      game: The game.
      whole_map: Fill in `materials` and `all_objects`.
    """
    world, player, view = game.world, game.player, game.settings.view
    window = local_region(player, view)
    achievements = dict(player.achievements)
    in_view = sorted((obj for _, _, obj in window.objects), key=lambda obj: obj.id)
    same = ("position", "facing", "sleeping", "hunger", "thirst", "fatigue", "recover")
    return Snapshot(
        step=game.step_count,
        clock=game.clock,
        episode=game.episode,
        daylight=world.daylight,
        dead=player.health <= 0,
        action=player.executed,
        inventory=dict(player.inventory),
        achievements=achievements,
        unlocked=tuple(name for name, count in achievements.items() if count),
        local_view=frozen(window.semantic()),
        ground=frozen(window.materials.copy()),
        objects=tuple(map(record_object, in_view)),
        events=game.events,
        area=world.area,
        view=view,
        materials=frozen(world.materials.copy()) if whole_map else None,
        all_objects=tuple(map(record_object, world.objects)) if whole_map else None,
        **{name: getattr(player, name) for name in same},
    )
