"""Masks of open cells, of own blocks and of materials.

An open cell has a walkable material and no plant on it; the cell of the player always
counts as open. Objects other than plants are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from crafter.games.crafter.tasks.view import TaskView


def of_materials(
    land: Any, materials: Iterable[str], cells: np.ndarray | None = None
) -> np.ndarray:
    """Returns which cells are known to be of materials, bool of shape `area`.

    Args:
      land: What has `rules` and `materials`: a view of a game, or a `Ground`.
      materials: Their names.
      cells: Material ids, by default those of the land now.
    """
    chosen = np.zeros(256, bool)
    for name in materials:
        chosen[land.rules.material_ids.get(name, 0)] = True
    chosen[0] = False  # what is unknown
    return chosen[land.materials if cells is None else cells]


def was(view: TaskView, *materials: str) -> np.ndarray:
    """Returns which cells had one of the materials at the start."""
    return of_materials(view, materials, view.original)


def own_mask(view: TaskView, material: str | None = None) -> np.ndarray:
    """Returns which cells hold own blocks, of a material or of any."""
    return (
        view.own > 0 if material is None else of_materials(view, (material,), view.own)
    )


def open_mask(view: TaskView) -> np.ndarray:
    """Returns which cells are open, bool of shape `area`."""
    mask = of_materials(view, view.rules.walkable)
    mask &= view.labels != view.rules.object_ids["plant"]
    mask[view.player.pos] = True
    return mask
