"""Verification runs: scenes are tried once each, and what was solved is proven.

What is finished is kept in a file, see `crafter.tasks.proofs`: a run goes on there
after any end.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import os
import pathlib
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from crafter.core.cluster import Here
from crafter.games.crafter.rules import Rules
from crafter.tasks import pool, scenes, verify
from crafter.tasks.catalogue import Task, named
from crafter.tasks.certificates import Certificate
from crafter.tasks.proofs import FORMAT, Key, append, key_of, read, resume
from crafter.tasks.scenes import Scene, SceneError
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
      spare: How many scenes more may be tried to replace those that are not solved.
      known: What the planner knows: `all` or `seen`.
      robust: How many more times the first scene of each task and level is tried, if
        it was solved, under other chances.
      limit: Seconds of processor time for a scene.
      shard: Which part, from 1, of how many.
      search: Whether the planner plays ahead on copies; see `crafter.tasks.search`.
      again: How often a scene that was not solved is tried again, from where a few
        random moves have led. It stays unsolved, but gets a certificate.
    """

    tasks: Sequence[str]
    levels: Sequence[str]
    split: str = "test"
    scenes: int = 10
    spare: int = 0
    known: str = "all"
    robust: int = 0
    limit: float = verify.LIMIT
    shard: tuple[int, int] = (1, 1)
    search: bool = False
    again: int = 0

    def groups(self) -> Sequence[tuple[str, str]]:
        """Returns the tasks and levels of this part."""
        return dealt(list(itertools.product(self.tasks, self.levels)), *self.shard)

    def header(self) -> dict[str, Any]:
        """Returns the first line of the file: what its results depend on.

        Without `search` the planner plays without a look ahead, and without `again`
        it tries every scene once.
        """
        return {
            "verification": FORMAT,
            "generator": scenes.VERSION,
            **verify.versions(),
            "split": self.split,
            "known": self.known,
            "robust": self.robust,
            **({"search": True} if self.search else {}),
            **({"again": self.again} if self.again else {}),
        }


def run(
    plan: Plan,
    path: str | os.PathLike,
    rules: Rules | None = None,
    workers: Here | None = None,
) -> Iterator[dict[str, Any]]:
    """Tries the scenes that are not in the file yet, and adds them to it.

    Args:
      plan: What is verified.
      path: The file; what is in it already is not tried again.
      rules: The rules of the game; by default those of the published one.
      workers: Who tries them; by default this process. The lines are the same whoever
        does, but for the seconds.

    Yields:
      The line of every scene that was tried now.

    Raises:
      VerificationError: If the file is that of another verification.
    """
    done = {key_of(line): line for line in resume(plan.header(), path)}
    names = {source: name for name, source in named(plan.tasks, rules).items()}
    solved: collections.Counter[tuple[str, str]] = collections.Counter()
    each = (Here() if workers is None else workers).map
    attempt = functools.partial(_attempt, plan, rules)
    with pathlib.Path(path).open("a", encoding="utf-8") as stream:
        for wave in _waves(plan):
            wanted = [
                (group, index)
                for index, group in itertools.product(wave, plan.groups())
                if index < plan.scenes or solved[group] < plan.scenes
            ]
            keys = [(names[source], level, i) for (source, level), i in wanted]
            made = each(attempt, [w for w, key in zip(wanted, keys) if key not in done])
            for (group, _), key in zip(wanted, keys):
                line = done.get(key)
                if line is None:
                    line = next(made)
                    append(stream, line)
                    yield line
                solved[group] += line["solved"]


def _waves(plan: Plan) -> Iterator[range]:
    """Yields indices of scenes that can be tried side by side.

    Whether a spare one is tried depends on those before it.
    """
    yield range(plan.scenes)
    for index in range(plan.scenes, plan.scenes + plan.spare):
        yield range(index, index + 1)


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
    how: dict[str, Any] = {"known": plan.known, "search": plan.search}
    found = verify.solve(task, scene, limit=plan.limit, **how)
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
    elif plan.again:
        proof = proof_of_another_try(task, scene, plan.again)
        line.update({} if proof is None else {"certificate": proof.as_data()})
    if found.solved and plan.robust and index == 0:
        line["robust"] = verify.robustness(task, scene, plan.robust, **how)
    return line


def proof_of_another_try(task: Task, scene: Scene, tries: int) -> Certificate | None:
    """Returns the certificate of the first of some tries that solves a scene."""
    # The first one begins as the try that has failed.
    made = itertools.islice(pool.attempts(task, scene, tries + 1), 1, None)
    return next((one.certificate for one in made if one is not None), None)


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
