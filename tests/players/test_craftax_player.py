"""The scripted player of Craftax reaches, hides, crafts, and beats the boss."""

from __future__ import annotations

import pytest

from crafter.craftax import Env
from crafter.players.craftax import CraftaxPlayer, gear, shelter
from crafter.players.craftax.foresight import Foresight, copied, play
from crafter.players.craftax.scene import Scene
from crafter.players.craftax.ways import Reach

OPEN = "\n".join(["." * 48] * 48)
#: What a player has that comes down to the boss well equipped.
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


def test_looking_ahead_changes_nothing():
    env = start(creatures=[("zombie", (10, 12)), ("skeleton", (14, 10))])
    before = env.get_state()
    Foresight(env).values(env.player, ["noop", "right", "do"], "right", 1.0)
    after = env.get_state()
    assert all((before[name] == after[name]).all() for name in before)


def test_looking_ahead_plays_by_the_rules():
    env = start(creatures=[("zombie", (10, 11))])
    trial = copied(env.player)
    play(trial, 0, Foresight(env)._pool[0])
    assert trial.health == env.player.health - 2


def test_the_first_tools_are_made():
    env = Env("semantic", rules="repaired")
    _, info = env.reset(seed=3)
    player = CraftaxPlayer()
    for _ in range(400):
        *_, info = env.step(player.act(env, info))
    assert {"place_table", "make_wood_pickaxe", "make_wood_sword"} <= env.unlocked
    assert {"collect_stone", "make_stone_pickaxe"} <= env.unlocked


@pytest.mark.slow
def test_the_boss_is_beaten_by_a_well_equipped_player():
    env = Env("semantic", rules="repaired")
    options = {"floor": 8, "inventory": {**KIT, **ARMOUR}}
    attributes = {"strength": 5, "dexterity": 5}
    _, info = env.reset(seed=0, options={**options, "attributes": attributes})
    env.player.health = 13.0
    env.player.armour_enchantments = [1, 1, 2, 2]
    env.player.sword_enchantment, env.player.bow_enchantment = 1, 2
    player, terminated = CraftaxPlayer(), False
    while not terminated and env.step_count < 10_000:
        _, _, terminated, _, info = env.step(player.act(env, info))
    assert env.world.boss_progress == 8
    assert "defeat_necromancer" in env.unlocked
