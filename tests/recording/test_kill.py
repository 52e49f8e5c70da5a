"""Recordings after a kill, and the command that restores lines."""

import json
import os
import signal
import textwrap

import numpy as np
import pytest
from budget import sample
from recorded import files, make_env, only, play, read_video, run_program, stats_of

from crafter.recorder import EpisodeRecorder, Recorder, StatsRecorder, load_episode
from crafter.recording import rebuild

needs_kill = pytest.mark.skipif(os.name != "posix", reason="sends signals of POSIX")


def kill(directory, moment):
    """Plays an episode of five steps, and kills the process before a function call."""
    program = f"""
        import importlib, os

        def before(module, path, number=1):
            owner = importlib.import_module(module)
            *parents, name = path.split(".")
            for parent in parents:
                owner = getattr(owner, parent)
            work, calls = getattr(owner, name), []
            def patched(*args, **kwargs):
                calls.append(name)
                if len(calls) == number:
                    os.kill(os.getpid(), signal.SIGKILL)
                return work(*args, **kwargs)
            setattr(owner, name, patched)

        before({moment})
        env.step(0)
        env.step(0)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    result = run_program(directory, textwrap.dedent(program))
    assert result.returncode == -signal.SIGKILL, result.stderr


MOMENTS = {
    "'numpy', 'savez_compressed'": False,
    "'crafter.recording.stats', 'StatsFile.append'": True,
    "'crafter.recording.episode', 'claim'": False,
    "'pathlib', 'Path.replace'": False,
    "'pathlib', 'Path.replace', 2": True,  # of the video
    "'crafter.recording.video', 'VideoFile.close'": True,
}


@needs_kill
@pytest.mark.parametrize("moment", sample(MOMENTS, 2))
def test_whole_files_only_and_every_episode_is_counted_once(tmp_path, ffmpeg, moment):
    kill(tmp_path, moment)
    for _ in range(2):
        rebuild.main([str(tmp_path)])
        assert len(stats_of(tmp_path)) == MOMENTS[moment]
    if not MOMENTS[moment]:  # The npz has at most claimed its name.
        assert sum(path.stat().st_size for path in tmp_path.glob("*.npz")) == 0
        play(EpisodeRecorder(make_env(), tmp_path), 5)
        return
    npz = only(tmp_path, "[!.]*-ach0-len5.npz")
    assert load_episode(npz)["done"].tolist() == [False] * 5 + [True]
    if npz.with_suffix(".mp4").exists():
        assert len(read_video(ffmpeg, npz.with_suffix(".mp4"))[1]) == 6
    (line,) = stats_of(tmp_path)
    assert (line["length"], line["file"]) == (5, npz.stem)


class TestRebuild:
    def rebuild(self, folder):
        rebuild.main([str(folder)])
        return stats_of(folder)

    @pytest.mark.parametrize("keep", [0, 1])
    def test_lines_are_as_recorded(self, tmp_path, keep):
        env = Recorder(make_env(60), tmp_path, save_video=False)
        play(env, 60)
        play(env, 60, seed=1)
        env.reset(options={"inventory": {"wood": 9}})
        for _ in range(60):
            env.step(0)
        env.reset()
        env.set_state(env.get_state())
        while not any(env.step(0)[2:4]):
            pass
        play(env, 3)
        env.close()
        path = tmp_path / "stats.jsonl"
        expected, text = stats_of(tmp_path), path.read_text()
        starts = [line.get("start") for line in expected]
        assert starts == [None, None, "options", "state"]
        path.write_text("".join(text.splitlines(keepends=True)[:keep]) + '{"length')
        rebuild.main([str(tmp_path)])
        lines = [line for line in path.read_text().splitlines() if line.endswith("}")]
        found = sorted(map(json.loads, lines), key=lambda line: line["file"])
        assert found == sorted(expected, key=lambda line: line["file"])

    def test_lines_of_another_recorder_count(self, tmp_path):
        play(StatsRecorder(EpisodeRecorder(make_env(), tmp_path), tmp_path), 5)
        assert len(self.rebuild(tmp_path)) == 1

    def test_episodes_without_a_start_are_skipped(self, tmp_path, capsys):
        play(EpisodeRecorder(make_env(), tmp_path), 5)
        path = only(tmp_path, "*.npz")
        with np.load(path) as archive:
            arrays = {name: archive[name] for name in archive if name != "start"}
        np.savez(path, **arrays)
        assert self.rebuild(tmp_path) == []
        assert "does not say how it began" in capsys.readouterr().err

    def test_a_folder_is_needed(self, tmp_path, capsys):
        with pytest.raises(SystemExit):
            rebuild.main([str(tmp_path / "nothing")])
        assert "is not a folder" in capsys.readouterr().err
        assert files(tmp_path) == []
