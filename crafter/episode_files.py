"""The files of recorded episodes: how they are named, written and read.

Contents:

- `EpisodeFile` is the file of the running episode, hidden until it is whole.
- `Names` gives finished files names that are free.
- `VideoWriter` and `TransitionWriter` write mp4 and npz files, step by step.
- `load_episode` reads an npz file.

The wrappers that use them are in `crafter.recorder`.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import pathlib
import subprocess
import tempfile
import time
import uuid
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Protocol

import numpy as np

Path = str | os.PathLike[str]

EPISODE_KEYS = (
    "image",
    "action",
    "reward",
    "done",
    "discount",
    "semantic",
    "player_pos",
)
EPISODE_PREFIXES = ("achievement_", "ainventory_")


class Writer(Protocol):
    """A file of one episode in the making; every method may raise OSError."""

    def write(self, content: Any) -> None:
        """Adds a step."""

    def close(self) -> None:
        """Completes the file. Can be called again if it was interrupted."""

    def release(self) -> None:
        """Stops writing, if it still does, and lets go of everything but the file."""


class EpisodeFile:
    """The file of the running episode, under a temporary name until it is whole.

    A wrapper owns it, but it does not know the wrapper, because it has to complete the
    file when the wrapper is already gone.

    Args:
      names: Where finished files go.
      suffix: The kind of file, such as `.npz`.

    Attributes:
      names: As given; can be replaced before the first episode.
    """

    def __init__(self, names: Names, suffix: str):
        self.names = names
        self._suffix = suffix
        self._writer: Writer | None = None
        self._temporary = names.temporary(suffix)
        self._episode = 0
        self._length = 0
        self._unlocked = 0
        self._complete = False
        self._process = os.getpid()

    @property
    def running(self) -> bool:
        """Whether an episode is being written."""
        return self._writer is not None

    def begin(self, open_writer: Callable[[pathlib.Path], Writer]) -> None:
        """Starts the file of the next episode."""
        self._episode += 1
        self._length = 0
        self._unlocked = 0
        self._complete = False
        self._temporary = self.names.temporary(self._suffix)
        with self._dropped_on_error():
            self._writer = open_writer(self._temporary)

    def add(self, info: dict[str, Any], content: Any) -> None:
        """Writes a step of the running episode."""
        assert self._writer is not None
        try:
            with self._dropped_on_error():
                self._writer.write(content)
                self._length += 1
                self._unlocked = sum(map(bool, info["achievements"].values()))
        except BaseException:
            # For example Ctrl-C while writing: a step may be missing here, so that
            # nothing that follows may be added.
            self.end(partial=True)
            raise

    def end(self, partial: bool = False) -> None:
        """Completes the file of the running episode, if there is one."""
        if self._writer is None:
            return
        if self._length == 0:
            self._release()
            return
        # If this is interrupted, the episode is still a whole one the next time.
        self._complete = self._complete or not partial
        with self._dropped_on_error():
            self._writer.close()
            name = self._name()
            self.names.publish(self._temporary, name, self._suffix, self._episode)
            self._release()

    def abandon(self) -> None:
        """Ends a running episode when the wrapper or the program goes away."""
        if self._process == os.getpid():  # In a fork, the file is the parent's.
            self.end(partial=True)

    def _name(self) -> str:
        timestamp = time.strftime("%Y%m%dT%H%M%S")
        partial = "" if self._complete else "partial-"
        return f"{timestamp}-{partial}ach{self._unlocked}-len{self._length}"

    @contextlib.contextmanager
    def _dropped_on_error(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._release()
            what = f"{self._suffix} file of episode {self._episode}"
            warn_dropped(what, self.names.directory, error)

    def _release(self) -> None:
        """Lets go of the writer and of an unfinished file."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.release()
        with contextlib.suppress(OSError):
            self._temporary.unlink(missing_ok=True)


class Names:
    """Gives finished files names of their own, shared by the files of an episode.

    Several processes may write into one directory. A name is reserved, looked up, taken
    and released. The reservation is an empty hidden file, since every file system can
    make a file that must not exist yet in one operation.

    Args:
      directory: Where the files live; it is made if needed and tried out.
      suffixes: The kinds of files that an episode has.

    Raises:
      OSError: If the directory cannot be made or written to.
    """

    def __init__(self, directory: Path, suffixes: tuple[str, ...]):
        self.directory = writable_directory(directory)
        self._suffixes = suffixes
        self._given = (0, "")  # The episode that was named last, and its name.

    def temporary(self, suffix: str) -> pathlib.Path:
        """Returns a hidden file name that nobody else uses."""
        return self.directory / f".recording-{uuid.uuid4().hex}{suffix}"

    def publish(
        self, temporary: pathlib.Path, name: str, suffix: str, episode: int
    ) -> None:
        """Renames a whole file to its final name, or to the next one that is free.

        Args:
          temporary: The file.
          name: Its final name, without suffix.
          suffix: What follows the name.
          episode: Number of the episode; its later files get the name of its first.

        Raises:
          OSError: If the file cannot be renamed.
        """
        suffixes = self._suffixes
        if self._given[0] == episode:
            name, suffixes = self._given[1], (suffix,)
        numbered = (f"{name}-{number}" for number in itertools.count(2))
        for candidate in itertools.chain([name], numbered):
            with self._reserved(candidate) as reserved:
                paths = [self.directory / f"{candidate}{end}" for end in suffixes]
                if reserved and not any(path.exists() for path in paths):
                    temporary.replace(self.directory / f"{candidate}{suffix}")
                    self._given = (episode, candidate)
                    return

    @contextlib.contextmanager
    def _reserved(self, name: str) -> Iterator[bool]:
        path = self.directory / f".reserved-{name}"
        try:
            path.open("xb").close()
        except FileExistsError:
            yield False
            return
        try:
            yield True
        finally:
            path.unlink(missing_ok=True)


class VideoWriter:
    """A video that an ffmpeg process encodes frame by frame.

    `imageio_ffmpeg.write_frames` would do, but it does not look at the exit code of
    ffmpeg, which is how a full disk shows.

    Args:
      path: The mp4 file.
      first: First frame, a uint8 array of shape (height, width, 3), as all others.
      size: Width and height in pixels, both even.
      fps: Frames per second.
      ffmpeg: Path of the program.

    Raises:
      OSError: If ffmpeg cannot be started.
      ValueError: If the frame does not have that size.
    """

    def __init__(
        self,
        path: pathlib.Path,
        first: np.ndarray,
        size: tuple[int, int],
        fps: float,
        ffmpeg: str,
    ):
        width, height = size
        self._shape = (height, width, 3)
        self._check(first)
        # Constant rate factor 25 is what imageio asks for by default. On these pictures
        # "veryfast" makes files of the same size as the default preset in less time.
        options = (
            f"-y -v error -f rawvideo -pix_fmt rgb24 -s {width}x{height} -r {fps} -i - "
            "-an -vcodec libx264 -preset veryfast -crf 25 -pix_fmt yuv420p"
        )
        self._messages = _unnamed_file()
        try:
            self._process = subprocess.Popen(
                [ffmpeg, *options.split(), path],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._messages,
                start_new_session=True,  # Ctrl-C is for us, and we finish the file.
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

    def close(self) -> None:
        """Waits until ffmpeg has written the whole file."""
        with contextlib.suppress(BrokenPipeError):
            self._pipe.close()
        if self._process.wait() != 0:
            raise OSError(self._diagnosis())

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


class TransitionWriter:
    """The rows of an episode: raw in an unnamed file first, packed when it is over.

    Args:
      path: The npz file. The unnamed file is on the same disk.
      observation: What reset returned: an array of the shape of all observations.
      info: What reset returned with it.

    Raises:
      OSError: If the unnamed file cannot be written.
    """

    def __init__(self, path: pathlib.Path, observation: Any, info: dict[str, Any]):
        image = np.asarray(observation)
        semantic = np.asarray(info["semantic"])
        self._path = path
        self._achievements = list(info["achievements"])
        self._items = list(info["inventory"])
        fields: list[Any] = [
            ("image", image.dtype, image.shape),
            ("action", np.int64),
            ("reward", np.float64),
            ("done", np.bool_),
            ("discount", np.float64),
            ("semantic", semantic.dtype, semantic.shape),
            ("player_pos", np.int64, (2,)),
            ("achievements", np.int64, (len(self._achievements),)),
            ("inventory", np.int64, (len(self._items),)),
        ]
        self._row = np.zeros((), fields)
        self._rows = 0
        self._spool = _unnamed_file(path.parent)
        try:
            self._row["image"] = image
            self._append()
        except BaseException:
            self.release()
            raise

    def write(self, content: tuple[Any, Any, bool, dict[str, Any]]) -> None:
        """Adds observation, action, done and info of a step."""
        observation, action, done, info = content
        row = self._row
        row["image"] = observation
        row["action"] = np.asarray(action).item()
        row["reward"] = info["reward"]
        row["done"] = done
        row["discount"] = info["discount"]
        row["semantic"] = info["semantic"]
        row["player_pos"] = info["player_pos"]
        row["achievements"] = [info["achievements"][key] for key in self._achievements]
        row["inventory"] = [info["inventory"][key] for key in self._items]
        self._append()

    def close(self) -> None:
        """Packs the rows into the npz file."""
        self._spool.flush()
        rows = np.memmap(self._spool, self._row.dtype, "r", shape=(self._rows,))
        arrays = {key: rows[key] for key in EPISODE_KEYS}
        for index, name in enumerate(self._achievements):
            arrays[f"achievement_{name}"] = rows["achievements"][:, index]
        for index, name in enumerate(self._items):
            arrays[f"ainventory_{name}"] = rows["inventory"][:, index]
        np.savez_compressed(self._path, **arrays)  # type: ignore[arg-type]

    def release(self) -> None:
        """Forgets the rows."""
        with contextlib.suppress(OSError):
            self._spool.close()

    def _append(self) -> None:
        self._spool.write(self._row.tobytes())
        self._rows += 1


def load_episode(path: Path) -> dict[str, np.ndarray]:
    """Reads an episode that `EpisodeRecorder` or the published package wrote.

    Nothing is unpickled, so that files of unknown origin are safe to read. Without a
    step limit, the published package stores Python objects as `done`; it is rebuilt
    from `discount` then, because such an episode ends by death only.

    Args:
      path: The npz file.

    Returns:
      The arrays by name, as `EpisodeRecorder` lists them. `done` is always bool.

    Raises:
      FileNotFoundError: If there is no such file.
      ValueError: If the file is damaged or is not an episode.

    Example:
      >>> load_episode("missing.npz")
      Traceback (most recent call last):
      FileNotFoundError: [Errno 2] No such file or directory: 'missing.npz'
    """
    with open(path, "rb") as file:
        try:
            episode = _read_arrays(file)
            _check_episode(episode)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError) as error:
            raise ValueError(
                f"{os.fspath(path)!r} is not a recorded episode: {error}"
            ) from error
    return episode


def _read_arrays(file: BinaryIO) -> dict[str, np.ndarray]:
    arrays = {}
    rebuild_done = False
    with zipfile.ZipFile(file) as archive:
        for member in archive.namelist():
            name = member.removesuffix(".npy")
            if name == "done" and _holds_objects(archive, member):
                rebuild_done = True
                continue
            with archive.open(member) as stream:
                arrays[name] = np.lib.format.read_array(stream, allow_pickle=False)
    if rebuild_done and "discount" in arrays:
        arrays["done"] = arrays["discount"] == 0
        arrays["done"][:1] = False  # The discount of row 0 is a placeholder.
    return arrays


def _holds_objects(archive: zipfile.ZipFile, member: str) -> bool:
    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        if version == (1, 0):
            _, _, dtype = np.lib.format.read_array_header_1_0(stream)
        else:
            _, _, dtype = np.lib.format.read_array_header_2_0(stream)
    return dtype.hasobject


def _check_episode(episode: dict[str, np.ndarray]) -> None:
    missing = [key for key in EPISODE_KEYS if key not in episode]
    for prefix in EPISODE_PREFIXES:
        if not any(key.startswith(prefix) for key in episode):
            missing.append(f"{prefix}...")
    if missing:
        present = ", ".join(episode) or "nothing"
        raise ValueError(f"{', '.join(missing)} missing, it holds {present}")
    lengths = {key: array.shape[:1] for key, array in episode.items()}
    if len(set(lengths.values())) > 1 or lengths["image"] in [(), (0,)]:
        raise ValueError(
            f"arrays must be equally long, but their lengths are {lengths}"
        )
    done = episode["done"]
    if done.dtype.kind not in "biu" or done.ndim != 1:
        raise ValueError(
            f"done must be one bool per row, but is {done.dtype} of shape {done.shape}"
        )
    episode["done"] = done.astype(bool)


def writable_directory(directory: Path) -> pathlib.Path:
    """Makes the directory if needed and tries to write to it.

    Raises:
      OSError: If one or the other fails.
      TypeError: If it is not a path.
    """
    if not isinstance(directory, str | os.PathLike) or not os.fspath(directory):
        raise TypeError(
            f"The directory to record into must be a path, but got {directory!r}. "
            "Only crafter.Recorder takes None, to record nothing."
        )
    path = pathlib.Path(directory).expanduser()
    with explained(path):
        path.mkdir(parents=True, exist_ok=True)
        with _unnamed_file(path) as file:
            file.write(b"\0")
    return path


@contextlib.contextmanager
def explained(path: pathlib.Path) -> Iterator[None]:
    """Adds to an OSError that this path was meant to be recorded into."""
    try:
        yield
    except OSError as error:
        code = error.errno or errno.EIO
        reason = os.strerror(code)
        if code in (errno.EEXIST, errno.ENOTDIR):
            reason = "a file is in the place of a directory"
        raise OSError(code, f"Cannot record here: {reason}", str(path)) from error


def warn_dropped(what: str, where: pathlib.Path, error: OSError) -> None:
    """Warns that a file could not be written and is left out."""
    warnings.warn(
        f"The game goes on, but the {what} in {str(where)!r} was dropped, because it "
        f"could not be written: {error}",
        RuntimeWarning,
        stacklevel=2,
    )


def _unnamed_file(directory: pathlib.Path | None = None) -> Any:
    """Opens a file that vanishes when it is closed, even by the end of the process."""
    return tempfile.TemporaryFile(dir=directory, prefix=".recording-")  # noqa: SIM115
