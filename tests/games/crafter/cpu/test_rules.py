"""Changed rules in batches match single environments, without recompilation."""

import gymnasium
import pytest

import crafter
from crafter.games.crafter.rules import RulesError

pytest.importorskip("numba", reason="needs crafter[vector]")

from batches import assert_same, assert_same_games, make_pair, play_both
from budget import sample

from crafter.games.crafter.cpu import run

CHANGED = {
    "body": {
        "life": {
            "hunger": {"limit": 6, "asleep": 0.25},
            "thirst": {"limit": 5.5, "awake": 2},
            "fatigue": {"awake": 3, "asleep": -2.5, "limit": 12, "rested": -4},
            "recover": {"gain": 4, "loss": -3, "needs_asleep": ["thirst"]},
        }
    },
    "collecting": {
        "collect": {
            "tree": {"receive": {"wood": 3, "sapling": 0}, "probability": 0.6},
            "grass": {"probability": 0.7, "leaves": "sand", "resets": ["hunger"]},
            "sand": {"require": {}, "receive": {"stone": 2}, "leaves": "water"},
            "water": {"receive": {"drink": 4}, "require": {"sapling": 1}},
        }
    },
    "recipes": {
        "place": {
            "table": {"uses": {"wood": None, "sapling": 1}, "where": ["grass"]},
            "stone": {"uses": {"stone": None}, "where": {"add": ["tree"]}},
            "plant": {"uses": {"sapling": 0}, "where": ["grass", "sand"]},
        },
        "make": {
            "wood_pickaxe": {"uses": {"wood": 0}, "nearby": [], "gives": 2},
            "wood_sword": {"uses": {"wood": 0}, "nearby": ["grass"]},
        },
        "world": {"nearby": 3},
    },
    "creatures": {
        "creatures": {
            "cow": {"health": 1, "move_chance": 0.9},
            "zombie": {"sight": 20.5, "chase_chance": 1, "damage": 1, "cooldown": 0},
            "skeleton": {"shoot_chance": 0.9, "reload": 1, "sight": 30},
            "arrow": {"damage": 5, "destroys": ["table", "tree"], "leaves": "sand"},
            "plant": {"ripe": 4, "enemies": ["cow"], "damage": 2},
        },
        "damage": {"unarmed": 2, "wood_sword": 9},
        "do": {"cow": {"food": 1, "resets": ["thirst", "recover"]}},
    },
    "balance": {
        "balance": {
            "interval": 3,
            "kinds": {
                "zombie": {
                    "material": "sand",
                    "spawn": {"distance": 2.5, "chance": 0.9},
                    "minimum": {"constant": 3, "per_daylight": -1.5},
                },
                "cow": {"space": 4, "despawn": {"distance": 0, "chance": 1}},
            },
        },
        "world": {"update_range": 0.7},
    },
    "time": {"time": {"day": 37, "start": 0.8, "dark": 0.9}},
    "light": {
        "light": {
            "noise": [0, 250],
            "outside": 3,
            "vignette": 0.8,
        },
        "time": {"day": 50, "dark": 0.7},
    },
    "rewards": {"rewards": {"unlock": 2.5, "health": 0.7}},
    "walking": {
        "walkable": ["grass", "path", "sand", "water"],
        "walkable_by": {"player": ["grass", "tree", "water"], "cow": ["tree"]},
        "deadly": ["tree", "table"],
        "rewards": {"health": 0},
    },
    "terrain": {
        "terrain": {
            "water": {"offset": -0.05, "start_weight": 3.5},
            "mountain": {"threshold": 0.02, "start_weight": 1.5, "water_weight": 0.6},
            "cave": {"above": 0.3, "mountain": 0.1},
            "tunnels": {0: {"above": 0.2, "mountain": 0.25}},
            "ores": {
                0: {"above": 0.1, "draw_above": 0.5, "mountain": 0.3},
                2: {"mountain": 0.05, "draw_above": 0.9, "material": "table"},
            },
            "lava": {"above": 0.1, "mountain": 0.2},
            "sand": {"above": -0.5, "water": [0.1, 0.3]},
            "lake": 0.2,
            "tree": {"above": 0.2, "draw_above": 0.3},
            "creatures": {
                "cow": {"ground": ["sand"], "distance": 6.5, "draw_above": 0.7},
                "zombie": {"ground": ["path"], "draw_above": 0.9, "tunnels": True},
                "skeleton": {"tunnels": False, "draw_above": 0.97, "distance": 3},
            },
        }
    },
}


@pytest.mark.parametrize("kind", ["pixels", "compact"])
@pytest.mark.parametrize("name", sample(CHANGED, 5))
def test_changed_rules(name, kind):
    batch, loop = make_pair(6, observation=kind, rules=CHANGED[name])
    assert batch.rules == crafter.Env(rules=CHANGED[name]).rules != crafter.Env().rules
    assert_same(batch.reset(seed=1), loop.reset(seed=1), "reset")
    play_both(batch, loop, 60)
    # Starts at dusk with materials for crafting and little food.
    start = {"wood": 5, "sapling": 4, "stone": 5, "food": 1, "energy": 2}
    options = {"options": {"inventory": start, "daytime": 20}}
    assert_same(batch.reset(**options), loop.reset(**options), "options")
    play_both(batch, loop, 60)
    assert_same_games(batch, loop)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGED)
def test_worlds_of_changed_rules(name):
    batch, loop = make_pair(100, observation="semantic", rules=CHANGED[name])
    assert_same(batch.reset(seed=7), loop.reset(seed=7))
    assert_same_games(batch, loop)


def test_numbers_are_not_compiled():
    compiled = set()
    for rules in (None, CHANGED["time"], CHANGED["terrain"]):
        batch = gymnasium.make_vec(
            "CrafterReward-v1", 2, observation="compact", threads=1, rules=rules
        )
        batch.reset(seed=0)
        batch.step([0, 0])
        compiled.add(len(run.play.signatures))
    assert len(compiled) == 1


FROZEN = {
    "achievements": {"make": {"iron_sword": None}},
    "world.chunk": {"world": {"chunk": [12, 8]}},
    "terrain.tree.noise": {"terrain": {"tree": {"noise": {"z": 9}}}},
    "terrain.start": {"terrain": {"start": {"radius": 9}}},
    "light.night_tint": {"light": {"night_tint": [9, 9, 9]}},
    "items": {"items": {"rope": {"max": 3, "initial": 0}}},
}


@pytest.mark.parametrize("name", FROZEN)
def test_what_is_compiled_is_refused_by_name(name):
    with pytest.raises(
        RulesError, match=f"these changes: .*{name}.*crafter.Env supports"
    ):
        gymnasium.make_vec("CrafterReward-v1", num_envs=2, rules=FROZEN[name])


@pytest.mark.parametrize(
    "rules",
    [
        {"creatures": {"cow": {"health": 2**40}}},
        {"items": {"coal": {"max": 2**40}}},
    ],
)
def test_numbers_that_are_too_large_are_refused(rules):
    with pytest.raises(RulesError, match=f"up to {2**30} in rules, got {2**40}"):
        gymnasium.make_vec("CrafterReward-v1", num_envs=2, rules=rules)
