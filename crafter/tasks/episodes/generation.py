"""Generates packs of scenes: screened, counted and resumable.

Optionally, only scenes that the planner solves are kept.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import itertools
import os
import pathlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from crafter.core.journal import Journal
from crafter.reporting.tables import Table
from crafter.tasks import scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes.agents import Playback, chance_of
from crafter.tasks.episodes.play import env_at, play
from crafter.tasks.episodes.solutions import solve
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.scenes import GivenUp, Scene, SceneError, draw

#: Failed indices allowed per requested scene.
_SPARE = 3
#: Tag of tasks that are done by waiting, where doing nothing may succeed.
WAITS = "waits"
#: Random episodes, and how many successes make a scene trivial.
_RANDOM_RUNS, _TOO_MANY = 5, 3


#: Called with task, split, index and a counter of the reasons of rejections; returns a
#: scene, or `None`.
Make = Callable[[Task, str, int, "collections.Counter[str]"], "Scene | None"]


class Tally(NamedTuple):
    """Accepted scenes and rejections of a task on a level.

    Attributes:
      task: The task.
      level: The level.
      accepted: The scenes.
      rejected: Reason -> how many tries.
    """

    task: str
    level: str
    accepted: list[Scene]
    rejected: collections.Counter[str]


def generate(
    orders: Sequence[tuple[Task, int]],
    path: str | os.PathLike,
    split: str = "test",
    log: Callable[[str], None] = print,
    solved: bool = False,
    make: Make | None = None,
) -> list[Tally]:
    """Generates scenes and writes them to a file.

    Finished scenes are stored beside the file until it is complete, so that the same
    call resumes after an interruption.

    Args:
      orders: Tasks on their levels, and the number of scenes of each.
      path: The file; see `crafter.tasks.scenes.write`.
      split: The split.
      log: Called with a line after each scene.
      solved: Whether only scenes that the planner solves are kept, with certificates.
      make: Replaces the generator; see `Make`.

    Returns:
      A tally per order.

    Raises:
      SceneError: If too few scenes can be generated, or the file has another ending.
    """
    scenes.check_name(path)
    unfinished = pathlib.Path(f"{os.fspath(path)}.unfinished.jsonl")
    tallies = []
    with Journal(unfinished) as file:
        done = {entry["key"]: entry for entry in file.rows}
        for task, count in orders:
            tally = Tally(task.name, task.difficulty, [], collections.Counter())
            tallies.append(tally)
            for index in range(_most(count, split)):
                key = f"{task.name}|{task.difficulty}|{split}|{index}"
                key = f"{key}|{solved}" + ("|made" if make else "")
                if key not in done:
                    maker = make or functools.partial(_make_scene, solved)
                    done[key] = _entry(key, maker, task, split, index)
                    file.append(done[key])
                tally.rejected.update(done[key]["rejected"])
                if done[key]["scene"] is not None:
                    kind = task.game.scenes.kind
                    tally.accepted.append(kind.from_data(done[key]["scene"]))
                    log(f"{tally.accepted[-1]}: {tally.accepted[-1].hash[:12]}")
                if len(tally.accepted) == count:
                    break
            else:
                raise SceneError(
                    f"Generated only {len(tally.accepted)} of {count} scenes of "
                    f"{task.name} ({task.difficulty}); reasons: "
                    f"{dict(tally.rejected)}."
                )
    scenes.write(path, [scene for tally in tallies for scene in tally.accepted])
    unfinished.unlink()
    return tallies


def _most(count: int, split: str) -> int:
    """Returns the maximum number of indices tried for a number of scenes."""
    size, most = scenes.split_size(split), count * (1 + _SPARE)
    return most if size is None else min(most, size)


def _entry(key: str, make: Make, task: Task, split: str, index: int) -> dict:
    rejected: collections.Counter[str] = collections.Counter()
    drawn: Scene | None = None
    with contextlib.suppress(GivenUp):
        drawn = make(task, split, index, rejected)
    scene = None if drawn is None else {**drawn.as_data(), "hash": drawn.hash}
    return {"key": key, "scene": scene, "rejected": dict(rejected)}


def _make_scene(
    solved: bool,
    task: Task,
    split: str,
    index: int,
    rejected: collections.Counter[str],
) -> Scene | None:
    """Returns a scene that passes the screen, or `None`."""
    scene = draw(task, split, index, rounds=1, rejected=rejected)
    scene, problem = proven(task, scene, solved)
    if problem is not None:
        rejected[problem.partition(":")[0]] += 1
    return scene if problem is None else None


def proven(task: Task, scene: Scene, solved: bool = True) -> tuple[Scene, str | None]:
    """Screens a scene: it must not be trivial, and optionally the planner solves it.

    Returns:
      The scene, with its certificate; and the reason of its rejection, or `None`.
    """
    if is_trivial(task, scene):
        return scene, "trivial"
    if not solved:
        return scene, None
    result = solve(task, scene)
    certified = dataclasses.replace(scene, certificate=result.certificate)
    return certified, None if result.solved else result.reason


def is_trivial(task: Task, scene: Scene) -> bool:
    """Returns whether a scene is solved without trying.

    It is if doing nothing succeeds, unless the task is done by waiting, or if most of
    five random episodes succeed, except on the easiest level.

    Args:
      task: The task.
      scene: The scene.

    Example:
      >>> task = Task("collect_drink")
      >>> is_trivial(task, draw(task, "train", 0))
      False
    """
    env = env_at(task, scene, **task.game.blind)
    waits = task.spec is not None and WAITS in task.spec.tags
    if not waits and _succeeds(env, itertools.repeat(0)):
        return True
    if task.axes.level == files.levels()[0]:
        return False
    successes = sum(_succeeds(env, _random(scene, n, env)) for n in range(_RANDOM_RUNS))
    return successes >= _TOO_MANY


def _succeeds(env: TaskEnv, actions: Iterable[int]) -> bool:
    play(env, Playback(actions))
    return env.tracker.footer().verdict == Verdict.DONE


def _random(scene: Scene, number: int, env: TaskEnv) -> Iterator[int]:
    chance, actions = chance_of(f"{scene.hash}|{number}"), len(env.base.action_names)
    return (chance.randrange(actions) for _ in itertools.count())


def table(tallies: Sequence[Tally]) -> Table:
    """Returns a row per tally."""
    rows = []
    for task, level, accepted, rejected in tallies:
        reasons = ", ".join(f"{name} {n}" for name, n in sorted(rejected.items()))
        tries = len(accepted) + rejected.total()
        rows.append([task, level, str(len(accepted)), str(tries), reasons])
    return Table(["Task", "Level", "Accepted", "Tries", "Reasons"], rows)
