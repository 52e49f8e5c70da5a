"""References of scenes, from their solutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crafter.tasks import solutions
from crafter.tasks.catalogue import Task
from crafter.tasks.episodes import Playback, env_at, play
from crafter.tasks.records import Attempt
from crafter.tasks.scenes import Scene
from crafter.tasks.scores.references import Reference, reference_of
from crafter.tasks.solutions import unpack


class Solutions(solutions.Solutions):
    """Finds the reference of a scene, and keeps it; see `crafter.tasks.solutions`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._references: dict[tuple[str, str], Reference | None] = {}

    def reference(self, task: Task, scene: Scene) -> Reference | None:
        """Returns the reference of a scene, or `None` if there is no certificate."""
        key = task.name, scene.hash
        if key not in self._references:
            proof = self.certificate(task, scene)
            found = None
            if proof is not None:
                steps = played(task, scene, unpack(proof["actions"])).steps
                found = reference_of(steps, task.rules)
            self._references[key] = found
        return self._references[key]


def played(task: Task, scene: Scene, actions: Sequence[int]) -> Attempt:
    """Returns the attempt that actions make, up to its end.

    It is played with pictures, as certificates are: at night they draw random numbers.

    Args:
      task: The task.
      scene: Where it begins.
      actions: By index.
    """
    env = env_at(task, scene, record=True)
    play(env, Playback(actions))
    attempt = env.attempt
    return Attempt(
        env.header("reference"), attempt.records, attempt.footer(), False, ()
    )
