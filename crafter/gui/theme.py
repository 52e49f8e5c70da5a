"""Colours and fonts of panel and overlays."""

import functools
import math

import numpy as np
import pygame

Color = tuple[int, int, int]

BACKGROUND: Color = (24, 27, 33)
WELL: Color = (38, 43, 52)  # background of bars and boxes
LINE: Color = (58, 65, 78)
TEXT: Color = (228, 231, 236)
DIM: Color = (134, 143, 158)
DONE: Color = (122, 204, 120)
ALERT: Color = (238, 82, 82)
READY: Color = (240, 196, 84)  # available now
CURTAIN = (12, 14, 18, 242)  # behind overlays

#: Name -> colours for done, wrong and ready; the second palette is for red-green colour
#: blindness.
PALETTES: dict[str, tuple[Color, Color, Color]] = {
    "usual": (DONE, ALERT, READY),
    "distinct": ((86, 180, 233), (213, 94, 0), (240, 228, 66)),
}

#: Colour of a task or a title, by verdict.
VERDICTS = {"DONE": DONE, "FAILED": ALERT}


def use(palette: str) -> None:
    """Selects a palette."""
    globals().update(zip(("DONE", "ALERT", "READY"), PALETTES[palette]))
    VERDICTS.update(DONE=DONE, FAILED=ALERT)


# Text is drawn enlarged and then scaled down: at small sizes, glyphs snap to whole
# pixels, which makes their spacing uneven.
_OVERSIZE = 4


@functools.lru_cache(maxsize=32)
def _font(size: int) -> pygame.font.Font:
    """Returns pygame's default font, enlarged."""
    return pygame.font.Font(None, max(size, 1) * _OVERSIZE)


@functools.lru_cache(maxsize=512)
def line(text: str, size: int, color: Color) -> pygame.Surface:
    """Returns an image of a line of text at a height."""
    large = _font(size).render(text, True, color).convert_alpha()
    shrunk = (width(text, size), max(round(large.get_height() / _OVERSIZE), 1))
    return pygame.transform.smoothscale(large, shrunk)


def forget_fonts() -> None:
    """Clears the font and text caches, which `pygame.quit` invalidates."""
    _font.cache_clear()
    line.cache_clear()


def width(text: str, size: int) -> int:
    """Returns the width in pixels of a line of text at a height."""
    return math.ceil(_font(size).size(text)[0] / _OVERSIZE)


def wrap(text: str, widest: int, size: int) -> list[str]:
    """Wraps a text at spaces, or within long words, to lines of a width."""
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


def mix(first: Color, second: Color, part: float) -> Color:
    """Interpolates between two colours; 0 is the first, 1 the second."""
    red, green, blue, _ = pygame.Color(first).lerp(second, min(max(part, 0), 1))
    return red, green, blue


def bright(color: Color) -> Color:
    """Returns the colour at full brightness."""
    most = max(*color, 1)
    red, green, blue = (n * 230 // most for n in color)
    return red, green, blue


def surface_of(image: np.ndarray) -> pygame.Surface:
    """Returns an image (height, width, 3 or 4), uint8, as a surface."""
    height, width, channels = image.shape
    size, content = (width, height), image.tobytes()
    if channels == 4:
        return pygame.image.frombytes(content, size, "RGBA")
    return pygame.image.frombytes(content, size, "RGB")
