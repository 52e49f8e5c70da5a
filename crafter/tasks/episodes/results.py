"""Result files of runs.

A file has JSON lines: a header, then an `EpisodeResult` per episode. Files of scores
and opinions have the same form with other lines. A line is written when its episode
ends, so that an interruption loses at most one episode; see `crafter.core.journal`.
The first result creates the file.

The shipped file says which scenes of the split `test` were solved; suites exclude the
others. A scene whose episode failed can have the certificate of another attempt: after
a few random moves, or by an earlier version of the planner.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crafter.core import journal
from crafter.core.journal import Journal
from crafter.tasks.episodes.play import EpisodeResult, EpisodeSpec, Key
from crafter.tasks.game import TaskGame

#: File with the results of the solver, in the data of a game.
SHIPPED = "verification.jsonl.gz"
#: The files of a folder that hold results.
PATTERNS = ("results-*.jsonl", "results-*.jsonl.gz")


class RunError(ValueError):
    """Results cannot be read or combined; the message says why."""


class Results(Journal):
    """Open file of results.

    Args:
      path: The file; created with the first result.
      header: Its header.
      kind: Class of the lines.

    Attributes:
      done: Results that were in it when it was opened.

    Raises:
      RunError: If it holds other results.
      crafter.core.journal.JournalError: If it is damaged, or another process has it
        open.
    """

    def __init__(
        self,
        path: str | os.PathLike,
        header: Mapping[str, Any],
        kind: type[Any] = EpisodeResult,
    ) -> None:
        super().__init__(path)
        self._header: Mapping[str, Any] | None = None if self.rows else header
        self.done: list[Any] = []
        if self.rows:
            try:
                stored, self.done = parsed(self.rows, path, kind)
                # A suite is what its hash says: a pack may have another path now.
                if {**stored, "suite": ""} != {**header, "suite": ""}:
                    raise RunError(
                        f"{path} has results of other settings: expected "
                        f"{_dump(header)}, got {_dump(stored)}. Choose another path."
                    )
            except RunError:
                self.close()
                raise

    def left(self, specs: Iterable[EpisodeSpec]) -> list[EpisodeSpec]:
        """Returns the episodes without a result."""
        done = {key for result in self.done for key in result.keys}
        return [spec for spec in specs if spec.key not in done]

    def add(self, result: Any) -> None:
        """Writes a result to the disk."""
        if self._header is not None:
            self.append(_dump(self._header))
            self._header = None
        self.append(_dump(result.as_data()))


def read(
    path: str | os.PathLike, kind: type[Any] = EpisodeResult
) -> tuple[dict[str, Any], list[Any]]:
    """Returns the header and the results of a file.

    Args:
      path: The file; packed with gzip if its name ends with `.gz`.
      kind: Class of the lines.

    Raises:
      RunError: If it has no results.
      crafter.core.journal.JournalError: If it is damaged.
    """
    return parsed(journal.read(path), path, kind)


def parsed(
    rows: Sequence[Mapping[str, Any]],
    path: str | os.PathLike,
    kind: type[Any],
) -> tuple[dict[str, Any], list[Any]]:
    """Returns the header and the results of the lines of a file; see `read`."""
    if not rows:
        raise RunError(f"{os.fspath(path)}: no results: no complete line.")
    head, *lines = rows
    missing = kind.header - set(head)
    if missing:
        raise RunError(f"{path}: no results: the header lacks {sorted(missing)}")
    results: list[Any] = []
    for number, line in enumerate(lines, 2):
        try:
            results.append(kind.from_data(line))
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{path}, line {number} is damaged: {error}") from error
    return dict(head), results


def _dump(data: Mapping[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def find(
    paths: Iterable[str | os.PathLike], patterns: Sequence[str], what: str
) -> list[pathlib.Path]:
    """Returns files, and the files in folders that match patterns.

    Args:
      paths: Files and folders.
      patterns: Names of files in folders, at any depth.
      what: Content of these files, for the error.

    Raises:
      RunError: If there are none in a folder.
    """
    files: list[pathlib.Path] = []
    for path in map(pathlib.Path, paths):
        here = [path]
        if path.is_dir():
            here = sorted(file for name in patterns for file in path.rglob(name))
            here = [file for file in here if file.stat().st_size]
        if not here:
            raise RunError(f"{path}: contains no {what}.")
        files += here
    return files


def by_scene(folder: pathlib.Path) -> dict[str, EpisodeResult]:
    """Returns the results in the files of a folder, by hash of the scene."""
    files = (path for name in PATTERNS for path in folder.glob(name))
    return {one.scene: one for path in files for one in read(path)[1]}


@functools.cache
def shipped(game: TaskGame) -> tuple[EpisodeResult, ...]:
    """Returns the shipped results of the solver of a game."""
    return tuple(read(game.data / SHIPPED)[1])


@functools.cache
def unsolved(game: TaskGame) -> frozenset[Key]:
    """Returns the scenes that were attempted and never solved."""
    return frozenset(one.place for one in shipped(game) if one.certificate is None)


def indices(game: TaskGame, task: str, level: str, count: int) -> list[int]:
    """Returns the indices of the first scenes of a task, without unsolved ones."""
    bad = unsolved(game)
    good = (index for index in itertools.count() if (task, level, index) not in bad)
    return list(itertools.islice(good, count))
