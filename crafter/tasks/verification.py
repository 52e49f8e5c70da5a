"""Verification: the planner plays scenes once each, and what it solves is proven."""

from __future__ import annotations

import functools
import itertools
import os
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from crafter.core.cluster import Map
from crafter.tasks import results, scenes
from crafter.tasks.catalogue import Task, named
from crafter.tasks.episodes import EpisodeResult, EpisodeSpec, Key
from crafter.tasks.replay import versions
from crafter.tasks.results import Results
from crafter.tasks.scenes import SceneError
from crafter.tasks.solutions import Certificate, check, solve

#: Raised when the meaning of the files changes; older ones can be read.
FORMAT = 3
#: The reason where the generator has given up.
NO_SCENE = "no_scene"


def specs_of(
    tasks: Sequence[str], levels: Sequence[str], split: str = "test", scenes: int = 10
) -> list[EpisodeSpec]:
    """Returns the episodes of a verification: scenes by index, the first ones first.

    Args:
      tasks: Names, expressions or task files.
      levels: Their levels.
      split: From which scenes they begin.
      scenes: How many scenes of each task and level.
    """
    every = itertools.product(range(scenes), named(tasks).items(), levels)
    return [
        EpisodeSpec(name, level, index, source=source, split=split)
        for index, (name, source), level in every
    ]


def header(split: str = "test", known: str = "all") -> dict[str, Any]:
    """Returns the first line of a file: what its results depend on."""
    return {
        "verification": FORMAT,
        "generator": scenes.VERSION,
        **versions(),
        "split": split,
        "known": known,
    }


def run(
    specs: Sequence[EpisodeSpec],
    path: str | os.PathLike,
    split: str = "test",
    known: str = "all",
    each: Map = map,
) -> Iterator[EpisodeResult]:
    """Tries the scenes that are not in the file yet, and adds them to it.

    Args:
      specs: The episodes.
      path: The file; what is in it already is not tried again.
      split: From which their scenes are.
      known: What the planner knows: `all`, or `seen`.
      each: What tries them; by default in this process. The lines are the same whatever
        does, but for the seconds.

    Yields:
      The result of every scene that was tried now.

    Raises:
      crafter.tasks.results.RunError: If the file is that of another verification.
    """
    with Results(path, header(split, known)) as file:
        for result in each(functools.partial(_tried, known=known), file.left(specs)):
            file.add(result)
            yield result


def _tried(spec: EpisodeSpec, known: str) -> EpisodeResult:
    task = Task(spec.made_from, spec.level)
    try:
        return solve(task, spec.scene(), known=known)
    except SceneError:
        about = *spec.place, "", "FAILED", NO_SCENE
        return EpisodeResult(*about, steps=0, budget=task.budget, progress=0.0)


def replay(
    path: str | os.PathLike,
    sample: float = 1.0,
    wanted: Collection[Key] | None = None,
    tasks: Collection[str] = (),
) -> Iterator[tuple[EpisodeResult, str | None]]:
    """Plays the certificates of a file again.

    Args:
      path: The file.
      sample: The share of them, always the same ones; at least one.
      wanted: Task, level and index of the scenes of interest; by default all.
      tasks: Task files, if there are tasks that are not in the catalogue.

    Yields:
      The result, and what is wrong with its certificate, or `None`.
    """
    head, found = results.read(path)
    sources = named(tasks)
    proven = [
        result
        for result in found
        if result.certificate and (wanted is None or result.place in wanted)
    ]
    count = min(len(proven), max(1, round(sample * len(proven))))
    for result in random.Random(0).sample(proven, count):
        task = Task(sources.get(result.task, result.task), result.level)
        yield result, _wrong(task, result, head["split"])


def _wrong(task: Task, result: EpisodeResult, split: str) -> str | None:
    """Returns what is wrong with a certificate, or `None`."""
    try:
        scene = scenes.draw(task, split, result.index)
        certificate = Certificate.from_data(result.certificate)
    except ValueError as error:
        return str(error)
    if scene.hash != result.scene:
        return "the scene is another one now"
    return check(task, scene, certificate, result.budget)
