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

#: File suffixes of an episode, whose files share a name.
SUFFIXES = (".npz", ".mp4")


def writable_directory(directory: Path) -> pathlib.Path:
    """Creates a directory if needed and checks that it is writable.

    Returns:
      Its absolute path: it stays valid if the working directory changes, and ffmpeg
      cannot mistake it for an option or a protocol.

    Raises:
      OSError: If creating or writing fails.
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
    """Checks that info has the keys needed by recorders of any game.

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
    """Warns that something could not be written and is dropped."""
    warnings.warn(
        f"The game continues, but the {what} in {str(where)!r} was dropped because it "
        f"could not be written: {error}",
        RuntimeWarning,
        stacklevel=2,
    )


def claim(directory: pathlib.Path, name: str, suffix: str) -> str:
    """Claims a file name for an episode by creating an empty file.

    Only one process can create the file. Files with the other suffix are looked up
    afterwards, so that of two processes at least one sees the other's file.

    Args:
      directory: The recording folder.
      name: Name to try first; then `-2`, `-3`, ... are appended.
      suffix: Suffix of the file to create, one of `SUFFIXES`.

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
        siblings = (directory / f"{candidate}{s}" for s in SUFFIXES if s != suffix)
        if not any(sibling.exists() for sibling in siblings):
            return candidate
        path.unlink()
    raise AssertionError("there is always another number")
