"""Headers of recorded attempts, and playing attempts again."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import crafter
from crafter.core.ruleset import thaw
from crafter.core.validation import mapping
from crafter.games.crafter.env import Env
from crafter.games.crafter.rules import Rules, default
from crafter.tasks.catalogue.tasks import VERSION, Task
from crafter.tasks.language.attempt import Attempt, attempt_of
from crafter.tasks.language.goals import Goal, Name
from crafter.tasks.language.parse import parse, written
from crafter.tasks.world import records
from crafter.tasks.world.records import FORMAT, Header, RecordError, StepRecord

#: Arguments of an environment that are part of the game.
ARGUMENTS = ("area", "view", "size", "observation", "night_noise")


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
    """Returns the header of an attempt.

    Args:
      attempt: The attempt.
      env: The environment.
      reset: What its reset got: `seed` and `options`.
      agent: Who attempts it.
      scene: Hash of the scene.
    """
    arguments: dict[str, Any] = {name: getattr(env, name) for name in ARGUMENTS}
    if env.rules != default():
        arguments["rules"] = env.rules.data
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
        name=name,
        **attempt.start,
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
    goal = goal_of(head, rules)
    assert goal is not None
    if head.name is None or head.name not in (sources or {}):
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
    head = dataclasses.replace(head, **again.start)
    for record in attempt.steps:
        again.step(record.action, step(env, record, path)["events"])
    footer = None if attempt.cut else again.footer()
    return _difference(attempt.texts, records.lines(head, again.records, footer))


def step(env: Env, record: StepRecord, path: str | os.PathLike) -> dict[str, Any]:
    """Plays the action of a record; returns the info.

    Args:
      env: The environment.
      record: The record.
      path: Its file, for errors.

    Raises:
      crafter.tasks.RecordError: If there is no such action.
    """
    if record.action not in env.action_names:
        raise RecordError(f"{os.fspath(path)}: unknown action {record.action!r}.")
    info: dict[str, Any] = env.step(env.action_names.index(record.action))[-1]
    return info


def played(
    attempt: records.Attempt, env: Env, path: str | os.PathLike
) -> Iterator[int]:
    """Plays an attempt again.

    Args:
      attempt: The attempt.
      env: Its environment at the start.
      path: Its file, for errors.

    Yields:
      The step, from 0, when the environment has played it.

    Raises:
      crafter.tasks.RecordError: If the game goes another way than the record.
    """
    yield 0
    for record in attempt.steps:
        info = step(env, record, path)
        if tuple(info["player_pos"]) != tuple(record.pos):
            raise RecordError(
                f"{os.fspath(path)}: the game goes another way at step {record.t}."
            )
        yield record.t


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
        mapping("rules", arguments.get("rules", {}))  # a path is never opened
        env = Env(**arguments, length=None, events=True)
        start = head.start["reset"]
        env.reset(seed=start["seed"], options=start.get("options"))
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(
            f"{os.fspath(path)}: the game of the header cannot be played: {error}"
        ) from error
    return env
