"""Where references come from: certificates that are shipped, found, or made now."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterable, Sequence
from typing import Any

from crafter.tasks import demos, packed, pool, proofs
from crafter.tasks.catalogue import Task
from crafter.tasks.certificates import Certificate, unpack
from crafter.tasks.envs import TaskEnv
from crafter.tasks.proofs import VerificationError
from crafter.tasks.records import Attempt
from crafter.tasks.scenes import Scene, draw
from crafter.tasks.scores.references import Pair, Reference, pairs_of, reference_of
from crafter.tasks.verify import solve

#: Of how many shipped solutions of a task the pairs of deeds are known.
POOLED = 8


class Solutions:
    """Finds the reference of a scene, and keeps it.

    Args:
      paths: Files that `crafter-tasks verify` wrote, besides the one that comes with
        the package.
      solve: Whether scenes without a certificate are solved now.
      pool: How many solutions of the scene are looked for as well, so that what they
        do is not taken for an idea of the agent's.
    """

    def __init__(
        self,
        paths: Iterable[str | os.PathLike] = (),
        solve: bool = False,
        pool: int = 0,
    ) -> None:
        paths = list(paths)
        self._certificates = demos.proofs_of([proofs.SHIPPED, *paths])
        self._proofs = sorted({_digest(path) for path in paths})
        self._solve, self._pool = solve, pool
        self._known: dict[tuple[str, str], Reference | None] = {}

    def settings(self) -> dict[str, Any]:
        """Returns what decides the references, as plain data.

        Returns:
          `solve`, `pool` and the SHA-256 of the content of the further files as
          `proofs`, as far as they are not as usual.
        """
        found = {"solve": self._solve, "pool": self._pool, "proofs": self._proofs}
        return {name: value for name, value in found.items() if value}

    def certificate(self, task: Task, scene: Scene) -> Certificate | None:
        """Returns a certificate of a scene, or `None` if there is none."""
        if scene.certificate is not None:
            return Certificate.from_data(scene.certificate)
        found = self._certificates.get(scene.hash)
        if found is None and self._solve:
            return solve(task, scene).certificate
        return found

    def reference(self, task: Task, scene: Scene) -> Reference | None:
        """Returns the reference of a scene, or `None` if there is no certificate.

        Its pairs of deeds are those of the first certificates of the task that come
        with the package, of the one of the scene, and of the pool.
        """
        key = task.name, scene.hash
        if key not in self._known:
            self._known[key] = self._reference(task, scene)
        return self._known[key]

    def _reference(self, task: Task, scene: Scene) -> Reference | None:
        proof = self.certificate(task, scene)
        if proof is None:
            return None
        pairs = set(_shipped_pairs(task.name))
        for other in pool.references(task, scene, self._pool) if self._pool else ():
            played = play(task, scene, unpack(other.certificate.actions))
            pairs |= pairs_of(played.steps)
        played = play(task, scene, unpack(proof.actions))
        return reference_of(played.steps, task.rules, pairs)


def _digest(path: str | os.PathLike) -> str:
    text = packed.read_text(path, VerificationError)
    return hashlib.sha256(text.encode()).hexdigest()


def play(
    task: Task, scene: Scene, actions: Sequence[int], agent: str = "reference"
) -> Attempt:
    """Returns the attempt that actions make, up to its end.

    It is played with pictures, as certificates are: at night they draw random numbers.

    Args:
      task: The task.
      scene: Where it begins.
      actions: By index.
      agent: Name of who makes it.
    """
    env = TaskEnv(
        task.source,
        task.axes,
        scene=scene,
        area=scene.area,
        record=True,
        rules=task.rules,
    )
    env.reset()
    head = env.header(agent)
    for action in actions:
        *_, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            break
    return Attempt(head, env.attempt.records, env.attempt.footer(), False, ())


@functools.cache
def _shipped_lines() -> dict[str, list[proofs.Line]]:
    found: dict[str, list[proofs.Line]] = {}
    for line in proofs.read(proofs.SHIPPED)[1]:
        if line.get("certificate"):
            found.setdefault(line["task"], []).append(line)
    return found


@functools.lru_cache(maxsize=1024)
def _shipped_pairs(name: str) -> frozenset[Pair]:
    """Returns the pairs of deeds of the solutions of a task that come along."""
    pairs: set[Pair] = set()
    lines = sorted(_shipped_lines().get(name, ()), key=lambda line: line["index"])
    for line in lines[:POOLED]:
        task = Task(name, line["level"])
        scene = draw(task, "test", line["index"])
        if scene.hash == line["scene"]:
            actions = unpack(line["certificate"]["actions"])
            pairs |= pairs_of(play(task, scene, actions).steps)
    return frozenset(pairs)
