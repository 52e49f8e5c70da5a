"""What having an item takes: which items, tools and stations, by the rules."""

from __future__ import annotations

import collections
import math
from collections.abc import Collection, Iterator, Mapping
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
    book = _Book(rules, inventory, stations)
    for item, amount in wants.items():
        book.need(item, amount, ())
        book.keep(item, amount)
    return list(_joined(book.steps))


class _Book:
    """Books what is taken from the stock while a recipe is worked out."""

    def __init__(
        self, rules: Rules, inventory: Mapping[str, int], stations: Collection[str]
    ) -> None:
        self.steps: list[Step] = []
        self._rules = rules
        self._stock = collections.Counter(dict(inventory))
        self._stations = set(stations)
        self._kept: collections.Counter[str] = collections.Counter()

    def keep(self, item: str, amount: int) -> None:
        """Takes note of what is there to the end, and serves as a tool until then."""
        self._kept[item] += amount

    def need(self, item: str, amount: int, stack: tuple[str, ...]) -> None:
        """Takes an amount from the stock; what is missing is made or collected."""
        taken = min(self._stock[item], amount)
        self._stock[item] -= taken
        missing = amount - taken
        if not missing:
            return
        if item in stack or item not in self._rules.items:
            raise Unsolved("missing", item)
        stack = (*stack, item)
        if item in self._rules.make:
            self._make(item, missing, stack)
        elif sources(self._rules, item):
            self._collect(item, missing, stack)
        else:
            raise Unsolved("missing", item)

    def _make(self, item: str, missing: int, stack: tuple[str, ...]) -> None:
        rule = self._rules.make[item]
        times = math.ceil(missing / rule["gives"])
        for station in rule["nearby"]:
            self._station(station, stack)
        for used, amount in rule["uses"].items():
            self.need(used, amount * times, stack)
        self._stock[item] += times * rule["gives"] - missing
        self.steps.append(Step("make", item, times))

    def _collect(self, item: str, missing: int, stack: tuple[str, ...]) -> None:
        material = sources(self._rules, item)[0]
        rule = self._rules.collect[material]
        for tool, amount in rule["require"].items():
            lacking = max(0, amount - self._kept[tool])
            self.need(tool, lacking, stack)
            self._stock[tool] += lacking  # A tool is needed, not used up.
        times = math.ceil(missing / rule["receive"][item])
        self._stock[item] += times * rule["receive"][item] - missing
        self.steps.append(Step("collect", item, times * rule["receive"][item]))

    def _station(self, name: str, stack: tuple[str, ...]) -> None:
        if name in self._stations:
            return
        if name not in self._rules.place or name in stack:
            raise Unsolved("missing", name)
        self._stations.add(name)
        for used, amount in self._rules.place[name]["uses"].items():
            self.need(used, amount, (*stack, name))
        self.steps.append(Step("place", name, 1))


def _joined(steps: list[Step]) -> Iterator[Step]:
    """Yields the steps; what is collected several times, only the first time."""
    totals: collections.Counter[tuple[str, str]] = collections.Counter()
    for step in steps:
        totals[step.verb, step.what] += step.amount
    seen = set()
    for step in steps:
        key = step.verb, step.what
        if step.verb == "collect" and key in seen:
            continue
        seen.add(key)
        amount = totals[key] if step.verb == "collect" else step.amount
        yield Step(step.verb, step.what, amount)
