"""Sets of rules: published, repaired, changed; and what is refused."""

import pickle

import pytest
from craftax_scenes import Scene, of_type
from crafter.craftax import Env

from crafter.games.craftax import rules, tables
from crafter.games.craftax.rules import RulesError


def test_published_is_the_default():
    assert tables.load() is tables.load("published")
    assert not tables.load().repairs


def test_repaired_applies_every_repair():
    repaired = tables.load("repaired")
    assert repaired.repairs == set(repaired.data["repairs"])
    assert repaired.digest != tables.load().digest


def test_repairs_are_numbered_and_described():
    repairs = tables.load().data["repairs"].values()
    numbers = [repair["number"] for repair in repairs]
    assert numbers == [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 15]
    assert all(repair["does"].endswith(".") for repair in repairs)


def test_changes_are_merged_deeply():
    changed = tables.load({"creatures": {"melee": {"zombie": {"health": 50}}}})
    zombie, gnome = changed.species["melee"][:2]
    assert (zombie.health, zombie.damage) == (50, (2, 0, 0))
    assert gnome == tables.load().species["melee"][1]


def test_changes_start_from_a_base():
    changes = {"base": "repaired", "repairs": {"mana_growth": {"applied": False}}}
    repairs = tables.load("repaired").repairs
    assert tables.load(changes).repairs == repairs - {"mana_growth"}
    assert changes["base"] == "repaired"  # the argument is left alone


def test_what_is_none_is_taken_away():
    changes = {"recipes": {"torch": None}, "actions": {"make_torch": None}}
    assert "make_torch" not in tables.load(changes).action_names


def test_rules_from_a_file(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text("spells: {fireball: {mana: 1}}\n", "utf-8")
    for place in (path, str(path)):
        assert tables.load(place).spells["fireball"].mana == 1


def test_equal_rules_have_equal_digests():
    assert tables.load({}).digest == tables.load().digest
    changed = tables.load({"plants": {"ripe": 5}})
    assert changed.digest == tables.load({"plants": {"ripe": 5}}).digest
    assert changed.digest != tables.load().digest
    assert pickle.loads(pickle.dumps(changed)).digest == changed.digest


def test_a_new_recipe_and_action_need_no_code():
    changes = {
        "recipes": {
            "quiver": {
                "near": ["furnace"],
                "uses": {"wood": 2},
                "gives": {"arrows": 10},
                "achievement": "make_quiver",
            }
        },
        "actions": {"make_quiver": {"verb": "make", "what": "quiver", "key": "9"}},
        "achievements": {"make_quiver": "advanced"},
    }
    scene = Scene(changes)
    scene.put("furnace")
    scene.player.inventory["wood"] = 2
    assert of_type(scene.step("make_quiver"), "made") == {"what": "quiver", "gain": 10}
    assert scene.has("make_quiver")
    assert scene.reward == 5 + 1  # and that of the first arrow
    assert len(scene.tables.actions) == 44


def test_a_new_species_needs_no_code():
    wolf = {"health": 6, "moves": "land", "achievement": "eat_wolf"}
    changes = {
        "creatures": {"passive": {"wolf": wolf}},
        "achievements": {"eat_wolf": "basic"},
        "floors": {"overworld": {"passive": "wolf"}},
    }
    scene = Scene(changes)
    events = scene.step(spawn_passive_u=0.0, spawn_passive_cell_u=0.0)
    assert of_type(events, "spawned")["kind"] == "wolf"
    scene.creature("wolf", health=1)
    assert of_type(scene.step("do"), "ate")["what"] == "wolf"
    assert scene.has("eat_wolf")


WRONG = {
    "recipes.iron_sword.uses.irn: no such single item; single items are wood": {
        "recipes": {"iron_sword": {"uses": {"irn": 1}}}
    },
    "recips: no such entry; entries are": {"recips": {}},
    "recipes.x: a recipe raises or gives something": {
        "recipes": {"x": {"near": [], "uses": {}}}
    },
    "recipes.iron_sword.raises.sword: expected an integer of at least 1": {
        "recipes": {"iron_sword": {"raises": {"sword": 5}}}
    },
    "creatures.melee.zombie.health: expected a number of at least 0, got 'x'": {
        "creatures": {"melee": {"zombie": {"health": "x"}}}
    },
    "creatures.melee.wolf.moves: missing": {
        "creatures": {"melee": {"wolf": {"health": 3, "achievement": "eat_cow"}}}
    },
    "creatures.melee.zombie.damage: expected a list of 3": {
        "creatures": {"melee": {"zombie": {"damage": [1]}}}
    },
    "creatures.ranged.kobold.shoots: 'pea': no such projectile; projectiles": {
        "creatures": {"ranged": {"kobold": {"shoots": "pea"}}}
    },
    "terrain.floors.overworld.blocks.sea: 'tea': no such block; blocks are": {
        "terrain": {"floors": {"overworld": {"blocks": {"sea": "tea"}}}}
    },
    "actions.make_x.what: 'x': no such recipes; recipes are": {
        "actions": {"make_x": {"verb": "make", "what": "x", "key": "?"}}
    },
    "actions: the first action must do nothing": {"actions": {"noop": {"verb": "do"}}},
    "actions.do.what: do is applied to nothing": {"actions": {"do": {"what": "stone"}}},
    "actions.x.verb: 'fly': no such verb; verbs are": {
        "actions": {"x": {"verb": "fly", "key": "?"}}
    },
    "directions: they cannot be changed": {"directions": {"left": [0, 1]}},
    "chest.torches.count: expected .low, high., got .5, 4.": {
        "chest": {"torches": {"count": [5, 4]}}
    },
    "chest.ores.kinds: expected a weight above 0": {
        "chest": {
            "ores": {
                "kinds": {
                    name: {"weight": 0}
                    for name in ("coal", "iron", "diamond", "sapphire", "ruby")
                }
            }
        }
    },
    "floors.dungeon.chances.melee: expected a number of at least 0 and at most 1": {
        "floors": {"dungeon": {"chances": {"melee": 2}}}
    },
    "floors: expected .*, got .*attic": {"floors": {"attic": {}}},
    "place.table: expected either a block or an item": {
        "place": {"table": {"item": "torch"}}
    },
    "place.table.where.0: 'air': no such block": {
        "place": {"table": {"where": ["air"]}}
    },
    "potions.effects: expected a list of 6": {"potions": {"effects": [{"health": 1}]}},
    "repairs.mana_growth: expected a mapping with number, does, applied": {
        "repairs": {"mana_growth": True}
    },
    "blocks.grass.torch: expected true or false, got 1": {
        "blocks": {"grass": {"torch": 1}}
    },
    "time.start: expected a number of at least 0 and at most 1, got nan": {
        "time": {"start": float("nan")}
    },
    "melee_damage: expected a list of 5": {"melee_damage": [1, 2]},
    "inventory.coal: missing": {"inventory": {"coal": None}},
    "items: expected a list that begins with .'none', 'torch'": {
        "items": {0: "nothing"}
    },
    "inventory.wood: expected a mapping, got 5": {"inventory": {"wood": 5}},
    "inventory.sword.tiers: missing": {"inventory": {"sword": {"tiers": None}}},
    "inventory.sword.god: expected an integer of at least 0 and at most 4, got 5": {
        "inventory": {"sword": {"god": 5}}
    },
    "inventory.armour.each: expected at least one entry": {
        "inventory": {"armour": {"each": []}}
    },
    "recipes.torch.uses.armour: no such single item; single items are wood": {
        "recipes": {"torch": {"uses": {"armour": 1}}}
    },
    "recipes.torch.gives.potions: no such countable item; countable items": {
        "recipes": {"torch": {"gives": {"potions": 1}}}
    },
    "recipes.torch.gives.sword: no such countable item": {
        "recipes": {"torch": {"gives": {"sword": 1}}}
    },
    "place.table.uses.potions: no such single item": {
        "place": {"table": {"uses": {"potions": 1}}}
    },
    "place.table.where: expected at least one entry": {
        "place": {"table": {"where": []}}
    },
    "shot.uses.armour: no such single item": {"shot": {"uses": {"armour": 1}}},
    "collect.tree.gives.armour: no such countable item": {
        "collect": {"tree": {"gives": {"armour": 1}}}
    },
    "possessions.armour: no such single item": {
        "possessions": {"armour": {1: "wake_up"}}
    },
    "enchanting.elements.ice.gem: 'potions': no such countable item": {
        "enchanting": {"elements": {"ice": {"gem": "potions"}}}
    },
    "chest.first.2: 'armour': no such single item": {"chest": {"first": {2: "armour"}}},
    "chest.ores.kinds.bow: no such countable item": {
        "chest": {"ores": {"kinds": {"bow": {"weight": 1, "count": [1, 1]}}}}
    },
    "chest.tools.kinds: expected at least one entry": {
        "chest": {"tools": {"kinds": []}}
    },
    "chest.tools.tiers: expected at most 4 weights, one for each tier of pickaxe": {
        "chest": {"tools": {"tiers": {"add": [1]}}}
    },
    "spells: expected at least one entry": {
        "spells": {"fireball": None, "iceball": None},
        "actions": {"cast_fireball": None, "cast_iceball": None},
    },
    "actions.enchant_bow.what: 'wood': no such enchanted; enchanted are sword": {
        "actions": {"enchant_bow": {"what": "wood"}}
    },
    "actions.level_up_strength.what: 'health': no such attributes": {
        "actions": {"level_up_strength": {"what": "health"}}
    },
    "intrinsics.recover_mana.raises: 'food': no such vital; vitals are mana": {
        "intrinsics": {"recover_mana": {"raises": "food"}}
    },
    "rooms.count: expected an integer of at least 1, got 0": {"rooms": {"count": 0}},
    "rooms.size: expected .low, high., got .9, 5.": {"rooms": {"size": [9, 5]}},
    "rooms.size.0: expected an integer of at least 3, got 2": {
        "rooms": {"size": [2, 5]}
    },
    "rooms.chunk: expected an integer of at least 1, got 0": {"rooms": {"chunk": 0}},
    "rooms.offset.1: expected an integer of at least 0 and at most 16, got 17": {
        "rooms": {"offset": [0, 17]}
    },
    "rooms.special.1: expected an integer of at least 0 and at most 14, got 15": {
        "rooms": {"special": [2, 15]}
    },
    "terrain.noise.water.cells.1: expected an integer of at least 1, got 0": {
        "terrain": {"noise": {"water": {"cells": [16, 0]}}}
    },
    "terrain.floors.overworld.water.ramp.strength: expected a number above 0": {
        "terrain": {"floors": {"overworld": {"water": {"ramp": {"strength": 0}}}}}
    },
    "view.cells.0: expected an odd number, got 8": {"view": {"cells": [8, 11]}},
    "view.cells.1: expected an integer of at least 1, got 0": {
        "view": {"cells": [9, 0]}
    },
    "player.strength: expected an integer of at least 1 and at most 5, got 7": {
        "player": {"strength": 7}
    },
    "player.health: expected a number of at least 0 and at most 9, got 50": {
        "player": {"health": 50}
    },
    "player.mana: expected a number of at least 0 and at most 9, got 10": {
        "player": {"mana": 10}
    },
    "blocks.gold: cannot remove what does not exist": {"blocks": {"gold": None}},
    "base: expected one of .'published', 'repaired'., got 'old'": {"base": "old"},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_rules_are_refused_with_their_place(message):
    with pytest.raises(RulesError, match=f"^{message}"):
        tables.load(WRONG[message])


@pytest.mark.parametrize("value", [None, 5, ["published"]], ids=repr)
def test_other_things_are_no_rules(value):
    with pytest.raises(RulesError, match=r"Expected rules as one of \['published'"):
        tables.load(value)


def test_files_that_are_no_rules(tmp_path):
    with pytest.raises(
        RulesError, match="Cannot read the rules .*missing.yaml.*: No such file"
    ):
        rules.read(tmp_path / "missing.yaml")
    path = tmp_path / "wrong.yaml"
    path.write_text("a: [", "utf-8")
    with pytest.raises(RulesError, match="are not valid YAML"):
        rules.read(path)
    path.write_text("- 1", "utf-8")
    with pytest.raises(RulesError, match="Expected rules"):
        rules.read(path)


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
