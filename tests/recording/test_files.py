"""The files of recorders: names, folders, full disks."""

import errno
import os
import pathlib

import pytest
from recorded import (
    files,
    make_env,
    no_space,
    only,
    play,
    start_program,
    stats_of,
)

from crafter.recorder import Recorder, StatsRecorder, load_episode


class TestNames:
    @pytest.mark.parametrize("folder", ["logs", "-y", "a:b", "http:x"])
    def test_relative_folders_outlive_a_change_of_folder(
        self, tmp_path, ffmpeg, monkeypatch, folder
    ):
        (tmp_path / "other").mkdir()
        monkeypatch.chdir(tmp_path)
        env = Recorder(make_env(2), folder, video_size=64)
        play(env, 2)
        monkeypatch.chdir("other")
        play(env, 2)
        for suffix in [".mp4", ".npz"]:
            assert len(files(tmp_path / folder, f"*{suffix}")) == 2
        assert len(stats_of(tmp_path / folder)) == 2

    @pytest.mark.parametrize("suffix", [".npz", ".mp4"])
    def test_names_that_are_taken_get_a_number(
        self, tmp_path, ffmpeg, same_second, suffix
    ):
        name = "20210913T120000-ach0-len1"
        (tmp_path / f"{name}{suffix}").write_text("old")
        env = Recorder(make_env(1), tmp_path, video_size=64)
        play(env, 1), play(env, 1)
        new = [f"{name}-{number}{end}" for number in "23" for end in (".npz", ".mp4")]
        assert files(tmp_path, "*-len*") == sorted([name + suffix, *new])
        assert only(tmp_path, f"*-len1{suffix}").read_text() == "old"
        load_episode(tmp_path / f"{name}-2.npz")

    @pytest.mark.slow
    def test_processes_share_a_directory(self, tmp_path, ffmpeg):
        program = """
            import time
            time.strftime = lambda form: "20210913T120000"
            for _ in range(8):
                env.reset()
                env.step(0)
        """
        workers = [start_program(tmp_path, program, length=1) for _ in range(3)]
        assert [worker.communicate()[1] for worker in workers] == ["", "", ""]
        names = [path.stem for path in tmp_path.glob("*.npz")]
        assert len(names) == 24
        assert files(tmp_path, "*.mp4") == sorted(f"{name}.mp4" for name in names)
        assert sorted(line["file"] for line in stats_of(tmp_path)) == sorted(names)
        assert len(files(tmp_path)) == 49
        for name in names:
            load_episode(tmp_path / f"{name}.npz")


class TestDirectory:
    @pytest.mark.parametrize("below", ["file", "file/logs"])
    def test_file_in_its_place(self, tmp_path, below):
        (tmp_path / "file").write_text("in the way")
        with pytest.raises(OSError, match="file"):
            Recorder(make_env(), tmp_path / below, save_video=False)

    def test_directory_in_place_of_the_stats(self, tmp_path):
        (tmp_path / "stats.jsonl").mkdir()
        with pytest.raises(OSError, match="stats.jsonl"):
            Recorder(make_env(), tmp_path, save_video=False)

    def test_disk_that_is_full_already(self, tmp_path, monkeypatch):
        monkeypatch.setattr("tempfile.TemporaryFile", no_space)
        with pytest.raises(OSError, match="No space left") as caught:
            Recorder(make_env(), tmp_path, save_video=False)
        assert caught.value.errno == errno.ENOSPC

    @pytest.mark.parametrize("directory", [None, "", 3])
    def test_no_path(self, directory):
        with pytest.raises(TypeError, match="must be a path"):
            StatsRecorder(make_env(), directory)


class TestDiskFull:
    """The game goes on, the file is dropped, others stay, the next one is tried."""

    @pytest.mark.parametrize(
        "where",
        [
            "tempfile.TemporaryFile",
            "crafter.recording.transitions.TransitionFile.add",
            "numpy.savez_compressed",
        ],
    )
    def test_writing(self, tmp_path, monkeypatch, where):
        env = Recorder(make_env(2), tmp_path, save_video=False)
        play(env, 2)
        earlier = only(tmp_path, "*.npz").read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(where, no_space)
            with pytest.warns(RuntimeWarning, match="npz file of episode 2") as caught:
                play(env, 2)
        assert len(caught) == 1
        assert only(tmp_path, "*.npz").read_bytes() == earlier
        assert len(files(tmp_path)) == 2
        assert len(stats_of(tmp_path)) == 2
        play(env, 2)
        assert len(files(tmp_path, "*.npz")) == 2

    @pytest.mark.skipif(
        not pathlib.Path("/dev/full").exists(), reason="needs the device /dev/full"
    )
    def test_stats_on_a_full_device(self, tmp_path):
        (tmp_path / "stats.jsonl").symlink_to("/dev/full")
        env = StatsRecorder(make_env(2), tmp_path)
        for episode in [1, 2]:
            with pytest.warns(RuntimeWarning, match=f"line of episode {episode}"):
                assert len(play(env, 2)) == 3

    def test_stats_line_that_fits_in_part_is_taken_back(self, tmp_path):
        resource = pytest.importorskip("resource", reason="needs limits of POSIX")
        env = StatsRecorder(make_env(1), tmp_path)
        play(env, 1)
        size = (tmp_path / "stats.jsonl").stat().st_size
        env.reset()
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, limits[1]))
        try:
            with pytest.warns(RuntimeWarning, match="line of episode 2"):
                env.step(0)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert (tmp_path / "stats.jsonl").stat().st_size == size
        play(env, 1)
        assert len(stats_of(tmp_path)) == 2

    @pytest.mark.skipif(os.name != "posix", reason="the stub is a shell script")
    @pytest.mark.parametrize("last_words", ["head -c 30000 >/dev/null", "cat >$out"])
    def test_ffmpeg_dies(self, tmp_path, ffmpeg, monkeypatch, last_words):
        stub = tmp_path / "ffmpeg"
        stub.write_text(
            "#!/bin/sh\n"
            'for out in "$@"; do :; done\n'
            "echo half of the video >$out\n"
            "echo disk on fire >&2\n"
            f"{last_words}\nexit 3\n"
        )
        stub.chmod(0o755)
        logs = tmp_path / "logs"
        with monkeypatch.context() as patch:
            patch.setattr("imageio_ffmpeg.get_ffmpeg_exe", lambda: str(stub))
            env = Recorder(make_env(12), logs, video_size=64)
        with pytest.warns(RuntimeWarning, match="exit code 3: disk on fire") as caught:
            play(env, 12)
        assert len(caught) == 1
        assert files(logs, "*.mp4") == []
        assert len(files(logs)) == 2
        assert len(stats_of(logs)) == 1
