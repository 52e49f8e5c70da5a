"""The page at the end of an episode."""

import numpy as np
import pytest

from crafter.gui import best, saves
from crafter.gui.game import Run
from crafter.gui.source import Memory

PLAY = ["--area", "24", "24", "--seed", "4", "--fps", "60"]
CRAFTAX = ["--game", "craftax", "--seed", "3", "--fps", "60"]


def end(drive, options):
    """Walk a little, unlock something, and let the time run out."""
    driver = drive(*options, "--length", "9", nonstop=False)
    driver.env.player.inventory["wood"] = 9
    driver.press("t", "d", "d", "s", "s", "d", "1", "d", "d")
    assert driver.source.ending is not None
    return driver


@pytest.mark.parametrize("options", [PLAY, CRAFTAX])
def test_it_shows_the_scene_the_way_and_the_achievements(drive, options):
    driver = end(drive, options)
    page = driver.app.page()
    rows = [row for table in page.tables for row in table.rows]
    unlocked = driver.source.status().unlocked
    assert [int(row.key) for row in rows] == list(unlocked.values())
    assert {row.text for row in rows} >= {"Place table"}
    assert page.run == (9, unlocked) and page.wide
    scene, way = driver.app.screen._pictures(driver.source)
    sight = driver.source.memory.sight
    assert scene.get_width() * sight[1] == pytest.approx(
        scene.get_height() * sight[0], abs=20
    )
    assert way.get_width() == way.get_height()
    with_pictures = driver.shown()
    driver.source.ending = page._replace(run=None)
    driver.app.draw()
    assert not np.array_equal(driver.shown(), with_pictures)


@pytest.mark.parametrize("window", [("500", "300"), ("300", "700")])
def test_it_is_within_the_window(drive, window):
    driver = end(drive, [*CRAFTAX, "--window", *window])
    bright = driver.shown().max(-1) > 150
    assert not bright[:, :3].any() and not bright[:, -3:].any()
    assert not bright[:3].any() and not bright[-3:].any()


def test_the_best_run_of_the_usual_game_is_kept(pygame):
    runs = [(9, 3), (20, 4), (30, 4), (10, 4), (5, 2)]
    said = [
        best.compare("crafter", Run(steps, dict.fromkeys(range(count), 1)))
        for steps, count in runs
    ]
    assert said == [
        "",
        "A new best; before: 3 achievements in 9 steps.",
        "Your best: 4 achievements in 20 steps.",
        "A new best; before: 4 achievements in 20 steps.",
        "Your best: 4 achievements in 10 steps.",
    ]
    assert best.compare("craftax", Run(5, {})) == ""
    (saves.home() / "best.json").write_text("[")
    assert best.compare("crafter", Run(5, {})) == ""


@pytest.mark.parametrize(("options", "count"), [([], 1), (["--length", "5000"], 0)])
def test_only_games_without_options_are_compared(drive, options, count):
    driver = drive("--seed", "4", "--fps", "60", *options, nonstop=False)
    best.compare("crafter", Run(1, {"place_table": 1}))
    driver.press("a")
    driver.env.player.inventory["health"] = 0
    driver.tick()
    said = driver.app.page().paragraphs
    assert sum("Your best" in text for text in said) == count


def test_a_saved_game_keeps_the_way(drive, tmp_path):
    path = str(tmp_path / "game.npz")
    first = drive(*PLAY, "--save", path)
    first.press(*"ddaassww", "f5")
    way = first.source.memory.path
    assert len(way) > 3 and way[-1] == first.source.memory.place
    second = drive(*PLAY, "--save", path)
    second.press("f9")
    assert second.source.memory.path[: len(way)] == way
    game, state = second.source.game, second.source.memory.state()
    del state["session_path"]  # as in files of earlier versions
    assert Memory.restored(game, state).path == []


def test_f8_begins_in_the_same_world(drive):
    driver = end(drive, PLAY)
    first = driver.source.memory.path[0]
    driver.press("f8")
    assert driver.source.ending is None and driver.source.memory.path[0] == first
