"""Walks to a clicked cell and into the unexplored, in a game of turns."""

import itertools

import pytest
from windows import CRAFTAX, SMALL

from crafter import objects

WALLS = (1, 0), (0, 1), (0, -1), (-1, 0)


def put(driver, name, *cells):
    """Put a block or a zombie on cells, in columns and rows from the player."""
    player, world = driver.env.player, driver.env.player.world
    for x, y in cells:
        if driver.source.game.key == "crafter":
            place = player.x + x, player.y + y
            if name == "zombie":
                world.add(objects.Zombie(world, place, player))
            else:
                world[place] = name
        elif name == "zombie":
            mob = player.floor.melee[0]
            mob.alive, mob.type, mob.row, mob.col = 1, 0, player.row + y, player.col + x
        else:
            number = world.tables.block_ids[name]
            player.floor.block_map[player.row + y, player.col + x] = number


@pytest.fixture(params=[SMALL, CRAFTAX], ids=["crafter", "craftax"])
def driver(drive, request):
    """Return the window of a game on sand, where nothing lives."""
    driver = drive(*request.param, "--wait")
    put(driver, "sand", *itertools.product(range(-9, 10), repeat=2))
    for thing in driver.env.world.objects[1:] if request.param is SMALL else ():
        driver.env.world.remove(thing)
    return driver


def walked(driver, *cell, ticks=9):
    """Click on a cell; return where the player is then, relative to before."""
    row, column = driver.source.memory.place[1]
    x, y, *_ = driver.app._grid.box(cell)
    driver.click((x + 3, y + 3))
    driver.tick(ticks)
    down, right = driver.source.memory.place[1]
    return right - column, down - row


def test_click_walks_around_what_is_in_the_way_and_faces_what_is_closed(driver):
    put(driver, "water", (1, -1), (1, 0))
    put(driver, "lava", (1, 1), (-1, 2))
    assert walked(driver, 2, 0) == (2, 0) and driver.step == 6
    put(driver, "tree", (0, 2))
    assert walked(driver, 0, 2) == (0, 1) and driver.source.memory.facing == (1, 0)
    assert walked(driver, 0, 0) == walked(driver, -1, 0) == (0, 0)  # itself, lava
    assert driver.messages() == ["No path leads there."]


@pytest.mark.parametrize("what", ["key", "click", "wound", "zombie", "wall", ""])
def test_walk_stops_when_something_happens(driver, what):
    assert walked(driver, 3, 0, ticks=0) == (1, 0)
    if what == "key":
        driver.press("f3", "f3")
    elif what == "click":
        walked(driver, 0, 0)
    elif what == "wound":
        driver.env.player.health -= 1
    elif what:
        put(driver, *(("zombie", (-3, 2)) if what == "zombie" else ("stone", *WALLS)))
    driver.tick(9)
    assert driver.step == (1 if what else 3)


def test_a_key_walks_on_to_what_was_never_seen(driver):
    before = driver.source.memory.seen.sum()
    driver.press("/", ticks=8)
    assert driver.step == 8 and driver.source.memory.seen.sum() > before
    put(driver, "stone", *WALLS)
    driver.press("/", ticks=3)
    assert driver.step == 8 and "unexplored" in driver.messages()[-1]


def test_only_who_plays_in_turns_walks(drive):
    driver = drive(*SMALL)
    driver.press("x")
    assert walked(driver, 2, 0) == (0, 0)
