"""The pictures of scenes in the documentation."""

import draw_scenes
import numpy as np
from PIL import Image


def pixels(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"), int)


def test_a_sheet_is_the_one_of_the_documentation(tmp_path):
    """But for what releases of Pillow do otherwise."""
    draw_scenes.main(["--folder", str(tmp_path), "--categories", "decorate"])
    name = "scenes-decorate.png"
    drawn, shown = pixels(tmp_path / name), pixels(draw_scenes.IMAGES / name)
    assert np.abs(drawn - shown).mean() < 3


def test_a_sheet_has_room_for_all_tasks_of_its_category():
    for category, tasks in draw_scenes.by_category().items():
        _, bottom = draw_scenes.corner(len(tasks) + draw_scenes.BLOCKS - 1, 0)
        shown = pixels(draw_scenes.IMAGES / f"scenes-{category}.png")
        assert len(shown) == bottom - draw_scenes.LABEL
