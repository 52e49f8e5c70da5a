"""Sets of rules: published, repaired, changed; and invalid ones."""

import pytest
from craftax_scenes import Scene, of_type
from helpers import mistakes

from crafter.craftax import Env
from crafter.games.craftax import tables
from crafter.games.craftax.rules import RulesError


def test_published_is_the_default():
    assert tables.load() is tables.load("published")
    assert not tables.load().applied


def test_repaired_applies_every_repair():
    repaired = tables.load("repaired")
    assert repaired.applied == set(repaired.data["repairs"])
    assert repaired.digest != tables.load().digest


def test_repairs_are_numbered_and_described():
    repairs = tables.load().data["repairs"].values()
    numbers = [repair["number"] for repair in repairs]
    assert numbers == [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 15]
    assert all(repair["does"].endswith(".") for repair in repairs)


def test_changes_start_from_a_base():
    changes = {"base": "repaired", "repairs": {"mana_growth": {"applied": False}}}
    repairs = tables.load("repaired").applied
    assert tables.load(changes).applied == repairs - {"mana_growth"}
    assert changes["base"] == "repaired"  # the argument is not modified


def test_what_is_none_is_taken_away():
    changes = {"recipes": {"torch": None}, "actions": {"make_torch": None}}
    assert "make_torch" not in tables.load(changes).action_names


WRONG = """
recipes: {iron_sword: {uses: {irn: 1}}} => recipes.iron_sword.uses.irn must be one of
recips: {} => rules: 'recips' is unknown; valid ones are parameters, directions,
recipes: {x: {near: [], uses: {}}} => recipes.x: a recipe must raise or give something.
recipes: {iron_sword: {raises: {sword: 5}}} => recipes.iron_sword.raises.sword must be
creatures: {melee: {zombie: {health: x}}} => creatures.melee.zombie.health must be a
creatures: {melee: {wolf: {achievement: eat_cow, health: 3}}}
  => creatures.melee.wolf.damage is missing.
creatures: {melee: {zombie: {damage: [1]}}} => creatures.melee.zombie.damage must be a
creatures: {ranged: {kobold: {shoots: pea}}} => creatures.ranged.kobold.shoots must be
terrain: {floors: {overworld: {blocks: {sea: tea}}}}
  => terrain.floors.overworld.blocks.sea must be one of the blocks (invalid,
actions: {make_x: {key: '?', verb: make, what: x}}
  => actions.make_x.what must be one of the recipes (wood_pickaxe, stone_pickaxe,
actions: {noop: {verb: do}} => actions: the first action must do nothing.
actions: {do: {what: stone}} => actions.do.what: do takes no 'what'.
actions: {x: {key: '?', verb: fly}} => actions.x.verb must be one of the verbs (noop,
directions: {left: [0, 1]} => directions cannot be changed.
chest: {torches: {count: [5, 4]}} => chest.torches.count must be [low, high], got [5,
chest: {ores: {kinds: {coal: {weight: 0}, diamond: {weight: 0}, iron: {weight: 0},
  ruby: {weight: 0}, sapphire: {weight: 0}}}}
  => chest.ores.kinds must be numbers with a weight above 0, got [0, 0, 0, 0, ...].
floors: {dungeon: {chances: {melee: 2}}} => floors.dungeon.chances.melee must be a
floors: {attic: {}} => floors must be ['overworld', 'dungeon', 'gnomish_mines',
place: {table: {item: torch}} => place.table: expected either a block or an item to
place: {table: {where: [air]}} => place.table.where.0 must be one of the places
potions: {effects: [{health: 1}]} => potions.effects must be a list of 6, got
repairs: {mana_growth: true} => repairs.mana_growth must be a mapping with number,
blocks: {grass: {torch: 1}} => blocks.grass.torch must be true or false, got 1.
time: {start: .nan} => time.start must be a number from 0 to 1, got nan.
melee_damage: [1, 2] => melee_damage must be a list of 5, got [1, 2].
inventory: {coal: null} => inventory.coal is missing.
items: {0: nothing} => items must be a list that begins with ['none', 'torch',
inventory: {wood: 5} => inventory.wood must be a mapping with max, god, got 5.
inventory: {sword: {tiers: null}} => inventory.sword.tiers is missing.
inventory: {sword: {god: 5}} => inventory.sword.god must be an integer from 0 to 4, got
inventory: {armour: {each: []}} => inventory.armour.each must not be empty.
recipes: {torch: {uses: {armour: 1}}} => recipes.torch.uses.armour must be one of the
recipes: {torch: {gives: {sword: 1}}} => recipes.torch.gives.sword must be one of the
enchanting: {elements: {ice: {gem: potions}}} => enchanting.elements.ice.gem must be
chest: {first: {2: armour}} => chest.first.2 must be one of the single items (wood,
chest: {first: {9: bow}} => chest.first.9 must be an integer from 0 to 8, got 9.
chest: {tools: {tiers: {add: [1]}}} => chest.tools.tiers must be at most 4 weights, one
actions: {cast_fireball: null, cast_iceball: null},
  spells: {fireball: null, iceball: null}
  => spells must not be empty.
actions: {enchant_bow: {what: wood}} => actions.enchant_bow.what must be one of the
rooms: {count: 0} => rooms.count must be an integer of at least 1, got 0.
rooms: {size: [9, 5]} => rooms.size must be [low, high], got [9, 5].
rooms: {size: [2, 5]} => rooms.size.0 must be an integer of at least 3, got 2.
rooms: {offset: [0, 17]} => rooms.offset.1 must be an integer from 0 to 16, got 17.
rooms: {special: [2, 15]} => rooms.special.1 must be an integer from 0 to 14, got 15.
terrain: {floors: {overworld: {water: {ramp: {strength: 0}}}}}
  => terrain.floors.overworld.water.ramp.strength must be a number above 0, got 0.
view: {cells: [8, 11]} => view.cells.0 must be an odd number, got 8.
player: {strength: 7} => player.strength must be an integer from 1 to 5, got 7.
player: {health: 50} => player.health must be a number from 0 to 9, got 50.
"""


@pytest.mark.parametrize(("changes", "message"), mistakes(WRONG))
def test_wrong_rules_are_refused_with_their_place(changes, message):
    with pytest.raises(RulesError) as error:
        tables.load(changes)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    "rules",
    [
        {"rooms": {"offset": [16, 16], "special": [8, 8]}},
        {"rooms": {"chunk": 1, "offset": [1, 1], "size": [3, 3], "special": [2, 2]}},
        {"rooms": {"chunk": 20, "count": 30, "size": [3, 20], "special": [29, 29]}},
        {
            "terrain": {
                "noise": {"water": {"cells": [48, 1]}, "tree": {"cells": [7, 9]}}
            }
        },
        {"player": {"strength": 5, "health": 13}},
        {"player": {"strength": 7}, "parameters": {"max_attribute": 7}},
        {"view": {"cells": [1, 3]}},
    ],
    ids=str,
)
def test_rules_at_the_limits_are_played(rules):
    env = Env(rules=rules, seed=3)
    for episode in range(3):
        observation, _ = env.reset(options={"floor": (1, 3, 4)[episode]})
        assert env.observation_space.contains(observation)
    state = env.get_state()
    env.set_state(state)
    assert env.get_state().keys() == state.keys()


@pytest.mark.parametrize(
    ("rules", "parameters", "message"),
    [
        (
            {"player": {"dexterity": 4}},
            {"max_attribute": 3},
            "max_attribute must be at least 4, with which the player starts, got 3",
        ),
        (
            {"rooms": {"chunk": 24}},
            {"map_size": 16},
            "map_size must be at least 24, the largest square of the rules .* got 16",
        ),
        (
            {"terrain": {"noise": {"tree": {"cells": [4, 48]}}}},
            {"map_size": 32},
            "map_size must be at least 48, .* got 32",
        ),
    ],
)
def test_parameters_must_fit_the_rules(rules, parameters, message):
    with pytest.raises(ValueError, match=message):
        Env(rules=rules, **parameters)


def test_a_first_chest_holds_the_next_tier_up_to_the_best():
    scene = Scene({"chest": {"first": {0: "sword", 1: "bow", 2: "books"}}})
    found = []
    for sword in (0, 3, 4):
        scene.player.inventory["sword"] = sword
        scene.floor.chest_opened = False
        scene.put("chest")
        found.append(of_type(scene.step("do"), "found")["gain"])
        assert scene.player.inventory["sword"] == min(sword + 1, 4)
    assert found == [1, 1, 0]


def test_god_mode_begins_with_no_more_than_can_be_held():
    env = Env(rules={"inventory": {"wood": {"max": 5}}}, god_mode=True)
    observation, info = env.reset()
    assert info["inventory"]["wood"] == 5 and info["inventory"]["stone"] == 99
    assert env.observation_space.contains(observation)
