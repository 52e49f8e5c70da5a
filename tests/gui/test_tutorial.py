"""Hints on what to do next, each until it was done once."""

import numpy as np
import pytest

from crafter.core import game as core_game
from crafter.gui.game import adapter
from crafter.gui.tutorial import Tutorial

GAMES = core_game.names("app")


def advice(driver):
    return driver.app._advice()


@pytest.mark.parametrize("name", GAMES)
def test_all_hints_are_about_the_game(pygame, name):
    kind = adapter(name)
    game = kind(kind.load_rules(None))
    hints = Tutorial(game, lambda action: f"<{action}>")._hints
    assert len({hint.until for hint in hints}) == len(game.hints) > 15
    for hint in hints:
        assert {*hint.after} <= {*game.achievements} and "{" not in hint.text


@pytest.mark.parametrize("game", GAMES)
def test_hints_follow_what_was_done_and_do_not_come_twice(drive, game):
    options = ["--game", game, "--seed", "3", "--fps", "60", "--tutorial"]
    driver = drive(*options)
    assert "Space" in advice(driver) and "tree" in advice(driver)
    driver.source._unlocked["collect_wood"] = 1
    driver.env.player.inventory["wood"] = 9
    assert advice(driver).endswith("Now: T.")
    driver.press("t", "1")
    assert advice(driver).startswith("A sword (")
    driver.app.leave()
    assert "tree" not in advice(drive(*options))
    assert advice(drive(*options[:-1])) == ""  # nobody asked for any


def test_hints_are_shown_where_there_is_no_message(drive):
    strips = [drive("--seed", "4", *more).strip() for more in ([], ["--tutorial"])]
    assert not np.array_equal(*strips)
    assert advice(drive("--task", "place_table", "--seed", "3", "--tutorial")) == ""


def test_what_is_low_comes_first(drive):
    driver = drive("--seed", "4", "--fps", "60", "--tutorial")
    driver.env.player.inventory["drink"] = 3
    assert advice(driver).startswith("You are thirsty.")
