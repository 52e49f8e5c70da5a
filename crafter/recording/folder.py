"""Folders of recordings: checked once, and file names that only one process gets."""

from __future__ import annotations

import itertools
import os
import pathlib
import tempfile
import warnings

Path = str | os.PathLike[str]

#: Suffixes of the files of one episode, which share their name.
SUFFIXES = (".npz", ".mp4")


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
    path.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=path) as file:
        file.write(b"\0")
    return path


def warn_dropped(what: str, where: pathlib.Path, error: OSError) -> None:
    """Warns that something could not be written and is left out."""
    warnings.warn(
        f"The game goes on, but the {what} in {str(where)!r} was dropped, because it "
        f"could not be written: {error}",
        RuntimeWarning,
        stacklevel=2,
    )


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
