"""The folder of recordings: names that are free, and hidden folders of episodes."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import pathlib
import shutil
import struct
import tempfile
import time
import uuid
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

try:
    import fcntl
except ImportError:  # not POSIX
    fcntl = None  # type: ignore[assignment]

Path = str | os.PathLike[str]

#: What the hidden folders of running episodes are called.
HIDDEN = ".recording-"
_RESERVED = ".reserved-"
_STEPS = "steps"
_COUNTS = struct.Struct("<qq")  # steps and unlocked achievements
_YOUNG = 60.0  # seconds


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
        with tempfile.TemporaryFile(dir=path, prefix=HIDDEN) as file:
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
    """Warns that something could not be written and is left out."""
    warnings.warn(
        f"The game goes on, but the {what} in {str(where)!r} was dropped, because it "
        f"could not be written: {error}",
        RuntimeWarning,
        stacklevel=2,
    )


def sync(path: pathlib.Path) -> None:
    """Waits until a file or directory is on the disk and not only on its way."""
    is_folder = path.is_dir()
    try:
        handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        if not is_folder:  # Not all systems can do that with directories.
            raise


class Workspace:
    """The hidden folder in which the files of a running episode come to be.

    A file in it counts the steps. It is locked as long as a process works on the
    episode, so that others can tell what a killed process has left. Where files cannot
    be locked, nobody can tell, and what is left stays.

    Args:
      path: The folder.
      lock: Descriptor of the locked file; `None` where locks are not to be had.
    """

    def __init__(self, path: pathlib.Path, lock: int | None):
        self.path = path
        self.lock = lock

    @classmethod
    def make(cls, directory: pathlib.Path) -> Workspace:
        """Makes a new one in the folder of recordings.

        Raises:
          OSError: If it cannot be made.
        """
        path = directory / f"{HIDDEN}{uuid.uuid4().hex}"
        path.mkdir()
        return cls(path, _lock(path / _STEPS, os.O_CREAT, wait=True))

    @classmethod
    def left_behind(cls, directory: pathlib.Path) -> Iterator[Workspace]:
        """Yields those that no process works on any more; they are taken over."""
        with os.scandir(directory) as entries:
            names = [e.name for e in entries if e.name.startswith(HIDDEN)]
        for path in (directory / name for name in sorted(names)):
            with contextlib.suppress(OSError):  # It may be gone by now.
                lock = _lock(path / _STEPS, 0, wait=False)
                if lock is None:
                    continue
                found = cls(path, lock)
                if found.is_new:
                    found.leave()
                else:
                    yield found

    @property
    def is_new(self) -> bool:
        """Whether it was just made, perhaps by somebody who is about to lock it."""
        steps, _ = self.counts()
        return not steps and time.time() - self.modified < _YOUNG

    @property
    def modified(self) -> float:
        """When the latest step was counted, in seconds since the epoch."""
        return (self.path / _STEPS).stat().st_mtime

    def count(self, steps: int, unlocked: int) -> None:
        """Notes how far the episode is, for who has to finish it."""
        if self.lock is not None:
            with contextlib.suppress(OSError):
                os.lseek(self.lock, 0, os.SEEK_SET)
                os.write(self.lock, _COUNTS.pack(steps, unlocked))

    def counts(self) -> tuple[int, int]:
        """Returns steps and unlocked achievements; zeros before the first step."""
        content = (self.path / _STEPS).read_bytes()
        return _COUNTS.unpack(content) if len(content) == _COUNTS.size else (0, 0)

    def leave(self) -> None:
        """Lets others take it over."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def remove(self) -> None:
        """Deletes the folder with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.leave()


def _lock(path: pathlib.Path, flags: int, wait: bool) -> int | None:
    """Returns a descriptor that holds the lock of a file, or `None` if it has none."""
    handle = os.open(path, os.O_RDWR | flags, 0o666)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            return handle
    except OSError:
        pass  # Another process holds it, or the file system has no locks.
    os.close(handle)
    return None


@contextlib.contextmanager
def free_name(
    workspace: Workspace, name: str, suffixes: Iterable[str]
) -> Iterator[str]:
    """Reserves a name for the files of an episode while they get it.

    Several processes may write into one folder. The reservation is a hidden file that
    says which workspace it is for, since every file system can make a file that must
    not exist yet in one operation.

    Args:
      workspace: The episode.
      name: The name to begin with; `-2`, `-3`, ... follow if it is taken.
      suffixes: The kinds of files that get it.

    Yields:
      The name.

    Raises:
      OSError: If it cannot be reserved.
    """
    directory, suffixes = workspace.path.parent, tuple(suffixes)
    numbered: Any = (f"{name}-{number}" for number in itertools.count(2))
    for candidate in itertools.chain([name], numbered):
        reservation = directory / f"{_RESERVED}{candidate}"
        try:
            with reservation.open("xb") as file:
                file.write(workspace.path.name.encode())
        except FileExistsError:
            continue
        try:
            paths = (directory / f"{candidate}{suffix}" for suffix in suffixes)
            if not any(path.exists() for path in paths):
                yield candidate
                return
        finally:
            reservation.unlink(missing_ok=True)


def drop_reservations(workspace: Workspace) -> None:
    """Deletes the reservations that a killed process had for its episode.

    An empty one is nobody's if it is not just being made: its process was killed before
    it could write whose it is.
    """
    for reservation in workspace.path.parent.glob(f"{_RESERVED}*"):
        with contextlib.suppress(OSError):  # It may be gone by now.
            owner = reservation.read_bytes()
            age = time.time() - reservation.stat().st_mtime
            if owner == workspace.path.name.encode() or not owner and age > _YOUNG:
                reservation.unlink()
