"""The linter: goals that are well formed and still cannot be meant."""

from __future__ import annotations

import os
from collections.abc import Iterator

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
    yield from unreachable(goal, rules)
    yield from _unmarked(spec, goal)
    yield from contradictions(goal)
    yield from true_at_start(goal, rules)
    for text in (*spec.texts, *spec.held_out):
        try:
            fill_in(text, rules)
        except ValueError as error:
            yield f"text: {error}"
    yield from _scene_errors(spec, goal, rules)
    yield from _budgets(spec, goal)


def _scene_errors(spec: TaskSpec, goal: Goal, rules: Rules) -> Iterator[str]:
    for level in files.levels():
        task = Task(goal, level, rules)
        task.spec = spec
        try:
            scenes.settings_of(task)
        except ValueError as error:
            yield f"scene.{level}: {error}"


def unreachable(goal: Goal, rules: Rules) -> Iterator[str]:
    """Yields amounts that can never be under some rules, wanted or forbidden."""
    for term in goal.term().walk():
        for condition in term.asked():
            yield from _too_much(condition, rules)


def _unmarked(spec: TaskSpec, goal: Goal) -> Iterator[str]:
    """Yields the marks of a goal that no scene of its task can have."""
    own = {name for scene in spec.scene.values() for name in scene.get("marks", ())}
    known = {*c.MARKS, *files.features(), *own}
    for term in goal.term().walk():
        for condition in term.asked():
            if isinstance(condition, c.InMark) and condition.name not in known:
                yield f"{condition}: no scene marks that; there are {sorted(known)}."


def _too_much(leaf: c.Condition, rules: Rules) -> Iterator[str]:
    if not isinstance(leaf, c.Comparison) or not isinstance(leaf.quantity, c.Amount):
        return
    number, largest = leaf.number, rules.items[leaf.quantity.item]["max"]
    least = {">=": number, "==": number, ">": number + 1}.get(leaf.relation)
    if least is not None and least > largest:
        yield f"{leaf}: the player can have at most {largest}."
    if (leaf.relation == "<" and number <= 0) or (leaf.relation == "<=" and number < 0):
        yield f"{leaf}: an amount is never below 0."


def contradictions(goal: Goal) -> Iterator[str]:
    """Yields parts that ask for something and forbid it."""
    for term in goal.term().walk():
        wanted = [part.goal for part in term.parts if term.op == "all"]
        for part in term.parts:
            if part.op == "not" and part.parts[0].goal in wanted:
                yield f"{term.label} asks for {part.parts[0].label} and forbids it."
        for condition in term.asked():
            parts = condition.conjuncts()
            if any(~part in parts for part in parts):
                yield f"{condition} never holds: it has a condition and its opposite."


def true_at_start(goal: Goal, rules: Rules) -> Iterator[str]:
    """Yields states to reach that hold with the inventory of an ordinary start."""
    first = goal.term()
    while first.op == "sequence":
        first = first.parts[0]
    if first.op != "state" or first.goal.steps > 1 or first.guards:
        return
    if all(_starts_true(x, rules) for x in first.goal.condition.conjuncts()):
        yield f"{first.label} is true at the start already."


def _starts_true(leaf: c.Condition, rules: Rules) -> bool:
    if not isinstance(leaf, c.Comparison) or not isinstance(leaf.quantity, c.Amount):
        return False
    item = leaf.quantity.item
    if item in c.VITALS:
        return False  # scenes set these
    return c.COMPARE[leaf.relation](rules.items[item]["initial"], leaf.number)


def least_steps(term: Term) -> int:
    """Returns a number of steps that a goal takes at least, from the goal alone."""
    parts = list(map(least_steps, term.parts))
    if term.op == "state":
        leaves = term.goal.condition.conjuncts()
        return max([term.goal.steps, *(x.n for x in leaves if isinstance(x, c.Away))])
    if term.op in ("event", "not"):
        return 1
    if term.op == "within":
        return term.n if term.is_safety else parts[0]
    if term.op == "sequence":
        return sum(parts)
    return min(parts) if term.op == "any" else max(parts)


def _budgets(spec: TaskSpec, goal: Goal) -> Iterator[str]:
    least = least_steps(goal.term())
    for level, budget in spec.budget.items():
        if budget < least:
            yield f"budget.{level}: {budget} steps; the goal takes at least {least}."
    for term in goal.term().walk():
        if term.op == "within" and least_steps(term.parts[0]) > term.n:
            yield f"{term.label}: it takes at least {least_steps(term.parts[0])} steps."
