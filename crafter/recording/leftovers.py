"""What processes have left behind that were killed while they recorded.

Their episodes are finished by the next recorder of the directory: those that were over
become whole ones, with their line of statistics, and the others partial ones. Videos
without an index, which nothing can play, are deleted.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Iterator

from crafter.recording import transitions, video
from crafter.recording.episode import (
    SUFFIXES,
    episode_name,
    read_journal,
    write_journal,
)
from crafter.recording.folder import (
    Workspace,
    drop_reservations,
    free_name,
    sync,
)
from crafter.recording.stats import append_line

_TAIL = 1 << 20  # bytes at the end of the statistics in which a line is looked for


def adopt(directory: pathlib.Path) -> None:
    """Finishes the episodes of killed processes.

    What cannot be finished, for example because the disk is full, stays for the next
    time.

    Args:
      directory: The folder of recordings.
    """
    for workspace in Workspace.left_behind(directory):
        try:
            drop_reservations(workspace)
            _finish(workspace)
        except OSError:
            workspace.leave()
        else:
            workspace.remove()


def _finish(workspace: Workspace) -> None:
    folder, directory = workspace.path, workspace.path.parent
    length, unlocked = workspace.counts()
    if not length:
        return
    journal = read_journal(folder)
    line, name = journal.get("line"), journal.get("name")
    finished = dict(_files(folder, length, name))
    if name is not None:  # It was killed while the files got it.
        _publish(directory, name, finished)
    elif finished:
        complete = bool(journal.get("complete"))
        wanted = episode_name(length, unlocked, complete, workspace.modified)
        with free_name(workspace, wanted, SUFFIXES) as name:
            line = None if line is None else {**line, "file": name}
            write_journal(folder, {"complete": complete, "line": line, "name": name})
            _publish(directory, name, finished)
    stats = directory / "stats.jsonl"
    if line is not None and not _is_written(stats, name):
        append_line(stats, json.dumps(line))


def _files(
    folder: pathlib.Path, length: int, name: str | None
) -> Iterator[tuple[str, pathlib.Path]]:
    """Yields the files of an episode that are not yet called so, by suffix."""

    def is_there(suffix: str) -> bool:
        return name is not None and (folder.parent / f"{name}{suffix}").exists()

    if transitions.has_rows(folder) and not is_there(".npz"):
        with contextlib.suppress(ValueError, KeyError, TypeError):  # It is damaged.
            yield ".npz", transitions.pack(folder, length)
    path = folder / video.NAME
    if path.exists() and not is_there(".mp4") and video.is_whole(path):
        yield ".mp4", path


def _publish(
    directory: pathlib.Path, name: str, finished: dict[str, pathlib.Path]
) -> None:
    for suffix, path in finished.items():
        path.replace(directory / f"{name}{suffix}")
    sync(directory)


def _is_written(path: pathlib.Path, name: str | None) -> bool:
    """Tells whether the line of an episode is in the statistics."""
    if name is None or not path.exists():
        return False
    with path.open("rb") as file:
        file.seek(max(0, os.stat(path).st_size - _TAIL))
        return f'"file": {json.dumps(name)}'.encode() in file.read()
