"""Rules text of Crafter, made from its tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from crafter.lm.rendering.phrases import listed
from crafter.lm.rendering.rules_text import Writer


class CrafterWriter(Writer):
    """Writes the rules of Crafter; arguments as for `Writer`."""

    # Levels.

    def brief(self) -> Iterator[str]:
        """Yields the most important rules."""
        yield self._goal()
        yield self._control()
        yield self._capital(self._brief_life())
        yield self._sentences["brief_sleep"]
        yield "Collect with do: " + "; ".join(self._brief_sources()) + "."
        yield "Recipes: " + "; ".join(self._brief_recipes()) + "."
        if "creatures" not in self._hide:
            yield self._sentences["brief_creatures"]
        yield self._brief_achievements()

    def full(self) -> Iterator[str]:
        """Yields everything."""
        yield self._goal()
        yield self._control()
        yield "\n# Your body"
        yield self._capital("; ".join(self._life())) + "."
        yield f"{self._sentences['death']} {self._sentences['sleep']}"
        yield "\n# Using do on materials"
        yield from self._bullets(self._sources())
        yield "Materials: " + ", ".join(self._tables.materials) + "."
        yield "\n# Recipes"
        yield from self._bullets(self._recipes())
        yield self._nearby()
        carried = [name for name in self._tables.items if name not in self._vitals]
        yield self._carry(carried)
        if "creatures" not in self._hide:
            yield "\n# Creatures and plants"
            yield from self._bullets(self._creatures())
        yield "\n# Day and night"
        yield self._night()
        yield "\n# Achievements"
        yield ", ".join(self._tables.achievements) + "."
        yield "\n# Controls"
        yield from self.actions()

    # Parts.

    def _goal(self) -> str:
        return self._say("goal", achievements=len(self._tables.achievements))

    def _control(self) -> str:
        return self._say("control", walkable=listed(self._tables.walkable, "or"))

    def _life(self) -> Iterator[str]:
        for counter in ("hunger", "thirst", "fatigue"):
            rule = self._tables.life[counter]
            item = self._tables.items[rule["item"]]
            yield self._say("vital", item=rule["item"], limit=rule["limit"], **item)
        recover = self._tables.life["recover"]
        yield self._say(
            "health",
            gain=recover["gain"],
            loss=-recover["loss"],
            **self._tables.items["health"],
        )
        yield f"{self._sentences['asleep']}, and {self._sentences['energy']}"

    def _sources(self) -> Iterator[str]:
        for material, rule in self._tables.collect.items():
            if "drink" in rule["receive"]:
                yield self._drink(material, rule)
                continue
            tool = ""
            if rule["require"]:
                tool = self._say("tool", require=listed(list(rule["require"])))
            chance = ""
            if rule.get("probability", 1) < 1:
                chance = self._say("chance", probability=rule["probability"])
            yield self._say(
                "collect",
                material=material,
                receive=self._amounts(rule["receive"]),
                tool=tool,
                chance=chance,
                leaves=rule["leaves"],
            )

    def _drink(self, material: str, rule: Mapping[str, Any]) -> str:
        if "numbers" in self._hide:
            return f"{material}: drink"
        return self._say("drink", material=material, amount=rule["receive"]["drink"])

    def _brief_life(self) -> str:
        counters = [self._tables.life[name] for name in ("hunger", "thirst", "fatigue")]
        return self._say(
            "brief_life",
            items=listed([rule["item"] for rule in counters]),
            limits=listed([str(rule["limit"]) for rule in counters]),
            max=self._tables.items["food"]["max"],
        )

    def _brief_achievements(self) -> str:
        crafts = self._book.recipes.keys()
        others = [name for name in self._tables.achievements if name not in crafts]
        if crafts <= set(self._tables.achievements):
            others.append("each recipe")
        return f"Achievements: {listed(others)}."

    def _brief_sources(self) -> Iterator[str]:
        for material, rule in self._tables.collect.items():
            gives = listed(list(rule["receive"]))
            needs = (
                f" (needs {listed(list(rule['require']))})" if rule["require"] else ""
            )
            yield material + (f" for {gives}" if gives != material else "") + needs

    def _nearby(self) -> str:
        return self._say("nearby", reach=self._tables.world["nearby"])

    def _carry(self, items: list[str]) -> str:
        maxima = {self._tables.items[name]["max"] for name in items}
        text = "Items: " + ", ".join(items) + "."
        if "numbers" in self._hide:
            return text
        if len(maxima) == 1:
            return f"{text} " + self._say("carry", max=maxima.pop())
        each = [f"{self._tables.items[name]['max']} {name}" for name in items]
        return f"{text} You can carry at most {listed(each)}."

    def _creatures(self) -> Iterator[str]:
        table = self._tables.creatures
        health = table["cow"]["health"]
        yield self._say(
            "cow",
            strokes=_strokes(health, self._tables.damage["unarmed"]),
            food=self._tables.do["cow"]["food"],
        )
        zombie = table["zombie"]
        yield self._say(
            "zombie",
            damage=zombie["damage"],
            damage_asleep=zombie["damage_asleep"],
            strokes_by_sword=self._strokes_by_sword(zombie["health"]),
        )
        yield self._say(
            "skeleton",
            damage=table["arrow"]["damage"],
            strokes_by_sword=self._strokes_by_sword(table["skeleton"]["health"]),
        )
        yield self._say("arrow", destroys=listed(table["arrow"]["destroys"]))
        yield self._say(
            "plant",
            where=listed(self._tables.place["plant"]["where"], "or"),
            ripe=table["plant"]["ripe"],
            food=self._tables.do["plant"]["food"],
            enemies=listed(
                [f"{name}s" for name in table["plant"]["enemies"]]
            ).capitalize(),
        )

    def _strokes_by_sword(self, health: int) -> str:
        told = []
        for name, damage in self._tables.damage.items():
            how = name if name == "unarmed" else f"with {name}"
            told.append(f"{_strokes(health, damage)} {how}")
        return ", ".join(told)

    def _night(self) -> str:
        time = self._tables.time
        text = self._say("night", day=time["day"], **time["moments"])
        if "creatures" in self._hide:
            return text
        return f"{text} {self._sentences['night_creatures']}"


def _strokes(health: int, damage: int) -> int:
    return math.ceil(health / damage)
