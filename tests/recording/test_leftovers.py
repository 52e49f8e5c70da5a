"""What killed processes have left behind."""

import importlib.util
import os
import pathlib
import signal
import textwrap
import time

import numpy as np
import pytest
from budget import sample
from recorded import (
    files,
    make_env,
    no_space,
    only,
    play,
    read_video,
    run_program,
    stats_of,
)

from crafter.recorder import (
    EpisodeRecorder,
    Recorder,
    load_episode,
)
from crafter.recording import folder

needs_locks = pytest.mark.skipif(
    importlib.util.find_spec("fcntl") is None, reason="needs locks of POSIX"
)


@needs_locks
class TestLeftovers:
    """The next recorder finishes what a killed process has left behind."""

    def test_running_episode_becomes_a_partial_one(self, tmp_path, ffmpeg):
        assert self.kill(tmp_path, "die()") == -signal.SIGKILL
        assert only(tmp_path, ".recording-*")
        assert files(tmp_path, "*.npz") == []
        self.start(tmp_path)
        npz = only(tmp_path, "*-partial-ach0-len3.npz")
        assert len(load_episode(npz)["image"]) == 4
        assert len(read_video(ffmpeg, npz.with_suffix(".mp4"))[1]) == 4
        assert stats_of(tmp_path) == []
        assert len(files(tmp_path)) == 3

    @pytest.mark.parametrize(
        "moment",
        sample(
            [
                "before('numpy', 'savez_compressed')",
                "before('crafter.recording.episode', 'free_name')",
                "before('pathlib', 'Path.replace', 2)",  # The first is the journal's.
                "before('pathlib', 'Path.replace', 3)",
                "before('pathlib', 'Path.replace', 4)",
                "before('crafter.recording.stats', 'append_line')",
                "before('shutil', 'rmtree')",
            ],
        ),
    )
    def test_episode_that_is_over_becomes_a_whole_one(self, tmp_path, ffmpeg, moment):
        assert self.kill(tmp_path, f"{moment}\nplay(2)") == -signal.SIGKILL
        self.start(tmp_path)
        npz = only(tmp_path, "*[0-9]-ach0-len5.npz")
        assert load_episode(npz)["done"].tolist() == [False] * 5 + [True]
        assert len(read_video(ffmpeg, npz.with_suffix(".mp4"))[1]) == 6
        (line,) = stats_of(tmp_path)
        assert (line["length"], line["file"]) == (5, npz.stem)
        assert len(files(tmp_path)) == 3
        self.start(tmp_path)
        assert len(stats_of(tmp_path)) == 1 and len(files(tmp_path)) == 3

    @pytest.mark.slow
    def test_episode_without_steps_leaves_nothing(self, tmp_path, ffmpeg, monkeypatch):
        assert self.kill(tmp_path, "env.close(); env.reset(); die()")
        self.start(tmp_path)
        assert only(tmp_path, ".recording-*")  # It could be one that begins just now.
        clock = time.time()
        monkeypatch.setattr(time, "time", lambda: clock + 100)
        self.start(tmp_path)
        assert files(tmp_path, ".*") == []

    @pytest.mark.slow
    def test_video_that_cannot_be_played_is_deleted(self, tmp_path, ffmpeg):
        assert self.kill(tmp_path, "die()") == -signal.SIGKILL
        video = only(only(tmp_path, ".recording-*"), "video.mp4")
        video.write_bytes(video.read_bytes()[:-20])
        self.start(tmp_path)
        assert len(files(tmp_path, "*-partial-*.npz")) == 1
        assert len(files(tmp_path)) == 2

    @pytest.mark.slow
    def test_damaged_rows_are_deleted(self, tmp_path, ffmpeg):
        assert self.kill(tmp_path, "die()") == -signal.SIGKILL
        only(only(tmp_path, ".recording-*"), "rows.json").write_text("{")
        self.start(tmp_path)
        assert len(files(tmp_path, "*-partial-*.mp4")) == 1
        assert len(files(tmp_path)) == 2

    def test_what_others_work_on_is_left_alone(self, tmp_path):
        env = Recorder(make_env(), tmp_path, save_video=False)
        play(env, 3)
        self.start(tmp_path)
        env.step(0)
        env.step(0)
        assert load_episode(only(tmp_path, "*[0-9]-ach*-len5.npz"))["done"][-1]
        assert len(files(tmp_path)) == 2

    @pytest.mark.slow
    def test_full_disk_leaves_it_for_the_next_time(self, tmp_path, ffmpeg, monkeypatch):
        assert self.kill(tmp_path, "die()") == -signal.SIGKILL
        with monkeypatch.context() as patch:
            patch.setattr(np, "savez_compressed", no_space)
            self.start(tmp_path)
        assert only(tmp_path, ".recording-*")
        self.start(tmp_path)
        assert len(files(tmp_path, "*-partial-*.npz")) == 1
        assert len(files(tmp_path)) == 3

    def start(self, directory):
        """Opens a recorder in the directory."""
        EpisodeRecorder(make_env(), directory)

    def kill(self, directory, program):
        """Plays three steps and kills itself at some moment; returns the exit code."""
        start = """
            import importlib, os

            def die(*args, **kwargs):
                os.kill(os.getpid(), signal.SIGKILL)

            def play(steps):
                for _ in range(steps):
                    env.step(0)

            def before(module, path, number=1):
                owner = importlib.import_module(module)
                *parents, name = path.split(".")
                for parent in parents:
                    owner = getattr(owner, parent)
                work, calls = getattr(owner, name), []
                def patched(*args, **kwargs):
                    calls.append(name)
                    return die() if len(calls) == number else work(*args, **kwargs)
                setattr(owner, name, patched)
        """
        program = textwrap.dedent(start) + textwrap.dedent(program)
        code = run_program(directory, program).returncode
        wait_for_locks(directory)
        return code


def wait_for_locks(directory):
    """Waits until ffmpeg, which outlives us, has completed its videos."""
    fcntl = importlib.import_module("fcntl")
    for path in pathlib.Path(directory).glob(".recording-*/steps"):
        with path.open("rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)


def test_reservations_of_the_killed_are_dropped(tmp_path):
    workspace = folder.Workspace.make(tmp_path)
    for name, content, age in [
        ("own", workspace.path.name, 0),
        ("other", ".recording-other", 100),
        ("killed-before-it-wrote", "", 100),
        ("about-to-write", "", 0),
    ]:
        path = tmp_path / f".reserved-{name}"
        path.write_text(content)
        os.utime(path, (time.time() - age,) * 2)
    folder.drop_reservations(workspace)
    left = [".reserved-about-to-write", ".reserved-other"]
    assert files(tmp_path, ".reserved-*") == left
    workspace.remove()
