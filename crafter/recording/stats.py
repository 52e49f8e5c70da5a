"""The lines of `stats.jsonl`."""

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
      directory: Where the file is or shall be.

    Raises:
      OSError: If the directory or the file cannot be made or written to.
    """

    def __init__(self, directory: Path):
        self.path = writable_directory(directory) / "stats.jsonl"
        self._episodes = 0
        self.path.open("ab").close()

    def append(self, line: Mapping[str, Any]) -> None:
        """Appends the line of an episode, or warns that it is dropped."""
        self._episodes += 1
        try:
            self._write(f"{json.dumps(line)}\n".encode())
        except OSError as error:
            warn_dropped(f"line of episode {self._episodes}", self.path, error)

    def _write(self, data: bytes) -> None:
        """Writes a line in one piece, after what a crash may have cut off."""
        with self.path.open("ab+", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            if end:
                file.seek(end - 1)
                if file.read(1) != b"\n":
                    data = b"\n" + data
            written = file.write(data)
            if written != len(data):
                if file.seek(0, os.SEEK_END) == end + written:  # Nobody else appended.
                    file.truncate(end)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))


def stats_line(
    length: int,
    reward: float,
    achievements: Mapping[str, int],
    start: str | None = None,
    file: str | None = None,
    game: str | None = None,
) -> dict[str, Any]:
    """Returns the line of an episode.

    Args:
      length: Number of steps.
      reward: Sum of `info['reward']`.
      achievements: How often each was done.
      start: One of `crafter.core.reset_options.STARTS`, if the episode did not begin
        with a plain reset. Such episodes do not count in scores.
      file: Name of its npz and mp4 files, if it has any.
      game: Name of the game; `None` for Crafter, whose lines are as published.
    """
    line: dict[str, Any] = {"length": length, "reward": round(reward, 1)}
    for name, count in achievements.items():
        line[f"achievement_{name}"] = int(count)
    others = {"start": start, "file": file, "game": game}
    return line | {name: value for name, value in others.items() if value is not None}
