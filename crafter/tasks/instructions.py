"""Instructions: what a goal asks for, in plain English, made from the goal itself.

Numbers come from the goal, and costs from the rules: a text may say `{cost(table)}` for
what a table costs, and `{max(wood)}` for how many the player can carry.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from crafter.core.ruleset import read
from crafter.games.crafter.rules import Rules, default
from crafter.tasks import goals
from crafter.tasks.conditions import (
    AllOf,
    AnyOf,
    Built,
    Comparison,
    Condition,
    Opposite,
)
from crafter.tasks.goals import Goal, Name

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
    """Writes goals as infinitives and conditions as clauses."""

    def __init__(self, rules: Rules, sentences: Sentences) -> None:
        self._rules, self._sentences = rules, sentences

    # Goals.

    def goal(self, goal: Goal) -> str:
        """Returns a goal as an infinitive."""
        write: Callable[[Any], str] = getattr(self, f"_{type(goal).__name__.lower()}")
        return write(goal)

    def _inner(self, goal: Goal) -> str:
        text = self.goal(goal)
        parted = isinstance(goal, (goals.And, goals.Or, goals.Then))
        return f"({text})" if parted else text

    def _name(self, goal: Name) -> str:
        if goal.name in self._sentences:
            text = fill_in(self._sentences[goal.name], self._rules).rstrip(".")
            return text[0].lower() + text[1:]
        if goal.name in words()["names"]:
            name: str = words()["names"][goal.name]
            return name
        return self.goal(goal.meaning)

    def _event(self, goal: goals.Event) -> str:
        fields = {**words()["fields"]}
        for name, value in goal.filters:
            options = value if isinstance(value, tuple) and name != "at" else (value,)
            fields[name] = " or ".join(map(self._value, options))
        if goal.type not in words()["events"]:
            text = said(goal.type)
        else:
            text = words()["events"][goal.type].format(**fields)
        if "left" in fields:
            text += f" and leave it a health of {fields['left']}"
        at = dict(goal.filters).get("at")
        text += f" at the cell {at}" if at is not None else ""
        if goal.n == 1:
            return text
        same = "" if goal.same is None else f" {_same(goal.same)}"
        return f"{text}, {goal.n} times in all{same}"

    def _value(self, value: Any) -> str:
        return str(words()["values"].get(value, said(str(value))))

    def _reach(self, goal: goals.Reach) -> str:
        if isinstance(goal.condition, Built) and goal.steps == 1:
            return f"build {self._structure(goal.condition)}"
        clause = self.condition(goal.condition)
        text = f"get to where {clause}"
        if clause.startswith("you have "):
            text = clause.removeprefix("you ")
        return text if goal.steps == 1 else f"{text}, for {goal.steps} steps in a row"

    def _not(self, goal: goals.Not) -> str:
        return f"never {self._inner(goal.goal)}"

    def _and(self, goal: goals.And) -> str:
        return f"{self._inner(goal.left)} and {self._inner(goal.right)}"

    def _or(self, goal: goals.Or) -> str:
        return f"{self._inner(goal.left)} or {self._inner(goal.right)}"

    def _then(self, goal: goals.Then) -> str:
        return f"{self._inner(goal.left)}, and then {self._inner(goal.right)}"

    def _when(self, goal: goals.When) -> str:
        return f"{self._inner(goal.goal)} while {self.condition(goal.condition)}"

    def _where(self, goal: goals.Where) -> str:
        place = goal.place
        template: str = words()["places"][type(place).__name__]
        return f"{self._inner(goal.goal)} {template.format(**self._fields(place))}"

    def _using(self, goal: goals.Using) -> str:
        tier, _, kind = goal.tool.replace(":", "_").partition("_")
        if tier == "none":
            return f"{self._inner(goal.goal)} without owning a {kind}"
        best = f"with the {said(goal.tool)} as your best {kind}"
        return f"{self._inner(goal.goal)} {best}"

    def _without(self, goal: goals.Without) -> str:
        things = " or ".join(map(self._inner, goal.things))
        return f"{self._inner(goal.goal)}, and until then never {things}"

    def _within(self, goal: goals.Within) -> str:
        steps = "1 step" if goal.n == 1 else f"{goal.n} steps"
        return f"{self._inner(goal.goal)} within {steps}"

    def _times(self, goal: goals.Times) -> str:
        return f"{self._inner(goal.goal)}, {goal.n} times"

    def _hold(self, goal: goals.Hold) -> str:
        return f"{self._inner(goal.goal)}, for {goal.n} steps in a row"

    def _fromscratch(self, goal: goals.FromScratch) -> str:
        return f"starting with nothing, {self._inner(goal.goal)}"

    # Conditions.

    def condition(self, condition: Condition) -> str:
        """Returns a condition as a clause."""
        if isinstance(condition, AllOf):
            return listed(list(map(self._part, _flat(condition))))
        if isinstance(condition, AnyOf):
            return " or ".join(map(self._part, condition.conditions))
        if isinstance(condition, Opposite):
            return f"it is not so that {self._part(condition.condition)}"
        if isinstance(condition, Built):
            return f"there is {self._structure(condition)}"
        kind = type(condition).__name__
        if isinstance(condition, Comparison) and _is_item(condition.quantity):
            kind = "Amount"
        template: str = words()["conditions"][kind]
        return template.format(**self._fields(condition))

    def _part(self, condition: Condition) -> str:
        text = self.condition(condition)
        return f"({text})" if isinstance(condition, (AllOf, AnyOf)) else text

    def _structure(self, condition: Built) -> str:
        template: str = words()["structures"][condition.structure.name]
        text = template.format(**self._fields(condition.structure))
        return text if condition.count == 1 else f"{condition.count} times {text}"

    def _fields(self, value: Any) -> dict[str, str]:
        fields = {
            field.name: getattr(value, field.name)
            for field in dataclasses.fields(value)
        }
        written = {}
        for name, content in fields.items():
            if name == "relation":
                written[name] = words()["relations"][content]
            elif name == "place":
                written[name] = "" if content is None else self._alive_in(content)
            elif isinstance(content, goals.conditions.Quantity):
                written[name] = _quantity(content)
            elif isinstance(value, goals.conditions.Around) and name == "n":
                written["many"] = "" if content == 1 else f", {content} of them"
            elif name == "own":
                written["walls"] = _walls(content)
            elif isinstance(content, tuple):
                written[name] = listed([self._value(part) for part in content])
            elif name == "wall":
                written["with"] = _with(content, fields["n"])
            elif isinstance(value, Comparison):
                written[name] = str(content)
            else:
                written[name] = self._value(content)
        return written

    def _alive_in(self, place: Condition) -> str:
        template: str = words()["places"][type(place).__name__]
        return f" {template.format(**self._fields(place))}"


def _same(field: str) -> str:
    text: str = words()["same"].get(field, f"with the same {said(field)}")
    return text


def _quantity(quantity: goals.conditions.Quantity) -> str:
    if isinstance(quantity, goals.conditions.Best):
        return f"best {quantity.tool}"
    if isinstance(quantity, goals.conditions.Light):
        return "light"
    assert isinstance(quantity, goals.conditions.Amount)
    return said(quantity.item)


def _is_item(quantity: goals.conditions.Quantity) -> bool:
    """Returns whether it is the amount of something that can be carried."""
    if not isinstance(quantity, goals.conditions.Amount):
        return False
    return quantity.item not in goals.conditions.VITALS


def _walls(own: int) -> str:
    blocks = "block" if own == 1 else "blocks"
    return f" with at least {own} {blocks} of your own in its walls" if own else ""


def _with(material: str, least: int) -> str:
    return f" and at least {least} {said(material)} around it" if least else ""


def _flat(condition: AllOf) -> list[Condition]:
    """Returns the conditions of a chain, however it is nested."""
    return [
        leaf
        for part in condition.conditions
        for leaf in (_flat(part) if type(part) is AllOf else [part])
    ]
