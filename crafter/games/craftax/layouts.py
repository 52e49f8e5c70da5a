"""Hand-made floors, for the option `floors` of `Env.reset`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crafter.core.reset_options import read_text, text_rows
from crafter.core.validation import fail
from crafter.games.craftax.engine import Floor, Position
from crafter.games.craftax.tables import Tables


class Layout(NamedTuple):
    """A hand-made floor.

    Attributes:
      blocks: Block ids, uint8 of shape (size, size).
      items: Item ids, likewise.
      down: Cell of the ladder down.
      up: Cell where the player arrives from above.
    """

    blocks: np.ndarray
    items: np.ndarray
    down: Position
    up: Position

    def apply(self, floor: Floor) -> None:
        """Replaces the map of a floor, with full light."""
        floor.block_map[:] = self.blocks
        floor.item_map[:] = self.items
        floor.light[:] = 1
        floor.down_ladder, floor.up_ladder = self.down, self.up


def parse_floor(value: Any, level: int, tables: Tables, size: int) -> Layout:
    """Parses a hand-made floor.

    Every floor but the last needs a ladder down, and every floor but the first a ladder
    up; on the last floor it only marks where the player arrives.

    Args:
      value: Rows from top to bottom, one character per cell, as one string with line
        breaks or a sequence of strings. The section `symbols` of `data.yaml` defines
        the characters.
      level: Number of the floor.
      tables: The rules.
      size: Rows and columns.

    Raises:
      ValueError: If the size differs, a symbol is unknown, or a ladder is missing.
    """
    rows = text_rows(value)
    if rows is None:
        fail("a floor", "text, or a list of the rows of one", value)
    symbols, ids = tables.data["symbols"], tables.block_ids
    meanings = {key: (ids[name], 0) for key, name in symbols["blocks"].items()}
    meanings |= {
        key: (ids[block], tables.item_ids[item])
        for key, (item, block) in symbols["items"].items()
    }
    cells = np.array(read_text(rows, size, size, meanings), np.uint8)
    items, last = cells[..., 1], level == len(tables.floors) - 1
    ways: list[Position] = []
    for name, needed in (("ladder_down", not last), ("ladder_up", level > 0)):
        positions = list(zip(*np.nonzero(items == tables.item_ids[name])))
        if len(positions) != needed:
            raise ValueError(
                f"floor {level} needs {int(needed)} {name}, got {len(positions)}"
            )
        row, col = positions[0] if positions else (0, 0)
        ways.append((int(row), int(col)))
    if last:
        items[ways[1]] = 0  # the last floor has no way back
    return Layout(cells[..., 0], items, *ways)
