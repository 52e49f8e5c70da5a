"""What each achievement needs, derived from the rules of the game.

Example:
  >>> sorted(requirements()["make_wood_pickaxe"])
  ['place_table']
  >>> depths()["collect_wood"], depths()["collect_diamond"]
  (1, 8)
"""

import functools
from collections.abc import Mapping

from crafter import constants


def requirements() -> dict[str, set[str]]:
    """Derives from the rules what each achievement needs.

    Returns:
      Achievement name to the names of the achievements that must come before it, those
      left out that follow from others.
    """
    needs: dict[str, set[str]] = {name: set() for name in constants.achievements}
    makers = {f"make_{name}": rule for name, rule in constants.make.items()}
    source = {
        item: f"collect_{item}"
        for rule in constants.collect.values()
        for item in rule["receive"]
    }
    source |= {name.removeprefix("make_"): name for name in makers}
    for rule in constants.collect.values():
        for item in rule["receive"]:
            needs[source[item]] |= {source[tool] for tool in rule["require"]}
    for name, rule in constants.place.items():
        needs[f"place_{name}"] |= {source[item] for item in rule["uses"]}
    for name, rule in makers.items():
        needs[name] |= {source[item] for item in rule["uses"]}
        needs[name] |= {f"place_{material}" for material in rule["nearby"]}
    needs["eat_plant"].add("place_plant")  # The only rule that is in no table.
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
