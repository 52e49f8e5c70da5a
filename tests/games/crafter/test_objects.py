"""The rules of the player, the creatures, arrows and plants, as films.

The numbers here are those of Crafter 1.8.3, written down once more: a changed table is
a changed game, and fails. `helpers.py` explains the pictures.
"""

import copy
import math

import numpy as np
import pytest
from helpers import (
    ARROWS,
    DOWN,
    LEFT,
    MATERIALS,
    RIGHT,
    UP,
    act,
    board,
    draw_world,
    kinds,
    live,
    play,
    the,
)

import crafter
from crafter import constants
from crafter.engine import World
from crafter.objects import Arrow, Cow, Object, Player

STAYS = 0.5  # A cow stays where it is from 0.5 on.
MOVES = 0.4999
CHASE, LONG, SHORT = 0.8999, 0.7999, 0.8  # A zombie's draws.
WANDER = 0.9


def inventory(env, **amounts):
    """Checks some amounts."""
    found = {name: env.player.inventory[name] for name in amounts}
    assert found == amounts
    return True


def changes(env, item, steps):
    """Returns the steps in which an item changed, and by how much."""
    amounts = [env.player.inventory[item]]
    amounts += [r.info["inventory"][item] for r in live(env, steps)]
    deltas = np.diff(amounts)
    return {step + 1: int(delta) for step, delta in enumerate(deltas) if delta}


# The player: moving.


def test_player_walks_and_looks_where_it_goes():
    play(
        draw_world("... .v. ..."),
        ("move_left", "... <.. ..."),
        ("move_up", "^.. ... ..."),
        ("move_right", ".>. ... ..."),
        ("move_down", "... .v. ..."),
        ("noop", "... .v. ..."),
    )


def test_player_stops_at_the_edges_and_still_turns():
    play(
        draw_world("v"),
        ("move_left", "<"),
        ("move_right", ">"),
        ("move_up", "^"),
        ("move_down", "v"),
    )


@pytest.mark.parametrize("material", constants.materials)
def test_player_enters_grass_path_sand_and_lava(material):
    env = draw_world("v" + MATERIALS[material])
    result = act(env, "move_right")
    entered = material in ("grass", "path", "sand", "lava")
    assert env.player.position == (1 if entered else 0, 0)
    assert env.player.facing == (1, 0)
    assert result.terminated == (material == "lava")


def test_facing_changes_when_the_way_is_blocked():
    play(
        draw_world("#### #v~# #C##"),
        ("move_up", "#### #^~# #C##", STAYS),
        ("move_right", "#### #>~# #C##", STAYS),
        ("move_down", "#### #v~# #C##", STAYS),
    )


@pytest.mark.parametrize("char", "CZSPR←")
def test_player_cannot_enter_the_cell_of_an_object(char):
    env = draw_world(f"<{char}", under="grass")
    thing = env.world[1, 0][1]
    thing.update = lambda: None
    play(env, ("move_right", f">{char}"))


# The player: lava.


def test_lava_kills():
    result = play(draw_world(">%."), ("move_right", ".>."))
    assert result.terminated
    assert result.info["discount"] == 0
    assert result.reward == pytest.approx(-0.9)


def test_waiting_on_lava_is_safe_and_a_blocked_move_is_not():
    env = draw_world("#>#", under="lava")
    assert not play(env, ("noop", "#>#"), ("do", "#>#")).terminated
    assert play(env, ("move_right", "#>#")).terminated


def test_turning_toward_stone_beside_lava_is_safe():
    assert not play(draw_world("#v%"), ("move_left", "#<%")).terminated


def test_health_that_grows_in_the_step_onto_lava_saves():
    env = draw_world(">%#")
    env.player.recover = 25
    result = play(env, ("move_right", ".>#"))
    assert not result.terminated
    assert inventory(env, health=1)
    assert result.reward == pytest.approx(-0.8)
    assert not play(env, ("noop", ".>#"), ("noop", ".>#")).terminated
    assert play(env, ("move_right", ".>#")).terminated


def test_leaving_lava_is_safe():
    env = draw_world("%>.", under="lava")
    assert not play(env, ("move_right", "%%>")).terminated
    assert play(env, ("move_left", "%<.")).terminated


# The player: collecting.

# Material, tools that suffice, item, what is left of the cell.
COLLECT = [
    ("tree", [], "wood", "grass"),
    ("stone", ["wood_pickaxe"], "stone", "path"),
    ("coal", ["wood_pickaxe"], "coal", "path"),
    ("iron", ["stone_pickaxe"], "iron", "path"),
    ("diamond", ["iron_pickaxe"], "diamond", "path"),
    ("water", [], "drink", "water"),
    ("grass", [], "sapling", "grass"),
]
PICKAXES = ["wood_pickaxe", "stone_pickaxe", "iron_pickaxe"]
LUCKY, UNLUCKY = 0.1, np.nextafter(0.1, 1)  # for saplings


@pytest.mark.parametrize("material,tools,item,left", COLLECT)
def test_collecting_takes_the_material(material, tools, item, left):
    env = draw_world(">" + MATERIALS[material])
    env.player.inventory |= {item: 3, **dict.fromkeys(tools, 1)}
    result = play(env, ("do", ">" + MATERIALS[left], LUCKY))
    assert inventory(env, **{item: 4}, **dict.fromkeys(tools, 1))
    assert env.player.achievements[f"collect_{item}"] == 1
    assert result.reward == 1


@pytest.mark.parametrize("material,tools,item,left", COLLECT)
def test_collecting_without_the_tool_does_nothing(material, tools, item, left):
    others = dict.fromkeys(set(PICKAXES) - set(tools), 9)
    env = draw_world(">" + MATERIALS[material], inventory=others)
    before = dict(env.player.inventory)
    if tools:
        play(env, ("do", ">" + MATERIALS[material]))  # draws nothing
        assert env.player.inventory == before
        assert env.player.achievements[f"collect_{item}"] == 0
    else:
        play(env, ("do", ">" + MATERIALS[left], LUCKY))


@pytest.mark.parametrize("material,tools,item,left", COLLECT)
def test_collecting_more_than_nine_takes_the_material_in_vain(
    material, tools, item, left
):
    given = {item: 9, **dict.fromkeys(tools, 1)}
    env = draw_world(">" + MATERIALS[material], inventory=given)
    result = play(env, ("do", ">" + MATERIALS[left], LUCKY))
    assert inventory(env, **{item: 9})
    assert env.player.achievements[f"collect_{item}"] == 1
    assert result.events("collected")[0]["gain"] == 0


@pytest.mark.parametrize("material", ["sand", "path", "lava", "table", "furnace"])
def test_nothing_can_be_collected_from_other_materials(material):
    given = dict.fromkeys(PICKAXES, 1)
    env = draw_world(">" + MATERIALS[material], inventory=given)
    before = dict(env.player.inventory)
    play(env, ("do", ">" + MATERIALS[material]))
    assert env.player.inventory == before
    assert not env.unlocked


def test_nothing_can_be_collected_outside_the_map():
    play(draw_world(">"), ("do", ">"))


def test_a_number_is_drawn_even_where_success_is_certain():
    env = draw_world(">T")
    play(env, ("do", ">.", math.nextafter(1, 0)))
    assert inventory(env, wood=1)


def test_grass_gives_a_sapling_in_one_of_ten_tries():
    env = draw_world(">.")
    play(env, ("do", ">.", UNLUCKY))
    assert inventory(env, sapling=0)
    assert not env.unlocked
    play(env, ("do", ">.", LUCKY))
    assert inventory(env, sapling=1)


def test_do_acts_on_the_cell_faced_before_the_step():
    play(
        draw_world("v~ T."),
        ("do", "v~ ..", 0.5),
        ("move_right", ">~ .."),
        ("do", ">~ ..", 0.5),
    )


def test_drinking_stills_the_thirst():
    env = draw_world(">~")
    env.player.thirst = 20
    env.player.inventory["drink"] = 5
    act(env, "do", 0.5)
    assert inventory(env, drink=6)
    assert env.player.thirst == 1  # 0, then this step's share


# The player: placing.

PLACE = {
    "stone": ({"stone": 1}, ["grass", "sand", "path", "water", "lava"]),
    "table": ({"wood": 2}, ["grass", "sand", "path"]),
    "furnace": ({"stone": 4}, ["grass", "sand", "path"]),
    "plant": ({"sapling": 1}, ["grass"]),
}


@pytest.mark.parametrize("material", constants.materials)
@pytest.mark.parametrize("name", PLACE)
def test_placing_depends_on_the_material(name, material):
    uses, where = PLACE[name]
    env = draw_world(">" + MATERIALS[material], inventory=dict.fromkeys(uses, 9))
    allowed = material in where
    placed = "P" if name == "plant" else MATERIALS.get(name)
    play(env, (f"place_{name}", ">" + (placed if allowed else MATERIALS[material])))
    left = {item: 9 - allowed * amount for item, amount in uses.items()}
    assert inventory(env, **left)
    assert env.player.achievements[f"place_{name}"] == allowed
    assert not allowed or env.world[1, 0][0] == ("grass" if placed == "P" else name)


@pytest.mark.parametrize("name", PLACE)
def test_placing_needs_the_items(name):
    uses, _ = PLACE[name]
    (item, amount), *_ = uses.items()
    env = draw_world(">.", inventory={item: amount - 1})
    play(env, (f"place_{name}", ">."))
    assert inventory(env, **{item: amount - 1})
    env.player.inventory[item] = amount
    act(env, f"place_{name}")
    assert env.player.achievements[f"place_{name}"] == 1
    assert inventory(env, **{item: 0})


@pytest.mark.parametrize("name", PLACE)
@pytest.mark.parametrize("char", "CZSP→")
def test_nothing_can_be_placed_on_an_object(name, char):
    env = draw_world(f">{char}#", under="grass", inventory={"wood": 9, "stone": 9})
    env.player.inventory["sapling"] = 9
    env.world[1, 0][1].update = lambda: None
    play(env, (f"place_{name}", f">{char}#"))
    assert not env.unlocked


@pytest.mark.parametrize("name", PLACE)
def test_nothing_can_be_placed_outside_the_map(name):
    env = draw_world(">", inventory={"wood": 9, "stone": 9, "sapling": 9})
    play(env, (f"place_{name}", ">"))
    assert not env.unlocked


def test_placing_acts_on_the_cell_faced_before_the_step():
    env = draw_world("..> ...", inventory={"stone": 2})
    play(
        env,
        ("move_left", ".<. ..."),
        ("place_stone", "#<. ..."),
        ("move_left", "#<. ..."),
        ("move_down", "#.. .v."),
    )


def test_a_plant_grows_from_the_step_after_it_was_placed():
    env = draw_world(">.", inventory={"sapling": 1})
    play(env, ("place_plant", ">P"))
    assert the(env, "plant").grown == 0
    play(env, ("noop", ">P"))
    assert the(env, "plant").grown == 1


# The player: making.

MAKE = {
    "wood_pickaxe": ({"wood": 1}, "t"),
    "stone_pickaxe": ({"wood": 1, "stone": 1}, "t"),
    "iron_pickaxe": ({"wood": 1, "coal": 1, "iron": 1}, "tf"),
    "wood_sword": ({"wood": 1}, "t"),
    "stone_sword": ({"wood": 1, "stone": 1}, "t"),
    "iron_sword": ({"wood": 1, "coal": 1, "iron": 1}, "tf"),
}
ALL = {"wood": 9, "stone": 9, "coal": 9, "iron": 9}


def workshop(stations, **amounts):
    """A world with stations in two corners of the cells around the player."""
    first, second = (*stations, ".", ".")[:2]
    return draw_world(f"{first}.. .v. ..{second}", inventory=amounts)


@pytest.mark.parametrize("name", MAKE)
def test_making_uses_up_the_items(name):
    uses, stations = MAKE[name]
    env = workshop(stations, **ALL)
    act(env, f"make_{name}")
    left = {item: ALL[item] - uses.get(item, 0) for item in ALL}
    assert inventory(env, **left, **{name: 1})
    assert env.player.achievements[f"make_{name}"] == 1


@pytest.mark.parametrize("name", MAKE)
def test_making_needs_every_station(name):
    for missing in MAKE[name][1]:
        env = workshop("tf".replace(missing, ""), **ALL)
        act(env, f"make_{name}")
        assert inventory(env, **ALL, **{name: 0})


@pytest.mark.parametrize("name", MAKE)
def test_making_needs_every_item(name):
    uses, stations = MAKE[name]
    for short in uses:
        given = ALL | {short: uses[short] - 1}
        env = workshop(stations, **given)
        act(env, f"make_{name}")
        assert inventory(env, **given, **{name: 0})
        assert not env.unlocked


def test_making_counts_when_nine_are_owned():
    env = workshop("t", wood=2, wood_sword=9)
    result = act(env, "make_wood_sword")
    assert inventory(env, wood=1, wood_sword=9)
    assert env.player.achievements["make_wood_sword"] == 1
    assert result.reward == 1


@pytest.mark.parametrize("x,y", [(x, y) for x in range(5) for y in range(5)])
def test_a_table_is_near_in_the_eight_cells_around(x, y):
    if (x, y) == (2, 2):
        return
    env = draw_world("..... ..... ..v.. ..... .....", inventory={"wood": 1})
    env.world[x, y] = "table"
    act(env, "make_wood_pickaxe")
    near = 1 <= x <= 3 and 1 <= y <= 3
    assert inventory(env, wood_pickaxe=int(near))


@pytest.mark.parametrize(
    "picture,made",
    [
        ("vt. ... ...", 0),
        (".v. .t. ...", 0),
        ("... v.. t..", 0),
        ("... .vt ...", 1),
        ("... ..v .t.", 1),
        ("... .t. .v.", 1),
        ("... .t. ..v", 1),
    ],
)
def test_nothing_is_near_at_the_left_and_upper_edge(picture, made):
    env = draw_world(picture, inventory={"wood": 1})
    act(env, "make_wood_pickaxe")
    assert inventory(env, wood_pickaxe=made)


# The player: creatures and plants.

SWORDS = ["wood_sword", "stone_sword", "iron_sword"]


@pytest.mark.parametrize(
    "swords,cow,zombie",
    [
        ([], 3, 5),
        (["wood_sword"], 2, 3),
        (["stone_sword"], 1, 2),
        (["iron_sword"], 1, 1),
        (["wood_sword", "stone_sword"], 1, 2),
        (SWORDS, 1, 1),
        (PICKAXES, 3, 5),
    ],
)
def test_hits_needed_by_sword(swords, cow, zombie):
    for kind, char, hits in [
        ("cow", "C", cow),
        ("skeleton", "S", cow),
        ("zombie", "Z", zombie),
    ]:
        env = draw_world(f">{char}", inventory=dict.fromkeys(swords, 1))
        creature = the(env, kind)
        creature.update = lambda: None
        name = "eat_cow" if kind == "cow" else f"defeat_{kind}"
        for hit in range(1, hits + 1):
            assert env.player.achievements[name] == 0
            act(env, "do")
            assert (creature.health == 0) == (hit == hits)
        assert env.player.achievements[name] == 1


@pytest.mark.parametrize(
    "kind,char", [("cow", "C"), ("zombie", "Z"), ("skeleton", "S")]
)
def test_damage_by_sword(kind, char):
    for swords, damage in [([], 1), *zip([[name] for name in SWORDS], [2, 3, 5])]:
        env = draw_world(f">{char}", inventory=dict.fromkeys(swords, 1))
        creature = the(env, kind)
        creature.update = lambda: None
        creature.health = 20
        act(env, "do")
        assert creature.health == 20 - damage


def test_a_cow_is_eaten_in_three_hits():
    env = draw_world(">C#", inventory={"food": 2})
    env.player.hunger = 20
    play(
        env,
        ("do", ">C#", STAYS),
        ("do", ">C#", STAYS),
        ("do", ">.#", STAYS),
    )
    assert inventory(env, food=8)
    assert env.player.hunger == 1  # 0, then this step's share


def test_eating_does_not_fill_beyond_nine():
    env = draw_world(">C", inventory={"food": 7})
    the(env, "cow").health = 1
    result = act(env, "do", STAYS)
    assert inventory(env, food=9)
    assert result.events("ate") == [
        {"type": "ate", "what": "cow", "at": (1, 0), "gain": 2}
    ]


def test_a_zombie_is_defeated_in_five_hits():
    env = draw_world(">Z")
    strikes = (CHASE, LONG)
    play(env, *[("do", ">Z", *strikes)] * 4, ("do", ">.", *strikes))
    assert env.player.achievements["defeat_zombie"] == 1


def test_a_skeleton_is_defeated_in_three_hits():
    env = draw_world(">S#")
    stays = (0.0, 0.5, 0.3, 0.2)  # no way back, no shot, no chase, no wandering
    play(env, *[("do", ">S#", *stays)] * 2, ("do", ">_#", *stays))
    assert env.player.achievements["defeat_skeleton"] == 1


def test_a_ripe_plant_is_eaten_and_stays():
    env = draw_world(">R", inventory={"food": 3})
    env.player.hunger = 20
    play(env, ("do", ">P"))
    assert inventory(env, food=7)
    assert env.player.achievements["eat_plant"] == 1
    assert env.player.hunger == 21  # unlike a cow
    assert the(env, "plant").grown == 1
    assert the(env, "plant").health == 1


def test_an_unripe_plant_is_left_alone():
    env = draw_world(">P", inventory={"iron_sword": 1})
    play(env, ("do", ">P"), ("do", ">P"))
    assert the(env, "plant").health == 1
    assert inventory(env, food=9)
    assert not env.unlocked


def test_nothing_happens_to_an_arrow():
    env = draw_world(">↑")
    play(env, ("do", ">_"))  # It leaves the map by itself.
    assert not env.unlocked


# The player: sleep.


def test_sleep_needs_tiredness():
    play(draw_world("v"), ("sleep", "v"))
    env = draw_world("v", inventory={"energy": 8})
    play(env, ("sleep", "z"))


def test_sleeping_replaces_every_action_until_energy_is_full():
    env = draw_world("z.", inventory={"energy": 8, "wood": 9})
    for action in constants.actions:
        result = play(env, (action, "z."))
        assert result.info["action"] == "sleep"
        env.player.fatigue = 0


def test_waking_rested_counts_and_the_action_is_carried_out():
    env = draw_world("z.", inventory={"energy": 8})
    env.player.fatigue = -10
    play(env, ("noop", "z."))
    assert inventory(env, energy=9)
    assert env.player.achievements["wake_up"] == 0
    result = play(env, ("move_right", ".>"))
    assert result.info["action"] == "move_right"
    assert env.player.achievements["wake_up"] == 1
    assert result.reward == 1


def test_the_sleeping_pace_begins_in_the_step_of_falling_asleep():
    env = draw_world("v", inventory={"energy": 5})
    env.player.fatigue = 7
    act(env, "sleep")
    player = env.player
    assert (player.hunger, player.thirst, player.fatigue) == (0.5, 0.5, 0)
    assert player.recover == 2


def test_falling_asleep_after_waking_rested_is_possible_when_tired_again():
    env = draw_world("z", inventory={"energy": 9})
    result = act(env, "sleep")  # awake again, and not tired
    assert not env.player.sleeping
    assert result.events("rejected")[0]["reason"] == "not_tired"
    assert env.player.achievements["wake_up"] == 1


@pytest.mark.parametrize("item", ["food", "drink"])
def test_hunger_and_thirst_wake_without_counting(item):
    env = draw_world("z", inventory={"energy": 3, item: 0})
    env.player.recover = -15
    result = play(env, ("noop", "v"))
    assert inventory(env, health=8)
    assert env.player.achievements["wake_up"] == 0
    assert result.events("woke") == [{"type": "woke", "cause": "hurt"}]


# The player: hunger, thirst, tiredness and health.


@pytest.mark.parametrize(
    "item,expected",
    [
        ("food", {26: -1, 52: -1, 78: -1}),
        ("drink", {21: -1, 42: -1, 63: -1, 84: -1}),
        ("energy", {31: -1, 62: -1}),
        ("health", {}),
    ],
)
def test_life_awake(item, expected):
    assert changes(draw_world("#v#"), item, 90) == expected


@pytest.mark.parametrize(
    "item,expected",
    [
        ("food", {51: -1}),
        ("drink", {41: -1, 82: -1}),
        ("energy", {11: 1, 22: 1, 33: 1, 44: 1, 55: 1, 66: 1, 77: 1, 88: 1}),
    ],
)
def test_life_asleep(item, expected):
    env = draw_world("#z#", inventory={"energy": 1})
    assert changes(env, item, 90) == expected


@pytest.mark.parametrize("fatigue,first", [(30, 12), (1, 12), (0, 11), (-5, 6)])
def test_the_first_point_of_energy_takes_longer_for_the_tired(fatigue, first):
    env = draw_world("#z#", inventory={"energy": 1})
    env.player.fatigue = fatigue
    assert changes(env, "energy", 25) == {first: 1, first + 11: 1}


def test_health_returns_every_26_steps_awake():
    env = draw_world("#v#", inventory={"health": 1})
    assert changes(env, "health", 80) == {26: 1, 52: 1, 78: 1}


def test_health_returns_every_13_steps_asleep():
    env = draw_world("#z#", inventory={"health": 1, "energy": 1})
    assert changes(env, "health", 40) == {13: 1, 26: 1, 39: 1}


@pytest.mark.parametrize("item", ["food", "drink", "energy"])
def test_health_falls_every_16_steps_awake_if_anything_lacks(item):
    env = draw_world("#v#", inventory={item: 0})
    assert changes(env, "health", 50) == {16: -1, 32: -1, 48: -1}


@pytest.mark.parametrize("item", ["food", "drink"])
def test_health_falls_after_31_steps_asleep_if_anything_lacks(item):
    env = draw_world("#z#", inventory={item: 0, "energy": 1})
    result = list(live(env, 31))
    assert [r.info["inventory"]["health"] for r in result[29:]] == [9, 8]


@pytest.mark.parametrize("item", ["food", "drink", "energy"])
def test_one_point_is_enough_for_recovery(item):
    env = draw_world("v", inventory={item: 1})
    act(env, "noop")
    assert env.player.recover == 1


@pytest.mark.parametrize(
    "picture,food,change", [("v", 9, 1), ("z", 9, 2), ("v", 0, -1), ("z", 0, -0.5)]
)
def test_recovery_by_step(picture, food, change):
    env = draw_world(picture, inventory={"food": food, "energy": 5})
    act(env, "noop")
    assert env.player.recover == change


def test_tiredness_does_not_hurt_the_sleeper():
    env = draw_world("#z#", inventory={"energy": 0, "health": 5})
    assert changes(env, "health", 30) == {13: 1, 26: 1}


def test_getting_better_and_worse_share_a_counter():
    env = draw_world("#v#", inventory={"food": 0, "health": 5})
    env.player.recover = 20
    assert changes(env, "health", 40) == {36: -1}
    env = draw_world("#v#", inventory={"health": 5})
    env.player.recover = -15
    assert changes(env, "health", 45) == {41: 1}


def test_starvation_kills():
    env = draw_world("#v#", inventory={"food": 0})
    results = list(live(env, 144))
    assert [r.terminated for r in results] == [False] * 143 + [True]
    assert results[-1].events("died") == [{"type": "died", "by": ["hunger"]}]


def test_amounts_stay_within_their_limits():
    env = draw_world("#v#", inventory=dict.fromkeys(["food", "drink", "energy"], 0))
    for result in live(env, 144):
        assert set(result.info["inventory"].values()) <= set(range(10))
    assert inventory(env, food=0, drink=0, energy=0, health=0)


def test_too_much_of_anything_is_cut_off_in_the_same_step():
    env = draw_world("#v#")
    env.player.inventory.update(dict.fromkeys(env.player.inventory, 12))
    act(env, "noop")
    assert set(env.player.inventory.values()) == {9}


def test_textures_of_the_player():
    env = draw_world("... .v. ...")
    found = [act(env, f"move_{way}") and env.player.texture for way in ("left", "up")]
    found += [
        act(env, f"move_{way}") and env.player.texture for way in ("right", "down")
    ]
    assert found == [f"player-{way}" for way in ("left", "up", "right", "down")]
    env.player.sleeping = True
    assert env.player.texture == "player-sleep"


# Reward and achievements.


def test_an_achievement_is_rewarded_once():
    env = draw_world(">~")
    assert [act(env, "do", 0.5).reward for _ in range(3)] == [1, 0, 0]
    assert env.player.achievements["collect_drink"] == 3
    assert env.unlocked == {"collect_drink"}


def test_two_achievements_in_one_step_are_rewarded_as_one():
    env = draw_world("zT", facing=(1, 0), inventory={"energy": 9})
    result = play(env, ("do", ">.", 0.5))
    assert result.info["unlocked"] == {"wake_up", "collect_wood"}
    assert result.reward == 1
    assert env.player.achievements["wake_up"] == 1
    assert env.player.achievements["collect_wood"] == 1


def test_health_is_rewarded_and_added_to_an_achievement():
    env = draw_world("Z>~")
    result = act(env, "do", 0.5, CHASE, LONG)
    assert inventory(env, health=7)
    assert result.reward == 1 + (7 - 9) / 10
    env.player.recover = 25
    assert act(env, "do", 0.5, CHASE, LONG).reward == 1 / 10


def test_reward_can_be_switched_off():
    env = crafter.Env(area=(2, 1), size=(18, 18), reward=False)
    env.reset(seed=0, options={"map": ["@~"], "facing": (1, 0)})
    result = act(env, "do", 0.5)
    assert result.reward == 0
    assert result.info["reward"] == 1


def test_death_is_decided_at_the_end_of_the_step():
    env = draw_world("<Z.C", inventory={"health": 2})
    # The zombie kills; the cow, which comes later, still acts.
    result = play(env, ("noop", "<ZC.", CHASE, LONG, MOVES, LEFT))
    assert result.terminated


def test_the_game_goes_on_after_death():
    env = draw_world("<.", inventory={"health": 1})
    env.player.inventory["health"] = 0
    with pytest.warns(UserWarning, match="episode ended"):
        assert [act(env, "move_right").terminated for _ in range(2)] == [True, True]
    env.player.recover = 25
    assert not act(env, "noop").terminated


def test_the_time_limit_truncates():
    env = crafter.Env(area=(3, 1), size=(18, 18), length=3)
    env.reset(seed=0, options={"map": ["#@#"]})
    results = [act(env, "noop") for _ in range(3)]
    assert [r.truncated for r in results] == [False, False, True]
    assert not any(r.terminated for r in results)
    assert results[-1].info["discount"] == 1


# Cows.


def test_a_cow_moves_every_other_time():
    play(
        draw_world("v.... ..C.. ....."),
        ("noop", "v.... .C... .....", MOVES, LEFT),
        ("noop", "v.... .C... .....", STAYS),
        ("noop", "v.... ..C.. .....", MOVES, RIGHT),
        ("noop", "v.C.. ..... .....", MOVES, UP),
        ("noop", "v.... ..C.. .....", MOVES, DOWN),
        ("noop", "v.... ..... ..C..", MOVES, DOWN),
        ("noop", "v.... ..... ..C..", MOVES, DOWN),
    )


@pytest.mark.parametrize("char", "CZS")
@pytest.mark.parametrize("material", constants.materials)
def test_creatures_enter_grass_path_and_sand(material, char):
    env = draw_world(f"{char}{MATERIALS[material]}" + "#" * 9 + "v")
    draws = {"C": (MOVES, RIGHT), "Z": (RIGHT,), "S": (0.1999, RIGHT)}[char]
    act(env, "noop", *draws)
    (creature,) = env.world.objects[1:]
    assert creature.x == (material in ("grass", "path", "sand"))


def test_a_creature_does_not_enter_the_cell_of_another_object():
    play(
        draw_world("<CC"),
        ("noop", "<CC", MOVES, LEFT, MOVES, LEFT),
    )


def test_a_dead_cow_draws_once_more():
    env = draw_world("v.. .C. ...")
    the(env, "cow").health = 0
    play(
        env,
        ("noop", "v.. ... ...", MOVES, RIGHT),
        ("noop", "v.. ... ..."),
    )
    env = draw_world("v.. .C. ...")
    the(env, "cow").health = 0
    play(env, ("noop", "v.. ... ...", STAYS))


# Zombies.


def test_a_zombie_chases_within_eight_cells():
    play(draw_world("v.......Z"), ("noop", "v......Z.", CHASE, LONG))
    play(draw_world("v........Z"), ("noop", "v........Z", RIGHT))
    play(draw_world("v........Z"), ("noop", "v.......Z.", LEFT))


def test_a_zombie_wanders_in_one_of_ten_steps():
    play(draw_world("v..Z."), ("noop", "v...Z", WANDER, RIGHT))


def test_a_zombie_chases_along_the_longer_or_the_shorter_axis():
    play(draw_world("v... .... ...Z"), ("noop", "v... .... ..Z.", CHASE, LONG))
    play(draw_world("v... .... ...Z"), ("noop", "v... ...Z ....", CHASE, SHORT))
    play(draw_world("v.. ... ... ..Z"), ("noop", "v.. ... ..Z ...", CHASE, LONG))
    play(draw_world("v.. ... ... ..Z"), ("noop", "v.. ... ... .Z.", CHASE, SHORT))


def test_a_zombie_at_equal_distances_takes_y_for_long_and_x_for_short():
    play(draw_world("v.. ... ..Z"), ("noop", "v.. ..Z ...", CHASE, LONG))
    play(draw_world("v.. ... ..Z"), ("noop", "v.. ... .Z.", CHASE, SHORT))


def test_a_zombie_in_line_does_not_move_along_the_shorter_axis():
    play(draw_world("v.Z ..."), ("noop", "v.Z ...", CHASE, SHORT))


def test_a_zombie_sees_where_the_player_has_just_gone():
    play(draw_world(".>.......Z"), ("move_right", "..>.....Z.", CHASE, LONG))
    play(draw_world("..v......Z."), ("move_left", ".<.......Z.", WANDER, UP))
    play(draw_world(".v.......Z."), ("move_left", "<.......Z..", LEFT))


def test_a_zombie_strikes_at_once_and_then_every_sixth_step():
    env = draw_world(">Z")
    healths = []
    for step in range(1, 14):
        # By day the balance wants no zombies, and tries to take this one.
        balance = [0.4] if step == 10 else []
        act(env, "noop", CHASE, LONG, *balance)
        healths.append(env.player.health)
    assert healths == [7] * 6 + [5] * 6 + [3]


def test_a_zombie_strikes_in_the_step_in_which_it_arrives():
    env = draw_world(">.Z")
    play(env, ("noop", ">Z.", CHASE, LONG))
    assert inventory(env, health=7)


def test_a_zombie_strikes_however_it_came_beside_the_player():
    env = draw_world("v.Z")
    play(env, ("noop", "vZ.", WANDER, LEFT))
    assert inventory(env, health=7)


@pytest.mark.parametrize(
    "picture", ["... Zv. ...", "... .vZ ...", ".Z. .v. ...", "... .v. .Z."]
)
def test_a_zombie_strikes_from_every_side(picture):
    env = draw_world(picture)
    play(env, ("noop", picture, CHASE, LONG))
    assert inventory(env, health=7)


def test_a_zombie_does_not_strike_diagonally():
    env = draw_world("v. .Z")
    play(env, ("noop", "v. .Z", WANDER, DOWN))
    assert inventory(env, health=9)


def test_the_cooldown_passes_only_beside_the_player():
    env = draw_world(">.Z#")
    zombie = the(env, "zombie")
    zombie.cooldown = 2
    play(env, ("noop", ">.Z#", WANDER, RIGHT), ("noop", ">.Z#", WANDER, RIGHT))
    assert zombie.cooldown == 2
    play(env, ("noop", ">Z.#", CHASE, LONG), ("noop", ">Z.#", CHASE, LONG))
    assert zombie.cooldown == 0
    assert inventory(env, health=9)
    play(env, ("noop", ">Z.#", CHASE, LONG))
    assert zombie.cooldown == 5
    assert inventory(env, health=7)


def test_a_sleeper_loses_seven_and_sleeps_one_step_longer():
    env = draw_world("zZ", inventory={"energy": 5})
    result = play(env, ("noop", "zZ", CHASE, LONG))
    assert inventory(env, health=2)
    assert result.info["sleeping"]
    result = play(env, ("move_left", "vZ", CHASE, LONG))
    assert result.info["action"] == "sleep"
    assert env.player.achievements["wake_up"] == 0
    play(env, ("move_left", "<Z", CHASE, LONG))


def test_a_struck_sleeper_with_full_energy_wakes_rested():
    env = draw_world("zZ", inventory={"energy": 8})
    env.player.fatigue = -10
    play(env, ("noop", "zZ", CHASE, LONG))
    assert inventory(env, energy=9, health=2)
    result = play(env, ("move_left", "<Z", CHASE, LONG))
    assert result.info["action"] == "move_left"
    assert env.player.achievements["wake_up"] == 1


def test_one_who_falls_asleep_beside_a_zombie_is_struck_asleep():
    env = draw_world(">Z", inventory={"energy": 5})
    play(env, ("sleep", "zZ", CHASE, LONG))
    assert inventory(env, health=2)


def test_a_dead_zombie_strikes_once_more():
    env = draw_world(">Z", inventory={"iron_sword": 1})
    play(env, ("do", ">.", CHASE, LONG))
    assert inventory(env, health=7)
    assert env.player.achievements["defeat_zombie"] == 1
    play(env, ("noop", ">."))


def test_a_dead_zombie_stays_at_its_distance():
    env = draw_world(">.Z.")
    the(env, "zombie").health = 0
    play(env, ("noop", ">...", CHASE, LONG))  # It does not come closer,
    assert inventory(env, health=9)
    env = draw_world(">Z.")
    the(env, "zombie").health = 0
    play(env, ("noop", ">..", WANDER, RIGHT))  # nor go away.
    assert inventory(env, health=7)


# Skeletons.

SHOOT, KEEP = 0.4999, 0.5
HUNT, LEAVE = 0.2999, 0.3
ROAM, REST = 0.1999, 0.2
AXIS, OTHER_AXIS = 0.5999, 0.6


def test_a_skeleton_retreats_within_three_cells():
    play(draw_world(">__S_"), ("noop", ">___S", AXIS))
    play(draw_world(">S___"), ("noop", ">_S__", AXIS))
    play(draw_world(">___S_"), ("noop", ">___S_", KEEP, LEAVE, REST))


def test_a_skeleton_retreats_along_either_axis():
    play(draw_world("v___ __S_ ____"), ("noop", "v___ ___S ____", AXIS))
    play(draw_world("v___ __S_ ____"), ("noop", "v___ ____ __S_", OTHER_AXIS))


def test_a_skeleton_in_line_cannot_retreat_along_the_other_axis():
    world = ">__S_ _____"
    play(draw_world(world), ("noop", world, OTHER_AXIS, KEEP, LEAVE, REST))


def test_a_cornered_skeleton_shoots():
    env = draw_world(">__S#", under="path")
    play(
        env,
        ("noop", ">_←S#", AXIS, SHOOT),
        ("noop", ">←_S#", AXIS, SHOOT),  # It reloads; no other branch is tried.
        ("noop", ">__S#", AXIS, SHOOT),
        ("noop", ">__S#", AXIS, SHOOT),
        ("noop", ">_←S#", AXIS, SHOOT),
    )
    assert inventory(env, health=7)


def test_a_skeleton_shoots_within_five_cells():
    play(draw_world(">____S"), ("noop", ">___←S", SHOOT))
    play(draw_world(">_____S"), ("noop", ">____S_", HUNT, AXIS))


def test_a_skeleton_shoots_along_the_longer_axis():
    play(
        draw_world("v____ ___S_"),
        ("noop", "v____ __←S_", SHOOT),
    )
    play(draw_world("v__ ___ __S"), ("noop", "v__ __↑ __S", SHOOT))
    play(draw_world("__S ___ v__"), ("noop", "__S __↓ v__", SHOOT))
    play(draw_world("S____v"), ("noop", "S→___v", SHOOT))


@pytest.mark.parametrize("material", constants.materials)
def test_arrows_start_where_they_can_fly(material):
    env = draw_world(f">___{MATERIALS[material]}S")
    act(env, "noop", SHOOT)  # A failed shot ends the update as well.
    flies = material in ("grass", "path", "sand", "water", "lava")
    assert kinds(env) == ["skeleton"] + ["arrow"] * flies
    assert the(env, "skeleton").reload == 4 * flies


def test_arrows_do_not_start_on_objects():
    play(draw_world(">___CS"), ("noop", ">___CS", STAYS, SHOOT))


def test_a_skeleton_hunts_within_eight_cells():
    play(draw_world(">_______S"), ("noop", ">______S_", HUNT, AXIS))
    play(draw_world(">___S"), ("noop", ">__S_", KEEP, HUNT, AXIS))
    play(draw_world(">________S"), ("noop", ">________S", REST))
    play(draw_world("v____ ___S_"), ("noop", "v__S_ _____", KEEP, HUNT, OTHER_AXIS))
    play(draw_world(">_______S"), ("noop", ">_______S", LEAVE, REST))


def test_a_skeleton_roams_now_and_then():
    play(draw_world(">________S_"), ("noop", ">_________S", ROAM, RIGHT))
    play(draw_world(">_______S_"), ("noop", ">________S", LEAVE, ROAM, RIGHT))
    play(draw_world(">____S_"), ("noop", ">_____S", KEEP, LEAVE, ROAM, RIGHT))


def test_a_skeleton_leaves_its_tunnel():
    play(draw_world(">__S.", under="sand"), ("noop", ">__,S", AXIS))


def test_reloading_takes_four_updates():
    env = draw_world("v____S")
    skeleton = the(env, "skeleton")
    skeleton.reload = 4
    for left in (3, 2, 1):
        play(env, ("noop", "v____S", SHOOT))
        assert skeleton.reload == left
    play(env, ("noop", "v___←S", SHOOT))
    assert skeleton.reload == 4


def test_a_dead_skeleton_shoots_once_more():
    env = draw_world(">____S_")
    the(env, "skeleton").health = 0
    play(env, ("noop", ">___←__", SHOOT), ("noop", ">__←___"))


def test_a_dead_skeleton_may_think_that_it_retreats():
    env = draw_world(">__S_")
    the(env, "skeleton").health = 0
    play(env, ("noop", ">____", AXIS))
    # Its own cell is free now, so that even no move at all succeeds.
    env = draw_world(">__S_")
    the(env, "skeleton").health = 0
    play(env, ("noop", ">____", OTHER_AXIS))
    # Against a wall it cannot, and shoots.
    env = draw_world(">__S#")
    the(env, "skeleton").health = 0
    play(env, ("noop", ">_←_#", AXIS, SHOOT))


# Arrows.


@pytest.mark.parametrize("material", constants.materials)
def test_an_arrow_flies_over_open_ground_water_and_lava(material):
    char = MATERIALS[material]
    env = draw_world(f"v#{char}←")
    if material in ("grass", "path", "sand", "water", "lava"):
        play(env, ("noop", "v#←_"), ("noop", f"v#{char}_"))
    elif material in ("table", "furnace"):
        play(env, ("noop", "v#__"))
    else:
        play(env, ("noop", f"v#{char}_"))


@pytest.mark.parametrize("direction", ARROWS)
def test_an_arrow_flies_straight_on_to_the_edge(direction):
    rows = [list("_____") for _ in range(5)]
    rows[2][2] = ARROWS[direction]
    rows[0][0] = "v"
    env = draw_world(" ".join("".join(row) for row in rows))
    arrow = the(env, "arrow")
    for step in (1, 2):
        act(env, "noop")
        assert arrow.position == (2 + step * direction[0], 2 + step * direction[1])
    (event,) = act(env, "noop").events("arrow_stopped")
    assert event["by"] == "edge"
    assert kinds(env) == []


def test_an_arrow_hurts_the_player():
    env = draw_world(">_←")
    play(env, ("noop", ">←_"))
    assert inventory(env, health=9)
    play(env, ("noop", ">__"))
    assert inventory(env, health=7)


def test_an_arrow_hurts_a_sleeper_no_more_than_others():
    env = draw_world("z←", inventory={"energy": 3})
    play(env, ("noop", "z_"))
    assert inventory(env, health=7)
    play(env, ("noop", "v_"))


@pytest.mark.parametrize("char,left", [("C", 1), ("Z", 3), ("S", 1), ("P", 0)])
def test_an_arrow_hurts_whatever_is_in_the_way(char, left):
    env = draw_world(f"v##{char}←")
    thing = env.world[3, 0][1]
    thing.update = lambda: None
    act(env, "noop")
    assert thing.health == left
    assert kinds(env) == [thing.kind]


def test_arrows_end_at_arrows():
    env = draw_world("v#→←_")
    # The first one hits the second, whose health stays 0; then it flies on.
    play(env, ("noop", "v#←__"))


def test_a_creature_killed_by_an_arrow_is_not_the_players():
    env = draw_world(">_C←")
    the(env, "cow").health = 2
    play(env, ("noop", ">_C_", STAYS), ("noop", ">_._", MOVES, LEFT))
    assert not env.unlocked


def test_a_stroke_at_a_creature_killed_by_an_arrow_counts():
    env = draw_world(">C←", inventory={"food": 1})
    the(env, "cow").health = 2
    play(env, ("noop", ">C_", STAYS))
    assert the(env, "cow").health == 0
    play(env, ("do", ">._", STAYS))
    assert env.player.achievements["eat_cow"] == 1
    assert inventory(env, food=7)


def test_an_arrow_does_not_fly_in_the_step_of_the_shot():
    play(draw_world("v____S"), ("noop", "v___←S", SHOOT), ("noop", "v__←_S", SHOOT))


def test_textures_of_arrows():
    for direction, name in zip(constants.directions.values(), constants.directions):
        env = draw_world(f"v{ARROWS[direction]}")
        assert the(env, "arrow").texture == f"arrow-{name}"


# Plants.


def test_a_plant_ripens_after_300_steps():
    env = draw_world("#vP")
    plant = the(env, "plant")
    plant.grown = 299
    assert plant.texture == "plant"
    play(env, ("noop", "#vP"))
    assert plant.grown == 300
    result = play(env, ("noop", "#vR"))
    assert plant.texture == "plant-ripe"
    assert result.event_types() == ["plant_ripe"]


@pytest.mark.parametrize("char", "CZS")
@pytest.mark.parametrize("side", ["left", "right", "up", "down"])
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


def test_diagonal_creatures_players_and_arrows_do_not_trample():
    env = draw_world("C.C. .P<. C↑C.")
    for obj in env.world.objects[1:]:
        if obj.kind != "plant":
            obj.update = lambda: None
    play(env, ("noop", "C.C. .P<. C↑C."))


def test_several_creatures_do_the_damage_of_one():
    env = draw_world("v.... .CPC. ..C..")
    plant = the(env, "plant")
    plant.health = 2
    act(env, "noop", *[STAYS] * 3)
    assert plant.health == 1


def test_a_plant_goes_one_step_after_an_arrow_hit_it():
    env = draw_world("v#P←")
    play(env, ("noop", "v#P_"))
    result = play(env, ("noop", "v#._"))
    assert result.events("plant_lost")[0]["by"] == "arrow"


# The loop over the objects.


def test_objects_act_in_the_order_of_their_index():
    # Both cows want the cell between them.
    play(draw_world("v##C.C"), ("noop", "v##.CC", MOVES, RIGHT, MOVES, LEFT))
    env = draw_world("v##..C")
    env.world.add(Cow(env.world, (3, 0), env.player))
    play(env, ("noop", "v##CC.", MOVES, LEFT, MOVES, RIGHT))


def test_objects_act_within_18_cells():
    row = "v" + "." * 16 + "C."
    play(draw_world(row), ("noop", row, STAYS))
    row = "v" + "." * 17 + "C."
    play(draw_world(row), ("noop", row))


def test_the_distance_counts_from_where_the_player_has_gone():
    play(
        draw_world("v" + "." * 17 + "C"),
        ("move_right", ".>" + "." * 16 + "C", STAYS),
        ("move_left", "<" + "." * 17 + "C"),
    )


def test_the_distance_follows_the_larger_side_of_the_view():
    env = crafter.Env(area=(30, 1), size=(44, 44), view=(11, 9))
    for distance, near in [(21, True), (22, False)]:
        env.reset(seed=0, options={"map": ["@" + "." * 29]})
        env.world.add(Cow(env.world, (distance, 0), env.player))
        act(env, "noop", *[STAYS] * near)


def test_a_far_plant_neither_grows_nor_suffers():
    env = draw_world("v" + "." * 17 + "PZ")
    play(env, ("noop", "v" + "." * 17 + "PZ"))
    assert the(env, "plant").grown == 0


def test_frozen_zombies_keep_their_cooldown():
    env = draw_world("v" + "." * 17 + "Z")
    the(env, "zombie").cooldown = 3
    act(env, "noop")
    assert the(env, "zombie").cooldown == 3


def test_an_observation_draws_a_number_per_pixel_of_the_map_at_night():
    env = crafter.Env(area=(3, 3))
    for daytime, numbers in [("noon", 0), ("midnight", 63 * 49)]:
        options = {"map": ["...", ".@.", "..."], "daytime": daytime}
        env.reset(seed=0, options=options)
        expected = copy.deepcopy(env.world.random)
        expected.uniforms(numbers)
        env.step(0)
        env.frame((300, 300))
        assert env.world.random.getstate() == expected.getstate()


# Primitive operations.


@pytest.mark.parametrize("dx,dy", [(3, 1), (-3, 1), (3, -4), (-2, -4), (0, 0), (0, 5)])
def test_distance_adds_columns_and_rows(dx, dy):
    world = draw_world("v").world
    here = Cow(world, (5, 7), None)
    there = Cow(world, (5 + dx, 7 + dy), None)
    assert here.distance(there) == there.distance(here) == abs(dx) + abs(dy)


def test_health_is_never_negative():
    env = draw_world("vC")
    for obj in env.world.objects:
        obj.damage(99, "test")
        assert obj.health == 0


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


@pytest.mark.parametrize(
    "dx,dy,long,short",
    [
        (3, 1, (1, 0), (0, 1)),
        (-3, 1, (-1, 0), (0, 1)),
        (1, -3, (0, -1), (1, 0)),
        (2, 2, (0, 1), (1, 0)),
        (-2, 2, (0, 1), (-1, 0)),
        (0, 4, (0, 1), (0, 0)),
        (4, 0, (1, 0), (0, 0)),
        (0, 0, (0, 0), (0, 0)),
    ],
)
def test_toward(dx, dy, long, short):
    env = draw_world("v")
    here, there = (
        Cow(env.world, (5, 5), env.player),
        Cow(env.world, (5 + dx, 5 + dy), env.player),
    )
    assert here.toward(there) == long
    assert here.toward(there, long_axis=False) == short


def test_how_objects_start():
    env = draw_world("vC Z. SP")
    fields = {"cow": {}, "zombie": {"cooldown": 0}, "skeleton": {"reload": 0}}
    healths = {"cow": 3, "zombie": 5, "skeleton": 3, "plant": 1, "player": 9}
    fields |= {"plant": {"grown": 0, "ripe": False}}
    fields |= {"player": dict.fromkeys(["hunger", "thirst", "fatigue", "recover"], 0)}
    for kind, health in healths.items():
        obj = the(env, kind)
        assert obj.health == health
        assert {name: getattr(obj, name) for name in fields[kind]} == fields[kind]
    assert Arrow(env.world, (0, 0), (0, 1)).health == 0


def test_how_the_player_starts():
    player = Player(World((1, 1), 0), (0, 0), constants.items)
    assert (player.facing, player.sleeping, player.action) == ((0, 1), False, "noop")
    assert set(player.achievements.values()) == {0}
    full = ["health", "food", "drink", "energy"]
    amounts = {name: 9 if name in full else 0 for name in constants.items}
    assert player.inventory == amounts
    assert player.last_health == 9


def test_an_object_without_rules_cannot_act():
    with pytest.raises(NotImplementedError):
        Object.update(Cow(World((1, 1), 0), (0, 0), None))
