"""Interrupted episodes."""

import os
import signal

import numpy as np
import pytest
from budget import sample
from recorded import (
    files,
    interrupt,
    make_env,
    only,
    play,
    read_video,
    run_program,
    stats_of,
)

from crafter.recorder import Recorder, load_episode
from crafter.recording import transitions


class TestPartialEpisodes:
    @pytest.mark.parametrize("how", sample(["close", "reset", "collect"]))
    def test_running_episode_is_kept(self, tmp_path, ffmpeg, how):
        env = Recorder(make_env(), tmp_path, video_size=64)
        play(env, 3)
        visible = [name for name in files(tmp_path) if not name.startswith(".")]
        assert visible == ["stats.jsonl"]
        if how == "collect":
            del env
        else:
            getattr(env, how)()
        npz = only(tmp_path, "*-partial-ach*-len3.npz")
        episode = load_episode(npz)
        assert len(episode["image"]) == 4
        assert not episode["done"].any()
        mp4 = only(tmp_path, "*-partial-ach*-len3.mp4")
        assert len(read_video(ffmpeg, mp4)[1]) == 4
        assert npz.stem == mp4.stem
        assert stats_of(tmp_path) == []

    def test_episode_without_steps_leaves_nothing(self, tmp_path, ffmpeg):
        env = Recorder(make_env(), tmp_path, video_size=64)
        env.reset()
        env.reset()
        env.close()
        assert files(tmp_path) == ["stats.jsonl"]

    def test_refused_reset_leaves_the_recording_running(self, tmp_path):
        env = Recorder(make_env(), tmp_path, save_video=False)
        env.reset()
        env.step(0)
        with pytest.raises(ValueError):
            env.reset(options={"no such option": 1})
        for _ in range(4):
            env.step(0)
        assert only(tmp_path, "*[0-9]-ach*-len5.npz")
        assert len(stats_of(tmp_path)) == 1

    @pytest.mark.parametrize(
        "ending",
        sample(["raise KeyboardInterrupt", "pass", "1 / 0", "raise SystemExit(1)"]),
    )
    def test_end_of_the_program(self, tmp_path, ffmpeg, ending):
        result = run_program(tmp_path, ending)
        assert (result.returncode == 0) == (ending == "pass")
        assert len(load_episode(only(tmp_path, "*-partial-*-len3.npz"))["image"]) == 4
        mp4 = only(tmp_path, "*-partial-*-len3.mp4")
        assert len(read_video(ffmpeg, mp4)[1]) == 4
        assert len(files(tmp_path)) == 3

    @pytest.mark.skipif(os.name != "posix", reason="sends a signal to a group")
    def test_control_c_in_a_terminal(self, tmp_path, ffmpeg):
        # A terminal sends the signal to all processes of the group, ffmpeg included.
        ending = f"""
            import os, signal
            os.killpg(0, {int(signal.SIGINT)})
            while True:
                pass
        """
        result = run_program(tmp_path, ending, start_new_session=True)
        assert "KeyboardInterrupt" in result.stderr
        mp4 = only(tmp_path, "*-partial-*-len3.mp4")
        assert len(read_video(ffmpeg, mp4)[1]) == 4

    @pytest.mark.slow
    @pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
    def test_fork_leaves_the_recording_to_its_parent(self, tmp_path, ffmpeg):
        ending = """
            import os, sys
            child = os.fork()
            if not child:
                sys.exit()
            os.waitpid(child, 0)
            [env.step(0) for _ in range(2)]
        """
        run_program(tmp_path, ending)
        assert len(load_episode(only(tmp_path, "*[0-9]-ach*-len5.npz"))["image"]) == 6
        assert len(read_video(ffmpeg, only(tmp_path, "*-len5.mp4"))[1]) == 6
        assert len(files(tmp_path)) == 3

    def test_interrupt_while_writing_a_step(self, tmp_path, monkeypatch):
        env = Recorder(make_env(), tmp_path, save_video=False)
        env.reset()
        env.step(1)
        env.step(2)
        with monkeypatch.context() as patch:
            patch.setattr(transitions.TransitionFile, "add", interrupt)
            with pytest.raises(KeyboardInterrupt):
                env.step(3)
        env.step(4)  # The player catches it and goes on, but step 3 is lost.
        env.close()
        episode = load_episode(only(tmp_path, "*-partial-ach*-len2.npz"))
        assert episode["action"].tolist() == [0, 1, 2]
        assert len(files(tmp_path)) == 2

    def test_interrupt_while_packing_leaves_nothing(self, tmp_path, monkeypatch):
        env = Recorder(make_env(2), tmp_path, save_video=False)
        env.reset()
        env.step(1)
        with monkeypatch.context() as patch:
            patch.setattr(np, "savez_compressed", interrupt)
            with pytest.raises(KeyboardInterrupt):
                env.step(2)
        env.close()
        assert files(tmp_path) == ["stats.jsonl"]
        assert stats_of(tmp_path) == []
