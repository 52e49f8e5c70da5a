"""Folders of recordings: checked once, and file names that only one process gets."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import pathlib
import tempfile
import uuid
import warnings
from collections.abc import Iterator

Path = str | os.PathLike[str]

#: Suffixes of the files of one episode, which share their name.
SUFFIXES = (".npz", ".mp4")
_HIDDEN = ".recording-"


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
        with tempfile.TemporaryFile(dir=path, prefix=_HIDDEN) as file:
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


def hidden_path(directory: pathlib.Path, suffix: str) -> pathlib.Path:
    """Returns where a file is written until it is complete."""
    return directory / f"{_HIDDEN}{uuid.uuid4().hex}{suffix}.part"


def claim(directory: pathlib.Path, name: str, suffix: str) -> str:
    """Claims a name for the files of an episode by creating the first, empty.

    Of several processes only one can create a file. It takes another name if the other
    suffix is taken, which it looks up after creating its own, so that at least one of
    two processes sees the file of the other.

    Args:
      directory: The folder of recordings.
      name: The name to begin with; `-2`, `-3`, ... follow if it is taken.
      suffix: That of the file to create, one of `SUFFIXES`.

    Returns:
      The name.

    Raises:
      OSError: If the file cannot be created.
    """
    for number in itertools.count(1):
        candidate = name if number == 1 else f"{name}-{number}"
        path = directory / f"{candidate}{suffix}"
        try:
            path.open("xb").close()
        except FileExistsError:
            continue
        others = (directory / f"{candidate}{s}" for s in SUFFIXES if s != suffix)
        if not any(other.exists() for other in others):
            return candidate
        path.unlink()
    raise AssertionError("there is always another number")
