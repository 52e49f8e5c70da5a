"""Recorded episodes are read whole, or refused with one kind of error."""

import os
import zipfile

import numpy as np
import pytest
from recorded import EPISODE_TABLE, make_env, only, play

from crafter.recorder import (
    EpisodeRecorder,
    load_episode,
    load_start,
)


class TestLoadEpisode:
    def save(self, path, **changes):
        rows = len(changes.get("image", range(4)))
        arrays = {key: np.zeros((rows, *s), t) for key, t, s in EPISODE_TABLE}
        arrays |= {"discount": np.array([0.0, 1, 1, 0]), **changes}
        np.savez_compressed(path, **arrays)
        return path

    def test_reads_what_the_recorder_wrote(self, tmp_path):
        play(EpisodeRecorder(make_env(), tmp_path), 5)
        path = only(tmp_path, "*.npz")
        episode = load_episode(str(path))
        with np.load(path) as archive:
            assert [*episode, "start"] == archive.files
            for key, array in episode.items():
                assert np.array_equal(array, archive[key])

    def test_objects_of_the_published_package_are_not_unpickled(self, tmp_path):
        class Trap:
            def __reduce__(self):
                return os.mkdir, (str(tmp_path / "trapped"),)

        done = np.array([False, None, None, Trap()], dtype=object)
        path = self.save(tmp_path / "a.npz", done=done)
        episode = load_episode(path)
        assert episode["done"].dtype == bool
        assert episode["done"].tolist() == [False, False, False, True]
        assert not (tmp_path / "trapped").exists()

    def test_objects_elsewhere_are_refused(self, tmp_path):
        path = self.save(tmp_path / "a.npz", reward=np.array([1, 2, 3, None]))
        with pytest.raises(ValueError, match="is not a recorded episode.*pickle"):
            load_episode(path)

    def test_numbers_of_the_published_package_become_bools(self, tmp_path):
        # Its environments without step limit (0) write 0 and 1.
        path = self.save(tmp_path / "a.npz", done=np.array([0, 0, 0, 1]))
        assert load_episode(path)["done"].tolist() == [False, False, False, True]

    def test_missing_file(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="nothing.npz"):
            load_episode(tmp_path / "nothing.npz")

    @pytest.mark.parametrize("content", [b"", b"some text", b"PK\x03\x04 no archive"])
    def test_not_an_archive(self, tmp_path, content):
        (tmp_path / "a.npz").write_bytes(content)
        with pytest.raises(ValueError, match="a.npz' is not a recorded episode"):
            load_episode(tmp_path / "a.npz")

    def test_damaged_archive(self, tmp_path):
        data = self.save(tmp_path / "a.npz").read_bytes()
        (tmp_path / "cut.npz").write_bytes(data[: len(data) // 2])
        with pytest.raises(ValueError, match="cut.npz' is not a recorded episode"):
            load_episode(tmp_path / "cut.npz")
        with zipfile.ZipFile(tmp_path / "a.npz") as archive:
            start = archive.getinfo("image.npy").header_offset
        flipped = bytearray(data)
        flipped[start + 60 : start + 70] = b"\xff" * 10
        (tmp_path / "flipped.npz").write_bytes(flipped)
        with pytest.raises(ValueError, match="flipped.npz' is not a recorded episode"):
            load_episode(tmp_path / "flipped.npz")

    @pytest.mark.parametrize("key", ["image", "reward"])
    def test_missing_key(self, tmp_path, key):
        path = self.save(tmp_path / "a.npz")
        with np.load(path) as archive:
            arrays = {name: archive[name] for name in archive if name != key}
        np.savez(path, **arrays)
        with pytest.raises(ValueError, match=f"{key} missing, it holds"):
            load_episode(path)

    def test_other_arrays(self, tmp_path):
        np.savez(tmp_path / "a.npz", weights=np.zeros(3))
        with pytest.raises(ValueError, match="achievement_.*missing, it holds weights"):
            load_episode(tmp_path / "a.npz")

    @pytest.mark.parametrize(
        "key, array",
        [
            ("reward", np.zeros(3)),
            ("ainventory_wood", np.zeros(5, int)),
        ],
    )
    def test_different_lengths(self, tmp_path, key, array):
        path = self.save(tmp_path / "a.npz", **{key: array})
        with pytest.raises(ValueError, match="equally long"):
            load_episode(path)

    @pytest.mark.parametrize("done", [np.zeros(4), np.zeros((4, 2), bool)])
    def test_wrong_done(self, tmp_path, done):
        path = self.save(tmp_path / "a.npz", done=done)
        with pytest.raises(ValueError, match="done must be one bool per row"):
            load_episode(path)

    @pytest.mark.parametrize(
        "descr",
        [
            "{'descr': '|u1', 'fortran_order': False, 'shape': (4,",  # TokenError
            "{'descr': '|u1', 'fortran_order': False, 'shape': (2**62, 2**62), }",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (-4,), }",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (10**15,), }",
            "{'descr': '|u1', 'fortran_order': False, 'shape': 4, }",
            "{'descr': 'nonsense', 'fortran_order': False, 'shape': (4,), }",
            "[" * 300 + "]" * 300,
            "(((",
        ],
    )
    def test_malformed_headers(self, tmp_path, descr):
        header = f"{descr}\n".encode()
        member = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        self.save(tmp_path / "a.npz")
        with zipfile.ZipFile(tmp_path / "a.npz", "a") as archive:
            archive.writestr("extra.npy", member + b"0123")
        with pytest.raises(ValueError, match="a.npz' is not a recorded episode"):
            load_episode(tmp_path / "a.npz")

    @pytest.mark.parametrize(
        "method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED]
    )
    def test_damaged_compression(self, tmp_path, method):
        with zipfile.ZipFile(tmp_path / "a.npz", "w", method) as archive:
            archive.writestr("image.npy", b"\x93NUMPY" + bytes(1000))
            start = archive.getinfo("image.npy").header_offset
        data = bytearray((tmp_path / "a.npz").read_bytes())
        for place in range(start + 39, start + 60):
            data[place] ^= 0x55
            (tmp_path / "b.npz").write_bytes(data)
            with pytest.raises(ValueError, match="b.npz' is not a recorded episode"):
                load_episode(tmp_path / "b.npz")

    def test_refusals_do_not_repeat_a_damaged_directory(self, tmp_path):
        data = bytearray(self.save(tmp_path / "a.npz").read_bytes())
        entry = data.index(b"PK\x01\x02")
        data[entry + 28 : entry + 30] = (1800).to_bytes(2, "little")  # of the name
        (tmp_path / "a.npz").write_bytes(data)
        with pytest.raises(ValueError, match="a.npz' is not a recorded") as refusal:
            load_episode(tmp_path / "a.npz")
        assert len(str(refusal.value)) < 1000

    @pytest.mark.parametrize("place, value", [(6, 1), (8, 1), (8, 99), (4, 255)])
    def test_archives_that_cannot_be_unpacked(self, tmp_path, place, value):
        # Flags, method and version in the directory: encryption, or unknown ones.
        data = bytearray(self.save(tmp_path / "a.npz").read_bytes())
        data[data.index(b"PK\x01\x02") + 2 + place] = value
        (tmp_path / "a.npz").write_bytes(data)
        with pytest.raises(ValueError, match="a.npz' is not a recorded episode"):
            load_episode(tmp_path / "a.npz")

    @pytest.mark.parametrize(
        "key, array",
        [
            ("action", np.zeros(4, "U3")),
            ("reward", np.zeros((4, 1))),
            ("discount", np.zeros(4, "M8[s]")),
        ],
    )
    def test_wrong_kinds_of_numbers(self, tmp_path, key, array):
        path = self.save(tmp_path / "a.npz", **{key: array})
        with pytest.raises(ValueError, match=f"{key} must be one number per row"):
            load_episode(path)

    def test_directories_are_refused(self, tmp_path):
        with pytest.raises(OSError, match="directory"):
            load_episode(tmp_path)


class TestLoadStart:
    def test_the_game_can_be_played_again(self, tmp_path):
        play(EpisodeRecorder(make_env(30), tmp_path), 30)
        path = only(tmp_path, "*.npz")
        episode = load_episode(path)
        env = make_env(30)
        env.set_state(load_start(path))
        assert np.array_equal(env.frame(), episode["image"][0])
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
        with pytest.raises(ValueError, match="a.npz' cannot be played again: it does"):
            load_start(path)

    @pytest.mark.parametrize("content", [np.zeros(9, np.uint8), np.zeros(3)])
    def test_damaged_starts_are_refused(self, tmp_path, content):
        path = TestLoadEpisode().save(tmp_path / "a.npz", start=content)
        with pytest.raises(ValueError, match="a.npz' cannot be played again"):
            load_start(path)
        assert "start" not in load_episode(path)
