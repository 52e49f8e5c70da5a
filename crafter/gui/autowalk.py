"""Automatic walks in turn-based play, over walkable cells in view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from crafter.core.grid import BESIDE, Cell, mask_of, neighbours, shift
from crafter.core.regions import FAR, holds, waves
from crafter.gui.game import Walkable
from crafter.gui.keys import ARROWS
from crafter.gui.session import Session
from crafter.gui.source import Memory

_NO_WAY = "No path leads there."
_ALL_SEEN = "Nothing unexplored can be reached over the ground in view."


def walk(source: Session, to: Cell | None = None) -> Iterator[str]:
    """Yields the actions of a walk; each is played before the next is chosen.

    The walk ends on arrival, when no walkable path is left, when health falls or a
    threat comes into view, or when another action is played.

    Args:
      source: The game.
      to: The target, as (column, row) offset from the player; a blocked cell is faced
        from beside it. By default the walk explores.
    """
    actions = {by: source.game.keys.get(key) for key, by in ARROWS.items()}
    goal = None if to is None else shift(source.memory.place[1], to[::-1])
    last: _Moment | None = None
    while (now := _Moment.of(source)).follows(last):
        step = _step(source.memory, now.walkable, goal)
        if step is None and last is None:
            source.notices.append(_NO_WAY if to else _ALL_SEEN)
        if step is None or (action := actions[step]) is None:
            return
        yield action
        last = now


class _Moment(NamedTuple):
    """Facts that decide whether a walk continues."""

    step: int
    place: tuple[int, Cell]
    health: float
    walkable: Walkable

    @classmethod
    def of(cls, source: Session) -> _Moment:
        status, place = source.status(), source.memory.place
        health = (status.inventory or {}).get("health", 0)
        return cls(status.step, place, health, source.walkable())

    def follows(self, last: _Moment | None) -> bool:
        """Returns whether the walk's own step came last, and was safe."""
        return last is None or (
            self.step == last.step + 1
            and self.place != last.place
            and self.health >= last.health
            and self.walkable.threats <= last.walkable.threats
        )


def _step(memory: Memory, walkable: Walkable, goal: Cell | None) -> Cell | None:
    """Returns the next step of a walk, as (columns, rows); `None` at its end.

    Args:
      memory: The memory of the player.
      walkable: Walkability of the cells in view.
      goal: Row and column; the unexplored by default.
    """
    row, column = memory.place[1]
    width, height = memory.map_size
    facing, middle = memory.facing[::-1], (width // 2, height // 2)
    ground = {*walkable.open, (0, 0)}
    if goal is None:
        ends = _edge(memory, ground)
    else:
        cell = goal[1] - column, goal[0] - row
        ends = {cell} & ground
        if cell in walkable.closed:
            ends = {*neighbours(cell)} & ground
            if (0, 0) in ends:
                return None if cell == facing else cell

    def mask(cells: set[Cell]) -> np.ndarray:
        return mask_of(memory.map_size, (shift(cell, middle) for cell in cells))

    far = waves(mask(ground).astype(np.int16), mask(ends))
    if far[middle] in (0, FAR):
        return None
    steps = (by for by in BESIDE if by in walkable.open)
    return min(steps, key=lambda by: (int(far[shift(by, middle)]), by != facing))


def _edge(memory: Memory, ground: set[Cell]) -> set[Cell]:
    """Returns walkable cells that border on unexplored ones."""
    floor, (row, column) = memory.place
    unseen = memory.cells[floor, ..., 0] == 0
    return {
        cell
        for cell in ground
        if any(holds(unseen, (row + y, column + x)) for x, y in neighbours(cell))
    }
