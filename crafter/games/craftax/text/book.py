"""Rulebook of Craftax for texts and parser."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
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
    stations += [row["block"] for row in data["enchanting"]["elements"].values()]
    of = data["achievements"].items()
    owned, pieces = items(tables), data["inventory"]["armour"]["each"]
    shots = dict.fromkeys(ALIKE.get(name, name) for name in data["projectiles"])
    return Rulebook(
        folder=FOLDER,
        rules=tables,
        actions=tables.action_names,
        moves={way: way for way in tables.direction_names},
        achievements=tables.achievement_names,
        recipes=_recipes(tables),
        sources={name: _source(data, rule) for name, rule in data["collect"].items()},
        plantable=data["place"]["plant"]["where"],
        vitals=VITALS,
        tools=tuple(
            name for tool in ("pickaxe", "sword", "bow") for name in owned[tool]
        ),
        groups={
            "armour": tuple(name for piece in pieces for name in owned[piece]),
            "potions": tables.inventory_keys["potions"] or (),
        },
        ores=("diamond", "ruby", "sapphire", "iron", "coal"),
        stations=tuple(dict.fromkeys(stations)),
        creatures=frozenset(creatures),
        materials=tuple(name for name in blocks if name not in (*ALIKE, "invalid")),
        kinds=(*creatures, *shots, *data["items"][1:]),
        walkable=frozenset(walkable) | frozenset(data["items"][1:]),
        symbols=symbols,
        reach=1,
        rewards=tables.weights,
        tiers={
            tier: tuple(n for n, t in of if t == tier) for tier in dict(of).values()
        },
        time=_time(tables),
    )


def _time(tables: Tables) -> dict[str, Any]:
    """Returns the section `time`, with moments; without night, it is at midnight."""
    data = tables.data
    time = {**data["time"], "day": data["parameters"]["day_length"]}
    named = clock.moments(time)
    at_night = dict.fromkeys(("dusk", "dawn"), named["midnight"])
    return {**time, "moments": {**at_night, **named}}


def items(tables: Tables) -> dict[str, list[str]]:
    """Returns number of the inventory -> its item for each tier, such as `iron_helmet`.

    What has no tiers has no items here: it is an item itself.
    """
    found = {}
    for name, keys in tables.inventory_keys.items():
        tiers = tables.data["inventory"][name].get("tiers", ())[1:]
        for key in keys or (name,):
            found[key] = [key if tier == key else f"{tier}_{key}" for tier in tiers]
    return found


def amounts(tables: Tables, has: Mapping[str, int]) -> dict[str, float]:
    """Returns vitals and items by the names of `Player.amounts`.

    Args:
      tables: The rules.
      has: Vitals and items of an observation, which has one name for each tier.
    """
    found: dict[str, float] = {name: has.get(name, 0) for name in tables.maxima}
    for key, tiers in items(tables).items():
        owned = [tier for tier, name in enumerate(tiers, 1) if has.get(name)]
        found[key] = max(owned, default=0) if tiers else has.get(key, 0)
    return found


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
    """Returns where something is placed: blocks, `free` for those not solid."""
    blocks = tables.data["blocks"].items()
    torch = [name for name, row in blocks if row.get("torch")]
    where = sorted(rule["where"], key="free".__eq__)
    return tuple(torch if "torch" in where else where)


def _source(data: Mapping[str, Any], rule: Mapping[str, Any]) -> Source:
    tier = data["inventory"]["pickaxe"]["tiers"][rule.get("pickaxe", 0)]
    needs = (f"{tier}_pickaxe",) if rule.get("pickaxe") else ()
    gives = rule.get("gives") or rule.get("restores", {})
    return Source(gives, needs, rule.get("chance", 1), rule.get("leaves"))
