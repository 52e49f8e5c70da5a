"""Recording attempts, playing them again, and solving scenes with a planner."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import crafter
from crafter import Env
from crafter.core.ruleset import thaw
from crafter.games.crafter.planner import Planner
from crafter.games.crafter.planner.memory import Memory
from crafter.games.crafter.planner.reasons import of_verdict
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.views import split_view
from crafter.tasks import records
from crafter.tasks.attempt import Attempt
from crafter.tasks.catalogue import VERSION, Task
from crafter.tasks.certificates import (
    Certificate,
    events_hash,
    pack,
    state_hash,
    unpack,
)
from crafter.tasks.goals import Goal, Name
from crafter.tasks.parse import parse, written
from crafter.tasks.records import FORMAT, Header, RecordError
from crafter.tasks.scenes import Scene, draw
from crafter.tasks.verdicts import Verdict

#: Arguments of an environment that are part of the game.
ARGUMENTS = ("area", "view", "size", "observation", "night_noise")
#: Seconds of processor time after which a scene is given up.
LIMIT = 120.0
#: Steps between two looks at the clock, which is slow on some systems.
ASKS = 16


def attempt_of(
    env: Env, goal: Goal | None = None, budget: int | None = None, keep: bool = True
) -> Attempt:
    """Returns an attempt that begins now.

    Args:
      env: The environment, after its reset and with `events=True`.
      goal: What is to be achieved.
      budget: Steps of the attempt.
      keep: Whether all records are kept.

    Raises:
      ValueError: If the environment records no events.
    """
    if not env.events:
        raise ValueError("An attempt needs an environment with events=True.")
    grid, _ = split_view(env.view, len(env.rules.items))
    clock = functools.partial(getattr, env, "clock")
    return Attempt(env.world, env.player, grid, clock, goal, budget, keep)


def versions() -> dict[str, Any]:
    """Returns the versions that the header of an attempt names."""
    return {
        "crafter": crafter.__version__,
        "catalogue": VERSION,
        "format": FORMAT,
    }


def header(
    attempt: Attempt,
    env: Env,
    reset: Mapping[str, Any],
    agent: str = "unknown",
    scene: str | None = None,
) -> Header:
    """Returns the header of an attempt, before its first step.

    Args:
      attempt: The attempt.
      env: The environment.
      reset: What its reset got: `seed` and `options`.
      agent: Who attempts it.
      scene: Hash of the scene.
    """
    arguments: dict[str, Any] = {name: getattr(env, name) for name in ARGUMENTS}
    if env.rules != crafter.games.crafter.rules.default():
        arguments["rules"] = env.rules.data
    player = attempt.watcher.view.player
    task, name = (
        (None, None) if attempt.goal is None else written(attempt.goal, env.rules)
    )
    return Header(
        task=task,
        start=thaw({"env": arguments, "reset": reset}),
        agent=agent,
        budget=attempt.budget,
        scene=scene,
        versions=versions(),
        pos=player.pos,
        facing=player.facing,
        vitals=player.vitals,
        clock=env.clock,
        name=name,
    )


def goal_of(head: Header, rules: Rules | None = None) -> Goal | None:
    """Returns the goal of an attempt, or `None` if it has none.

    Args:
      head: The header of the attempt.
      rules: The rules of its game; by default those of the published one.
    """
    if head.task is None:
        return None
    goal = parse(head.task, rules)
    return goal if head.name is None else Name(head.name, goal)


def task_of(
    head: Header, path: str | os.PathLike, sources: Mapping[str, str] | None = None
) -> Task | None:
    """Returns the task of an attempt, or `None` if it has none.

    Args:
      head: The header of the attempt.
      path: Its file, for errors.
      sources: Name -> what a task is made from, see `catalogue.named`. Without its
        file a task that is not in the catalogue has a goal, but no words of its own.

    Raises:
      crafter.tasks.RecordError: If the game cannot be played, or the task of that name
        has another goal now.
    """
    if head.task is None:
        return None
    own = "rules" in head.start.get("env", {})
    rules = env_of(head, path).rules if own else None
    if head.name is None:
        return Task(head.task, rules=rules)
    goal = goal_of(head, rules)
    assert goal is not None
    if head.name not in (sources or {}):
        return Task(goal, rules=rules)
    task = Task((sources or {})[head.name], rules=rules)
    if task.goal != goal:
        raise RecordError(
            f"{os.fspath(path)}: the attempt was made at the goal {head.task}; the "
            f"task {head.name} has another one now: {written(task.goal, rules)[0]}."
        )
    return task


def replay(path: str | os.PathLike) -> str | None:
    """Plays a recorded attempt again.

    Args:
      path: The file of the attempt.

    Returns:
      What differs first, or `None` if the file is reproduced byte for byte. Of a file
      whose last line is cut off, what it still holds is compared; one that ends
      before its footer with a whole line differs.

    Raises:
      crafter.tasks.RecordError: If the file is damaged or cannot be played.
    """
    attempt = records.read(path)
    head = attempt.header
    env = env_of(head, path)
    again = attempt_of(env, goal_of(head, env.rules), head.budget)
    body = again.watcher.view.player
    head = dataclasses.replace(
        head, pos=body.pos, facing=body.facing, vitals=body.vitals, clock=env.clock
    )
    for record in attempt.steps:
        if record.action not in env.action_names:
            raise RecordError(f"{os.fspath(path)}: unknown action {record.action!r}.")
        info = env.step(env.action_names.index(record.action))[-1]
        again.step(record.action, info["events"])
    footer = None if attempt.cut else again.footer()
    return _difference(attempt.texts, records.lines(head, again.records, footer))


def _difference(old: Iterable[str], new: Iterable[str]) -> str | None:
    for number, (a, b) in enumerate(itertools.zip_longest(old, new)):
        if a != b:
            what = "the header" if number == 0 else f"step {number}"
            if a is None or b is None or '"end":true' in a + b:
                what = "the end"
            return f"{what} differs:\n- {a or '(nothing)'}\n+ {b or '(nothing)'}"
    return None


def env_of(head: Header, path: str | os.PathLike) -> Env:
    """Returns the environment of an attempt at its start.

    Args:
      head: The header of the attempt.
      path: Its file, for errors.

    Raises:
      crafter.tasks.RecordError: If the game cannot be played.
    """
    try:
        given = head.start["env"]
        arguments = {
            name: given[name] for name in (*ARGUMENTS, "rules") if name in given
        }
        env = Env(**arguments, length=None, events=True)
        start = head.start["reset"]
        env.reset(seed=start["seed"], options=start.get("options"))
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(
            f"{os.fspath(path)}: the game of the header cannot be played: {error}"
        ) from error
    return env


def play(
    task: Task,
    act: Callable[[Any, Mapping[str, Any]], int],
    path: str | os.PathLike | None = None,
    split: str = "train",
    index: int = 0,
    agent: str = "unknown",
    **arguments: Any,
) -> Attempt:
    """Plays an attempt at a task and records it.

    Args:
      task: The task.
      act: Called with observation and info; returns the index of an action.
      path: The file to write; see `crafter.tasks.records`.
      split: From which scenes it begins.
      index: Which scene of the split.
      agent: The name of who plays, for the file.
      **arguments: Of `crafter.Env`, such as `view`, `size` and `area`, the size of
        the map that the scene is drawn for.

    Returns:
      The attempt, with all records.

    Example:
      >>> attempt = play(Task("collect_wood"), lambda obs, info: 0)
      >>> attempt.footer().verdict, attempt.footer().step
      ('FAILED', 60)
    """
    env = Env(**arguments, rules=task.rules, length=None, events=True)
    scene = draw(task, split, index, env.area)
    reset = scene.reset_arguments()
    obs, info = env.reset(**reset)
    attempt = attempt_of(env, task.goal, task.budget)
    head = header(attempt, env, reset, agent, scene.hash)
    while attempt.monitor is not None and not attempt.monitor.verdict.final:
        action = act(obs, info)
        obs, _, _, _, info = env.step(action)
        attempt.step(env.action_names[action], info["events"])
    if path is not None:
        records.write(path, head, attempt.records, attempt.footer())
    return attempt


@dataclasses.dataclass(frozen=True)
class Solution:
    """How solving a scene ended.

    Attributes:
      solved: Whether the goal was done.
      steps: Steps that it took, or after which it was given up.
      reason: Why it was not solved, see `crafter.games.crafter.planner.reasons`; else
        `None`.
      actions: The actions, by index.
      certificate: The proof, if it was solved.
      seconds: Processor time that it took.
      replans: How often the planner made a new plan.
    """

    solved: bool
    steps: int
    reason: str | None
    actions: tuple[int, ...]
    certificate: Certificate | None
    seconds: float
    replans: int


def _play(
    env: Env,
    attempt: Attempt,
    planner: Planner,
    memory: Memory | None,
    deadline: float,
) -> tuple[list[int], str | None]:
    """Plays an attempt to its end; returns the actions and why it was not done.

    Args:
      env: The environment, in which the attempt has begun.
      attempt: The attempt.
      planner: Chooses the actions.
      memory: What has been in the view, if the planner knows no more.
      deadline: Processor time at which it is given up, in seconds.
    """
    assert attempt.monitor is not None
    actions: list[int] = []
    reason = None
    while not attempt.monitor.verdict.final and reason is None:
        action = planner.act()
        reason = planner.reason
        if len(actions) % ASKS == 0 and time.process_time() > deadline:
            reason = "planner_timeout"
        if reason is None:
            actions.append(env.action_names.index(action))
            _step(env, attempt, actions[-1])
            if memory is not None:
                memory.look()
    if attempt.monitor.verdict is Verdict.DONE:
        reason = None
    elif attempt.monitor.verdict.final:
        reason = of_verdict(attempt.monitor.reason)
    return actions, reason


def solve(
    task: Task,
    scene: Scene,
    budget: int | None = None,
    known: str = "all",
    limit: float = LIMIT,
    **arguments: Any,
) -> Solution:
    """Tries to solve a scene, by the actions of a player.

    Args:
      task: The task.
      scene: Where it begins.
      budget: Steps of the attempt; by default those of the task.
      known: `all`, the whole game; or `seen`, what has been in the view.
      limit: Seconds of processor time after which it is given up.
      **arguments: Of `crafter.Env`.

    Returns:
      How it ended. The future of the game is not looked at.

    Raises:
      ValueError: If `known` is neither.

    Example:
      >>> task = Task("place_table")
      >>> solution = solve(task, draw(task, "test", 0))
      >>> solution.solved, solution.reason
      (True, None)
    """
    if known not in ("all", "seen"):
        raise ValueError(f"known must be 'all' or 'seen', got {known!r}.")
    begun = time.process_time()
    env, attempt = _begun(task, scene, budget, **arguments)
    memory = Memory(attempt.watcher.view) if known == "seen" else None
    assert attempt.monitor is not None
    view = memory or attempt.watcher.view
    planner = Planner(task.goal, attempt.monitor, view)
    actions, reason = _play(env, attempt, planner, memory, begun + limit)
    solved = reason is None
    proof = _certificate(env, attempt, actions) if solved else None
    seconds, replans = time.process_time() - begun, planner.replans
    steps = len(actions)
    return Solution(solved, steps, reason, tuple(actions), proof, seconds, replans)


def _begun(
    task: Task, scene: Scene, budget: int | None, **arguments: Any
) -> tuple[Env, Attempt]:
    arguments = {**scene.env_arguments(), **arguments}
    env = Env(**arguments, rules=task.rules, length=None, events=True)
    env.reset(**scene.reset_arguments())
    return env, attempt_of(env, task.goal, task.budget if budget is None else budget)


def _step(env: Env, attempt: Attempt, action: int) -> None:
    info = env.step(action)[-1]
    attempt.step(env.action_names[action], info["events"])


def _certificate(env: Env, attempt: Attempt, actions: Sequence[int]) -> Certificate:
    return Certificate(
        pack(actions),
        len(actions),
        state_hash(env.get_state()),
        events_hash(attempt.records),
    )


def check(
    task: Task,
    scene: Scene,
    certificate: Certificate,
    budget: int | None = None,
    **arguments: Any,
) -> str | None:
    """Plays a certificate again.

    Args:
      task: The task.
      scene: Where it begins.
      certificate: The certificate.
      budget: Steps of the attempt; by default those of the task.
      **arguments: Of `crafter.Env`, as for `solve`.

    Returns:
      What is wrong, or `None` if it is done at the recorded step, in the same state,
      after the same events.
    """
    env, attempt = _begun(task, scene, budget, **arguments)
    assert attempt.monitor is not None
    actions = unpack(certificate.actions)
    for action in actions:
        if attempt.monitor.verdict.final or action >= len(env.action_names):
            break
        _step(env, attempt, action)
    steps = attempt.watcher.steps
    if attempt.monitor.verdict is not Verdict.DONE or steps != certificate.steps:
        return f"{attempt.monitor.verdict} at step {steps} of {certificate.steps}"
    if _certificate(env, attempt, actions) != certificate:
        return "another state or other events at the end"
    return None
