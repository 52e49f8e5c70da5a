"""Vocabulary of Craftax, for rendering and parsing, and its rules text."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crafter.core import clock
from crafter.games.craftax.tables import Tables
from crafter.lm.rendering.facts import DARKNESS
from crafter.lm.rendering.rules_text import Writer
from crafter.lm.rendering.words import Recipe, Source, Words, load

#: Folder of the game's words.
FOLDER = pathlib.Path(__file__).with_name("data")
VITALS = ("health", "food", "drink", "energy", "mana")
ATTRIBUTES = ("dexterity", "strength", "intelligence", "xp")
_KINDS = ("physical", "fire", "ice")
#: Indistinguishable blocks, and projectiles that share a picture -> name.
ALIKE: dict[str, str] = load("words", FOLDER)["alike"]


def words_of(tables: Tables) -> Words:
    """Returns the vocabulary of Craftax under given rules."""
    data = tables.data
    blocks, near = data["blocks"], [row["near"] for row in data["recipes"].values()]
    species = [row for rows in tables.species.values() for row in rows]
    creatures = {row.name: row.health for row in species}
    ground = {name for name, row in blocks.items() if row["kind"] == "ground"}
    walkable = ground - {DARKNESS, "invalid", "out_of_bounds", "necromancer_vulnerable"}
    drawn = data["symbols"]["blocks"].items()
    symbols = {name: char for char, name in drawn if name not in ALIKE}
    stations = [name for names in near for name in names]
    stations += [row["block"] for row in data["enchanting"]["elements"].values()]
    of = data["achievements"].items()
    owned, pieces = items(tables), data["inventory"]["armour"]["each"]
    shots = dict.fromkeys(ALIKE.get(name, name) for name in data["projectiles"])
    return Words(
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
        creatures=creatures,
        materials=tuple(name for name in blocks if name not in (*ALIKE, "invalid")),
        kinds=(*creatures, *shots, *data["items"][1:]),
        walkable=frozenset(walkable) | frozenset(data["items"][1:]),
        deadly=frozenset(n for n, row in blocks.items() if row["kind"] == "lava"),
        symbols=symbols,
        reach=1,
        rewards=tables.weights,
        tiers={
            tier: tuple(n for n, t in of if t == tier) for tier in dict(of).values()
        },
        time=_time(tables),
    )


def _time(tables: Tables) -> dict[str, Any]:
    """Returns the section `time` with times of day; without night, dusk is midnight."""
    data = tables.data
    time = {**data["time"], "day": data["parameters"]["day_length"]}
    named = clock.moments(time)
    at_night = dict.fromkeys(("dusk", "dawn"), named["midnight"])
    return {**time, "moments": {**at_night, **named}}


def items(tables: Tables) -> dict[str, list[str]]:
    """Returns inventory field -> its item for each tier, such as `iron_helmet`.

    Fields without tiers are items themselves and omitted.
    """
    tier_items = {}
    for name, keys in tables.inventory_keys.items():
        tiers = tables.data["inventory"][name].get("tiers", ())[1:]
        for key in keys or (name,):
            tier_items[key] = [
                key if tier == key else f"{tier}_{key}" for tier in tiers
            ]
    return tier_items


def amounts(tables: Tables, has: Mapping[str, int]) -> dict[str, float]:
    """Returns vitals and items by the names of `Player.amounts`.

    Args:
      tables: The rules.
      has: Vitals and items of an observation, with one name per tier.
    """
    values: dict[str, float] = {name: has.get(name, 0) for name in tables.maxima}
    for key, tiers in items(tables).items():
        owned = [tier for tier, name in enumerate(tiers, 1) if has.get(name)]
        values[key] = max(owned, default=0) if tiers else has.get(key, 0)
    return values


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
    """Returns where something can be placed: blocks, `free` for non-solid ones."""
    blocks = tables.data["blocks"].items()
    torch = [name for name, row in blocks if row.get("torch")]
    where = sorted(rule["where"], key="free".__eq__)
    return tuple(torch if "torch" in where else where)


def _source(data: Mapping[str, Any], rule: Mapping[str, Any]) -> Source:
    tier = data["inventory"]["pickaxe"]["tiers"][rule.get("pickaxe", 0)]
    needs = (f"{tier}_pickaxe",) if rule.get("pickaxe") else ()
    gives = rule.get("gives") or rule.get("restores", {})
    return Source(gives, needs, rule.get("chance", 1), rule.get("leaves"))


class CraftaxWriter(Writer):
    """Writes the rules text of Craftax; arguments as for `Writer`."""

    def __init__(self, words: Words, hide: frozenset[str] = frozenset()) -> None:
        super().__init__(words, hide)
        data = self._data
        floors, potions = data["floors"], data["potions"]["effects"]
        elements = data["enchanting"]["elements"].values()
        dungeon = data["terrain"]["floors"].items()
        tiers, chests = data["inventory"]["sword"]["tiers"], data["chest"]["first"]
        self._data |= {
            "blocks": words.materials,
            "colours": len(data["inventory"]["potions"]["each"]),
            "damages": {
                n: _damage(r["damage"]) for n, r in data["projectiles"].items()
            },
            "dark_floors": [name for name, row in dungeon if not row["light"]],
            "effects": [f"{n} {e:+}" for effect in potions for n, e in effect.items()],
            "elements": [
                f"a {e['gem']} at the {words.name(e['block'])}" for e in elements
            ],
            "first_chests": [
                f"{words.amounts({i: 1})} on floor {n}" for n, i in chests.items()
            ],
            "floor_count": len(floors),
            "healths": [r["health"] for r in data["creatures"]["passive"].values()],
            "items": data["items"][1:],
            "floor_names": [words.name(name) for name in floors],
            "numbered_floors": [f"{n} {name}" for n, name in enumerate(floors)],
            "sword_damages": dict(zip(tiers[1:], data["melee_damage"][1:])),
            "tier_rewards": [f"{n} {data['rewards'][n]}" for n in words.tiers],
        }
        player = data["player"]
        self._data["most"] = {
            name: row["base"] + row["per"] * player[row["attribute"]]
            for name, row in data["maxima"].items()
        }

    @property
    def floor_list(self) -> Iterator[str]:
        """Floors and their creatures, one per line."""
        *floors, last = self._data["floors"].items()
        for number, (name, row) in enumerate(floors):
            chances = row["chances"].items()
            who = [row[kind] for kind, chance in chances if chance and kind in row]
            yield self._say("floor", number=number, name=[name], who=who)
        yield self._say(
            "floor", number=len(floors), name=last[:1], who=["the necromancer"]
        )

    @property
    def monsters(self) -> Iterator[str]:
        """Monsters, one per line."""
        for kind in ("melee", "ranged"):
            for name, row in self._data["creatures"][kind].items():
                yield self._creature(kind, name, row)

    def _creature(self, template: str, name: str, row: Mapping[str, Any]) -> str:
        """Returns a template filled in for a creature."""
        shot, parts = row.get("shoots", ""), zip(_KINDS, row.get("defence", ()))
        damages, hits = self._data["damages"], _damage(row.get("damage", ()))
        fields = {
            "name": [name],
            "health": row["health"],
            "shot": ALIKE.get(shot, shot),
            "damage": damages[shot] if shot else hits,
            "parts": [f"{part:.0%} of {what} damage" for what, part in parts if part],
        }
        shields = self._say("shields", **fields) if fields["parts"] else ""
        return self._say(template, **fields, shields=shields)

    def _facts(self, name: str) -> Iterator[str]:
        for kind, rows in self._data["creatures"].items():
            if name in rows:
                yield self._creature(f"{kind}_facts", name, rows[name])
                return
        yield from super()._facts(name)

    @property
    def tiers(self) -> Iterator[str]:
        """Achievements by difficulty, one tier per line."""
        for tier, names in self._words.tiers.items():
            reward = self._data["rewards"][tier]
            yield self._say("tier", tier=[tier], reward=reward, names=names)


def _damage(vector: Sequence[float]) -> str:
    """Returns the components of damage, such as `6 + 1 fire + 1 ice`."""
    parts = (f"{n:g} {kind}" for kind, n in zip(_KINDS, vector) if n)
    return " + ".join(part.removesuffix(" physical") for part in parts)
