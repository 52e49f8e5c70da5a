"""The tree of achievements."""

import numpy as np
import pytest

from crafter.games.craftax import tables
from crafter.games.craftax.app.adapter import App as Craftax
from crafter.games.crafter.app.adapter import App as Crafter
from crafter.games.crafter.rules import default
from crafter.gui.tree import arrange

GAMES = {"crafter": Crafter(default()), "craftax": Craftax(tables.load())}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_boxes_and_lines_have_places_of_their_own(game):
    needs, plan = game.requirements, arrange(game.requirements)
    assert plan.boxes.keys() == needs.keys() == set(game.achievements)
    assert len(plan.all) == len(plan.boxes) + len(plan.lines)
    for name, before in needs.items():
        column, _ = plan.boxes[name]
        assert all(plan.start(other, column)[0] == column - 1 for other in before)


def test_requirements_follow_from_the_rules():
    needs = GAMES["craftax"].requirements
    expected = {
        "make_iron_pickaxe": {"collect_coal", "collect_iron", "place_furnace"},
        "eat_plant": {"place_plant"},
        "defeat_archer": {"enter_vault"},
        "eat_cow": set(),
        "learn_iceball": {"open_chest", "enter_sewers"},
        "enchant_armour": {"make_iron_armour"},
    }
    assert {name: needs[name] for name in expected} == expected
    axe = {"stone_axe": {"uses": {"stone": 2, "food": 1}, "nearby": [], "gives": 1}}
    items = {"stone_axe": {"max": 9, "initial": 0}}
    rules = default().changed({"make": axe, "items": items})
    assert Crafter(rules).requirements["make_stone_axe"] == {"collect_stone"}


@pytest.mark.parametrize("game", GAMES)
def test_f10_shows_it_and_marks_what_is_done_by_more_than_colour(drive, game):
    driver = drive("--game", game, "--seed", "3", "--fps", "60")
    driver.press("f10")
    step, before = driver.step, driver.shown().mean(-1)
    driver.tick(3)
    assert driver.step == step and driver.app.tree
    driver.source._unlocked["collect_wood"] = 1
    driver.app.draw()
    assert np.abs(driver.shown().mean(-1) - before).max() > 40
    driver.press("escape", ticks=2)
    assert not driver.app.tree and driver.app.running and driver.step > step
