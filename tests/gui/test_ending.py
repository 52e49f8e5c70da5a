"""The page at the end of an episode."""

import numpy as np
import pytest
from windows import CRAFTAX, SMALL

from crafter.gui import best_runs, saves
from crafter.gui.game import Run
from crafter.gui.source import Memory


def end(drive, options):
    """Walk a little, unlock something, and let the time run out."""
    driver = drive(*options, "--length", "9", nonstop=False)
    driver.env.player.inventory["wood"] = 9
    driver.press("t", "d", "d", "s", "s", "d", "1", "d", "d")
    assert driver.source.ending is not None
    return driver


@pytest.mark.parametrize("options", [SMALL, CRAFTAX])
def test_it_shows_the_scene_the_way_and_the_achievements(drive, options):
    driver = end(drive, options)
    page, unlocked = driver.app.page(), driver.source.status().unlocked
    rows = [row for table in page.tables for row in table.rows]
    assert [int(row.key) for row in rows] == list(unlocked.values())
    assert "Place table" in {row.text for row in rows} and page.run == (9, unlocked)
    with_pictures, first = driver.shown(), driver.source.memory.path[0]
    driver.source.ending = page._replace(run=None)
    driver.app.draw()
    assert not np.array_equal(driver.shown(), with_pictures)
    driver.press("f8")  # the same world
    assert driver.source.ending is None and driver.source.memory.path[0] == first
    status = driver.source.status()
    assert (status.unlocked, status.episode_return) == ({}, 0)


@pytest.mark.parametrize("window", [("500", "300"), ("300", "700")])
def test_it_is_within_the_window(drive, window):
    bright = end(drive, [*CRAFTAX, "--window", *window]).shown().max(-1) > 150
    assert not bright[:, [*range(3), *range(-3, 0)]].any()
    assert not bright[[*range(3), *range(-3, 0)]].any()


def test_the_best_run_of_a_game_is_kept(pygame):
    for steps, count, said in [
        (9, 3, ""),
        (20, 4, "A new best; previous: 3 achievements in 9 steps."),
        (30, 4, "Your best: 4 achievements in 20 steps."),
        (10, 4, "A new best; previous: 4 achievements in 20 steps."),
        (5, 2, "Your best: 4 achievements in 10 steps."),
    ]:
        run = Run(steps, dict.fromkeys(range(count), 1))
        assert best_runs.compare("crafter", run) == said
    assert best_runs.compare("craftax", run) == ""
    (saves.home() / "best.json").write_text("[")
    assert best_runs.compare("crafter", run) == ""


@pytest.mark.parametrize(("options", "count"), [([], 1), (["--length", "5000"], 0)])
def test_only_games_without_options_are_compared(drive, options, count):
    driver = drive("--seed", "4", "--fps", "60", *options, nonstop=False)
    best_runs.compare("crafter", Run(1, {"place_table": 1}))
    driver.press("a")
    driver.env.player.inventory["health"] = 0
    driver.tick()
    said = driver.app.page().paragraphs
    assert sum("Your best" in text for text in said) == count


def test_a_saved_game_keeps_the_way(drive, tmp_path):
    options = [*SMALL, "--save", str(tmp_path / "game.npz")]
    first, second = drive(*options), drive(*options)
    first.press(*"ddaassww", "f5")
    way = first.source.memory.path
    second.press("f9")
    assert len(way) > 3 and second.source.memory.path[: len(way)] == way
    state = second.source.memory.state()
    del state["session_path"]  # as in files of earlier versions
    assert Memory.restored(second.source.game, state).path == []
