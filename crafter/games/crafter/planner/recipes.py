"""Prerequisites of items: materials, tools and stations, by the rules."""

from __future__ import annotations

import collections
import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

from crafter.games.crafter.rules import Rules
from crafter.tasks.episodes.reasons import Unsolved


class Step(NamedTuple):
    """A part of a recipe.

    Attributes:
      verb: `collect`, `place` or `make`.
      what: An item, or a station that is placed.
      amount: How many.
    """

    verb: str
    what: str
    amount: int


def sources(rules: Rules, item: str) -> list[str]:
    """Returns the materials that an item is collected from."""
    return [m for m, rule in rules.collect.items() if item in rule["receive"]]


def recipe(
    rules: Rules,
    wants: Mapping[str, int],
    inventory: Mapping[str, int],
    stations: Collection[str] = (),
) -> list[Step]:
    """Returns the steps to own items at the same time, prerequisites first.

    Args:
      rules: The rules of the game.
      wants: Item -> required amount.
      inventory: Item -> present amount.
      stations: Stations that need not be placed.

    Raises:
      Unsolved: `missing`, if an item cannot be obtained; `cap`, if the player cannot
        carry that many.

    Example:
      >>> from crafter.games.crafter.rules import default
      >>> [tuple(step) for step in recipe(default(), {"wood_pickaxe": 1}, {"wood": 1})]
      [('collect', 'wood', 2), ('place', 'table', 1), ('make', 'wood_pickaxe', 1)]
    """
    for item, amount in wants.items():
        if item not in rules.items:
            raise Unsolved("missing", item)
        if amount > rules.items[item]["max"]:
            raise Unsolved("cap", item)
    standing = {station: 1 for station in stations if station not in rules.items}
    stock = collections.Counter({**inventory, **standing})
    kept, steps = collections.Counter[str](), list[Step]()

    def need(name: str, amount: int, around: tuple[str, ...] = ()) -> None:
        """Takes an amount from the stock and adds steps for the missing part."""
        missing = max(0, amount - stock[name])
        stock[name] -= amount - missing
        if not missing:
            return
        if name in around:
            raise Unsolved("missing", name)
        source = _source(rules, name)
        times = math.ceil(missing / source.gives)
        for tool, n in source.tools.items():
            lacking = max(0, n - kept[tool])
            need(tool, lacking, (*around, name))
            stock[tool] += lacking  # tools are not used up
        for used, n in source.uses.items():
            need(used, n * times, (*around, name))
        stock[name] += times * source.gives - missing
        count = times * source.gives if source.verb == "collect" else times
        steps.append(Step(source.verb, name, count))

    for item, amount in wants.items():
        need(item, amount)
        kept[item] += amount  # it stays to the end and can serve as a tool
    return _merge(steps)


class _Source(NamedTuple):
    """Source of an item: required `tools` and stations, and what it uses up."""

    verb: str
    gives: int
    uses: Mapping[str, int]
    tools: Mapping[str, int]


def _source(rules: Rules, name: str) -> _Source:
    if name in rules.make:
        rule = rules.make[name]
        stations = dict.fromkeys(rule["nearby"], 1)
        return _Source("make", rule["gives"], rule["uses"], stations)
    for rule in (rules.collect[material] for material in sources(rules, name)[:1]):
        return _Source("collect", rule["receive"][name], {}, rule["require"])
    if name in rules.place and name not in rules.items:
        return _Source("place", 1, rules.place[name]["uses"], {})
    raise Unsolved("missing", name)


def _merge(steps: list[Step]) -> list[Step]:
    """Merges repeated collecting into the first step."""
    totals: dict[str, int] = collections.Counter()
    for step in steps:
        totals[step.what] += step.amount if step.verb == "collect" else 0
    first = {s.what: s for s in reversed(steps) if s.verb == "collect"}
    return [
        s._replace(amount=totals[s.what]) if s.verb == "collect" else s
        for s in steps
        if s.verb != "collect" or s is first[s.what]
    ]
