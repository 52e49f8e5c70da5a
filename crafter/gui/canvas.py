"""Canvas: drawing primitives for panel and overlays."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Sequence

import numpy as np
import pygame

from crafter.gui import layout, theme

#: (item name, (width, height)) -> image, (height, width, 3 or 4), uint8.
Icons = Callable[[str, layout.Size], np.ndarray]
#: Same, as pygame surfaces.
Images = Callable[[str, layout.Size], pygame.Surface]
Place = tuple[float, float]

_ANCHORS = {"left": "midleft", "center": "center", "right": "midright"}
_SMALLEST = 8  # smallest text height
_ICON = (96, 96)  # a multiple of most texture sizes
_KEPT = 256  # cached images


def kept(icons: Icons) -> Images:
    """Returns a cached function from icons to surfaces."""

    @functools.lru_cache(maxsize=_KEPT)
    def image(name: str, size: layout.Size) -> pygame.Surface:
        # Pixel art drawn small loses pixels, so draw it large and scale it down.
        large = theme.surface_of(icons(name, _ICON)).convert_alpha()
        return pygame.transform.smoothscale(large, size)

    return image


@dataclasses.dataclass(frozen=True)
class Canvas:
    """Surface to draw on; positions (x, y) and sizes are in units of scale 1.

    Rectangles are in pixels, as returned by `box`.

    Attributes:
      surface: The surface.
      scale: Pixels per unit.
      images: Images of the items.
    """

    surface: pygame.Surface
    scale: float = 1.0
    images: Images | None = None

    def box(self, x: float, y: float, width: float, height: float) -> pygame.Rect:
        """Returns a rectangle in pixels; adjacent boxes stay adjacent at any scale."""
        left, top = round(x * self.scale), round(y * self.scale)
        right, low = round((x + width) * self.scale), round((y + height) * self.scale)
        return pygame.Rect(left, top, max(right - left, 1), max(low - top, 1))

    def write(
        self,
        text: str,
        place: Place,
        size: float = 20,
        color: theme.Color = theme.TEXT,
        align: str = "left",
    ) -> None:
        """Draws one line of text.

        Args:
          text: The text.
          place: Left, middle or right end of the line, and its vertical middle.
          size: Text height.
          color: Text colour.
          align: "left", "center" or "right": the point of the line at `place`.
        """
        if text:
            image = theme.line(text, round(size * self.scale), color)
            spot = round(place[0] * self.scale), round(place[1] * self.scale)
            box = image.get_rect(**{_ANCHORS[align]: spot})
            self.surface.blit(image, box)

    def write_clearly(self, text: str, place: Place, size: int, align: str) -> None:
        """Draws light text with a dark outline, legible on any picture."""
        edge = max(size // 16, 1)
        for dx, dy in itertools.product((-edge, 0, edge), repeat=2):
            spot = place[0] + dx, place[1] + dy
            self.write(text, spot, size, theme.BACKGROUND, align)
        self.write(text, place, size, theme.TEXT, align)

    def fitting(self, text: str, size: float, widest: float) -> float:
        """Returns the largest text height, up to `size`, at which the text fits."""
        while size > _SMALLEST:
            if theme.width(text, round(size * self.scale)) <= widest * self.scale:
                break
            size -= 0.5
        return size

    def rect(
        self, box: pygame.Rect, color: theme.Color, radius: int = 0, edge: int = 0
    ) -> None:
        """Draws a rounded rectangle, filled or as an outline."""
        pygame.draw.rect(self.surface, color, box, edge, border_radius=radius)

    def bar(
        self, box: pygame.Rect, amount: float | None, limit: int, color: theme.Color
    ) -> None:
        """Draws a progress bar."""
        self.rect(box, theme.WELL, 3)
        part = box.copy()
        part.width = round(box.width * min((amount or 0) / limit, 1))
        if part.width:
            self.rect(part, color, 3)

    def tick(self, box: pygame.Rect, color: theme.Color) -> None:
        """Draws a check mark in a box."""
        points = ((0.2, 0.52), (0.42, 0.76), (0.82, 0.24))
        spots = [(box.x + x * box.width, box.y + y * box.height) for x, y in points]
        pygame.draw.lines(self.surface, color, False, spots, max(box.width // 6, 2))

    def mark(self, box: pygame.Rect, done: bool, key: str | None) -> None:
        """Draws an achievement's state in a box.

        Args:
          box: The box.
          done: Whether it is unlocked (draws a check mark).
          key: Its key, if it is available now; an arrow if that is missing or long.
        """
        self.rect(box, theme.WELL if key is None else theme.READY, 2)
        if done:
            self.tick(box, theme.DONE)
        elif key is not None:
            sign = key if len(key) == 1 else ">"
            pixels = Canvas(self.surface)
            pixels.write(sign, box.center, box.height, theme.BACKGROUND, "center")

    def icon(self, names: Sequence[str], box: pygame.Rect) -> None:
        """Draws images on top of each other."""
        assert self.images is not None
        for name in names:
            self.surface.blit(self.images(name, box.size), box)
