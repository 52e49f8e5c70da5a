"""Layout of the window: picture, side panel, messages.

Sizes are (width, height) and places (x, y, width, height), in pixels. Nothing
here knows a display library.
"""

import dataclasses
import math

Size = tuple[int, int]
Rect = tuple[int, int, int, int]

#: Size of the panel, and so of its text, at scale 1; the second one for games whose
#: achievements stand beside the rest.
PANELS: tuple[Size, Size] = (300, 600), (614, 600)
#: Left and right end, and width, of what lies in the panel, at scale 1; achievements
#: that stand beside the rest are further right.
MARGIN = 16
RIGHT = PANELS[0][0] - MARGIN
WIDE = RIGHT - MARGIN
#: Height of the strip for messages below both, at scale 1.
STRIP = 66
#: Factor by which all must be larger for the panel to stand below the picture.
_MUCH = 1.05
#: The smallest scale of messages and pages.
READABLE = 0.4
#: The panel beside a small picture is drawn at no smaller a scale.
SMALLEST = 0.7


@dataclasses.dataclass(frozen=True)
class Layout:
    """The places of picture, panel and messages, and the scale of the text."""

    picture: Rect
    panel: Rect
    strip: Rect
    scale: float


@dataclasses.dataclass(frozen=True)
class Frame:
    """The parts of a window, and their full size.

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
        """Size of the panel beside a picture that has its full size."""
        return round(self.panel[0] * self._scale), round(self.panel[1] * self._scale)

    @property
    def _rows(self) -> tuple[int, int]:
        """Heights of picture with panel, and strip."""
        return max(self.picture[1], self._side[1]), round(STRIP * self._scale)

    @property
    def size(self) -> Size:
        """Size of a window that shows the picture at exactly its size."""
        return self.picture[0] + self._side[0], sum(self._rows)

    def arrange(self, window: Size) -> Layout:
        """Scales everything to a window, in proportion and centred.

        The panel stands below the picture in tall windows, where both are larger so.

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
        """Size of a window in which the panel stands below the picture."""
        width, height = self._side
        high = self.picture[1] + height + self._rows[1]
        return max(width, self.picture[0]), high

    def _stack(self, window: Size, factor: float) -> Layout:
        """Scales everything to a tall window, one below the other."""
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
    """The cells of the map in a picture, as places of the window.

    Attributes:
      picture: Where the picture is.
      cells: Columns and rows of the picture, those of the inventory included.
      sight: Columns and rows of the map, which is above; the player is in its middle.
    """

    picture: Rect
    cells: Size
    sight: Size

    def box(self, offset: Size) -> Rect:
        """Returns where a cell is; it is given in columns and rows from the player."""
        (x, y, *size), (width, height) = self.picture, self._unit
        left, top = ((s - u * n) // 2 for s, u, n in zip(size, self._unit, self.cells))
        column, row = (o + n // 2 for o, n in zip(offset, self.sight))
        return x + left + column * width, y + top + row * height, width, height

    def at(self, place: Size) -> Size | None:
        """Returns the cell at a place of the window; `None` for none in sight."""
        left, top, width, height = self.box((0, 0))
        offset = (place[0] - left) // width, (place[1] - top) // height
        return offset if self.has(offset) else None

    def has(self, offset: Size) -> bool:
        """Returns whether a cell is in sight."""
        return all(0 <= o + n // 2 < n for o, n in zip(offset, self.sight))

    @property
    def _unit(self) -> Size:
        """Width and height of a cell."""
        width, height = (max(s // n, 1) for s, n in zip(self.picture[2:], self.cells))
        return width, height


def fitting(box: Size, cells: Size) -> Size:
    """Returns the largest size in a box that has the proportions of a grid.

    Example:
      >>> fitting((600, 600), (9, 9)), fitting((600, 600), (21, 17))
      ((600, 600), (600, 486))
    """
    factor = min(box[0] / cells[0], box[1] / cells[1])
    return max(round(cells[0] * factor), 1), max(round(cells[1] * factor), 1)
