"""Floors made of rooms and corridors: dungeon, sewers and vaults.

Rooms that cross the lower or right edge of the map are clipped. The numbers are in
`data.yaml` under `rooms`.

Source: Craftax 1.6.1, dungeons.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.games.craftax.tables import Tables


class Rooms:
    """Generator of the floors made of rooms.

    Args:
      tables: The rules of the game.

    Attributes:
      floors: Names of the floors, in order of the first axis.
    """

    def __init__(self, tables: Tables) -> None:
        self._rules: dict[str, Any] = tables.data["rooms"]
        self._block_ids, self._item_ids = tables.block_ids, tables.item_ids
        self._wall, self._path = tables.block_ids["wall"], tables.block_ids["path"]
        self.floors: tuple[str, ...] = tuple(self._rules["floors"])

    def generate(
        self, draws: Mapping[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Generates the blocks and items of the floors.

        Args:
          draws: The draws `room.*` of `worldgen.WorldGenerator.draw`.

        Returns:
          Block ids and item ids, both uint8 of shape (floors, rows, columns).
        """
        size = draws["room.rare"].shape[-1]
        wide = size + self._rules["size"][1]  # rooms start on the map
        blocks = np.full((len(self.floors), wide, wide), self._wall, np.uint8)
        items = np.zeros_like(blocks)
        corners = draws["room.chunk"] * self._rules["chunk"] + draws["room.offset"]
        for floor, special in enumerate(self.ids("special")):
            self._build_rooms(blocks[floor], items[floor], corners[floor], draws, floor)
            to = draws["room.corridor_to"][floor]
            self._dig_corridors(blocks[floor], corners[floor], to)
            row, column = corners[floor, 0] + self._rules["special"]
            blocks[floor, row, column] = special
        items = items[:, :size, :size].copy()
        return self.finish(blocks[:, :size, :size], items, draws["room.rare"]), items

    def _build_rooms(
        self,
        blocks: np.ndarray,
        items: np.ndarray,
        corners: np.ndarray,
        draws: Mapping[str, np.ndarray],
        floor: int,
    ) -> None:
        """Builds the rooms of a floor in order; later rooms overwrite earlier ones.

        Args:
          blocks: Block ids of the floor, changed in place.
          items: Item ids of the floor, changed in place.
          corners: Top left cells of the rooms, shape (rooms, 2).
          draws: The draws `room.*`.
          floor: Index of the floor on the first axis of the draws.
        """
        own = {name: draws[f"room.{name}"][floor] for name in _BUILDING}
        chests = (corners + own["chest_offset"]).tolist()
        fountains = (corners + own["fountain_offset"]).tolist()
        has_fountain = own["fountain_u"] > np.float32(self._rules["fountain_above"])
        chest, fountain = self._block_ids["chest"], self.ids("fountain")[floor]
        ends = (corners + own["size"]).tolist()
        for room, ((top, left), (bottom, right)) in enumerate(
            zip(corners.tolist(), ends)
        ):
            blocks[top:bottom, left:right] = self._path
            for row in (top, bottom - 1):
                items[row, [left, right - 1]] = self._item_ids["torch"]
            blocks[tuple(chests[room])] = chest
            if has_fountain[room]:
                blocks[tuple(fountains[room])] = fountain

    def _dig_corridors(
        self, blocks: np.ndarray, corners: np.ndarray, to: np.ndarray
    ) -> None:
        """Digs a corridor between corners of rooms: along a row, then a column."""
        ends = corners[to].tolist()
        for (row, column), (end_row, end_column) in zip(corners.tolist(), ends):
            left, right = sorted((column, end_column))
            top, bottom = sorted((row, end_row))
            if left < right:
                self._dig(blocks[row, left : right + 1])
            if top < bottom:
                self._dig(blocks[top : bottom + 1, end_column])

    def _dig(self, line: np.ndarray) -> None:
        line[line == self._wall] = self._path

    def finish(self, blocks: Any, items: Any, rare: Any, xp: Any = np) -> Any:
        """Adds darkness behind walls, moss and rare blocks.

        Args:
          blocks: Block ids, integers of shape (floors, rows, columns).
          items: Item ids, likewise.
          rare: True for cells that may become rare, bool of the same shape.
          xp: Array module: `numpy` or `jax.numpy`.
        """
        moss, dark = (np.uint8(self._block_ids[n]) for n in ("wall_moss", "darkness"))
        wall = blocks == self._wall
        seen = xp.pad(~wall, ((0, 0), (1, 1), (1, 1)))
        near = seen[:, 1:-1, 1:-1] | seen[:, 2:, 1:-1] | seen[:, :-2, 1:-1]
        near |= seen[:, 1:-1, 2:] | seen[:, 1:-1, :-2]
        bare = (blocks == self._path) & (items == self._item_ids["none"])
        blocks = xp.where(rare & bare, self.ids("rare")[:, None, None], blocks)
        return xp.where(near, xp.where(wall & rare, moss, blocks), dark)

    def ids(self, name: str) -> np.ndarray:
        """Returns the id of a kind of block on every floor, uint8 (floors,)."""
        rows = self._rules["floors"].values()
        return np.array([self._block_ids[row["blocks"][name]] for row in rows], "u1")


_BUILDING = ("size", "chest_offset", "fountain_offset", "fountain_u")
