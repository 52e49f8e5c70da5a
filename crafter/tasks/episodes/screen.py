"""Sorts out scenes that are solved without trying.

Nobody who does nothing, or anything, should succeed: a do-nothing attempt and five
random ones are made at each scene.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import random
from collections.abc import Iterable, Iterator

from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes.play import Playback, env_at, play
from crafter.tasks.language.verdicts import Verdict
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
    env = env_at(task, scene, observation="semantic")
    noop = succeeds(env, itertools.repeat(0))
    found = sum(succeeds(env, _random(scene, n, env)) for n in range(RANDOM_RUNS))
    easiest = task.axes.level == "simple"
    waits = task.spec is not None and WAITS in task.spec.tags
    trivial = (noop and not waits) or (found >= _TOO_MANY and not easiest)
    return Screening(noop, found, trivial)


def succeeds(env: TaskEnv, actions: Iterable[int]) -> bool:
    """Plays an episode from the scene of an environment; returns if it is done."""
    play(env, Playback(actions))
    return env.attempt.footer().verdict == Verdict.DONE


def _random(scene: Scene, number: int, env: TaskEnv) -> Iterator[int]:
    digest = hashlib.sha256(f"{scene.hash}|{number}".encode()).digest()
    generator = random.Random(int.from_bytes(digest[:8], "big"))
    actions = len(env.base.action_names)
    return (generator.randrange(actions) for _ in itertools.count())
