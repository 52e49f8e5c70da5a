"""The program for environment design, on logs of a few rounds."""

import csv
import json

import numpy as np
import plot_ued
import pytest
from PIL import Image
from printed import refusal


def write(folder, **about):
    folder.mkdir(parents=True)
    about = {"preset": "plr", "budget": None, "game": "crafter", "envs": 4, **about}
    (folder / "made_by.json").write_text(json.dumps({"steps": 100, **about}))
    base = ["return", "length", "collect_wood"]
    files = {
        "evaluation.csv": [["steps", "level", "episodes", *base],
            [50, 0, 1, 9, 9, 0], [100, 0, 1, 2, 10, 0], [100, 1, 1, 4, 20, 0.5]],
        "curve.csv": [["round", "steps", "kind", "episodes", *base],
            [1, 50, "new", 1, 9, 9, 0], [2, 95, "new", 3, 1, 10, 1],
            [3, 98, "replay", 0, "", "", ""], [4, 100, "new", 1, 5, 10, 0]],
    }  # fmt: skip
    for name, rows in files.items():
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows(rows)


def table(capsys, *words):
    plot_ued.main([*map(str, words), "--format", "csv"])
    return list(csv.reader(capsys.readouterr().out.splitlines()))[1:]


def test_the_table_has_the_last_levels(tmp_path, capsys):
    write(tmp_path / "a", preset="accel-rswap")
    write(tmp_path / "b")
    plr, accel = table(capsys, tmp_path)
    assert plr == ["PLR", "1", "3", "", "2", ""]
    assert accel == ["ACCEL, RSwap", *plr[1:]]
    rates = ["1", "25", "", "75", ""]
    assert table(capsys, tmp_path, "--column", "collect_wood")[0][1:] == rates


def test_a_figure_is_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    write(tmp_path / "a")
    plot_ued.main([str(tmp_path), "--output", str(tmp_path / "a.png")])
    assert (tmp_path / "a.png").stat().st_size


def test_levels_are_drawn(tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    write(tmp_path / "a")
    words = [str(tmp_path), "--levels"]
    assert "needs --output" in refusal(capsys, plot_ued.main, words)
    words += ["--output", str(tmp_path / "a.png")]
    assert "no maps" in refusal(capsys, plot_ued.main, words)
    grass, water = np.full((2, 64, 64, 1), [[[[2]]], [[[1]]]], np.uint8)
    for steps, maps in ((50, [water]), (100, [grass, water, grass])):
        np.savez(tmp_path / f"a/levels-{steps}.npz", maps=maps)
    plot_ued.main(words)
    with Image.open(tmp_path / "a.png") as image:
        colours = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
    red, green, blue = colours.T
    blues = (blue > green + 20) & (blue > red + 20)
    greens = (green > blue + 20) & (green > red)
    # Water at the start, in the middle and beside grass at the end.
    assert blues.sum() == 3 * greens.sum() > 0


def test_other_runs_are_refused(tmp_path, capsys):
    write(tmp_path / "a")
    words = [str(tmp_path)]
    said = refusal(capsys, plot_ued.main, [*words, "--column", "fly"])
    assert "unknown column fly" in said
    write(tmp_path / "b", steps=200)
    assert "runs of one kind" in refusal(capsys, plot_ued.main, words)
    (tmp_path / "b/made_by.json").write_text("{}")
    assert "no such run" in refusal(capsys, plot_ued.main, words)
