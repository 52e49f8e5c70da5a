"""Videos that an ffmpeg process encodes frame by frame."""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from crafter.recording.folder import Workspace, sync

#: What a video is called while the episode runs.
NAME = "video.mp4"


def even_size(size: int | Sequence[int]) -> tuple[int, int]:
    """Returns width and height, odd ones raised by one, since H.264 needs even ones.

    Raises:
      TypeError: If they are not integers.
      ValueError: If they are not positive.
    """
    sides = tuple(size) if isinstance(size, Sequence | np.ndarray) else (size, size)
    if len(sides) != 2 or not all(isinstance(s, int | np.integer) for s in sides):
        raise TypeError(
            f"The video size must be an integer or (width, height), but got {size!r}."
        )
    if min(sides) < 1:
        raise ValueError(f"The video size must be positive, but got {size!r}.")
    width, height = (int(side) + int(side) % 2 for side in sides)
    return width, height


def find_ffmpeg() -> str:
    """Returns the path of the program.

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


class VideoWriter:
    """The video of an episode in the making.

    `imageio_ffmpeg.write_frames` would do, but it does not look at the exit code of
    ffmpeg, which is how a full disk shows.

    Args:
      workspace: Where it comes to be.
      first: First frame, a uint8 array of shape (height, width, 3), as all others.
      size: Width and height in pixels, both even.
      fps: Frames per second.
      ffmpeg: Path of the program.

    Raises:
      OSError: If ffmpeg cannot be started.
      ValueError: If the frame does not have that size.
    """

    suffix = ".mp4"

    def __init__(
        self,
        workspace: Workspace,
        first: np.ndarray,
        size: tuple[int, int],
        fps: float,
        ffmpeg: str,
    ):
        width, height = size
        self.path = workspace.path / NAME
        self._shape = (height, width, 3)
        self._check(first)
        # Constant rate factor 25 is what imageio asks for by default. On these pictures
        # "veryfast" makes files of the same size as the default preset in less time.
        options = (
            f"-y -v error -f rawvideo -pix_fmt rgb24 -s {width}x{height} -r {fps} -i - "
            "-an -vcodec libx264 -preset veryfast -crf 25 -pix_fmt yuv420p"
        )
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                [ffmpeg, *options.split(), self.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._messages,
                start_new_session=True,  # Ctrl-C is for us, and we finish the file.
                # It completes the file when we are killed, and holds the lock until
                # then.
                pass_fds=() if workspace.lock is None else (workspace.lock,),
            )
        except BaseException:
            self._messages.close()
            raise
        try:
            self.write(first)
        except BaseException:
            self.release()
            raise

    def write(self, content: np.ndarray) -> None:
        """Adds a frame."""
        self._check(content)
        try:
            self._pipe.write(np.ascontiguousarray(content).data)
        except BrokenPipeError as error:
            raise OSError(self._diagnosis()) from error

    def resumed(self) -> None:
        """Does nothing: the frames show what was played, whatever it was."""

    def close(self, steps: int) -> pathlib.Path:
        """Waits until ffmpeg has written the whole file and returns it.

        Args:
          steps: Steps of the episode. A frame that was interrupted may be left out or
            be there beyond them.
        """
        with contextlib.suppress(BrokenPipeError):
            self._pipe.close()
        if self._process.wait() != 0:
            raise OSError(self._diagnosis())
        sync(self.path)
        return self.path

    def release(self) -> None:
        """Stops ffmpeg, if it still runs."""
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._pipe.close()
        self._messages.close()

    @property
    def _pipe(self) -> Any:
        return self._process.stdin

    def _check(self, frame: np.ndarray) -> None:
        if frame.shape != self._shape or frame.dtype != np.uint8:
            raise ValueError(
                f"A frame must be a uint8 array of shape {self._shape}, but got "
                f"{frame.dtype} of shape {frame.shape}."
            )

    def _diagnosis(self) -> str:
        code = self._process.wait()
        self._messages.seek(0)
        first = self._messages.readline().decode(errors="replace").strip()
        return f"ffmpeg ended with exit code {code}: {first or 'no message'}"


def is_whole(path: pathlib.Path) -> bool:
    """Tells whether an mp4 file has its index, which ffmpeg writes at the end."""
    kinds = []
    with path.open("rb") as file:
        size = path.stat().st_size
        while file.tell() + 8 <= size:
            begin = file.tell()
            length, kind = int.from_bytes(file.read(4), "big"), file.read(4)
            if length == 1:  # The real length follows.
                length = int.from_bytes(file.read(8), "big")
            if length < 8 or begin + length > size:
                return False
            kinds.append(kind)
            file.seek(begin + length)
    return b"moov" in kinds
