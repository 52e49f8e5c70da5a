"""The linter of Crafter: amounts, marks and states that cannot be meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import conditions as c
from crafter.games.crafter.tasks.tables import features
from crafter.tasks.catalogue.files import TaskSpec
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Term
from crafter.tasks.world.conditions import COMPARE, Comparison, Condition


def lint(spec: TaskSpec, goal: Goal, rules: Rules) -> Iterator[str]:
    """Yields what is wrong with a task: what never holds, or does from the start."""
    own = {name for scene in spec.scene.values() for name in scene.get("marks", ())}
    marks = sorted({*c.MARKS, *features(), *own})
    for term in goal.term().walk():
        for condition in term.asked():
            yield from _never(condition, rules, marks)
    yield from _true_at_start(goal.term(), rules)


def _never(condition: Condition, rules: Rules, marks: Collection[str]) -> list[str]:
    """Returns why a condition, wanted or forbidden, can never hold."""
    wrong = []
    if isinstance(condition, c.InMark) and condition.name not in marks:
        wrong = [f"{condition}: no scene marks that; there are {marks}."]
    elif isinstance(condition, Comparison) and (item := _item(condition)):
        number, largest = condition.number, rules.items[item]["max"]
        least = {">=": number, "==": number, ">": number + 1}.get(condition.relation, 0)
        if least > largest:
            wrong = [f"{condition}: the player can have at most {largest}."]
    return wrong


def _item(condition: Condition) -> str | None:
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


def _starts_true(leaf: Condition, rules: Rules) -> bool:
    item = _item(leaf)
    if not isinstance(leaf, Comparison) or item is None or item in c.VITALS:
        return False  # scenes set vitals
    return COMPARE[leaf.relation](rules.items[item]["initial"], leaf.number)
