"""The world: nine floors of blocks, items, light, creatures and projectiles.

The engine names no creature and draws no image. A position is (row, column); rows grow
downwards, columns to the right. Creatures and projectiles live in slots, a fixed number
per class and floor; a dead one keeps its slot and its fields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from crafter.core import events
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables

Position = tuple[int, int]


@dataclasses.dataclass(eq=False, slots=True)
class Mob:
    """Slot of a creature.

    Attributes:
      row, col: Its cell.
      health: Its health.
      alive: Whether the slot holds a creature.
      cooldown: Steps until it may attack; it may attack at 0 and below.
      type: Id of the species or projectile.
    """

    row: int = 0
    col: int = 0
    health: float = 1.0
    alive: bool = False
    cooldown: int = 0
    type: int = 0

    @property
    def position(self) -> Position:
        """Cell (row, column)."""
        return self.row, self.col


@dataclasses.dataclass(eq=False, slots=True)
class Projectile(Mob):
    """Slot of a projectile, which moves by (`drow`, `dcol`) per step."""

    drow: int = 1
    dcol: int = 1


@dataclasses.dataclass(eq=False, slots=True)
class Plant:
    """Slot of a sapling on the overworld.

    Attributes:
      row, col: Its cell.
      age: Steps since it was placed or eaten.
      growing: Whether the slot holds a plant.
    """

    row: int = 0
    col: int = 0
    age: int = 0
    growing: bool = False


class Cutout(NamedTuple):
    """A rectangular window of a floor; 0 outside the map.

    Attributes:
      blocks: Block ids, uint8 of shape (rows, columns).
      items: Item ids, likewise.
      light: Light from 0 to 1, float32 of the same shape.
    """

    blocks: np.ndarray
    items: np.ndarray
    light: np.ndarray


class Floor:
    """One floor.

    Args:
      size: Rows and columns of its map.
      parameters: Parameters of the game, with the numbers of slots.

    Attributes:
      size: Rows and columns of its map.
      blocks: Block ids; cell = row * size + column.
      items: Item ids.
      occupied: 1 where a living creature stands.
      light: Light of the cells from 0 to 1, float32 of shape (size, size).
      passive, melee, ranged: Slots of creatures, by class.
      mob_projectiles, player_projectiles: Slots of projectiles, by shooter.
      down_ladder, up_ladder: Cells of arrival from below and from above.
      chest_opened: Whether a chest was opened here.
      monsters_killed: Melee and ranged creatures killed here by the player.
    """

    def __init__(self, size: int, parameters: Parameters) -> None:
        cells = size * size
        self.size = size
        self.blocks = bytearray(cells)
        self.items = bytearray(cells)
        self.occupied = bytearray(cells)
        self.light = np.zeros((size, size), np.float32)
        self._expose()
        self.passive = [Mob() for _ in range(parameters.max_passive_mobs)]
        self.melee = [Mob() for _ in range(parameters.max_melee_mobs)]
        self.ranged = [Mob() for _ in range(parameters.max_ranged_mobs)]
        self.mob_projectiles = [
            Projectile() for _ in range(parameters.max_mob_projectiles)
        ]
        self.player_projectiles = [
            Projectile() for _ in range(parameters.max_player_projectiles)
        ]
        self.down_ladder: Position = (0, 0)
        self.up_ladder: Position = (0, 0)
        self.chest_opened = False
        self.monsters_killed = 0

    def _expose(self) -> None:
        """Creates array views of the buffers, which are faster for single cells."""
        shape = self.size, self.size
        self.block_map = np.frombuffer(self.blocks, np.uint8).reshape(shape)
        self.item_map = np.frombuffer(self.items, np.uint8).reshape(shape)
        self.occupied_map = np.frombuffer(self.occupied, np.uint8).reshape(shape)

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles the buffers, not the array views."""
        arrays = ("block_map", "item_map", "occupied_map")
        return {k: v for k, v in self.__dict__.items() if k not in arrays}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores the floor and creates new array views."""
        self.__dict__.update(state)
        self._expose()

    def __contains__(self, position: Position) -> bool:
        """Returns whether a position lies on the map."""
        return 0 <= position[0] < self.size and 0 <= position[1] < self.size

    def creatures(self) -> Iterator[tuple[str, list[Mob]]]:
        """Yields each class of creatures with its slots."""
        yield "passive", self.passive
        yield "melee", self.melee
        yield "ranged", self.ranged

    def seen_cell(self, row: int, col: int) -> int:
        """Returns the cell that the published game reads for a position.

        As in JAX, negative indices wrap, and indices out of bounds are clamped.
        """
        size = self.size
        if row < 0:
            row = max(row + size, 0)
        elif row >= size:
            row = size - 1
        if col < 0:
            col = max(col + size, 0)
        elif col >= size:
            col = size - 1
        return row * size + col

    def written_cell(self, row: int, col: int) -> int | None:
        """Returns the cell that the published game writes for a position.

        As in JAX, negative indices wrap, and writes out of bounds are dropped (`None`).
        """
        size = self.size
        row += size if row < 0 else 0
        col += size if col < 0 else 0
        return row * size + col if 0 <= row < size and 0 <= col < size else None

    def is_open(self, row: int, col: int, barred: bytes) -> bool:
        """Returns whether a cell is on the map, unoccupied and not barred.

        Args:
          row: Row of the cell.
          col: Column of the cell.
          barred: For each block id, 1 if it may not be entered.
        """
        size = self.size
        if not (0 <= row < size and 0 <= col < size):
            return False
        cell = row * size + col
        return not (self.occupied[cell] or barred[self.blocks[cell]])

    def blocks_around(self, position: Position) -> set[int]:
        """Returns the ids of the blocks in the eight cells around a position."""
        size, (row, col) = self.size, position
        left, right = max(col - 1, 0), max(min(col + 2, size), 0)
        ids: set[int] = set()
        for start in (size * (row - 1), size * (row + 1)):
            if 0 <= start < size * size:
                ids.update(self.blocks[start + left : start + right])
        for side in (col - 1, col + 1):
            if (row, side) in self:
                ids.add(self.blocks[size * row + side])
        return ids

    def add_light(self, position: Position, patch: np.ndarray) -> None:
        """Adds light around a cell, up to 1.

        Args:
          position: Cell at the centre.
          patch: Light to add, float32 of shape (2 reach + 1, 2 reach + 1).
        """
        reach = len(patch) // 2
        row, col = position
        top, left = max(row - reach, 0), max(col - reach, 0)
        lit = self.light[top : row + reach + 1, left : col + reach + 1]
        patch = patch[top - row + reach :, left - col + reach :]
        np.minimum(lit + patch[: lit.shape[0], : lit.shape[1]], 1, out=lit)

    def window(self, corner: Position, shape: tuple[int, int]) -> Cutout:
        """Returns a rectangular window of the floor, which may reach beyond the map.

        Args:
          corner: Position of the top left cell.
          shape: Rows and columns.
        """
        (row, col), (rows, cols) = corner, shape
        top, left = max(row, 0), max(col, 0)
        bottom, right = max(row + rows, 0), max(col + cols, 0)
        parts = [
            layer[top:bottom, left:right]
            for layer in (self.block_map, self.item_map, self.light)
        ]
        if parts[0].shape != shape:
            parts = [_framed(part, top - row, left - col, shape) for part in parts]
        return Cutout(*parts)


def _framed(part: np.ndarray, top: int, left: int, shape: Position) -> np.ndarray:
    canvas = np.zeros(shape, part.dtype)
    rows, cols = part.shape
    if rows and cols:
        canvas[top : top + rows, left : left + cols] = part
    return canvas


class World:
    """The nine floors and their shared state.

    Args:
      tables: The rules.
      parameters: The arguments of the environment.

    Attributes:
      tables: The rules.
      parameters: The arguments of the environment.
      size: Rows and columns of a map.
      floors: The floors from the top.
      plants: Plant slots of the overworld.
      potion_mapping: Colour of a potion -> effect id.
      boss_progress: Hits taken by the boss.
      boss_timer: Steps left in the boss's wave; falls below 0.
      light_level: Daylight from 0 (darkest) to 1 (noon), as of the latest step.
      timestep: Time on the clock, in steps.
      emit: Event callback, called as `emit(type, **fields)`.
    """

    def __init__(self, tables: Tables, parameters: Parameters) -> None:
        self.tables = tables
        self.parameters = parameters
        self.size = parameters.map_size
        self.floors = [Floor(self.size, parameters) for _ in tables.floors]
        self.floors[0].monsters_killed = tables.data["ladders"]["killed_at_start"]
        self.plants = [Plant() for _ in range(parameters.max_growing_plants)]
        self.potion_mapping = list(range(len(tables.data["potions"]["effects"])))
        self.boss_progress = 0
        self.boss_timer: int = tables.data["boss"]["wave_steps"]
        self.light_level = 0.0
        self.timestep = 0
        self.emit: Callable[..., None] = events.ignore

    def fill(
        self,
        blocks: np.ndarray,
        items: np.ndarray,
        light: np.ndarray,
        down_ladders: np.ndarray,
        up_ladders: np.ndarray,
    ) -> None:
        """Replaces the maps of all floors.

        Args:
          blocks: Block ids of shape (floors, size, size).
          items: Item ids of the same shape.
          light: Light from 0 to 1, of the same shape.
          down_ladders: Positions, integers of shape (floors, 2).
          up_ladders: Positions, integers of shape (floors, 2).
        """
        downs, ups = down_ladders.tolist(), up_ladders.tolist()
        for number, floor in enumerate(self.floors):
            floor.block_map[:] = blocks[number]
            floor.item_map[:] = items[number]
            floor.light[:] = light[number]
            floor.down_ladder = tuple(downs[number])
            floor.up_ladder = tuple(ups[number])

    # The maps of all floors at once, as copies of shape (floors, size, size).

    @property
    def map(self) -> np.ndarray:
        """Block ids, uint8."""
        return np.stack([floor.block_map for floor in self.floors])

    @property
    def item_map(self) -> np.ndarray:
        """Item ids, uint8."""
        return np.stack([floor.item_map for floor in self.floors])

    @property
    def light_map(self) -> np.ndarray:
        """Light from 0 to 1, float32."""
        return np.stack([floor.light for floor in self.floors])
