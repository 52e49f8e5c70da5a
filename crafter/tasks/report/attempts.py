"""What a report is made of: episodes of agents at suites, with or without scores."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from crafter.tasks.catalogue.dimensions import SCORED
from crafter.tasks.catalogue.tasks import category_of
from crafter.tasks.episodes import runs
from crafter.tasks.episodes.play import EpisodeResult
from crafter.tasks.episodes.results import find, read
from crafter.tasks.report.frame import Measurement, rank
from crafter.tasks.scoring import Scored
from crafter.tasks.scoring.files import PATTERNS


class Row(NamedTuple):
    """An episode in a report.

    Attributes:
      agent: Who played it.
      result: What became of it, with scores if it was scored.
      record: File of its records, which may be gone.
    """

    agent: str
    result: EpisodeResult
    record: pathlib.Path

    @property
    def scored(self) -> Scored | None:
        """The result, if it has scores."""
        return self.result if isinstance(self.result, Scored) else None

    def measurements(self) -> Iterator[Measurement]:
        """Yields success, the steps to it, and the scores that apply."""
        one = self.result
        values: dict[str, float | None] = {"success": float(one.solved)}
        if one.solved:
            values["steps"] = float(one.steps)
        if isinstance(one, Scored):
            values |= {name: one.scores[name] for name in SCORED}
            values["overall"] = one.overall
        about = (self.agent, one.task, category_of(one.task), one.level, one.index)
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
            key = (head["agent"], *one.place)
            other = found[key].result if key in found else one
            ends = [(x.scene, x.verdict, x.steps) for x in (one, other)]
            if ends[0] != ends[1]:
                raise ValueError(f"{path}: {key} is there with another end, too.")
            if scenes.setdefault(one.place, one.scene) != one.scene:
                raise ValueError(f"{path}: {one.place} are two scenes in these files.")
            if key not in found or kind is Scored:
                found[key] = Row(head["agent"], one, path.parent / place)
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
    one = row.result
    return row.agent, one.task, rank("level", one.level), one.index
