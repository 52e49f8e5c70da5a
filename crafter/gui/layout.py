"""Where the picture of the game, the side panel and the messages lie in a window.

Sizes are (width, height) and places (x, y, width, height), in pixels. Nothing
here knows a display library.
"""

import dataclasses

Size = tuple[int, int]
Rect = tuple[int, int, int, int]

#: Size of the panel, and so of its text, at scale 1, unless a game has another.
PANEL: Size = (300, 600)
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


def window_size(
    picture: Size, with_panel: bool, panel: Size = PANEL, with_banner: bool = False
) -> Size:
    """Returns the size of a window that shows a picture at exactly its size."""
    width, height = _body_size(picture, with_panel, panel)
    above = _height(BANNER, picture, panel) if with_banner else 0
    return width, above + height + _height(STRIP, picture, panel)


def arrange(
    window: Size,
    picture: Size,
    with_panel: bool,
    panel: Size = PANEL,
    with_banner: bool = False,
) -> Layout:
    """Scales everything to a window, in proportion and centred.

    Args:
      window: Size of the window.
      picture: Size that the picture has in a window of `window_size`.
      with_panel: Whether the panel is wanted. It is left out of a window that is
        too small for its text.
      panel: Size of the panel at scale 1.
      with_banner: Whether there is a banner.
    """
    whole = window_size(picture, with_panel, panel, with_banner)
    factor = min(window[0] / whole[0], window[1] / whole[1])
    scale = _panel_scale(picture, panel) * factor
    if with_panel and scale < SMALLEST - 1e-9:
        return arrange(window, picture, False, panel, with_banner)
    left = (window[0] - round(whole[0] * factor)) // 2
    top = (window[1] - round(whole[1] * factor)) // 2
    wide, body = _scaled(_body_size(picture, with_panel, panel), factor)
    bottom, banner = top + round(whole[1] * factor), None
    if with_banner:
        high = round(_height(BANNER, picture, panel) * factor)
        banner = (left, top, wide, high)
        top += high
    place = _centred(left, top, body, _scaled(picture, factor))
    strip = (left, top + body, wide, max(bottom - top - body, 1))
    if not with_panel:
        return Layout(place, None, strip, max(scale, SMALLEST), banner)
    beside = _scaled(_panel_size(picture, panel), factor)
    side = _centred(left + place[2], top, body, beside)
    return Layout(place, side, strip, scale, banner)


def fitting(box: Size, cells: Size) -> Size:
    """Returns the largest size in a box that has the proportions of a grid.

    Example:
      >>> fitting((600, 600), (9, 9)), fitting((600, 600), (21, 17))
      ((600, 600), (600, 486))
    """
    factor = min(box[0] / cells[0], box[1] / cells[1])
    return _scaled(cells, factor)


def _body_size(picture: Size, with_panel: bool, panel: Size) -> Size:
    """Returns the size of what lies above the messages."""
    if not with_panel:
        return picture
    width, height = _panel_size(picture, panel)
    return picture[0] + width, max(picture[1], height)


def _panel_size(picture: Size, panel: Size) -> Size:
    return _scaled(panel, _panel_scale(picture, panel))


def _height(row: int, picture: Size, panel: Size) -> int:
    """Returns the height of a row beside a picture that has its full size."""
    return round(row * _panel_scale(picture, panel))


def _panel_scale(picture: Size, panel: Size) -> float:
    return max(picture[1] / panel[1], SMALLEST)


def _centred(left: int, top: int, height: int, size: Size) -> Rect:
    """Returns the place of something beside others that have a height."""
    return left, top + (height - size[1]) // 2, *size


def _scaled(size: Size, factor: float) -> Size:
    return max(round(size[0] * factor), 1), max(round(size[1] * factor), 1)
