"""The rules of the player, creatures, arrows and plants, as films.

The numbers here and in `films/rules.txt` repeat those of Crafter 1.8.3, so that any
change to the tables fails. `helpers.py` explains drawings, films and draws.
"""

import pathlib

import pytest
from helpers import (
    KINDS,
    LEFT,
    MATERIALS,
    RIGHT,
    act,
    board,
    draw_world,
    kinds,
    live,
    play,
    scenes,
    show,
    the,
)

import crafter
from crafter import constants
from crafter.objects import Cow


@pytest.mark.parametrize("films", scenes("rules"))
def test_films(films):
    for film in films:
        show(film)


# The same on every material, and beside every cell.

OPEN = ["grass", "path", "sand"]


@pytest.mark.parametrize("material", constants.materials)
def test_what_moves_where(material):
    char, passable = MATERIALS[material], material in OPEN
    env = draw_world("v" + char)
    assert act(env, "move_right").terminated == (material == "lava")
    assert env.player.x == (passable or material == "lava")
    draws = {"C": "MOVES RIGHT", "Z": "RIGHT", "S": "ROAM RIGHT"}
    for creature in draws:
        after = "." + creature if passable else creature + char
        under = "_" if creature == "S" else "."
        after = after.replace(".", under) if passable else after
        row = "#########v"
        show(f"{creature}{char}{row} => wait {after}{row} {draws[creature]}")
    flies = passable or material in ("water", "lava")
    left = "_" if material in ("table", "furnace") else char
    frames = "wait v#←_ => " if flies else ""
    show(f"v#{char}← => {frames}wait v#{left}_")
    reload = "skeleton.reload=4" if flies else "skeleton.reload=0"
    after = "←" if flies else char
    show(f">___{char}S => wait >___{after}S SHOOT {reload}")


PLACE = {
    "stone": ("stone", 1, [*OPEN, "water", "lava"]),
    "table": ("wood", 2, OPEN),
    "furnace": ("stone", 4, OPEN),
    "plant": ("sapling", 1, ["grass"]),
}


@pytest.mark.parametrize("name", PLACE)
def test_placing_needs_items_and_a_free_cell_of_a_material(name):
    item, amount, where = PLACE[name]
    symbol, act = MATERIALS.get(name, "P"), f"place_{name}"
    show(f">. {item}={amount - 1} => {act} >.")
    show(f">. {item}={amount} => {act} >{symbol} {item}=0 {act}=1")
    show(f"> {item}=9 => {act} >")
    for char in "CZSP→":
        show(f">{char}# under=grass frozen=1 {item}=9 => {act} >{char}#")
    for material, char in MATERIALS.items():
        if material in where:
            left = 9 - amount
            env = show(f">{char} {item}=9 => {act} >{symbol} {item}={left} {act}=1")
            assert env.world[1, 0][0] == ("grass" if name == "plant" else name)
        else:
            show(f">{char} {item}=9 => {act} >{char}")


@pytest.mark.parametrize("char,left", [("C", 1), ("Z", 3), ("S", 1), ("P", 0)])
def test_an_arrow_hurts_whatever_is_in_the_way(char, left):
    env = draw_world(f"v##{char}←")
    thing = env.world[3, 0][1]
    thing.update = lambda: None
    act(env, "noop")
    assert thing.health == left
    assert kinds(env) == [thing.kind]


@pytest.mark.parametrize("char", KINDS.values())
@pytest.mark.parametrize("side", constants.directions)
def test_a_creature_beside_a_plant_tramples_it(char, side):
    rows = [list("....."), list("....."), list("..P.."), list("....."), list("v....")]
    dx, dy = constants.directions[side]
    rows[2 + dy][2 + dx] = char
    env = draw_world(" ".join("".join(row) for row in rows))
    creature = env.world[2 + dx, 2 + dy][1]
    creature.update = lambda: None
    act(env, "noop")
    assert kinds(env) == [creature.kind]
    assert env.world[2, 2] == ("grass", None)


# Vitals: amounts in the steps in which one of them changes.

PACE = pathlib.Path(__file__).parent / "films" / "pace.txt"


@pytest.mark.parametrize("line", PACE.read_text("utf-8").splitlines())
def test_the_pace_of_life(line):
    start, expected = line.split("=>")
    item, *expected = expected.split()
    env = show(start)
    found, amount = [], env.player.inventory[item]
    asleep = env.player.sleeping
    for step, result in enumerate(live(env, 90), 1):
        new = result.info["inventory"][item]
        found += [step, new] if new != amount else []
        amount = new
        if env.player.sleeping != asleep:
            break
    assert found == list(map(int, expected))


def test_starvation_kills():
    env = draw_world("#v#", inventory=dict.fromkeys(["food", "drink", "energy"], 0))
    results = list(live(env, 144))
    assert [r.terminated for r in results] == [False] * 143 + [True]
    lacks = ["hunger", "thirst", "fatigue"]
    assert results[-1].events("died") == [{"type": "died", "by": lacks}]


def test_too_much_of_anything_is_cut_off_in_the_same_step():
    env = draw_world("#v#")
    env.player.inventory.update(dict.fromkeys(env.player.inventory, 12))
    act(env, "noop")
    assert set(env.player.inventory.values()) == {9}


# What drawings cannot express.


def test_objects_act_in_the_order_of_their_index():
    env = draw_world("v##..C")
    env.world.add(Cow(env.world, (3, 0), env.player))
    play(env, ("noop", "v##CC.", 0.4, LEFT, 0.4, RIGHT))


def test_the_distance_follows_the_larger_side_of_the_view():
    env = crafter.Env(area=(30, 1), size=(44, 44), view=(11, 9))
    for distance, near in [(21, True), (22, False)]:
        env.reset(seed=0, options={"map": ["@" + "." * 29]})
        env.world.add(Cow(env.world, (distance, 0), env.player))
        act(env, "noop", *[0.5] * near)


def test_moving_nowhere_fails_except_for_the_removed():
    env = draw_world("v.C")
    cow = the(env, "cow")
    assert not cow.move((0, 0))
    env.world.remove(cow)
    assert cow.move((0, 0))
    assert cow.move((-1, 0))
    assert cow.position == (2, 0)
    assert not cow.move((1, 0))
    assert board(env) == "v.."
