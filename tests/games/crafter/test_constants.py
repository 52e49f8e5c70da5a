"""The tables: the facts of Crafter 1.8.3, and that they fit together."""

import re

import yaml

from crafter.games.crafter import constants, rules

ACTIONS = """
    noop move_left move_right move_up move_down do sleep place_stone place_table
    place_furnace place_plant make_wood_pickaxe make_stone_pickaxe make_iron_pickaxe
    make_wood_sword make_stone_sword make_iron_sword
""".split()  # noqa: SIM905
ACHIEVEMENTS = """
    collect_coal collect_diamond collect_drink collect_iron collect_sapling
    collect_stone collect_wood defeat_skeleton defeat_zombie eat_cow eat_plant
    make_iron_pickaxe make_iron_sword make_stone_pickaxe make_stone_sword
    make_wood_pickaxe make_wood_sword place_furnace place_plant place_stone
    place_table wake_up
""".split()  # noqa: SIM905
SEMANTIC = """
    - water grass stone path sand tree lava coal iron diamond table furnace player cow
    zombie skeleton arrow plant
""".split()  # noqa: SIM905
ITEMS = """
    health food drink energy sapling wood stone coal iron diamond wood_pickaxe
    stone_pickaxe iron_pickaxe wood_sword stone_sword iron_sword
""".split()  # noqa: SIM905


def test_actions_have_their_numbers():
    assert constants.actions == ACTIONS


def test_achievements_have_their_order():
    assert constants.achievements == ACHIEVEMENTS


def test_materials_and_objects_have_their_ids():
    assert [name or "-" for name in constants.semantic_names] == SEMANTIC
    ids = constants.material_ids | constants.object_ids
    assert ids == {name: i for i, name in enumerate(SEMANTIC) if i}


def test_items_have_their_order_and_limits():
    assert list(constants.items) == ITEMS
    for name, item in constants.items.items():
        full = name in ("health", "food", "drink", "energy")
        assert item == {"max": 9, "initial": 9 if full else 0}


def test_directions():
    vectors = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
    assert constants.directions == vectors
    assert list(constants.directions) == ["left", "right", "up", "down"]


def test_every_key_of_the_file_is_a_public_table():
    data = yaml.safe_load(rules.PATH.read_text("utf-8"))
    for name, table in data.items():
        public = getattr(constants, name)
        if name == "directions":
            table = {way: tuple(vector) for way, vector in table.items()}
        if name == "time":
            moments = {"morning": 0, "noon": 60, "dusk": 148, "midnight": 210}
            table = {**table, "moments": {**moments, "dawn": 273}}
        assert public == table
    documented = [name for name in vars(constants) if re.fullmatch("[a-z]+", name)]
    assert set(data) - {"walkable_by"} <= set(documented)
