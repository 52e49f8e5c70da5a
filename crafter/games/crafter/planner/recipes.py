"""What having an item takes: which items, tools and stations, by the rules."""

from __future__ import annotations

import collections
import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.rules import Rules


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
    """Returns the steps to have items all at once, each after what it needs.

    Args:
      rules: The rules of the game.
      wants: Item -> amount to have.
      inventory: Item -> amount there is.
      stations: Stations that need not be placed.

    Raises:
      Unsolved: `missing`, if an item cannot be had at all; `cap`, if the player cannot
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
    stock, kept = collections.Counter(inventory), collections.Counter[str]()
    standing, steps = set(stations), list[Step]()

    def need(name: str, amount: int, around: tuple[str, ...] = ()) -> None:
        """Takes an amount from the stock; what is missing is made or collected."""
        taken = min(stock[name], amount)
        stock[name] -= taken
        if amount == taken:
            return
        if name in around:
            raise Unsolved("missing", name)
        around, missing = (*around, name), amount - taken
        if name in rules.make:
            rule = rules.make[name]
            times = math.ceil(missing / rule["gives"])
            made, verb = times * int(rule["gives"]), "make"
            for station in rule["nearby"]:
                put(station, around)
            for used, n in rule["uses"].items():
                need(used, n * times, around)
        elif sources(rules, name):
            rule, verb = rules.collect[sources(rules, name)[0]], "collect"
            times = made = math.ceil(missing / rule["receive"][name]) * int(
                rule["receive"][name]
            )
            for tool, n in rule["require"].items():
                lacking = max(0, n - kept[tool])
                need(tool, lacking, around)
                stock[tool] += lacking  # a tool is needed, not used up
        else:
            raise Unsolved("missing", name)
        stock[name] += made - missing
        steps.append(Step(verb, name, times))

    def put(station: str, around: tuple[str, ...]) -> None:
        """Places a station that does not stand yet."""
        if station in standing:
            return
        if station not in rules.place or station in around:
            raise Unsolved("missing", station)
        standing.add(station)
        for used, n in rules.place[station]["uses"].items():
            need(used, n, (*around, station))
        steps.append(Step("place", station, 1))

    for item, amount in wants.items():
        need(item, amount)
        kept[item] += amount  # it is there to the end, and serves as a tool
    return _joined(steps)


def _joined(steps: list[Step]) -> list[Step]:
    """Returns the steps; what is collected several times, only the first time."""
    totals: dict[str, int] = collections.Counter()
    for step in steps:
        totals[step.what] += step.amount if step.verb == "collect" else 0
    first = {s.what: s for s in reversed(steps) if s.verb == "collect"}
    return [
        s._replace(amount=totals[s.what]) if s.verb == "collect" else s
        for s in steps
        if s.verb != "collect" or s is first[s.what]
    ]
