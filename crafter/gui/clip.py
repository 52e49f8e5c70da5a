"""Clip of recent frames, as a GIF."""

from __future__ import annotations

import collections
import pathlib

import numpy as np
from PIL import Image

PICTURES = 64
_LARGEST = (360, 360)


class Clip:
    """Buffer of recent frames."""

    def __init__(self) -> None:
        self._pictures: collections.deque[Image.Image]
        self._pictures = collections.deque(maxlen=PICTURES)

    def add(self, picture: np.ndarray) -> None:
        """Adds a frame, uint8 of shape (height, width, 3)."""
        small = Image.fromarray(picture)
        small.thumbnail(_LARGEST, Image.Resampling.BOX)
        self._pictures.append(small)

    def write(self, path: pathlib.Path, rate: float) -> None:
        """Writes the frames.

        Args:
          path: The file.
          rate: Frames per second.

        Raises:
          OSError: If the file cannot be written.
        """
        plain = Image.Dither.NONE
        first, *rest = (p.quantize(255, dither=plain) for p in self._pictures)
        film = {"append_images": rest, "duration": 1000 / rate, "loop": 0}
        path.parent.mkdir(parents=True, exist_ok=True)
        first.save(path, "GIF", save_all=True, **film)
