"""Maps of all games: visibility by night, and laying out tiles."""

from __future__ import annotations

import numpy as np

#: Width and height of a cell of a map that is drawn, in pixels.
CELL = 16

_NIGHT = 0.5  # daylight below which there is noise
_HIDDEN = 0.75  # part of a pixel that the night may hide from who looks closely


def by_daylight(shape: tuple[int, ...], daylight: float) -> np.ndarray:
    """Returns which cells around the player are not lost in the noise of the night.

    Args:
      shape: Rows and columns of the cells.
      daylight: From 0 (darkest) to 1 (noon).

    Returns:
      bool of the shape.

    Source:
      Crafter 1.8.3 and Craftax 1.6.1: the noise grows with the distance to the middle.
    """
    rows, columns = (np.arange(length) - length // 2 for length in shape)
    distance = np.sqrt(rows[:, None] ** 2 + columns**2)
    hidden = 2 * (_NIGHT - daylight) * distance / max(distance.max(), 1)
    return np.asarray(hidden <= _HIDDEN)


def laid(tiles: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Returns tiles laid out as a picture.

    Args:
      tiles: uint8 of shape (kinds, size, size, 3).
      cells: Which tile lies where, of shape (rows, columns).

    Returns:
      uint8 of shape (rows * size, columns * size, 3).
    """
    size = tiles.shape[1]
    picture = tiles[cells].swapaxes(1, 2)
    return picture.reshape(cells.shape[0] * size, cells.shape[1] * size, 3)
