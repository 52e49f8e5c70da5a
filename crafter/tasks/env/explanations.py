"""How an attempt fares, and why it failed, for people and models."""

from __future__ import annotations

import dataclasses

from crafter.games.crafter.rules import Rules
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.attempt import Attempt
from crafter.tasks.language.parse import TaskSyntaxError

_DEATHS = {
    "hunger": "You starved",
    "thirst": "You died of thirst",
    "fatigue": "You died of exhaustion",
    "lava": "You walked into lava",
    "arrow": "You were shot by a skeleton",
}


@dataclasses.dataclass(frozen=True)
class GoalState:
    """A goal that is to be achieved, and how it fares.

    Attributes:
      text: What is to be done.
      progress: How much of it is done, from 0 to 1.
      steps_left: Steps that are left for it.
      verdict: `PENDING`, `SAFE`, `DONE` or `FAILED`.
      why: Why it failed, in a sentence; else `None`.
    """

    text: str
    progress: float
    steps_left: int
    verdict: str
    why: str | None = None


def state_of(
    attempt: Attempt, text: str, budget: int, rules: Rules | None = None
) -> GoalState | None:
    """Returns how the goal of an attempt fares; `None` if it has none.

    Args:
      attempt: The attempt.
      text: What is to be done.
      budget: Steps of the attempt.
      rules: The rules of the game; by default the published ones.
    """
    monitor = attempt.monitor
    if monitor is None:
        return None
    why = explain(monitor.reason, rules) if monitor.reason else None
    left = max(budget - attempt.steps, 0)
    return GoalState(text, monitor.progress, left, str(monitor.verdict), why)


def explain(reason: str, rules: Rules | None = None) -> str:
    """Returns why an attempt failed, in a sentence.

    Args:
      reason: Of a verdict: `timeout`, `died:<cause>`, `late:<part>` or
        `violated:<part>`.
      rules: The rules of the game; by default the published ones.

    Example:
      >>> explain("timeout"), explain("died:zombie")
      ('The steps are used up.', 'You were killed by a zombie.')
      >>> explain("late:collect_wood")
      'Too late: collect wood.'
    """
    kind, _, part = reason.partition(":")
    if kind == "timeout":
        return "The steps are used up."
    if kind == "died":
        return f"{_DEATHS.get(part, f'You were killed by a {part}')}."
    try:
        text = Task(part, rules=rules).text()
    except TaskSyntaxError:  # a name that a task file or a goal made up
        text = f"{part}."
    before = {"late": "Too late", "violated": "Not kept"}[kind]
    return f"{before}: {text[0].lower()}{text[1:]}"
