"""Judging criteria of a task, derived from its goal and the rules.

They are the same for every attempt at the task, on every level. The texts are in
`criteria.yaml`, shared and per game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.tasks import game as games
from crafter.tasks.catalogue.dimensions import DIMENSIONS, MOST, checked_lines
from crafter.tasks.catalogue.files import budget_of
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.goals import And, Goal, Reach, Then, walk_over
from crafter.tasks.language.instructions import listed, said
from crafter.tasks.scoring.score import Closure
from crafter.tasks.world.conditions import Built

#: File of the texts, in the data of each game and in the shared data.
WORDS = "criteria.yaml"
#: Budget class of tasks that are too short for creativity.
_SHORTEST = "XS"
#: Categories whose tasks use up blocks without a recipe.
_SPENDING = ("defend", "trap")


@dataclasses.dataclass(frozen=True)
class Rubric:
    """The criteria of a task.

    Attributes:
      text: The instruction.
      lines: Applicable dimension -> its criteria, 1 to 6 lines.
      not_applicable: Dimension -> why it does not apply.
      about: Description of the game and its images.
    """

    text: str
    lines: Mapping[str, tuple[str, ...]]
    not_applicable: Mapping[str, str] = dataclasses.field(default_factory=dict)
    about: str = dataclasses.field(default="", repr=False)


def asked() -> Mapping[str, str]:
    """Returns the question of each dimension, the same in all games."""
    texts: Mapping[str, str] = games.find().read(WORDS)["dimensions"]
    return texts


# Made from the goal.


def criteria(task: Task) -> Rubric:
    """Returns the criteria of a task.

    Args:
      task: The task; its level makes no difference.

    Example:
      >>> rubric = criteria(Task("place_table"))
      >>> rubric.lines["task_progress"][0]
      'A key step, unless it was given: collect 2 wood.'
    """
    facts, words = _facts(task), task.game.read(WORDS)
    none = _not_applicable(task)
    left_out = {n: text for n, text in words["not_applicable"].items() if n in none}
    templates = words["lines"]
    custom = {} if task.spec is None else checked_lines(task.spec.criteria)
    lines = {
        name: (
            *custom.get(name, ()),
            *_lines(templates[name], facts, MOST - len(custom.get(name, ()))),
        )
        for name in DIMENSIONS
        if name not in left_out
    }
    return Rubric(task.text(), lines, left_out, words["game"])


def _lines(lines: Any, facts: Mapping[str, Any], most: int) -> tuple[str, ...]:
    """Returns the generated lines of a dimension."""
    chosen = [line for line in lines if "when" not in line or facts[line["when"]]]
    room = max(1, most - sum("each" not in line for line in chosen))
    texts: list[str] = []
    for line in chosen:
        if "each" in line:
            texts += [line["text"].format(step=s) for s in _within(facts["all"], room)]
        else:
            texts.append(line["text"].format(**facts))
    return tuple(texts[:most])


def _within(steps: Sequence[str], room: int) -> list[str]:
    """Returns steps as a limited number of texts, each of consecutive steps."""
    size = max(1, -(-len(steps) // room))
    return [", then ".join(steps[n : n + size]) for n in range(0, len(steps), size)]


def _not_applicable(task: Task) -> set[str]:
    """Returns the dimensions that do not apply to a task."""
    dimensions = set()
    demands = task.game.scoring.demands(task)
    spends = demands is None or demands.need
    if not (spends or _builds(task.goal) or task.category in _SPENDING):
        dimensions.add("material_usage")
    if task.spec is not None and dict(task.spec.budget) == budget_of(_SHORTEST):
        dimensions.add("creative_attempts")
    return dimensions


def _facts(task: Task) -> dict[str, Any]:
    """Returns the values that templates of lines use; falsy where they do not apply."""
    demands = task.game.scoring.demands(task)
    return {
        "goal": task.text(),
        "all": _milestones(task, demands),
        "effects": "; ".join(map(said, demands.effects)) if demands else "",
        "costs": _amounts(demands.need) if demands else "",
        "compound": any(
            isinstance(goal, (And, Then)) or isinstance(goal, Reach) and goal.steps > 1
            for goal in walk_over(task.goal)
        ),
        "builds": _builds(task.goal),
    }


def _builds(goal: Goal) -> bool:
    return any(
        isinstance(condition, Built) and condition.structure.builds
        for part in walk_over(goal)
        if isinstance(part, Reach)
        for condition in part.condition.walk()
    )


def _milestones(task: Task, demands: Closure | None) -> list[str]:
    """Returns the milestones in order, as texts."""
    texts = []
    for what, amount in demands.milestones.items() if demands else ():
        verb = demands.verbs[what] if demands else ""
        template: str = task.game.read(WORDS)["steps"][verb]
        name = said(what) if verb == "collect" else _one(what)
        texts.append(template.format(amount=amount, what=name))
    return texts


def _one(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {said(name)}"


def _amounts(need: Mapping[str, int]) -> str:
    return listed([f"{amount} {said(item)}" for item, amount in need.items()] or [""])
