"""Pages stay within the window, however narrow it is."""

import pygame
import pytest
from windows import SMALL

from crafter.gui import pages
from crafter.gui.game import Page, Row, Table


@pytest.mark.parametrize("window", [(), ("--window", "500", "300")])
@pytest.mark.parametrize("game", ["crafter", "craftax"])
def test_help_has_every_key_and_is_within_the_window(drive, game, window):
    driver = drive("--game", game, "--seed", "3", *window)
    driver.press("f1")
    told = [row for table in driver.app.page().tables for row in table.rows]
    bound = {*driver.source.game.keys.values()}
    titles = {row.text.partition(":")[0] for row in told}
    assert {driver.source.game.title_of(name) for name in bound} <= titles
    bright = driver.shown().max(-1) > 150
    assert bright.sum() > 1000
    margin = 3
    assert not bright[:, :margin].any() and not bright[:, -margin:].any()
    assert not bright[:margin].any() and not bright[-margin:].any()


def test_tables_go_below_each_other_where_that_makes_letters_larger(drive):
    drive()  # starts the fonts
    rows = (Row("key", "what the key does " * 3),) * 8
    page = Page("", tables=tuple(Table(title, rows) for title in ("One", "Two", "Six")))
    *_, wide = pages._fit(page, pygame.Rect(0, 0, 2000, 500), 1)
    *_, narrow = pages._fit(page, pygame.Rect(0, 0, 500, 2000), 1)
    assert list(map(len, wide)) == [1, 1, 1] and list(map(len, narrow)) == [3]


def test_help_marks_what_works_now_and_ends_with_a_key(drive):
    driver = drive(*SMALL)
    driver.env.player.inventory["wood"] = 9
    driver.press("t", "f4")
    tables = driver.app.page().tables
    ready = {row.key for table in tables for row in table.rows if row.ready}
    assert {"1", "4"} <= ready and "2" not in ready
    driver.press("4")
    assert driver.env.player.inventory["wood_sword"] == 1 and not driver.app.help


def test_escape_closes_the_page_before_the_game(drive):
    driver = drive(*SMALL)
    for key in ("h", "m", "f2"):
        driver.press(key, "escape")
        assert driver.app.running and driver.app.page() is driver.app.floor is None
    driver.press("escape")
    assert not driver.app.running


def test_a_key_shows_the_latest_messages_with_their_steps(drive):
    driver = drive(*SMALL)
    driver.press("f2")
    assert driver.app.page().paragraphs == ("None yet.",)
    driver.press("f2", "t", "f2")
    (table,) = driver.app.page().tables
    (row,) = table.rows
    assert row.text == "Place table failed: needs 2 wood, you have 0."
    assert row.key == str(driver.step)
