"""Animations of attempts."""

from __future__ import annotations

import pathlib

from PIL import Image

from crafter.tasks.frames import frames
from crafter.tasks.report.attempts import Row

#: Width and height in pixels, most pictures, milliseconds of one and of the last one.
SIZE, MOST, PAUSE, LAST = 216, 50, 160, 1600


def write(row: Row, path: pathlib.Path) -> None:
    """Writes an attempt as a GIF.

    Raises:
      ValueError: If it has no records, or they are damaged.
    """
    if row.record is None:
        raise ValueError(f"{row.key} of {row.agent} has no records.")
    pictures = [Image.fromarray(array) for _, array in frames(row.record, SIZE, MOST)]
    # One palette for all, so that nothing flickers.
    strip = Image.new("RGB", (SIZE, SIZE * len(pictures)))
    for number, picture in enumerate(pictures):
        strip.paste(picture, (0, SIZE * number))
    palette = strip.quantize(256)
    first, *others = (
        p.quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    first.save(
        path,
        save_all=True,
        append_images=others,
        duration=[*[PAUSE] * len(others), LAST],
        loop=0,
        optimize=False,
    )
