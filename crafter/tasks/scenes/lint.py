"""Linter for tasks: well-formed goals that cannot be intended."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from crafter.tasks import game as games
from crafter.tasks import scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.files import TaskFileError, TaskSpec
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.instructions import fill_in
from crafter.tasks.language.parse import TaskSyntaxError, parse
from crafter.tasks.world.conditions import Comparison, Condition


def lint_file(path: str | os.PathLike, rules: Any = None) -> list[str]:
    """Returns the findings for a task file, with file and task.

    Args:
      path: The file.
      rules: The rules of the game; by default those of the published one.
    """
    try:
        specs = files.load(path, rules)
    except TaskFileError as error:
        return [f"{os.fspath(path)}: {error}"]
    return [f for spec in specs for f in lint(spec, os.fspath(path), rules)]


def lint(spec: TaskSpec, place: str, rules: Any = None) -> list[str]:
    """Returns the findings for a task."""
    rules = games.find().rules if rules is None else rules
    where = f"{place}, {spec.name}"
    try:
        goal = parse(spec.goal, rules)
    except (TaskSyntaxError, TypeError) as error:
        return [f"{where}: goal: {error}"]
    return [f"{where}: {message}" for message in _errors(spec, goal, rules)]


def _excessive(condition: Condition, most: Mapping[str, int]) -> Iterator[str]:
    """Yields a finding if a comparison exceeds the maximum of an item."""
    item = getattr(getattr(condition, "quantity", None), "item", "")
    if isinstance(condition, Comparison) and item in most:
        least = condition.number + (condition.relation == ">")
        if condition.relation in (">=", "==", ">") and least > most[item]:
            yield f"{condition}: the player can have at most {most[item]}."


def _errors(spec: TaskSpec, goal: Goal, rules: Any) -> Iterator[str]:
    for term in goal.term().walk():
        wanted = [part.goal for part in term.parts if term.op == "all"]
        for part in term.parts:
            if part.op == "not" and part.parts[0].goal in wanted:
                yield f"{term.label} asks for {part.parts[0].label} and forbids it."
        for condition in term.asked():
            parts = condition.conjuncts()
            if any(~part in parts for part in parts):
                wrong = "it has a condition and its opposite"
                yield f"{condition} never holds: {wrong}."
            yield from _excessive(condition, games.of(rules).language.most(rules))
    yield from games.of(rules).scenes.lint(spec, goal, rules)
    for text in (*spec.texts, *spec.held_out):
        try:
            fill_in(text, rules)
        except ValueError as error:
            yield f"text: {error}"
    for level in files.levels():
        task = Task(goal, level, rules)
        task.spec = spec
        try:
            scenes.check(task, "train", 0)
        except ValueError as error:
            yield f"scene.{level}: {error}"
