"""Solutions of scenes: certificates, and the planner that finds them."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.tasks import game as games
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes import results
from crafter.tasks.episodes.agents import Factory, Playback
from crafter.tasks.episodes.play import EpisodeResult, attempted
from crafter.tasks.episodes.reasons import of_verdict
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.scenes import Scene
from crafter.tasks.world.records import StepRecord

#: Solution of a scene as plain data: `actions`, a letter per action index, run-length
#: encoded as in `b12`; `steps`, their number; `state` and `events`, hashes of the final
#: state and of all events.
Certificate = Mapping[str, Any]
#: CPU time limit for solving a scene, in seconds.
LIMIT = 120.0
#: Letters of actions, by their index in the rules.
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

_RUN = re.compile(r"([a-zA-Z])(\d*)")


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
        raise ValueError(f"Expected actions as letters and numbers, got {text!r}.")
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
    """Returns the hash of the events of an attempt."""
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
    agent: Factory | None = None,
    limit: float = LIMIT,
) -> EpisodeResult:
    """Tries to solve a scene with a planning agent.

    Args:
      task: The task.
      scene: Where it begins.
      budget: Steps of the episode; by default those of the task.
      agent: Makes the planner; by default the solver of the game.
      limit: CPU time limit in seconds.

    Returns:
      The result, with a certificate, or with the reason why it was not solved, see
      `crafter.tasks.episodes.reasons`.

    Example:
      >>> from crafter.tasks.scenes import draw
      >>> task = Task("place_table")
      >>> result = solve(task, draw(task, "test", 0))
      >>> result.solved, result.reason
      (True, None)
    """
    solver = task.game.solver if agent is None else agent
    planner = _Limited(solver, time.process_time() + limit)
    result, env = attempted(task, scene, planner, budget, record=True)
    if result.solved:
        return dataclasses.replace(result, certificate=_certificate(env))
    failed = result.verdict == Verdict.FAILED
    reason = of_verdict(result.reason) if failed else planner.reason
    return dataclasses.replace(result, verdict="FAILED", reason=reason)


class _Limited:
    """Planning agent that ends the episode when it gives up or its time runs out."""

    def __init__(self, kind: Callable[[TaskEnv], Any], deadline: float) -> None:
        self._kind, self._deadline = kind, deadline
        self.reason: str | None = None

    def __call__(self, env: TaskEnv) -> _Limited:
        self._agent = self._kind(env)
        self.reset = self._agent.reset
        return self

    def act(self, obs: Any) -> int | None:
        action, self.reason = self._agent.act(obs), self._agent.reason
        if time.process_time() > self._deadline:
            self.reason = "planner_timeout"
        return action if self.reason is None else None


def _certificate(env: TaskEnv) -> Certificate:
    names, steps = env.base.action_names, env.tracker.records
    return {
        "actions": pack([names.index(step.action) for step in steps]),
        "steps": len(steps),
        "state": state_hash(env.get_state()),
        "events": events_hash(steps),
    }


def check(
    task: Task, scene: Scene, certificate: Certificate, budget: int | None = None
) -> str | None:
    """Replays a certificate.

    Args:
      task: The task.
      scene: Where it begins.
      certificate: The certificate.
      budget: Steps of the episode; by default those of the task.

    Returns:
      What is wrong, or `None` if the goal is done at the recorded step with the same
      state and events.

    Raises:
      ValueError: If its actions are not such a text.
    """
    actions = unpack(certificate["actions"])
    result, env = attempted(
        task, scene, lambda env: Playback(actions), budget, record=True
    )
    if not result.solved or result.steps != certificate["steps"]:
        return f"{result.verdict} at step {result.steps} of {certificate['steps']}"
    if _certificate(env) != certificate:
        return "the final state or the events differ"
    return None


# Known solutions.


@functools.cache
def _shipped_certificates() -> Mapping[str, Certificate]:
    """Returns the certificates of the package, by hash of the scene."""
    return {
        result.scene: result.certificate
        for game in map(games.find, games.names())
        for result in results.shipped(game)
        if result.certificate is not None
    }


def certificate_of(
    task: Task, scene: Scene, solve_new: bool = False
) -> Certificate | None:
    """Returns the certificate of a scene, or `None` if there is none.

    Args:
      task: The task.
      scene: The scene.
      solve_new: Whether the planner solves scenes that have no certificate yet.
    """
    proof = scene.certificate or _shipped_certificates().get(scene.hash)
    return solve(task, scene).certificate if proof is None and solve_new else proof
