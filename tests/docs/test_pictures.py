"""The pictures of the documentation: what they say is what the rules say."""

from __future__ import annotations

import io
import pathlib

import make_readme_pictures as pictures
import numpy as np
import pytest
from PIL import Image

from crafter import constants
from crafter.scoring import graph

IMAGES = pathlib.Path(pictures.__file__).parents[1] / "docs" / "images"


def test_places_suit_the_rules():
    pictures.check_places(pictures.PLACES, graph.requirements())


@pytest.mark.parametrize(
    ("places", "needs", "message"),
    [
        ({"a": (0, 0)}, {"a": set(), "b": set()}, "a place of its own"),
        ({"a": (0, 0), "b": (0, 0)}, {"a": set(), "b": set()}, "a place of its own"),
        ({"a": (1, 0), "b": (0, 0)}, {"a": set(), "b": {"a"}}, "No straight way"),
        (
            {"a": (0, 0), "b": (1, 0), "c": (2, 0)},
            {"a": set(), "b": set(), "c": {"a"}},
            "No straight way from a to c",
        ),
        (
            {"a": (0, 0), "b": (0, 1), "c": (1, 0), "d": (1, 1)},
            {"a": set(), "b": set(), "c": {"b"}, "d": {"a", "b"}},
            "c would seem to need a",
        ),
    ],
)
def test_misleading_places_are_refused(places, needs, message):
    with pytest.raises(ValueError, match=message):
        pictures.check_places(places, needs)


def test_every_achievement_has_a_picture_of_its_own_kind():
    icons = {name: np.asarray(pictures.icon(name)) for name in constants.achievements}
    unknown = np.asarray(pictures.icon("make_nonsense"))
    for name, icon in icons.items():
        assert icon.shape == (pictures.ICON, pictures.ICON, 3)
        assert not np.array_equal(icon, unknown), name


def test_a_label_that_does_not_fit_is_refused():
    page = Image.new("RGB", (400, 400))
    with pytest.raises(ValueError, match="does not fit"):
        pictures.draw_card(page, "make_stone_pickaxe_and_much_more", (0, 0))


def test_world_shows_the_whole_map():
    world = pictures.draw_world(seed=3)
    assert world.shape == (64 * pictures.WORLD_CELL, 64 * pictures.WORLD_CELL, 3)
    assert (world.std((0, 1)) > 10).all()


def test_film_is_a_gif_of_the_frames(monkeypatch):
    monkeypatch.setattr(pictures, "PLAY_STEPS", 5)
    with Image.open(io.BytesIO(pictures.draw_play())) as film:
        assert film.is_animated
        assert 2 <= film.n_frames <= 6
        assert film.size == (pictures.PLAY_SIZE, pictures.PLAY_SIZE)
        frame = np.asarray(film.convert("RGB")).astype(int)
    original = next(iter(pictures.play(pictures.PLAY_SEED, 0))).astype(int)
    assert np.abs(frame - original).mean() < 3  # a palette of 255 is enough


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_picture_is_in_the_documentation_and_small(name):
    path = IMAGES / name
    with Image.open(path) as image:
        assert min(image.size) >= 400
    assert path.stat().st_size < 1_500_000


def test_only_the_wanted_picture_is_written(tmp_path, capsys):
    pictures.main(["--folder", str(tmp_path), "--only", "achievements.png"])
    assert [path.name for path in tmp_path.iterdir()] == ["achievements.png"]
    assert "achievements.png" in capsys.readouterr().out
