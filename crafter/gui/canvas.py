"""Canvas: a surface with the shapes and texts of panel and overlays."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Sequence

import numpy as np
import pygame

from crafter.gui import layout, theme

#: Name of an item and (width, height) -> its image, (height, width, 3 or 4), uint8.
Icons = Callable[[str, layout.Size], np.ndarray]
#: Likewise, as what can be drawn.
Images = Callable[[str, layout.Size], pygame.Surface]
Place = tuple[float, float]

_ANCHORS = {"left": "midleft", "center": "center", "right": "midright"}
_SMALLEST = 8  # height of letters
_ICON = (96, 96)  # a multiple of the pixels of most images
_KEPT = 256  # images


def kept(icons: Icons) -> Images:
    """Returns a function that makes images of icons, with a cache."""

    @functools.lru_cache(maxsize=_KEPT)
    def image(name: str, size: layout.Size) -> pygame.Surface:
        # Pixel art loses pixels when it is drawn small; a large one is shrunk.
        large = theme.surface_of(icons(name, _ICON)).convert_alpha()
        return pygame.transform.smoothscale(large, size)

    return image


@dataclasses.dataclass(frozen=True)
class Canvas:
    """Surface to draw on; places (x, y) and sizes are those of scale 1.

    Rectangles are in pixels, as `box` returns them.

    Attributes:
      surface: The surface.
      scale: Pixels of a unit.
      images: Images of the items.
    """

    surface: pygame.Surface
    scale: float = 1.0
    images: Images | None = None

    def box(self, x: float, y: float, width: float, height: float) -> pygame.Rect:
        """Returns a rectangle; neighbours in scale 1 are neighbours in any scale."""
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
        """Writes one line of text.

        Args:
          text: What to write.
          place: Left, middle or right end of the line, and its vertical middle.
          size: Height of the letters.
          color: Colour of the letters.
          align: "left", "center" or "right": which point of the line `place` is.
        """
        if text:
            image = theme.line(text, round(size * self.scale), color)
            spot = round(place[0] * self.scale), round(place[1] * self.scale)
            box = image.get_rect(**{_ANCHORS[align]: spot})
            self.surface.blit(image, box)

    def write_clearly(self, text: str, place: Place, size: int, align: str) -> None:
        """Writes light letters with a dark edge, for pictures of any brightness."""
        edge = max(size // 16, 1)
        for dx, dy in itertools.product((-edge, 0, edge), repeat=2):
            spot = place[0] + dx, place[1] + dy
            self.write(text, spot, size, theme.BACKGROUND, align)
        self.write(text, place, size, theme.TEXT, align)

    def fitting(self, text: str, size: float, widest: float) -> float:
        """Returns the largest height of letters, up to one, at which a text fits."""
        while size > _SMALLEST:
            if theme.width(text, round(size * self.scale)) <= widest * self.scale:
                break
            size -= 0.5
        return size

    def rect(
        self, box: pygame.Rect, color: theme.Color, radius: int = 0, edge: int = 0
    ) -> None:
        """Draws a rectangle with round corners, or only its edge."""
        pygame.draw.rect(self.surface, color, box, edge, border_radius=radius)

    def bar(
        self, box: pygame.Rect, amount: float | None, limit: int, color: theme.Color
    ) -> None:
        """Draws a bar: an amount of a limit."""
        self.rect(box, theme.WELL, 3)
        part = box.copy()
        part.width = round(box.width * min((amount or 0) / limit, 1))
        if part.width:
            self.rect(part, color, 3)

    def tick(self, box: pygame.Rect, color: theme.Color) -> None:
        """Draws a check mark into a box."""
        points = ((0.2, 0.52), (0.42, 0.76), (0.82, 0.24))
        spots = [(box.x + x * box.width, box.y + y * box.height) for x, y in points]
        pygame.draw.lines(self.surface, color, False, spots, max(box.width // 6, 2))

    def mark(self, box: pygame.Rect, done: bool, key: str | None) -> None:
        """Draws the state of an achievement into a box.

        Args:
          box: Where.
          done: Whether it is done, for a check mark.
          key: The key for it, if it is possible now; an arrow if there is no short one.
        """
        self.rect(box, theme.WELL if key is None else theme.READY, 2)
        if done:
            self.tick(box, theme.DONE)
        elif key is not None:
            sign = key if len(key) == 1 else ">"
            pixels = Canvas(self.surface)
            pixels.write(sign, box.center, box.height, theme.BACKGROUND, "center")

    def icon(self, names: Sequence[str], box: pygame.Rect) -> None:
        """Draws images, one over the other."""
        assert self.images is not None
        for name in names:
            self.surface.blit(self.images(name, box.size), box)
