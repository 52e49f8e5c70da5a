"""What holds in every game, whatever the player does."""

import numpy as np
import pytest
from helpers import Result, attempt, daylight, long_game
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import assert_chunks_are_consistent, assert_world_is_consistent

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


def play(area, seed, start, actions):
    """Plays actions until death; yields the environment and the results."""
    env = crafter.Env(area=area, size=(18, 18), length=None, events=True)
    obs, info = env.reset(seed=seed, options=start)
    yield env, Result(obs, 0.0, False, False, info)
    for action in actions:
        result = Result(*env.step(action))
        yield env, result
        if result.terminated:
            return


def assert_player_is_consistent(player):
    assert player.facing in constants.directions.values()
    assert list(player.inventory) == list(constants.items)
    for amount in player.inventory.values():
        assert type(amount) is int and 0 <= amount <= 9
    assert 0 <= player.hunger <= 25
    assert 0 <= player.thirst <= 20
    assert -10 <= player.fatigue <= 30
    assert -15 <= player.recover <= 25
    assert player.achievements.keys() == set(constants.achievements)


def assert_creatures_are_consistent(world):
    for obj in world.objects:
        if obj.kind == "zombie":
            assert 0 <= obj.cooldown <= 5
        elif obj.kind == "skeleton":
            assert 0 <= obj.reload <= 4
        elif obj.kind == "plant":
            assert obj.grown >= 0
            assert obj.ripe == (obj.grown > 300)


def assert_info_is_consistent(env, result):
    info, player = result.info, env.player
    semantic = env.world.materials.copy()
    for obj in env.world.objects:
        semantic[obj.position] = constants.object_ids[obj.kind]
    np.testing.assert_array_equal(info["semantic"], semantic)
    assert info["inventory"] == player.inventory
    assert info["achievements"] == player.achievements
    assert tuple(info["player_pos"]) == player.position
    assert tuple(info["player_facing"]) == player.facing
    assert info["sleeping"] == player.sleeping
    dead = player.inventory["health"] == 0
    assert info["dead"] == result.terminated == dead
    assert info["discount"] == 1 - dead
    assert not result.truncated
    assert env.observation_space.contains(result.obs)


def assert_game_is_consistent(game, start=0):
    last = None
    for env, result in game:
        info = result.info
        assert_world_is_consistent(env.world)
        assert_chunks_are_consistent(env.world)
        assert_player_is_consistent(env.player)
        assert_creatures_are_consistent(env.world)
        assert_info_is_consistent(env, result)
        assert info["daylight"] == daylight(env.step_count + start)
        if last is not None:
            gain = info["inventory"]["health"] - last["inventory"]["health"]
            assert result.reward == gain / 10 + (1 if info["unlocked"] else 0)
            moved = np.abs(info["player_pos"] - last["player_pos"]).sum()
            assert moved <= (1 if info["action"].startswith("move") else 0)
            counts = info["achievements"].items()
            assert all(count >= last["achievements"][name] for name, count in counts)
            if last["sleeping"] and last["inventory"]["energy"] < 9:
                assert info["action"] == "sleep"
        last = info


@settings(max_examples=50)
@given(AREAS, st.integers(0, 2**31), STARTS, ACTIONS)
def test_every_game_is_consistent(area, seed, start, actions):
    game = play(area, seed, start, actions)
    assert_game_is_consistent(game, start["daytime"])


@pytest.mark.parametrize("seed", range(6))
def test_attempts_are_consistent(seed):
    start = int(next(attempt(seed))[0].snapshot().clock)
    assert_game_is_consistent(attempt(seed, steps=300), start)


@pytest.mark.slow
def test_a_long_game_is_consistent():
    assert_game_is_consistent(long_game())


# Daylight.


def test_nights_last_125_of_300_steps():
    dark = [step for step in range(900) if daylight(step) < 0.5]
    assert dark == [day + step for day in (0, 300, 600) for step in range(148, 273)]


def test_moments_of_the_day_are_what_they_are_called():
    light = [daylight(step) for step in range(300)]
    dark = [brightness < 0.5 for brightness in light]
    moments = {
        "morning": 0,
        "noon": light.index(max(light)),
        "dusk": dark.index(True),
        "midnight": light.index(min(light)),
        "dawn": dark.index(False, dark.index(True)),
    }
    assert constants.time["moments"] == moments


def test_daylight_depends_on_the_step_itself_in_its_last_bits():
    light = [daylight(step) for step in range(10_001)]
    assert all(0 <= brightness <= 1 for brightness in light)
    assert sum(light[step] != light[step % 300] for step in range(10_001)) == 7578
