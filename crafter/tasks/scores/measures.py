"""How near a state is: the measures that a part of a goal goes by before it is done.

A measure is made when its part begins, and returns 0 to 1. Distances are walked, or
dug where there is no open way, and count only in steps in which the player moves: a
cow that comes near by itself is no progress.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from crafter.core.grid import distance, neighbours
from crafter.games.crafter.map_edits import Land
from crafter.tasks.conditions import (
    AllOf,
    AnyOf,
    Around,
    Away,
    Built,
    Comparison,
    Condition,
    Corner,
    Enclosed,
    Explored,
    Facing,
    InMark,
    InZone,
    Near,
    On,
    Opposite,
    Rectangle,
    Sees,
    Walk,
)
from crafter.tasks.regions import holds, open_mask
from crafter.tasks.scenes.ground import FAR, Ground
from crafter.tasks.scores.constants import constants
from crafter.tasks.structures.rooms import Pen, creature_cells
from crafter.tasks.view import TaskView

Cell = tuple[int, int]
#: Called with the game after a step; returns how much of it there is.
Measure = Callable[[TaskView], float]
#: From how many steps away a thing is near enough, unless the condition says it.
_REACHES = {Walk: 1, Facing: 1, On: 0, Near: 1, Sees: 4, Around: 1}


def measure(condition: Condition, view: TaskView) -> Measure | None:
    """Returns the measure of a condition, from now on, 0 at the start.

    There is none, `None`, for what holds already.
    """
    raw = _raw(condition, view)
    start = raw(view)
    if start >= 1:
        return None

    def gained(later: TaskView) -> float:
        return max(0.0, (raw(later) - start) / (1 - start))

    return gained


def _raw(condition: Condition, view: TaskView) -> Measure:
    if isinstance(condition, AllOf):
        parts = [_raw(part, view) for part in condition.conditions]
        return lambda later: sum(part(later) for part in parts) / len(parts)
    if isinstance(condition, AnyOf):
        parts = [_raw(part, view) for part in condition.conditions]
        return lambda later: max(part(later) for part in parts)
    if isinstance(condition, (Comparison, Explored, Away)):
        return condition.share
    if isinstance(condition, Built):
        return _built(condition)
    if isinstance(condition, Enclosed):
        return lambda later: 1.0 if condition.holds(later) else _walls_at_player(later)
    if isinstance(condition, Opposite) and isinstance(condition.condition, Away):
        return _way_back(condition.condition, view)
    return _way(condition, view)


def _built(condition: Built) -> Measure:
    structure = condition.structure
    if isinstance(structure, Pen):
        kinds = (structure.kind,) if structure.kind != "any" else ("cow", "zombie")
        return lambda later: max(condition.share(later), _walls_at(later, kinds))
    if getattr(structure, "inside", 0):
        return lambda later: max(condition.share(later), _walls_at_player(later, True))
    return condition.share


def _walls_at_player(view: TaskView, own: bool = False) -> float:
    return _walls(view, view.player.pos, own)


def _walls_at(view: TaskView, kinds: tuple[str, ...]) -> float:
    """Returns how shut in a creature is, in part by own blocks."""
    if not view.own.any():
        return 0.0
    cells = sorted(creature_cells(view, kinds))
    return max((_walls(view, cell, True) for cell in cells), default=0.0)


def _walls(view: TaskView, cell: Cell, own: bool) -> float:
    beside = neighbours(cell)
    if own and not any(holds(view.own, b) for b in beside):
        return 0.0
    mask = open_mask(view)
    shut = sum(not holds(mask, b) for b in beside)
    most: float = constants()["progress"]["open_wall"]
    return most * shut / len(beside)


def _way_back(away: Away, view: TaskView) -> Measure:
    def far(later: TaskView) -> int:
        return max(0, distance(later.player.pos, later.start_pos) - away.n + 1)

    return _approach(far, view)


def _way(condition: Condition, view: TaskView) -> Measure:
    """Returns the measure of being at a place, or near to a thing."""
    outside = isinstance(condition, Opposite) and isinstance(
        condition.condition, InMark
    )
    place = condition.parts()[0] if outside else condition
    if isinstance(place, (InZone, Rectangle, Corner, InMark)):
        width, height = view.area
        cells = [
            [place.holds_at(view, (x, y)) != outside for y in range(height)]
            for x in range(width)
        ]
        return _walk(condition, np.array(cells), 0, view)
    if type(condition) not in _REACHES:
        return condition.share
    what = str(condition.values[0])  # a material, or a kind of thing
    reach: int = getattr(condition, "r", _REACHES[type(condition)])
    if what in view.rules.material_ids:
        mask = view.materials == view.rules.material_ids[what]
        return _walk(condition, mask, reach, view)
    return _approach(lambda later: _to_creature(later, what, reach), view)


def _walk(
    condition: Condition, mask: np.ndarray, reach: int, view: TaskView
) -> Measure:
    """Returns the measure of the walk to within reach of some cells."""
    if not mask.any():
        return condition.share
    ground = Ground(Land(view.materials.copy(), None, (), (0, 0)), view.rules)
    numbers = constants()["progress"]
    field = ground.field(mask, numbers["dig"], numbers["bridge"])

    def far(later: TaskView) -> int:
        steps = int(field[later.player.pos])
        if steps >= FAR:
            xs, ys = mask.nonzero()
            x, y = later.player.pos
            steps = int((abs(xs - x) + abs(ys - y)).min())
        return max(0, steps - reach)

    return _approach(far, view)


def _to_creature(view: TaskView, kind: str, reach: int) -> int:
    x, y = view.player.pos
    cells = [thing.pos for thing in view.objects(kind)]
    nearest = min((abs(cx - x) + abs(cy - y) for cx, cy in cells), default=FAR)
    return max(0, nearest - reach)


def _approach(far: Callable[[TaskView], int], view: TaskView) -> Measure:
    """Returns how much of the way at the start has been gone, by own moves.

    Where there is no way to go, nothing of it counts before all is done.
    """
    start = far(view)
    nearest, stood = start, view.player.pos

    def gone(later: TaskView) -> float:
        nonlocal nearest, stood
        if later.player.pos != stood:
            stood = later.player.pos
            nearest = min(nearest, far(later))
        return 1 - nearest / start if start else 0.0

    return gone
