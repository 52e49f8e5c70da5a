"""Append-only files that survive a crash and can be resumed.

    with Journal(path) as journal:
        done = {row["key"] for row in journal.rows}
        for key in keys:
            if key not in done:
                journal.append({"key": key, "result": compute(key)})

A killed process leaves at most one incomplete line at the end. `Journal` truncates it
when the file is opened again; `read` ignores it and writes nothing. Only one process at
a time can have a journal open.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from crafter.core import files
from crafter.core.validation import raising

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Path = str | os.PathLike[str]
AnyJournal = TypeVar("AnyJournal", bound="Journal")


class JournalError(ValueError):
    """A journal is damaged or open in another process."""


class Journal:
    """JSON Lines file, open for appending.

    Opening creates and locks the file, and removes an incomplete last line.

    Args:
      path: The file.

    Attributes:
      path: The file.
      rows: Objects in the file when it was opened.

    Raises:
      JournalError: If another process has it open, or a complete line is not a JSON
        object.
      OSError: If it cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = pathlib.Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            self._file = stack.enter_context(self.path.open("ab+", buffering=0))
            _lock(self._file.fileno(), self.path)
            self._file.seek(0)
            data = self._file.read()
            self.rows = parse(data, self.path)
            self._file.truncate(_complete(data))
            stack.pop_all()

    def append(self, row: Mapping[str, Any] | str, *, sync: bool = True) -> None:
        """Appends a row.

        Args:
          row: A JSON object, or its text without line breaks.
          sync: Whether to wait for the write to reach the disk.

        Raises:
          OSError: If it cannot be written.
        """
        line = row if isinstance(row, str) else json.dumps(row)
        data = f"{line}\n".encode()
        while data:
            data = data[self._file.write(data) :]
        if sync:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file and releases the lock."""
        self._file.close()

    def __enter__(self: AnyJournal) -> AnyJournal:
        """Returns the journal."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the file."""
        self.close()


def read(path: Path) -> list[dict[str, Any]]:
    """Returns the complete rows of a file.

    Args:
      path: The file, gzipped if its name ends in `.gz`; a missing file counts as
        empty.

    Raises:
      JournalError: If a complete line is not a JSON object, or decompression fails.
      OSError: If it cannot be read.
    """
    path = pathlib.Path(path)
    return parse(read_bytes(path), path) if path.exists() else []


def read_bytes(path: Path) -> bytes:
    """Returns the bytes of a file, decompressed if its name ends in `.gz`.

    Raises:
      JournalError: If it is too large or cannot be decompressed.
      OSError: If it cannot be read.
    """
    with raising(JournalError, f"{os.fspath(path)}: "):
        return files.read_bytes(path)


def replace(path: Path, content: str | bytes) -> None:
    """Writes a file atomically: after a crash, it is the old or the new one.

    Args:
      path: The file; its folder is created.
      content: The new content; text is encoded as UTF-8.
    """
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    data = content.encode() if isinstance(content, str) else content
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds an exclusive lock on a folder.

    The lock is released when the process ends, however it does. Without `fcntl`, and on
    file systems without locks, nothing is locked.

    Args:
      folder: An existing folder.

    Raises:
      JournalError: If another process holds it.
    """
    with contextlib.ExitStack() as stack:
        if fcntl is not None:
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            _lock(handle, folder)
        yield


def _lock(handle: int, path: Path) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(
                f"{os.fspath(path)} is in use by another process; wait for it to end, "
                "or choose another place."
            ) from None
        except OSError:
            pass  # The file system has no locks.


def _complete(data: bytes) -> int:
    """Returns the number of bytes up to the last line break."""
    return data.rfind(b"\n") + 1


def parse(data: bytes, path: Path) -> list[dict[str, Any]]:
    """Parses the complete rows of a file's content; `path` is for errors."""
    rows = []
    for number, line in enumerate(data[: _complete(data)].split(b"\n")[:-1], 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise JournalError(
                f"{path}: line {number} is damaged: not a JSON object."
            ) from None
        if not isinstance(row, dict):
            raise JournalError(
                f"{path}: line {number} must be a JSON object, got {line[:40]!r}."
            )
        rows.append(row)
    return rows
