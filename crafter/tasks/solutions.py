"""Solutions of scenes: certificates, the planner that finds them, and their files."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import journal
from crafter.games.crafter.env import Env
from crafter.games.crafter.planner import Planner
from crafter.games.crafter.planner.memory import Memory
from crafter.games.crafter.planner.reasons import of_verdict
from crafter.tasks import results
from crafter.tasks.attempt import Attempt, attempt_of
from crafter.tasks.catalogue import Task
from crafter.tasks.episodes import EpisodeResult
from crafter.tasks.records import StepRecord
from crafter.tasks.scenes import Scene
from crafter.tasks.verdicts import Verdict

#: Seconds of processor time after which a scene is given up.
LIMIT = 120.0
#: Steps between two looks at the clock, which is slow on some systems.
ASKS = 16
#: Letters of actions, by their index in the rules.
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

_RUN = re.compile(r"([a-zA-Z])(\d*)")


@dataclasses.dataclass(frozen=True)
class Certificate:
    """The proof that a scene can be solved.

    Attributes:
      actions: One letter an action, by its index; runs as `b12`.
      steps: How many actions.
      state: Hash of the game after them.
      events: Hash of all that happened.
    """

    actions: str
    steps: int
    state: str
    events: str

    def as_data(self) -> dict[str, Any]:
        """Returns the certificate as plain data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_data(cls, data: Any) -> Certificate:
        """Returns the certificate that plain data describes.

        Raises:
          ValueError: If it is none.
        """
        try:
            found = cls(**data)
            right = len(unpack(found.actions)) == found.steps
        except (TypeError, ValueError) as error:
            raise ValueError(f"This is no certificate: {error}") from None
        if not right:
            raise ValueError(
                f"This is no certificate: it has not the {found.steps} actions it says."
            )
        return found


def pack(actions: Sequence[int]) -> str:
    """Returns actions as text.

    Example:
      >>> pack([0, 5, 5, 5, 1])
      'af3b'
    """
    parts: list[tuple[int, int]] = []
    for action in actions:
        if parts and parts[-1][0] == action:
            parts[-1] = action, parts[-1][1] + 1
        else:
            parts.append((action, 1))
    return "".join(LETTERS[a] + (str(n) if n > 1 else "") for a, n in parts)


def unpack(text: str) -> list[int]:
    """Returns the actions of a text.

    Raises:
      ValueError: If it is not such a text.

    Example:
      >>> unpack("af3b")
      [0, 5, 5, 5, 1]
    """
    if not isinstance(text, str) or _RUN.sub("", text):
        raise ValueError(f"Actions are letters and numbers, got {text!r}.")
    return [
        LETTERS.index(letter)
        for letter, number in _RUN.findall(text)
        for _ in range(int(number or 1))
    ]


def state_hash(state: Mapping[str, np.ndarray]) -> str:
    """Returns the hash of a game, from its `Env.get_state()`."""
    digest = hashlib.sha256()
    for name in sorted(state):
        value = np.asarray(state[name])
        digest.update(f"{name}|{value.dtype.str}|{value.shape}|".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    return digest.hexdigest()[:16]


def events_hash(records: Iterable[StepRecord]) -> str:
    """Returns the hash of what happened in the steps of an attempt."""
    digest = hashlib.sha256()
    for record in records:
        text = json.dumps([dict(e) for e in record.events], sort_keys=True)
        digest.update(f"{record.t}|{text}\n".encode())
    return digest.hexdigest()[:16]


# Solving scenes.


def solve(
    task: Task,
    scene: Scene,
    budget: int | None = None,
    known: str = "all",
    limit: float = LIMIT,
) -> EpisodeResult:
    """Tries to solve a scene, by the actions of a player.

    Args:
      task: The task.
      scene: Where it begins.
      budget: Steps of the episode; by default those of the task.
      known: `all`, the whole game; or `seen`, what has been in the view.
      limit: Seconds of processor time after which it is given up.

    Returns:
      How it ended: with a certificate, or the reason why it was not solved, see
      `crafter.games.crafter.planner.reasons`. The future of the game is not looked at.

    Raises:
      ValueError: If `known` is neither.

    Example:
      >>> from crafter.tasks.scenes import draw
      >>> task = Task("place_table")
      >>> result = solve(task, draw(task, "test", 0))
      >>> result.solved, result.reason
      (True, None)
    """
    if known not in ("all", "seen"):
        raise ValueError(f"known must be 'all' or 'seen', got {known!r}.")
    begun = time.process_time()
    env, attempt = _begun(task, scene, budget)
    memory = Memory(attempt.view) if known == "seen" else None
    monitor = attempt.monitor
    assert monitor is not None
    planner = Planner(task.goal, monitor, memory or attempt.view)
    actions: list[int] = []
    reason = None
    while not monitor.verdict.final and reason is None:
        action, reason = planner.act(), planner.reason
        if len(actions) % ASKS == 0 and time.process_time() > begun + limit:
            reason = "planner_timeout"
        if reason is None:
            actions.append(env.action_names.index(action))
            _step(env, attempt, actions[-1])
            if memory is not None:
                memory.look()
    solved = monitor.verdict is Verdict.DONE
    if monitor.verdict.final:
        reason = None if solved else of_verdict(monitor.reason)
    proof = _certificate(env, attempt, actions).as_data() if solved else None
    return EpisodeResult(
        task=task.name,
        level=task.difficulty,
        index=scene.index,
        scene=scene.hash,
        verdict=str(Verdict.DONE if solved else Verdict.FAILED),
        reason=reason,
        steps=len(actions),
        budget=task.budget if budget is None else budget,
        progress=monitor.progress,
        seconds=round(time.process_time() - begun, 3),
        replans=planner.replans,
        certificate=proof,
    )


def _begun(task: Task, scene: Scene, budget: int | None) -> tuple[Env, Attempt]:
    env = Env(**scene.env_arguments(), rules=task.rules, length=None, events=True)
    env.reset(**scene.reset_arguments())
    return env, attempt_of(env, task.goal, task.budget if budget is None else budget)


def _step(env: Env, attempt: Attempt, action: int) -> None:
    info = env.step(action)[-1]
    attempt.step(env.action_names[action], info["events"])


def _certificate(env: Env, attempt: Attempt, actions: Sequence[int]) -> Certificate:
    state, events = state_hash(env.get_state()), events_hash(attempt.records)
    return Certificate(pack(actions), len(actions), state, events)


def check(
    task: Task, scene: Scene, certificate: Certificate, budget: int | None = None
) -> str | None:
    """Plays a certificate again.

    Args:
      task: The task.
      scene: Where it begins.
      certificate: The certificate.
      budget: Steps of the episode; by default those of the task.

    Returns:
      What is wrong, or `None` if it is done at the recorded step, in the same state,
      after the same events.
    """
    env, attempt = _begun(task, scene, budget)
    assert attempt.monitor is not None
    actions = unpack(certificate.actions)
    for action in actions:
        if attempt.monitor.verdict.final or action >= len(env.action_names):
            break
        _step(env, attempt, action)
    steps = attempt.steps
    if attempt.monitor.verdict is not Verdict.DONE or steps != certificate.steps:
        return f"{attempt.monitor.verdict} at step {steps} of {certificate.steps}"
    if _certificate(env, attempt, actions) != certificate:
        return "another state or other events at the end"
    return None


# Finding solutions.


class Solutions:
    """Finds the certificates of scenes.

    Args:
      paths: Files that `crafter-tasks verify` wrote, besides the one that comes with
        the package.
      solve: Whether scenes without a certificate are solved now.

    Attributes:
      certificates: Hash of a scene -> its certificate, of all files.

    Raises:
      crafter.tasks.results.RunError: If a file is damaged.
    """

    def __init__(
        self, paths: Iterable[str | os.PathLike] = (), solve: bool = False
    ) -> None:
        paths = list(paths)
        self.certificates = {
            result.scene: Certificate.from_data(result.certificate)
            for path in (results.SHIPPED, *paths)
            for result in results.read(path)[1]
            if result.certificate is not None
        }
        digests = (hashlib.sha256(journal.read_bytes(path)) for path in paths)
        self._digests = sorted({digest.hexdigest() for digest in digests})
        self._solve = solve

    def settings(self) -> dict[str, Any]:
        """Returns what decides the solutions, as plain data.

        Returns:
          `solve`, and the SHA-256 of the content of the further files as `proofs`, as
          far as they are not as usual.
        """
        found = {"solve": self._solve, "proofs": self._digests}
        return {name: value for name, value in found.items() if value}

    def certificate(self, task: Task, scene: Scene) -> Certificate | None:
        """Returns the certificate of a scene, or `None` if there is none."""
        data = scene.certificate
        if data is None and self._solve and scene.hash not in self.certificates:
            data = solve(task, scene).certificate
        if data is None:
            return self.certificates.get(scene.hash)
        return Certificate.from_data(data)
