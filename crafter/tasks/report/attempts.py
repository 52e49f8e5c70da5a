"""What a report is made of: attempts of agents at one suite, with or without scores."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from crafter.tasks import files, pairs, runs, suites
from crafter.tasks.episodes import EpisodeResult
from crafter.tasks.results import find
from crafter.tasks.scores import Scored
from crafter.tasks.scores.files import PATTERNS, Head, read_file


@dataclasses.dataclass(frozen=True)
class Row:
    """An attempt.

    Attributes:
      agent: Who made it.
      task: Its task.
      category: Category of the task.
      level: Its difficulty.
      index: Number of the scene.
      scene: Hash of the scene.
      done: Whether the goal was reached.
      reason: Why it was not, or `None`.
      steps: How many steps it took.
      budget: How many it might have taken.
      scored: Its scores, or `None` if it was not scored.
      record: File of its records, or `None`.
    """

    agent: str
    task: str
    category: str
    level: str
    index: int
    scene: str
    done: bool
    reason: str | None
    steps: int
    budget: int
    scored: Scored | None = None
    record: pathlib.Path | None = None

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells its scene from others of the suite."""
        return self.task, self.level, self.index

    def score(self, dimension: str) -> float:
        """Returns the score in a dimension, or `overall`; NaN without one."""
        if self.scored is None:
            return float("nan")
        value = (
            self.scored.overall
            if dimension == "overall"
            else self.scored.scores[dimension]
        )
        return float("nan") if value is None else value


@dataclasses.dataclass(frozen=True)
class Material:
    """Attempts of one or several agents at one suite.

    Attributes:
      suite: Name of the suite.
      sha256: Of the suite.
      score_version: Of the definitions of the scores; `None` without scores.
      rows: The attempts, in the order of tasks, levels and scenes.
      wanted: Agent -> how many attempts the suite has; 0 if that is not known.
      changed: When the newest of the files was written, in seconds since 1970.
    """

    suite: str
    sha256: str
    score_version: int | None
    rows: tuple[Row, ...]
    wanted: Mapping[str, int]
    changed: float

    @property
    def agents(self) -> list[str]:
        """The agents, in the order given."""
        return list(self.wanted)

    @property
    def levels(self) -> list[str]:
        """The levels that occur, easiest first."""
        there = dict.fromkeys(row.level for row in self.rows)
        known = [level for level in files.levels() if level in there]
        return known + sorted(level for level in there if level not in known)

    @property
    def categories(self) -> list[str]:
        """The categories that occur, in the order of the catalogue."""
        there = {row.category for row in self.rows}
        known = [name for name in files.CATEGORIES if name in there]
        return known + sorted(there - set(known))

    @property
    def tasks(self) -> list[str]:
        """The tasks, by category."""
        place = {name: n for n, name in enumerate(self.categories)}
        order = sorted({(place[row.category], row.task) for row in self.rows})
        return [task for _, task in order]

    @property
    def scored(self) -> bool:
        """Whether there are scores."""
        return any(row.scored for row in self.rows)

    def where(self, **wanted: str) -> list[Row]:
        """Returns the attempts with these values of their fields."""
        return [
            row
            for row in self.rows
            if all(getattr(row, name) == value for name, value in wanted.items())
        ]


def load(paths: Iterable[str | os.PathLike]) -> Material:
    """Reads runs.

    Args:
      paths: Folders of `crafter-tasks run` and `crafter-tasks score`, or their files.

    Raises:
      ValueError: If there is nothing, a file is damaged, or the files are of several
        suites.
    """
    found: dict[tuple[str, str, str, int], Row] = {}
    wanted: dict[str, int] = {}
    names: dict[str, str] = {}  # by the hash: a pack may have several paths
    versions: set[int] = set()
    patterns = (*runs.PATTERNS, *PATTERNS)
    inputs = find(paths, patterns, "results and no scores")
    for path in inputs:
        head, rows, count = _read(path)
        if isinstance(head, Head):
            versions.add(head.score_version)
        names.setdefault(head.sha256, head.suite)
        wanted[head.agent] = max(count, wanted.get(head.agent, 0))
        if len(names) > 1 or len(versions) > 1:
            suites_there = [f"{name} {sha[:12]}" for sha, name in names.items()]
            raise ValueError(
                "Expected runs of one suite, scored by one version, got "
                f"{suites_there}, {sorted(versions)}."
            )
        for row in rows:
            _add(found, row, path)
    ((sha256, suite),) = names.items()
    known = _known_size(suite, sha256)
    return Material(
        suite,
        sha256,
        versions.pop() if versions else None,
        tuple(found[key] for key in sorted(found, key=_order)),
        {agent: count or known for agent, count in wanted.items()},
        max(path.stat().st_mtime for path in inputs),
    )


def _order(key: tuple[str, str, str, int]) -> tuple[str, str, int, int, str]:
    agent, task, level, index = key
    levels = files.levels()
    place = levels.index(level) if level in levels else len(levels)
    return agent, task, place, index, level


def _read(path: pathlib.Path) -> tuple[Head | runs.Run, list[Row], int]:
    """Returns what a file is of, its attempts, and how many the suite has, or 0."""
    if path.name.startswith("scores"):
        head, scored = read_file(path)
        return head, [_of_scored(one, path) for one in scored], 0
    (run,) = runs.merge([path])
    ended = zip(run.results, runs.places(path))
    rows = [_of_result(run.agent, one, path, place) for one, place in ended]
    return run, rows, run.attempts


def _known_size(suite: str, sha256: str) -> int:
    """Returns how many attempts a suite has; 0 if it is not that of this version."""
    if suite not in suites.names() or suites.suite(suite).sha256 != sha256:
        return 0
    return len(suites.suite(suite).entries)


def _of_result(
    agent: str, result: EpisodeResult, path: pathlib.Path, place: int
) -> Row:
    return _row(agent, result, path.parent / runs.record_name(place))


def _of_scored(one: Scored, path: pathlib.Path) -> Row:
    return _row(one.agent, one, path.parent / one.attempt, one)


def _row(
    agent: str,
    one: EpisodeResult | Scored,
    record: pathlib.Path,
    scored: Scored | None = None,
) -> Row:
    return Row(
        agent=agent,
        task=one.task,
        category=pairs.category_of(one.task),
        level=one.level,
        index=one.index,
        scene=one.scene,
        done=one.verdict == "DONE",
        reason=one.reason,
        steps=one.steps,
        budget=one.budget,
        scored=scored,
        record=record if record.is_file() else None,
    )


def _add(
    found: dict[tuple[str, str, str, int], Row], row: Row, path: pathlib.Path
) -> None:
    """Adds an attempt; one with scores takes the place of the same one without."""
    key = (row.agent, *row.key)
    other = found.get(key, row)
    if (other.scene, other.done, other.steps) != (row.scene, row.done, row.steps):
        raise ValueError(f"{path}: {key} is there with another end, too.")
    if row.scored or key not in found:
        found[key] = dataclasses.replace(row, record=row.record or other.record)


def grouped(rows: Sequence[Row], by: Callable[[Row], str]) -> dict[str, list[Row]]:
    """Returns the attempts by a key, in the order in which keys occur."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(by(row), []).append(row)
    return groups
