"""The pictures of the documentation: what they say is what the rules say."""

import pathlib

import make_readme_pictures as pictures
import pytest
from PIL import Image

from crafter.games.crafter import achievement_graph as graph

IMAGES = pathlib.Path(pictures.__file__).parents[1] / "docs" / "images"


def test_cards_of_achievements_stand_to_the_right_of_what_they_need():
    places = {n: tuple(p) for n, p in pictures.SHOWN["achievements"].items()}
    needs = graph.requirements()
    assert places.keys() == needs.keys()
    assert len(set(places.values())) == len(places)
    for name, before in needs.items():
        assert all(places[other][0] < places[name][0] for other in before)


@pytest.mark.parametrize("name", [*pictures.PICTURES, "spectrum.png"])
def test_picture_is_in_the_documentation_and_small(name):
    path = IMAGES / name
    assert path.stat().st_size < 1_500_000
    if path.suffix != ".html":
        with Image.open(path) as image:
            assert min(image.size) >= (144 if path.suffix == ".gif" else 400)


def test_only_the_wanted_picture_is_written(tmp_path, capsys):
    pictures.main(["--folder", str(tmp_path), "--only", "achievements.png"])
    assert [path.name for path in tmp_path.iterdir()] == ["achievements.png"]
    assert "achievements.png" in capsys.readouterr().out
