"""Walks of a player who plays in turns, over open cells in view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from crafter.core.grid import BESIDE, Cell, mask_of, neighbours, shift
from crafter.core.regions import FAR, holds, waves
from crafter.gui.game import Ways
from crafter.gui.keys import ARROWS
from crafter.gui.session import Session
from crafter.gui.source import Memory

_NO_WAY = "No path leads there."
_ALL_SEEN = "Nothing unexplored can be reached over the ground in view."


def walk(source: Session, to: Cell | None = None) -> Iterator[str]:
    """Yields the actions of a walk, each of which is played before the next.

    It ends on arrival, where no open way leads on, when health falls or a threat comes
    into view, and when another action was played.

    Args:
      source: The game.
      to: The cell, in columns and rows from the player; one that is closed is faced
        from beside it. By default the walk explores.
    """
    actions = {by: source.game.keys.get(key) for key, by in ARROWS.items()}
    goal = None if to is None else shift(source.memory.place[1], to[::-1])
    last: _Moment | None = None
    while (now := _Moment.of(source)).follows(last):
        step = _step(source.memory, now.ways, goal)
        if step is None and last is None:
            source.notices.append(_NO_WAY if to else _ALL_SEEN)
        if step is None or (action := actions[step]) is None:
            return
        yield action
        last = now


class _Moment(NamedTuple):
    """The facts that decide whether a walk goes on."""

    step: int
    place: tuple[int, Cell]
    health: float
    ways: Ways

    @classmethod
    def of(cls, source: Session) -> _Moment:
        status, place = source.status(), source.memory.place
        health = (status.inventory or {}).get("health", 0)
        return cls(status.step, place, health, source.ways())

    def follows(self, last: _Moment | None) -> bool:
        """Returns whether a step was made since the last moment, and nothing else."""
        return last is None or (
            self.step == last.step + 1
            and self.place != last.place
            and self.health >= last.health
            and self.ways.threats <= last.ways.threats
        )


def _step(memory: Memory, ways: Ways, goal: Cell | None) -> Cell | None:
    """Returns the next step of a walk, in columns and rows; `None` at its end.

    Args:
      memory: The memory of the player.
      ways: Where it could go.
      goal: Row and column; by default the unexplored.
    """
    row, column = memory.place[1]
    facing, middle = memory.facing[::-1], (memory.sight[0] // 2, memory.sight[1] // 2)
    ground = {*ways.open, (0, 0)}
    if goal is None:
        ends = _edge(memory, ground)
    else:
        cell = goal[1] - column, goal[0] - row
        ends = {cell} & ground
        if cell in ways.closed:
            ends = {*neighbours(cell)} & ground
            if (0, 0) in ends:
                return None if cell == facing else cell

    def mask(cells: set[Cell]) -> np.ndarray:
        return mask_of(memory.sight, (shift(cell, middle) for cell in cells))

    far = waves(mask(ground).astype(np.int16), mask(ends))
    if far[middle] in (0, FAR):
        return None
    steps = (by for by in BESIDE if by in ways.open)
    return min(steps, key=lambda by: (int(far[shift(by, middle)]), by != facing))


def _edge(memory: Memory, ground: set[Cell]) -> set[Cell]:
    """Returns the cells of the ground beside which the map was never seen."""
    floor, (row, column) = memory.place
    unseen = memory.cells[floor, ..., 0] == 0
    return {
        cell
        for cell in ground
        if any(holds(unseen, (row + y, column + x)) for x, y in neighbours(cell))
    }
