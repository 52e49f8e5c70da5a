"""Shaping measures: how near a state is before it holds.

A measure is created when its subgoal starts and returns 0 to 1. Distances are path
lengths, through rock where no path is open, and count only when the player moves: a
cow that approaches by itself is no progress.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import fmean

import numpy as np

from crafter.core.grid import Cell, distance, neighbours
from crafter.core.regions import FAR, holds
from crafter.games.crafter.map_edits import Land
from crafter.games.crafter.tasks import conditions as c
from crafter.games.crafter.tasks.regions import open_mask
from crafter.games.crafter.tasks.scenes.ground import Ground
from crafter.games.crafter.tasks.structures.rooms import Pen
from crafter.games.crafter.tasks.tables import constants
from crafter.games.crafter.tasks.view import TaskView
from crafter.tasks.world import common
from crafter.tasks.world.conditions import AllOf, AnyOf, Built, Condition, Opposite

#: Called with the view after a step; returns how much of the condition holds.
Measure = Callable[[TaskView], float]
#: Distance at which a condition is reached, unless it has a radius `r`.
_REACHES = {
    c.Walk: 1,
    common.Facing: 1,
    common.On: 0,
    common.Near: 1,
    common.Sees: 4,
    common.Around: 1,
}


def measure(condition: Condition, view: TaskView) -> Measure | None:
    """Returns a measure of a condition that starts at 0; `None` if it holds already."""
    raw = _raw(condition, view)
    start = raw(view)
    if start >= 1:
        return None
    return lambda later: max(0.0, (raw(later) - start) / (1 - start))


def _raw(condition: Condition, view: TaskView) -> Measure:
    inner = getattr(condition, "condition", None)
    if isinstance(condition, (AllOf, AnyOf)):
        parts = [_raw(part, view) for part in condition.conditions]
        joined = fmean if isinstance(condition, AllOf) else max
        return lambda later: joined([part(later) for part in parts])
    if isinstance(condition, (Built, c.Enclosed)):
        return lambda later: max(condition.share(later), _walls(condition, later))
    if isinstance(condition, Opposite) and isinstance(inner, common.Away):
        back = inner.n - 1
        return _approach(
            lambda later: max(0, distance(later.player.pos, view.start_pos) - back),
            view,
        )
    if isinstance(condition, Opposite) and isinstance(inner, c.InMark):
        return _walk(condition, ~_cells(inner, view), 0, view)
    if isinstance(condition, (c.InZone, c.Rectangle, c.Corner, c.InMark)):
        return _walk(condition, _cells(condition, view), 0, view)
    if type(condition) in _REACHES:
        reach: int = getattr(condition, "r", _REACHES[type(condition)])
        return _to(condition, str(condition.values[0]), reach, view)
    return condition.share


def _walls(condition: Built | c.Enclosed, view: TaskView) -> float:
    """Returns how enclosed the player, or the creature to be penned, is."""
    structure = getattr(condition, "structure", condition)
    cells: Iterable[Cell] = [view.player.pos]
    if isinstance(structure, Pen):
        any_kind = structure.kind == "any"
        kinds = ("cow", "zombie") if any_kind else (structure.kind,)
        cells = view.creatures(*kinds)
    elif not getattr(structure, "inside", structure is condition):
        return 0.0
    own = structure is not condition  # then a wall of the player's is needed
    if own and not view.own.any():
        return 0.0
    mask = open_mask(view)
    shut = [
        sum(not holds(mask, beside) for beside in neighbours(cell)) / 4
        for cell in cells
        if not own or any(holds(view.own, beside) for beside in neighbours(cell))
    ]
    most: float = constants()["progress"]["open_wall"]
    return most * max(shut, default=0.0)


def _cells(
    place: c.InZone | c.Rectangle | c.Corner | c.InMark, view: TaskView
) -> np.ndarray:
    cells = np.ndindex(*view.area)
    return np.array([place.holds_at(view, cell) for cell in cells]).reshape(view.area)


def _to(condition: Condition, what: str, reach: int, view: TaskView) -> Measure:
    """Returns the measure of the way to a material, or to a kind of thing."""
    if what in view.rules.material_ids:
        mask = view.materials == view.rules.material_ids[what]
        return _walk(condition, mask, reach, view)
    label = view.rules.object_ids[what]
    return _approach(
        lambda later: max(0, nearest(later.labels == label, later.player.pos) - reach),
        view,
    )


def _walk(
    condition: Condition, mask: np.ndarray, reach: int, view: TaskView
) -> Measure:
    """Returns the measure of the walk to within reach of some cells."""
    if not mask.any():
        return condition.share
    ground = Ground(Land(view.materials.copy(), None, (), (0, 0)), view.rules)
    numbers = constants()["progress"]
    field = ground.field(mask, dig=numbers["dig"], bridge=numbers["bridge"])

    def far(later: TaskView) -> int:
        steps = int(field[later.player.pos])
        if steps >= FAR:
            steps = nearest(mask, later.player.pos)
        return max(0, steps - reach)

    return _approach(far, view)


def nearest(mask: np.ndarray, cell: Cell) -> int:
    """Returns the steps from a cell to the nearest one of a mask, `FAR` without any."""
    distances = abs(np.argwhere(mask) - cell).sum(1)
    return int(distances.min(initial=FAR))


def _approach(far: Callable[[TaskView], int], view: TaskView) -> Measure:
    """Returns a measure of the initial distance covered by the player's own moves.

    It stays 0 if the initial distance is 0.
    """
    start = far(view)
    closest, stood = start, view.player.pos

    def gone(later: TaskView) -> float:
        nonlocal closest, stood
        if later.player.pos != stood:
            stood = later.player.pos
            closest = min(closest, far(later))
        return 1 - closest / start if start else 0.0

    return gone
