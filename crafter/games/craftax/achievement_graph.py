"""Achievement graph: the usual prerequisites of each achievement, from the rules.

A chest may shortcut a prerequisite: it holds many of the craftable and minable items.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from crafter.core import graphs
from crafter.games.craftax.tables import Tables


def requirements(tables: Tables) -> dict[str, set[str]]:
    """Derives the prerequisites of each achievement from the rules.

    Returns:
      Achievement name -> names of its direct prerequisites (transitively reduced).
    """
    needs: dict[str, set[str]] = {name: set() for name in tables.achievement_names}
    for part in (_work, _floors, _chests):
        for name, before in part(tables.data):
            needs[name] |= set(before) - {name}
    return graphs.direct(needs)


Needs = Iterable[tuple[str, Iterable[str]]]


def _work(data: Mapping[str, Any]) -> Needs:
    """Yields prerequisites of collecting, placing, crafting and enchanting."""
    has, placed = data["possessions"], data["place"].values()
    stations = {rule.get("block"): rule["achievement"] for rule in placed}

    def of(uses: Iterable[str]) -> set[str]:
        return {has[item][1] for item in uses if item in has}

    for rule in data["collect"].values():
        before = {has["pickaxe"][rule["pickaxe"]]} if "pickaxe" in rule else set()
        if rule.get("leaves", "") in stations:  # a plant grown from a sapling
            before = {stations[rule["leaves"]]}
        achievements = of(rule.get("gives", ())) | {
            *filter(None, [rule.get("achievement")])
        }
        yield from ((name, before) for name in achievements)
    for rule in placed:
        yield rule["achievement"], of(rule["uses"])
    for rule in data["recipes"].values():
        before = of(rule["uses"]) | {stations[block] for block in rule["near"]}
        raised = rule.get("raises", {}).items()
        achievements = {has[tool][tier] for tool, tier in raised if tool in has}
        achievements |= of(rule.get("gives", ())) | {
            *filter(None, [rule.get("achievement")])
        }
        yield from ((name, before) for name in achievements)
    for item, name in data["enchanting"]["achievements"].items():
        recipes = (r for r in data["recipes"].values() if item in r.get("raises", ()))
        yield name, {has[item][1] if item in has else next(recipes)["achievement"]}


def _floors(data: Mapping[str, Any]) -> Needs:
    """Yields prerequisites of entering floors and of killing their new species."""
    creatures, before, met = data["creatures"], set[str](), set[str]()
    for floor in data["floors"].values():
        if "achievement" in floor:
            yield floor["achievement"], before
            before = {floor["achievement"]}
        for kind, species in creatures.items():
            name = species[floor[kind]]["achievement"]
            if name not in met:
                met.add(name)
                yield name, before
    hit, won = data["boss"]["achievements"].values()
    yield from ((hit, before), (won, {hit}))


def _chests(data: Mapping[str, Any]) -> Needs:
    """Yields prerequisites of opening chests and of using their contents."""
    has, first = data["possessions"], data["chest"]["first"]
    entered = [floor.get("achievement") for floor in data["floors"].values()]
    chest = data["chest"]["achievement"]
    yield chest, {entered[min(first)]}
    yield data["potions"]["achievement"], {chest}
    for item, floor in {item: floor for floor, item in reversed(first.items())}.items():
        if item in has:
            yield has[item][1], {chest}
            yield data["shot"]["achievement"], {has[item][1]}
            continue
        for spell in data["spells"].values():
            yield spell["learned"], {chest, entered[floor]}
            yield spell["achievement"], {spell["learned"]}
