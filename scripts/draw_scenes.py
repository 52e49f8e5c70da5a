"""Draws scenes of tasks on every level, for the documentation.

Usage:
  python scripts/draw_scenes.py                  # one task of each category
  python scripts/draw_scenes.py --categories     # a sheet per category, all its tasks
  python scripts/draw_scenes.py --out scenes.png --tasks collect_iron trap_cow
"""

from __future__ import annotations

import io
import pathlib
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from crafter.core.options import Table, make_parser
from crafter.tasks import Task, all_tasks, scenes
from crafter.tasks.catalogue.files import levels

IMAGES = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images"
#: Tasks that look different on each level; of other categories the first one.
CHOSEN = ("collect_iron", "make_stone_pickaxe", "bridge_3", "iron_unharmed")
PAPER, INK = "#f3eee3", "#2a2226"
COLOURS = 128


class Form(NamedTuple):
    """Layout of a page.

    Attributes:
      view: Columns and rows of a scene, those of the inventory included.
      cell: Pixels of a cell.
      blocks: How many tasks stand side by side.
      gap: Pixels between scenes.
      label: Pixels for the words above a scene.
    """

    view: tuple[int, int]
    cell: int
    blocks: int
    gap: int = 8
    label: int = 20


PAGE = Form((25, 13), 14, 1)
SHEET = Form((13, 9), 10, 2, 6, 17)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draws the pictures."""
    table: Table = {
        "out": (IMAGES / "scenes.png", pathlib.Path, "to write"),
        "tasks": (None, {"nargs": "+", "choices": list(all_tasks())}, "of each a row"),
        "categories": (None, {"nargs": "*"}, "write sheets: of these, or of all"),
    }
    options = make_parser(__doc__, table).parse_args(arguments)
    if options.categories is None:
        save(draw(options.tasks or one_per_category(), PAGE), options.out)
        return
    for category, tasks in by_category().items():
        if category in (options.categories or [category]):
            save(draw(tasks, SHEET), IMAGES / f"scenes-{category}.png")
            print(category, len(tasks), flush=True)


def save(page: Image.Image, path: str | pathlib.Path) -> None:
    """Writes a picture of few colours."""
    page.quantize(COLOURS).save(path, optimize=True)


def one_per_category() -> list[str]:
    """Returns a task of each category, in the order of the catalogue."""
    chosen = {
        category: next((name for name in names if name in CHOSEN), names[0])
        for category, names in by_category().items()
    }
    return list(chosen.values())


def by_category() -> dict[str, list[str]]:
    """Returns the tasks of each category, in the order of the catalogue."""
    found: dict[str, list[str]] = {}
    for spec in all_tasks().values():
        found.setdefault(spec.category, []).append(spec.name)
    return found


def draw(tasks: Sequence[str], form: Form) -> Image.Image:
    """Returns a page with a row per task, or several, and a column per level."""
    _, bottom = corner(len(tasks) + form.blocks - 1, 0, form)
    right, _ = corner(form.blocks - 1, len(levels()), form)
    page = Image.new("RGB", (right, bottom - form.label), PAPER)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=form.label - 6)
    for number, name in enumerate(tasks):
        for column, level in enumerate(levels()):
            x, y = corner(number, column, form)
            pen.text((x, y - form.label), words(name, level, form), INK, font)
            page.paste(picture(name, level, form), (x, y))
    return page


def corner(number: int, level: int, form: Form) -> tuple[int, int]:
    """Returns the upper left pixel of a scene, by the places of its task and level."""
    row, block = divmod(number, form.blocks)
    column = block * len(levels()) + level
    width = form.view[0] * form.cell + form.gap
    height = form.view[1] * form.cell + form.label + form.gap
    return column * width + form.gap, row * height + form.label


def words(name: str, level: str, form: Form) -> str:
    """Returns what stands above a scene; on a sheet there is room for one word."""
    if form.blocks == 1:
        return f"{name}, {level}"
    return name if level == levels()[0] else level


def picture(name: str, level: str, form: Form) -> Image.Image:
    """Returns the first scene of the split `test` by the light of noon."""
    file = io.BytesIO()
    scene = scenes.draw(Task(name, level), "test", 0)
    scene.draw(file, view=form.view, cell=form.cell)
    with Image.open(file) as image:
        return image.convert("RGB")


if __name__ == "__main__":
    main()
