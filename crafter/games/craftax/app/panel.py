"""What the panel and the menu show of Craftax."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from crafter.games.craftax import sprites
from crafter.games.craftax.affordances import Seen, refusal
from crafter.games.craftax.app.messages import called
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import ATTRIBUTES
from crafter.games.craftax.rows import Action
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables
from crafter.gui.game import Entry, Menu
from crafter.gui.keys import readable
from crafter.gui.status import Clock, Depth, Facts, Goal, Group, Slot, clock_at

__all__ = ["ATTRIBUTES", "Panel"]

_TOOLS = ("sword", "pickaxe", "bow")
_UNKNOWN = "?"

# What an attribute is good for, besides larger maxima: factor -> words.
_FACTORS = {
    "decay": "hunger, thirst and tiredness",
    "bow": "damage of arrows",
    "melee": "damage of blows",
    "melee_enchantment": "damage of enchanted blows",
    "spell": "damage of spells",
    "mana": "recovery of mana",
}


class Panel:
    """Says what the panel and the menu show.

    Args:
      rules: The rules of the game.
      parameters: Arguments of the game.
    """

    def __init__(self, rules: Tables, parameters: Parameters) -> None:
        self._rules, self._parameters = rules, parameters
        self._icons = {icon.value: icon for icon in sprites.icons(rules)}
        self._pieces = rules.inventory_keys["armour"] or ()
        self._potions = rules.inventory_keys["potions"] or ()
        self._items = [
            name
            for name, row in rules.data["inventory"].items()
            if "tiers" not in row and "each" not in row
        ]
        self._time = {**rules.data["time"], "day": parameters.day_length}
        self._actions = {(row.verb, row.what): row for row in rules.actions}

    def limits(self, amounts: Mapping[str, float]) -> dict[str, int]:
        """Returns the largest amounts of health, food, drink, energy and mana."""
        return {
            name: int(row.base + row.per * amounts[row.attribute])
            for name, row in self._rules.maxima.items()
        }

    def facts(
        self,
        amounts: Mapping[str, float] | None,
        now: Snapshot | None,
        learned: Mapping[str, str],
    ) -> Facts:
        """Returns what the panel shows.

        Args:
          amounts: What the player has, by name; None if it is not known.
          now: The moment; None where only the amounts were recorded.
          learned: Name of a potion -> what it does.
        """
        if amounts is None:
            start = self._rules.data["player"]
            return Facts(inventory=None, limits=self.limits(start))
        scene = None if now is None else self._scene(now)
        groups = (
            self._attributes(amounts, now, scene),
            self._gear(amounts, now, scene),
            self._supplies(amounts, now, scene),
            self._drinks(amounts, now, scene, learned),
        )
        limits = self.limits(amounts)
        facts = Facts(inventory=amounts, limits=limits, groups=groups)
        if now is None:
            return facts
        return dataclasses.replace(
            facts,
            idle="asleep" if now.sleeping else "resting" if now.resting else "",
            clock=self._clock(now),
            depth=self._depth(now),
            goals=self._goals(now),
        )

    def _scene(self, now: Snapshot) -> Seen | None:
        """Returns what decides on actions; None while the player can do nothing."""
        idle = now.sleeping or now.resting or now.dead
        return None if idle else Seen(self._rules, now)

    def _clock(self, now: Snapshot) -> Clock | None:
        """Returns the time of day; there is none below the overworld."""
        return clock_at(now.clock, now.daylight, self._time) if not now.level else None

    def _depth(self, now: Snapshot) -> Depth:
        names, floors = self._rules.achievement_names, self._rules.floors
        known = tuple(
            floor.achievement is None or now.achievements[names[floor.achievement]]
            for floor in floors
        )
        return Depth(now.level, now.floor.replace("_", " "), known)

    def _goals(self, now: Snapshot) -> tuple[Goal, ...]:
        if now.level == self._rules.boss_floor:
            most = self._rules.data["boss"]["hits"]
            text = "hit it now" if now.boss_vulnerable else "defeat its creatures"
            text = text if now.boss_progress < most else "defeated"
            return (Goal(f"Necromancer: {text}", now.boss_progress, most),)
        if now.ladder_open:
            return (Goal("The ladder down is open", 1, 1),)
        most = self._rules.data["ladders"]["monsters"]
        return (Goal("Defeat creatures to open the ladder", now.monsters_killed, most),)

    # Groups.

    def _slot(
        self,
        name: str,
        path: str,
        value: float,
        action: Action | None,
        now: Snapshot | None,
        scene: Seen | None,
        note: str = "",
    ) -> Slot:
        """Returns the slot of something that the picture shows at a path."""
        icon = self._icons.get(path) or sprites.Icon((0, 0), path, ("", name))
        stems = icon.stems
        stem = stems[min(int(value), len(stems) - 1)] if value else ""
        glows = self._glow(icon, name, now) if stem else ()
        return Slot(
            called(name).capitalize(),
            (stem, *glows) if stem else (),
            str(int(value)) if value and icon.digits else "",
            note,
            None if action is None else action.name,
            _works(scene, action),
        )

    def _glow(
        self, icon: sprites.Icon, name: str, now: Snapshot | None
    ) -> Sequence[str]:
        """Returns the image of an enchantment; that of the bow is on its arrows."""
        if now is None or not icon.glows:
            return ()
        element = now.enchantments.get("bow" if name == "arrows" else name)
        ids = {row.name: row.id for row in self._rules.elements.values()}
        return (icon.glows[ids[element]],) if element else ()

    def _attributes(
        self, has: Mapping[str, float], now: Snapshot | None, scene: Seen | None
    ) -> Group:
        most = self._parameters.max_attribute
        title = ", ".join(ATTRIBUTES).capitalize()
        slots = tuple(
            self._slot(
                name,
                f"attributes.{name}",
                has[name],
                self._actions.get(("level_up", name)),
                now,
                scene,
                f"of {most}",
            )
            for name in ATTRIBUTES
        )
        return Group(slots, 3, 40, title, f"Experience {int(has['xp'])}")

    def _gear(
        self, has: Mapping[str, float], now: Snapshot | None, scene: Seen | None
    ) -> Group:
        enchanted = {} if now is None else now.enchantments
        parts = [(name, f"inventory.{name}", name) for name in _TOOLS]
        parts += [
            (name, f"inventory.armour.{place}", "armour")
            for place, name in enumerate(self._pieces)
        ]
        slots = tuple(
            self._slot(
                name,
                path,
                has[name],
                self._actions.get(("enchant", what)),
                now,
                scene,
                enchanted.get(name, ""),
            )
            for name, path, what in parts
        )
        return Group(slots, len(slots), 46, "Gear, with enchantments")

    def _supplies(
        self, has: Mapping[str, float], now: Snapshot | None, scene: Seen | None
    ) -> Group:
        uses = {
            "sapling": ("place", "plant"),
            "stone": ("place", "stone"),
            "torches": ("place", "torch"),
            "books": ("read", None),
        }
        shots = [row for row in self._rules.actions if row.verb == "shoot"]
        slots = [
            self._slot(
                name,
                f"inventory.{name}",
                has[name],
                shots[0] if name == "arrows" and shots else self._action(uses, name),
                now,
                scene,
            )
            for name in self._items
        ]
        known = () if now is None else now.spells
        slots += [
            self._slot(
                name,
                f"learned_spells.{number}",
                name in known,
                self._actions.get(("cast", name)),
                now,
                scene,
            )
            for number, name in enumerate(self._rules.spells)
        ]
        return Group(tuple(slots), 7, 38, "Items and spells")

    def _action(
        self, uses: Mapping[str, tuple[str, str | None]], name: str
    ) -> Action | None:
        return self._actions.get(uses[name]) if name in uses else None

    def _drinks(
        self,
        has: Mapping[str, float],
        now: Snapshot | None,
        scene: Seen | None,
        learned: Mapping[str, str],
    ) -> Group:
        slots = tuple(
            self._slot(
                name,
                f"inventory.potions.{place}",
                has[name],
                self._actions.get(("drink", name.removeprefix("potion_"))),
                now,
                scene,
                self._effect(name, has, learned),
            )
            for place, name in enumerate(self._potions)
        )
        return Group(slots, 3, 30, "Potions, and what they do")

    def _effect(
        self, name: str, has: Mapping[str, float], learned: Mapping[str, str]
    ) -> str:
        """Returns what a potion does; of one that is not there also its colour."""
        does = learned.get(name, _UNKNOWN)
        return does if has[name] else f"{name.removeprefix('potion_')} {does}"

    # The menu.

    def menu(self, now: Snapshot, learned: Mapping[str, str]) -> list[Menu]:
        """Returns what can be chosen in the menu.

        Args:
          now: The moment.
          learned: Name of a potion -> what it does.
        """
        scene = self._scene(now)

        def entry(action: Action, text: str) -> Entry:
            return Entry(action.name, text, _works(scene, action))

        rows = self._rules.actions
        points = f"{int(now.inventory['xp'])} to spend"
        mana = self._rules.data["enchanting"]["mana"]
        gems = " or ".join(row.gem for row in self._rules.elements.values())
        return [
            Menu(
                f"Level up: {points}",
                tuple(
                    entry(row, self._level_up(now, row.what or ""))
                    for row in rows
                    if row.verb == "level_up"
                ),
            ),
            Menu(
                f"Enchant: at a table, for {mana} mana and a {gems}",
                tuple(
                    entry(row, self._enchant(now, row.what or ""))
                    for row in rows
                    if row.verb == "enchant"
                ),
            ),
            Menu(
                "Drink",
                tuple(
                    entry(row, self._drink(now, f"potion_{row.what}", learned))
                    for row in rows
                    if row.verb == "drink"
                ),
            ),
        ]

    def _level_up(self, now: Snapshot, name: str) -> str:
        value = int(now.inventory[name])
        head = f"{readable(name)} {value}"
        if value >= self._parameters.max_attribute:
            return f"{head}, which is the most"
        return f"{head} to {value + 1}: {', '.join(self._gains(name, value))}"

    def _gains(self, name: str, value: int) -> Iterator[str]:
        """Yields what one more point of an attribute changes."""
        for vital, row in self._rules.maxima.items():
            if row.attribute == name:
                yield f"{vital} up to {int(row.base + row.per * (value + 1))}"
        for factor, row in self._rules.factors.items():
            if row.attribute == name:
                yield f"{_FACTORS.get(factor, factor)} x{1 + row.per * value:g}"

    def _enchant(self, now: Snapshot, what: str) -> str:
        names = self._pieces if what == "armour" else (what,)
        owned = [name for name in names if now.inventory[name]]
        if not owned:
            return f"{readable(what)}: you have none"
        told = [now.enchantments.get(name, "none") for name in owned]
        if what == "armour":
            told = [f"{name} {element}" for name, element in zip(owned, told)]
        return f"{readable(what)}: {', '.join(told)} so far"

    def _drink(self, now: Snapshot, name: str, learned: Mapping[str, str]) -> str:
        does = learned.get(name, "nobody knows what it does")
        return f"{called(name).capitalize()}, {int(now.inventory[name])}: {does}"


def _works(scene: Seen | None, action: Action | None) -> bool:
    return scene is not None and action is not None and refusal(scene, action) is None
