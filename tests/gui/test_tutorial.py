"""Hints to what can be done next, and how a game is begun again."""

import numpy as np
import pytest

from crafter.core import game as core_game
from crafter.gui.game import adapter
from crafter.gui.tutorial import Tutorial

FIRST = {
    "crafter": ["--area", "24", "24", "--seed", "4"],
    "craftax": ["--game", "craftax", "--seed", "3"],
}


def advice(driver):
    return driver.app._advice()


@pytest.mark.parametrize("name", core_game.names("app"))
def test_all_hints_are_about_the_game(pygame, name):
    kind = adapter(name)
    game = kind(kind.load_rules(None))
    tutorial = Tutorial(game, lambda action: f"<{action}>")
    assert [hint.until for hint in tutorial._hints] == [
        row["until"] for row in game.hints
    ]
    for hint in tutorial._hints:
        assert {*hint.after} <= {*game.achievements} and "{" not in hint.text
    orders = [hint.until for hint in tutorial._hints]
    assert len(set(orders)) == len(orders) > 15


@pytest.mark.parametrize("game", FIRST)
def test_hints_follow_what_was_done_and_do_not_come_twice(drive, game):
    options = [*FIRST[game], "--fps", "60", "--tutorial"]
    driver = drive(*options)
    assert "Space" in advice(driver) and "tree" in advice(driver)
    driver.source._unlocked["collect_wood"] = 1
    driver.env.player.inventory["wood"] = 9
    assert advice(driver).endswith("Now: T.")
    driver.press("t", "1")
    assert advice(driver).startswith("A sword (")
    lows = {"drink": 3} if game == "crafter" else {}
    driver.env.player.inventory.update(lows)
    assert advice(driver).startswith("You are thirsty.") == bool(lows)
    driver.app.leave()
    assert "tree" not in advice(drive(*options))
    rules = ["--rules", "repaired"] if game == "craftax" else []
    assert advice(drive(*FIRST[game], *rules)) == ""  # nobody asked for any


def test_hints_are_shown_where_there_is_no_message(drive):
    strips = [
        drive(*FIRST["crafter"], "--fps", "1", *more).strip()
        for more in ([], ["--tutorial"])
    ]
    assert not np.array_equal(*strips)
    assert advice(drive("--task", "place_table", "--seed", "3", "--tutorial")) == ""


@pytest.mark.parametrize("game", FIRST)
def test_help_says_how_to_begin_the_same_game_and_the_panel_its_seed(drive, game):
    driver = drive(*FIRST[game], "--episode", "2", "--fps", "60")
    driver.press("f1")
    told = driver.app.page().paragraphs[-1]
    assert told.startswith("The same world again: crafter --")
    assert told.endswith("--episode 2")
    seed = driver.source.status().seed
    assert f"--seed {seed}" in told
