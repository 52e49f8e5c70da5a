"""Verification: the planner plays scenes once each, and what it solves is proven."""

from __future__ import annotations

import collections
import itertools
import os
import random
import statistics
from collections.abc import Collection, Iterable, Iterator, Sequence

from crafter.core.cluster import Map
from crafter.reporting.tables import Table
from crafter.scoring.statistics import wilson_interval
from crafter.tasks import scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.tasks import Task, named
from crafter.tasks.env.replay import versions
from crafter.tasks.episodes import results
from crafter.tasks.episodes.play import EpisodeResult, EpisodeSpec, Key
from crafter.tasks.episodes.results import Results
from crafter.tasks.episodes.solutions import check, solve
from crafter.tasks.scenes import SceneError

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


def run(
    specs: Sequence[EpisodeSpec],
    path: str | os.PathLike,
    split: str = "test",
    each: Map = map,
) -> Iterator[EpisodeResult]:
    """Tries the scenes that are not in the file yet, and adds them to it.

    Args:
      specs: The episodes.
      path: The file; what is in it already is not tried again.
      split: From which their scenes are.
      each: What tries them; by default in this process.

    Yields:
      The result of every scene that was tried now.

    Raises:
      tasks.episodes.results.RunError: If the file is that of another verification.
    """
    head = {"verification": FORMAT, "generator": scenes.VERSION, "split": split}
    with Results(path, {**head, **versions(), "known": "all"}) as file:
        for result in each(_tried, file.left(specs)):
            file.add(result)
            yield result


def _tried(spec: EpisodeSpec) -> EpisodeResult:
    task = Task(spec.made_from, spec.level)
    try:
        return solve(task, spec.scene())
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
    assert result.certificate is not None
    try:
        scene = scenes.draw(task, split, result.index)
        if scene.hash != result.scene:
            return "the scene is another one now"
        return check(task, scene, result.certificate, result.budget)
    except ValueError as error:
        return str(error)


def report(found: Iterable[EpisodeResult]) -> Table:
    """Returns success, steps and reasons: of all, by level, of each task and level."""
    levels = files.levels()
    groups: dict[tuple[str, str], list[EpisodeResult]] = {}
    for one in sorted(found, key=lambda one: (one.task, levels.index(one.level))):
        for key in (("all", "all"), ("all", one.level), (one.task, one.level)):
            groups.setdefault(key, []).append(one)
    rows = []
    for key in sorted(groups, key=lambda key: key[0] != "all"):
        own = groups[key]
        solved = [one for one in own if one.solved]
        shares = len(solved) / len(own), *wilson_interval(len(solved), len(own))
        share, low, high = (f"{100 * value:.1f}" for value in shares)
        steps = part = "–"
        if solved:
            steps = f"{statistics.median(one.steps for one in solved):.0f}"
            part = f"{100 * statistics.median(x.steps / x.budget for x in solved):.0f}"
        told = (one.reason.partition(":~")[0] for one in own if one.reason)
        counts = collections.Counter(told).most_common()
        reasons = ", ".join(f"`{name}` {n}" for name, n in counts)
        done = f"{len(solved)}/{len(own)}, {share} % [{low}, {high}]"
        rows.append([*key, done, steps, part, reasons])
    columns = ["Task", "Level", "Done", "Steps, median", "% of the budget", "Reasons"]
    return Table(columns, rows)
