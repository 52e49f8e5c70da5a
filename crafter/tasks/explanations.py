"""Why an attempt failed, in sentences for people."""

from __future__ import annotations

from crafter.games.crafter.rules import Rules
from crafter.tasks.catalogue import Task
from crafter.tasks.parse import TaskSyntaxError

_DEATHS = {
    "hunger": "You starved",
    "thirst": "You died of thirst",
    "fatigue": "You died of exhaustion",
    "lava": "You walked into lava",
    "arrow": "You were shot by a skeleton",
}


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
