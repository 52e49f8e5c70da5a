"""Where the player can walk, dig and bridge on its floor."""

from __future__ import annotations

import numpy as np

from crafter.games.craftax.tables import load
from crafter.games.craftax.tasks.view import TaskView

#: What it costs to cross a cell that has to be dug, or bridged with a stone.
DIG, BRIDGE = 3, 5


def crossing(view: TaskView) -> np.ndarray:
    """Returns what it costs to cross each cell, creatures aside.

    Returns:
      int16 of the shape of a floor: 1 for open ground, more for what the player can dig
      with its pickaxe or bridge with its stones, 0 for what it cannot cross.
    """
    tables, player = load(view.rules), view.body
    prices = np.zeros(len(tables.block_names), np.int16)
    pickaxe, stones = player.inventory["pickaxe"], player.inventory["stone"]
    for block, barred in enumerate(tables.barred["land"]):
        rule = tables.collect.get(block)
        if not barred:
            prices[block] = 1
        elif not tables.solid[block] and stones:
            prices[block] = BRIDGE
        elif rule is not None and rule.leaves is not None and rule.pickaxe <= pickaxe:
            prices[block] = DIG
    found: np.ndarray = prices[player.floor.block_map]
    return found
