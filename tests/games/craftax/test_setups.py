"""Setups: both values of each switch, and the test vectors of their specification."""

import copy

import gymnasium as gym
import numpy as np
import pytest
from craftax_scenes import DOWN, LEFT, RIGHT, UP, of_type, prepared, types
from helpers import mistakes

from crafter.craftax import Env
from crafter.games.craftax import game, rules, tables
from crafter.games.craftax.affordances import action_mask, puffer_mask

SWITCHES = list(tables.load().data["switches"])
#: Ids, other than moves, in the PufferLib mask of each hand-made scene.
MASKS = mistakes("""
level: 0 => 5
front: stone => 5
front: stone, has: {pickaxe: 1} => 5
has: {wood: 9} => 5 8 11 14
has: {wood: 9}, near: [crafting_table] => 5 8 11 14
has: {wood: 1, stone: 1, pickaxe: 1, sword: 2}, near: [crafting_table] => 5 7 9 12 25
front: water, has: {stone: 1} => 5 7 9
front: grass, has: {sapling: 1} => 5 10
front: grass, has: {sapling: 99} => 5 10
front: grass, creatures: [[cow]], has: {torches: 1} => 5 28
has: {energy: 8} => 5 6
has: {health: 8.0, food: 0} => 5 17
creatures: [[zombie, [-1, 0], 0]] => 5
creatures: [[skeleton, [0, 1], 0]] => 5
creatures: [[skeleton, [0, 4], 0]] => 5
has: {bow: 1, arrows: 5} => 5 24
has: {bow: 1, arrows: 5}, shots: [3, player, [-1, 0]] => 5 24
level: 1, here: ladder_down, monsters_killed: 7 => 5
level: 1, here: ladder_down, monsters_killed: 8 => 5 18
level: 1, here: ladder_up => 5 19
front: enchantment_table_fire, has: {sword: 1, sapphire: 1} => 5 36
front: enchantment_table_fire, has: {sword: 1, sapphire: 1, ruby: 1} => 5 36
front: enchantment_table_fire, has: {sword: 1, ruby: 1, mana: 8} => 5
has: {sleeping: true} => only waiting
has: {xp: 1, dexterity: 5, energy: 17} => 5 40 41
level: 8, front: necromancer, boss_timer: 0 => 5
level: 8, front: necromancer, boss_timer: 1 => 5
has: {iron: 3, coal: 3, armour: [1, 1, 1, 1]}, near: [crafting_table, furnace] => 5
has: {iron: 3, coal: 3, armour: [1, 1, 1, 0]}, near: [crafting_table, furnace] => 5 22
has: {arrows: 99, wood: 1, stone: 1} => 5 7 9 11 12 14 15
has: {learned_spells: [true, false], mana: 2} => 5 26
has: {books: 1, potions: [0, 0, 1, 0, 0, 0]} => 5 31 35
""")


def switched(*names):
    return {"switches": {name: {"applied": True} for name in names}}


@pytest.fixture(params=["published", "puffer"])
def setup(request):
    return request.param


def on_sand(setup, **more):
    """Returns a scene on sand with the player in the middle."""
    scene = prepared(rules=setup, **more)
    sand, path = (scene.tables.block_ids[name] for name in ("sand", "path"))
    blocks = scene.floor.block_map
    blocks[blocks == path] = sand
    return scene


def walled_in(scene, name, offset=UP, **more):
    """Places a creature that cannot leave its cell beside the player."""
    mob = scene.creature(name, offset, **more)
    for side in (UP, DOWN, LEFT, RIGHT):
        cell = offset[0] + side[0], offset[1] + side[1]
        if cell != (0, 0):
            scene.put("stone", cell)
    return mob


# Masks.


@pytest.mark.parametrize(("moment", "ids"), MASKS)
def test_puffer_mask_of_what_the_player_has(moment, ids):
    player = prepared(**moment).player
    expected = [0] if ids == "only waiting" else [0, 1, 2, 3, 4, *map(int, ids.split())]
    assert np.flatnonzero(puffer_mask(player)).tolist() == expected


def test_puffer_mask_at_the_edge_of_the_map():
    scene = on_sand("published")
    scene.player.row = 0
    for mask, ids in ((puffer_mask, [0, 1, 2, 3, 4, 5]), (action_mask, [0, 1, 2, 4])):
        assert np.flatnonzero(mask(scene.player)).tolist() == ids


def test_setup_has_its_mask_unless_another_is_asked_for():
    env = Env(setup="puffer", seed=1)
    _, info = env.reset()
    assert info["action_mask"].tolist() == puffer_mask(env.player).tolist()
    env = Env(setup="puffer", action_masks="exact", seed=1)
    _, info = env.reset()
    assert info["action_mask"].tolist() == action_mask(env.player).tolist()
    assert env.action_masks().tolist() == action_mask(env.player).astype(bool).tolist()


# Decisions: reward and done, published and puffer.


def act(setup, action, **more):
    scene = on_sand(setup, **copy.deepcopy(more))
    scene.step(action)
    return round(scene.reward, 5)


def both(action, **more):
    """Returns the rewards of a decision in both setups."""
    return act("published", action, **more), act("puffer", action, **more)


def test_achievements_are_rewarded_alike():
    assert both("do", front="tree") == (1, 1)


def test_armour_is_rewarded_by_its_tiers():
    iron = {"has": {"iron": 3, "coal": 3}, "near": ["crafting_table", "furnace"]}
    collected = {"achieved": ["collect_iron", "collect_coal"]}
    assert both("make_iron_armour", **iron, **collected) == (3, 4)
    made = {"achieved": [*collected["achieved"], "make_iron_armour"]}
    assert both("make_iron_armour", **iron, **made) == (0, 1)
    diamond = {"near": ["crafting_table"], "achieved": ["collect_diamond"]}
    for worn, rewards in (([1, 1, 1, 1], (3, 4)), ([0, 0, 0, 0], (3, 5))):
        has = {"diamond": 3, "armour": worn}
        assert both("make_diamond_armour", has=has, **diamond) == rewards


def test_health_is_rewarded_in_the_published_game_only():
    struck = {"creatures": [["zombie", [0, 1], 0]]}
    assert both("noop", **struck) == (-0.2, 0)
    potion = {"has": {"potions": [1, 0, 0, 0, 0, 0], "health": 4.0}}
    assert both("drink_potion_red", **potion) == (3.5, 3)


def test_death_costs_one_whatever_was_achieved(setup):
    struck = {"creatures": [["zombie", [0, 1], 0]], "has": {"health": 2.0}}
    scene = on_sand(setup, front="tree", **struck)
    scene.step("do")
    assert round(scene.reward, 5) == {"published": 0.8, "puffer": -1}[setup]
    assert game.is_over(scene.player)


def test_the_last_hit_of_the_boss(setup):
    scene = prepared(
        rules=setup,
        level=8,
        front="necromancer",
        boss_timer=0,
        achieved=["damage_necromancer"],
    )
    scene.world.boss_progress = 7
    events = scene.step("do")
    assert scene.reward == 8 and ("won" in types(events)) == (setup == "published")
    assert game.is_over(scene.player) == (setup == "published")
    scene.world.boss_timer = 0
    events = scene.step("do")
    assert scene.world.boss_progress == 9 and scene.reward == 0


def test_a_shot_that_kills_a_cow(setup):
    scene = on_sand(setup, has={"bow": 1, "arrows": 1})
    for name in ("find_bow", "fire_bow", "make_arrow"):
        scene.player.achievements[scene.tables.achievement_ids[name]] = True
    walled_in(scene, "cow", health=1.0)
    scene.step("shoot_arrow")
    total = scene.reward
    scene.step()
    assert total + scene.reward == {"published": 0, "puffer": 1}[setup]
    assert scene.has("eat_cow") == (setup == "puffer")
    assert not scene.floor.passive[0].alive and scene.player.hunger > 0


# Sleep and rest: ticks, rewards, and the vitals left.


#: Action and what the player has; ticks, reward by PufferLib, published; what is left.
SLEEP = [
    ("sleep", {"energy": 8}, 12, 1, 1, {"energy": 9}),
    ("sleep", {"energy": 8, "fatigue": 5.0}, 13, 1, 1, {"energy": 9}),
    ("sleep", {"energy": 5, "health": 5.0}, 45, 1, 1.3, {"health": 8}),
    ("sleep", {"energy": 0}, 100, 1, 1, {"food": 8, "drink": 7}),
    ("sleep", {"energy": 9}, 1, 0, 0, {"energy": 9}),
    ("sleep", {"energy": 9, "dexterity": 2}, 23, 1, 1, {"energy": 11}),
    ("rest", {"health": 8.0}, 27, 0, 0.1, {}),
    ("rest", {"health": 5.0}, 105, 0, 0.4, {"food": 5, "drink": 4}),
    ("rest", {"health": 5.0, "food": 1, "hunger": 25.0}, 2, 0, 0, {}),
    ("rest", {"health": 5.0, "food": 0}, 1, 0, 0, {}),
    ("sleep", {"energy": 0, "food": 0, "health": 1.0}, 31, -1, -0.1, {"health": 0}),
    ("sleep", {"energy": 0, "food": 0, "health": 2.0}, 62, -1, -0.2, {"health": 0}),
]


def ticks_of(scene, action):
    """Plays until the player is awake again or dead: ticks, decisions and rewards."""
    begin, total, decisions = scene.world.timestep, 0.0, 0
    player, last = scene.player, scene.world.parameters.max_timesteps
    while not decisions or (
        (player.sleeping or player.resting)
        and not game.is_over(player)
        and scene.world.timestep < last
    ):
        scene.step("noop" if decisions else action)
        total, decisions = total + scene.reward, decisions + 1
    return scene.world.timestep - begin, decisions, round(total, 4)


def check_rest(scene, setup, action, ticks, collapsed, published, after):
    spent, decisions, total = ticks_of(scene, action)
    assert spent == ticks
    assert decisions == (1 if setup == "puffer" else ticks)
    assert total == (collapsed if setup == "puffer" else published)
    assert {name: getattr(scene.player, name) for name in after} == after


@pytest.mark.parametrize("row", SLEEP)
def test_sleep_and_rest(setup, row):
    action, has, *expected = row
    check_rest(on_sand(setup, has=has), setup, action, *expected)


def test_sleep_ends_with_the_game(setup):
    scene = on_sand(setup, has={"energy": 0})
    scene.world.timestep = 99_950
    check_rest(scene, setup, "sleep", 50, 0, 0, {"energy": 4})


@pytest.mark.parametrize(
    ("cooldown", "row"),
    [(3, (4, 1, 0.3, {"health": 2.0})), (0, (7, -1, 0.1, {}))],
)
def test_who_is_struck_asleep(setup, cooldown, row):
    scene = on_sand(setup, has={"energy": 5})
    walled_in(scene, "zombie", cooldown=cooldown)
    check_rest(scene, setup, "sleep", *row)
    assert (scene.player.health <= 0) == (cooldown == 0)


def test_who_is_struck_at_rest(setup):
    scene = on_sand(setup)
    walled_in(scene, "zombie", cooldown=0)
    check_rest(scene, setup, "rest", 7, 0, -0.4, {"health": 5.0})


def test_a_shot_ends_sleep_without_waking_up(setup):
    scene = on_sand(setup, has={"energy": 5})
    scene.shoot("arrow", (-4, 0), DOWN)
    check_rest(scene, setup, "sleep", 4, 0, -0.2, {"health": 7.0})
    assert not scene.has("wake_up")


# Both values of the other switches.


@pytest.fixture(params=[False, True])
def applied(request):
    return request.param


def scene_with(name, applied, **more):
    return prepared(rules=switched(name) if applied else "published", **more)


@pytest.mark.parametrize(
    ("action", "block", "has"),
    [
        ("place_torch", "path", {"torches": 1}),
        ("place_plant", "grass", {"sapling": 1}),
        ("place_stone", "water", {"stone": 1}),
    ],
)
def test_crowded_cells(applied, action, block, has):
    scene = scene_with("crowded", applied, front=block, has=has)
    scene.creature("bat")
    number = scene.tables.action_names.index(action)
    assert bool(action_mask(scene.player)[number]) == applied
    assert puffer_mask(scene.player)[number]
    events = scene.step(action)
    assert ("placed" in types(events)) == applied
    assert scene.floor.passive[0].alive and bool(scene.floor.occupied_map[scene.at(UP)])


def test_stone_on_land_is_never_placed_below_a_creature(applied):
    scene = scene_with("crowded", applied, front="grass", has={"stone": 1})
    walled_in(scene, "cow")
    assert of_type(scene.step("place_stone"), "rejected")["reason"] == "occupied"


def test_ghosts_free_the_cells_of_the_living(applied):
    scene = scene_with("ghosts", applied)
    alive = walled_in(scene, "zombie", LEFT)
    ghost = scene.floor.melee[1]
    ghost.row, ghost.col = alive.row, alive.col
    scene.step()
    assert bool(scene.floor.occupied_map[alive.position]) != applied
    saved = Env(rules=scene.tables.rules, seed=1)
    saved.reset()
    saved.world.floors[0] = scene.floor
    saved.set_state(saved.get_state())
    assert saved.world.floors[0].melee[0].alive


def test_a_blow_hits_one_creature_of_a_cell(applied):
    scene = scene_with("one_target", applied)
    walled_in(scene, "zombie", health=1.0)
    scene.creature("cow", health=1.0)
    scene.step("do")
    assert scene.floor.passive[0].alive == applied and not scene.floor.melee[0].alive


def test_nothing_is_used_beyond_a_closed_map(applied):
    scene = scene_with("closed_map", applied)
    scene.player.row, edge = 0, scene.world.size - 1
    scene.floor.block_map[edge, scene.player.col] = scene.tables.block_ids["chest"]
    mask = action_mask(scene.player)
    rejected = of_type(scene.step("do"), "rejected")
    assert rejected["reason"] == "off_the_map"
    assert scene.floor.chest_opened != applied
    assert mask[scene.tables.action_names.index("do")] == (not applied)


def test_no_table_beyond_a_closed_map_enchants(applied):
    scene = scene_with(
        "closed_map", applied, has={"sword": 1, "sapphire": 1, "ruby": 1}
    )
    scene.player.row, edge = 0, scene.world.size - 1
    table = scene.tables.block_ids["enchantment_table_fire"]
    scene.floor.block_map[edge, scene.player.col] = table
    scene.step("enchant_sword")
    assert bool(scene.player.sword_enchantment) != applied


def test_shots_break_nothing_beyond_a_closed_map(applied):
    scene = scene_with("closed_map", applied)
    scene.player.row, edge = 3, scene.world.size - 1
    scene.floor.block_map[edge, 5] = scene.tables.block_ids["furnace"]
    shot = scene.shoot("arrow", UP, UP)
    shot.row, shot.col = 0, 5
    scene.step()
    stands = scene.floor.block_map[edge, 5] == scene.tables.block_ids["furnace"]
    assert stands == applied


def test_a_floor_is_entered_by_its_ladder(applied):
    scene = scene_with("ladder_entry", applied, level=1)
    number = scene.tables.achievement_ids["enter_dungeon"]
    scene.player.achievements[number] = False
    assert bool(action_mask(scene.player)[39]) != applied
    scene.step()
    assert scene.player.achievements[number] != applied
    scene = scene_with("ladder_entry", applied, here="ladder_down", monsters_killed=8)
    scene.player.achievements[number] = False
    scene.step("descend")
    assert scene.player.level == 1 and scene.player.xp == 1
    assert scene.player.achievements[number]


@pytest.mark.parametrize(("byte", "lit"), [(12, False), (13, True)])
def test_light_as_a_byte(byte, lit):
    scene = prepared(rules=switched("byte_light"))
    between = np.float32(0.0505)  # lit in the published game, 12 as a byte
    scene.floor.light[:] = between
    scene.floor.light[scene.at(UP)] = np.float32(byte / 255)
    env = Env("compact", rules=scene.tables.rules, seed=1)
    seen = env.observer.compact(scene.player)["map"][..., 0] > 0
    assert seen[3, 5] == lit and seen.sum() == lit
    published = Env("compact", seed=1).observer.compact(scene.player)["map"][..., 0] > 0
    assert published[3, 5] == lit and published.sum() == 98 + lit


# Arguments.


def test_names_of_setups():
    assert [Env(setup=name).setup for name in rules.Rules.variants] == [
        "published",
        "repaired",
        "puffer",
    ]
    assert Env(setup={"collapse": True}).setup == "published+collapse"
    assert Env(setup={"collapse": False}).setup == "published"
    everything = {**dict.fromkeys(SWITCHES, True), "creature_bits": True}
    assert Env(setup=everything).setup == "puffer"
    changed = Env(setup="puffer", rules={"boss": {"hits": 3}})
    assert changed.setup.endswith(changed.rules.digest) and "endless" in changed.setup
    env = gym.make("Craftax-Symbolic-v1", setup="puffer")
    assert env.reset(seed=1)[1]["setup"] == "puffer"


def test_switches_at_their_default_are_not_hashed():
    published = rules.Rules.named()
    off = published.changed({"switches": {"endless": {"applied": False}}})
    on = published.changed({"switches": {"endless": {"applied": True}}})
    assert off.digest == published.digest != on.digest
    older = {n: part for n, part in published.data.items() if n != "switches"}
    assert rules.Rules(older) == published
    marks = [row["mark"] for row in published.data["switches"].values()]
    assert marks == ["D1", "D2", "D4", "D10", "P1", "P2", "P3", "P4", "P5", "P6"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"setup": "pufer"}, "setup must be one of"),
        ({"setup": {"colapse": True}}, "setup: expected one of"),
        ({"setup": {"collapse": 1}}, "setup: collapse must be true or false, got 1"),
        ({"setup": "puffer", "rules": "repaired"}, "setup chooses the rules"),
        ({"setup": "puffer", "rules": {"base": "repaired"}}, "setup is puffer"),
    ],
)
def test_wrong_setups_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Env(**arguments)
