"""The linter: goals that are well formed and still cannot be meant."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from typing import NamedTuple

from crafter.games.crafter.rules import Rules, default
from crafter.tasks import files, goals, scenes, vocabulary
from crafter.tasks.catalogue import Task
from crafter.tasks.conditions import (
    MARKS,
    AllOf,
    Amount,
    Away,
    Comparison,
    Condition,
    InMark,
)
from crafter.tasks.files import TaskFileError, TaskSpec
from crafter.tasks.goals import Event, Goal, Reach, walk_over
from crafter.tasks.instructions import fill_in
from crafter.tasks.parse import TaskSyntaxError, parse


class Finding(NamedTuple):
    """Something that the linter says.

    Attributes:
      level: `error`, or `warning` for what may be meant so.
      place: File and task.
      message: What is wrong.
    """

    level: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.level}: {self.message}"


def lint_file(path: str | os.PathLike, rules: Rules | None = None) -> list[Finding]:
    """Returns what is wrong in a task file.

    Args:
      path: The file.
      rules: The rules of the game; by default those of the published one.
    """
    try:
        specs = files.load(path, rules)
    except TaskFileError as error:
        return [Finding("error", os.fspath(path), str(error))]
    return [f for spec in specs for f in lint(spec, os.fspath(path), rules)]


def lint(spec: TaskSpec, place: str, rules: Rules | None = None) -> list[Finding]:
    """Returns what is wrong with a task."""
    rules = default() if rules is None else rules
    where = f"{place}, {spec.name}"
    try:
        goal = parse(spec.goal, rules)
    except (TaskSyntaxError, TypeError) as error:
        return [Finding("error", where, f"goal: {error}")]
    found = [("error", m) for m in _errors(spec, goal, rules)]
    found += [("warning", m) for m in precedence(spec.goal)]
    found += [("error", m) for m in _budgets(spec, goal)]
    return [Finding(level, where, message) for level, message in found]


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


def _scene_errors(spec: TaskSpec, goal: Goal, rules: Rules) -> Iterator[str]:
    for level in files.levels():
        task = Task(goal, level, rules)
        task.spec = spec
        try:
            scenes.settings_of(task)
        except ValueError as error:
            yield f"scene.{level}: {error}"


def unreachable(goal: Goal, rules: Rules) -> Iterator[str]:
    """Yields what can never be under some rules, be it wanted or forbidden."""
    for part in walk_over(goal):
        if isinstance(part, Event):
            yield from _unknown_words(part, rules)
        for condition in _conditions(part):
            yield from _too_much(condition, rules)
            for mistake in vocabulary.mistakes(condition, rules):
                yield f"{condition}: the rules have no {mistake.word!r}."


def _unmarked(spec: TaskSpec, goal: Goal) -> Iterator[str]:
    """Yields the marks of a goal that no scene of its task can have."""
    own = {name for scene in spec.scene.values() for name in scene.get("marks", ())}
    known = {*MARKS, *files.features(), *own}
    for part in walk_over(goal):
        for condition in _conditions(part):
            if isinstance(condition, InMark) and condition.name not in known:
                yield f"{condition}: no scene marks that; there are {sorted(known)}."


def _conditions(goal: Goal) -> Iterator[Condition]:
    """Yields the conditions of a goal and those that they are made of."""
    if isinstance(goal, (Reach, goals.When)):
        yield from _every(goal.condition)
    elif isinstance(goal, goals.Where):
        yield from _every(goal.place)


def _every(condition: Condition) -> Iterator[Condition]:
    yield condition
    for part in condition.parts():
        yield from _every(part)


def _unknown_words(atom: Event, rules: Rules) -> Iterator[str]:
    produced = {
        "collected": {i for r in rules.collect.values() for i in r["receive"]},
        "placed": set(rules.place),
        "made": set(rules.make),
        "ate": {kind for kind, rule in rules.do.items() if "food" in rule},
        "defeated": set(rules.do),
        "hit": set(rules.do),
        "saw": {*rules.materials, *rules.objects},
        "act": set(rules.actions),
    }
    valid = produced.get(atom.type)
    if valid is None:
        return
    for name, value in atom.filters:
        if name in ("what", "kind", "action"):
            values = value if isinstance(value, tuple) else (value,)
            if not valid & set(values):
                yield f"{atom}: the rules never give that; there are {sorted(valid)}."


def _too_much(leaf: Condition, rules: Rules) -> Iterator[str]:
    if not isinstance(leaf, Comparison) or not isinstance(leaf.quantity, Amount):
        return
    item, number = leaf.quantity.item, leaf.number
    if item not in rules.items:
        yield f"{leaf}: the rules have no item {item!r}."
        return
    largest = rules.items[item]["max"]
    least = {">=": number, "==": number, ">": number + 1}.get(leaf.relation)
    if least is not None and least > largest:
        yield f"{leaf}: the player can have at most {largest}."
    if (leaf.relation == "<" and number <= 0) or (leaf.relation == "<=" and number < 0):
        yield f"{leaf}: an amount is never below 0."


def contradictions(goal: Goal) -> Iterator[str]:
    """Yields parts that ask for something and forbid it."""
    for part in walk_over(goal):
        if isinstance(part, goals.And):
            wanted = [other for other, _ in part.operands(())]
            for other in wanted:
                if isinstance(other, goals.Not) and other.goal in wanted:
                    yield f"{part} asks for {other.goal} and forbids it."
        if isinstance(part, goals.Without):
            for thing in part.things:
                if thing in _chain(part.goal):
                    yield f"{part} asks for {thing} and forbids it."
        for condition in _conditions(part):
            yield from _never(condition)


def _chain(goal: Goal) -> list[Goal]:
    if isinstance(goal, goals.And):
        return [other for other, _ in goal.operands(())]
    return [goal]


def _never(condition: Condition) -> Iterator[str]:
    if isinstance(condition, AllOf):
        parts = [leaf for part in condition.conditions for leaf in _conjuncts(part)]
        for part in parts:
            if ~part in parts:
                yield f"{condition} never holds: it has {part} and its opposite."


def _conjuncts(condition: Condition) -> list[Condition]:
    if isinstance(condition, AllOf):
        return [leaf for part in condition.conditions for leaf in _conjuncts(part)]
    return [condition]


def true_at_start(goal: Goal, rules: Rules) -> Iterator[str]:
    """Yields states to reach that hold with the inventory of an ordinary start."""
    while isinstance(goal, (goals.Name, goals.FromScratch)):
        goal = goal.parts[0]
    first = goal
    while isinstance(first, goals.Then):
        first = first.left
    if not isinstance(first, Reach) or first.steps > 1:
        return
    compared = _conjuncts(first.condition)
    if all(_starts_true(leaf, rules) for leaf in compared):
        yield f"{first} is true at the start already."


def _starts_true(leaf: Condition, rules: Rules) -> bool:
    if not isinstance(leaf, Comparison) or not isinstance(leaf.quantity, Amount):
        return False
    item = leaf.quantity.item
    if item in goals.conditions.VITALS:
        return False  # scenes set these
    amount = rules.items[item]["initial"] if item in rules.items else 0
    compare = goals.conditions.COMPARE[leaf.relation]
    return compare(amount, leaf.number)


def least_steps(goal: Goal) -> int:
    """Returns a number of steps that a goal takes at least, from the goal alone."""
    if isinstance(goal, Reach):
        far = [leaf.n for leaf in _conjuncts(goal.condition) if isinstance(leaf, Away)]
        return max([goal.steps, *far])
    if isinstance(goal, goals.Then):
        return least_steps(goal.left) + least_steps(goal.right)
    if isinstance(goal, goals.And):
        return max(least_steps(goal.left), least_steps(goal.right))
    if isinstance(goal, goals.Or):
        return min(map(least_steps, goal.parts))
    if isinstance(goal, goals.Times) and not isinstance(
        goals.state_of(goal.goal), Reach
    ):
        return goal.n * least_steps(goal.goal)
    if isinstance(goal, goals.Within) and goal.is_safety:
        return goal.n
    if isinstance(goal, goals.Hold):
        return goal.n
    if isinstance(goal, (goals.Not, Event)):
        return 1
    return least_steps(goal.parts[0])


def _budgets(spec: TaskSpec, goal: Goal) -> Iterator[str]:
    least = least_steps(goal)
    for level, budget in spec.budget.items():
        if budget < least:
            yield f"budget.{level}: {budget} steps; the goal takes at least {least}."
    for part in walk_over(goal):
        if isinstance(part, goals.Within) and least_steps(part.goal) > part.n:
            yield f"{part}: it takes at least {least_steps(part.goal)} steps."


def precedence(text: str) -> Iterator[str]:
    """Yields what may be understood in another way than it is meant.

    Example:
      >>> list(precedence("collect_wood & collect_stone >> place_table"))[0]
      '>> binds more tightly than & and |: put parentheses around ...'
    """
    flat = " ".join(text.split())
    try:
        tree = ast.parse(flat, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            for side in (node.left, node.right):
                is_order = isinstance(side, ast.BinOp) and isinstance(
                    side.op, ast.RShift
                )
                if is_order and not _in_parentheses(flat, side):
                    part = ast.get_source_segment(flat, side)
                    yield (
                        ">> binds more tightly than & and |: put parentheses around "
                        f"{part}."
                    )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            inner = node.operand
            limited = (
                isinstance(inner, ast.Call)
                and isinstance(inner.func, ast.Attribute)
                and inner.func.attr == "within"
            )
            if limited and not _in_parentheses(flat, inner):
                part = ast.get_source_segment(flat, inner)
                yield f"~ negates the goal with its limit: write ~({part}) or (~...)."


def _in_parentheses(text: str, node: ast.expr) -> bool:
    data = text.encode()
    before = data[: node.col_offset].decode().rstrip()
    after = data[node.end_col_offset :].decode().lstrip()
    return before.endswith("(") and after.startswith(")")
