"""Rules in small scenes that the recorded games do not cover."""

import numpy as np
import pytest
from craftax_scenes import DOWN, LEFT, UP, Scene, of_type, prepared, types

from crafter.games.craftax import game, tables

TABLES = tables.load()


def test_there_are_43_actions_67_achievements_and_226_points():
    assert len(TABLES.actions) == 43
    assert len(TABLES.achievement_names) == 67
    assert sum(TABLES.weights) == 226
    categories = list(TABLES.data["achievements"].values())
    names = ("basic", "intermediate", "advanced", "very_advanced")
    assert [categories.count(name) for name in names] == [25, 18, 15, 9]


# The player and its attributes.


def test_a_zombie_strikes_a_sleeper_harder():
    zombie = ["zombie", UP, 0]
    scene = prepared(creatures=[zombie], has={"sleeping": True, "energy": 3})
    events = scene.step()
    assert scene.player.health == 2
    assert of_type(events, "woke") == {"cause": "hurt"}
    assert of_type(events, "hurt")["amount"] == 7
    assert scene.has("wake_up")


def test_only_the_first_of_two_blows_meets_a_sleeper():
    scene = Scene()
    scene.player.attributes = {**scene.player.attributes, "strength": 5}
    scene.player.health, scene.player.sleeping, scene.player.energy = 13.0, True, 3
    for offset in (UP, DOWN):
        scene.creature("zombie", offset, cooldown=0)
    scene.step()
    assert scene.player.health == 13 - 7 - 2


def test_rest_ends_when_healthy():
    scene = Scene()
    scene.player.health, scene.player.recover = 8.0, 25.0
    assert "rested" in types(scene.step("rest"))
    assert scene.player.health == 9
    assert of_type(scene.step("do"), "stood_up") == {"cause": "healthy"}
    assert of_type(scene.step("rest"), "rejected")["reason"] == "not_hurt"


def test_hunger_costs_health_and_is_told():
    scene = Scene()
    scene.player.food, scene.player.recover = 0, -15.0
    assert of_type(scene.step(), "hurt")["by"] == "hunger"
    assert scene.player.health == 8
    scene.player.health, scene.player.recover = 1.0, -15.0
    assert of_type(scene.step(), "died") == {"by": ["hunger"]}
    assert game.is_over(scene.player)


# Collecting, placing and crafting.


@pytest.mark.parametrize(
    ("block", "tier", "item", "leaves"),
    [
        *(("tree", 0, "wood", "grass"), ("fire_tree", 0, "wood", "fire_grass")),
        *(("ice_shrub", 0, "wood", "ice_grass"), ("stone", 1, "stone", "path")),
        *(("stalagmite", 1, "stone", "path"), ("coal", 1, "coal", "path")),
        *(("iron", 2, "iron", "path"), ("diamond", 3, "diamond", "path")),
        *(("sapphire", 4, "sapphire", "path"), ("ruby", 4, "ruby", "path")),
    ],
)
def test_collecting(block, tier, item, leaves):
    scene = Scene()
    scene.put(block)
    if tier:
        scene.player.inventory["pickaxe"] = tier - 1
        assert of_type(scene.step("do"), "rejected") == {
            "action": "do",
            "reason": "no_tool",
            "missing": {"pickaxe": 1},
        }
        assert scene.block() == block
    scene.player.inventory["pickaxe"] = tier
    events = scene.step("do")
    assert of_type(events, "collected") == {
        "what": item,
        "at": scene.at(UP),
        "gain": 1,
        "tool": "pickaxe" if tier else None,
    }
    assert scene.player.inventory[item] == 1
    assert scene.block() == leaves
    assert scene.has(f"collect_{item}")


def test_a_sapling_is_found_by_chance():
    scene = Scene()
    scene.put("grass")
    assert (
        of_type(scene.step("do", sapling_u=np.float32(0.1)), "missed")["what"]
        == "sapling"
    )
    scene.step("do", sapling_u=0.0999)
    assert scene.player.inventory["sapling"] == 1
    assert scene.block() == "grass"


def test_a_draw_equal_to_the_chance_finds_nothing_in_a_chest():
    chest, scene = TABLES.data["chest"], prepared("chest")
    kinds = {"torch": "torches", "ore": "ores", "potion": "potions"}
    kinds |= {"arrow": "arrows", "tool": "tools"}
    draws = {
        f"chest_{kind}_u": tables.single(chest[name]["chance"])
        for kind, name in kinds.items()
    }
    assert "found" not in types(scene.step("do", **draws))
    assert scene.block() == chest["leaves"]


def test_a_plant_ripens_600_steps_after_it_was_placed():
    scene = Scene()
    scene.put("grass")
    scene.player.inventory["sapling"] = 1
    assert of_type(scene.step("place_plant"), "placed")["on"] == "grass"
    assert of_type(scene.step("do"), "rejected")["reason"] == "unripe"
    for _ in range(597):
        scene.player.food = scene.player.drink = scene.player.energy = 9
        scene.step()
    assert scene.block() == "plant"
    assert of_type(scene.step(), "plant_ripe") == {"at": scene.at(UP)}
    assert scene.block() == "ripe_plant"
    scene.player.food = 3
    events = scene.step("do")
    assert of_type(events, "ate") == {
        "what": "ripe_plant",
        "at": scene.at(UP),
        "gain": 4,
    }
    assert scene.block() == "plant"
    assert scene.world.plants[0].age == 1
    assert scene.has("eat_plant")


def test_every_part_that_is_limited_is_told():
    scene = Scene(
        {"inventory": {"armour": {"max": 1, "god": 1}, "potions": {"max": 3}}}
    )
    scene.player.inventory.update(potions=[3, 5, 0, 0, 4, 0], armour=[0, 2, 1, 1])
    told = [event for event in scene.step() if event["type"] == "limited"]
    assert [tuple(event.values())[1:] for event in told] == [
        ("chestplate", 2, 1),
        ("potion_green", 5, 3),
        ("potion_cyan", 4, 3),
    ]
    assert scene.player.inventory["potions"] == [3, 3, 0, 0, 3, 0]
    assert scene.player.inventory["armour"] == [0, 1, 1, 1]


# Bow, spells, potions, books and enchanting.


@pytest.mark.parametrize(
    ("effect", "name", "change"),
    [
        *((0, "health", 8), (1, "health", -3), (2, "mana", 8)),
        *((3, "mana", -3), (4, "energy", 8), (5, "energy", -3)),
    ],
)
def test_potions(effect, name, change):
    scene = Scene()
    scene.world.potion_mapping = [(effect + i) % 6 for i in range(6)]
    player = scene.player
    player.health, player.mana, player.energy = 4.0, 4, 4
    assert of_type(scene.step("drink_potion_red"), "rejected")["missing"] == {"red": 1}
    player.inventory["potions"][0] = 1
    events = scene.step("drink_potion_red")
    assert of_type(events, "potion") == {
        "colour": "red",
        "name": name,
        "change": change,
    }
    assert getattr(player, name) == min(9, 4 + change)
    assert ("limited" in types(events)) == (change > 0)
    if effect == 1:
        hurt = {"amount": 3, "absorbed": 0, "by": "potion", "slot": None}
        assert of_type(events, "hurt") == hurt
    assert scene.has("drink_potion")


def test_the_surplus_of_a_potion_absorbs_damage():
    scene = Scene()
    scene.player.inventory["potions"][0] = 1
    scene.creature("zombie", cooldown=0)
    scene.step("drink_potion_red")
    assert scene.player.health == 9


def test_books_teach_what_is_unknown():
    scene = Scene()
    player = scene.player
    assert of_type(scene.step("read_book"), "rejected")["reason"] == "no_item"
    player.inventory["books"] = 3
    assert of_type(scene.step("read_book", book_spell=1), "read") == {
        "spell": "iceball"
    }
    assert player.learned_spells == [False, True]
    assert of_type(scene.step("read_book", book_spell=1), "read") == {
        "spell": "fireball"
    }
    assert of_type(scene.step("read_book"), "read") == {"spell": None}
    assert player.inventory["books"] == 0


def test_attributes_cost_experience():
    scene = Scene(max_attribute=2)
    action = "level_up_strength"
    assert of_type(scene.step(action), "rejected")["reason"] == "no_experience"
    scene.player.xp = 3
    assert of_type(scene.step(action), "levelled_up") == {
        "attribute": "strength",
        "to": 2,
    }
    assert scene.player.maxima["health"] == 10
    assert of_type(scene.step(action), "rejected")["reason"] == "at_maximum"
    assert scene.player.xp == 2


# Ladders and floors.


def test_moving():
    scene = Scene()
    events = scene.step("left")
    assert of_type(events, "turned") == {"facing": (0, -1)}
    assert of_type(events, "moved") == {"frm": (24, 24), "to": (24, 23)}
    for block in ("water", "lava", "stone"):
        scene.put(block, LEFT)
        events = scene.step("left")
        assert of_type(events, "blocked") == {"at": scene.at(LEFT), "by": block}
    scene.put("path", LEFT)
    scene.creature("cow", LEFT)
    assert of_type(scene.step("left"), "blocked")["by"] == "cow"
    scene.player.col = 0
    assert of_type(scene.step("left"), "blocked")["by"] == "edge"
    assert scene.player.health == 9


def test_god_mode():
    scene = Scene(god_mode=True)
    player = scene.player
    assert player.inventory["wood"] == 99
    assert player.inventory["armour"] == [2] * 4
    assert (player.inventory["pickaxe"], player.inventory["bow"]) == (4, 1)
    scene.put("stone")
    scene.step("up")
    assert scene.block((0, 0)) == "stone"
    player.row = 0
    scene.step("up")
    assert player.row == -1
    scene.step("descend")
    assert player.level == 1
    scene.step("ascend")
    assert player.level == 0
    player.health = 1.0
    scene.step()
    assert player.health == 9


# Creatures and projectiles.


def test_creatures_vanish_far_away():
    scene = Scene(mob_despawn_distance=5)
    zombie = scene.creature("zombie", (5, 0))
    cow = scene.creature("cow", (4, 0))
    events = scene.step()
    assert of_type(events, "despawned")["kind"] == "zombie"
    assert (zombie.alive, cow.alive) == (False, True)
    assert scene.floor.occupied_map.sum() == 1


def test_deep_things_appear_in_water_only():
    scene = Scene(level=5)
    values = {"spawn_ranged_u": 0.0, "spawn_ranged_cell_u": 0.5}
    assert "spawned" not in types(scene.step(**values))
    scene.put("water", (-10, 0))
    assert of_type(scene.step(**values), "spawned") == {
        "kind": "deep_thing",
        "slot": 0,
        "at": scene.at((-10, 0)),
    }


# The boss.


def test_a_wave_of_the_boss():
    scene = prepared("necromancer", level=8)
    for col in range(-5, 6):
        scene.put("grave", (3, col))
    values = {"spawn_melee_u": 0.9, "spawn_ranged_u": 0.9}
    values |= {"spawn_melee_cell_u": 0.1, "spawn_ranged_cell_u": 0.9}
    numbers = []
    for step in range(8):
        events = scene.step("do", **values)
        living = [
            sum(mob.alive for mob in slots) for _, slots in scene.floor.creatures()
        ]
        numbers.append(tuple(living[1:]))
        assert ("wave_started" in types(events)) == (step == 0)
        assert ("wave_ended" in types(events)) == (step == 6)
        assert of_type(events, "rejected")["reason"] == "boss_protected"
    assert numbers[:4] == [(1, 1), (2, 2), (3, 2), (3, 2)]
    assert scene.world.boss_progress == 0
