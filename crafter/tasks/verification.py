"""Verification runs: scenes are tried once each, and what was solved is proven.

What is finished is kept in a file, see `crafter.tasks.proofs`: a run goes on there
after any end.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import pathlib
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from crafter.core.cluster import Map
from crafter.games.crafter.rules import Rules
from crafter.tasks import scenes, verify
from crafter.tasks.catalogue import Task, named
from crafter.tasks.certificates import Certificate
from crafter.tasks.proofs import FORMAT, Key, append, key_of, read, resume
from crafter.tasks.scenes import SceneError
from crafter.tasks.shards import dealt

#: The reason where the generator has given up.
NO_SCENE = "no_scene"


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is verified.

    Attributes:
      tasks: Names of the tasks.
      levels: Their levels.
      split: From which scenes they begin.
      scenes: How many scenes of each task and level, from index 0.
      known: What the planner knows: `all` or `seen`.
      limit: Seconds of processor time for a scene.
      shard: Which part, from 1, of how many.
    """

    tasks: Sequence[str]
    levels: Sequence[str]
    split: str = "test"
    scenes: int = 10
    known: str = "all"
    limit: float = verify.LIMIT
    shard: tuple[int, int] = (1, 1)

    def groups(self) -> Sequence[tuple[str, str]]:
        """Returns the tasks and levels of this part."""
        return dealt(list(itertools.product(self.tasks, self.levels)), *self.shard)

    def header(self) -> dict[str, Any]:
        """Returns the first line of the file: what its results depend on."""
        return {
            "verification": FORMAT,
            "generator": scenes.VERSION,
            **verify.versions(),
            "split": self.split,
            "known": self.known,
        }


def run(
    plan: Plan,
    path: str | os.PathLike,
    rules: Rules | None = None,
    each: Map = map,
) -> Iterator[dict[str, Any]]:
    """Tries the scenes that are not in the file yet, and adds them to it.

    Args:
      plan: What is verified.
      path: The file; what is in it already is not tried again.
      rules: The rules of the game; by default those of the published one.
      each: What tries them; by default in this process. The lines are the same whatever
        does, but for the seconds.

    Yields:
      The line of every scene that was tried now.

    Raises:
      VerificationError: If the file is that of another verification.
    """
    done = set(map(key_of, resume(plan.header(), path)))
    names = {source: name for name, source in named(plan.tasks, rules).items()}
    wanted = [
        (group, index)
        for index, group in itertools.product(range(plan.scenes), plan.groups())
        if (names[group[0]], group[1], index) not in done
    ]
    with pathlib.Path(path).open("a", encoding="utf-8") as stream:
        for line in each(functools.partial(_attempt, plan, rules), wanted):
            append(stream, line)
            yield line


def _attempt(
    plan: Plan, rules: Rules | None, scene: tuple[tuple[str, str], int]
) -> dict[str, Any]:
    """Tries the scene of a task and level with a number."""
    group, index = scene
    return _try(plan, Task(*group, rules), index)


def _try(plan: Plan, task: Task, index: int) -> dict[str, Any]:
    about = {"task": task.name, "level": task.difficulty, "index": index}
    try:
        scene = scenes.draw(task, plan.split, index)
    except SceneError:
        return {**about, "budget": task.budget, "solved": False, "reason": NO_SCENE}
    found = verify.solve(task, scene, limit=plan.limit, known=plan.known)
    line = {
        **about,
        "scene": scene.hash,
        "budget": task.budget,
        "solved": found.solved,
        "steps": found.steps,
        "reason": found.reason,
        "replans": found.replans,
        "seconds": round(found.seconds, 3),
    }
    if found.certificate is not None:
        line["certificate"] = found.certificate.as_data()
    return line


def replay(
    path: str | os.PathLike,
    sample: float = 1.0,
    rules: Rules | None = None,
    wanted: Collection[Key] | None = None,
    tasks: Collection[str] = (),
) -> Iterator[tuple[dict[str, Any], str | None]]:
    """Plays the certificates of a file again.

    Args:
      path: The file.
      sample: The share of them, always the same ones; at least one.
      rules: The rules of the game.
      wanted: Task, level and index of the scenes of interest; by default all.
      tasks: Task files, if there are tasks that are not in the catalogue.

    Yields:
      The line, and what is wrong with it, or `None`.

    Raises:
      VerificationError: If the file cannot be read or is damaged.
    """
    header, lines = read(path)
    sources = named(tasks, rules)
    lines = [line for line in lines if "certificate" in line]
    lines = [line for line in lines if wanted is None or key_of(line) in wanted]
    count = min(len(lines), max(1, round(sample * len(lines))))
    for line in random.Random(0).sample(lines, count):
        task = Task(sources.get(line["task"], line["task"]), line["level"], rules)
        yield line, _wrong(task, line, header["split"])


def _wrong(task: Task, line: dict[str, Any], split: str) -> str | None:
    """Returns what is wrong with the certificate of a line, or `None`."""
    try:
        scene = scenes.draw(task, split, line["index"])
        certificate = Certificate.from_data(line["certificate"])
    except ValueError as error:
        return str(error)
    if scene.hash != line["scene"]:
        return "the scene is another one now"
    return verify.check(task, scene, certificate, line["budget"])
