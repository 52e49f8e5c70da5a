"""Saving and resuming, to the bit; and invalid states."""

import numpy as np
import pytest
from craftax_scenes import actions
from helpers import carry_out

from crafter.craftax import Env
from crafter.games.craftax.state import StateError

assert_equal = np.testing.assert_equal  # recurses into dicts, lists and tuples


def make(**arguments):
    """Returns an environment in the middle of an episode on a lower floor."""
    env = Env(**arguments)
    options = {"floor": "sewers", "inventory": {"sword": 3, "potion_red": 2}}
    env.reset(seed=4, options=options)
    carry_out(env, actions(60))
    return env


@pytest.fixture(scope="module")
def saved():
    return make().get_state()


@pytest.mark.parametrize("observation", ["symbolic", "pixels"])
def test_resumed_games_go_on_alike(observation):
    env = make(observation=observation, events=True)
    other = Env(observation, events=True)
    other.set_state(env.get_state())
    assert_equal(carry_out(other, actions(80, 1)), carry_out(env, actions(80, 1)))
    assert_equal(other.get_state(), env.get_state())
    assert_equal(other.reset(), env.reset())


def test_a_state_is_an_option_of_reset(saved):
    env = Env("semantic")
    obs, info = env.reset(options={"state": saved})
    assert_equal(obs, env.observer.semantic(env.player))
    assert info["floor"] == 3
    assert env.step_count == 60


# Mismatches.


def refused(state, match, **arguments):
    env = make(**arguments)
    before = env.get_state()
    with pytest.raises(StateError, match=match):
        env.set_state(state)
    assert_equal(env.get_state(), before)


def without(state, name):
    return {field: value for field, value in state.items() if field != name}


def test_states_of_another_form_are_refused(saved):
    refused({**saved, "version": np.array(99)}, "Expected a state of version 1, got 99")
    refused(without(saved, "version"), "Expected a state of version 1, got none")
    for name in ("map", "seed", "inventory.wood", "config_map_size"):
        refused(without(saved, name), f"lacks the fields .*{name}")
    refused({**saved, "luck": np.array(7)}, "unknown fields .*luck")


def test_states_of_another_game_are_refused(saved):
    for name, value in {"max_timesteps": 5, "mob_despawn_distance": 20}.items():
        refused(saved, f"taken with {name}=.* has {name}={value}", **{name: value})
    refused(saved, "taken with rules=", rules="repaired")


#: Field values, in arrays of the last entry: one for each kind of range.
DAMAGE = {
    "player_direction": [0, 5],
    "player_health": [np.nan, -1, 99],
    "player_food": [18],
    "player_dexterity": [6],
    "player_hunger": [np.inf],
    "inventory.wood": [100],
    "inventory.pickaxe": [5],
    "sword_enchantment": [3],
    "timestep": [-1],
    "start": [10**6],
    "action": [43],
    "map": [37],
    "item_map": [5],
    "light_map": [1.5],
    "down_ladders": [48],
    "passive_mobs.type_id": [3],
    "melee_mobs.position": [-1, 48],
    "potion_mapping": [0],
    "mob_projectile_directions": [2],
    "mob_projectiles.position": [10**9 + 1],  # of a dead one, which still moves
    "growing_plants_age": [2**40],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in DAMAGE for value in DAMAGE[name]]
)
def test_damaged_fields_are_refused(saved, name, value):
    damaged = saved[name].copy()
    if damaged.dtype.kind in "iu":
        damaged = damaged.astype(np.int64)
    damaged.flat[-1] = value
    assert not np.array_equal(damaged, saved[name])
    refused({**saved, name: damaged}, f"damaged: {name}")


def test_a_player_may_stand_on_the_edge_of_the_map(saved):
    env = make()
    env.set_state({**saved, "player_position": np.array([0, 47], np.int32)})
    assert (env.player.row, env.player.col) == (0, 47)


def test_wrong_shapes_and_kinds_are_refused(saved):
    refused({**saved, "map": saved["map"][:5]}, "map must have shape")
    refused({**saved, "map": saved["map"] * 1.0}, "map must hold integers")
    refused({**saved, "is_sleeping": np.array(1)}, "is_sleeping must hold bools")
    refused({**saved, "seed": np.array("seven")}, "damaged: .* 'seven'")
    for name, value in (
        ("random_words", np.zeros(4, np.uint64)),
        ("random_buffer", np.array([2, 0])),
        ("ended", np.array(3)),
    ):
        refused({**saved, name: value}, f"damaged: {name}")


def test_creatures_and_their_marks_must_agree(saved):
    marks = saved["mob_map"].copy()
    marks[0, 0, 0] = True
    refused({**saved, "mob_map": marks}, r"differs at .* \[0, 0, 0\]")
    mask = saved["melee_mobs.mask"].copy()
    mask[5, 0] = True
    refused({**saved, "melee_mobs.mask": mask}, "mob_map must mark")


def test_living_creatures_have_health(saved):
    health, mask = saved["melee_mobs.health"].copy(), saved["melee_mobs.mask"].copy()
    health[8, 0], mask[8, 0] = 0, True
    refused({**saved, "melee_mobs.health": health, "melee_mobs.mask": mask}, "above 0")
