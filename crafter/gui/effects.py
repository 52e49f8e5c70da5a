"""Effects drawn over the picture after a step: rising amounts and flashes."""

from __future__ import annotations

import collections
import time
from typing import NamedTuple

import pygame

from crafter.gui import layout
from crafter.gui.canvas import Canvas
from crafter.gui.source import Source

_RISING, _FLASHING = 0.8, 0.25  # seconds
_PICTURES = 20  # frames per second
_MOST = 8
_SIZE = 0.34  # text height, as a fraction of a cell
_FLASH = (255, 255, 255, 130)


class _Effect(NamedTuple):
    """A text that rises from a cell, or a flash.

    Attributes:
      until: End time; see `time.monotonic`.
      place: Floor, row and column.
      text: The text; empty for a flash.
    """

    until: float
    place: tuple[int, int, int]
    text: str


class Effects:
    """The effects of the latest steps."""

    def __init__(self) -> None:
        self._version = -1
        self._effects: collections.deque[_Effect] = collections.deque(maxlen=_MOST)

    def follow(self, source: Source) -> int:
        """Adds the effects of a step; returns a number that changes as they move."""
        now, (floor, (row, column)) = time.monotonic(), source.memory.place
        if source.version != self._version:
            self._version = source.version
            for (right, down), text in source.effects:
                until = now + (_RISING if text else _FLASHING)
                place = floor, row + down, column + right
                self._effects.append(_Effect(until, place, text))
        while self._effects and self._effects[0].until <= now:
            self._effects.popleft()
        return 1 + int(_PICTURES * now) if self._effects else 0

    def draw(self, canvas: Canvas, source: Source, grid: layout.Grid) -> None:
        """Draws the effects over a picture with the given grid."""
        here, (row, column) = source.memory.place
        for until, (floor, down, right), text in self._effects:
            left, offset = until - time.monotonic(), (right - column, down - row)
            if floor == here and grid.has(offset) and left > 0:
                _draw(canvas, text, left, pygame.Rect(grid.box(offset)))


def _draw(canvas: Canvas, text: str, left: float, box: pygame.Rect) -> None:
    """Draws a text or a flash over a cell, with `left` seconds remaining."""
    if text:
        risen = 0.6 * (1 - left / _RISING)
        middle = box.centerx, box.y + round(box.height * (0.3 - risen))
        size = max(round(_SIZE * box.height), 9)
        canvas.write_clearly(text, middle, size, "center")
        return
    flash = pygame.Surface(box.size, pygame.SRCALPHA)
    flash.fill(_FLASH)
    canvas.surface.blit(flash, box)
