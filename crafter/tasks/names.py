"""What the names in expressions stand for.

A name is a task of the catalogue, an achievement of the rules, an event in short, or
an action with `act_` in front. In a hand-written trace every name is an event or a
condition of the trace.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from crafter.core.ruleset import read
from crafter.games.crafter.rules import Rules, default
from crafter.tasks.conditions import (
    CLASSES,
    VITALS,
    Amount,
    Asleep,
    Condition,
    Day,
    Light,
    Named,
    Night,
    Quantity,
)
from crafter.tasks.goals import Event, Goal, Name, owning

#: The files of the catalogue, one per category.
CATALOGUE = pathlib.Path(__file__).parent / "data" / "catalogue"

#: Conditions that are a single word.
WORDS: dict[str, Condition] = {"night": Night(), "day": Day(), "asleep": Asleep()}
#: Names of events -> type and filters. What is not here comes from the rules.
EVENTS: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {
    "damaged": ("hurt", (("by", ("zombie", "arrow", "lava")),)),
    "hurt": ("hurt", ()),
    "died": ("died", ()),
    "slept": ("fell_asleep", ()),
    "blocked": ("blocked", ()),
    "placed_any": ("placed", ()),
    "crafted_any": ("made", ()),
}


@functools.cache
def documents() -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Returns the file and the content of every task of the catalogue, unchecked."""
    found = []
    for path in sorted(CATALOGUE.glob("*.yaml")):
        for number, task in enumerate(read(path) or []):
            found.append((f"{path.name}, task {number + 1}", task))
    return tuple(found)


@functools.cache
def expressions() -> Mapping[str, str]:
    """Returns the expression of every task of the catalogue, by name."""
    return {task["name"]: task["goal"] for _, task in documents()}


class Names:
    """What names stand for under some rules.

    Args:
      rules: The rules of the game; by default those of the published one.
      read_goal: Makes a goal of an expression, for tasks of the catalogue.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        read_goal: Callable[[str], Goal] | None = None,
    ) -> None:
        self.rules = default() if rules is None else rules
        self._read_goal = read_goal
        self._events = {**EVENTS, **_from_rules(self.rules)}

    def goal(self, name: str) -> Goal | None:
        """Returns the goal that a name stands for, or `None`."""
        if self._read_goal is not None and name in expressions():
            return Name(name, self._read_goal(expressions()[name]))
        if name in self._events:
            type, filters = self._events[name]
            return Name(name, Event(type, 1, filters))
        return owning(name) if name in CLASSES else None

    def event(self, name: str) -> tuple[str, tuple[tuple[str, Any], ...]] | None:
        """Returns type and filters of the event that a name stands for, or `None`."""
        return self._events.get(name)

    def condition(self, name: str) -> Condition | None:
        """Returns the condition that a single word stands for, or `None`."""
        return WORDS.get(name)

    def quantity(self, name: str) -> Quantity | None:
        """Returns the number of the game that a word stands for, or `None`."""
        if name == "light":
            return Light()
        return Amount(name) if name in VITALS and name in self.rules.items else None

    def known(self) -> Iterable[str]:
        """Returns all names."""
        return [*expressions(), *self._events, *WORDS, *VITALS, *CLASSES, "light"]


def _from_rules(rules: Rules) -> dict[str, tuple[str, tuple[tuple[str, Any], ...]]]:
    """Returns the events that achievements, actions and items of rules stand for."""
    found: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {}
    for rule in rules.collect.values():
        for item in rule["receive"]:
            found[f"collect_{item}"] = ("collected", (("what", item),))
    for name in rules.place:
        found[f"place_{name}"] = ("placed", (("what", name),))
    for name in rules.make:
        found[f"make_{name}"] = ("made", (("what", name),))
    for kind, target in rules.do.items():
        done = ("ate", "what") if "food" in target else ("defeated", "kind")
        found[f"{'eat' if 'food' in target else 'defeat'}_{kind}"] = (
            done[0],
            ((done[1], kind),),
        )
    found["wake_up"] = ("woke", (("cause", "rested"),))
    items = tuple(item for item in rules.items if item not in VITALS)
    found["wasted"] = ("collected", (("what", items), ("gain", 0)))
    for action in rules.actions:
        found[f"act_{action}"] = ("act", (("action", action),))
    return found


class TraceNames(Names):
    """What names stand for in a hand-written trace: events and conditions of it."""

    def __init__(self) -> None:
        super().__init__()

    def goal(self, name: str) -> Goal | None:
        """Returns the goal of an event of this name."""
        return Name(name, Event(name))

    def condition(self, name: str) -> Condition | None:
        """Returns the condition of this name; the trace says when it holds."""
        return Named(name)
