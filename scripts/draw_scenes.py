"""Draws the first scene of every task at every level, one sheet per category.

Usage:
  python scripts/draw_scenes.py
  python scripts/draw_scenes.py --categories build craft
"""

import io
import pathlib
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from crafter.core.options import Table, make_parser
from crafter.tasks import Task, all_tasks, scenes
from crafter.tasks.catalogue.files import levels

IMAGES = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images"
PAPER, INK = "#f3eee3", "#2a2226"
COLOURS = 128
#: Columns and rows of a scene including the inventory; pixels per cell.
VIEW, CELL = (13, 9), 10
#: Tasks side by side; pixels between scenes, and for the labels above them.
BLOCKS, GAP, LABEL = 2, 6, 17


def main(arguments: Sequence[str] | None = None) -> None:
    """Draws the pictures."""
    groups = by_category()
    table: Table = {
        "folder": (IMAGES, pathlib.Path, "where to write"),
        "categories": (list(groups), {"nargs": "+", "choices": list(groups)}, "which"),
    }
    options = make_parser(__doc__, table).parse_args(arguments)
    for category in options.categories:
        path = options.folder / f"scenes-{category}.png"
        draw(groups[category]).quantize(COLOURS).save(path, optimize=True)
        print(category, len(groups[category]), flush=True)


def by_category() -> dict[str, list[str]]:
    """Returns the tasks of each category, in the order of the catalogue."""
    categories: dict[str, list[str]] = {}
    for spec in all_tasks().values():
        categories.setdefault(spec.category, []).append(spec.name)
    return categories


def draw(tasks: Sequence[str]) -> Image.Image:
    """Returns a sheet with a column per level and as many tasks per row as fit."""
    right, _ = corner(BLOCKS - 1, len(levels()))
    _, bottom = corner(len(tasks) + BLOCKS - 1, 0)
    page = Image.new("RGB", (right, bottom - LABEL), PAPER)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=LABEL - 6)
    for number, name in enumerate(tasks):
        for column, level in enumerate(levels()):
            x, y = corner(number, column)
            pen.text((x, y - LABEL), level if column else name, INK, font)
            page.paste(picture(name, level), (x, y))
    return page


def corner(number: int, level: int) -> tuple[int, int]:
    """Returns the upper left pixel of a scene, given the indices of task and level."""
    row, block = divmod(number, BLOCKS)
    column = block * len(levels()) + level
    width, height = VIEW[0] * CELL + GAP, VIEW[1] * CELL + LABEL + GAP
    return column * width + GAP, row * height + LABEL


def picture(name: str, level: str) -> Image.Image:
    """Returns the first scene of the `test` split in full daylight."""
    file = io.BytesIO()
    scenes.draw(Task(name, level), "test", 0).draw(file, view=VIEW, cell=CELL)
    with Image.open(file) as image:
        return image.convert("RGB")


if __name__ == "__main__":
    main()
