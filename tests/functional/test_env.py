"""The base class of JAX environments, tested with a small game."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
from walk_game import RIGHT, STAY, Walk

KEY = jax.random.key(0)
# Compiled once; one resets automatically, the other stays done.
WALK, ENDING = Walk(), Walk(auto_reset=False)


def walk(env, actions, params=None, key=KEY):
    """Play one game; return its start and the results of every step."""
    _, start = env.reset(key, params)
    state, results = start, []
    for number, action in enumerate(actions):
        results.append(env.step(jax.random.fold_in(key, number), state, action, params))
        state = results[-1][1]
    return start, results


def test_a_step_returns_what_gymnax_returns():
    start, [(obs, state, reward, done, info)] = walk(WALK, [RIGHT])
    assert (state.place, state.goal, state.step) == (1, start.goal, 1)
    np.testing.assert_array_equal(obs, [1, start.goal, 1])
    assert (reward, reward.dtype) == (0, np.float32)
    assert not done
    assert info["discount"] == 1
    assert not info["terminated"] and not info["truncated"]
    assert info["place"] == 1


def test_the_next_episode_begins_in_the_step_that_ends_one():
    env = WALK
    params = env.default_params.replace(max_timesteps=3)
    start, results = walk(env, [RIGHT] * 4, params)
    dones = [bool(done) for _, _, _, done, _ in results]
    assert dones == [False, False, True, False]
    obs, state, _, _, info = results[2]
    assert (state.place, state.step) == (0, 0)
    assert state.goal != start.goal  # another world
    np.testing.assert_array_equal(obs, [0, state.goal, 0])
    assert info["place"] == 3  # of the finished episode
    assert info["truncated"] and not info["terminated"]
    assert info["discount"] == 1
    assert results[3][1].place == 1


def test_infos_have_the_mask_of_the_state_that_is_returned():
    env = Walk(action_masks="exact")
    params = env.default_params.replace(max_timesteps=2)
    _, results = walk(env, [RIGHT] * 2, params)
    masks = [info["action_mask"].tolist() for *_, info in results]
    assert masks == [[1, 1, 1], [0, 1, 1]]  # the second is of the next episode


def test_without_auto_reset_the_game_stays_over():
    env = ENDING
    params = env.default_params.replace(max_timesteps=2)
    _, results = walk(env, [STAY] * 3, params)
    assert [bool(done) for *_, done, _ in results] == [False, True, True]
    assert results[-1][1].step == 3


def test_infos_at_the_end():
    env, params = ENDING, ENDING.default_params.replace(max_timesteps=2)
    _, state = env.reset(KEY)
    state = state._replace(place=state.goal - 2)
    _, state, reward, _, info = env.step(KEY, state, RIGHT, params)
    assert reward == 0
    assert info["Achievements/leave"] == 0  # reached, but the episode continues
    _, state, reward, done, info = env.step(KEY, state, RIGHT, params)
    # Termination in the last step is not a truncation.
    assert done and info["terminated"] and not info["truncated"]
    assert reward == 0.5
    assert info["discount"] == env.discount(state) == 0
    assert env.is_terminal(state)
    assert info["Achievements/leave"] == info["Achievements/arrive"] == 100
    assert info["Achievements/leave"].dtype == np.float32


def test_spaces_and_observations_of_states():
    space = WALK.observation_space(WALK.default_params)
    assert (space.low, space.high, space.shape) == (0, 255, (3,))
    assert space.dtype == np.uint8
    assert WALK.action_space(WALK.default_params).n == 3
    obs, state = WALK.reset(KEY)
    assert space.contains(obs)
    np.testing.assert_array_equal(WALK.get_obs(state), obs)
    assert not WALK.is_terminal(state)
