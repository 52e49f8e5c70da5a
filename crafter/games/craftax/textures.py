"""Texture packs of Craftax.

Source: Craftax 1.6.1: the file stems, and binary opacity of pixels.
"""

from __future__ import annotations

import os
import pathlib

import numpy as np

from crafter.core.pictures import Pack
from crafter.core.pictures import TextureError as TextureError  # re-exported
from crafter.games.craftax import sprites

ASSETS = pathlib.Path(__file__).parent / "assets"


class Textures(Pack):
    """A texture pack.

    Args:
      folder: The folder. By default the one that the environment variable
        `CRAFTAX_TEXTURES` names, or else our own images.

    Raises:
      TextureError: If the folder is missing, lacks a file of
        `sprites.required_textures()` or holds one that cannot be read; all faults are
        listed.
    """

    def __init__(self, folder: str | os.PathLike | None = None) -> None:
        if folder is None:
            folder = os.environ.get("CRAFTAX_TEXTURES") or ASSETS
        super().__init__(folder, sprites.required_textures(), sprites.stem("invalid"))

    def square(self, name: str, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns an image in a size, and where it is opaque.

        Returns:
          Colours, uint8 of shape (size, size, 3); bool of the same shape.
        """
        image = self.get(name, (size, size))
        colours, opaque = image[..., :3], np.ones((size, size, 3), bool)
        if image.shape[-1] == 4:
            opaque &= image[..., 3:] == 255
        return colours, opaque
