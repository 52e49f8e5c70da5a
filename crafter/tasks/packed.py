"""Text files that may be packed with gzip: which ones there are, and their text."""

from __future__ import annotations

import gzip
import os
import pathlib
import zlib
from collections.abc import Iterable, Sequence


def read_text(path: str | os.PathLike, error: type[ValueError]) -> str:
    """Returns the text of a file, unpacked if its name ends with `.gz`.

    Args:
      path: The file.
      error: What to raise if it cannot be read; the message says why.
    """
    try:
        content = pathlib.Path(path).read_bytes()
        if os.fspath(path).endswith(".gz"):
            content = gzip.decompress(content)
        return content.decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as cause:
        raise error(f"{os.fspath(path)}: {cause}") from cause


def find(
    paths: Iterable[str | os.PathLike],
    patterns: Sequence[str],
    what: str,
    error: type[ValueError],
) -> list[pathlib.Path]:
    """Returns the files that are named, and those in the folders that are.

    Args:
      paths: Files and folders.
      patterns: The names of files that count in a folder, at any depth.
      what: What these hold, for the error.
      error: What to raise if there are none in a folder.
    """
    found: list[pathlib.Path] = []
    for path in map(pathlib.Path, paths):
        here = [path]
        if path.is_dir():
            here = sorted(file for name in patterns for file in path.rglob(name))
        if not here:
            raise error(f"{path}: there are no {what} in it.")
        found += here
    return found
