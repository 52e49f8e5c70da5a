"""Folders, unique file names, and checks of recorders."""

from __future__ import annotations

import itertools
import os
import pathlib
import tempfile
import warnings
from collections.abc import Collection
from typing import Any

Path = str | os.PathLike[str]

#: Suffixes of the files of one episode, which share their name.
SUFFIXES = (".npz", ".mp4")


def writable_directory(directory: Path) -> pathlib.Path:
    """Creates a directory if needed and checks that it is writable.

    Returns:
      Its absolute path: it stays right where the program changes folders, and ffmpeg
      takes none for an option or a protocol.

    Raises:
      OSError: If one or the other fails.
      TypeError: If it is not a path.
    """
    if not isinstance(directory, str | os.PathLike) or not os.fspath(directory):
        raise TypeError(
            f"The directory to record into must be a path, but got {directory!r}. "
            "Only crafter.Recorder takes None, to record nothing."
        )
    path = pathlib.Path(directory).expanduser().resolve()
    path.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=path) as file:
        file.write(b"\0")
    return path


def check_info(recorder: Any, info: Collection[str], advice: str) -> None:
    """Checks that info has the keys that recorders read in any game.

    Raises:
      ValueError: If one is missing.
    """
    missing = [key for key in ("reward", "achievements") if key not in info]
    if missing:
        raise ValueError(
            f"{type(recorder).__name__} reads reward, achievements from info, which "
            f"lacks {', '.join(missing)} and has {', '.join(info) or 'none'}; {advice}."
        )


def warn_dropped(what: str, where: pathlib.Path, error: OSError) -> None:
    """Warns that something could not be written and is missing."""
    warnings.warn(
        f"The game goes on, but the {what} in {str(where)!r} was dropped, because it "
        f"could not be written: {error}",
        RuntimeWarning,
        stacklevel=2,
    )


def claim(directory: pathlib.Path, name: str, suffix: str) -> str:
    """Claims a name for the files of an episode by creating the first one, empty.

    Only one process can create a file. Files with the other suffix are looked up
    afterwards, so that of two processes at least one sees the file of the other.

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
