"""Sorts out scenes that are solved without trying.

Nobody who does nothing, or anything, should succeed: a do-nothing attempt and five
random ones are made at each scene.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
from collections.abc import Callable

from crafter.tasks.catalogue import Task
from crafter.tasks.envs import TaskEnv
from crafter.tasks.scenes import Scene

#: Tag of tasks that are done by waiting, so that doing nothing may succeed.
WAITS = "waits"
RANDOM_RUNS = 5
_TOO_MANY = 3  # random runs that succeed, from the second level on


@dataclasses.dataclass(frozen=True)
class Screening:
    """What the screen found.

    Attributes:
      noop: Whether doing nothing reached the goal.
      random: How many of the random runs did.
      trivial: Whether the scene is to be rejected.
    """

    noop: bool
    random: int
    trivial: bool


def screen(task: Task, scene: Scene) -> Screening:
    """Plays a scene without trying.

    Args:
      task: The task.
      scene: The scene.

    Example:
      >>> from crafter.tasks import scenes
      >>> task = Task("collect_drink")
      >>> screen(task, scenes.draw(task, "train", 0)).noop
      False
    """
    env = TaskEnv(
        task.source,
        difficulty=task.axes,
        budget=task.budget,
        scene=scene,
        area=scene.area,
        rules=task.rules,
        observation="semantic",
    )
    noop = succeeds(env, lambda: 0)
    found = sum(succeeds(env, _random(scene, n, env)) for n in range(RANDOM_RUNS))
    easiest = task.axes.level == "simple"
    waits = task.spec is not None and WAITS in task.spec.tags
    trivial = (noop and not waits) or (found >= _TOO_MANY and not easiest)
    return Screening(noop, found, trivial)


def succeeds(env: TaskEnv, act: Callable[[], int]) -> bool:
    """Plays one attempt from the scene of an environment; returns if it is done."""
    _, info = env.reset()
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(act())
        over = terminated or truncated
    return bool(info["task"]["verdict"] == "DONE")


def _random(scene: Scene, number: int, env: TaskEnv) -> Callable[[], int]:
    digest = hashlib.sha256(f"{scene.hash}|{number}".encode()).digest()
    generator = random.Random(int.from_bytes(digest[:8], "big"))
    actions = len(env.base.action_names)
    return lambda: generator.randrange(actions)
