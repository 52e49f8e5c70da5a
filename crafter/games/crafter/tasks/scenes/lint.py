"""Linter for tasks of Crafter: unknown marks, and states that hold at the start."""

from __future__ import annotations

from collections.abc import Iterator

from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import conditions as c
from crafter.games.crafter.tasks.tables import features
from crafter.tasks.catalogue.files import TaskSpec
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Term
from crafter.tasks.world.conditions import COMPARE, Comparison, Condition


def lint(spec: TaskSpec, goal: Goal, rules: Rules) -> Iterator[str]:
    """Yields what is wrong with a task: what never holds, or does from the start."""
    placed = {name for scene in spec.scene.values() for name in scene.get("marks", ())}
    marks = sorted({*c.MARKS, *features(), *placed})
    for term in goal.term().walk():
        for condition in term.asked():
            if isinstance(condition, c.InMark) and condition.name not in marks:
                yield f"{condition}: no scene marks that; there are {marks}."
    yield from _true_at_start(goal.term(), rules)


def _true_at_start(first: Term, rules: Rules) -> Iterator[str]:
    """Yields a state to reach that holds with the inventory of an ordinary start."""
    while first.op == "sequence":
        first = first.parts[0]
    if first.op != "state" or first.goal.steps > 1 or first.guards:
        return
    if all(_starts_true(x, rules) for x in first.goal.condition.conjuncts()):
        yield f"{first.label} is true at the start already."


def _starts_true(leaf: Condition, rules: Rules) -> bool:
    item = getattr(getattr(leaf, "quantity", None), "item", None)
    if not isinstance(leaf, Comparison) or item is None or item in c.VITALS:
        return False  # scenes set vitals
    return COMPARE[leaf.relation](rules.items[item]["initial"], leaf.number)
