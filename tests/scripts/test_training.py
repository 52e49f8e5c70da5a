"""What training programs share: files that go on, and what is said when they cannot."""

import argparse
import json

import numpy as np
import pytest
from training import archives, files
from training.starts import TrainingError, check_packages, make_seed

GROWING = ("stats.jsonl", "progress.jsonl")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "stats.jsonl").write_text("one\ntwo\nthree\n")
    (tmp_path / "progress.jsonl").write_text("first\nsecond\n")
    return tmp_path


@pytest.fixture
def checkpoint(tmp_path):
    """A checkpoint with a note, written when there was one line of each file."""
    path = tmp_path / "checkpoints" / "000000300.zip"
    path.parent.mkdir()
    path.touch()
    files.write_note(path, files.Note(dict(zip(GROWING, (4, 6))), {"task": "a"}))
    return path


def texts(folder):
    return [(folder / name).read_text() for name in GROWING]


class TestCut:
    """Resuming leaves no line that was written after the checkpoint."""

    def test_late_lines_move_beside(self, folder, capsys):
        sizes = {"stats.jsonl": 4, "progress.jsonl": 13, "new.jsonl": 0}
        files.cut(folder, sizes)
        assert texts(folder) == ["one\n", "first\nsecond\n"]
        assert (folder / "stats-dropped.jsonl").read_text() == "two\nthree\n"
        assert "Moved 2 lines from stats.jsonl" in capsys.readouterr().out
        names = {path.name for path in folder.iterdir()}
        assert names == {*GROWING, "stats-dropped.jsonl"}
        files.cut(folder, sizes)
        assert capsys.readouterr().out == ""

    def test_lines_that_were_dropped_before_stay(self, folder):
        (folder / "stats-dropped.jsonl").write_text("older\n")
        (folder / "stats.jsonl").write_text("one\ntwo\nhal")
        files.cut(folder, {"stats.jsonl": 4})
        dropped = (folder / "stats-dropped.jsonl").read_text()
        assert dropped == "older\ntwo\nhal\n"

    def test_lines_that_come_again_are_not_kept(self, folder, capsys):
        files.cut(folder, {"stats.jsonl": 8, "progress.jsonl": 6}, keep=False)
        assert texts(folder) == ["one\ntwo\n", "first\n"]
        assert not (folder / "stats-dropped.jsonl").exists()
        assert capsys.readouterr().out == ""

    @pytest.mark.parametrize("missing", GROWING)
    def test_nothing_is_cut_if_a_file_is_too_short(self, folder, missing):
        sizes = {name: 40 if name == missing else 0 for name in GROWING}
        before = texts(folder)
        with pytest.raises(TrainingError, match=rf"{missing} has 1\d bytes, fewer"):
            files.cut(folder, sizes)
        assert texts(folder) == before


class TestSettings:
    """A training goes on with the options that it began with."""

    def test_some_are_free(self):
        args = argparse.Namespace(task="a", steps=7, logdir="x")
        assert files.settings_of(args, ("steps", "logdir")) == {"task": "a"}

    def test_the_same_after_a_journey_through_json(self, tmp_path):
        settings = {
            "rate": 0.1 + 0.2,
            "tasks": ["a", "b"],
            "task": None,
            "vector": True,
        }
        files.check_settings(tmp_path, json.loads(json.dumps(settings)), settings)

    def test_it_says_what_was_and_what_is(self, tmp_path):
        theirs = {"task": None, "vector": True, "max_norm": 0.5, "tasks": ["a", "b"]}
        ours = {"task": "c", "vector": False, "max_norm": 0.5, "tasks": ["a"]}
        with pytest.raises(TrainingError) as caught:
            files.check_settings(tmp_path / "x.zip", theirs, ours)
        assert str(caught.value) == (
            f"{tmp_path / 'x.zip'} was made with no --task, --vector, --tasks a b, but "
            "now there is --task c, no --vector, --tasks a. Give the same, or another "
            "folder."
        )

    def test_an_option_that_one_side_lacks(self, tmp_path):
        with pytest.raises(TrainingError, match="with no --seed, but now there is"):
            files.check_settings(tmp_path, {}, {"seed": 0})


class TestFindCheckpoint:
    """A new training needs an empty folder, an old one its checkpoint."""

    def test_the_newest_counts(self, tmp_path, checkpoint):
        note = files.read_note(checkpoint, GROWING)
        newest = checkpoint.with_name("1000000000")
        newest.mkdir()
        files.write_note(newest, note)
        checkpoint.with_name(".unfinished.zip").touch()
        found = files.find_checkpoint(tmp_path, True, GROWING, {"task": "a"})
        assert found == newest
        assert files.read_note(newest, GROWING) == note

    def test_another_training_is_not_resumed(self, tmp_path, checkpoint):
        with pytest.raises(TrainingError, match="with --task a, but now there is --ta"):
            files.find_checkpoint(tmp_path, True, GROWING, {"task": "b"})

    def test_nothing_to_resume(self, tmp_path):
        with pytest.raises(TrainingError, match="no checkpoint in"):
            files.find_checkpoint(tmp_path, True, GROWING, {})

    def test_a_training_is_not_begun_twice(self, tmp_path, checkpoint):
        with pytest.raises(TrainingError, match="add --resume"):
            files.find_checkpoint(tmp_path, False, GROWING, {"task": "a"})

    def test_nor_among_lines_without_a_checkpoint(self, folder):
        with pytest.raises(TrainingError, match="stats.jsonl and progress.jsonl but"):
            files.find_checkpoint(folder, False, GROWING, {})

    def test_empty_files_do_not_matter(self, tmp_path):
        for name in GROWING:
            (tmp_path / name).touch()
        assert files.find_checkpoint(tmp_path, False, GROWING, {}) is None
        assert files.find_checkpoint(tmp_path / "new", False, GROWING, {}) is None

    @pytest.mark.parametrize(
        "text",
        [
            None,
            "",
            "[]",
            '{"sizes": 3, "settings": {}}',
            '{"sizes": {"stats.jsonl": 3}, "settings": {}}',
            '{"sizes": {"stats.jsonl": 3, "progress.jsonl": []}, "settings": {}}',
            '{"sizes": {"stats.jsonl": 3, "progress.jsonl": 3}, "settings": 3}',
        ],
    )
    def test_unreadable_note(self, tmp_path, checkpoint, text):
        path = checkpoint.with_suffix(".json")
        path.unlink() if text is None else path.write_text(text)
        with pytest.raises(TrainingError, match="000000300.json must hold"):
            files.find_checkpoint(tmp_path, True, GROWING, {})


class TestArchive:
    """A checkpoint in one file says what it was told."""

    NOTE = files.Note(dict(zip(GROWING, (4, 6))), {"rate": 0.1, "tasks": ["a"]})

    def test_is_read_as_written(self, tmp_path):
        path = tmp_path / archives.NAME
        archives.write(path, self.NOTE, {"steps": 7, "leaf/0": np.arange(3)})
        note, found = archives.read(path, GROWING)
        assert note == self.NOTE
        assert int(found.pop("steps")) == 7
        np.testing.assert_array_equal(found.pop("leaf/0"), np.arange(3))
        assert not found
        assert [path.name for path in tmp_path.iterdir()] == [archives.NAME]

    def test_a_failed_one_leaves_the_old_one(self, tmp_path, monkeypatch):
        path = tmp_path / archives.NAME
        archives.write(path, self.NOTE, {"steps": 7})

        def full(file, **arrays):
            file.write(b"half")
            raise OSError("no space")

        monkeypatch.setattr(archives.np, "savez", full)
        with pytest.raises(OSError, match="no space"):
            archives.write(path, self.NOTE, {"steps": 8})
        assert int(archives.read(path, GROWING)[1]["steps"]) == 7

    @pytest.mark.parametrize("content", [b"", b"PK", b"other"])
    def test_what_is_none(self, tmp_path, content):
        path = tmp_path / archives.NAME
        path.write_bytes(content)
        with pytest.raises(TrainingError, match="cannot be read"):
            archives.read(path, GROWING)

    def test_arrays_of_something_else(self, tmp_path):
        path = tmp_path / archives.NAME
        np.savez(path, steps=3)
        with pytest.raises(TrainingError, match="no checkpoint of this program"):
            archives.read(path, GROWING)


def test_missing_packages_are_named_with_their_extra(monkeypatch):
    check_packages(["json"], "train")
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(TrainingError, match=r"^ray cannot .*install crafter\[rllib"):
        check_packages(["json", "ray"], "rllib")


def test_seeds_depend_on_all_numbers():
    seeds = [make_seed(*numbers) for numbers in [(0, 0), (0, 1), (1, 1), (1, 0)]]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert make_seed(1, 0) == seeds[3]
