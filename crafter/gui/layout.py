"""Where the picture of the game and the side panel lie in a window.

Sizes are (width, height) and places (x, y, width, height), in pixels. Nothing
here knows a display library.
"""

import dataclasses

Size = tuple[int, int]
Rect = tuple[int, int, int, int]

#: Size of the panel, and so of its text, at scale 1.
PANEL: Size = (300, 600)
#: The panel is drawn at no smaller a scale; below it, text cannot be read.
SMALLEST = 0.7


@dataclasses.dataclass(frozen=True)
class Layout:
    """The places of picture and panel, and the scale of the text."""

    picture: Rect
    panel: Rect | None
    scale: float


def window_size(picture: Size, with_panel: bool) -> Size:
    """Returns the size of a window that shows a picture at exactly its size."""
    if not with_panel:
        return picture
    width, height = _panel_size(picture)
    return picture[0] + width, max(picture[1], height)


def arrange(window: Size, picture: Size, with_panel: bool) -> Layout:
    """Scales picture and panel to a window, in proportion and centred.

    Args:
      window: Size of the window.
      picture: Size that the picture has in a window of `window_size`.
      with_panel: Whether the panel is wanted. It is left out of a window that is
        too small for its text.
    """
    whole = window_size(picture, with_panel)
    factor = min(window[0] / whole[0], window[1] / whole[1])
    scale = _panel_size(picture)[1] / PANEL[1] * factor
    if with_panel and scale < SMALLEST - 1e-9:
        return arrange(window, picture, with_panel=False)
    wide, high = _scaled(picture, factor)
    left = (window[0] - round(whole[0] * factor)) // 2
    place = (left, (window[1] - high) // 2, wide, high)
    if not with_panel:
        return Layout(place, None, max(scale, SMALLEST))
    wide, high = _scaled(_panel_size(picture), factor)
    return Layout(place, (left + place[2], (window[1] - high) // 2, wide, high), scale)


def _panel_size(picture: Size) -> Size:
    return _scaled(PANEL, max(picture[1] / PANEL[1], SMALLEST))


def _scaled(size: Size, factor: float) -> Size:
    return max(round(size[0] * factor), 1), max(round(size[1] * factor), 1)
