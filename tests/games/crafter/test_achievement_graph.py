"""Prerequisites of achievements, and the progress of each."""

from crafter import constants
from crafter.games.crafter import achievement_graph as graph

NEEDS = {
    "place_table": {"collect_wood"},
    "make_wood_pickaxe": {"place_table"},
    "make_wood_sword": {"place_table"},
    "collect_stone": {"make_wood_pickaxe"},
    "collect_coal": {"make_wood_pickaxe"},
    "place_stone": {"collect_stone"},
    "make_stone_pickaxe": {"collect_stone"},
    "make_stone_sword": {"collect_stone"},
    "place_furnace": {"collect_stone"},
    "collect_iron": {"make_stone_pickaxe"},
    "make_iron_pickaxe": {"place_furnace", "collect_coal", "collect_iron"},
    "make_iron_sword": {"place_furnace", "collect_coal", "collect_iron"},
    "collect_diamond": {"make_iron_pickaxe"},
    "place_plant": {"collect_sapling"},
    "eat_plant": {"place_plant"},
}
FREE = {"collect_wood", "collect_sapling", "collect_drink", "eat_cow", "wake_up"}
FREE |= {"defeat_zombie", "defeat_skeleton"}


def test_requirements_follow_from_the_rules():
    found = graph.requirements()
    assert list(found) == constants.achievements
    assert {name for name, before in found.items() if not before} == FREE
    assert {name: before for name, before in found.items() if before} == NEEDS


def test_depths_are_the_lengths_of_the_longest_chains():
    depths = graph.depths()
    assert list(depths) == constants.achievements
    assert {name for name, depth in depths.items() if depth == 1} == FREE
    chain = ["collect_wood", "place_table", "make_wood_pickaxe", "collect_stone"]
    chain += ["make_stone_pickaxe", "collect_iron", "make_iron_pickaxe"]
    chain += ["collect_diamond"]
    assert [depths[name] for name in chain] == list(range(1, 9))
    assert depths["place_furnace"] == depths["collect_coal"] + 1 == 5
    assert depths["make_iron_sword"] == 7
