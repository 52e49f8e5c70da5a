"""Scores recorded runs, and reads the files of results and scores.

Files of scores have the form of result files, see `crafter.tasks.episodes.results`,
with further fields in each line.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from crafter.core import journal
from crafter.tasks import game as games
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.dimensions import SCORED
from crafter.tasks.catalogue.tasks import category_of
from crafter.tasks.episodes import results, runs, suites
from crafter.tasks.episodes.play import EpisodeResult
from crafter.tasks.episodes.results import RunError
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.scenes import Scene
from crafter.tasks.scoring.references import Reference, reference_at
from crafter.tasks.scoring.score import Scored, ScoreError
from crafter.tasks.world import records

#: Raised when the lines, or their meaning, change.
FORMAT = 1
#: Name of the file of scores in the folder of a run.
NAME = "scores.jsonl"
#: The files of a folder that hold scores.
PATTERNS = ("scores*.jsonl", "scores*.jsonl.gz")


# Scoring.


def score(
    attempt: records.Attempt,
    scene: Scene | None = None,
    reference: Reference | None = None,
    path: str = "attempt",
) -> Scored:
    """Returns the scores of an attempt; they are deterministic.

    Args:
      attempt: Its record, which is replayed.
      scene: Its scene, which is verified; `None` for no verification.
      reference: A solution of the scene. Without one there is no task efficiency, and
        no material usage where only a solution determines what is required.
      path: The file of the attempt, for errors.

    Raises:
      ScoreError: If it has no goal, is not over, or has another scene.
      crafter.tasks.RecordError: If it diverges from the recording.
    """
    game = attempt.header.game
    scored: Scored = game.scoring.score(attempt, scene, reference, path)
    return scored


def score_run(
    folder: str | os.PathLike,
    suite: Suite | None = None,
    out: str | os.PathLike | None = None,
    solve_new: bool = False,
    log: Callable[[str], None] = print,
) -> tuple[pathlib.Path, list[str]]:
    """Scores the attempts of a run that have no scores yet.

    Args:
      folder: Where `crafter-tasks run --record` wrote.
      suite: The suite, for scenes of a pack; by default the one of the run's name.
      out: The file to write; by default `scores.jsonl` in the folder.
      solve_new: Whether the planner solves scenes without a known solution, for a
        reference.
      log: Called with a line after each attempt.

    Returns:
      The file, and the attempts of the suite without a record.

    Raises:
      ScoreError: If the folder has several runs, the suite is another one, or an
        attempt does not match its result.
      tasks.episodes.results.RunError: If the results cannot be read, or the file holds
        other scores, such as some with other references.
    """
    folder = pathlib.Path(folder)
    run = _run_in(folder)
    suite = suites.suite(run["suite"]) if suite is None else suite
    if suite.sha256 != run["sha256"]:
        raise ScoreError(
            f"{folder}: the results are of a suite {run['suite']!r} with hash "
            f"{run['sha256'][:12]}, not of {suite.name!r} with {suite.sha256[:12]}."
        )
    path = folder / NAME if out is None else pathlib.Path(out)
    version = games.find().scoring.version
    head = {"format": FORMAT, "kind": "scores", "score_version": version, **run}
    if solve_new:
        head["references"] = {"solve": True}
    names = {s.key: runs.record_name(n) for n, s in enumerate(suite.entries)}
    missing = []
    with results.Results(path, head, Scored) as file:
        for spec in file.left(suite.entries):
            name = names[spec.key]
            if not (folder / name).exists():
                missing.append(spec.key)
                continue
            attempt, scene = records.read(folder / name), spec.scene()
            reference = reference_at(spec.made(), scene, solve_new)
            scored = score(attempt, scene, reference, str(folder / name))
            task_name, level, index = spec.place
            scored = dataclasses.replace(
                scored, attempt=name, task=task_name, level=level, index=index
            )
            file.add(scored)
            overall = "none" if scored.overall is None else f"{scored.overall:.3f}"
            log(f"{list(names).index(spec.key) + 1}/{len(names)} {spec.key}: {overall}")
    return path, missing


def _run_in(folder: pathlib.Path) -> dict[str, Any]:
    """Returns the suite and the agent whose results are in a folder."""
    paths = results.find([folder], results.PATTERNS, "results")
    heads = [results.read(path)[0] for path in paths]
    distinct = {(head["sha256"], head["agent"]): head for head in heads}
    if len(distinct) != 1:
        labels = [f"{head['agent']} on {head['suite']}" for head in distinct.values()]
        raise ScoreError(f"{folder} holds several runs: {labels}. Name one of them.")
    return {name: heads[0][name] for name in ("suite", "sha256", "agent")}


# Reading.


class Measurement(NamedTuple):
    """One measured value of an attempt.

    Attributes:
      agent: The agent.
      task: The task.
      category: Its category.
      level: The difficulty.
      scene: Number of the scene, or another identifier.
      dimension: `success`, `steps`, `overall`, or a dimension.
      value: From 0 to 1, or a number of steps.
    """

    agent: str
    task: str
    category: str
    level: str
    scene: int | str
    dimension: str
    value: float


class Row(NamedTuple):
    """An attempt of an agent.

    Attributes:
      agent: The agent.
      result: The result, with scores if it was scored.
    """

    agent: str
    result: EpisodeResult

    @property
    def scored(self) -> Scored | None:
        """The result, if it has scores."""
        return self.result if isinstance(self.result, Scored) else None

    def measurements(self) -> list[Measurement]:
        """Returns success, its steps, and the applicable scores."""
        one = self.result
        values: dict[str, float | None] = {"success": float(one.solved)}
        if one.solved:
            values["steps"] = float(one.steps)
        if isinstance(one, Scored):
            values |= {name: one.scores[name] for name in SCORED}
            values["overall"] = one.overall
        about = (self.agent, one.task, category_of(one.task), one.level, one.index)
        return [Measurement(*about, n, v) for n, v in values.items() if v is not None]

    def contradicts(self, other: Row) -> bool:
        """Returns whether another result of the same attempt differs."""
        names = ["scene", "verdict", "steps"]
        if self.scored and other.scored:
            names += ["scores", "overall"]
        pair = self.result, other.result
        return any(getattr(pair[0], name) != getattr(pair[1], name) for name in names)


@dataclasses.dataclass(frozen=True)
class Material:
    """Attempts of one or several agents.

    Attributes:
      suites: SHA-256 of each suite -> its name.
      score_versions: Versions of the score definitions, sorted.
      rows: The attempts, in the order of agents, tasks, levels and scenes.
      wanted: Number of attempts in the suites; 0 if unknown.
      changed: Modification time of the newest file, in seconds since 1970.
    """

    suites: Mapping[str, str]
    score_versions: tuple[int, ...]
    rows: tuple[Row, ...]
    wanted: int
    changed: float

    @property
    def agents(self) -> list[str]:
        """The agents, by name."""
        return list(dict.fromkeys(row.agent for row in self.rows))

    @property
    def scored(self) -> list[Scored]:
        """The attempts that have scores."""
        return [row.scored for row in self.rows if row.scored]

    @functools.cached_property
    def frame(self) -> list[Measurement]:
        """All measurements."""
        return [one for row in self.rows for one in row.measurements()]

    def missing(self) -> dict[str, int]:
        """Returns agent -> number of missing attempts of the suites."""
        count = dict.fromkeys(self.agents, self.wanted)
        for row in self.rows:
            count[row.agent] -= 1
        return {agent: max(0, number) for agent, number in count.items()}


def load(paths: Iterable[str | os.PathLike]) -> Material:
    """Reads runs.

    Args:
      paths: Folders of `crafter-tasks run` and `crafter-tasks score`, or their files.

    Returns:
      Their attempts, whatever the sharding.

    Raises:
      tasks.episodes.results.RunError: If there is nothing, a file is damaged, or files
        contradict each other.
    """
    by_attempt: dict[tuple[str, str, str, int], Row] = {}
    scenes: dict[tuple[str, str, int], str] = {}
    names: dict[str, str] = {}  # by the hash: a pack may have several paths
    heads = []
    inputs = results.find(
        paths, (*results.PATTERNS, *PATTERNS), "results and no scores"
    )
    for path in inputs:
        head, rows = _rows(path)
        heads.append({**head, "path": path})
        names.setdefault(head["sha256"], head["suite"])
        for row in rows:
            one, key = row.result, (row.agent, *row.result.place)
            if row.contradicts(by_attempt.setdefault(key, row)):
                raise RunError(f"{path}: {key} has two different results.")
            if scenes.setdefault(one.place, one.scene) != one.scene:
                raise RunError(f"{path}: {one.place} has two scenes in these files.")
            if row.scored:
                by_attempt[key] = row
    by_run: dict[tuple[str, str], Any] = {}
    for head in heads:
        settings, run = head.get("settings"), (head["sha256"], head["agent"])
        if "attempts" in head and by_run.setdefault(run, settings) != settings:
            raise RunError(
                f"{head['path']}: {head['agent']} has the settings {settings} here, "
                f"and {by_run[run]} in other files."
            )
    sizes = {head["sha256"]: head["attempts"] for head in heads if "attempts" in head}
    return Material(
        names,
        tuple(sorted({h["score_version"] for h in heads if "score_version" in h})),
        tuple(sorted(by_attempt.values(), key=_order)),
        sum(sizes.values()) if sizes.keys() == names.keys() else 0,
        max(path.stat().st_mtime for path in inputs),
    )


def _rows(path: pathlib.Path) -> tuple[dict[str, Any], list[Row]]:
    """Returns the header and the attempts of a file of results or of scores."""
    lines = journal.read(path)
    kind = Scored if is_scores(lines) else EpisodeResult
    head, attempts = results.parsed(lines, path, kind)
    return head, [Row(head["agent"], one) for one in attempts]


def is_scores(lines: Iterable[Mapping[str, Any]]) -> bool:
    """Returns whether the lines of a file are scores."""
    return next(iter(lines), {}).get("kind") == "scores"


def _order(row: Row) -> tuple[Any, ...]:
    one, levels = row.result, list(files.levels())
    place = levels.index(one.level) if one.level in levels else len(levels)
    return row.agent, one.task, place, one.level, one.index


def read(paths: str | os.PathLike | Iterable[str | os.PathLike]) -> list[Scored]:
    """Reads scores.

    Args:
      paths: Files of scores, or folders that have some; one or several.

    Returns:
      The scored attempts, in the order of agents, tasks, levels and scenes.

    Raises:
      tasks.episodes.results.RunError: As `load`; or if there are no scores.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return load(results.find(paths, PATTERNS, "scores")).scored
