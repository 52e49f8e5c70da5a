"""Wrappers of JAX environments, tested with a small game."""

import copy
import functools

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp
from budget import sample
from walk_game import RIGHT, STAY, Walk

from crafter.functional.wrappers import (
    AutoResetEnvWrapper,
    BatchEnvWrapper,
    LogWrapper,
    OptimisticResetVecEnvWrapper,
)

KEY = jax.random.key(0)
GAMES = 6


def optimistic(env):
    return OptimisticResetVecEnvWrapper(env, GAMES, reset_ratio=3)


def auto(env):
    return BatchEnvWrapper(AutoResetEnvWrapper(env), GAMES)


RESETTING = pytest.mark.parametrize("wrap", sample([optimistic, auto]))


@functools.cache
def compiled(wrap, log=False):
    """Return wrapped games, optionally with statistics, and their reset and step."""
    env = Walk(auto_reset=False)
    return with_compiled(wrap(LogWrapper(env) if log else env))


def with_compiled(envs):
    return envs, jax.jit(envs.reset), jax.jit(envs.step)


def play(games, steps, length, action=STAY):
    """Play all games; return the results of every step."""
    envs, reset, step = games
    params = envs.default_params.replace(max_timesteps=length)
    _, state = reset(KEY, params)
    results = []
    for number in range(steps):
        key = jax.random.fold_in(KEY, number)
        results.append(step(key, state, jnp.full(GAMES, action), params))
        state = results[-1][1]
    return results


def games_of(state):
    """Return the states of the walks."""
    while not hasattr(state, "goal"):
        state = state.env_state
    return state


@RESETTING
def test_ended_games_go_on_in_new_worlds(wrap):
    results = play(compiled(wrap), 7, length=3)
    goals = []
    for number, (obs, state, _, done, info) in enumerate(results, 1):
        over = number % 3 == 0
        assert done.all() == done.any() == over
        games = games_of(state)
        assert (games.step == number % 3).all()
        np.testing.assert_array_equal(obs, jax.vmap(Walk().get_obs)(games))
        assert (info["truncated"] == over).all()
        goals.append(tuple(games.goal.tolist()))
    assert goals[1] != goals[2] == goals[4] != goals[5]


def test_worlds_are_shared_out_in_turn():
    results, worlds = play(compiled(optimistic), 3, length=3), 2
    goals = games_of(results[-1][1]).goal
    assert len(set(goals.tolist())) == worlds
    np.testing.assert_array_equal(goals[worlds:], goals[: GAMES - worlds])
    for number, (*_, info) in enumerate(results, 1):
        duplicates = GAMES - worlds if number == 3 else 0
        assert (info["duplicate_resets"] == duplicates).all()


@pytest.mark.slow
def test_games_that_end_alone_get_one_world():
    envs, reset, step = compiled(optimistic)
    _, state = reset(KEY, envs.default_params)
    before = state.goal
    state = state._replace(step=state.step.at[2].set(19))
    key = jax.random.fold_in(KEY, 1)
    stay = jnp.full(GAMES, STAY)
    _, state, _, done, info = step(key, state, stay, envs.default_params)
    np.testing.assert_array_equal(done, np.arange(GAMES) == 2)
    changed = state.goal != before
    np.testing.assert_array_equal(changed, done)
    assert not info["duplicate_resets"].any()


@pytest.mark.slow
@pytest.mark.parametrize("outside", [True, False])
def test_statistics_inside_and_outside_of_what_resets(outside):
    """Inside they restart with the episode."""
    games = compiled(optimistic, log=True)
    if outside:
        games = with_compiled(LogWrapper(optimistic(Walk(auto_reset=False))))
    for number, (_, state, _, done, info) in enumerate(play(games, 7, 3, RIGHT), 1):
        np.testing.assert_array_equal(info["returned_episode"], done)
        known = number >= 3 if outside else number % 3 == 0
        assert (info["returned_episode_lengths"] == (3 if known else 0)).all()
        steps = number if outside else (number - 1) % 3 + 1
        assert (info["timestep"] == steps).all()
        assert (games_of(state).step == number % 3).all()


@pytest.mark.slow
@pytest.mark.parametrize("inside", sample([True, False]))
def test_statistics_of_episodes(inside):
    """The same whether a game resets itself or an outer wrapper does."""
    env = Walk(auto_reset=inside)
    env = LogWrapper(env if inside else AutoResetEnvWrapper(env))
    params = env.default_params.replace(max_timesteps=2)
    _, state = env.reset(KEY, params)
    walked = state.env_state._replace(place=state.env_state.goal - 1)
    state = state._replace(env_state=walked)
    expected = [
        (0.5, 1, True),  # arrives in the first step
        (0.5, 1, False),
        (0.0, 2, True),
        (0.0, 2, False),
    ]
    for number, row in enumerate(expected, 1):
        _, state, _, _, info = env.step(KEY, state, RIGHT, params)
        names = ("episode_returns", "episode_lengths", "episode")
        assert tuple(info[f"returned_{name}"].item() for name in names) == row
        assert info["timestep"] == number
        assert "discount" in info


@RESETTING
def test_wrapped_environments_are_environments(wrap):
    env = Walk(auto_reset=False)
    envs = wrap(LogWrapper(env))
    assert envs.default_params == env.default_params
    assert envs.action_space(envs.default_params).n == 3
    assert envs.observation_space(envs.default_params).shape == (3,)
    assert (envs.name, envs.num_actions, envs.num_envs) == ("Walk-v1", 3, GAMES)
    assert copy.deepcopy(envs).num_actions == 3
    with pytest.raises(AttributeError, match="nothing"):
        _ = envs.nothing


def test_impossible_wrappers():
    env, resetting = Walk(auto_reset=False), Walk()
    for make in (optimistic, AutoResetEnvWrapper):
        with pytest.raises(ValueError, match="auto_reset=False"):
            make(resetting)
        with pytest.raises(ValueError, match="auto_reset=False"):
            make(LogWrapper(AutoResetEnvWrapper(env)))
    for ratio in (4, 0, -1):
        with pytest.raises(ValueError, match="divides 10"):
            OptimisticResetVecEnvWrapper(env, 10, ratio)
    OptimisticResetVecEnvWrapper(env, 10, 1)
