"""What the names in expressions stand for.

A name is a task of the catalogue, an achievement of the rules, an event in short, or
an action with `act_` in front. In a hand-written trace every name is an event or a
condition of the trace.
"""

from __future__ import annotations

import functools
import inspect
import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from crafter.core.ruleset import read
from crafter.games.crafter.rules import Rules, default
from crafter.tasks.language.goals import Event, Goal, Name, event, owning
from crafter.tasks.world import conditions as c

#: The files of the catalogue, one per category.
CATALOGUE = pathlib.Path(__file__).parents[1] / "data" / "catalogue"

#: Conditions that are a single word.
WORDS: dict[str, c.Condition] = {
    word: kind()
    for word, kind in c.Condition.registry.items()
    if not inspect.signature(kind).parameters
}
#: Names of events. What is not here comes from the rules.
EVENTS: dict[str, Event] = {
    "damaged": event("hurt", by=("zombie", "arrow", "lava")),
    "hurt": event("hurt"),
    "died": event("died"),
    "slept": event("fell_asleep"),
    "blocked": event("blocked"),
    "placed_any": event("placed"),
    "crafted_any": event("made"),
    "wake_up": event("woke", cause="rested"),
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
            return Name(name, self._events[name])
        return owning(name) if name in c.CLASSES else None

    def event(self, name: str) -> Event | None:
        """Returns the event that a name stands for, or `None`."""
        return self._events.get(name)

    def condition(self, name: str) -> c.Condition | None:
        """Returns the condition that a single word stands for, or `None`."""
        return WORDS.get(name)

    def quantity(self, name: str) -> c.Quantity | None:
        """Returns the number of the game that a word stands for, or `None`."""
        if name == "light":
            return c.Light()
        return c.Amount(name) if name in c.VITALS and name in self.rules.items else None

    def known(self) -> Iterable[str]:
        """Returns all names."""
        return [*expressions(), *self._events, *WORDS, *c.VITALS, *c.CLASSES, "light"]


def _from_rules(rules: Rules) -> dict[str, Event]:
    """Returns the events that achievements, actions and items of rules stand for."""
    found = {
        f"collect_{item}": event("collected", what=item)
        for rule in rules.collect.values()
        for item in rule["receive"]
    }
    found |= {f"place_{name}": event("placed", what=name) for name in rules.place}
    found |= {f"make_{name}": event("made", what=name) for name in rules.make}
    for kind, target in rules.do.items():
        if "food" in target:
            found[f"eat_{kind}"] = event("ate", what=kind)
        else:
            found[f"defeat_{kind}"] = event("defeated", kind=kind)
    items = tuple(item for item in rules.items if item not in c.VITALS)
    found["wasted"] = event("collected", what=items, gain=0)
    return found | {f"act_{name}": event("act", action=name) for name in rules.actions}


class TraceNames(Names):
    """What names stand for in a hand-written trace: events and conditions of it."""

    def goal(self, name: str) -> Goal | None:
        """Returns the goal of an event of this name."""
        return None if name in WORDS else Name(name, Event(name))

    def condition(self, name: str) -> c.Condition | None:
        """Returns the condition of this name; the trace says when it holds."""
        return c.Named(name)
