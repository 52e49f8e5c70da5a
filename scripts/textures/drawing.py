"""Drawing steps: functions on pictures of 16x16 pixels.

A picture is uint8 of shape (16, 16, 4): row, column, RGBA. Pixels are opaque (alpha
255) or transparent (all zero). A colour is four numbers. No function modifies its
arguments.
"""

import random
from collections.abc import Iterable, Mapping

import numpy as np

SIZE = 16

Picture = np.ndarray
Colour = tuple[int, int, int, int]

CLEAR: Colour = (0, 0, 0, 0)


def colour(code: str) -> Colour:
    """Parses a colour code of the form `#rrggbb`."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16), 255


def ground(fill: Colour = CLEAR) -> Picture:
    """Returns a picture of one colour."""
    return np.full((SIZE, SIZE, 4), fill, np.uint8)


def sprite(rows: str, key: Mapping[str, Colour]) -> Picture:
    """Draws rows of characters; dots are transparent.

    Args:
      rows: Lines of text of equal width. Surrounding space is ignored.
      key: Character -> colour, for every character but the dot.

    Returns:
      A picture of the size of the text, shape (lines, width, 4).
    """
    lines = rows.split()
    cells = [[CLEAR if c == "." else key[c] for c in line] for line in lines]
    return np.array(cells, np.uint8)


def over(below: Picture, above: Picture) -> Picture:
    """Draws one picture over another."""
    return np.where(above[..., 3:] == 255, above, below)


def cut(picture: Picture, shape: Picture) -> Picture:
    """Clears the pixels that another picture covers."""
    return np.where(shape[..., 3:] == 255, np.array(CLEAR, np.uint8), picture)


def stamp(
    picture: Picture, pattern: Picture, places: Iterable[tuple[int, int]]
) -> Picture:
    """Copies a small pattern to (column, row) places, wrapping around the edges.

    Wrapping makes the ground seamless where cells meet.
    """
    picture = picture.copy()
    rows, columns = np.nonzero(pattern[..., 3])
    for left, top in places:
        target = (rows + top) % SIZE, (columns + left) % SIZE
        picture[target] = pattern[rows, columns]
    return picture


def speckle(picture: Picture, fill: Colour, count: int, seed: int) -> Picture:
    """Sets `count` pixels to a colour, at positions that depend only on the seed."""
    # Only random() is guaranteed to give the same numbers in every Python version.
    draw = random.Random(seed).random
    places = [(int(draw() * SIZE), int(draw() * SIZE)) for _ in range(count)]
    return stamp(picture, np.array([[fill]], np.uint8), places)


def outlined(picture: Picture, fill: Colour, width: int = 1) -> Picture:
    """Colours the transparent pixels within a distance of the opaque ones."""
    opaque = np.pad(picture[..., 3] > 0, width)
    near = np.zeros((SIZE, SIZE), bool)
    for row in range(2 * width + 1):
        for column in range(2 * width + 1):
            near |= opaque[row : row + SIZE, column : column + SIZE]
    border = near & (picture[..., 3] == 0)
    return np.where(border[..., None], np.array(fill, np.uint8), picture)


def recoloured(picture: Picture, pairs: Mapping[Colour, Colour]) -> Picture:
    """Replaces colours, all at once."""
    result = picture.copy()
    for old, new in pairs.items():
        result[(picture == np.array(old, np.uint8)).all(-1)] = new
    return result
