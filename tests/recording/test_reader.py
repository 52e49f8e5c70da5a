"""Recorded episodes are read whole, or refused with one kind of error."""

import os

import numpy as np
import pytest
from recorded import EPISODE_TABLE, make_craftax, make_env, only, play

from crafter.recorder import (
    EpisodeRecorder,
    load_episode,
    load_game,
    load_start,
)


class TestLoadEpisode:
    def save(self, path, **changes):
        rows = len(changes.get("image", range(4)))
        arrays = {key: np.zeros((rows, *s), t) for key, t, s in EPISODE_TABLE}
        arrays |= {"discount": np.array([0.0, 1, 1, 0]), **changes}
        np.savez_compressed(path, **arrays)
        return path

    def test_objects_of_the_published_package_are_not_unpickled(self, tmp_path):
        class Trap:
            def __reduce__(self):
                return os.mkdir, (str(tmp_path / "trapped"),)

        done = np.array([False, None, None, Trap()], dtype=object)
        discount = np.array([0.0, 0, 1, 0])
        path = self.save(tmp_path / "a.npz", done=done, discount=discount)
        episode = load_episode(path)
        assert episode["done"].dtype == bool
        assert episode["done"].tolist() == [False, True, False, True]
        assert not (tmp_path / "trapped").exists()

    def test_numbers_of_the_published_package_become_bools(self, tmp_path):
        # Its environments without step limit (0) write 0 and 1.
        path = self.save(tmp_path / "a.npz", done=np.array([0, 0, 0, 1]))
        assert load_episode(path)["done"].tolist() == [False, False, False, True]

    @pytest.mark.parametrize(
        "damage",
        [
            lambda data: b"some text",
            lambda data: data[: len(data) // 2],
            lambda data: data[:99] + bytes(x ^ 0x55 for x in data[99:120]) + data[120:],
        ],
    )
    def test_damaged_archives_are_refused(self, tmp_path, damage):
        path = self.save(tmp_path / "a.npz")
        path.write_bytes(damage(path.read_bytes()))
        with pytest.raises(ValueError, match="a.npz' is not a recorded") as refusal:
            load_episode(path)
        assert len(str(refusal.value)) < 1000

    @pytest.mark.parametrize(
        "key, array, reason",
        [
            ("image", None, "image missing, it holds .*reward"),
            ("achievement_", None, "achievement_.*missing, it holds"),
            ("reward", np.zeros(3), "equally long"),
            ("ainventory_wood", np.zeros(5, int), "equally long"),
            ("action", np.zeros(4, "U3"), "action must be one number per row"),
            ("reward", np.zeros((4, 1)), "reward must be one number per row"),
            ("done", np.zeros(4), "done must be one bool per row"),
            ("done", np.zeros((4, 2), bool), "done must be one bool per row"),
            ("reward", np.array([1, 2, 3, None]), "pickle"),
            ("game", np.zeros(3), "game must be one text"),
            ("game", np.array(["a", "b"]), "game must be one text"),
        ],
    )
    def test_other_arrays_are_refused(self, tmp_path, key, array, reason):
        with np.load(self.save(tmp_path / "a.npz")) as archive:
            arrays = {n: archive[n] for n in archive if not n.startswith(key)}
        if array is not None:
            arrays[key] = array
        np.savez(tmp_path / "a.npz", **arrays)
        for load in (load_episode, *([load_game] if key == "game" else [])):
            with pytest.raises(ValueError, match=f"not a recorded episode: .*{reason}"):
                load(tmp_path / "a.npz")

    def test_episodes_without_rows_are_refused(self, tmp_path):
        empty = {"image": np.zeros((0, 48, 64, 3), np.uint8), "discount": np.zeros(0)}
        with pytest.raises(ValueError, match="equally long"):
            load_episode(self.save(tmp_path / "a.npz", **empty))

    def test_places_without_a_file_are_refused(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="nothing.npz"):
            load_episode(tmp_path / "nothing.npz")
        with pytest.raises(OSError, match="directory"):
            load_episode(tmp_path)


class TestLoadStart:
    @pytest.mark.parametrize("make", [make_env, make_craftax])
    def test_the_game_can_be_played_again(self, tmp_path, make):
        play(EpisodeRecorder(make(30), tmp_path), 30)
        path = only(tmp_path, "*.npz")
        episode = load_episode(path)
        env = make(30)
        env.set_state(load_start(path))
        for action, image in zip(episode["action"][1:], episode["image"][1:]):
            assert np.array_equal(env.step(action)[0], image)
        assert env.frame((500, 400)).shape == (400, 500, 3)

    def test_a_start_from_a_saved_game(self, tmp_path):
        env = EpisodeRecorder(make_env(9), tmp_path)
        play(env, 4)
        state = env.unwrapped.get_state()
        play(env, 9)
        env.reset(options={"state": state})
        for _ in range(5):
            env.step(0)
        np.testing.assert_equal(load_start(only(tmp_path, "*-ach*-len5.npz")), state)

    def test_recordings_without_a_start_are_refused(self, tmp_path):
        path = TestLoadEpisode().save(tmp_path / "a.npz")
        with pytest.raises(ValueError, match="a.npz' cannot be replayed: it does"):
            load_start(path)

    @pytest.mark.parametrize("content", [np.zeros(9, np.uint8), np.zeros(3)])
    def test_damaged_starts_are_refused(self, tmp_path, content):
        path = TestLoadEpisode().save(tmp_path / "a.npz", start=content)
        with pytest.raises(ValueError, match="a.npz' cannot be replayed"):
            load_start(path)
        assert "start" not in load_episode(path)
