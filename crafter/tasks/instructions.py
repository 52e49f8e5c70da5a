"""Instructions: what a goal asks for, in plain English, made from the goal itself.

Numbers come from the goal, and costs from the rules: a text may say `{cost(table)}` for
what a table costs, and `{max(wood)}` for how many the player can carry.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import re
from collections.abc import Mapping
from typing import Any

from crafter.core.ruleset import read
from crafter.games.crafter.rules import Rules, default
from crafter.tasks.conditions import (
    AllOf,
    AnyOf,
    Best,
    Built,
    Comparison,
    Condition,
    Opposite,
)
from crafter.tasks.goals import And, Event, Goal, Name, Or, Reach, Then, Using

_PATH = pathlib.Path(__file__).parent / "data" / "words.yaml"
_FIGURE = re.compile(r"\{(cost|max)\((\w+)\)\}")

#: Name of a task -> its main sentence, which its place in a composition takes over.
Sentences = Mapping[str, str]


@functools.cache
def words() -> Mapping[str, Any]:
    """Returns the content of `data/words.yaml`."""
    content: Mapping[str, Any] = read(_PATH)
    return content


def instruction(
    goal: Goal, rules: Rules | None = None, sentences: Sentences | None = None
) -> str:
    """Returns a sentence that says what a goal asks for.

    Args:
      goal: The goal.
      rules: The rules of the game, for costs; by default the published ones.
      sentences: What is said of names, such as tasks of the catalogue.

    Example:
      >>> instruction(Goal.parse("hurt.within(20)"))
      'Be hurt within 20 steps.'
    """
    text = _Writer(rules or default(), sentences or {}).goal(goal)
    return f"{text[0].upper()}{text[1:]}."


def costs(what: str, rules: Rules) -> Mapping[str, int]:
    """Returns what placing or making something uses up.

    Raises:
      ValueError: If the rules have no such recipe.
    """
    for table in (rules.place, rules.make):
        if what in table:
            uses: Mapping[str, int] = table[what]["uses"]
            return uses
    known = sorted({*rules.place, *rules.make})
    raise ValueError(f"cost({what}): there is no such recipe; there are {known}.")


def fill_in(text: str, rules: Rules) -> str:
    """Returns a text with the figures of the rules in it.

    Raises:
      ValueError: If it asks for a figure that the rules do not have.

    Example:
      >>> fill_in("It takes {cost(table)}.", default())
      'It takes 2 wood.'
    """

    def figure(found: re.Match[str]) -> str:
        kind, name = found.groups()
        if kind == "max":
            if name not in rules.items:
                raise ValueError(f"max({name}): there is no such item.")
            return str(rules.items[name]["max"])
        return listed([f"{n} {said(item)}" for item, n in costs(name, rules).items()])

    return _FIGURE.sub(figure, text)


def said(name: str) -> str:
    """Returns a name of the rules as words."""
    return name.replace("_", " ")


def listed(parts: list[str]) -> str:
    """Returns parts as a list in a sentence."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


class _Writer:
    """Writes goals as infinitives and conditions as clauses, by templates."""

    def __init__(self, rules: Rules, sentences: Sentences) -> None:
        self._rules, self._sentences = rules, sentences

    # Goals.

    def goal(self, goal: Goal) -> str:
        """Returns a goal as an infinitive."""
        if isinstance(goal, Name):
            return self._name(goal)
        if isinstance(goal, Event):
            return self._event(goal)
        if isinstance(goal, Reach):
            return self._reach(goal)
        if isinstance(goal, Using):
            tier, _, kind = goal.tool.replace(":", "_").partition("_")
            how = f"with the {said(goal.tool)} as your best {kind}"
            bare = f"without owning a {kind}"
            return f"{self._inner(goal.goal)} {bare if tier == 'none' else how}"
        template: str = words()["goals"][type(goal).__name__]
        return template.format(**self._parts(goal))

    def _parts(self, goal: Goal) -> dict[str, str]:
        """Returns what fills in the template of a goal."""
        written = {}
        for name, value in _values(goal).items():
            if name == "place":
                written[name] = self._place(value)
            elif isinstance(value, Condition):
                written[name] = self.condition(value)
            elif isinstance(value, int):
                written[name] = str(value)
                written["steps"] = "1 step" if value == 1 else f"{value} steps"
            else:
                goals = value if isinstance(value, tuple) else (value,)
                written[name] = " or ".join(map(self._inner, goals))
        return written

    def _inner(self, goal: Goal) -> str:
        text = self.goal(goal)
        return f"({text})" if isinstance(goal, (And, Or, Then)) else text

    def _name(self, goal: Name) -> str:
        if goal.name in self._sentences:
            text = fill_in(self._sentences[goal.name], self._rules).rstrip(".")
            return text[0].lower() + text[1:]
        known: Mapping[str, str] = words()["names"]
        return known.get(goal.name) or self.goal(goal.meaning)

    def _event(self, goal: Event) -> str:
        fields = {**words()["fields"]}
        for name, value in goal.filters:
            options = value if isinstance(value, tuple) and name != "at" else (value,)
            fields[name] = " or ".join(map(_value, options))
        text = words()["events"].get(goal.type, said(goal.type)).format(**fields)
        if "left" in fields:
            text += f" and leave it a health of {fields['left']}"
        at = dict(goal.filters).get("at")
        text += f" at the cell {at}" if at is not None else ""
        if goal.n > 1:
            text += f", {goal.n} times in all"
        if goal.n > 1 and goal.same is not None:
            same = words()["same"].get(goal.same)
            text += f" {same or f'with the same {said(goal.same)}'}"
        return text

    def _reach(self, goal: Reach) -> str:
        if isinstance(goal.condition, Built) and goal.steps == 1:
            return f"build {self._structure(goal.condition)}"
        clause = self.condition(goal.condition)
        text = f"get to where {clause}"
        if clause.startswith("you have "):
            text = clause.removeprefix("you ")
        return text if goal.steps == 1 else f"{text}, for {goal.steps} steps in a row"

    # Conditions.

    def condition(self, condition: Condition) -> str:
        """Returns a condition as a clause."""
        if isinstance(condition, AllOf):
            return listed(list(map(self._part, condition.conjuncts())))
        if isinstance(condition, AnyOf):
            return " or ".join(map(self._part, condition.conditions))
        if isinstance(condition, Opposite):
            return f"it is not so that {self._part(condition.condition)}"
        if isinstance(condition, Built):
            return f"there is {self._structure(condition)}"
        kind = type(condition).__name__
        if isinstance(condition, Comparison) and condition.is_of_item:
            kind = "Amount"
        template: str = words()["conditions"][kind]
        return template.format(**self._fields(condition))

    def _part(self, condition: Condition) -> str:
        text = self.condition(condition)
        return f"({text})" if isinstance(condition, (AllOf, AnyOf)) else text

    def _structure(self, condition: Built) -> str:
        template: str = words()["structures"][condition.structure.word]
        text = template.format(**self._fields(condition.structure))
        return text if condition.count == 1 else f"{condition.count} times {text}"

    def _place(self, place: Condition) -> str:
        template: str = words()["places"][type(place).__name__]
        return template.format(**self._fields(place))

    def _fields(self, value: Any) -> dict[str, str]:
        """Returns what fills in the template of a condition or structure."""
        if isinstance(value, Comparison):
            relation: str = words()["relations"][value.relation]
            quantity = said(str(value.quantity).removeprefix("inv."))
            if isinstance(value.quantity, Best):
                quantity = f"best {value.quantity.tool}"
            number = str(value.number)
            return {"relation": relation, "quantity": quantity, "number": number}
        fields = _values(value)
        written = {name: _value(content) for name, content in fields.items()}
        place, n, own = fields.get("place"), fields.get("n", 1), fields.get("own", 0)
        written["place"] = "" if place is None else f" {self._place(place)}"
        written["many"] = "" if n == 1 else f", {n} of them"
        blocks = f"{own} block{'' if own == 1 else 's'} of your own"
        written["walls"] = f" with at least {blocks} in its walls" if own else ""
        around = f"{n} {said(str(fields.get('wall')))}"
        written["with"] = f" and at least {around} around it" if n else ""
        return written


def _values(value: Any) -> dict[str, Any]:
    return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}


def _value(content: Any) -> str:
    """Returns an argument as words."""
    if isinstance(content, tuple):
        return listed([_value(part) for part in content])
    return str(words()["values"].get(content, said(str(content))))
