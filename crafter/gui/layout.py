"""Layout of the window: picture, side panel, messages.

Sizes are (width, height) and rectangles (x, y, width, height), in pixels.
Independent of any display library.
"""

import dataclasses
import math

Size = tuple[int, int]
Rect = tuple[int, int, int, int]

#: Size of the panel, and so of its text, at scale 1; the second for games with an
#: achievement column of its own.
PANELS: tuple[Size, Size] = (300, 600), (614, 600)
#: Left, right and width of the panel contents, at scale 1; an achievement column
#: lies further right.
MARGIN = 16
RIGHT = PANELS[0][0] - MARGIN
WIDE = RIGHT - MARGIN
#: Height of the message strip at the bottom, at scale 1.
STRIP = 66
#: Gain in scale required to put the panel below the picture.
_MUCH = 1.05
#: Minimum scale of messages and pages.
READABLE = 0.4
#: Minimum scale of the panel beside a small picture.
SMALLEST = 0.7


@dataclasses.dataclass(frozen=True)
class Layout:
    """Rectangles of picture, panel and messages, and the text scale."""

    picture: Rect
    panel: Rect
    strip: Rect
    scale: float


@dataclasses.dataclass(frozen=True)
class Frame:
    """Parts of a window and their unscaled sizes.

    Attributes:
      picture: Size of the picture.
      panel: Size of the panel at scale 1.
    """

    picture: Size
    panel: Size = PANELS[0]

    @property
    def _scale(self) -> float:
        return max(self.picture[1] / self.panel[1], SMALLEST)

    @property
    def _side(self) -> Size:
        """Size of the panel beside an unscaled picture."""
        return round(self.panel[0] * self._scale), round(self.panel[1] * self._scale)

    @property
    def _rows(self) -> tuple[int, int]:
        """Heights of the picture with panel, and of the strip."""
        return max(self.picture[1], self._side[1]), round(STRIP * self._scale)

    @property
    def size(self) -> Size:
        """Size of the window that shows the picture unscaled."""
        return self.picture[0] + self._side[0], sum(self._rows)

    def arrange(self, window: Size) -> Layout:
        """Scales everything to fit a window, centred, with proportions kept.

        In tall windows, the panel goes below the picture if that makes both larger.

        Args:
          window: Size of the window.
        """
        factor = min(own / full for own, full in zip(window, self.size))
        stacked = min(own / full for own, full in zip(window, self._tall))
        if stacked > _MUCH * factor:
            return self._stack(window, stacked)
        wide, whole = (round(full * factor) for full in self.size)
        left, top = (window[0] - wide) // 2, (window[1] - whole) // 2
        body = round(self._rows[0] * factor)

        def beside(x: int, size: Size) -> Rect:
            width, height = (max(round(n * factor), 1) for n in size)
            return x, top + (body - height) // 2, width, height

        picture, below = beside(left, self.picture), top + body
        return Layout(
            picture,
            beside(left + picture[2], self._side),
            (left, below, max(wide, 1), max(top + whole - below, 1)),
            max(self._scale * factor, READABLE),
        )

    @property
    def _tall(self) -> Size:
        """Size of a window with the panel below the picture."""
        width, height = self._side
        high = self.picture[1] + height + self._rows[1]
        return max(width, self.picture[0]), high

    def _stack(self, window: Size, factor: float) -> Layout:
        """Scales everything to fit a tall window, stacked vertically."""
        sizes = self.picture, (self._tall[0], self._rows[1]), self._side
        top = round((window[1] - factor * self._tall[1]) / 2)
        places: list[Rect] = []
        for size in sizes:
            width, height = (max(math.floor(n * factor), 1) for n in size)
            places.append(((window[0] - width) // 2, top, width, height))
            top += height
        picture, strip, panel = places
        return Layout(picture, panel, strip, max(self._scale * factor, READABLE))


@dataclasses.dataclass(frozen=True)
class Grid:
    """Map cells of a picture, in window coordinates.

    Attributes:
      picture: Rectangle of the picture.
      cells: Columns and rows of the picture, including the inventory.
      map_size: Columns and rows of the map, at the top; the player is at its centre.
    """

    picture: Rect
    cells: Size
    map_size: Size

    def box(self, offset: Size) -> Rect:
        """Returns the rectangle of a cell, as (column, row) from the player."""
        (x, y, *size), (width, height) = self.picture, self._unit
        left, top = ((s - u * n) // 2 for s, u, n in zip(size, self._unit, self.cells))
        column, row = (o + n // 2 for o, n in zip(offset, self.map_size))
        return x + left + column * width, y + top + row * height, width, height

    def at(self, place: Size) -> Size | None:
        """Returns the cell at a window position; `None` outside the map."""
        left, top, width, height = self.box((0, 0))
        offset = (place[0] - left) // width, (place[1] - top) // height
        return offset if self.has(offset) else None

    def has(self, offset: Size) -> bool:
        """Returns whether a cell is in view."""
        return all(0 <= o + n // 2 < n for o, n in zip(offset, self.map_size))

    @property
    def _unit(self) -> Size:
        """Width and height of a cell."""
        width, height = (max(s // n, 1) for s, n in zip(self.picture[2:], self.cells))
        return width, height


def fitting(box: Size, cells: Size) -> Size:
    """Returns the largest size within a box that has the proportions of a grid.

    Example:
      >>> fitting((600, 600), (9, 9)), fitting((600, 600), (21, 17))
      ((600, 600), (600, 486))
    """
    factor = min(box[0] / cells[0], box[1] / cells[1])
    return max(round(cells[0] * factor), 1), max(round(cells[1] * factor), 1)
