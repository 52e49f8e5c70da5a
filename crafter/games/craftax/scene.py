"""Visible part of a map: blocks, items, light, and what stands on them.

A scene is all that a picture of the map needs; `look` takes the one around the player,
`whole_floor` that of a floor.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crafter.games.craftax import boss
from crafter.games.craftax import sprites as sprites_module
from crafter.games.craftax.engine import Floor, Mob, Projectile, World
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import Tables

_DARK = 0.5  # daylight below which there is noise

_LADDER = sprites_module.ITEMS.index("ladder_down")
_BLOCKED_LADDER = sprites_module.ITEMS.index("ladder_down_blocked")
_BOSS = sprites_module.BLOCKS.index("necromancer")
_VULNERABLE_BOSS = sprites_module.BLOCKS.index("necromancer_vulnerable")


class Sprite(NamedTuple):
    """Something that stands or flies in a cell.

    Attributes:
      row, column: The cell in the picture.
      texture: Stem of the image.
      flipped: Whether it is upside down.
      turned: Whether rows and columns are swapped then.
    """

    row: int
    column: int
    texture: str
    flipped: bool = False
    turned: bool = False


class Scene(NamedTuple):
    """What a picture of the map shows.

    Attributes:
      blocks: Block ids, uint8 of shape (rows, columns).
      items: Item ids, likewise.
      light: Light of the cells from 0 to 1, float32 of the same shape.
      sprites: What is drawn on them, in order.
      daylight: From 0 (darkest) to 1, which is also that of caves.
      sleeping: Whether the player's eyes are closed.
    """

    blocks: np.ndarray
    items: np.ndarray
    light: np.ndarray
    sprites: list[Sprite]
    daylight: float = 1.0
    sleeping: bool = False


def look(world: World, player: Player, grid: tuple[int, int]) -> Scene:
    """Returns what the player sees.

    Args:
      world: The world.
      player: Its player, who stands in the middle.
      grid: Rows and columns of cells.
    """
    floor = world.floors[player.level]
    corner = player.row - grid[0] // 2, player.col - grid[1] // 2
    blocks, items, light = floor.window(corner, grid)
    if (blocks == _BOSS).any() and boss.is_vulnerable(player):
        blocks = np.where(blocks == _BOSS, np.uint8(_VULNERABLE_BOSS), blocks)
    items = _with_blocked_ladders(world, floor, items)
    sprites = [
        _player_sprite(player, corner),
        *_creatures(world.tables, floor, corner, grid),
    ]
    daylight = _daylight(world, player.level)
    return Scene(blocks, items, light, sprites, daylight, player.sleeping)


def whole_floor(
    world: World, level: int, player: Player | None = None, *, bright: bool = True
) -> Scene:
    """Returns all of a floor.

    Args:
      world: The world.
      level: Number of the floor.
      player: The player, who is shown if it is on this floor; `None` for nobody.
      bright: Whether in full light, or else as light as it is at this moment.
    """
    floor, corner = world.floors[level], (0, 0)
    items = _with_blocked_ladders(world, floor, floor.item_map)
    sprites = _creatures(world.tables, floor, corner, (floor.size,) * 2)
    if player is not None and player.level == level:
        sprites.insert(0, _player_sprite(player, corner))
    if not bright:
        daylight = _daylight(world, level)
        return Scene(floor.block_map, items, floor.light, sprites, daylight)
    light = np.ones((floor.size, floor.size), np.float32)
    return Scene(floor.block_map, items, light, sprites)


def _daylight(world: World, level: int) -> float:
    """Returns the daylight on a floor: the sun does not change what is below."""
    return world.light_level if level == 0 else 1.0


def _with_blocked_ladders(world: World, floor: Floor, items: np.ndarray) -> np.ndarray:
    if floor.monsters_killed >= world.tables.data["ladders"]["monsters"]:
        return items
    return np.where(items == _LADDER, np.uint8(_BLOCKED_LADDER), items)


def _player_sprite(player: Player, corner: tuple[int, int]) -> Sprite:
    texture = (
        sprites_module.SLEEPER
        if player.sleeping
        else sprites_module.PLAYER[player.direction]
    )
    return Sprite(player.row - corner[0], player.col - corner[1], texture)


def _creatures(
    tables: Tables, floor: Floor, corner: tuple[int, int], grid: tuple[int, int]
) -> list[Sprite]:
    """Returns the creatures in sight, then the projectiles."""
    top, left = corner
    rows, columns = grid

    def in_sight(slots: list[Any]) -> list[tuple[int, int, Any]]:
        return [
            (mob.row - top, mob.col - left, mob)
            for mob in slots
            if mob.alive and 0 <= mob.row - top < rows and 0 <= mob.col - left < columns
        ]

    sprites = []
    for kind in ("melee", "passive", "ranged"):
        slots: list[Mob] = getattr(floor, kind)
        for row, column, mob in in_sight(slots):
            name = tables.species[kind][mob.type].name
            sprites.append(Sprite(row, column, sprites_module.stem(name)))
    for shots in (floor.mob_projectiles, floor.player_projectiles):
        for row, column, shot in in_sight(shots):
            name = tables.projectiles[shot.type].name
            sprites.append(_projectile_sprite(row, column, name, shot))
    return sprites


def _projectile_sprite(row: int, column: int, name: str, shot: Projectile) -> Sprite:
    flipped, turned = shot.drow > 0 or shot.dcol > 0, shot.dcol != 0
    return Sprite(row, column, sprites_module.stem(name), flipped, turned)


def is_dark(scene: Scene) -> bool:
    """Returns whether a picture of a scene shows noise."""
    return scene.daylight < _DARK
