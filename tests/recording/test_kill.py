"""What a kill leaves."""

import os
import signal
import textwrap

import pytest
from budget import sample
from recorded import make_env, only, play, read_video, run_program, stats_of

from crafter.recorder import EpisodeRecorder, load_episode

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


#: Moment -> whether the npz file is there, and how many lines are.
MOMENTS = {
    "'numpy', 'savez_compressed'": (False, 0),
    "'crafter.recording.stats', 'StatsFile.append'": (True, 0),
    "'crafter.recording.episode', 'claim'": (False, 0),
    "'pathlib', 'Path.replace'": (False, 0),
    "'pathlib', 'Path.replace', 2": (True, 0),  # of the video
    "'crafter.recording.video', 'VideoFile.close'": (True, 1),
}


@needs_kill
@pytest.mark.parametrize("moment", sample(MOMENTS, 2))
def test_there_are_whole_files_only(tmp_path, ffmpeg, moment):
    kill(tmp_path, moment)
    whole, lines = MOMENTS[moment]
    if not whole:  # The npz has at most claimed its name.
        assert sum(path.stat().st_size for path in tmp_path.glob("*.npz")) == 0
        play(EpisodeRecorder(make_env(), tmp_path), 5)
        return
    npz = only(tmp_path, "[!.]*-ach0-len5.npz")
    assert load_episode(npz)["done"].tolist() == [False] * 5 + [True]
    if npz.with_suffix(".mp4").exists():
        assert len(read_video(ffmpeg, npz.with_suffix(".mp4"))[1]) == 6
    written = [(line["length"], line["file"]) for line in stats_of(tmp_path)]
    assert written == [(5, npz.stem)] * lines
