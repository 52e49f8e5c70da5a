"""References of scenes, from their solutions."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from crafter.tasks import results, solutions
from crafter.tasks.catalogue import Task
from crafter.tasks.episodes import EpisodeResult, Playback, env_at, play
from crafter.tasks.records import Attempt
from crafter.tasks.scenes import Scene, draw
from crafter.tasks.scores.references import Pair, Reference, pairs_of, reference_of
from crafter.tasks.solutions import unpack

#: Of how many shipped solutions of a task the pairs of deeds are known.
POOLED = 8


class Solutions(solutions.Solutions):
    """Finds the reference of a scene, and keeps it; see `crafter.tasks.solutions`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._references: dict[tuple[str, str], Reference | None] = {}

    def reference(self, task: Task, scene: Scene) -> Reference | None:
        """Returns the reference of a scene, or `None` if there is no certificate.

        Its pairs of deeds are those of the first certificates of the task that come
        with the package, and of the one of the scene.
        """
        key = task.name, scene.hash
        if key not in self._references:
            proof = self.certificate(task, scene)
            found = None
            if proof is not None:
                steps = played(task, scene, unpack(proof["actions"])).steps
                found = reference_of(steps, task.rules, _shipped_pairs(task.name))
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


@functools.cache
def _shipped() -> dict[str, list[EpisodeResult]]:
    found: dict[str, list[EpisodeResult]] = {}
    for one in results.shipped():
        if one.certificate is not None:
            found.setdefault(one.task, []).append(one)
    return found


@functools.lru_cache(maxsize=1024)
def _shipped_pairs(name: str) -> frozenset[Pair]:
    """Returns the pairs of deeds of the solutions of a task that come along."""
    pairs: set[Pair] = set()
    for one in sorted(_shipped().get(name, ()), key=lambda one: one.index)[:POOLED]:
        task = Task(name, one.level)
        scene = draw(task, "test", one.index)
        if scene.hash == one.scene and one.certificate is not None:
            actions = unpack(one.certificate["actions"])
            pairs |= pairs_of(played(task, scene, actions).steps)
    return frozenset(pairs)
