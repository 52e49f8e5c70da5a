"""Ladders: the cells where the player leaves and enters a floor.

Every floor has both cells, even without such a ladder: the graveyard has a cell of
arrival and no way back.

Source: Craftax 1.6.1, world generation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.games.craftax.tables import Tables

Cell = tuple[int, int]


def pick_cell(candidates: np.ndarray, draw: float) -> Cell:
    """Picks a cell uniformly.

    Args:
      candidates: True for cells that may be picked; bool of shape (rows, columns).
      draw: A number in [0, 1).

    Returns:
      Row and column; (0, 0) if there is no candidate.
    """
    cells = np.flatnonzero(candidates)
    if not len(cells):
        return 0, 0
    cell = int(cells[int(float(draw) * len(cells))])
    row, column = divmod(cell, candidates.shape[1])
    return row, column


def floor_rules(tables: Tables) -> list[dict[str, Any]]:
    """Returns the generation rules of each floor, from the top."""
    kinds = {**tables.data["terrain"]["floors"], **tables.data["rooms"]["floors"]}
    return [kinds[name] for name in tables.floor_names]


def place(
    tables: Tables,
    blocks: np.ndarray,
    items: np.ndarray,
    draws: np.ndarray,
) -> np.ndarray:
    """Places the ladders of all floors.

    In the published game both ladders may fall on one cell, which removes the way down,
    and the player may arrive in a walled-in part of the graveyard. The repair
    `ladders_apart` picks another arrival if the first one is a dead end.

    Args:
      tables: The rules.
      blocks: Block ids of all floors, shape (floors, rows, columns).
      items: Item ids, of the same shape; changed in place.
      draws: Numbers in [0, 1) for the ladders down and up, shape (floors, 2).

    Returns:
      Cells of the ladders down and up, int32 of shape (floors, 2, 2).
    """
    cells = np.zeros((len(blocks), 2, 2), np.int32)
    for floor, row in enumerate(floor_rules(tables)):
        rule = row["ladders"]
        ground = blocks[floor] == tables.block_ids[rule["ground"]]
        down, up = (pick_cell(ground, draw) for draw in draws[floor])
        if "ladders_apart" in tables.applied and floor:
            goal = down if rule["down"] else _middle(blocks[floor])
            fit = ground & reachable(lasting_blocks(tables)[blocks[floor]], goal)
            up = fit_cell(up, goal, ground, fit, float(draws[floor, 1]))
        for way, cell in (("down", down), ("up", up)):
            if rule[way]:
                items[floor][cell] = tables.item_ids[f"ladder_{way}"]
        cells[floor] = down, up
    return cells


def lasting_blocks(tables: Tables) -> np.ndarray:
    """Returns which block ids are permanent obstacles, bool of shape (blocks,)."""
    solid = np.frombuffer(tables.solid, np.uint8).astype(bool)
    cleared = [block for block, row in tables.collect.items() if row.leaves is not None]
    solid[cleared] = False
    solid[tables.block_ids["chest"]] = False
    return solid


def _middle(blocks: np.ndarray) -> Cell:
    return blocks.shape[0] // 2, blocks.shape[1] // 2


def fit_cell(
    cell: Cell, goal: Cell, ground: np.ndarray, fit: np.ndarray, draw: float
) -> Cell:
    """Returns the picked cell if it is valid, else another valid cell.

    The second pick reuses the remainder of the first draw, which is also uniform in
    [0, 1), so only worlds with an invalid pick change.

    Args:
      cell: The cell that the draw picked among the cells of `ground`.
      goal: A cell that is never valid.
      ground: Which cells were candidates, bool.
      fit: Which of them are valid, bool; changed in place.
      draw: The draw of the first pick.
    """
    fit[goal] = False
    if fit[cell] or not fit.any():
        return cell
    return pick_cell(fit, draw * int(ground.sum()) % 1)


def reachable(lasting: np.ndarray, goal: Cell) -> np.ndarray:
    """Returns the cells from which the player can walk to a cell.

    Args:
      lasting: Permanent obstacles, bool of shape (rows, columns).
      goal: Row and column; always counts as reachable.

    Returns:
      bool of the same shape.
    """
    if not lasting.any():
        return np.ones_like(lasting)
    width = lasting.shape[1] + 2
    unseen = bytearray(np.pad(~lasting, 1).tobytes())
    seen = [(goal[0] + 1) * width + goal[1] + 1]
    unseen[seen[0]] = 0
    for cell in seen:
        for other in (cell - width, cell - 1, cell + 1, cell + width):
            if unseen[other]:
                unseen[other] = 0
                seen.append(other)
    reached = np.zeros((lasting.shape[0] + 2, width), bool)
    reached.ravel()[seen] = True
    return reached[1:-1, 1:-1]
