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


def make(**kwargs):
    return gymnasium.make("CrafterReward-v1", area=(20, 20), length=40, **kwargs)


def test_ppo_trains_and_plays(sb3):
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env(make, n_envs=2, seed=1)
    model = sb3.PPO("CnnPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, seed=0)
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(128)
    after = list(model.policy.parameters())
    assert model.num_timesteps == 128
    assert all(bool(p.isfinite().all()) for p in after)
    assert any(not bool((p == q).all()) for p, q in zip(before, after))
    assert model.ep_info_buffer  # whole episodes were seen
    assert {info["l"] for info in model.ep_info_buffer} <= set(range(1, 41))
    env = make()
    obs, _ = env.reset(seed=0)
    for _ in range(5):
        action, _ = model.predict(obs)
        obs, reward, *_ = env.step(action)
        assert isinstance(reward, float)
    envs.close()
