"""Reference solutions: what they do and use up."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.episodes.agents import Playback
from crafter.tasks.episodes.play import attempted
from crafter.tasks.episodes.solutions import certificate_of, unpack
from crafter.tasks.scenes import Scene
from crafter.tasks.world.records import Attempt


@dataclasses.dataclass(frozen=True)
class Reference:
    """A solution of a scene.

    Attributes:
      steps: Number of steps.
      spent: Item -> amount used up, without what is taken back.
      blocks: Block that is placed and stays -> count.
      tools: Tools that are made.
      effects: Effect -> count.
    """

    steps: int
    spent: Mapping[str, int]
    blocks: Mapping[str, int]
    tools: tuple[str, ...]
    effects: Mapping[str, int]


def reference_at(task: Task, scene: Scene, solve_new: bool = False) -> Reference | None:
    """Returns the reference of a scene, or `None`; see `certificate_of`."""
    certificate = certificate_of(task, scene, solve_new)
    if certificate is None:
        return None
    steps = played(task, scene, unpack(certificate["actions"])).steps
    reference: Reference = task.game.scoring.reference(steps, task.rules)
    return reference


def played(task: Task, scene: Scene, actions: Sequence[int]) -> Attempt:
    """Returns the attempt that a list of actions makes.

    It renders images, as certificates do: at night they use random numbers.

    Args:
      task: The task.
      scene: The scene.
      actions: Indices of actions.
    """
    _, env = attempted(task, scene, lambda env: Playback(actions), record=True)
    footer = env.tracker.footer()
    return Attempt(env.header("reference"), env.tracker.records, footer, False, ())
