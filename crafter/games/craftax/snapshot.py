"""Snapshots: frozen, public records of the game state.

Text interfaces, tasks, recorders and tests read snapshots instead of private state.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np

from crafter.core.grid import frozen
from crafter.games.craftax import boss
from crafter.games.craftax.engine import Position, Projectile
from crafter.games.craftax.fields import MOBS
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import Tables


@dataclasses.dataclass(frozen=True)
class MobRecord:
    """A living creature or a flying projectile.

    Attributes:
      kind: `passive`, `melee`, `ranged`, `mob_projectiles` or `player_projectiles`.
      name: Its species, such as `zombie`.
      slot: Its slot in its class on the floor.
      level: Index of the floor.
      position: Its cell (row, column).
      health: Health; meaningless for projectiles.
      cooldown: Steps until it may attack; at 0 and below it may.
      direction: Rows and columns that it moves per step; `None` for creatures.
    """

    kind: str
    name: str
    slot: int
    level: int
    position: Position
    health: float
    cooldown: int
    direction: Position | None


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """State of a game at one step. Arrays are read-only.

    Attributes:
      step: Environment steps since reset.
      clock: Time on the clock, in steps: `step` plus the chosen daytime.
      episode: Number of the episode in the sequence of its seed, from 1.
      daylight: Daylight of the overworld, from 0 (darkest) to 1 (noon).
      level: Index of the floor, from 0.
      floor: Name of the floor.
      position: Cell (row, column) of the player.
      facing: Direction (rows, columns) of the player.
      sleeping: Whether the player is asleep.
      resting: Whether the player is resting.
      dead: Whether the player's health is 0.
      action: Name of the action carried out in the latest step.
      inventory: Name -> amount, as in `info['inventory']`.
      maxima: Health, food, drink, energy and mana -> maximum.
      spells: Names of the learned spells.
      enchantments: `sword`, `bow` and pieces of armour -> element, if enchanted.
      achievements: Achievement name -> whether it is unlocked in this episode.
      unlocked: Achievements unlocked so far, in table order.
      hunger: Body counter; likewise thirst, fatigue, recover and recover_mana.
      monsters_killed: Monsters killed on this floor.
      ladder_open: Whether enough monsters were killed to open the ladder down.
      boss_progress: Hits that the boss took.
      boss_vulnerable: Whether the boss can be hit now.
      blocks: Block ids of the cells in view, uint8 of shape (rows, columns); 0 outside
        the map.
      items: Item ids, likewise.
      light: Light of the cells from 0 to 1, float32, likewise; cells with at most 0.05
        are hidden.
      corner: Cell (row, column) of the first cell in view.
      mobs: Creatures and projectiles in view, lit or not, class by class.
      events: Events of the latest step; empty if events are off.
      maps: Block ids of all floors, uint8 of shape (floors, size, size), or `None`;
        likewise item_maps and light_maps.
      all_mobs: Creatures and projectiles of all floors, or `None`.
    """

    step: int
    clock: int
    episode: int
    daylight: float
    level: int
    floor: str
    position: Position
    facing: Position
    sleeping: bool
    resting: bool
    dead: bool
    action: str
    inventory: dict[str, float]
    maxima: dict[str, int]
    spells: tuple[str, ...]
    enchantments: dict[str, str]
    achievements: dict[str, bool]
    unlocked: tuple[str, ...]
    hunger: float
    thirst: float
    fatigue: float
    recover: float
    recover_mana: float
    monsters_killed: int
    ladder_open: bool
    boss_progress: int
    boss_vulnerable: bool
    blocks: np.ndarray
    items: np.ndarray
    light: np.ndarray
    corner: Position
    mobs: tuple[MobRecord, ...]
    events: tuple[dict[str, Any], ...]
    maps: np.ndarray | None = None
    item_maps: np.ndarray | None = None
    light_maps: np.ndarray | None = None
    all_mobs: tuple[MobRecord, ...] | None = None


_OF_PLAYER = (
    *("position", "facing", "sleeping", "resting", "action"),
    *("hunger", "thirst", "fatigue", "recover", "recover_mana"),
)


def take(
    player: Player, view: tuple[int, int], whole_map: bool = False, **moment: Any
) -> Snapshot:
    """Takes a snapshot.

    Args:
      player: The player.
      view: Rows and columns in view.
      whole_map: Fill in `maps`, `item_maps`, `light_maps` and `all_mobs`.
      **moment: The fields `step`, `episode` and `events`.
    """
    world, tables, floor = player.world, player.world.tables, player.floor
    corner = player.row - view[0] // 2, player.col - view[1] // 2
    window = floor.window(corner, view)
    achievements = dict(zip(tables.achievement_names, player.achievements))
    needed = tables.data["ladders"]["monsters"]
    whole: dict[str, Any] = {}
    if whole_map:
        maps = {"maps": world.map, "item_maps": world.item_map}
        maps["light_maps"] = world.light_map
        whole = {field: frozen(array) for field, array in maps.items()}
        floors = (_mobs(player, level) for level in range(len(world.floors)))
        whole["all_mobs"] = tuple(itertools.chain.from_iterable(floors))
    return Snapshot(
        clock=world.timestep,
        daylight=world.light_level,
        level=player.level,
        floor=tables.floor_names[player.level],
        dead=player.health <= 0,
        inventory=player.amounts(),
        maxima=dict(player.maxima),
        spells=tuple(itertools.compress(tables.spells, player.learned_spells)),
        enchantments=_enchantments(player, tables),
        achievements=achievements,
        unlocked=tuple(itertools.compress(achievements, player.achievements)),
        monsters_killed=floor.monsters_killed,
        ladder_open=floor.monsters_killed >= needed,
        boss_progress=world.boss_progress,
        boss_vulnerable=player.in_graveyard and boss.is_vulnerable(player),
        blocks=frozen(window.blocks.copy()),
        items=frozen(window.items.copy()),
        light=frozen(window.light.copy()),
        corner=corner,
        mobs=tuple(
            record
            for record in _mobs(player, player.level)
            if 0 <= record.position[0] - corner[0] < view[0]
            and 0 <= record.position[1] - corner[1] < view[1]
        ),
        **{name: getattr(player, name) for name in _OF_PLAYER},
        **moment,
        **whole,
    )


def _enchantments(player: Player, tables: Tables) -> dict[str, str]:
    pieces = tables.inventory_keys["armour"] or ()
    numbers = {
        "sword": player.sword_enchantment,
        "bow": player.bow_enchantment,
        **dict(zip(pieces, player.armour_enchantments)),
    }
    if not any(numbers.values()):
        return {}
    names = {element.id: element.name for element in tables.elements.values()}
    return {name: names[number] for name, number in numbers.items() if number}


def _mobs(player: Player, level: int) -> list[MobRecord]:
    """Returns the living creatures and flying projectiles on a floor."""
    floor, tables = player.world.floors[level], player.world.tables
    return [
        MobRecord(
            kind=kind,
            name=tables.species.get(kind, tables.projectiles)[mob.type].name,
            slot=slot,
            level=level,
            position=mob.position,
            health=mob.health,
            cooldown=mob.cooldown,
            direction=(mob.drow, mob.dcol) if isinstance(mob, Projectile) else None,
        )
        for kind in MOBS.values()
        for slot, mob in enumerate(getattr(floor, kind))
        if mob.alive
    ]
