"""The file `stats.jsonl`."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from typing import Any

from crafter.recording.folder import Path, warn_dropped, writable_directory


class StatsFile:
    """The `stats.jsonl` of a directory; see `crafter.recorder.StatsRecorder`.

    Args:
      directory: Folder of the file.

    Raises:
      OSError: If the directory or the file cannot be created or written to.
    """

    def __init__(self, directory: Path):
        self.path = writable_directory(directory) / "stats.jsonl"
        self._episodes = 0
        self.path.open("ab").close()

    def append(self, line: Mapping[str, Any]) -> None:
        """Appends the line of an episode; warns if it is dropped."""
        self._episodes += 1
        try:
            self._write(f"{json.dumps(line)}\n".encode())
        except OSError as error:
            warn_dropped(f"line of episode {self._episodes}", self.path, error)

    def _write(self, data: bytes) -> None:
        """Writes a line in one piece, after a possibly truncated last line."""
        with self.path.open("ab+", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            if end:
                file.seek(end - 1)
                if file.read(1) != b"\n":
                    data = b"\n" + data
            written = file.write(data)
            if written != len(data):
                if file.seek(0, os.SEEK_END) == end + written:  # nobody else appended
                    file.truncate(end)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
