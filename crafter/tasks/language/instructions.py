"""Instructions in plain English, generated from goals.

Numbers come from the goal and costs from the rules: `{cost(table)}` in a text is
replaced by the cost of a table.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from crafter.tasks import game as games
from crafter.tasks.language import goals as g
from crafter.tasks.world import conditions as c

_FIGURE = re.compile(r"\{cost\((\w+)\)\}")

_SEE = "make sure that "

#: Name of a task -> its wording as part of a larger goal.
Sentences = Mapping[str, str]


def instruction(
    goal: g.Goal, rules: Any = None, sentences: Sentences | None = None
) -> str:
    """Returns the instruction for a goal.

    Args:
      goal: The goal.
      rules: The rules of the game, for costs; by default the published ones.
      sentences: Wordings of named goals, such as tasks of the catalogue.

    Example:
      >>> instruction(g.Goal.parse("hurt.within(20)"))
      'Be hurt within 20 steps.'
    """
    writer = _Writer(rules or games.find().rules, sentences or {})
    counted = "|".join(writer.words["counted"])
    text = re.sub(rf"\b1 ({counted})s\b", r"1 \1", writer.goal(goal))
    return f"{text[0].upper()}{text[1:]}."


def fill_in(text: str, rules: Any) -> str:
    """Returns a text with costs filled in.

    Raises:
      ValueError: If the rules have no such recipe.

    Example:
      >>> fill_in("It takes {cost(table)}.", games.find().rules)
      'It takes 2 wood.'
    """

    def figure(match: re.Match[str]) -> str:
        uses = games.of(rules).language.costs(match[1], rules)
        return listed([f"{n} {said(item)}" for item, n in uses.items()])

    return _FIGURE.sub(figure, text)


def said(name: str) -> str:
    """Returns a name of the rules as words."""
    return name.replace("_", " ")


def listed(parts: list[str]) -> str:
    """Returns parts as a list in a sentence."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


class _Writer:
    """Renders goals as infinitives and conditions as clauses, from templates."""

    def __init__(self, rules: Any, sentences: Sentences) -> None:
        self._rules, self._sentences = rules, sentences
        self.words: Mapping[str, Any] = games.of(rules).read("words.yaml")

    # Goals.

    def goal(self, goal: g.Goal) -> str:
        """Returns a goal as an infinitive."""
        if isinstance(goal, g.Name):
            return self._name(goal)
        if isinstance(goal, g.Event):
            return self._event(goal)
        if isinstance(goal, g.Reach):
            return _lasting(self._state(goal.condition), goal.steps)
        if isinstance(goal, g.Using):
            tier, _, kind = goal.tool.replace(":", "_").partition("_")
            how = f"with the {said(goal.tool)} as your best {kind}"
            bare = f"without owning a {kind}"
            text = self._inner(goal.goal, goal)
            return f"{text} {bare if tier == 'none' else how}"
        if isinstance(goal, g.Not) and isinstance(goal.goal, g.Reach):
            return _lasting(self._never(goal.goal.condition), goal.goal.steps)
        if isinstance(goal, g.Not) and _type(goal.goal) in self.words["never"]:
            known: str = self.words["never"][_type(goal.goal)]
            return known
        if isinstance(goal, g.Within) and goal.term().is_safety:
            return f"{self._inner(goal.goal, goal)} for {goal.n} steps"
        template: str = self.words["goals"][type(goal).__name__]
        return template.format(**self._parts(goal))

    def _never(self, condition: c.Condition) -> str:
        """Returns the infinitive for a negated state."""
        if isinstance(condition, c.Opposite):
            return f"{_SEE}{self.condition(condition.condition)} at all times"
        first, *rest = condition.conjuncts()
        during = f" while {listed(list(map(self._part, rest)))}" if rest else ""
        text = self._state(first)
        if text.startswith(_SEE) and " is " in text:
            return text.replace(" is ", " is never ", 1) + during
        if text.startswith(_SEE):
            return f"{_SEE}{self.condition(c.Opposite(first))} at all times{during}"
        return f"never {text}{during}"

    def _parts(self, goal: g.Goal) -> dict[str, str]:
        """Returns the fields for the template of a goal."""
        written = {}
        for name, value in _values(goal).items():
            if name == "place":
                written[name] = self._place(value)
            elif isinstance(value, c.Condition):
                written[name] = self.condition(value)
            elif isinstance(value, int):
                written[name] = str(value)
                written["steps"] = "1 step" if value == 1 else f"{value} steps"
            else:
                goals = value if isinstance(value, tuple) else (value,)
                written[name] = " or ".join(self._inner(part, goal) for part in goals)
        return written

    def _inner(self, goal: g.Goal, around: g.Goal) -> str:
        """Returns a goal as a part; a chain of one operator needs no parentheses."""
        text = self.goal(goal)
        parted = isinstance(goal, (g.And, g.Or, g.Then)) and type(goal) is not type(
            around
        )
        return f"({text})" if parted else text

    def _name(self, goal: g.Name) -> str:
        if goal.name in self._sentences:
            text = fill_in(self._sentences[goal.name], self._rules).rstrip(".")
            return text[0].lower() + text[1:]
        names: Mapping[str, str] = self.words["names"]
        return names.get(goal.name) or self.goal(goal.meaning)

    def _event(self, goal: g.Event) -> str:
        fields = {**self.words["fields"]}
        for name, value in goal.filters:
            options = value if isinstance(value, tuple) and name != "at" else (value,)
            fields[name] = " or ".join(map(self._value, options))
        text = self.words["events"].get(goal.type, said(goal.type)).format(**fields)
        if "left" in fields:
            text += f" and leave it a health of {fields['left']}"
        at = dict(goal.filters).get("at")
        text += f" at the cell {at}" if at is not None else ""
        if goal.n > 1:
            text += f" {goal.n} times in all"
        if goal.n > 1 and goal.same is not None:
            same = self.words["same"].get(goal.same)
            text += f" {same or f'with the same {said(goal.same)}'}"
        return text

    def _state(self, condition: c.Condition) -> str:
        """Returns the infinitive for reaching a state."""
        if isinstance(condition, c.Built):
            word = condition.structure.word
            verb = self.words["verbs"].get(word)
            if verb is not None and condition.count == 1:
                text: str = verb.format(**self._fields(condition.structure))
                return text
            return f"build {self._structure(condition)}"
        any_of = isinstance(condition, c.AnyOf)
        if any_of and all(isinstance(x, (c.AnyOf, c.Built)) for x in condition.walk()):
            return " or ".join(map(self._state, condition.parts()))
        parts = condition.parts() if any_of else condition.conjuncts()
        clauses = list(map(self._part, parts))
        if not all(clause.startswith("you ") for clause in clauses):
            return f"{_SEE}{self.condition(condition)}"
        infinitives = [_infinitive(clause) for clause in clauses]
        verb = infinitives[0].partition(" ")[0]
        if verb in ("be", "have"):  # said once
            infinitives[1:] = [
                text.removeprefix(f"{verb} ") for text in infinitives[1:]
            ]
        return " or ".join(infinitives) if any_of else listed(infinitives)

    # Conditions.

    def condition(self, condition: c.Condition) -> str:
        """Returns a condition as a clause."""
        if isinstance(condition, c.AllOf):
            return listed(list(map(self._part, condition.conjuncts())))
        if isinstance(condition, c.AnyOf):
            return " or ".join(
                self.condition(part) if isinstance(part, c.AnyOf) else self._part(part)
                for part in condition.conditions
            )
        if isinstance(condition, c.Opposite):
            inner = condition.condition
            known = self.words["opposites"].get(type(inner).__name__)
            if known is not None:
                opposite: str = known.format(**self._fields(inner))
                return opposite
            return f"it is not the case that {self._part(inner)}"
        if isinstance(condition, c.Built):
            return f"there is {self._structure(condition)}"
        kind = type(condition).__name__
        if isinstance(condition, c.Comparison):
            kind = type(condition.quantity).__name__
            if condition.number == "none":
                return f"you own no {self._fields(condition)['quantity']}"
        template: str = self.words["conditions"].get(kind, f"{condition} holds")
        return template.format(**self._fields(condition))

    def _part(self, condition: c.Condition) -> str:
        text = self.condition(condition)
        return f"({text})" if isinstance(condition, (c.AllOf, c.AnyOf)) else text

    def _structure(self, condition: c.Built) -> str:
        template: str = self.words["structures"][condition.structure.word]
        text = template.format(**self._fields(condition.structure))
        return text if condition.count == 1 else f"{condition.count} times {text}"

    def _place(self, place: c.Condition) -> str:
        template: str = self.words["places"][type(place).__name__]
        return template.format(**self._fields(place))

    def _fields(self, value: Any) -> dict[str, str]:
        """Returns the fields for the template of a condition or structure."""
        if isinstance(value, c.Comparison):
            name = getattr(value.quantity, "item", getattr(value.quantity, "tool", ""))
            relation: str = self.words["relations"][value.relation]
            amount = relation.format(it=self._number_of(value.number, name))
            of_item = hasattr(value.quantity, "item") and str(value.quantity) != name
            if of_item and (value.relation, value.number) == (">=", 1):
                amount = self._value(name)  # such as "a wood pickaxe"
            number = relation.format(it=value.number)
            tier = str(value.number)
            return {"quantity": name, "amount": amount, "number": number, "tier": tier}
        fields = _values(value)
        written = {name: self._value(content) for name, content in fields.items()}
        if "material" in fields:
            name = written["material"] = said(fields["material"])
            written["cells"] = self.words["plurals"].get(name, f"cells of {name}")
        place, n, own = fields.get("place"), fields.get("n", 1), fields.get("own", 0)
        written["place"] = "" if place is None else f" {self._place(place)}"
        blocks = f"{own} block{'' if own == 1 else 's'} of your own"
        written["walls"] = f" with at least {blocks} in its walls" if own else ""
        around = self._number_of(n, fields.get("wall"))
        written["with"] = f" and at least {around} around it" if n else ""
        written["in_line"] = " in a straight line" if fields.get("line") else ""
        written["zone"] = self.words["zones"].get(fields.get("name"), "there")
        mark = f"within the {written.get('name', '')}"
        written["mark"] = self.words["marks"].get(fields.get("name"), mark)
        written["percent"] = f"{100 * fields.get('f', 0):g}"
        thing = fields.get("kind", fields.get("what", ""))
        written["bare"] = said(str(thing))
        written["are"] = "is" if n == 1 else "are"
        for name in ("kind", "what"):
            some, no = (
                f"at least {self._number_of(n, thing)}",
                f"fewer than {self._number_of(n, thing)}",
            )
            written[f"some_{name}"] = self._value(thing) if n == 1 else some
            written[f"no_{name}"] = f"no {written['bare']}" if n == 1 else no
        return written

    def _number_of(self, n: int, thing: Any) -> str:
        """Returns a number of things of a kind."""
        name, plurals = str(thing), self.words["plurals"]
        return f"{n} {said(name) if n == 1 else plurals.get(name, said(name))}"

    def _value(self, content: Any) -> str:
        """Returns an argument as words."""
        if isinstance(content, tuple):
            return listed([self._value(part) for part in content])
        return str(self.words["values"].get(content, said(str(content))))


def _lasting(text: str, steps: int) -> str:
    return text if steps == 1 else f"{text} for {steps} steps in a row"


def _type(goal: g.Goal) -> str:
    """Returns the type of the events of a goal; empty, if it is none."""
    while isinstance(goal, g.Name):
        goal = goal.meaning
    return goal.type if isinstance(goal, g.Event) and not goal.filters else ""


def _infinitive(clause: str) -> str:
    """Returns a clause that starts with "you" as an infinitive."""
    text = clause.removeprefix("you ")
    return f"be {text.removeprefix('are ')}" if text.startswith("are ") else text


def _values(value: Any) -> dict[str, Any]:
    return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
