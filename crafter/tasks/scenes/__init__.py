"""Scenes: initial states of tasks.

A scene is a start of the ordinary game, with a player and what it has. `draw` makes
those of a task, `read` and `write` keep them in files.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from crafter.core.validation import integer, one_of
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.attempt import Attempt
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.scenes.random import Draws
from crafter.tasks.scenes.scene import (
    GivenUp,
    Scene,
    SceneError,
    check_name,
    read,
    write,
)

__all__ = [
    "GivenUp",
    "Scene",
    "SceneError",
    "check",
    "check_name",
    "draw",
    "read",
    "settled_by",
    "split_size",
    "write",
]


def split_size(split: str) -> int | None:
    """Returns how many scenes a split has, per task and level; `None` if no end.

    Raises:
      ValueError: If there is no such split.
    """
    sizes = files.settings()["splits"]
    size: int | None = sizes[one_of("split", split, sizes)]
    return size


def check(task: Task, split: str, index: int, area: Any = None) -> None:
    """Checks that a scene can be asked for, without making it; see `draw`.

    Raises:
      ValueError: If there is no such split or index, the map is too small, or the
        rules lack what the task gives.
    """
    size = split_size(split)
    integer("The index", index, 0, None if size is None else size - 1)
    task.game.scenes.check(task, area)


def settled_by(attempt: Attempt, action: str, events: Any) -> str | None:
    """Returns why a scene is refused whose goal the first step settles, or `None`.

    Args:
      attempt: The attempt at its start.
      action: Name of the action of the first step.
      events: What happened in it.
    """
    attempt.step(action, events)
    assert attempt.monitor is not None
    reasons = {Verdict.DONE: "goal_true", Verdict.FAILED: "goal_failed"}
    return reasons.get(attempt.monitor.verdict)


def draw(
    task: Task,
    split: str,
    index: int,
    area: Any = None,
    rounds: int | None = None,
    rejected: Counter[str] | None = None,
) -> Scene:
    """Returns a scene of a task.

    Args:
      task: The task, on its level.
      split: `train`, `val` or `test`.
      index: Number of the scene in the split, from 0.
      area: Size of the map in cells; by default that of the game.
      rounds: How many rounds of tries there are; by default the game says it.
      rejected: Where the reasons of rejected tries are counted.

    Raises:
      ValueError: If there is no such scene, or the rules lack what the task gives.
      GivenUp: If no scene passes the checks; the message counts the reasons.

    Example:
      >>> scene = draw(Task("place_table"), "train", 3)
      >>> scene.split, scene.index, scene.inventory["wood"]
      ('train', 3, 4)
    """
    check(task, split, index, area)
    game, rejected = task.game, Counter() if rejected is None else rejected
    # Axes that are set alone do not count: scenes that differ in one axis only have the
    # same world, start and chances, as far as the axis leaves them.
    level, version = task.difficulty.partition(",")[0], game.scenes.version
    key = f"{version}.{game.version}|{task.name}|{level}|{split}|{index}"
    limits = game.read("levels.yaml")["generation"]
    for number in range(limits["rounds"] if rounds is None else rounds):
        for attempt in range(limits["tries"]):
            draws = Draws(key).under(f"{number}.{attempt}")
            made = game.scenes.attempt(task, split, index, area, draws)
            if isinstance(made, Scene):
                provenance = {
                    **made.provenance,
                    "tries": sum(rejected.values()) + 1,
                    "rejected": dict(sorted(rejected.items())),
                    "rounds": number + 1,
                }
                return dataclasses.replace(made, provenance=provenance)
            rejected[made] += 1
    raise GivenUp(
        f"No scene {index} of {task.name} ({task.difficulty}, {split}) passes the "
        f"checks; reasons: {dict(rejected)}."
    )
