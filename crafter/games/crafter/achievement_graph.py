"""Achievement graph: what each achievement needs, derived from the default rules.

Example:
  >>> sorted(requirements()["make_wood_pickaxe"])
  ['place_table']
  >>> depths()["collect_wood"], depths()["collect_diamond"]
  (1, 8)
"""

import functools
from collections.abc import Iterable, Mapping

from crafter.games.crafter.rules import default


def requirements() -> dict[str, set[str]]:
    """Derives from the rules what each achievement needs.

    Returns:
      Achievement name to the names of the achievements that must come before it,
      without those that others imply.
    """
    rules = default()
    received = [item for rule in rules.collect.values() for item in rule["receive"]]
    sources = {item: f"collect_{item}" for item in received}
    sources |= {item: f"make_{item}" for item in rules.make}

    def of(items: Iterable[str]) -> set[str]:
        return {sources[item] for item in items}

    needs: dict[str, set[str]] = {name: set() for name in rules.achievements}
    for rule in rules.collect.values():
        needs |= {f"collect_{item}": of(rule["require"]) for item in rule["receive"]}
    for name, rule in rules.place.items():
        needs[f"place_{name}"] = of(rule["uses"])
    for name, rule in rules.make.items():
        stations = {f"place_{station}" for station in rule["nearby"]}
        needs[f"make_{name}"] = of(rule["uses"]) | stations
    for kind, rule in rules.do.items():
        if kind in rules.place:  # nothing else puts it on the map
            needs[rule["achievement"]] = {f"place_{kind}"}
    return direct(needs)


def direct(needs: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Removes the requirements that another requirement has already.

    Example:
      >>> direct({"a": set(), "b": {"a"}, "c": {"a", "b"}})["c"]
      {'b'}
    """

    def everything_before(name: str) -> set[str]:
        return needs[name].union(*map(everything_before, needs[name]))

    return {
        name: before.difference(*map(everything_before, before))
        for name, before in needs.items()
    }


def depths() -> dict[str, int]:
    """Returns how far along the graph each achievement is.

    Returns:
      Achievement name to the number of achievements in the longest chain of
      requirements that ends with it; 1 for those that need no other.
    """
    needs = requirements()

    @functools.cache
    def depth(name: str) -> int:
        return 1 + max(map(depth, needs[name]), default=0)

    return {name: depth(name) for name in needs}
