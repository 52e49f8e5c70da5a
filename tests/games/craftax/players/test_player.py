"""The scripted player of Craftax reaches, hides, fights and crafts."""

from __future__ import annotations

import pytest

from crafter.craftax import Env
from crafter.games.craftax.players import CraftaxPlayer, dangers, gear, shelter
from crafter.games.craftax.players.guard import Guard
from crafter.games.craftax.players.pathfinding import Reach
from crafter.games.craftax.players.scene import Scene

OPEN = "\n".join(["." * 48] * 48)
#: What a well equipped player has.
KIT = {"stone": 90, "wood": 40, "pickaxe": 4, "sword": 4, "bow": 1, "arrows": 60}
ARMOUR = dict.fromkeys(("helmet", "chestplate", "leggings", "boots"), 2)


def start(rows: dict[int, str] | None = None, **options) -> Env:
    """Start a game with some rows of an open floor replaced."""
    env = Env("semantic", rules="repaired", seed=0)
    lines = OPEN.splitlines()
    for number, row in (rows or {}).items():
        lines[number] = row.ljust(48, ".")
    lines[47] = "." * 47 + ">"
    env.reset(options={"floors": {0: lines}, "position": (10, 10), **options})
    return env


def test_a_way_goes_over_open_ground():
    cost, cells = Reach(Scene(start())).to([(10, 14)])
    assert (cost, cells) == (4, [(10, 11), (10, 12), (10, 13), (10, 14)])


def test_a_way_leads_through_stone_only_with_a_pickaxe():
    wall = dict.fromkeys(range(47), "." * 12 + "#") | {47: "." * 12 + "#"}
    with_pickaxe = start(wall, inventory={"pickaxe": 1})
    assert len(Reach(Scene(with_pickaxe)).to([(10, 14)])[1]) == 4
    assert len(Reach(Scene(start(wall))).to([(10, 14)])[1]) > 4


def test_the_nearest_block_is_found():
    env = start({10: "." * 13 + "T" + "." * 20 + "T"})
    assert Reach(Scene(env)).to_block(["tree"])[1][-1] == (10, 13)
    assert Reach(Scene(env)).to_block(["diamond"]) is None


def test_a_room_in_the_open_is_closed_from_inside():
    env = start(inventory={"stone": 20, "pickaxe": 1})
    room = shelter.find(Scene(env)).room
    for _ in range(40):
        if shelter.enclosure(Scene(env)) is not None:
            break
        env.step(env.action_names.index(shelter.close(Scene(env), room)))
    assert shelter.enclosure(Scene(env)) == room
    assert not shelter.open_sides(Scene(env), room)


def test_there_is_no_room_without_stones():
    assert shelter.find(Scene(start())) is None


@pytest.mark.parametrize(
    "inventory, recipe",
    [
        ({"wood": 3}, "wood_pickaxe"),
        ({"wood": 2}, None),
        ({"wood": 9, "stone": 9, "pickaxe": 1, "sword": 1}, "stone_pickaxe"),
        ({"wood": 9, "diamond": 2, "pickaxe": 3, "sword": 3, "arrows": 99}, None),
        ({"wood": 9, "diamond": 3, "pickaxe": 3, "sword": 3}, "diamond_pickaxe"),
    ],
)
def test_scarce_materials_go_to_what_matters_most(inventory, recipe):
    assert gear.next_recipe(Scene(start(inventory=inventory))) == recipe


def test_the_harm_of_a_step_is_that_of_the_game():
    env = start(creatures=[("zombie", (10, 11)), ("zombie", (12, 10))])
    harm = dangers.harm_at(Scene(env), (10, 10))
    before = env.player.health
    env.step(0)
    assert harm == before - env.player.health == 2


def test_a_monster_in_its_cooldown_does_no_harm():
    env = start(creatures=[("zombie", (10, 11))])
    env.step(0)
    assert dangers.harm_at(Scene(env), (10, 10)) == 0


def test_a_shot_that_comes_is_seen_and_one_behind_stone_is_not():
    for row, seen in (("." * 48, 1), ("." * 11 + "#", 0)):
        env = start({10: row}, creatures=[("skeleton", (10, 14))])
        shot = env.player.floor.mob_projectiles[0]
        shot.row, shot.col, shot.drow, shot.dcol = 10, 13, 0, -1
        shot.alive = True
        assert len(dangers.incoming(Scene(env), (10, 10), 4)) == seen


def test_the_player_climbs_to_a_safe_place_before_a_blow_that_kills():
    env = start(creatures=[("zombie", (10, 11))])
    env.player.health = 2.0
    guard = Guard()
    assert guard.check(Scene(env), "noop", False, "ascend") == "ascend"
    assert guard.check(Scene(env), "noop", False, None) in ("left", "up", "down")


def test_a_closed_room_around_the_way_down_is_a_haven():
    env = start()
    assert not shelter.is_haven(Scene(env), 0)
    for cell in ((46, 47), (47, 46)):
        env.player.floor.block_map[cell] = env.tables.block_ids["stone"]
    assert shelter.is_haven(Scene(env), 0)


def siege() -> Env:
    """Start on the second floor, in the open, under a closed room."""
    env = Env("semantic", rules="repaired", seed=0)
    above, below = OPEN.splitlines(), OPEN.replace(".", "_").splitlines()
    above[46], above[47] = "." * 47 + "#", "." * 46 + "#>"
    below[20], below[47] = "_" * 20 + "<" + "_" * 27, "_" * 47 + ">"
    env.reset(
        options={
            "floor": 1,
            "floors": {0: above, 1: below},
            "position": (20, 20),
            "inventory": {**KIT, **ARMOUR},
            "attributes": {"dexterity": 5},
        }
    )
    return env


@pytest.mark.slow
def test_monsters_are_killed_from_a_room_at_the_ladder():
    env, player = siege(), CraftaxPlayer()
    while env.step_count < 300 and env.world.floors[1].monsters_killed < 3:
        env.step(player.act(env, {}))
    assert env.world.floors[1].monsters_killed == 3
    assert env.player.health >= 9


def test_the_first_tools_are_made():
    env = Env("semantic", rules="repaired")
    _, info = env.reset(seed=3)
    player = CraftaxPlayer()
    for _ in range(400):
        *_, info = env.step(player.act(env, info))
    assert {"place_table", "make_wood_pickaxe", "make_wood_sword"} <= env.unlocked
    assert {"collect_stone", "make_stone_pickaxe"} <= env.unlocked


@pytest.mark.slow
def test_the_player_comes_down_from_the_overworld():
    env = Env("semantic", rules="repaired", max_timesteps=20_000)
    _, info = env.reset(seed=1002)
    player, terminated, truncated = CraftaxPlayer(), False, False
    while info["floor"] < 4 and not (terminated or truncated):
        _, _, terminated, truncated, info = env.step(player.act(env, info))
    assert info["floor"] == 4
    assert {"defeat_lizard", "enter_vault"} <= env.unlocked
