"""Scoring runs, and files of scores: a header line, then one JSON object per attempt.

They are files of results, see `crafter.tasks.episodes.results`, whose lines say more.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Callable, Iterable
from typing import Any

from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.episodes import results, runs, suites
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.scoring.constants import score_version
from crafter.tasks.scoring.references import Solutions
from crafter.tasks.scoring.scoring import Scored, score
from crafter.tasks.scoring.story import ScoreError
from crafter.tasks.world import records

#: Raised when the lines, or their meaning, change.
FORMAT = 1
#: Name of the file of scores in the folder of a run.
NAME = "scores.jsonl"
#: The files of a folder that hold scores.
PATTERNS = ("scores*.jsonl", "scores*.jsonl.gz")


def read(paths: str | os.PathLike | Iterable[str | os.PathLike]) -> list[Scored]:
    """Reads files of scores.

    Args:
      paths: Files, or folders in which all of `PATTERNS` are read; one or several.

    Returns:
      The scored attempts, file by file.

    Raises:
      tasks.episodes.results.RunError: If a file is damaged or of another kind, there is
        none, or an attempt of an agent is there twice with different scores.
    """
    found: dict[tuple[Any, ...], Scored] = {}
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    for path in results.find(paths, PATTERNS, "scores"):
        head, scored = results.read(path, Scored)
        for one in scored:
            key = (head["sha256"], one.agent, *one.key)
            if found.setdefault(key, one) != one:
                raise results.RunError(
                    f"{path}: {one.key} of {one.agent} is there with other scores, too."
                )
    return list(found.values())


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
      tasks.episodes.results.RunError: If the results cannot be read, or the file holds
        other scores, such as some with other references.
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
    head = _head(run, solutions)
    names = {s.key: runs.record_name(n) for n, s in enumerate(suite.entries)}
    missing = []
    with results.Results(path, head, ("suite",), Scored) as file:
        for spec in file.left(suite.entries):
            if not (folder / names[spec.key]).exists():
                missing.append(spec.key)
                continue
            attempt, scene = records.read(folder / names[spec.key]), spec.scene()
            reference = solutions.reference(Task(spec.made_from, spec.level), scene)
            place = str(folder / names[spec.key])
            scored = score(attempt, scene, reference, place)
            task, level, index = spec.place
            scored = dataclasses.replace(
                scored, task=task, level=level, index=index, attempt=names[spec.key]
            )
            file.add(scored)
            overall = "none" if scored.overall is None else f"{scored.overall:.3f}"
            say(f"{list(names).index(spec.key) + 1}/{len(names)} {spec.key}: {overall}")
    return path, missing


def _head(run: runs.Run, solutions: Solutions) -> dict[str, Any]:
    """Returns the first line of a file of scores."""
    head = {
        "format": FORMAT,
        "kind": "scores",
        "score_version": score_version(),
        **{name: getattr(run, name) for name in ("suite", "sha256", "agent")},
    }
    settings = solutions.settings()
    return head | ({"references": settings} if settings else {})


def _run_in(folder: pathlib.Path) -> runs.Run:
    found = runs.merge([folder])
    if len(found) != 1:
        held = [f"{run.agent} on {run.suite}" for run in found]
        raise ScoreError(f"{folder} holds several runs: {held}. Name one of them.")
    return found[0]
