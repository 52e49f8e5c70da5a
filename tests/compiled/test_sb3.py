"""Stable-Baselines3 and PyTorch agents train in the batched engine."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest

import crafter

pytest.importorskip("numba", reason="needs crafter[vector]")

SHORT = {"length": 20}
NAME = "CrafterReward-v1"


def test_missing_package_is_explained():
    code = "import sys; sys.modules['stable_baselines3'] = None\n"
    code += "import crafter.compiled.sb3"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert "pip install 'crafter[train]'" in result.stderr.splitlines()[-1]


@pytest.fixture
def sb3():
    """The module with the adapter."""
    pytest.importorskip("stable_baselines3", reason="needs crafter[train]")
    from crafter.compiled import sb3

    return sb3


def play(envs, steps, seed=1):
    """Plays randomly with a seed and returns all results."""
    random = np.random.RandomState(0)
    envs.seed(seed)
    results = [envs.reset()]
    for _ in range(steps):
        results.append(envs.step(random.randint(0, 17, envs.num_envs)))
    return results


@pytest.mark.train
class TestAdapter:
    @pytest.mark.parametrize("kind", ["pixels", "semantic"])
    def test_it_is_a_faster_dummy_vec_env(self, sb3, kind):
        from stable_baselines3.common import monitor, vec_env

        def make():
            return monitor.Monitor(gymnasium.make(NAME, observation=kind, **SHORT))

        dummy = vec_env.DummyVecEnv([make] * 3)
        envs = sb3.VecEnv(
            NAME, 3, observation=kind, info_keys="all", step_infos=True, **SHORT
        )
        assert envs.observation_space == dummy.observation_space
        assert envs.action_space == dummy.action_space
        found, expected = play(envs, 45), play(dummy, 45)
        np.testing.assert_equal(found[0], expected[0])
        for (*one, infos), (*other, others) in zip(found[1:], expected[1:]):
            np.testing.assert_equal(one, other)
            assert one[1].dtype == other[1].dtype
            for info, known, done in zip(infos, others, one[2]):
                known.pop("events")
                if done:
                    assert info["episode"].pop("t") <= known["episode"].pop("t") + 60
                else:
                    assert not known.pop("TimeLimit.truncated")
                np.testing.assert_equal(info, known)
        for info, known in zip(envs.reset_infos, dummy.reset_infos):
            known.pop("events")
            np.testing.assert_equal(info, known)
        envs.close()

    def test_a_death_is_no_time_limit(self, sb3):
        envs = sb3.VecEnv(NAME, 2, items={"health": {"max": 1, "initial": 1}})
        ends = [
            (done, info)
            for *_, dones, infos in play(envs, 300)[1:]
            for done, info in zip(dones, infos)
        ]
        dead = [info for done, info in ends if done]
        assert dead
        assert not any(info["TimeLimit.truncated"] for info in dead)
        assert not any(info for done, info in ends if not done)

    def test_seeds_and_options_are_for_one_reset(self, sb3):
        envs = sb3.VecEnv(NAME, 2, info_keys=["inventory"], **SHORT)
        assert envs.seed(5) == [5, 6]
        envs.set_options({"inventory": {"wood": 3}})
        envs.reset()
        assert [info["inventory"]["wood"] for info in envs.reset_infos] == [3, 3]
        first = envs.get_attr("world_seed")
        envs.reset()
        assert [info["inventory"]["wood"] for info in envs.reset_infos] == [0, 0]
        assert envs.get_attr("episode") == [2, 2]
        assert envs.get_attr("world_seed") == first
        with pytest.raises(ValueError, match="take the same options"):
            envs.set_options([{}, {"inventory": {"wood": 3}}])

    def test_attributes_and_methods(self, sb3):
        envs = sb3.VecEnv(NAME, 3, **SHORT)
        envs.seed(0)
        envs.reset()
        envs.step(np.zeros(3, int))
        assert envs.get_attr("step_count") == [1, 1, 1]
        assert envs.get_attr("step_count", indices=1) == [1]
        assert envs.has_attr("daylight")
        assert not envs.has_attr("action_masks")
        (frame,) = envs.env_method("frame", (40, 20), indices=[2])
        assert frame.shape == (20, 40, 3)
        with pytest.raises(AttributeError, match="no settable attributes"):
            envs.set_attr("daylight", 1)

    def test_a_recorder_beneath(self, sb3, tmp_path):
        inner = gymnasium.make_vec(
            NAME,
            2,
            autoreset_mode="SameStep",
            info_keys=["reward", "achievements"],
            **SHORT,
        )
        envs = sb3.VecEnv(crafter.VectorStatsRecorder(inner, tmp_path))
        assert envs.env_is_wrapped(gymnasium.Wrapper, indices=[0]) == [False]
        play(envs, 20)
        assert len((tmp_path / "stats.jsonl").read_text().splitlines()) == 2

    def test_pictures(self, sb3):
        envs = sb3.VecEnv(NAME, 3, render_mode="rgb_array", render_size=(40, 20))
        assert envs.render_mode == "rgb_array"
        envs.reset()
        assert [picture.shape for picture in envs.get_images()] == [(20, 40, 3)] * 3
        assert envs.render().shape == (40, 80, 3)

    def test_what_does_not_fit_is_refused(self, sb3):
        with pytest.raises(ValueError, match="autoreset_mode='SameStep'; got .*NEXT"):
            sb3.VecEnv(gymnasium.make_vec(NAME, 2))
        with pytest.raises(ValueError, match="copy=True"):
            sb3.VecEnv(NAME, 2, copy=False)
        with pytest.raises(TypeError, match="Expected an id"):
            sb3.VecEnv(crafter.Env())
        envs = gymnasium.make_vec(NAME, 2, autoreset_mode="SameStep")
        with pytest.raises(TypeError, match="need an id"):
            sb3.VecEnv(envs, num_envs=2)


@pytest.mark.train
@pytest.mark.parametrize(
    ("observation", "policy"),
    [("pixels", "CnnPolicy"), ("symbolic", "MlpPolicy"), ("compact", "MlpPolicy")],
)
def test_ppo_learns_a_few_steps(sb3, observation, policy):
    from stable_baselines3 import PPO

    envs = sb3.VecEnv(NAME, 4, observation=observation, **SHORT)
    model = PPO(policy, envs, n_steps=24, batch_size=48, n_epochs=1, seed=0)
    before = [weight.clone() for weight in model.policy.parameters()]
    model.learn(96)
    after = model.policy.parameters()
    assert any(not bool((a == b).all()) for a, b in zip(before, after))
    assert [episode["l"] for episode in model.ep_info_buffer] == [20] * 4


@pytest.mark.train
def test_dqn_keeps_final_observations(sb3):
    from stable_baselines3 import DQN

    envs = sb3.VecEnv(NAME, 2, observation="compact", **SHORT)
    model = DQN("MlpPolicy", envs, learning_starts=20, buffer_size=100, seed=0)
    model.learn(60)
    buffer = model.replay_buffer
    assert buffer.dones[19].all()
    assert buffer.timeouts[19].all()
    assert not np.array_equal(buffer.next_observations[19], buffer.observations[20])
