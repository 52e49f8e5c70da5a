"""Vocabulary of Crafter, for rendering and parsing, and its rules text."""

from __future__ import annotations

import math
import pathlib
from collections.abc import Mapping
from typing import Any

from crafter.games.crafter.rules import Rules
from crafter.lm.rendering.rules_text import Writer
from crafter.lm.rendering.words import Recipe, Source, Words

#: Folder of the game's words.
FOLDER = pathlib.Path(__file__).with_name("data")


def words_of(rules: Rules) -> Words:
    """Returns the vocabulary of Crafter under given rules."""
    strokes = [kind for kind, rule in rules.do.items() if rule["verb"] == "strike"]
    symbols = rules.symbols
    materials = {name: char for char, name in symbols["materials"].items()}
    objects = {kind: char for char, (kind, _) in symbols["objects"].items()}
    return Words(
        folder=FOLDER,
        rules=rules,
        actions=tuple(rules.actions),
        moves={way: f"move_{way}" for way in rules.directions},
        achievements=tuple(rules.achievements),
        recipes=_recipes(rules),
        sources={name: _source(rule) for name, rule in rules.collect.items()},
        plantable=tuple(rules.place.get("plant", {}).get("where", ())),
        vitals=("health", *(r["item"] for r in rules.life.values() if "item" in r)),
        tools=tuple(rules.make),
        groups={},
        ores=tuple(ore["material"] for ore in rules.terrain["ores"]),
        stations=tuple(n for rule in rules.make.values() for n in rule["nearby"]),
        creatures={kind: rules.creatures[kind]["health"] for kind in strokes},
        materials=tuple(rules.materials),
        kinds=tuple(kind for kind in rules.objects if kind != "player"),
        walkable=frozenset(rules.walkable),
        deadly=frozenset(rules.deadly),
        symbols={**materials, **objects},
        reach=rules.world["nearby"],
        rewards=(1.0,) * len(rules.achievements),
        tiers={},
        time=rules.time,
    )


def _source(rule: Mapping[str, Any]) -> Source:
    chance = rule.get("probability", 1)
    return Source(rule["receive"], tuple(rule["require"]), chance, rule["leaves"])


def _recipes(rules: Rules) -> dict[str, Recipe]:
    placed = {
        f"place_{name}": Recipe(rule["uses"], (), tuple(rule["where"]))
        for name, rule in rules.place.items()
    }
    made = {
        f"make_{name}": Recipe(rule["uses"], tuple(rule["nearby"]))
        for name, rule in rules.make.items()
    }
    return {**placed, **made}


class CrafterWriter(Writer):
    """Writes the rules text of Crafter; arguments as for `Writer`."""

    @property
    def capacity(self) -> dict[str, int]:
        """Item -> maximum that can be carried."""
        items = self._data["items"].items()
        return {n: row["max"] for n, row in items if n not in self._words.vitals}

    @property
    def strokes(self) -> dict[str, str]:
        """Creature -> number of hits with each sword, as text."""
        hits = {
            name if name == "unarmed" else f"with {name}": damage
            for name, damage in self._data["damage"].items()
        }
        return {
            kind: ", ".join(
                f"{math.ceil(row['health'] / damage)} {how}"
                for how, damage in hits.items()
            )
            for kind, row in self._data["creatures"].items()
        }
