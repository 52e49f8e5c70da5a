"""Recording attempts, and playing them again: equal, byte for byte, or not."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import crafter
from crafter import Env
from crafter.ruleset import thaw
from crafter.tasks import records
from crafter.tasks.attempt import Attempt
from crafter.tasks.catalogue import VERSION, Task
from crafter.tasks.goals import Goal
from crafter.tasks.parse import parse
from crafter.tasks.records import FORMAT, Header, RecordError
from crafter.tasks.scenes import draw
from crafter.views import split_view

#: Arguments of an environment that are part of the game.
ARGUMENTS = ("area", "view", "size", "observation", "night_noise")


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
    if env.rules != crafter.rules.default():
        arguments["rules"] = env.rules.data
    player = attempt.watcher.view.player
    return Header(
        task=None if attempt.goal is None else str(attempt.goal),
        start=thaw({"env": arguments, "reset": reset}),
        agent=agent,
        budget=attempt.budget,
        scene=scene,
        versions=versions(),
        pos=player.pos,
        facing=player.facing,
        vitals=player.vitals,
        clock=env.clock,
    )


def replay(path: str | os.PathLike) -> str | None:
    """Plays a recorded attempt again.

    Args:
      path: The file of the attempt.

    Returns:
      What differs first, or `None` if the file is reproduced byte for byte. What a
      file that was cut off still holds is compared.

    Raises:
      crafter.tasks.RecordError: If the file is damaged or cannot be played.
    """
    attempt = records.read(path)
    head = attempt.header
    env = _env_of(head, path)
    goal = None if head.task is None else parse(head.task, env.rules)
    again = attempt_of(env, goal, head.budget)
    body = again.watcher.view.player
    head = dataclasses.replace(
        head, pos=body.pos, facing=body.facing, vitals=body.vitals, clock=env.clock
    )
    for record in attempt.steps:
        if record.action not in env.action_names:
            raise RecordError(f"{os.fspath(path)}: unknown action {record.action!r}.")
        info = env.step(env.action_names.index(record.action))[-1]
        again.step(record.action, info["events"])
    footer = None if attempt.footer is None else again.footer()
    return _difference(attempt.texts, records.lines(head, again.records, footer))


def _difference(old: Iterable[str], new: Iterable[str]) -> str | None:
    for number, (a, b) in enumerate(itertools.zip_longest(old, new)):
        if a != b:
            what = "the header" if number == 0 else f"step {number}"
            if a is None or b is None or '"end":true' in a + b:
                what = "the end"
            return f"{what} differs:\n- {a}\n+ {b}"
    return None


def _env_of(head: Header, path: str | os.PathLike) -> Env:
    """Returns the environment of an attempt at its start."""
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
      **arguments: Of `crafter.Env`, such as `view` and `size`.

    Returns:
      The attempt, with all records.

    Example:
      >>> attempt = play(Task("collect_wood"), lambda obs, info: 0)
      >>> attempt.footer().verdict, attempt.footer().step
      ('FAILED', 60)
    """
    env = Env(**arguments, rules=task.rules, length=None, events=True)
    scene = draw(task, split, index)
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
