"""Achievement graph: the prerequisites of each achievement, from the rules.

Example:
  >>> sorted(requirements()["make_wood_pickaxe"])
  ['place_table']
  >>> depths()["collect_wood"], depths()["collect_diamond"]
  (1, 8)
"""

from collections.abc import Iterable

from crafter.core import graphs
from crafter.games.crafter.rules import Rules, default


def requirements(rules: Rules | None = None) -> dict[str, set[str]]:
    """Derives the prerequisites of each achievement from the rules.

    Args:
      rules: The rules; by default the published ones.

    Returns:
      Achievement name -> names of its direct prerequisites (transitively reduced).
    """
    rules = default() if rules is None else rules
    received = [item for rule in rules.collect.values() for item in rule["receive"]]
    sources = {item: f"collect_{item}" for item in received}
    sources |= {item: f"make_{item}" for item in rules.make}

    def of(items: Iterable[str]) -> set[str]:
        return {sources[item] for item in items if item in sources}

    needs: dict[str, set[str]] = {name: set() for name in rules.achievements}
    for rule in rules.collect.values():
        needs |= {f"collect_{item}": of(rule["require"]) for item in rule["receive"]}
    for name, rule in rules.place.items():
        needs[f"place_{name}"] = of(rule["uses"])
    for name, rule in rules.make.items():
        stations = {f"place_{station}" for station in rule["nearby"]}
        needs[f"make_{name}"] = of(rule["uses"]) | stations
    for kind, rule in rules.do.items():
        if kind in rules.place:  # only placing puts it on the map
            needs[rule["achievement"]] = {f"place_{kind}"}
    return graphs.direct({name: needs[name] for name in rules.achievements})


def depths() -> dict[str, int]:
    """Returns the depth of each achievement in the graph.

    Returns:
      Achievement name -> length of the longest chain of prerequisites that ends with
      it; 1 for achievements without prerequisites.
    """
    return graphs.depths(requirements())
