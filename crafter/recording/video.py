"""Videos of episodes, encoded by an ffmpeg process as they run."""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from crafter.core.validation import pair
from crafter.recording.episode import Episode, Transition


def find_ffmpeg() -> str:
    """Returns the path of ffmpeg.

    Raises:
      gymnasium.error.DependencyNotInstalled: If it is missing.
    """
    try:
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError) as error:
        raise gymnasium.error.DependencyNotInstalled(
            "Recording videos needs the package imageio-ffmpeg, which brings ffmpeg. "
            "Run `pip install crafter[video]`, or record with save_video=False."
        ) from error


class VideoFile:
    """The mp4 file of frames for people; see `crafter.VideoRecorder`.

    Does not use `imageio_ffmpeg.write_frames`, which ignores ffmpeg's exit code and so
    misses a full disk.

    Args:
      game: The unwrapped environment.
      size: Width and height in pixels, or one number for both.
      fps: Frames per second.

    Raises:
      gymnasium.error.DependencyNotInstalled: If ffmpeg is missing.
      TypeError: If the environment cannot draw frames.
      ValueError: If the size is not positive integers, or the frame rate is not
        positive.
    """

    suffix = ".mp4"

    def __init__(self, game: Any, size: int | Sequence[int], fps: float):
        if not callable(getattr(game, "frame", None)):
            raise TypeError(
                "A video needs an environment with a method frame(size), like "
                f"crafter.Env, got {game}."
            )
        if not fps > 0:
            raise ValueError(f"fps must be positive, but got {fps!r}.")
        width, height = pair("video size", size)
        self.size = width + width % 2, height + height % 2  # H.264 requires even sizes.
        self._game, self._fps, self._ffmpeg = game, fps, find_ffmpeg()
        self._process: Any = None

    def begin(self, path: pathlib.Path, first: Transition) -> None:
        """Starts ffmpeg with the current frame."""
        width, height = self.size
        # Constant rate factor 25 is imageio's default. On these pictures, "veryfast"
        # produces files as small as the default preset in less time.
        options = (
            f"-y -v error -f rawvideo -pix_fmt rgb24 -s {width}x{height} "
            f"-r {self._fps} -i - "
            "-an -vcodec libx264 -preset veryfast -crf 25 -pix_fmt yuv420p -f mp4"
        )
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [self._ffmpeg, *options.split(), path],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._messages,
            start_new_session=True,  # Ctrl-C must not stop it.
        )
        self.add(first)

    def add(self, now: Transition) -> None:
        """Adds the current frame."""
        frame = self._game.frame(self.size)
        try:
            self._process.stdin.write(np.ascontiguousarray(frame).data)
        except BrokenPipeError as error:
            raise OSError(self._diagnosis()) from error

    def complete(self, episode: Episode) -> None:
        """Waits until ffmpeg has written the complete file."""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        if self._process.wait() != 0:
            raise OSError(self._diagnosis())

    def close(self) -> None:
        """Stops ffmpeg, if it is still running."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._messages.close()

    def _diagnosis(self) -> str:
        code = self._process.wait()
        self._messages.seek(0)
        first = self._messages.readline().decode(errors="replace").strip()
        return f"ffmpeg ended with exit code {code}: {first or 'no message'}"
