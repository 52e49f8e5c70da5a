"""Rules that the engine in JAX supports.

Numbers of the rules are read when functions are compiled. Names, and how worlds are
made, are part of the code; here is what that excludes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crafter.games.craftax import tables as craftax_tables
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.rules import RulesError
from crafter.games.craftax.tables import Tables

#: Sections whose names, and the order of them, are part of the code.
_NAMED = (
    *("actions", "blocks", "movements", "place", "spells", "projectiles"),
    *("achievements", "inventory"),
)
#: Parts of the floors that are read: the others are part of the code.
_READ_OF_FLOORS = ("ladders",)
_READ_OF_TERRAIN = ("glow",)

_LARGEST = 2**31 - 1
_LARGEST_AMOUNT = 2**15 - 1  # amounts of items and killed monsters have 16 bits


def check_rules(tables: Tables) -> None:
    """Checks that the compiled game reads all that rules change.

    Args:
      tables: The rules.

    Raises:
      RulesError: If something differs from the published rules that it does not read.
    """
    own, published = _compiled(tables.data), _compiled(craftax_tables.load().data)
    unread = [
        name for name in {**published, **own} if own.get(name) != published.get(name)
    ]
    unread += _unreadable(tables.data)
    if unread:
        raise RulesError(
            "Craftax in JAX is compiled for the published names, terrain and rooms, "
            f"and cannot play by these changes: {', '.join(unread)}. "
            "crafter.craftax.Env takes all rules; "
            "gymnasium.make_vec(..., vectorization_mode='sync') makes many."
        )


def _compiled(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns name -> value of what the code takes from the published rules."""
    names = {f"names of {section}": list(data[section]) for section in _NAMED}
    for kind, rows in data["creatures"].items():
        names[f"names of creatures.{kind}"] = list(rows)
    for item, row in data["inventory"].items():
        names |= {
            f"inventory.{item}.{part}": row[part]
            for part in ("each", "tiers")
            if part in row
        }
    terrain = {k: v for k, v in data["terrain"].items() if k not in _READ_OF_TERRAIN}
    return {
        **names,
        "items": data["items"],
        "view.cells": data["view"]["cells"],
        **_world("terrain", terrain),
        **_world("rooms", data["rooms"]),
    }


def _world(section: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Returns name -> value of what a section says on how floors are made."""
    values = {f"{section}.{key}": rules[key] for key in rules if key != "floors"}
    for floor, row in rules["floors"].items():
        for key in row:
            if key not in _READ_OF_FLOORS:
                values[f"{section}.floors.{floor}.{key}"] = row[key]
    return values


def _unreadable(data: Mapping[str, Any]) -> Iterator[str]:
    """Yields the paths of values that the code cannot read."""
    stations = {name for name, block in t.BLOCK.items() if block in t.STATIONS}
    for name, row in data["recipes"].items():
        if not stations.issuperset(row["near"]):
            yield f"recipes.{name}.near"
        if len(row.get("raises", ())) > 1:
            yield f"recipes.{name}.raises"
    for name, row in data["collect"].items():
        if not {"food", "drink"}.issuperset(row.get("restores", ())):
            yield f"collect.{name}.restores"
        if row.get("resets", "hunger") not in ("hunger", "thirst"):
            yield f"collect.{name}.resets"
    for name, row in data["maxima"].items():
        for key in ("base", "per"):
            if row[key] != int(row[key]):
                yield f"maxima.{name}.{key}"
    if min(data["terrain"]["glow"].values()) < 0:  # lit floors store no light
        yield "terrain.glow"
    for item, row in data["inventory"].items():
        for key in ("max", "god"):
            if row[key] > _LARGEST_AMOUNT:
                yield f"inventory.{item}.{key}"
    if data["ladders"]["killed_at_start"] > _LARGEST_AMOUNT:
        yield "ladders.killed_at_start"
    yield from _too_large("", data)


def _too_large(path: str, value: Any) -> Iterator[str]:
    """Yields the paths of whole numbers with more than 32 bits."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _too_large(f"{path}.{key}" if path else str(key), part)
    elif isinstance(value, tuple):
        for number, part in enumerate(value):
            yield from _too_large(f"{path}.{number}", part)
    elif isinstance(value, int) and abs(value) > _LARGEST:
        yield path
