"""Descriptions of the cell that the mouse or the arrows point at."""

import numpy as np
import pytest
from windows import CRAFTAX, SMALL

from crafter.games.craftax import tables
from crafter.games.craftax.app.adapter import App as Craftax
from crafter.games.crafter.app.adapter import App as Crafter
from crafter.games.crafter.rules import default
from crafter.gui.layout import Grid


@pytest.mark.parametrize("size", [(600, 600), (605, 599), (90, 63)])
def test_each_cell_is_where_it_is_drawn(size):
    grid = Grid((20, 10, *size), (9, 9), (9, 7))
    places = [(x, y) for x in range(-4, 5) for y in range(-3, 4)]
    boxes = [grid.box(place) for place in places]
    assert [grid.at((x + w // 2, y + h // 2)) for x, y, w, h in boxes] == places
    assert grid.at((25, 10 + size[1] - 2)) is None  # the inventory
    assert Grid((0, 0, 50, 50), (64, 64), (0, 0)).at((5, 5)) is None


def test_mouse_names_what_it_points_at_until_a_key_plays_on(drive):
    driver = drive(*SMALL, "--wait")
    driver.env.world[driver.env.player.x + 2, driver.env.player.y] = "iron"
    x, y, *_ = driver.app._grid.box((2, 0))
    driver.post("MOUSEMOTION", pos=(x + 5, y + 5), rel=(0, 0), buttons=(0, 0, 0))
    said = driver.source.about(driver.app.cell)
    assert said == "Iron: gives 1 iron, needs stone pickaxe; path remains."
    driver.press("a")
    assert driver.app.cell is None


@pytest.mark.parametrize(("options", "key"), [(SMALL, ";"), (CRAFTAX, "'")])
def test_a_key_holds_the_game_and_arrows_go_from_cell_to_cell(drive, options, key):
    driver = drive(*options)
    driver.press(key)
    step, (down, right) = driver.step, driver.source.memory.facing
    assert driver.app.cell == (right, down)
    driver.press(*["left"] * 9)
    columns, _ = driver.source.memory.map_size
    assert driver.app.cell == (-(columns // 2), down) and driver.step == step
    driver.press("escape", ticks=2)
    assert driver.app.cell is None and driver.app.running and driver.step > step


def test_creatures_are_named_with_what_the_rules_say_but_not_in_the_dark(drive):
    env = drive(*CRAFTAX).env
    (row, column), floor = env.player.position, env.player.floor
    mob, about = floor.melee[0], Craftax(tables.load()).about
    mob.alive, mob.type, mob.row, mob.col = True, 5, row, column - 1
    said = "Troll: health 20, hits for 6 + 1 fire + 1 ice, takes off 20% of physical"
    for light, text in [(1, f"{said} damage."), (0, "Too dark to see.")]:
        floor.light[row, column - 1] = light
        assert about(env.snapshot(), (-1, 0)) == text
    env, game = drive(*SMALL).env, Crafter(default())
    env.reset(options={"daytime": "midnight", "position": (0, 0)})
    assert game.about(env.snapshot(), (-1, 0)) == "The edge of the world."
    assert game.about(env.snapshot(), (4, 3)) == "Too dark to see."
    said = game.notices._writer.about("zombie")
    assert "health 5" in said and "hits for 2 health, 7 if you sleep" in said


def test_the_map_zooms_by_wheel_and_keys_and_shows_where_the_player_looks(drive):
    driver = drive(*CRAFTAX)
    driver.press("f3")
    whole = driver.shown()
    driver.press("f7")
    driver.post("MOUSEWHEEL", x=0, y=1)
    assert driver.app.zoom == 4 and driver.app.rate == 60
    assert not np.array_equal(driver.shown(), whole)
    driver.press("f6", "f6", "f6")
    assert driver.app.zoom == 1 and np.array_equal(driver.shown(), whole)
    driver.source.memory.facing = tuple(-n for n in driver.source.memory.facing)
    driver.app.draw()
    assert not np.array_equal(driver.shown(), whole)
