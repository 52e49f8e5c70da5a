"""Rules supported by the JAX engine.

Numbers of the rules are read at compile time. Names and world generation are compiled
in; this module rejects changes to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crafter.core.ruleset import changed, leaves, refuse
from crafter.games.craftax import tables as craftax_tables
from crafter.games.craftax.tables import Tables

#: Sections whose names and order are compiled in.
_NAMED = (
    *("actions", "blocks", "movements", "place", "spells", "projectiles"),
    *("achievements", "inventory"),
)
#: Other entries of the published rules that are compiled in.
_COMPILED = (
    r"items\.|view\.cells|inventory\.\w+\.(each|tiers)|terrain\.(?!glow\.|floors\.)"
    r"|rooms\.(?!floors\.)|(terrain|rooms)\.floors\.\w+\.(?!ladders\.)"
)
#: Maximum amount of an item, and of kills that open a ladder: 16-bit integers.
_MOST = 2**15 - 1


def check_rules(tables: Tables) -> None:
    """Checks that the compiled game supports all changes of the rules.

    Args:
      tables: The rules.

    Raises:
      RulesError: If the rules change something that is compiled in.
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
    """Yields the paths of unsupported values."""
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
