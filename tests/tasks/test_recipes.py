"""What having an item takes follows from the rules, whatever they are."""

import planner_scenes
import pytest

from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.recipes import recipe
from crafter.games.crafter.rules import default, load

CHANGED = {
    "place": {"table": {"uses": {"wood": 5}}},
    "make": {"wood_pickaxe": {"uses": {"sapling": 2}}},
}
GROVE = "TTT......... TT.......... T...@....... TT.......... ............"


def steps(*args, **kwargs):
    return [tuple(step) for step in recipe(*args, **kwargs)]


def test_the_chain_from_nothing():
    verbs = steps(default(), {"iron_pickaxe": 1}, {})
    assert verbs[0] == ("collect", "wood", 5)  # all that is needed, at once
    assert ("place", "table", 1) in verbs
    assert ("place", "furnace", 1) in verbs
    assert verbs[-1] == ("make", "iron_pickaxe", 1)
    order = [what for verb, what, _ in verbs if verb == "make"]
    assert order == ["wood_pickaxe", "stone_pickaxe", "iron_pickaxe"]


def test_what_is_there_is_not_made_again():
    has = {"wood": 1, "coal": 1, "iron": 1}
    found = steps(default(), {"iron_pickaxe": 1}, has, ["table", "furnace"])
    assert found == [("make", "iron_pickaxe", 1)]
    # A stone that is placed nearby is not one that is carried.
    found = steps(default(), {"stone": 1}, {"wood_pickaxe": 1}, ["stone"])
    assert found == [("collect", "stone", 1)]


@pytest.mark.parametrize("wants", ["wood_pickaxe stone", "stone wood_pickaxe"])
def test_a_tool_that_is_wanted_serves_for_what_else_is_wanted(wants):
    both = dict.fromkeys(wants.split(), 1)
    assert steps(default(), both, {"wood_pickaxe": 1}) == [("collect", "stone", 1)]
    assert steps(default(), both, {"wood": 3}) == [
        ("place", "table", 1),
        ("make", "wood_pickaxe", 1),
        ("collect", "stone", 1),
    ]


@pytest.mark.parametrize(
    "wants, reason", [({"wood": 10}, "cap:wood"), ({"gold": 1}, "missing:gold")]
)
def test_what_cannot_be_had(wants, reason):
    with pytest.raises(Unsolved, match=reason):
        recipe(default(), wants, {})


def test_a_recipe_that_needs_itself():
    rules = load({"make": {"wood_pickaxe": {"uses": {"stone": 1}}}})
    with pytest.raises(Unsolved, match="missing:"):
        recipe(rules, {"wood_pickaxe": 1}, {})


def test_changed_costs_change_the_recipe():
    rules = load(CHANGED)
    found = steps(rules, {"wood_pickaxe": 1}, {})
    assert found == [
        ("collect", "wood", 6),
        ("place", "table", 1),
        ("collect", "sapling", 2),
        ("make", "wood_pickaxe", 1),
    ]


def test_the_planner_plans_with_the_rules_it_is_given():
    rules = load(CHANGED)
    found = planner_scenes.attempt("make_wood_pickaxe", GROVE, rules=rules)
    assert found.solved, found.reason
