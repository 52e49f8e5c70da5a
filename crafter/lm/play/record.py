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
    """Collects pictures of a game and writes them as a video.

    Args:
      save_dir: Where videos go; made when the first one is saved.
      enabled: Whether anything is recorded.
    """

    def __init__(self, save_dir: str = "recordings", enabled: bool = True) -> None:
        self.save_dir = pathlib.Path(save_dir)
        self.enabled = enabled
        self.frames: list[np.ndarray] = []

    def record_frame(self, state: Any, caption: str | None = None) -> None:
        """Adds a picture.

        Args:
          state: A picture, a step info, an observation, the `state` of
            CraftaxClassicACI, or an interface.
          caption: A line to write below it.
        """
        if not self.enabled:
            return
        frame = _frame(state)
        self.frames.append(frame if caption is None else _captioned(frame, caption))

    def attach(self, aci: CrafterACI, captions: bool = False) -> None:
        """Records every step of an interface from now on.

        Args:
          aci: The interface.
          captions: Write the step and the action below each picture.
        """

        def listen(played: CrafterACI) -> None:
            history = played.action_history
            told = f"step {len(history)}  {history[-1] if history else ''}"
            self.record_frame(played, told if captions else None)

        listen(aci)
        aci.listen(listen)

    def save_video(self, filename: str, fps: int = 10) -> pathlib.Path:
        """Writes the pictures and returns where.

        Args:
          filename: A name, from `save_dir`. Its ending chooses the form: `.mp4` (needs
            the extra `video`), `.gif`, or none for a folder of PNG files. To another
            one, `.mp4` is added if that can be written, else `.gif`.
          fps: Pictures a second.

        Raises:
          ValueError: If there are no pictures.
          FileExistsError: If a folder of PNG files should go where something is.
          ImportError: If mp4 is asked for and imageio-ffmpeg is missing.
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
        """Forgets all pictures."""
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
