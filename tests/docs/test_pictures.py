"""The pictures of the documentation: what they say is what the rules say."""

from __future__ import annotations

import collections
import pathlib

import make_readme_pictures as pictures
import pytest
from PIL import Image

from crafter.games.crafter import achievement_graph as graph

IMAGES = pathlib.Path(pictures.__file__).parents[1] / "docs" / "images"


def test_lines_between_achievements_are_what_they_need():
    """No line runs through a card, and lines that meet mean needs, too."""
    places = {n: tuple(p) for n, p in pictures.SHOWN["achievements"].items()}
    needs = graph.requirements()
    assert places.keys() == needs.keys()
    assert len(set(places.values())) == len(places)
    meeting = collections.defaultdict(list)
    for name, before in needs.items():
        for other in before:
            (start, row), (end, aim) = places[other], places[name]
            assert start < end
            assert not {(x, row) for x in range(start + 1, end)} & set(places.values())
            rows = set(range(min(row, aim), max(row, aim) + 1))
            meeting[end].append((other, name, rows))
    for lines in meeting.values():
        for other, _, rows in lines:
            for _, name, rows2 in lines:
                assert not rows & rows2 or other in needs[name]


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
