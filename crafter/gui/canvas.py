"""Scaled surface of the panel: places and sizes are those of scale 1."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import pygame

from crafter.gui import layout, theme
from crafter.gui.theme import surface_of

#: Name of an item and (width, height) -> its image, (height, width, 3 or 4), uint8.
Icons = Callable[[str, layout.Size], np.ndarray]
#: Likewise, as what can be drawn.
Images = Callable[[str, layout.Size], pygame.Surface]

MARGIN = 16
RIGHT = 300 - MARGIN  # of all but achievements that stand beside the rest
WIDE = RIGHT - MARGIN

_SMALLEST = 8  # height of letters
_ICON = (96, 96)  # a multiple of the pixels of most images
_KEPT = 256  # images


def kept(icons: Icons) -> Images:
    """Returns a function that makes images of icons, and keeps the latest ones."""

    @functools.lru_cache(maxsize=_KEPT)
    def image(name: str, size: layout.Size) -> pygame.Surface:
        # Pixel art loses pixels when it is drawn small; a large one is shrunk.
        large = surface_of(icons(name, _ICON)).convert_alpha()
        return pygame.transform.smoothscale(large, size)

    return image


class Canvas:
    """Scaled surface that the parts of the panel are drawn on.

    Args:
      size: (width, height) in pixels.
      scale: Pixels of a unit of the places and sizes that the methods take.
      images: Where the images of the items come from.

    Attributes:
      surface: What is drawn on.
      scale: Pixels of a unit.
    """

    def __init__(self, size: layout.Size, scale: float, images: Images) -> None:
        self.surface = pygame.Surface(size)
        self.surface.fill(theme.BACKGROUND)
        self.scale = scale
        self._images = images

    def box(self, x: float, y: float, width: float, height: float) -> pygame.Rect:
        """Returns a rectangle; neighbours in scale 1 are neighbours in any scale."""
        left, top = round(x * self.scale), round(y * self.scale)
        right, low = round((x + width) * self.scale), round((y + height) * self.scale)
        return pygame.Rect(left, top, max(right - left, 1), max(low - top, 1))

    def write(
        self,
        text: str,
        x: float,
        y: float,
        size: float = 20,
        color: theme.Color = theme.TEXT,
        align: str = "left",
    ) -> None:
        """Writes a line; see `theme.write`."""
        place = round(x * self.scale), round(y * self.scale)
        theme.write(self.surface, text, place, round(size * self.scale), color, align)

    def fitting(self, text: str, size: float, widest: float) -> float:
        """Returns the largest height of letters, up to one, at which a text fits."""
        while size > _SMALLEST and self.width(text, size) > widest:
            size -= 0.5
        return size

    def width(self, text: str, size: float) -> float:
        """Returns the width of a text in scale 1."""
        return theme.width(text, round(size * self.scale)) / self.scale

    def bar(
        self, bar: pygame.Rect, amount: float | None, limit: int, color: theme.Color
    ) -> None:
        """Draws a bar: an amount of a limit, in a box in pixels."""
        pygame.draw.rect(self.surface, theme.WELL, bar, border_radius=3)
        part = bar.copy()
        part.width = round(bar.width * min((amount or 0) / limit, 1))
        if part.width:
            pygame.draw.rect(self.surface, color, part, border_radius=3)

    def icon(self, names: Sequence[str], box: pygame.Rect) -> None:
        """Draws images, one over the other, in a box in pixels."""
        for name in names:
            self.surface.blit(self._images(name, box.size), box)

    def rule(self, y: float) -> None:
        """Draws a line between parts."""
        self.surface.fill(theme.LINE, self.box(MARGIN, y, WIDE, 1))
