"""Training libraries accept the environment; needs the extra 'train'."""

import warnings

import gymnasium
import pytest

import crafter

pytestmark = pytest.mark.train


@pytest.fixture
def sb3():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of their own imports
        return pytest.importorskip(
            "stable_baselines3", reason="Stable-Baselines3 is not installed"
        )


@pytest.mark.parametrize("name", ["CrafterReward-v1", "CrafterNoReward-v1"])
@pytest.mark.parametrize("mode", [None, "rgb_array"])
def test_made_environments_pass_the_checker(sb3, name, mode):
    from stable_baselines3.common.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, render_mode=mode))
        check_env(crafter.Env(size=(84, 96), render_mode=mode, events=True))
