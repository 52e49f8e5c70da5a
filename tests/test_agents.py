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


@pytest.mark.parametrize("masks", ["exact", "puffer"])
def test_maskable_ppo_learns_in_craftax_and_takes_no_masked_action(masks):
    sb3_contrib = pytest.importorskip("sb3_contrib", reason="needs crafter[train]")

    class Watched(gymnasium.Wrapper):
        def step(self, action):
            allowed.append(self.env.unwrapped.action_masks()[action])
            return self.env.step(action)

        def action_masks(self):
            return self.env.unwrapped.action_masks()

    allowed = []
    made = gymnasium.make(
        "Craftax-Symbolic-v1", observation="puffer", action_masks=masks
    )
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy", Watched(made), n_steps=128, batch_size=64, seed=0, device="cpu"
    )
    model.learn(300)
    assert len(allowed) >= 300 and all(allowed)
    made.close()
