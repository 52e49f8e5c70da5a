"""The help: all of it is within the window, however narrow that is."""

import pytest

from crafter.gui import tables_view
from crafter.gui.game import Entry, Menu


@pytest.mark.parametrize("panel", [(), ("--no-panel",)], ids=["panel", "no-panel"])
@pytest.mark.parametrize("game", ["crafter", "craftax"])
def test_help_is_within_the_window(drive, game, panel):
    driver = drive("--game", game, "--seed", "3", *panel)
    driver.press("f1")
    driver.tick(2)
    shown = driver.shown()
    bright = shown.max(-1) > 150
    assert bright.sum() > 1000
    margin = 3
    assert not bright[:, :margin].any() and not bright[:, -margin:].any()
    assert not bright[:margin].any() and not bright[-margin:].any()


def test_tables_go_below_each_other_where_that_makes_letters_larger(drive):
    drive()  # starts the fonts
    rows = (Entry("", "what the key does " * 3, key="key"),) * 8
    tables = [Menu(title, rows) for title in ("One", "Two", "Three")]
    _, wide = tables_view.largest(tables, 2000, 500)
    _, narrow = tables_view.largest(tables, 500, 2000)
    assert list(map(len, wide)) == [1, 1, 1] and list(map(len, narrow)) == [3]
