"""Additions to the rules: a species, a potion, a recipe, and their observations."""

import numpy as np
import pytest

from crafter.craftax import Env

SPECIES = {
    "creatures": {
        "passive": {"hen": {"health": 2, "moves": "land", "achievement": "eat_hen"}}
    },
    "achievements": {"eat_hen": "basic"},
    "floors": {"overworld": {"passive": "hen"}},
}
POTION = {
    "inventory": {
        "potions": {
            "each": ["red", "green", "blue", "pink", "cyan", "yellow", "orange"]
        }
    },
    "potions": {
        "effects": [
            *({"health": 8}, {"health": -3}, {"mana": 8}, {"mana": -3}),
            *({"energy": 8}, {"energy": -3}, {"food": 6}),
        ]
    },
    "actions": {"drink_potion_orange": {"verb": "drink", "what": "orange", "key": "'"}},
}
RECIPE = {
    "actions": {"make_bow": {"verb": "make", "what": "bow", "key": "'"}},
    "recipes": {
        "bow": {"near": ["crafting_table"], "uses": {"wood": 3}, "raises": {"bow": 1}}
    },
}


def play(env, steps=60):
    """Takes random actions and checks the observations."""
    random = np.random.default_rng(0)
    env.reset(seed=1)
    for action in random.integers(env.action_space.n, size=steps).tolist():
        observation, _, terminated, *_ = env.step(action)
        assert env.observation_space.contains(observation)
        if terminated:
            break


@pytest.mark.parametrize(
    "observation", ["symbolic", "pixels", "compact", "semantic", "puffer"]
)
@pytest.mark.parametrize("rules", [SPECIES, POTION, RECIPE])
def test_additions_play_with_every_observation(rules, observation):
    play(Env(observation, rules=rules))


def test_an_added_species_is_hunted_and_drawn():
    env = Env("pixels", rules=SPECIES, events=True)
    start = {"facing": "up", "creatures": [("hen", (23, 24))]}
    start["floors"] = {0: _meadow()}
    env.reset(seed=0, options=start)
    with_hen = env.frame()
    do = env.action_names.index("do")
    hits = 0
    while "eat_hen" not in env.unlocked:
        *_, info = env.step(do)
        hits += any(event["type"] == "hit" for event in info["events"])
    assert hits == 2
    assert not np.array_equal(env.frame()[30:40, 50:60], with_hen[30:40, 50:60])


def test_an_added_potion_has_an_effect_and_an_icon():
    env = Env(rules=POTION)
    env.reset(seed=0, options={"inventory": {"potion_orange": 1, "food": 1}})
    assert sorted(env.world.potion_mapping) == list(range(7))
    env.world.potion_mapping = [0, 1, 2, 3, 4, 5, 6]
    icon = np.s_[120:130, 60:70]
    assert env.frame()[icon].any()
    *_, info = env.step(env.action_names.index("drink_potion_orange"))
    assert (info["inventory"]["potion_orange"], info["inventory"]["food"]) == (0, 7)
    assert not env.frame()[icon].any()


def test_an_added_recipe_is_made():
    env = Env(rules=RECIPE)
    env.reset(seed=0, options={"inventory": {"wood": 5}, "floors": {0: _meadow()}})
    env.step(env.action_names.index("place_table"))
    *_, info = env.step(env.action_names.index("make_bow"))
    assert (info["inventory"]["bow"], info["inventory"]["wood"]) == (1, 0)
    assert info["unlocked"] == {"find_bow"}


def _meadow():
    """Returns an overworld of grass with a way down."""
    rows = ["." * 48 for _ in range(48)]
    rows[0] = ">" + rows[0][1:]
    return rows
