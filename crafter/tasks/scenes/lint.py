"""The linter: goals that are well formed and still cannot be meant."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from crafter.games.crafter.rules import Rules, default
from crafter.tasks import scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.files import TaskFileError, TaskSpec
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.instructions import fill_in
from crafter.tasks.language.monitors import Term
from crafter.tasks.language.parse import TaskSyntaxError, parse
from crafter.tasks.world import conditions as c


def lint_file(path: str | os.PathLike, rules: Rules | None = None) -> list[str]:
    """Returns what is wrong in a task file: lines with the file and the task.

    Args:
      path: The file.
      rules: The rules of the game; by default those of the published one.
    """
    try:
        specs = files.load(path, rules)
    except TaskFileError as error:
        return [f"{os.fspath(path)}: {error}"]
    return [f for spec in specs for f in lint(spec, os.fspath(path), rules)]


def lint(spec: TaskSpec, place: str, rules: Rules | None = None) -> list[str]:
    """Returns what is wrong with a task."""
    rules = default() if rules is None else rules
    where = f"{place}, {spec.name}"
    try:
        goal = parse(spec.goal, rules)
    except (TaskSyntaxError, TypeError) as error:
        return [f"{where}: goal: {error}"]
    return [f"{where}: {message}" for message in _errors(spec, goal, rules)]


def _errors(spec: TaskSpec, goal: Goal, rules: Rules) -> Iterator[str]:
    own = {name for scene in spec.scene.values() for name in scene.get("marks", ())}
    marks = sorted({*c.MARKS, *files.features(), *own})
    for term in goal.term().walk():
        wanted = [part.goal for part in term.parts if term.op == "all"]
        for part in term.parts:
            if part.op == "not" and part.parts[0].goal in wanted:
                yield f"{term.label} asks for {part.parts[0].label} and forbids it."
        for condition in term.asked():
            yield from _never(condition, rules, marks)
    yield from _true_at_start(goal.term(), rules)
    for text in (*spec.texts, *spec.held_out):
        try:
            fill_in(text, rules)
        except ValueError as error:
            yield f"text: {error}"
    for level in files.levels():
        task = Task(goal, level, rules)
        task.spec = spec
        try:
            scenes.settings_of(task)
        except ValueError as error:
            yield f"scene.{level}: {error}"


def _never(condition: c.Condition, rules: Rules, marks: Collection[str]) -> list[str]:
    """Returns why a condition, wanted or forbidden, can never hold."""
    parts, wrong = condition.conjuncts(), []
    if any(~part in parts for part in parts):
        wrong = [f"{condition} never holds: it has a condition and its opposite."]
    elif isinstance(condition, c.InMark) and condition.name not in marks:
        wrong = [f"{condition}: no scene marks that; there are {marks}."]
    elif isinstance(condition, c.Comparison) and (item := _item(condition)):
        number, largest = condition.number, rules.items[item]["max"]
        least = {">=": number, "==": number, ">": number + 1}.get(condition.relation, 0)
        if least > largest:
            wrong = [f"{condition}: the player can have at most {largest}."]
    return wrong


def _item(condition: c.Condition) -> str | None:
    """Returns the item whose amount a condition is about, if it is about one."""
    return getattr(getattr(condition, "quantity", None), "item", None)


def _true_at_start(first: Term, rules: Rules) -> Iterator[str]:
    """Yields a state to reach that holds with the inventory of an ordinary start."""
    while first.op == "sequence":
        first = first.parts[0]
    if first.op != "state" or first.goal.steps > 1 or first.guards:
        return
    if all(_starts_true(x, rules) for x in first.goal.condition.conjuncts()):
        yield f"{first.label} is true at the start already."


def _starts_true(leaf: c.Condition, rules: Rules) -> bool:
    item = _item(leaf)
    if not isinstance(leaf, c.Comparison) or item is None or item in c.VITALS:
        return False  # scenes set vitals
    return c.COMPARE[leaf.relation](rules.items[item]["initial"], leaf.number)
