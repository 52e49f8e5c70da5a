"""Logs of rollouts: one JSON line for each thing that happened."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import time
from typing import Any

VERSION = 1


class LogError(ValueError):
    """A log is damaged or belongs to another run."""


class LogWriter:
    """Adds lines to a log; each is flushed at once.

    Args:
      path: The file; lines are added if it exists.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self._file = path.open("a", encoding="utf-8")

    def write(self, type: str, *, sync: bool = False, **fields: Any) -> None:
        """Adds a line.

        Args:
          type: What it is about.
          sync: Whether to wait until it is on the disk.
          **fields: Data for JSON.
        """
        line = {"type": type, "v": VERSION, "ts": round(time.time(), 3), **fields}
        self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._file.flush()
        if sync:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def read(path: pathlib.Path) -> list[dict[str, Any]]:
    """Returns the lines of a log; a last line that was cut off is left out.

    Raises:
      LogError: If another line is damaged.
    """
    lines = []
    rows = path.read_bytes().split(b"\n")
    for number, row in enumerate(rows[:-1], 1):
        try:
            lines.append(json.loads(row))
        except ValueError as error:
            if number == len(rows) - 1:
                break  # cut off, with a line break
            raise LogError(f"{path}: line {number} is damaged: {error}") from None
    return lines


def keep(path: pathlib.Path, count: int) -> None:
    """Cuts a log after its first lines, in one go."""
    rows = path.read_bytes().split(b"\n")[:count]
    partial = path.with_suffix(".partial")
    partial.write_bytes(b"".join(row + b"\n" for row in rows))
    partial.replace(path)


def text_hash(text: Any) -> str:
    """Returns a short checksum of text or data for JSON."""
    content = text if isinstance(text, str) else json.dumps(text, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def rules_hash(tables: Any) -> str:
    """Returns a checksum of the rules, so that games of other rules are told apart."""
    names = sorted(name for name in vars(tables) if name.islower() and name[0] != "_")
    values = {name: getattr(tables, name) for name in names}
    plain = {n: v for n, v in values.items() if isinstance(v, (dict, list))}
    return text_hash(json.loads(json.dumps(plain)))
