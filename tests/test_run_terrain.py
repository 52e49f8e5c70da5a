"""Pictures of whole worlds from the command line."""

import numpy as np
import pytest
from helpers import crc
from PIL import Image

import crafter
from crafter import run_terrain


def read(path):
    with Image.open(path) as image:
        return np.array(image)


# Crafter 1.8.3 with the same textures: what it prints, and the CRC of the picture.
PUBLISHED = {
    "--seed 5 --amount 4 --cols 2 --size 160": ((320, 320), [3, 5, 4, 1], "15b7b355"),
    "--seed 2 --amount 2 --cols 1 --size 150 --area 40 30": (
        (300, 150),
        [0, 1],
        "53ea6869",
    ),
}


@pytest.mark.parametrize("options", PUBLISHED)
def test_picture_is_the_published_one(options, synthetic, tmp_path, capsys):
    shape, diamonds, checksum = PUBLISHED[options]
    path = str(tmp_path / "terrain.png")
    files = ["--textures", str(synthetic), "--filename", path]
    run_terrain.main([*options.split(), *files])
    picture = read(path)
    assert picture.shape == (*shape, 3)
    assert crc(picture) == checksum
    lines = [f"Map: {i:>2}, diamonds: {n:>2}" for i, n in enumerate(diamonds)]
    assert capsys.readouterr().out.splitlines() == [*lines, f"Saved {path}"]


@pytest.mark.parametrize(
    ("amount", "columns", "shape"),
    [(5, 3, (2, 3)), (2, 4, (1, 2)), (1, 1, (1, 1)), (4, 2, (2, 2)), (3, 1, (3, 1))],
)
def test_every_map_is_shown_row_by_row(amount, columns, shape, tmp_path, capsys):
    path = tmp_path / ("terrain.png" if amount > 1 else "terrain.bmp")
    options = f"--seed 1 --area 20 20 --size 40 --amount {amount} --cols {columns}"
    run_terrain.main([*options.split(), "--filename", str(path)])
    picture = read(path)
    assert picture.shape == (40 * shape[0], 40 * shape[1], 3)
    env = crafter.Env(area=(20, 20), view=(20, 20), size=(40, 40), seed=1)
    for index in range(shape[0] * shape[1]):
        row, column = divmod(index, shape[1])
        place = picture[40 * row : 40 * row + 40, 40 * column : 40 * column + 40]
        expected = env.reset()[0] if index < amount else np.zeros((40, 40, 3))
        assert np.array_equal(place, expected)


def test_defaults_are_those_of_the_published_program():
    args = vars(run_terrain.make_parser().parse_args([]))
    none = dict.fromkeys(("textures", "rules", "seed"))
    own = {"area": (64, 64), "size": 1024, "filename": "terrain.png"}
    assert args == {"amount": 4, "cols": 4, **own, **none}


def test_file_that_cannot_be_written_is_told(tmp_path, capsys):
    (tmp_path / "map.png").mkdir()
    options = ["--area", "20", "20", "--size", "40", "--amount", "1"]
    with pytest.raises(SystemExit):
        run_terrain.main([*options, "--filename", str(tmp_path / "map.png")])
    assert "--filename: cannot write" in capsys.readouterr().err
