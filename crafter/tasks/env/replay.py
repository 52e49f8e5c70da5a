"""Replays recorded attempts."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from crafter.core.validation import mapping
from crafter.core.version import __version__
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.game import TaskGame
from crafter.tasks.language.goals import Goal, Name
from crafter.tasks.language.parse import parse, written
from crafter.tasks.language.tracker import Tracker
from crafter.tasks.world import records
from crafter.tasks.world.records import FORMAT, Header, RecordError


def versions(game: TaskGame) -> dict[str, Any]:
    """Returns the versions in the header of an attempt."""
    return {
        "crafter": __version__,
        "catalogue": game.version,
        "format": FORMAT,
    }


def goal_of(head: Header, rules: Any = None) -> Goal | None:
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
      sources: Task name -> source, see `catalogue.named`. Without its file, a task
        outside the catalogue has a goal but no wordings.

    Raises:
      crafter.tasks.RecordError: If the game cannot be played, or the task of this name
        has a different goal now.
    """
    if head.task is None:
        return None
    own = "rules" in head.start.get("env", {})
    rules = _start_game(head, path)[0].rules if own else head.game.rules
    goal = goal_of(head, rules)
    assert goal is not None
    if head.name is None or head.name not in (sources or {}):
        return Task(goal, rules=rules)
    task = Task((sources or {})[head.name], rules=rules)
    if task.goal != goal:
        raise RecordError(
            f"{os.fspath(path)}: recorded with the goal {head.task}, but the task "
            f"{head.name} now has the goal {written(task.goal, rules)[0]}."
        )
    return task


def replay(path: str | os.PathLike) -> str | None:
    """Replays a recorded attempt and compares it with its file.

    Args:
      path: The file of the attempt.

    Returns:
      The first difference, or `None` if the file is reproduced byte for byte. If the
      last line is cut off, the complete lines are compared; a file that ends with a
      complete line before its footer differs.

    Raises:
      crafter.tasks.RecordError: If the file is damaged or cannot be played.
    """
    attempt = records.read(path)
    (*_, last) = played(attempt, path, same=False)
    again = last.tracker
    head = dataclasses.replace(attempt.header, **again.start)
    footer = None if attempt.cut else again.footer()
    return _difference(attempt.texts, records.lines(head, again.records, footer))


class Played(NamedTuple):
    """A replay, at its start or after a step.

    Attributes:
      env: The environment.
      tracker: Tracker of the replayed attempt.
      info: Info of the environment.
    """

    env: Any
    tracker: Tracker
    info: Mapping[str, Any]


def played(
    attempt: records.Attempt, path: str | os.PathLike, same: bool = True
) -> Iterator[Played]:
    """Replays an attempt; yields it at the start and after each step.

    Args:
      attempt: The attempt.
      path: Its file, for errors.
      same: Whether it has to match the recording.

    Raises:
      crafter.tasks.RecordError: If the game cannot be played, or diverges from the
        recording.
    """
    head = attempt.header
    env, info = _start_game(head, path)
    view = head.game.view(env)
    again = Tracker(view, goal_of(head, env.rules), head.budget)
    yield Played(env, again, info)
    for record in attempt.steps:
        if record.action not in env.action_names:
            raise RecordError(f"{os.fspath(path)}: unknown action {record.action!r}.")
        *_, info = env.step(env.action_names.index(record.action))
        if again.step(record.action, info["events"]) != record and same:
            raise RecordError(
                f"{os.fspath(path)}: step {record.t} diverges from the recording; "
                "`crafter-tasks replay` shows how."
            )
        yield Played(env, again, info)


def begin(head: str) -> Any:
    """Starts the game of an attempt, as stored in data sets.

    Args:
      head: The first line of its record.

    Returns:
      The environment of the game, after its reset.

    Raises:
      crafter.tasks.RecordError: If the game cannot be played.
    """
    return _start_game(records.header_of(json.loads(head)), "the attempt")[0]


def _difference(old: Iterable[str], new: Iterable[str]) -> str | None:
    for number, (a, b) in enumerate(itertools.zip_longest(old, new)):
        if a != b:
            what = "the header" if number == 0 else f"step {number}"
            if a is None or b is None or '"end":true' in a + b:
                what = "the end"
            return f"{what} differs:\n- {a or '(nothing)'}\n+ {b or '(nothing)'}"
    return None


def _start_game(head: Header, path: str | os.PathLike) -> tuple[Any, dict[str, Any]]:
    """Returns the environment of an attempt at its start, and its info.

    Args:
      head: The header of the attempt.
      path: Its file, for errors.

    Raises:
      crafter.tasks.RecordError: If the game cannot be played.
    """
    try:
        given = head.start["env"]
        names = (*head.game.arguments, "rules")
        arguments = {name: given[name] for name in names if name in given}
        mapping("rules", arguments.get("rules", {}))  # a path is never opened
        env = head.game.make_env(**arguments, length=None, events=True)
        start = head.start["reset"]
        _, info = env.reset(seed=start["seed"], options=start.get("options"))
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(
            f"{os.fspath(path)}: cannot play the game of the header: {error}"
        ) from error
    return env, info
