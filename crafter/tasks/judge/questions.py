"""Questions for judges: single attempts, or pairs on the same scene.

Controls are questions with known answers that check the judge: an attempt without any
progress is very poor, a solution is excellent, an attempt ties with itself in every
dimension, and a solution beats an attempt without progress.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import os
import pathlib
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crafter.tasks.catalogue.tasks import Task, named
from crafter.tasks.env.replay import task_of
from crafter.tasks.episodes import results
from crafter.tasks.episodes.play import EpisodeResult
from crafter.tasks.judge.opinions import Opinion
from crafter.tasks.world import records

#: The files of a folder that hold attempts.
PATTERNS = ("attempts/*.jsonl", "attempts/*.jsonl.gz")
#: Names of controls.
IDLE, SOLVED = "idle", "solved"
IDENTICAL, WORSE = "identical", "idle-solved"
#: Share of controls that a judge has to pass.
ENOUGH = 0.9
#: Questions per control of each kind, and the least number of each kind.
PER, LEAST = 10, 5
FAILED = "judge failed its controls"


@dataclasses.dataclass(frozen=True)
class Item:
    """A recorded attempt.

    Attributes:
      path: Its file.
      task: The task.
      place: Id, task, category, level and hash of its scene, as in opinions. The id is
        `task/level/index`; for unknown scenes the level is `custom` and the index the
        beginning of the hash.
      agent: The agent.
      attempt: Number of the attempt, if the agent has several.
      result: Its result, if that is in the folder of the run.
    """

    path: str
    task: Task
    place: tuple[str, str, str, str, str]
    agent: str
    attempt: int = 0
    result: EpisodeResult | None = None


@dataclasses.dataclass(frozen=True)
class Question:
    """Question for a judge or people.

    Attributes:
      items: The attempt, or the attempts A and B.
      control: Name of the control, or `None`.
    """

    items: tuple[Item, ...]
    control: str | None = None

    @property
    def kind(self) -> str:
        """Kind of the opinion: `ratings` or `comparisons`."""
        return "ratings" if len(self.items) == 1 else "comparisons"

    def opinion(self, said: Mapping[str, str | None], **details: Any) -> Opinion:
        """Returns an answer as an opinion."""
        names = ("attempt",) if len(self.items) == 1 else ("attempt_a", "attempt_b")
        numbers = {name: item.attempt for name, item in zip(names, self.items)}
        control = {} if self.control is None else {"control": self.control}
        return Opinion(
            *self.items[0].place,
            tuple(item.agent for item in self.items),
            said,
            details={**numbers, **control, **details},
        )


def items_of(
    paths: Iterable[str | os.PathLike], tasks: Iterable[str] = ()
) -> list[Item]:
    """Returns the attempts in files and folders.

    Args:
      paths: Files of attempts, or folders that `crafter-tasks run --record` wrote.
      tasks: Task files, for instructions and criteria of tasks outside the catalogue.

    Raises:
      ValueError: If there are none, one has no task, or a file is damaged.
    """
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    files = results.find(paths, PATTERNS, "attempts: make them with run --record")
    heads = [records.read(path).header for path in files]
    sources, items = named(tasks, heads[0].game.rules), []
    for path, head in zip(files, heads):
        item = _item(path, head, sources)
        key = (item.place[0], item.agent)
        items.append(dataclasses.replace(item, attempt=counts[key]))
        counts[key] += 1
    return items


def _item(path: pathlib.Path, head: records.Header, sources: Mapping[str, str]) -> Item:
    task = task_of(head, path, sources)
    if task is None:
        raise ValueError(f"{path}: the attempt has no task.")
    scene = head.scene or ""
    result = _beside(path.parent.parent).get(scene)
    entry = result or {one.scene: one for one in results.shipped(task.game)}.get(scene)
    name, level, index = task.name, "custom", scene[:12]
    if entry is not None and entry.task == name:
        level, index = entry.level, str(entry.index)
    place = (f"{name}/{level}/{index}", name, task.category, level, scene)
    return Item(os.fspath(path), task, place, head.agent, result=result)


_beside = functools.cache(results.by_scene)


def questions_of(items: Sequence[Item], kind: str) -> list[Question]:
    """Returns a question per attempt, or per pair of agents on a scene.

    Args:
      items: The attempts.
      kind: `ratings` or `comparisons`.

    Raises:
      ValueError: If there is none.
    """
    if kind == "ratings":
        return [Question((item,)) for item in items]
    scenes: dict[tuple[str, ...], list[Item]] = {}
    for item in items:
        scenes.setdefault(item.place, []).append(item)
    questions = [
        Question((a, b))
        for here in scenes.values()
        for a, b in itertools.combinations(here, 2)
        if a.agent != b.agent
    ]
    if not questions:
        raise ValueError("No scene has attempts of two agents.")
    return questions


# Controls.


def with_controls(
    questions: Sequence[Question], items: Iterable[Item]
) -> list[Question]:
    """Returns questions with controls at random positions.

    Args:
      questions: The questions, all of one kind.
      items: Attempts with their results, such as runs of `noop` and `oracle`.

    Raises:
      ValueError: If no control can be made of the attempts.
    """
    mixed, chance = list(questions), random.Random(0)
    count = max(LEAST, -(-len(mixed) // PER))
    known = [item for item in items if item.result is not None]
    chance.shuffle(known)
    idle = [item for item in known if item.result and item.result.progress == 0]
    solved = [item for item in known if item.result and item.result.solved]
    if mixed[0].kind == "ratings":
        controls = [Question((item,), IDLE) for item in idle[:count]]
        controls += [Question((item,), SOLVED) for item in solved[:count]]
    else:
        controls = [Question((item, item), IDENTICAL) for item in solved[:count]]
        both = [(a, b) for a in idle for b in solved if a.place == b.place]
        controls += [Question(pair, WORSE) for pair in both[:count]]
    if not controls:
        raise ValueError(
            "Controls need an attempt that is solved or has no progress; found none."
        )
    for control in controls:
        mixed.insert(chance.randint(0, len(mixed)), control)
    return mixed


def check_controls(opinions: Iterable[Opinion]) -> tuple[int, int]:
    """Returns the number of passed controls, and of all controls with an answer."""
    judged = [
        _is_expected(one)
        for one in opinions
        if one.control is not None and one.details.get("answer")
    ]
    return sum(judged), len(judged)


def _is_expected(opinion: Opinion) -> bool:
    said = opinion.said
    if opinion.control == IDENTICAL:
        asked = {verdict for verdict in said.values() if verdict is not None}
        return asked == {"tie"} and all(opinion.details["consistent"].values())
    wanted = {IDLE: "very poor", SOLVED: "excellent", WORSE: "B"}
    return said["task_progress"] == wanted[str(opinion.control)]
