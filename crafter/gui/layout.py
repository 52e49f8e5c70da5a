"""Layout of the window: picture, side panel, messages, banner.

Sizes are (width, height) and places (x, y, width, height), in pixels. Nothing
here knows a display library.
"""

import dataclasses

Size = tuple[int, int]
Rect = tuple[int, int, int, int]

#: Size of the panel, and so of its text, at scale 1, unless a game has another.
PANEL: Size = (300, 600)
#: Left and right end, and width, of what lies in the panel, at scale 1; achievements
#: that stand beside the rest are further right.
MARGIN = 16
RIGHT = PANEL[0] - MARGIN
WIDE = RIGHT - MARGIN
#: Height of the strip for messages below both, at scale 1.
STRIP = 66
#: Height of the banner above both that says what is to be done, if there is one.
BANNER = 58
#: The panel is drawn at no smaller a scale; below it, text cannot be read.
SMALLEST = 0.7


@dataclasses.dataclass(frozen=True)
class Layout:
    """The places of picture, panel, messages and banner, and the scale of the text."""

    picture: Rect
    panel: Rect | None
    strip: Rect
    scale: float
    banner: Rect | None = None


@dataclasses.dataclass(frozen=True)
class Frame:
    """The parts of a window, and their full size.

    Attributes:
      picture: Size of the picture.
      with_panel: Whether the panel is wanted.
      panel: Size of the panel at scale 1.
      with_banner: Whether there is a banner.
    """

    picture: Size
    with_panel: bool
    panel: Size = PANEL
    with_banner: bool = False

    @property
    def size(self) -> Size:
        """Size of a window that shows the picture at exactly its size."""
        width, height = self._body
        above = self._height(BANNER) if self.with_banner else 0
        return width, above + height + self._height(STRIP)

    def arrange(self, window: Size) -> Layout:
        """Scales everything to a window, in proportion and centred.

        The panel is left out of a window that is too small for its text.

        Args:
          window: Size of the window.
        """
        whole, body = self.size, self._body
        factor = min(window[0] / whole[0], window[1] / whole[1])
        scale = self._scale * factor
        if self.with_panel and scale < SMALLEST - 1e-9:
            return dataclasses.replace(self, with_panel=False).arrange(window)
        left = (window[0] - round(whole[0] * factor)) // 2
        top = (window[1] - round(whole[1] * factor)) // 2
        wide, high = _scaled(body, factor)
        bottom, banner = top + round(whole[1] * factor), None
        if self.with_banner:
            above = round(self._height(BANNER) * factor)
            banner = (left, top, wide, above)
            top += above
        place = _centred(left, top, high, _scaled(self.picture, factor))
        strip = (left, top + high, wide, max(bottom - top - high, 1))
        if not self.with_panel:
            return Layout(place, None, strip, max(scale, SMALLEST), banner)
        beside = _scaled(_scaled(self.panel, self._scale), factor)
        side = _centred(left + place[2], top, high, beside)
        return Layout(place, side, strip, scale, banner)

    @property
    def _scale(self) -> float:
        return max(self.picture[1] / self.panel[1], SMALLEST)

    @property
    def _body(self) -> Size:
        """Size of what lies above the messages."""
        if not self.with_panel:
            return self.picture
        width, height = _scaled(self.panel, self._scale)
        return self.picture[0] + width, max(self.picture[1], height)

    def _height(self, row: int) -> int:
        """Returns the height of a row beside a picture that has its full size."""
        return round(row * self._scale)


def fitting(box: Size, cells: Size) -> Size:
    """Returns the largest size in a box that has the proportions of a grid.

    Example:
      >>> fitting((600, 600), (9, 9)), fitting((600, 600), (21, 17))
      ((600, 600), (600, 486))
    """
    factor = min(box[0] / cells[0], box[1] / cells[1])
    return _scaled(cells, factor)


def _centred(left: int, top: int, height: int, size: Size) -> Rect:
    """Returns the place of something beside others that have a height."""
    return left, top + (height - size[1]) // 2, *size


def _scaled(size: Size, factor: float) -> Size:
    return max(round(size[0] * factor), 1), max(round(size[1] * factor), 1)
