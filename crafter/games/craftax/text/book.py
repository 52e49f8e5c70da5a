"""Rulebook of Craftax for texts and parser."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crafter.core import clock
from crafter.games.craftax.tables import CLASSES, Tables
from crafter.lm.rendering.facts import DARKNESS
from crafter.lm.rendering.rulebook import Recipe, Rulebook, Source

#: Where the words of the game are.
FOLDER = pathlib.Path(__file__).with_name("data")
VITALS = ("health", "food", "drink", "energy", "mana")
ATTRIBUTES = ("dexterity", "strength", "intelligence", "xp")
#: Blocks that look alike for all purposes, and projectiles of one picture -> name.
ALIKE = {
    "wall_moss": "wall",
    "grave2": "grave",
    "grave3": "grave",
    "arrow2": "arrow",
    "fireball2": "fireball",
    "iceball2": "iceball",
}


def book_of(tables: Tables) -> Rulebook:
    """Returns what texts and parser need of some rules of Craftax."""
    data = tables.data
    blocks, near = data["blocks"], [row["near"] for row in data["recipes"].values()]
    creatures = tuple(name for kind in CLASSES for name in data["creatures"][kind])
    ground = {name for name, row in blocks.items() if row["kind"] == "ground"}
    walkable = ground - {DARKNESS, "invalid", "out_of_bounds", "necromancer_vulnerable"}
    drawn = data["symbols"]["blocks"].items()
    symbols = {name: char for char, name in drawn if name not in ALIKE}
    stations = [name for names in near for name in names]
    return Rulebook(
        folder=FOLDER,
        rules=tables,
        digest=tables.digest,
        actions=tables.action_names,
        moves={way: way for way in tables.direction_names},
        achievements=tables.achievement_names,
        recipes=_recipes(tables),
        sources={name: _source(data, rule) for name, rule in data["collect"].items()},
        plantable=data["place"]["plant"]["where"],
        vitals=VITALS,
        tools=tuple(tools(tables)),
        groups={"armour": tuple(armour(tables)), "potions": potions(tables)},
        ores=("diamond", "ruby", "sapphire", "iron", "coal"),
        stations=tuple(dict.fromkeys([*stations, *_enchantment_tables(tables)])),
        creatures=frozenset(creatures),
        materials=tuple(name for name in blocks if name not in (*ALIKE, "invalid")),
        kinds=(*creatures, *_projectiles(tables), *data["items"][1:]),
        walkable=frozenset(walkable) | frozenset(data["items"][1:]),
        symbols=symbols,
        reach=1,
        rewards=tables.weights,
        tiers=_tiers(tables),
        time=_time(tables),
    )


def _time(tables: Tables) -> dict[str, Any]:
    """Returns the section `time`, with moments; without night, it is at midnight."""
    data = tables.data
    time = {**data["time"], "day": data["parameters"]["day_length"]}
    named = clock.moments(time)
    at_night = dict.fromkeys(("dusk", "dawn"), named["midnight"])
    return {**time, "moments": {**at_night, **named}}


def tools(tables: Tables) -> Iterator[str]:
    """Yields the names of tools and weapons, such as `stone_pickaxe`."""
    rows = tables.data["inventory"]
    for name in ("pickaxe", "sword"):
        yield from (f"{tier}_{name}" for tier in rows[name]["tiers"][1:])
    yield "bow"


def armour(tables: Tables) -> Iterator[str]:
    """Yields the names of pieces of armour, such as `iron_helmet`."""
    row = tables.data["inventory"]["armour"]
    for piece in row["each"]:
        yield from (f"{tier}_{piece}" for tier in row["tiers"][1:])


def potions(tables: Tables) -> tuple[str, ...]:
    """Returns the names of potions, such as `potion_red`."""
    return tables.inventory_keys["potions"] or ()


def amounts(tables: Tables, has: Mapping[str, int]) -> dict[str, float]:
    """Returns vitals and items by the names of `Player.amounts`.

    Args:
      tables: The rules.
      has: Vitals and items of an observation, which has one name for each tier.
    """
    found: dict[str, float] = {name: has.get(name, 0) for name in tables.maxima}
    for item, keys in tables.inventory_keys.items():
        tiers = tables.data["inventory"][item].get("tiers", ())
        for name in keys or (item,):
            found[name] = _tier(has, name, tiers) if tiers else has.get(name, 0)
    return found


def _tier(has: Mapping[str, int], name: str, tiers: Sequence[str]) -> int:
    names = [name if tier == name else f"{tier}_{name}" for tier in tiers]
    return max((n for n, owned in enumerate(names) if has.get(owned)), default=0)


def _tiers(tables: Tables) -> dict[str, tuple[str, ...]]:
    """Returns the achievements by difficulty."""
    of = tables.data["achievements"].items()
    names = dict.fromkeys(tier for _, tier in of)
    return {name: tuple(n for n, tier in of if tier == name) for name in names}


def _enchantment_tables(tables: Tables) -> list[str]:
    return [row["block"] for row in tables.data["enchanting"]["elements"].values()]


def _projectiles(tables: Tables) -> list[str]:
    names = tables.data["projectiles"]
    return list(dict.fromkeys(ALIKE.get(name, name) for name in names))


def _recipes(tables: Tables) -> dict[str, Recipe]:
    recipes = {}
    for action, row in tables.data["actions"].items():
        if row["verb"] == "place":
            rule = tables.data["place"][row["what"]]
            recipes[action] = Recipe(rule["uses"], (), _where(tables, rule))
        elif row["verb"] == "make":
            rule = tables.data["recipes"][row["what"]]
            gives = rule.get("gives", {})
            recipes[action] = Recipe(rule["uses"], tuple(rule["near"]), (), gives)
    return recipes


def _where(tables: Tables, rule: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns where something is placed: blocks, or `free` for all but solid ones."""
    if "free" in rule["where"]:
        return ("free",)
    blocks = tables.data["blocks"].items()
    torch = [name for name, row in blocks if row.get("torch")]
    return tuple(torch if "torch" in rule["where"] else rule["where"])


def _source(data: Mapping[str, Any], rule: Mapping[str, Any]) -> Source:
    tier = data["inventory"]["pickaxe"]["tiers"][rule.get("pickaxe", 0)]
    needs = (f"{tier}_pickaxe",) if rule.get("pickaxe") else ()
    gives = rule.get("gives") or rule.get("restores", {})
    return Source(gives, needs, rule.get("chance", 1), rule.get("leaves"))
