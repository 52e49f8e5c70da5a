"""Rules of the game, each in a small situation."""

import numpy as np
import pytest
from craftax_scenes import DOWN, LEFT, RIGHT, UP, Scene, of_type, types

from crafter.games.craftax import boss, game, tables

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
    scene = Scene()
    scene.creature("zombie", cooldown=0)
    scene.player.sleeping, scene.player.energy = True, 3
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


def test_armour_absorbs_a_part():
    scene = Scene()
    scene.player.inventory["armour"][0] = 1
    scene.creature("zombie", cooldown=0)
    assert of_type(scene.step(), "hurt") == {
        "amount": pytest.approx(1.8),
        "absorbed": pytest.approx(0.2),
        "by": "zombie",
        "slot": 0,
    }


def test_a_creature_strikes_every_six_steps():
    scene = Scene()
    for offset in (UP, DOWN, LEFT, RIGHT, (-2, 0), (-1, -1), (-1, 1)):
        scene.put("stone", offset)
    scene.put("path", UP)
    scene.creature("zombie", cooldown=0)
    struck = ["hurt" in types(scene.step()) for _ in range(13)]
    assert [i for i, hit in enumerate(struck) if hit] == [0, 6, 12]


def test_waking_takes_the_step_after_energy_is_full():
    scene = Scene()
    scene.player.energy, scene.player.fatigue = 8, -10.0
    assert "fell_asleep" in types(scene.step("sleep"))
    assert scene.player.energy == 9
    assert scene.player.sleeping
    events = scene.step("left")
    assert of_type(events, "rejected")["reason"] == "asleep"
    assert scene.player.action == "noop"
    assert of_type(events, "woke") == {"cause": "rested"}
    assert "turned" in types(scene.step("left"))


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


# Gathering, placing and making.


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


def test_drinking():
    scene = Scene()
    scene.put("fountain")
    scene.player.drink, scene.player.thirst = 3, 15.0
    events = scene.step("do")
    assert of_type(events, "collected")["what"] == "drink"
    assert (scene.player.drink, scene.player.thirst) == (4, 1.0)
    assert scene.has("collect_drink")


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


@pytest.mark.parametrize(
    ("name", "item", "cost", "block"),
    [
        ("stone", "stone", 1, "stone"),
        ("table", "wood", 2, "crafting_table"),
        ("furnace", "stone", 1, "furnace"),
    ],
)
def test_placing_blocks(name, item, cost, block):
    scene = Scene()
    action = f"place_{name}"
    scene.player.inventory[item] = cost - 1
    rejected = of_type(scene.step(action), "rejected")
    assert rejected["reason"] == "no_item"
    assert rejected["missing"] == {item: 1}
    scene.player.inventory[item] = cost
    scene.creature("cow")
    assert of_type(scene.step(action), "rejected")["reason"] == "occupied"
    scene.player.direction = 4
    scene.lay("torch", DOWN)
    assert of_type(scene.step(action), "rejected")["reason"] == "bad_target"
    scene.lay("none", DOWN)
    assert of_type(scene.step(action), "placed")["what"] == name
    assert scene.block(DOWN) == block
    assert scene.player.inventory[item] == 0
    assert scene.has(action)


def test_making_needs_a_table_and_things():
    scene = Scene()
    rejected = of_type(scene.step("make_iron_sword"), "rejected")
    assert rejected["reason"] == "no_station"
    assert rejected["missing"] == {
        "crafting_table": 1,
        "furnace": 1,
        "wood": 1,
        "stone": 1,
        "iron": 1,
        "coal": 1,
    }
    scene.put("crafting_table", (-1, -1))
    scene.put("furnace", (1, 1))
    rejected = of_type(scene.step("make_iron_sword"), "rejected")
    assert rejected["reason"] == "no_item"
    for item in ("wood", "stone", "iron", "coal"):
        scene.player.inventory[item] = 1
    assert of_type(scene.step("make_iron_sword"), "made")["what"] == "iron_sword"
    assert scene.player.inventory["sword"] == 3
    assert scene.player.inventory["iron"] == 0
    for name in ("wood", "stone", "iron"):
        assert scene.has(f"make_{name}_sword")
    scene.player.inventory["wood"] = 1
    rejected = of_type(scene.step("make_wood_sword"), "rejected")
    assert rejected["reason"] == "has_better"


def test_arrows_and_torches_are_made_up_to_99():
    scene = Scene()
    scene.put("crafting_table")
    scene.player.inventory.update(wood=9, stone=9, coal=9, arrows=98, torches=98)
    scene.step("make_arrow")
    events = scene.step("make_torch")
    assert scene.player.inventory["arrows"] == scene.player.inventory["torches"] == 99
    assert of_type(events, "limited") == {"name": "torches", "frm": 102, "to": 99}
    assert of_type(scene.step("make_arrow"), "rejected")["reason"] == "full"


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


def test_potions_of_a_chest_are_kept_up_to_99():
    scene = Scene()
    scene.put("chest")
    scene.player.inventory["potions"][2] = 98
    values = {"chest_potion_u": 0.0, "chest_potion_colour": 2, "chest_potion_count": 2}
    events = scene.step("do", **values)
    assert of_type(events, "found") == {"what": "potion_blue", "gain": 2}
    assert of_type(events, "limited") == {"name": "potion_blue", "frm": 100, "to": 99}


def test_a_chest():
    scene = Scene(level=1)
    scene.put("chest")
    found = {
        "chest_torch_u": 0.5,
        "chest_torch_count": 7,
        "chest_ore_u": 0.5,
        "chest_ore_kind": 2,
        "chest_ore_count": 1,
        "chest_potion_u": 0.4,
        "chest_potion_colour": 3,
        "chest_potion_count": 2,
        "chest_arrow_u": 0.2,
        "chest_arrow_count": 4,
        "chest_tool_u": 0.1,
        "chest_tool_kind": 1,
        "chest_sword_tier": 3,
    }
    events = scene.step("do", **found)
    assert of_type(events, "opened") == {
        "what": "chest",
        "at": scene.at(UP),
        "first": True,
    }
    gains = {e["what"]: e["gain"] for e in events if e["type"] == "found"}
    assert gains == {
        "torches": 7,
        "diamond": 1,
        "potion_pink": 2,
        "arrows": 4,
        "iron_sword": 1,
        "bow": 1,
    }
    inventory = scene.player.inventory
    assert inventory["potions"] == [0, 0, 0, 2, 0, 0]
    assert (inventory["sword"], inventory["bow"]) == (3, 1)
    assert scene.block() == "path"
    scene.put("chest")
    inventory["bow"] = 0
    events = scene.step("do", **found | {"chest_sword_tier": 2})
    assert not of_type(events, "opened")["first"]
    assert (inventory["sword"], inventory["bow"]) == (3, 0)


# Bow, spells, potions, books and enchanting.


def test_an_arrow_flies_and_kills():
    scene = Scene()
    scene.player.inventory.update(bow=1, arrows=2)
    zombie = scene.creature("zombie", (-3, 0))
    zombie.cooldown = 99
    for offset in ((-3, -1), (-3, 1), (-4, 0)):
        scene.put("stone", offset)
    events = scene.step("shoot_arrow")
    assert of_type(events, "shot")["direction"] == UP
    assert scene.player.inventory["arrows"] == 1
    assert scene.has("fire_bow")
    scene.step()  # The arrow was moved when it was shot, and is next to the zombie now.
    events = scene.step()
    assert of_type(events, "hit")["damage"] == 5
    assert of_type(events, "defeated") == {
        "kind": "zombie",
        "slot": 0,
        "at": scene.at((-3, 0)),
        "by": "arrow2",
    }
    assert scene.has("defeat_zombie")
    assert scene.floor.monsters_killed == 11
    assert not scene.floor.occupied_map[scene.at((-3, 0))]


def test_reasons_of_bow_and_spells():
    scene = Scene()
    assert of_type(scene.step("shoot_arrow"), "rejected")["reason"] == "no_weapon"
    scene.player.inventory["bow"] = 1
    assert of_type(scene.step("shoot_arrow"), "rejected")["reason"] == "no_item"
    assert of_type(scene.step("cast_iceball"), "rejected")["reason"] == "not_learned"
    scene.player.learned_spells[1] = True
    scene.player.mana = 1
    rejected = of_type(scene.step("cast_iceball"), "rejected")
    assert (rejected["reason"], rejected["missing"]) == ("no_mana", {"mana": 1})
    scene.player.mana = 5
    events = scene.step("cast_iceball")
    assert of_type(events, "shot")["what"] == "iceball"
    assert of_type(events, "spent") == {"name": "mana", "amount": 2}
    assert scene.has("cast_iceball")


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


def test_enchanting_a_sword():
    scene = Scene()
    player = scene.player
    reasons = []
    for prepare in (
        lambda: None,
        lambda: scene.put("enchantment_table_fire"),
        lambda: player.inventory.update(ruby=1, sapphire=1),
        lambda: setattr(player, "mana", 9),
    ):
        player.mana = 8
        prepare()
        reasons.append(of_type(scene.step("enchant_sword"), "rejected")["reason"])
    assert reasons == ["no_table", "no_gem", "no_mana", "no_weapon"]
    player.inventory["sword"], player.mana = 1, 9
    events = scene.step("enchant_sword")
    assert of_type(events, "enchanted") == {"what": "sword", "element": "fire"}
    assert (player.sword_enchantment, player.mana) == (1, 0)
    assert (player.inventory["ruby"], player.inventory["sapphire"]) == (0, 1)
    assert scene.has("enchant_sword")


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


def test_going_down_and_up():
    scene = Scene(level=1)
    scene.player.achievements = [False] * 67
    scene.world.floors[2].up_ladder = (5, 6)
    scene.floor.down_ladder = scene.player.position
    assert of_type(scene.step("descend"), "rejected")["reason"] == "no_ladder"
    assert scene.player.xp == 1  # for being here
    scene.lay("ladder_down", (0, 0))
    scene.floor.monsters_killed = 6
    rejected = of_type(scene.step("descend"), "rejected")
    assert (rejected["reason"], rejected["missing"]) == ("ladder_shut", {"monsters": 2})
    scene.floor.monsters_killed = 8
    events = scene.step("descend")
    assert of_type(events, "entered") == {"floor": 2, "frm": 1, "at": (5, 6)}
    assert scene.player.position == (5, 6)
    assert scene.has("enter_gnomish_mines")
    assert scene.reward == 3
    assert scene.player.xp == 2
    scene.lay("ladder_up", (0, 0))
    scene.step("ascend")
    assert (scene.player.level, scene.player.xp) == (1, 2)


def test_the_eighth_monster_opens_the_ladder():
    scene = Scene(level=3)
    scene.floor.monsters_killed = 7
    scene.creature("lizard", health=0.5)
    assert of_type(scene.step("do"), "ladder_opened") == {"floor": 3}


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


def test_a_ranged_creature_shoots_from_four_cells():
    scene = Scene()
    skeleton = scene.creature("skeleton", (-4, 0), cooldown=0)
    shot = of_type(scene.step(), "shot")
    assert (shot["what"], shot["by"], shot["direction"]) == ("arrow", "skeleton", DOWN)
    assert skeleton.cooldown == 4
    scene.step()
    scene.step()
    events = scene.step()
    assert of_type(events, "hurt")["by"] == "arrow"
    assert scene.player.health == 7


def test_shots_break_tables():
    scene = Scene()
    scene.put("crafting_table")
    scene.shoot("arrow", (-2, 0), DOWN)
    events = scene.step()
    assert of_type(events, "station_lost")["what"] == "crafting_table"
    assert of_type(events, "projectile_stopped")["against"] == "crafting_table"
    assert scene.block() == "path"


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


def graveyard():
    """Returns a scene before the boss, with graves around."""
    scene = Scene(level=8)
    for col in range(-5, 6):
        scene.put("grave", (3, col))
    scene.put("necromancer")
    return scene


def test_a_wave_of_the_boss():
    scene = graveyard()
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


def test_hitting_the_boss():
    scene = Scene(level=8)  # without graves, and so without creatures
    scene.put("necromancer")
    scene.world.boss_timer = 0
    assert boss.is_vulnerable(scene.player)
    events = scene.step("do")
    assert of_type(events, "boss_hit") == {"progress": 1, "needed": 8}
    assert of_type(events, "wave_started") == {"wave": 1, "steps": 6}
    assert scene.world.boss_timer == 6
    assert scene.has("damage_necromancer")
    scene.world.boss_timer, scene.world.boss_progress = 0, 7
    events = scene.step("do")
    assert "won" in types(events)
    assert scene.has("defeat_necromancer")
    assert game.is_over(scene.player)
