"""Videos of games played through the text interface."""

from __future__ import annotations

import importlib.util
import pathlib
from collections.abc import Mapping
from typing import Any

import imageio.v3 as iio
import numpy as np
from PIL import Image, ImageDraw

from crafter.lm.play.aci import CrafterACI

_CAPTION = 40  # height in pixels
FORMATS = (".mp4", ".gif", "")


class EpisodeRecorder:
    """Collects frames of a game and writes them as a video.

    Args:
      save_dir: Folder for videos; created on demand.
      enabled: Whether anything is recorded.
    """

    def __init__(self, save_dir: str = "recordings", enabled: bool = True) -> None:
        self.save_dir = pathlib.Path(save_dir)
        self.enabled = enabled
        self.frames: list[np.ndarray] = []

    def record_frame(self, state: Any, caption: str | None = None) -> None:
        """Adds a frame.

        Args:
          state: A picture, a step info, an observation, the `state` of
            CraftaxClassicACI, or an interface.
          caption: A line of text below the frame.
        """
        if not self.enabled:
            return
        frame = _frame(state)
        self.frames.append(frame if caption is None else _captioned(frame, caption))

    def attach(self, aci: CrafterACI, captions: bool = False) -> None:
        """Records every step of an interface from now on.

        Args:
          aci: The interface.
          captions: Whether to write step and action below each frame.
        """

        def listen(played: CrafterACI) -> None:
            history = played.action_history
            caption = f"step {len(history)}  {history[-1] if history else ''}"
            self.record_frame(played, caption if captions else None)

        listen(aci)
        aci.listen(listen)

    def save_video(self, filename: str, fps: int = 10) -> pathlib.Path:
        """Writes the frames and returns the path.

        Args:
          filename: File name in `save_dir`. The suffix determines the format: `.mp4`
            (needs the extra `video`), `.gif`, or none for a folder of PNG files. For
            any other suffix, `.mp4` is appended if available, else `.gif`.
          fps: Frames per second.

        Raises:
          ValueError: If there are no frames.
          FileExistsError: If the folder for PNG files already exists.
          ImportError: If mp4 is requested but imageio-ffmpeg is missing.
        """
        if not self.frames:
            raise ValueError("No pictures were recorded.")
        path = self.save_dir / filename
        if path.suffix not in FORMATS:
            path = path.with_name(path.name + (".mp4" if _has_ffmpeg() else ".gif"))
        if path.suffix == ".mp4" and not _has_ffmpeg():
            raise ImportError("mp4 needs imageio-ffmpeg: pip install 'crafter[video]'")
        path.parent.mkdir(parents=True, exist_ok=True)
        frames = np.stack(self.frames)
        if path.suffix == ".gif":
            iio.imwrite(path, frames, duration=1000 / fps, loop=0)
        elif path.suffix == ".mp4":
            iio.imwrite(path, frames, fps=fps, macro_block_size=1)
        else:
            path.mkdir()
            for number, frame in enumerate(frames):
                iio.imwrite(path / f"{number:05d}.png", frame)
        return path

    def clear(self) -> None:
        """Discards all frames."""
        self.frames = []


def _frame(state: Any) -> np.ndarray:
    if isinstance(state, np.ndarray):
        return state
    if isinstance(state, Mapping):
        return np.asarray(state["state_image"])
    if isinstance(state, CrafterACI):
        return state.env.frame(state.picture_size)
    return np.asarray(state.image() if callable(state.image) else state.image)


def _captioned(frame: np.ndarray, caption: str) -> np.ndarray:
    height, width, _ = frame.shape
    picture = Image.new("RGB", (width, height + _CAPTION))
    picture.paste(Image.fromarray(frame))
    ImageDraw.Draw(picture).text((8, height + 8), caption, fill="white", font_size=20)
    return np.asarray(picture)


def _has_ffmpeg() -> bool:
    return importlib.util.find_spec("imageio_ffmpeg") is not None
