"""Rules that the engine in JAX supports.

Numbers of the rules are read when functions are compiled. Names, and how worlds are
made, are part of the code; here is what that excludes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crafter.core.ruleset import changed, leaves, refuse
from crafter.games.craftax import tables as craftax_tables
from crafter.games.craftax.tables import Tables

#: Sections whose names, and the order of them, are part of the code.
_NAMED = (
    *("actions", "blocks", "movements", "place", "spells", "projectiles"),
    *("achievements", "inventory"),
)
#: What else the code has of the published rules.
_COMPILED = (
    r"items\.|view\.cells|inventory\.\w+\.(each|tiers)|terrain\.(?!glow\.|floors\.)"
    r"|rooms\.(?!floors\.)|(terrain|rooms)\.floors\.\w+\.(?!ladders\.)"
)
#: Largest amount of an item, and of kills that open a ladder: both have 16 bits.
_MOST = 2**15 - 1


def check_rules(tables: Tables) -> None:
    """Checks that the compiled game reads all that rules change.

    Args:
      tables: The rules.

    Raises:
      RulesError: If something differs from the published rules that it does not read.
    """
    published = craftax_tables.load().data
    names, known = _names(tables.data), _names(published)
    unread = [
        f"names of {section}" for section in names if names[section] != known[section]
    ]
    unread += changed(leaves(tables.data), leaves(published), _COMPILED)
    unread += _unreadable(tables.data)
    refuse("Craftax in JAX", "crafter.craftax.Env", unread)


def _names(data: Mapping[str, Any]) -> dict[str, list[str]]:
    names = {section: list(data[section]) for section in _NAMED}
    creatures = data["creatures"].items()
    return names | {f"creatures.{kind}": list(rows) for kind, rows in creatures}


def _unreadable(data: Mapping[str, Any]) -> Iterator[str]:
    """Yields the paths of values that the code cannot read."""
    for name, row in data["collect"].items():
        if not {"food", "drink"}.issuperset(row.get("restores", ())):
            yield f"collect.{name}.restores"
        if row.get("resets", "hunger") not in ("hunger", "thirst"):
            yield f"collect.{name}.resets"
    if min(data["terrain"]["glow"].values()) < 0:  # lit floors store no light
        yield "terrain.glow"
    values = leaves({name: data[name] for name in ("inventory", "ladders")})
    for path, value in values.items():
        if isinstance(value, int) and value > _MOST:
            yield path
    for name, row in data["maxima"].items():
        for key in ("base", "per"):
            if row[key] != int(row[key]):
                yield f"maxima.{name}.{key}"
