"""Gymnasium interface of JAX environments, tested with a small game."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
from gymnasium.error import ClosedEnvironmentError
from walk_game import RIGHT, STAY, Walk

from crafter.functional.vector import VectorEnv


def make(num_envs=3, **kwargs):
    return VectorEnv(Walk(auto_reset=False), num_envs, **kwargs)


def test_games_start_anew_in_the_step_that_ends_them():
    envs = make()
    assert envs.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    envs.params = envs.params.replace(max_timesteps=2)
    obs, infos = envs.reset(seed=1)
    assert infos == {}
    assert obs in envs.observation_space
    goals = obs[:, 1]
    obs, rewards, terminated, truncated, infos = envs.step([RIGHT] * 3)
    np.testing.assert_array_equal(obs, np.stack([[1] * 3, goals, [1] * 3], 1))
    assert (rewards.shape, rewards.dtype) == ((3,), np.float32)
    assert not terminated.any() and not truncated.any()
    obs, rewards, terminated, truncated, infos = envs.step(np.array([RIGHT] * 3))
    assert truncated.all() and not terminated.any()
    np.testing.assert_array_equal(
        infos["final_obs"], np.stack([[2] * 3, goals, [2] * 3], 1)
    )
    assert (obs[:, [0, 2]] == 0).all()
    assert (obs[:, 1] != goals).any()
    assert (infos["discount"] == 1).all()
    assert (infos["place"] == 2).all()


def test_masks_are_there_from_the_reset_on():
    walk = Walk(auto_reset=False, action_masks="exact")
    envs = VectorEnv(walk, 2)
    envs.params = envs.params.replace(max_timesteps=2)
    _, infos = envs.reset(seed=0)
    assert infos["action_mask"].tolist() == [[0, 1, 1]] * 2
    masks = [envs.step([RIGHT] * 2)[-1]["action_mask"].tolist() for _ in range(2)]
    assert masks == [[[1, 1, 1]] * 2, [[0, 1, 1]] * 2]


@pytest.mark.parametrize("seed", [-1, 2**32, 2**63, 1.5, "0", [0, 1, 2]])
def test_seeds_that_would_be_cut_are_refused(seed):
    with pytest.raises(
        ValueError, match="seed must be an integer from 0 to 4294967295"
    ):
        make().reset(seed=seed)


def test_copies_go_on_alike():
    envs = make()
    fresh = pickle.loads(pickle.dumps(envs))
    assert (fresh.reset()[0] == envs.reset()[0]).all()
    copies = [envs, pickle.loads(pickle.dumps(envs)), copy.deepcopy(envs)]
    for _ in range(3):
        told = [one.step([RIGHT] * 3)[0] for one in copies]
        assert (told[0] == told[1]).all() and (told[0] == told[2]).all()


def test_after_closing_nothing_is_played():
    envs = make()
    envs.reset(seed=0)
    envs.close()
    for call in (envs.reset, lambda: envs.step([STAY] * 3)):
        with pytest.raises(ClosedEnvironmentError, match="was closed"):
            call()


@pytest.mark.slow
def test_a_seed_fixes_the_games():
    first, second = (make().reset(seed=5)[0] for _ in range(2))
    np.testing.assert_array_equal(first, second)
    envs = make(8)
    worlds = {tuple(envs.reset(**seed)[0][:, 1]) for seed in ({"seed": 5}, {}, {})}
    assert len(worlds) == 3
    unseeded = {tuple(make(8).reset()[0][:, 1]) for _ in range(2)}
    assert len(unseeded) == 2


def test_mistakes_change_nothing():
    envs = make()
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step([STAY] * 3)
    envs.reset(seed=0)
    before = jax.device_get(envs.state)
    for actions in ([0, 1], [0, 1, 3], [0, 1, -1], [0.5, 1, 1]):
        with pytest.raises(gymnasium.error.InvalidAction, match="0 ... 2"):
            envs.step(actions)
    jax.tree.map(np.testing.assert_array_equal, before, jax.device_get(envs.state))
    with pytest.raises(ValueError, match="Options are not supported"):
        envs.reset(options={"daytime": 0})
    with pytest.raises(ValueError, match="num_envs=0"):
        make(0)
    with pytest.raises(ValueError, match="'numpy', 'jax'"):
        make(arrays="cupy")


def test_arrays_of_jax():
    obs, _ = make(arrays="jax").reset(seed=0)
    assert isinstance(obs, jax.Array)
