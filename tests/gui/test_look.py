"""What is said of a cell that the mouse or the arrows point at."""

import numpy as np
import pygame
import pytest

from crafter.games.craftax import tables
from crafter.games.craftax.app.adapter import App as Craftax
from crafter.games.crafter.app.adapter import App as Crafter
from crafter.games.crafter.rules import default
from crafter.gui.layout import Grid

PLAY = ["--area", "24", "24", "--seed", "4", "--fps", "60"]
CRAFTAX = ["--game", "craftax", "--seed", "3", "--fps", "60"]


def move(driver, place):
    event = pygame.event.Event(
        pygame.MOUSEMOTION, pos=place, rel=(0, 0), buttons=(0, 0, 0)
    )
    pygame.event.post(event)
    driver.tick()


@pytest.mark.parametrize(("width", "height"), [(600, 600), (605, 599), (90, 63)])
def test_each_cell_is_where_it_is_drawn(width, height):
    grid = Grid((20, 10, width, height), (9, 9), (9, 7))
    places = [(x, y) for x in range(-4, 5) for y in range(-3, 4)]
    boxes = [grid.box(place) for place in places]
    centres = [(x + w // 2, y + h // 2) for x, y, w, h in boxes]
    assert [grid.at(centre) for centre in centres] == places
    assert grid.at((25, 10 + height - 2)) is None  # the inventory
    assert Grid((0, 0, 50, 50), (64, 64), (0, 0)).at((5, 5)) is None


def test_mouse_names_what_it_points_at_until_a_key_plays_on(drive):
    driver = drive(*PLAY, "--wait")
    driver.env.world[driver.env.player.x + 2, driver.env.player.y] = "iron"
    x, y, *_ = driver.app._grid.box((2, 0))
    move(driver, (x + 5, y + 5))
    said = driver.source.about(driver.app.cell)
    assert said == "Iron: gives 1 iron, needs stone pickaxe; path remains."
    lit = driver.strip().max(-1) > 150
    assert lit.any() and not driver.told()
    driver.press("a")
    assert driver.app.cell is None


@pytest.mark.parametrize(("options", "key"), [(PLAY, ";"), (CRAFTAX, "'")])
def test_a_key_holds_the_game_and_arrows_go_from_cell_to_cell(drive, options, key):
    driver = drive(*options)
    driver.press(key)
    step, (down, right) = driver.step, driver.source.memory.facing
    assert driver.app.cell == (right, down)
    driver.press(*["left"] * 9)
    columns, _ = driver.source.memory.sight
    assert driver.app.cell == (-(columns // 2), down) and driver.step == step
    driver.press("escape", ticks=2)
    assert driver.app.cell is None and driver.app.running and driver.step > step


def test_creatures_are_named_with_what_the_rules_say_of_them(drive):
    driver = drive(*CRAFTAX)
    rules, floor = tables.load(), driver.env.player.floor
    row, column = driver.env.player.position
    mob = floor.melee[0]
    mob.alive, mob.type, mob.row, mob.col = True, 5, row, column - 1
    floor.light[row, column - 1] = 1
    about = Craftax(rules).about
    said = "Troll: health 20, hits for 6 + 1 fire + 1 ice, takes off 20% of physical"
    assert about(driver.env.snapshot(), (-1, 0)) == f"{said} damage."
    floor.light[row, column - 1] = 0
    assert about(driver.env.snapshot(), (-1, 0)) == "Too dark to see."


def test_night_hides_and_the_world_ends(drive):
    driver = drive(*PLAY)
    env, game = driver.env, Crafter(default())
    env.reset(options={"daytime": "midnight", "position": (0, 0)})
    assert game.about(env.snapshot(), (-1, 0)) == "The edge of the world."
    env.reset(options={"daytime": "midnight"})
    assert game.about(env.snapshot(), (4, 3)) == "Too dark to see."
    zombie = default().creatures["zombie"]
    said = game.notices._writer.about("zombie")
    assert f"health {zombie['health']}" in said and f"for {zombie['damage']}" in said


def test_the_map_zooms_by_wheel_and_keys_and_shows_where_the_player_looks(drive):
    driver = drive(*CRAFTAX)
    driver.press("f3")
    whole = driver.shown()
    driver.press("f7")
    wheel = pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1)
    pygame.event.post(wheel)
    driver.tick()
    assert driver.app.zoom == 4 and driver.app.rate == 60
    assert not np.array_equal(driver.shown(), whole)
    driver.press("f6", "f6", "f6")
    assert driver.app.zoom == 1 and np.array_equal(driver.shown(), whole)
    driver.source.memory.facing = tuple(-n for n in driver.source.memory.facing)
    driver.app.draw()
    assert not np.array_equal(driver.shown(), whole)
