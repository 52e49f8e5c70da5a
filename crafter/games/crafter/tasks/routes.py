"""Conditions on the path of the player.

They depend on the whole episode: `trail` of a view has the pose after every step,
`visited` the visited cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy as np

from crafter.core.grid import BESIDE, Cell, mask_of
from crafter.core.regions import components, grown
from crafter.games.crafter.tasks import zones
from crafter.games.crafter.tasks.regions import was
from crafter.games.crafter.tasks.view import Pose, TaskView
from crafter.tasks.world.common import Material
from crafter.tasks.world.conditions import Condition
from crafter.tasks.world.fields import Positive, Whole
from crafter.tasks.world.view import recalled

#: Corners of a square in turn, as factors of its width, and the first one again.
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))


class Turned(Condition, word="turned"):
    """The player has faced all four directions in the last steps.

    Attributes:
      n: Number of steps.
    """

    n: Annotated[int, Whole(4)]

    def share(self, view: TaskView) -> float:
        """Returns the share of the directions."""
        return len({pose.facing for pose in view.trail[1:][-self.n :]}) / 4


class Marched(Condition, word="marched"):
    """The player has moved in one direction in each of the last steps.

    Attributes:
      n: Number of steps.
    """

    n: Positive

    def share(self, view: TaskView) -> float:
        """Returns for how many of the steps."""
        cells = np.array([pose.pos for pose in view.trail[-self.n - 1 :]])
        steps = np.diff(cells, axis=0)[::-1]
        if not steps[:1].any():
            return 0.0
        same = (steps == steps[0]).all(1)
        return int(np.cumprod(same).sum()) / self.n


class Squared(Condition, word="squared"):
    """The player has visited the corners of a square in turn, and the first again.

    The path between corners is free.

    Attributes:
      n: Cells along each side, corners included.
    """

    n: Annotated[int, Whole(2)]

    def share(self, view: TaskView) -> float:
        """Returns the share of the sides."""
        _, most = _fold_trail(view, self, self._corners)
        return float(most / (len(_CORNERS) - 1))

    def _corners(self, result: Any, poses: Sequence[Pose], view: TaskView) -> Any:
        """Returns the reached sequences of corners, and the length of the longest."""
        none: set[Any] = set()
        reached, most = result or (none, 0)
        cells = [pose.pos for pose in poses]
        for x, y in (cell for cell, _ in itertools.groupby(cells)):
            for turn in square_turns(self.n):
                for number in range(len(turn) - 1, -1, -1):
                    dx, dy = turn[number]
                    first = x - dx, y - dy
                    if not number or (turn, first, number - 1) in reached:
                        reached.add((turn, first, number))
                        most = max(most, number)
        return reached, most


def square_turns(n: int) -> list[tuple[Cell, ...]]:
    """Returns the corners of squares in turn, from the first one, in the eight ways."""
    signs = itertools.product((n - 1, 1 - n), repeat=2)
    turns = [tuple((x * sx, y * sy) for x, y in _CORNERS) for sx, sy in signs]
    return [*turns, *(tuple((y, x) for x, y in turn) for turn in turns)]


def _fold_trail(view: TaskView, key: Condition, update: Callable[..., Any]) -> Any:
    """Folds the trail incrementally; the result is cached in the view.

    Args:
      view: The view.
      key: Key in the cache.
      update: Called with the result so far (`None` at first), the new poses, and the
        view; returns the new result.
    """
    done, result = view.memo.get(key, (0, None))
    if done < len(view.trail) or result is None:
        result = update(result, view.trail[done:], view)
        view.memo[key] = len(view.trail), result
    return result


class Circled(Condition, word="circled"):
    """The player has visited all eight cells around a cell of a material.

    Attributes:
      what: The material.
    """

    what: Material

    def share(self, view: TaskView) -> float:
        """Returns the largest share of the cells around one of them."""
        here = view.materials == view.rules.material_ids.get(self.what, -1)
        wide = np.pad(view.visited.astype(np.int64), 1)
        squares = np.lib.stride_tricks.sliding_window_view(wide, (3, 3)).sum((2, 3))
        return int((squares - view.visited)[here].max(initial=0)) / 8


class Rounded(Condition, word="rounded"):
    """The player has visited the shore on all four sides of one lake.

    Attributes:
      what: Initial material of the lake, such as water.
      n: Least number of cells of the lake.
    """

    what: Material
    n: Positive

    def share(self, view: TaskView) -> float:
        """Returns the largest share of the sides of one lake."""
        lakes = recalled(view, self, None, lambda: self._lakes(view))
        sides = [sum(bool(view.visited[side].any()) for side in lake) for lake in lakes]
        return max(sides, default=0) / len(BESIDE)

    def _lakes(self, view: TaskView) -> list[list[np.ndarray]]:
        """Returns the shores of each lake that is large enough."""
        lakes = components(was(view, self.what))
        return [_shores(cells, view) for cells in lakes if len(cells) >= self.n]


def _shores(lake: set[Cell], view: TaskView) -> list[np.ndarray]:
    """Returns the cells of the shore on each side of a lake, bool of shape `area`."""
    mask = mask_of(view.area, lake)
    xs, ys = np.indices(view.area)
    middle = [float(np.mean(axis)) for axis in zip(*lake)]
    off, beside = (xs - middle[0], ys - middle[1]), grown(mask) & ~mask
    along = [off[0] * dx + off[1] * dy for dx, dy in BESIDE]
    return [beside & (a > 0) & (a >= np.maximum(*np.abs(off))) for a in along]


class Toured(Condition, word="toured"):
    """The player has stayed in several zones, in each for consecutive steps.

    Attributes:
      n: Least number of zones.
      steps: Number of steps in each zone.
      zones: The zones that count.
    """

    n: Positive
    steps: Positive
    zones: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raises ValueError if an argument is wrong."""
        super().__post_init__()
        names = zones.names()
        if not {*self.zones} <= {*names} or len({*self.zones}) < self.n:
            raise ValueError(
                f"toured: expected at least {self.n} of the zones {names}, got "
                f"{self.zones}."
            )

    def share(self, view: TaskView) -> float:
        """Returns the share of the zones."""
        _, visited = _fold_trail(view, self, self._stays)
        return min(len(visited) / self.n, 1.0)

    def _stays(self, result: Any, poses: Sequence[Pose], view: TaskView) -> Any:
        run, visited = result or (("", 0), set())
        # The first pose is the initial one and does not count as a step.
        for pose in poses if result else poses[1:]:
            zone = view.zone(pose.pos) or ""
            run = (zone, run[1] + 1 if zone == run[0] else 1)
            if run[1] >= self.steps and zone in self.zones:
                visited = {*visited, zone}
        return run, visited


def toured(n: int, steps: int, *names: str) -> Toured:
    """The player has stayed `steps` steps in each of `n` zones of those named."""
    return Toured(n, steps, names)
