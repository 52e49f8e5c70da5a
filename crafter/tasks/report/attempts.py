"""What a report is made of: episodes of agents at suites, with or without scores."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping

from crafter.tasks import runs
from crafter.tasks.catalogue import category_of
from crafter.tasks.dimensions import SCORED
from crafter.tasks.episodes import EpisodeResult
from crafter.tasks.report.frame import Measurement, rank
from crafter.tasks.results import find, read
from crafter.tasks.scores import Scored
from crafter.tasks.scores.files import PATTERNS


@dataclasses.dataclass(frozen=True)
class Row(EpisodeResult):
    """An episode in a report.

    Attributes:
      agent: Who played it.
      category: Category of the task.
      scored: Its scores, or `None` if it was not scored.
      record: File of its records, or `None`.
    """

    agent: str = ""
    category: str = ""
    scored: Scored | None = None
    record: pathlib.Path | None = None

    def measurements(self) -> Iterator[Measurement]:
        """Yields success, the steps to it, and the scores that apply."""
        values: dict[str, float | None] = {"success": float(self.solved)}
        if self.solved:
            values["steps"] = float(self.steps)
        if self.scored is not None:
            values |= {name: self.scored.scores[name] for name in SCORED}
            values["overall"] = self.scored.overall
        about = (self.agent, self.task, self.category, self.level, self.index)
        for name, value in values.items():
            if value is not None:
                yield Measurement(*about, name, value)


@dataclasses.dataclass(frozen=True)
class Material:
    """Episodes of one or several agents.

    Attributes:
      suites: SHA-256 of each suite -> its name.
      score_version: Of the definitions of the scores; `None` without scores.
      rows: The episodes, in the order of agents, tasks, levels and scenes.
      wanted: How many episodes the suites have; 0 if that is not known.
      changed: When the newest of the files was written, in seconds since 1970.
    """

    suites: Mapping[str, str]
    score_version: int | None
    rows: tuple[Row, ...]
    wanted: int
    changed: float

    @property
    def agents(self) -> list[str]:
        """The agents, by name."""
        return list(dict.fromkeys(row.agent for row in self.rows))

    @functools.cached_property
    def frame(self) -> list[Measurement]:
        """All measurements."""
        return [one for row in self.rows for one in row.measurements()]

    def missing(self) -> dict[str, int]:
        """Returns how many episodes of the suites each agent has not played."""
        count = dict.fromkeys(self.agents, self.wanted)
        for row in self.rows:
            count[row.agent] -= 1
        return {agent: max(0, number) for agent, number in count.items()}


def load(paths: Iterable[str | os.PathLike]) -> Material:
    """Reads runs.

    Args:
      paths: Folders of `crafter-tasks run` and `crafter-tasks score`, or their files.

    Raises:
      ValueError: If there is nothing, a file is damaged, or files do not go together.
    """
    found: dict[tuple[str, str, str, int], Row] = {}
    names: dict[str, str] = {}  # by the hash: a pack may have several paths
    sizes: dict[str, int] = {}
    versions: set[int] = set()
    scenes: dict[tuple[str, str, int], str] = {}
    inputs = find(paths, (*runs.PATTERNS, *PATTERNS), "results and no scores")
    for path in inputs:
        kind = Scored if path.name.startswith("scores") else EpisodeResult
        head, results = read(path, kind)
        names.setdefault(head["sha256"], head["suite"])
        if kind is Scored:
            versions.add(head["score_version"])
            places = [one.attempt for one in results]
        else:
            sizes[head["sha256"]] = head["attempts"]
            places = [runs.record_name(place) for place in runs.places(path)]
        for one, place in zip(results, places):
            row = _row(head["agent"], one, path.parent / place)
            _add(found, row, path)
            if scenes.setdefault(row.place, row.scene) != row.scene:
                raise ValueError(f"{path}: {row.place} are two scenes in these files.")
    if len(versions) > 1:
        raise ValueError(f"Expected scores of one version, got {sorted(versions)}.")
    return Material(
        names,
        versions.pop() if versions else None,
        tuple(sorted(found.values(), key=_order)),
        sum(sizes.values()) if sizes.keys() == names.keys() else 0,
        max(path.stat().st_mtime for path in inputs),
    )


def _order(row: Row) -> tuple:
    return row.agent, row.task, rank("level", row.level), row.index


def _row(agent: str, one: EpisodeResult, record: pathlib.Path) -> Row:
    names = (field.name for field in dataclasses.fields(EpisodeResult))
    return Row(
        **{name: getattr(one, name) for name in names},
        agent=agent,
        category=category_of(one.task),
        scored=one if isinstance(one, Scored) else None,
        record=record if record.is_file() else None,
    )


def _add(
    found: dict[tuple[str, str, str, int], Row], row: Row, path: pathlib.Path
) -> None:
    """Adds an episode; one with scores takes the place of the same one without."""
    key = (row.agent, *row.place)
    other = found.get(key, row)
    if (other.scene, other.verdict, other.steps) != (row.scene, row.verdict, row.steps):
        raise ValueError(f"{path}: {key} is there with another end, too.")
    if row.scored or key not in found:
        found[key] = dataclasses.replace(row, record=row.record or other.record)
