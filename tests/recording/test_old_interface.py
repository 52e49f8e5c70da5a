"""Recorders around environments of the old Gym."""

import numpy as np
import pytest
from recorded import only, read_video, stats_of

from crafter import legacy
from crafter.recorder import (
    Recorder,
    load_episode,
    load_start,
)


class TestOldInterface:
    """Programs for the published package wrap environments of the old Gym."""

    def make(self, directory, **options):
        env = legacy.Env(area=(24, 32), size=(64, 48), seed=1, length=5)
        return Recorder(env, directory, **options)

    def test_recorded_game(self, tmp_path, ffmpeg):
        env = self.make(tmp_path, video_size=64)
        plain = legacy.Env(area=(24, 32), size=(64, 48), seed=1, length=5)
        assert np.array_equal(env.reset(), plain.reset())
        done = False
        while not done:
            expected = plain.step(2)
            observation, reward, done, info = env.step(2)
            assert np.array_equal(observation, expected[0])
            assert (reward, done) == expected[1:3]
            np.testing.assert_equal(info, expected[3])
        env.close()
        npz = only(tmp_path, "*-len5.npz")
        assert len(load_episode(npz)["image"]) == 6
        assert len(read_video(ffmpeg, npz.with_suffix(".mp4"))[1]) == 6
        assert load_start(npz)["step"] == 0
        assert stats_of(tmp_path)[0]["length"] == 5

    def test_attributes_are_those_of_the_old_environment(self, tmp_path):
        env = self.make(tmp_path, save_video=False)
        env.reset()
        assert env.action_space is env.unwrapped.action_space
        assert env.observation_space is env.unwrapped.observation_space
        assert env.render((90, 70)).shape == (70, 90, 3)
        assert isinstance(env.unwrapped, legacy.Env)
        assert env._player.pos.tolist() == list(env.player.position)

    def test_inside_of_old_wrappers(self, tmp_path):
        class Shifted:
            """Has the few methods that wrappers of the old Gym have."""

            def __init__(self, env):
                self.env, self.unwrapped = env, env.unwrapped

            def reset(self):
                return self.env.reset() // 2

            def step(self, action):
                observation, *others = self.env.step(action)
                return observation // 2, *others

            def close(self):
                self.env.close()

        wrapped = Shifted(legacy.Env(area=(24, 32), size=(64, 48), length=2))
        with Recorder(wrapped, tmp_path, save_video=False) as env:
            assert env.action_space.n == 17
            env.reset()
            observation, *_ = [env.step(0) for _ in range(2)][-1]
        image = load_episode(only(tmp_path, "*-len2.npz"))["image"]
        assert np.array_equal(image[-1], observation)
        assert image.max() <= 127

    def test_seeds_and_other_objects_are_refused(self, tmp_path):
        with pytest.raises(TypeError, match="reset.. without arguments"):
            self.make(tmp_path, save_video=False).reset(seed=3)
        with pytest.raises(TypeError, match="Gymnasium or crafter.legacy.Env, got 'Cr"):
            Recorder("CrafterReward-v1", tmp_path)
