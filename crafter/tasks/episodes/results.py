"""Files of results: runs of a suite by an agent.

A file has one JSON object a line: a header, then an `EpisodeResult` per episode. Scores
and opinions of episodes have such files, too, with lines of another kind. A line is
written when its episode is over, so that at most the one in progress is lost; see
`crafter.core.journal`. The first result begins the file.

The file that comes with the package says which scenes of the split `test` can be
solved; suites leave out those that never were. A scene that was not solved may have
the certificate of another try: from where a few random moves had led, or of an earlier
state of the planner.
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

#: The file of the verification in the data of a game.
SHIPPED = "verification.jsonl.gz"
#: The files of a folder that hold results.
PATTERNS = ("results-*.jsonl", "results-*.jsonl.gz")


class RunError(ValueError):
    """Results cannot be read or do not belong together; the message says why."""


class Results(Journal):
    """An open file of results, to which results are added.

    Args:
      path: The file; begun with the first result.
      header: What is played.
      kind: What a line is.

    Attributes:
      done: The results that were in it when it was opened.

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
                found, self.done = parsed(self.rows, path, kind)
                # A suite is what its hash says: a pack may have another path now.
                if {**found, "suite": ""} != {**header, "suite": ""}:
                    raise RunError(
                        f"{path} holds other results: {_dump(found)}, not "
                        f"{_dump(header)}. Choose another place."
                    )
            except RunError:
                self.close()
                raise

    def left(self, specs: Iterable[EpisodeSpec]) -> list[EpisodeSpec]:
        """Returns the episodes that have no result yet."""
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
      kind: What a line is.

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
        raise RunError(f"{os.fspath(path)}: no results: there is no complete line.")
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
    """Returns the files that are named, and those in the folders that are.

    Args:
      paths: Files and folders.
      patterns: The names of files that count in a folder, at any depth.
      what: What these hold, for the error.

    Raises:
      RunError: If there are none in a folder.
    """
    found: list[pathlib.Path] = []
    for path in map(pathlib.Path, paths):
        here = [path]
        if path.is_dir():
            here = sorted(file for name in patterns for file in path.rglob(name))
            here = [file for file in here if file.stat().st_size]
        if not here:
            raise RunError(f"{path}: there are no {what} in it.")
        found += here
    return found


def by_scene(folder: pathlib.Path) -> dict[str, EpisodeResult]:
    """Returns the results in the files of a folder, by hash of the scene."""
    files = (path for name in PATTERNS for path in folder.glob(name))
    return {one.scene: one for path in files for one in read(path)[1]}


@functools.cache
def shipped(game: TaskGame) -> tuple[EpisodeResult, ...]:
    """Returns the results of the verification that comes with a game."""
    return tuple(read(game.data / SHIPPED)[1])


@functools.cache
def unsolved(game: TaskGame) -> frozenset[Key]:
    """Returns the scenes that were tried for this version, and never solved."""
    return frozenset(one.place for one in shipped(game) if one.certificate is None)


def indices(game: TaskGame, task: str, level: str, count: int) -> list[int]:
    """Returns the first scenes of a task that nobody tried in vain, by index."""
    bad = unsolved(game)
    good = (index for index in itertools.count() if (task, level, index) not in bad)
    return list(itertools.islice(good, count))
