"""Colours and fonts of panel and overlays."""

import functools
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
CURTAIN = (12, 14, 18, 242)  # behind overlays

#: Name -> colours of what is done, wrong and ready; the second ones differ for people
#: who cannot tell red from green.
PALETTES: dict[str, tuple[Color, Color, Color]] = {
    "usual": (DONE, ALERT, READY),
    "distinct": ((86, 180, 233), (213, 94, 0), (240, 228, 66)),
}

#: Colour of a task, or of a title, by verdict.
VERDICTS = {"DONE": DONE, "FAILED": ALERT}


def use(palette: str) -> None:
    """Sets the palette."""
    globals().update(zip(("DONE", "ALERT", "READY"), PALETTES[palette]))
    VERDICTS.update(DONE=DONE, FAILED=ALERT)


# Letters are drawn this much larger and then shrunk: at their own small size they
# would be moved to whole pixels, which spaces them unevenly.
_OVERSIZE = 4


@functools.lru_cache(maxsize=32)
def _font(size: int) -> pygame.font.Font:
    """Returns the font that pygame brings along, enlarged."""
    return pygame.font.Font(None, max(size, 1) * _OVERSIZE)


@functools.lru_cache(maxsize=512)
def line(text: str, size: int, color: Color) -> pygame.Surface:
    """Returns the picture of a line of text in a height."""
    large = _font(size).render(text, True, color).convert_alpha()
    shrunk = (width(text, size), max(round(large.get_height() / _OVERSIZE), 1))
    return pygame.transform.smoothscale(large, shrunk)


def forget_fonts() -> None:
    """Clears the caches of fonts and texts, which `pygame.quit` invalidates."""
    _font.cache_clear()
    line.cache_clear()


def width(text: str, size: int) -> int:
    """Returns the width in pixels of a line of text in a height."""
    return math.ceil(_font(size).size(text)[0] / _OVERSIZE)


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


def mix(first: Color, second: Color, part: float) -> Color:
    """Returns the colour that lies between two; 0 is the first, 1 the second."""
    red, green, blue, _ = pygame.Color(first).lerp(second, min(max(part, 0), 1))
    return red, green, blue


def bright(color: Color) -> Color:
    """Returns the colour of the same hue at full brightness."""
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
