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
from crafter.games.crafter.planner.agents import Oracle, Scout
from crafter.games.crafter.planner.reasons import of_verdict
from crafter.tasks import results
from crafter.tasks.catalogue import Task
from crafter.tasks.envs import TaskEnv
from crafter.tasks.episodes import EpisodeResult, Playback, env_at, play
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
    env = env_at(task, scene, budget=budget, record=True)
    agent = _Limited((Oracle if known == "all" else Scout)(env), begun + limit)
    actions = play(env, agent)
    monitor = env.attempt.monitor
    assert monitor is not None
    solved, reason = monitor.verdict is Verdict.DONE, agent.reason
    if monitor.verdict.final:
        reason = None if solved else of_verdict(monitor.reason)
    return EpisodeResult(
        task=task.name,
        level=task.difficulty,
        index=scene.index,
        scene=scene.hash,
        verdict=str(Verdict.DONE if solved else Verdict.FAILED),
        reason=reason,
        steps=len(actions),
        budget=env.budget,
        progress=monitor.progress,
        seconds=round(time.process_time() - begun, 3),
        replans=agent.replans,
        certificate=_certificate(env, actions).as_data() if solved else None,
    )


class _Limited:
    """A planner that ends the episode when it gives up, or at some processor time."""

    def __init__(self, agent: Oracle, deadline: float) -> None:
        self._agent, self._deadline = agent, deadline
        self._steps = 0
        self.reset = agent.reset
        self.reason: str | None = None

    def act(self, obs: Any) -> int | None:
        action, self.reason = self._agent.act(obs), self._agent.reason
        if self._steps % ASKS == 0 and time.process_time() > self._deadline:
            self.reason = "planner_timeout"
        self._steps += 1
        return action if self.reason is None else None

    @property
    def replans(self) -> int:
        return self._agent.replans


def _certificate(env: TaskEnv, actions: Sequence[int]) -> Certificate:
    state, events = state_hash(env.get_state()), events_hash(env.attempt.records)
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
    env = env_at(task, scene, budget=budget, record=True)
    actions = unpack(certificate.actions)
    play(env, Playback(n for n in actions if n < len(env.base.action_names)))
    footer, steps = env.attempt.footer(), env.attempt.steps
    if footer.verdict != Verdict.DONE or steps != certificate.steps:
        return f"{footer.verdict} at step {steps} of {certificate.steps}"
    if _certificate(env, actions) != certificate:
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
