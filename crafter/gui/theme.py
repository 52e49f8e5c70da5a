"""Colours, text and simple shapes of panel and overlays."""

import functools
import itertools
import math

import numpy as np
import pygame

Color = tuple[int, int, int]

BACKGROUND: Color = (24, 27, 33)
WELL: Color = (38, 43, 52)  # what bars and boxes are sunk into
LINE: Color = (58, 65, 78)
TEXT: Color = (228, 231, 236)
DIM: Color = (134, 143, 158)
DONE: Color = (122, 204, 120)
ALERT: Color = (238, 82, 82)
READY: Color = (240, 196, 84)  # what can be done now
CURTAIN = (12, 14, 18, 242)  # behind the help


# Letters are drawn this much larger and then shrunk: at their own small size they
# would be moved to whole pixels, which spaces them unevenly.
_OVERSIZE = 4


@functools.lru_cache(maxsize=32)
def _font(size: int) -> pygame.font.Font:
    """Returns the font that pygame brings along, enlarged."""
    return pygame.font.Font(None, size * _OVERSIZE)


def forget_fonts() -> None:
    """Drops the fonts and texts, which `pygame.quit` makes useless."""
    _font.cache_clear()
    _line.cache_clear()


def width(text: str, size: int) -> int:
    """Returns the width in pixels of a line of text in a height."""
    return math.ceil(_font(size).size(text)[0] / _OVERSIZE)


def write(
    surface: pygame.Surface,
    text: str,
    place: tuple[int, int],
    size: int,
    color: Color = TEXT,
    align: str = "left",
) -> None:
    """Writes one line of text.

    Args:
      surface: Where to write.
      text: What to write.
      place: Left, middle or right end of the line, and its vertical middle.
      size: Height of the font in pixels.
      color: Colour of the letters.
      align: "left", "center" or "right": which point of the line `place` is.
    """
    if not text:
        return
    image = _line(text, size, color)
    anchor = {"left": "midleft", "center": "center", "right": "midright"}[align]
    surface.blit(image, image.get_rect(**{anchor: place}))


def write_clearly(
    surface: pygame.Surface,
    text: str,
    place: tuple[int, int],
    size: int,
    align: str = "left",
) -> None:
    """Writes light letters with a dark edge, for pictures of any brightness."""
    edge = max(size // 16, 1)
    for dx, dy in itertools.product((-edge, 0, edge), repeat=2):
        write(surface, text, (place[0] + dx, place[1] + dy), size, BACKGROUND, align)
    write(surface, text, place, size, TEXT, align)


@functools.lru_cache(maxsize=512)
def _line(text: str, size: int, color: Color) -> pygame.Surface:
    large = _font(size).render(text, True, color).convert_alpha()
    shrunk = (width(text, size), max(round(large.get_height() / _OVERSIZE), 1))
    return pygame.transform.smoothscale(large, shrunk)


def wrap(text: str, widest: int, size: int) -> list[str]:
    """Breaks a text between words, or within long ones, to lines of a width."""
    lines = [""]
    for word in text.split():
        if width(f"{lines[-1]} {word}".strip(), size) <= widest:
            lines[-1] = f"{lines[-1]} {word}".strip()
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and width(lines[-1] + letter, size) > widest:
                lines.append("")
            lines[-1] += letter
    return lines


def tick(surface: pygame.Surface, box: pygame.Rect, color: Color) -> None:
    """Draws a check mark into a box."""
    points = ((0.2, 0.52), (0.42, 0.76), (0.82, 0.24))
    spots = [(box.x + x * box.width, box.y + y * box.height) for x, y in points]
    pygame.draw.lines(surface, color, False, spots, max(box.width // 6, 2))


def mix(first: Color, second: Color, part: float) -> Color:
    """Returns the colour that lies between two; 0 is the first, 1 the second."""
    red, green, blue = (
        round(a + (b - a) * min(max(part, 0), 1)) for a, b in zip(first, second)
    )
    return red, green, blue


def surface_of(image: np.ndarray) -> pygame.Surface:
    """Returns an image (height, width, 3 or 4), uint8, as a surface."""
    height, width, channels = image.shape
    size, content = (width, height), image.tobytes()
    if channels == 4:
        return pygame.image.frombytes(content, size, "RGBA")
    return pygame.image.frombytes(content, size, "RGB")


def cover(surface: pygame.Surface) -> None:
    """Darkens a surface almost completely, for an overlay."""
    veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    veil.fill(CURTAIN)
    surface.blit(veil, (0, 0))
