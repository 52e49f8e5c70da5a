"""Scoring runs: the attempts that `crafter-tasks run --record` wrote, one by one."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable

from crafter.tasks import records, runs, suites
from crafter.tasks.catalogue import Task
from crafter.tasks.episodes import EpisodeSpec
from crafter.tasks.runs import Run
from crafter.tasks.scores import files
from crafter.tasks.scores.constants import score_version
from crafter.tasks.scores.files import Head, Scored
from crafter.tasks.scores.references import Solutions
from crafter.tasks.scores.scoring import score
from crafter.tasks.scores.story import ScoreError
from crafter.tasks.suites import Suite

#: Name of the file of scores in the folder of a run.
NAME = "scores.jsonl"


def score_run(
    folder: str | os.PathLike,
    suite: Suite | None = None,
    out: str | os.PathLike | None = None,
    solutions: Solutions | None = None,
    say: Callable[[str], None] = print,
) -> tuple[pathlib.Path, list[str]]:
    """Scores the attempts of a run that are not scored yet.

    Args:
      folder: Where `crafter-tasks run --record` wrote.
      suite: The suite, for scenes of a pack; by default the one of the run's name.
      out: The file to write; by default `scores.jsonl` in the folder.
      solutions: Finds the references; by default those that come with the package.
      say: Called with a line after each attempt.

    Returns:
      The file, and the attempts of the suite that were not made or not recorded.

    Raises:
      ScoreError: If there are results of several runs in it, the suite is another one,
        or an attempt is not that of its result.
      crafter.tasks.results.RunError: If the results cannot be read.
      crafter.tasks.scores.ScoreFileError: If the file holds other scores, such as some
        with other references.
    """
    folder = pathlib.Path(folder)
    run = _run_in(folder)
    suite = suites.suite(run.suite) if suite is None else suite
    if suite.sha256 != run.sha256:
        raise ScoreError(
            f"{folder}: the results are of a suite {run.suite!r} with hash "
            f"{run.sha256[:12]}, not of {suite.name!r} with {suite.sha256[:12]}."
        )
    path = folder / NAME if out is None else pathlib.Path(out)
    solutions = Solutions() if solutions is None else solutions
    head = Head(score_version(), run.suite, run.sha256, run.agent, solutions.settings())
    file, done = files.resume(head, path)
    known = {scored.attempt for scored in done}
    missing = []
    with file:
        for number, entry in enumerate(suite.entries):
            name = runs.record_name(number)
            if name in known:
                continue
            if not (folder / name).exists():
                missing.append(entry.key)
                continue
            scored = score_file(folder, name, entry, solutions)
            files.append(file, scored)
            overall = "none" if scored.overall is None else f"{scored.overall:.3f}"
            say(f"{number + 1}/{len(suite.entries)} {entry.key}: {overall}")
    return path, missing


def score_file(
    folder: str | os.PathLike, name: str, entry: EpisodeSpec, solutions: Solutions
) -> Scored:
    """Returns the scores of a recorded attempt.

    Args:
      folder: That of the run.
      name: The file of the attempt, relative to it.
      entry: What was attempted.
      solutions: Finds the reference.

    Raises:
      ScoreError: If it is not an attempt at that.
      crafter.tasks.RecordError: If the file is damaged.
    """
    place = str(pathlib.Path(folder) / name)
    attempt = records.read(place)
    task, scene = Task(entry.made_from, entry.level), entry.scene()
    reference = solutions.reference(task, scene)
    found = score(attempt, scene, reference, place)
    assert attempt.header.budget is not None
    return Scored(
        task=entry.task,
        level=entry.level,
        index=entry.index,
        scene=scene.hash,
        agent=attempt.header.agent,
        attempt=name,
        verdict=found.verdict,
        reason=found.reason,
        steps=found.steps,
        budget=attempt.header.budget,
        reference_steps=None if reference is None else reference.steps,
        scores=found.values,
        overall=found.overall,
        dimensions=found.dimensions,
        errors=len(found.errors),
        milestones=found.milestones,
        first_failed_milestone=found.first_failed_milestone,
        death_cause=found.death_cause,
    )


def _run_in(folder: pathlib.Path) -> Run:
    """Returns the run of a folder.

    Raises:
      ScoreError: If there are several.
    """
    found = runs.merge([folder])
    if len(found) != 1:
        names = [f"{run.agent} on {run.suite}" for run in found]
        raise ScoreError(f"{folder} holds several runs: {names}. Name one of them.")
    return found[0]
