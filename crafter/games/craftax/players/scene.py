"""One moment: floor, creatures and possessions, as far as they are known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from crafter.core.grid import Cell, distance
from crafter.games.craftax.engine import Mob
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import Species

#: Name of an action that moves -> its step.
MOVES: dict[str, Cell] = {
    "left": (0, -1),
    "right": (0, 1),
    "up": (-1, 0),
    "down": (1, 0),
}
#: Step -> the action that makes it.
TURNS = {step: name for name, step in MOVES.items()}
HOSTILE = ("melee", "ranged")


class Creature(NamedTuple):
    """A living creature.

    Attributes:
      kind: Its class.
      species: Its row of the rules.
      mob: Its slot.
      cell: Where it is.
    """

    kind: str
    species: Species
    mob: Mob
    cell: Cell


class Scene:
    """One moment.

    Args:
      player: The player, in the world as far as it is known.

    Attributes:
      player, floor, level, at: As of the player.
      tables: The rules.
      has: Item -> amount or tier.
      blocks: Block ids of the floor by cell number.
      size: Rows and columns of the floor.
      hostile: Living monsters of the floor.
    """

    def __init__(self, player: Player) -> None:
        self.player, self.floor = player, player.floor
        self.tables = player.world.tables
        self.level: int = player.level
        self.at: Cell = player.position
        self.has: dict[str, Any] = player.inventory
        self.blocks = self.floor.blocks
        self.size: int = self.floor.size
        self.hostile = list(self._creatures(HOSTILE))

    def _creatures(self, kinds: Iterable[str]) -> Iterable[Creature]:
        for kind in kinds:
            for mob in getattr(self.floor, kind):
                if mob.alive:
                    species = self.tables.species[kind][mob.type]
                    yield Creature(kind, species, mob, mob.position)

    def passive(self) -> list[Creature]:
        """Returns the animals of the floor."""
        return list(self._creatures(["passive"]))

    # Cells.

    def block(self, cell: Cell) -> str:
        """Returns the name of the block in a cell; stone outside the map."""
        if cell not in self.floor:
            return "wall"
        return self.tables.block_names[self.blocks[cell[0] * self.size + cell[1]]]

    def item(self, cell: Cell) -> str:
        """Returns the name of the item in a cell of the map."""
        return self.tables.item_names[self.floor.items[cell[0] * self.size + cell[1]]]

    def solid(self, cell: Cell) -> bool:
        """Returns whether a cell stops everything; so does the edge of the map."""
        (row, col), size = cell, self.size
        if not (0 <= row < size and 0 <= col < size):  # `in floor` takes twice as long
            return True
        return bool(self.tables.solid[self.blocks[row * size + col]])

    def occupied(self, cell: Cell) -> bool:
        """Returns whether a creature is in a cell."""
        on_map = cell in self.floor
        return on_map and bool(self.floor.occupied[cell[0] * self.size + cell[1]])

    def can_enter(self, cell: Cell) -> bool:
        """Returns whether the player could step on a cell now."""
        return self.floor.is_open(*cell, self.tables.barred["land"])

    def can_place(self, cell: Cell) -> bool:
        """Returns whether a stone could be placed in a cell now."""
        if cell not in self.floor or self.occupied(cell) or self.solid(cell):
            return False
        return self.block(cell) == "water" or self.item(cell) == "none"

    def find(self, names: Iterable[str]) -> list[Cell]:
        """Returns all cells of the floor with one of the blocks."""
        found: list[Cell] = []
        for name in names:
            block, start = self.tables.block_ids[name], 0
            while (start := self.blocks.find(block, start)) >= 0:
                found.append(divmod(start, self.size))
                start += 1
        return found

    # The player.

    @property
    def ahead(self) -> Cell:
        """The cell that the player faces."""
        return self.player.target

    def most(self, vital: str) -> int:
        """Returns the most of health, food, drink, energy or mana."""
        return int(self.player.maxima[vital])

    @property
    def kills_left(self) -> int:
        """Number of kills that are missing before the way down opens."""
        needed: int = self.tables.data["ladders"]["monsters"]
        return max(needed - self.floor.monsters_killed, 0)

    def near(self, reach: int) -> list[Creature]:
        """Returns the monsters within some steps, as the crow flies."""
        return [c for c in self.hostile if distance(c.cell, self.at) <= reach]
