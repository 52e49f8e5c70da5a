"""Videos of text games."""

from __future__ import annotations

import importlib.util

import imageio.v3 as iio
import numpy as np
import pytest

from crafter.lm import CraftaxClassicACI, CrafterACI, EpisodeRecorder


def test_gif_and_pictures(tmp_path):
    recorder = EpisodeRecorder(str(tmp_path / "videos"))
    aci = CrafterACI(seed=1)
    recorder.attach(aci, captions=True)
    aci.act("left x3")
    assert len(recorder.frames) == 4 and recorder.frames[0].shape == (616, 576, 3)
    assert not (tmp_path / "videos").exists()  # nothing is written before it is saved
    path = recorder.save_video("game.gif", fps=5)
    assert path.suffix == ".gif" and len(iio.imread(path)) >= 2
    folder = recorder.save_video("frames")
    pictures = sorted(folder.iterdir())
    assert [p.name for p in pictures] == [f"{i:05d}.png" for i in range(4)]
    assert (iio.imread(pictures[2]) == recorder.frames[2]).all()
    with pytest.raises(FileExistsError):
        recorder.save_video("frames")
    recorder.clear()
    with pytest.raises(ValueError, match="No pictures"):
        recorder.save_video("game.gif")


def test_what_can_be_recorded():
    recorder = EpisodeRecorder()
    aci = CraftaxClassicACI(1)
    blank = np.zeros((576, 576, 3), np.uint8)
    for state in (aci, aci.state, aci.starting_obs, aci.observe(), blank):
        recorder.record_frame(state)
    assert {frame.shape for frame in recorder.frames} == {(576, 576, 3)}
    assert (recorder.frames[0] == recorder.frames[1]).all()


def test_names_and_endings(tmp_path, monkeypatch):
    off = EpisodeRecorder(tmp_path, enabled=False)
    recorder = EpisodeRecorder(tmp_path / "videos")
    for one in (off, recorder):
        one.record_frame(np.zeros((64, 64, 3), np.uint8))
    assert off.frames == []
    ends = {recorder.save_video(f"score-{n}").name for n in ("1.5", "1.7")}
    assert {name.rpartition(".")[0] for name in ends} == {"score-1.5", "score-1.7"}
    path = recorder.save_video("a/b/game.gif")
    assert path == tmp_path / "videos" / "a" / "b" / "game.gif" and path.exists()
    if importlib.util.find_spec("imageio_ffmpeg"):
        assert recorder.save_video("x.mp4").stat().st_size > 0
        assert recorder.save_video("x.avi").suffix == ".mp4"
    monkeypatch.setattr("crafter.lm.play.record._has_ffmpeg", lambda: False)
    with pytest.raises(ImportError, match=r"pip install 'crafter\[video\]'"):
        recorder.save_video("x.mp4")
    assert recorder.save_video("x.avi").suffix == ".gif"
