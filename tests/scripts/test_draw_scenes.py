"""The picture of scenes in the documentation."""

from __future__ import annotations

import draw_scenes
from PIL import Image

from crafter.tasks import all_tasks


def test_a_task_of_every_category_is_drawn():
    tasks = draw_scenes.one_per_category()
    categories = [all_tasks()[name].category for name in tasks]
    assert sorted(categories) == sorted({s.category for s in all_tasks().values()})


def test_a_row_has_a_picture_of_every_level(tmp_path):
    path = tmp_path / "scenes.png"
    draw_scenes.main(["--tasks", "place_stone", "--out", str(path)])
    with Image.open(path) as image:
        assert image.width > 3 * draw_scenes.PAGE.view[0] * draw_scenes.PAGE.cell
        assert len(image.convert("RGB").getcolors(2**16)) > 20
