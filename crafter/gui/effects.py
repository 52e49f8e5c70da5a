"""What moves over the picture after a step: amounts that rise, and flashes."""

from __future__ import annotations

import collections
import time
from typing import NamedTuple

import pygame

from crafter.gui import layout
from crafter.gui.canvas import Canvas
from crafter.gui.source import Source

_RISING, _FLASHING = 0.8, 0.25  # seconds
_PICTURES = 20  # a second
_MOST = 8
_SIZE = 0.34  # height of the letters, of a cell
_FLASH = (255, 255, 255, 130)


class _Effect(NamedTuple):
    """A text that rises from a cell (floor, row and column), or a flash without one."""

    began: float
    floor: int
    cell: tuple[int, int]
    text: str

    @property
    def part(self) -> float:
        """How much of its time is over; 1 at its end."""
        age = time.monotonic() - self.began
        return min(age / (_RISING if self.text else _FLASHING), 1)


class Effects:
    """The effects of the latest steps."""

    def __init__(self) -> None:
        self._version = -1
        self._effects: collections.deque[_Effect] = collections.deque(maxlen=_MOST)

    def follow(self, source: Source) -> int:
        """Takes note of a step; returns a number that changes while something moves."""
        if source.version != self._version:
            self._version, (floor, (row, column)) = source.version, source.memory.place
            for (right, down), text in source.effects:
                cell = row + down, column + right
                self._effects.append(_Effect(time.monotonic(), floor, cell, text))
        while self._effects and self._effects[0].part >= 1:
            self._effects.popleft()
        return 1 + int(_PICTURES * time.monotonic()) if self._effects else 0

    def draw(self, canvas: Canvas, source: Source, grid: layout.Grid) -> None:
        """Draws them over the picture, whose cells lie as in a grid."""
        floor, (row, column) = source.memory.place
        for effect in self._effects:
            offset = effect.cell[1] - column, effect.cell[0] - row
            if effect.floor == floor and grid.has(offset) and effect.part < 1:
                _draw(canvas, effect, pygame.Rect(grid.box(offset)))


def _draw(canvas: Canvas, effect: _Effect, box: pygame.Rect) -> None:
    if effect.text:
        middle = box.centerx, box.y + round(box.height * (0.3 - 0.6 * effect.part))
        size = max(round(_SIZE * box.height), 9)
        canvas.write_clearly(effect.text, middle, size, "center")
        return
    flash = pygame.Surface(box.size, pygame.SRCALPHA)
    flash.fill(_FLASH)
    canvas.surface.blit(flash, box)
