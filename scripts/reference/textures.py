"""Procedural textures, to test pixels without the published images.

The formula gives each of the 56 files of a texture pack its own pattern, with fully
and partly transparent pixels where the published images have an alpha channel. The
recorded games in `tests/golden` were rendered by Crafter 1.8.3 with these images.
"""

import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from PIL import Image

from crafter.games.crafter.views import ASSETS

SIZE = 16

#: The files of a texture pack; only this package has an image of the digit zero.
STEMS = [path.stem for path in sorted(ASSETS.glob("*.png")) if path.stem != "0"]
OPAQUE_STEMS = "furnace grass iron lava plant-young sand stone tree water".split()  # noqa: SIM905

ALPHA_LEVELS = np.array([255, 255, 0, 128, 64], np.uint8)


def texture(stem: str) -> np.ndarray:
    """Draw the image of a file stem.

    Args:
        stem: File name without suffix, such as ``"player-down"``.

    Returns:
        uint8 array (16, 16, 3), or (16, 16, 4) for the stems with an alpha channel.
    """
    key = zlib.crc32(stem.encode("ascii"))
    row, column, channel = np.ogrid[:SIZE, :SIZE, :3]
    offset = np.array([(key >> 8 * ch) & 255 for ch in range(3)])
    color = ((offset + 17 * row + 5 * column + 31 * channel) % 256).astype(np.uint8)
    if stem in OPAQUE_STEMS:
        return color
    level = (row + 2 * column + (key >> 24)) % len(ALPHA_LEVELS)
    return np.concatenate([color, ALPHA_LEVELS[level]], axis=-1)


def write_textures(folder: Path | str, stems: Iterable[str] = STEMS) -> Path:
    """Write images into a folder, which then is a texture pack.

    Args:
        folder: Where to write; created if missing.
        stems: File stems to draw; by default all 56 of Crafter.

    Returns:
        The folder as a path.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for stem in stems:
        Image.fromarray(texture(stem)).save(folder / f"{stem}.png")
    return folder
