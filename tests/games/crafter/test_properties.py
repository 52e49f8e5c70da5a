"""Invariants of every game, whatever the player does."""

import numpy as np
from helpers import daylight
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import assert_world_is_consistent

import crafter
from crafter import constants

AREAS = st.tuples(st.integers(1, 30), st.integers(1, 30))
ACTIONS = st.lists(st.integers(0, 16), min_size=1, max_size=120)
AMOUNTS = st.fixed_dictionaries(
    {name: st.integers(1, 9) for name in ("health", "food", "drink", "energy")},
    optional={name: st.integers(0, 9) for name in list(constants.items)[4:]},
)
STARTS = st.fixed_dictionaries(
    {"daytime": st.integers(0, 299), "inventory": AMOUNTS},
)


@settings(max_examples=50)
@given(AREAS, st.integers(0, 2**31), STARTS, ACTIONS)
def test_every_game_is_consistent(area, seed, start, actions):
    env = crafter.Env(area=area, size=(18, 18), length=None)
    _, last = env.reset(seed=seed, options=start)
    for action in actions:
        obs, reward, terminated, truncated, info = env.step(action)
        env.set_state(env.get_state())  # it validates consistency
        assert_world_is_consistent(env.world)
        assert env.observation_space.contains(obs)
        health = info["inventory"]["health"]
        assert info["dead"] == terminated == (health == 0)
        assert info["discount"] == 1 - terminated and not truncated
        assert info["daylight"] == daylight(env.step_count + start["daytime"])
        gain = health - last["inventory"]["health"]
        assert reward == gain / 10 + (1 if info["unlocked"] else 0)
        moved = np.abs(info["player_pos"] - last["player_pos"]).sum()
        assert moved <= (1 if info["action"].startswith("move") else 0)
        counts = info["achievements"].items()
        assert all(count >= last["achievements"][name] for name, count in counts)
        if last["sleeping"] and last["inventory"]["energy"] < 9:
            assert info["action"] == "sleep"
        last = info
        if terminated:
            return


# Daylight.


def test_daylight_depends_on_the_step_itself_in_its_last_bits():
    light = [daylight(step) for step in range(10_001)]
    assert all(0 <= brightness <= 1 for brightness in light)
    assert sum(light[step] != light[step % 300] for step in range(10_001)) == 7578
