"""Texture packs: images loaded from files, resized and blended.

Images are uint8 of shape (height, width, channels); textures have three channels, or
four with alpha. Independent of any game.
"""

from __future__ import annotations

import functools
import os
import pathlib
from collections.abc import Iterable

import numpy as np
from PIL import Image

from crafter.core.grid import frozen

# Pillow's errors for files that are not images, damaged or far too large.
_UNREADABLE = (OSError, ValueError, SyntaxError, Image.DecompressionBombError)


_LARGEST = 4096  # pixels per side


class TextureError(ValueError):
    """A texture pack is missing, incomplete or unreadable."""


class Pack:
    """A texture pack: the PNG files of a folder, by file stem.

    Args:
      folder: The folder.
      required: File stems that it must contain.
      unknown: Stem of the image for names without one.

    Attributes:
      folder: The folder.

    Raises:
      TextureError: If the folder is missing, lacks a required file or holds one that
        cannot be read; all faults are listed.
    """

    def __init__(
        self, folder: str | os.PathLike, required: Iterable[str], unknown: str
    ) -> None:
        self.folder = pathlib.Path(folder).expanduser()
        self._unknown = unknown
        self._images = _load_images(self.folder, required)

    def __deepcopy__(self, memo: dict) -> Pack:
        """Returns the pack itself, which is immutable."""
        return self

    def __contains__(self, name: str) -> bool:
        """Returns whether the pack has an image for a name."""
        return name in self._images

    def get(self, name: str | None, size: tuple[int, int]) -> np.ndarray:
        """Returns an image, resized.

        Args:
          name: File stem; `None` and missing names give the image for unknown names.
          size: (width, height) in pixels.

        Returns:
          uint8 of shape (height, width, 3 or 4).
        """
        if name not in self._images:
            name = self._unknown
        assert name is not None
        image = self._images[name]
        rows = nearest_indices(image.shape[0], size[1])
        columns = nearest_indices(image.shape[1], size[0])
        return image[rows][:, columns]


def _load_images(
    folder: pathlib.Path, required: Iterable[str]
) -> dict[str, np.ndarray]:
    if not folder.is_dir():
        raise TextureError(f"There is no texture folder {str(folder)!r}.")
    images, faults = {}, {}
    with os.scandir(folder) as entries:
        files = {
            e.name.removesuffix(".png"): e for e in entries if e.name.endswith(".png")
        }
    for stem, file in sorted(files.items()):
        try:
            status = file.stat()
            images[stem] = _load_image(file.path, status.st_mtime_ns, status.st_size)
        except _UNREADABLE as error:
            faults[stem] = f"{file.name} cannot be read: {error}"
    for stem in required:
        if stem not in images:
            faults.setdefault(stem, f"{stem}.png is missing")
    if faults:
        listed = "\n  ".join(faults.values())
        raise TextureError(
            f"The texture pack {str(folder)!r} is not complete:\n  {listed}"
        )
    return images


@functools.lru_cache(maxsize=512)
def _load_image(path: str, changed: int, size: int) -> np.ndarray:
    """Loads an image file, cached by modification time and size.

    Without the cache, this dominates the time of making an environment.
    """
    with Image.open(path) as image:
        if max(image.size) > _LARGEST:
            width, height = image.size
            raise ValueError(
                f"at most {_LARGEST} pixels wide and high, got {width} x {height}"
            )
        has_alpha = "A" in image.getbands() or "transparency" in image.info
        # shared by all packs
        return frozen(np.array(image.convert("RGBA" if has_alpha else "RGB")))


@functools.lru_cache(maxsize=512)
def nearest_indices(length: int, target: int) -> np.ndarray:
    """Returns the source pixel of each target pixel, int64 of shape (target,).

    Matches Pillow's NEAREST: positions are accumulated step by step, so that rounding
    errors decide ties.
    """
    step = length / target
    positions = np.cumsum([step * 0.5, *[step] * (target - 1)])
    # shared by all callers
    return frozen(np.minimum(positions.astype(np.int64), length - 1))


def blend(canvas: np.ndarray, texture: np.ndarray) -> np.ndarray:
    """Alpha-blends a texture onto a canvas.

    Args:
      canvas: uint8 of shape (height, width, 3).
      texture: uint8 of shape (height, width, 3 or 4).

    Returns:
      uint8 of shape (height, width, 3).
    """
    if texture.shape[-1] == 3:
        return texture
    # Single precision, like Crafter 1.8.3; the rounding shows at partial alpha.
    one, full = np.float32(1), np.float32(255)
    alpha = texture[..., 3:].astype(np.float32) / full
    color = texture[..., :3].astype(np.float32) / full
    below = canvas.astype(np.float32) / full
    return (full * ((alpha * color) + ((one - alpha) * below))).astype(np.uint8)
