"""Whether the scores make sense: those of attempts whose worth is known.

On a scene with a certificate three attempts are scored: the reference, one that does
nothing, and the reference with actions of no effect put in between.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crafter.core import journal
from crafter.scoring.statistics import wilson_interval
from crafter.tasks.catalogue import Task
from crafter.tasks.envs import TaskEnv
from crafter.tasks.episodes import EpisodeSpec, env_at
from crafter.tasks.records import Attempt
from crafter.tasks.scenes import Scene
from crafter.tasks.scores.constants import score_version
from crafter.tasks.scores.scoring import Scores, score
from crafter.tasks.scores.solutions import Solutions, played
from crafter.tasks.solutions import unpack

#: Share of actions of no effect.
NOISE = 0.2


@dataclasses.dataclass(frozen=True)
class Line:
    """The scores of the attempts on one scene.

    Attributes:
      task: Its task; likewise level, index and scene.
      level: Its difficulty.
      index: Number of the scene.
      scene: Its hash.
      steps: Of the reference.
      fixed: Whether the task has a fixed duration, so that nothing makes it shorter.
      waits: Whether the task is about waiting.
      reference: Dimension -> value of the reference.
      nothing: Likewise of doing nothing.
      noisy: Likewise of the reference with actions of no effect in between.
    """

    task: str
    level: str
    index: int
    scene: str
    steps: int
    fixed: bool
    waits: bool
    reference: Mapping[str, float | None]
    nothing: Mapping[str, float | None]
    noisy: Mapping[str, float | None]


def examine(entry: EpisodeSpec, solutions: Solutions) -> Line | None:
    """Returns the scores on a scene of a suite; `None` without a certificate."""
    task, scene = Task(entry.task, entry.level), entry.scene()
    proof = solutions.certificate(task, scene)
    reference = solutions.reference(task, scene)
    if proof is None or reference is None:
        return None

    def values(attempt: Attempt) -> dict[str, float | None]:
        found: Scores = score(attempt, scene, reference)
        return {
            name: None if value is None else round(value, 4)
            for name, value in found.values.items()
        }

    actions = unpack(proof.actions)
    tags = () if task.spec is None else task.spec.tags
    return Line(
        task=entry.task,
        level=entry.level,
        index=entry.index,
        scene=scene.hash,
        steps=reference.steps,
        fixed=task.spec is not None and len(set(task.spec.budget.values())) == 1,
        waits="waits" in tags,
        reference=values(played(task, scene, actions)),
        nothing=values(played(task, scene, [0] * task.budget)),
        noisy=values(noisy(task, scene, actions)),
    )


def read(path: str | os.PathLike) -> list[Line]:
    """Returns the whole lines of a file that are of this version of the scores."""
    found = []
    for row in journal.read(path):
        if row.pop("score_version") == score_version():
            found.append(Line(**row))
    return found


def noisy(
    task: Task, scene: Scene, actions: Sequence[int], share: float = NOISE
) -> Attempt:
    """Returns the attempt of some actions with others of no effect in between.

    Those are to wait, and to make and place what the player has no material for; at
    least one comes before the end. What is left of the budget is waited for.
    """
    env = env_at(task, scene, record=True)
    env.reset()
    head = env.header("noisy")
    chance = random.Random(int(hashlib.sha256(scene.hash.encode()).hexdigest()[:8], 16))
    sure = chance.randrange(len(actions))
    left = list(actions)
    done = 0
    over = False
    while not over:
        wasted = chance.random() < share or done == sure
        if done == sure:
            sure = -1
        if not wasted and left:
            done += 1
            action = left.pop(0)
        else:
            action = chance.choice(_without_effect(env)) if left else 0
        *_, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
    return Attempt(head, env.attempt.records, env.attempt.footer(), False, ())


def _without_effect(env: TaskEnv) -> list[int]:
    """Returns the actions that the player lacks the material for, and waiting."""
    rules, names = env.base.rules, env.base.action_names
    inventory = env.attempt.view.player.inventory
    found = [names.index("noop")]
    for verb, table in (("make", rules.make), ("place", rules.place)):
        for what, rule in table.items():
            if any(inventory[item] < n for item, n in rule["uses"].items()):
                found.append(names.index(f"{verb}_{what}"))
    return found


#: What is required of the lines: text -> share that has to hold, which lines count,
#: and whether one does.
_Check = tuple[float, Callable[[Any], bool], Callable[[Any], bool]]
REQUIRED: dict[str, _Check] = {
    "reference: task progress is 1": (
        1.0,
        lambda line: True,
        lambda line: line.reference["task_progress"] == 1,
    ),
    "reference: task efficiency is 1": (
        1.0,
        lambda line: True,
        lambda line: line.reference["task_efficiency"] == 1,
    ),
    "reference: material usage is 0.9 or more": (
        0.95,
        lambda line: line.reference["material_usage"] is not None,
        lambda line: line.reference["material_usage"] >= 0.9,
    ),
    "reference: action control is 0.9 or more": (
        0.90,
        lambda line: True,
        lambda line: line.reference["action_control"] >= 0.9,
    ),
    "nothing: task progress is 0.2 or less": (
        0.95,
        lambda line: not line.waits,
        lambda line: line.nothing["task_progress"] <= 0.2,
    ),
    "nothing: action control is 0": (
        0.95,
        lambda line: not line.waits,
        lambda line: line.nothing["action_control"] == 0,
    ),
    "noise: action control is less than the reference's": (
        0.95,
        lambda line: True,
        lambda line: line.noisy["action_control"] < line.reference["action_control"],
    ),
    "noise: task efficiency is less, where the duration is free": (
        0.95,
        lambda line: not line.fixed,
        lambda line: line.noisy["task_efficiency"] < line.reference["task_efficiency"],
    ),
    "noise: task progress is not more": (
        1.0,
        lambda line: True,
        lambda line: line.noisy["task_progress"] <= line.reference["task_progress"],
    ),
}


def table(lines: Sequence[Line]) -> str:
    """Returns what is required and what is, as a Markdown table."""
    rows = ["| Attempt | Required | Scenes | 95 % interval |", "|---|---|---|---|"]
    for text, (least, counts, holds) in REQUIRED.items():
        counted = [line for line in lines if counts(line)]
        good = sum(map(holds, counted))
        low, high = wilson_interval(good, max(1, len(counted)))
        rows.append(
            f"| {text} | {100 * least:.0f} % | {good} of {len(counted)}, "
            f"{100 * good / max(1, len(counted)):.1f} % | "
            f"[{100 * low:.1f}, {100 * high:.1f}] |"
        )
    return "\n".join(rows)


def failures(lines: Sequence[Line]) -> list[str]:
    """Returns what too few scenes meet, each with the scenes that do not."""
    found = []
    for text, (least, counts, holds) in REQUIRED.items():
        counted = [line for line in lines if counts(line)]
        bad = [f"{ln.task} {ln.level} {ln.index}" for ln in counted if not holds(ln)]
        if len(bad) > (1 - least) * len(counted):
            found.append(f"{text}: not on {', '.join(bad)}")
    return found
