"""Scenes: initial states of tasks.

A scene is an initial state of the ordinary game: a world with a player and its
inventory. `draw` samples the scenes of a task; `read` and `write` store them in files.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from crafter.core.validation import integer, one_of
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.language.tracker import Tracker
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
    """Returns the number of scenes of a split per task and level; `None` if infinite.

    Raises:
      ValueError: If there is no such split.
    """
    sizes = files.settings()["splits"]
    size: int | None = sizes[one_of("split", split, sizes)]
    return size


def check(task: Task, split: str, index: int, area: Any = None) -> None:
    """Validates the arguments of `draw` without generating the scene.

    Raises:
      ValueError: If there is no such split or index, the map is too small, or the
        rules lack what the task gives.
    """
    size = split_size(split)
    integer("The index", index, 0, None if size is None else size - 1)
    task.game.scenes.check(task, area)


def settled_by(tracker: Tracker, action: str, events: Any) -> str | None:
    """Returns why a scene is refused whose goal the first step settles, or `None`.

    Args:
      tracker: The tracker of an attempt at its start.
      action: Name of the action of the first step.
      events: What happened in it.
    """
    tracker.step(action, events)
    assert tracker.monitor is not None
    reasons = {Verdict.DONE: "goal_true", Verdict.FAILED: "goal_failed"}
    return reasons.get(tracker.monitor.verdict)


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
      rounds: Number of rounds of candidates; by default that of the game.
      rejected: Counter of the reasons of rejections.

    Raises:
      ValueError: If there is no such scene, or the rules lack what the task gives.
      GivenUp: If no candidate passes the checks; the message counts the reasons.

    Example:
      >>> scene = draw(Task("place_table"), "train", 3)
      >>> scene.split, scene.index, scene.inventory["wood"]
      ('train', 3, 4)
    """
    check(task, split, index, area)
    game, rejected = task.game, Counter() if rejected is None else rejected
    # Individually set axes are not in the key, so that scenes that differ in one axis
    # have the same world, start and randomness where the axis allows it.
    level, version = task.difficulty.partition(",")[0], game.scenes.version
    key = f"{version}.{game.version}|{task.name}|{level}|{split}|{index}"
    limits = game.read("levels.yaml")["generation"]
    for number in range(limits["rounds"] if rounds is None else rounds):
        for attempt in range(limits["tries"]):
            draws = Draws(key).under(f"{number}.{attempt}")
            result = game.scenes.attempt(task, split, index, area, draws)
            if isinstance(result, Scene):
                provenance = {
                    **result.provenance,
                    "tries": sum(rejected.values()) + 1,
                    "rejected": dict(sorted(rejected.items())),
                    "rounds": number + 1,
                }
                return dataclasses.replace(result, provenance=provenance)
            rejected[result] += 1
    raise GivenUp(
        f"No scene {index} of {task.name} ({task.difficulty}, {split}) passes the "
        f"checks; reasons: {dict(rejected)}."
    )
