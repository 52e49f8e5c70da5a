"""Draws a scene of one task per category, on every level, into docs/images/scenes.png.

Usage:
  python scripts/draw_scenes.py
  python scripts/draw_scenes.py --out scenes.png --tasks collect_iron trap_cow
"""

from __future__ import annotations

import argparse
import io
import pathlib
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from crafter.tasks import Task, all_tasks, scenes
from crafter.tasks.envs import picture_of
from crafter.tasks.files import levels

PATH = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images" / "scenes.png"
#: Tasks that look different on each level; of other categories the first one.
CHOSEN = ("collect_iron", "make_stone_pickaxe", "bridge_3", "iron_unharmed")
VIEW, CELL = (25, 13), 14  # columns and rows of the map and inventory; pixels
GAP, LABEL = 8, 26
PAPER, INK = "#f3eee3", "#2a2226"
COLOURS = 128


def main(arguments: Sequence[str] | None = None) -> None:
    """Draws the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=PATH, help="picture to write")
    parser.add_argument("--tasks", nargs="+", choices=list(all_tasks()))
    options = parser.parse_args(arguments)
    page = draw(options.tasks or one_per_category())
    page.quantize(COLOURS).save(options.out, optimize=True)


def one_per_category() -> list[str]:
    """Returns a task of each category, in the order of the catalogue."""
    first: dict[str, str] = {}
    for spec in all_tasks().values():
        if spec.category not in first or spec.name in CHOSEN:
            first[spec.category] = spec.name
    return list(first.values())


def draw(tasks: Sequence[str]) -> Image.Image:
    """Returns a page with a row per task and a column per level."""
    width, height = VIEW[0] * CELL + GAP, VIEW[1] * CELL + LABEL + GAP
    size = len(levels()) * width + GAP, len(tasks) * height + GAP
    page = Image.new("RGB", size, PAPER)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=15)
    for row, name in enumerate(tasks):
        for column, level in enumerate(levels()):
            corner = column * width + GAP, row * height + GAP
            pen.text(corner, f"{name}, {level}", INK, font)
            page.paste(picture(name, level), (corner[0], corner[1] + LABEL - GAP))
    return page


def picture(name: str, level: str) -> Image.Image:
    """Returns the first scene of the split `test` by the light of noon."""
    file = io.BytesIO()
    scene = scenes.draw(Task(name, level), "test", 0)
    picture_of(scene, file, view=VIEW, cell=CELL)
    with Image.open(file) as image:
        return image.convert("RGB")


if __name__ == "__main__":
    main()
