"""Achievement graph: what each achievement needs, derived from the rules.

Example:
  >>> sorted(requirements()["make_wood_pickaxe"])
  ['place_table']
  >>> depths()["collect_wood"], depths()["collect_diamond"]
  (1, 8)
"""

import functools
from collections.abc import Iterable, Mapping

from crafter.games.crafter.rules import Rules, default
from crafter.games.crafter.schema import GROUNDS


def requirements(rules: Rules | None = None) -> dict[str, set[str]]:
    """Derives from the rules what each achievement needs.

    Args:
      rules: The rules of the game; by default those of the published one.

    Returns:
      Achievement name to the names of the achievements that must come before it,
      without those that others imply.

    Raises:
      ValueError: If an achievement needs itself, so that it can never be reached.
    """
    rules = default() if rules is None else rules
    needs = _needs(rules)
    for name in set(needs).difference(rules.achievements):
        _skip(needs, name)
    return direct({name: needs[name] for name in rules.achievements})


def _needs(rules: Rules) -> dict[str, set[str]]:
    """Returns what must come before what, achievements or not."""
    sources = _sources(rules)

    def of(items: Iterable[str]) -> set[str]:
        return {sources[item] for item in items if item in sources}

    needs: dict[str, set[str]] = {"wake_up": set()}
    for rule in rules.collect.values():
        for item in rule["receive"]:
            name, tools = f"collect_{item}", of(rule["require"])
            needs[name] = needs.get(name, tools) & tools  # any source will do
    natural = {*GROUNDS, *(ore["material"] for ore in rules.terrain["ores"])}
    for name, placing in rules.place.items():
        needs[f"place_{name}"] = of(placing["uses"])
    for name, recipe in rules.make.items():
        near = recipe["nearby"]
        stations = [m for m in near if m in rules.place and m not in natural]
        needs[f"make_{name}"] = of(recipe["uses"]) | {f"place_{m}" for m in stations}
    for kind, target in rules.do.items():
        placed = kind in rules.place  # nothing else puts it on the map
        needs[target.get("achievement", "")] = {f"place_{kind}"} if placed else set()
    return needs


def _sources(rules: Rules) -> dict[str, str]:
    """Returns what gives each item that the player does not begin with."""
    received = [item for rule in rules.collect.values() for item in rule["receive"]]
    sources = {item: f"collect_{item}" for item in received}
    sources |= {item: f"make_{item}" for item in rules.make}
    return {i: name for i, name in sources.items() if not rules.items[i]["initial"]}


def _skip(needs: dict[str, set[str]], skipped: str) -> None:
    """Takes something out that is no achievement, and puts its needs in its place."""
    before = needs.pop(skipped)
    for others in needs.values():
        if skipped in others:
            others.remove(skipped)
            others |= before


def direct(needs: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Removes the requirements that another requirement has already.

    Raises:
      ValueError: If something needs itself, so that it can never be reached.

    Example:
      >>> direct({"a": set(), "b": {"a"}, "c": {"a", "b"}})["c"]
      {'b'}
    """

    def everything_before(name: str, after: tuple[str, ...] = ()) -> set[str]:
        if name in after:
            raise ValueError(f"{name} can never be reached: it needs itself.")
        path = (*after, name)
        return needs[name].union(*(everything_before(n, path) for n in needs[name]))

    return {
        name: before.difference(*map(everything_before, before))
        for name, before in needs.items()
    }


def depths(rules: Rules | None = None) -> dict[str, int]:
    """Returns how far along the graph each achievement is.

    Args:
      rules: The rules of the game; by default those of the published one.

    Returns:
      Achievement name to the number of achievements in the longest chain of
      requirements that ends with it; 1 for those that need no other.
    """
    needs = requirements(rules)

    @functools.cache
    def depth(name: str) -> int:
        return 1 + max(map(depth, needs[name]), default=0)

    return {name: depth(name) for name in needs}
