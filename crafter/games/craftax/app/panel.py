"""Panel and menu of Craftax."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from crafter.games.craftax import Env, parameters, sprites
from crafter.games.craftax.affordances import refusal, seen
from crafter.games.craftax.app.messages import called
from crafter.games.craftax.player import ATTRIBUTES, Player
from crafter.games.craftax.rows import Action
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables
from crafter.gui.game import Entry, Game, Menu
from crafter.gui.keys import readable
from crafter.gui.status import Depth, Facts, Goal, Group, Slot, clock_at

_TOOLS = ("sword", "pickaxe", "bow")
_UNKNOWN = "?"

#: What an action does: verb, and to or with what.
Use = tuple[str, str | None]

# Item -> what it is used for.
_USES: dict[str, Use] = {
    "sapling": ("place", "plant"),
    "stone": ("place", "stone"),
    "torches": ("place", "torch"),
    "books": ("read", None),
}

# What an attribute is good for, besides larger maxima: factor -> words.
_FACTORS = {
    "decay": "hunger, thirst and tiredness",
    "bow": "damage of arrows",
    "melee": "damage of blows",
    "melee_enchantment": "damage of enchanted blows",
    "spell": "damage of spells",
    "mana": "recovery of mana",
}


class Panel(Game):
    """The part of the adapter that fills the panel and the menu.

    Args:
      rules: The rules of the game.
      env: An environment whose parameters count; by default the usual ones.
    """

    rules: Tables

    def __init__(self, rules: Tables, env: Env | None = None) -> None:
        super().__init__(rules)
        usual = parameters.make(rules.data["parameters"], {})
        self.parameters = usual if env is None else env.parameters
        self.icons = {icon.value: icon for icon in sprites.icons(rules)}
        self.actions: Mapping[Use | None, Action] = {
            (row.verb, row.what): row for row in rules.actions
        }
        shots = (use for use in self.actions if use and use[0] == "shoot")
        self.uses = {**_USES, "arrows": next(shots, None)}
        self._time = {**rules.data["time"], "day": self.parameters.day_length}

    def facts(
        self,
        amounts: Mapping[str, float] | None,
        now: Snapshot | None,
        learned: Mapping[str, str],
    ) -> Facts:
        """Returns what the panel shows; see `Game.facts`."""
        if amounts is None:
            start = self.rules.data["player"]
            return Facts(inventory=None, limits=self._limits(start))
        groups = tuple(_Slots(self, amounts, now, learned).groups())
        limits = self._limits(amounts)
        facts = Facts(inventory=amounts, limits=limits, groups=groups)
        if now is None:
            return facts
        overworld = not now.level  # There is no time of day below it.
        return dataclasses.replace(
            facts,
            idle="asleep" if now.sleeping else "resting" if now.resting else "",
            clock=clock_at(now.clock, now.daylight, self._time) if overworld else None,
            depth=self._depth(now),
            goals=(self._goal(now),),
        )

    def _limits(self, amounts: Mapping[str, float]) -> dict[str, int]:
        """Returns the largest amounts of health, food, drink, energy and mana."""
        return {name: row.of(amounts) for name, row in self.rules.maxima.items()}

    def _depth(self, now: Snapshot) -> Depth:
        names, floors = self.rules.achievement_names, self.rules.floors
        known = tuple(
            floor.achievement is None or now.achievements[names[floor.achievement]]
            for floor in floors
        )
        return Depth(now.level, now.floor.replace("_", " "), known)

    def _goal(self, now: Snapshot) -> Goal:
        if now.level == self.rules.boss_floor:
            most = self.rules.data["boss"]["hits"]
            text = "hit it now" if now.boss_vulnerable else "defeat its creatures"
            text = text if now.boss_progress < most else "defeated"
            return Goal(f"Necromancer: {text}", now.boss_progress, most)
        if now.ladder_open:
            return Goal("The ladder down is open", 1, 1)
        most = self.rules.data["ladders"]["monsters"]
        return Goal("Defeat creatures to open the ladder", now.monsters_killed, most)

    # The menu.

    def menu(self, now: Snapshot, learned: Mapping[str, str]) -> list[Menu]:
        """Returns what can be chosen: attributes, enchantments, potions."""
        player = active(self.rules, now)

        def entries(verb: str, text: Callable[[str], str]) -> tuple[Entry, ...]:
            rows = [row for row in self.rules.actions if row.verb == verb]
            return tuple(
                Entry(row.name, text(row.what or ""), works(player, row))
                for row in rows
            )

        points = f"{int(now.inventory['xp'])} to spend"
        mana = self.rules.data["enchanting"]["mana"]
        gems = " or ".join(row.gem for row in self.rules.elements.values())
        return [
            Menu(
                f"Level up: {points}",
                entries("level_up", lambda what: self._level_up(now, what)),
            ),
            Menu(
                f"Enchant: at a table, for {mana} mana and a {gems}",
                entries("enchant", lambda what: self._enchant(now, what)),
            ),
            Menu("Drink", entries("drink", lambda what: _drink(now, what, learned))),
        ]

    def _level_up(self, now: Snapshot, name: str) -> str:
        value = int(now.inventory[name])
        head = f"{readable(name)} {value}"
        if value >= self.parameters.max_attribute:
            return f"{head}, which is the most"
        return f"{head} to {value + 1}: {', '.join(self._gains(name, value))}"

    def _gains(self, name: str, value: int) -> Iterator[str]:
        """Yields what one more point of an attribute changes."""
        for vital, row in self.rules.maxima.items():
            if row.attribute == name:
                yield f"{vital} up to {row.of({name: value + 1})}"
        for factor, row in self.rules.factors.items():
            if row.attribute == name:
                yield f"{_FACTORS.get(factor, factor)} x{1 + row.per * value:g}"

    def _enchant(self, now: Snapshot, what: str) -> str:
        names = self.rules.inventory_keys[what] or (what,)
        owned = [name for name in names if now.inventory[name]]
        if not owned:
            return f"{readable(what)}: you have none"
        told = [now.enchantments.get(name, "none") for name in owned]
        if what == "armour":
            told = [f"{name} {element}" for name, element in zip(owned, told)]
        return f"{readable(what)}: {', '.join(told)} so far"


def _drink(now: Snapshot, colour: str, learned: Mapping[str, str]) -> str:
    name = f"potion_{colour}"
    does = learned.get(name, "nobody knows what it does")
    return f"{called(name).capitalize()}, {int(now.inventory[name])}: {does}"


def active(rules: Tables, now: Snapshot | None) -> Player | None:
    """Returns the player, or `None` while it can do nothing."""
    idle = now is None or now.sleeping or now.resting or now.dead
    return None if idle or now is None else seen(rules, now)


def works(player: Player | None, action: Action | None) -> bool:
    """Returns whether an action would have an effect now."""
    if player is None or action is None:
        return False
    return refusal(player, action) is None


@dataclasses.dataclass(frozen=True)
class _Slots:
    """The slots of a moment.

    Args:
      panel: The panel.
      has: What the player has, by name.
      now: The moment; `None` where only the amounts were recorded.
      learned: Name of a potion -> what it does.
    """

    panel: Panel
    has: Mapping[str, float]
    now: Snapshot | None
    learned: Mapping[str, str]

    @functools.cached_property
    def _player(self) -> Player | None:
        return active(self.panel.rules, self.now)

    def groups(self) -> Iterator[Group]:
        """Yields attributes, gear, items with spells, and potions."""
        title = ", ".join(ATTRIBUTES).capitalize()
        count = f"Experience {int(self.has['xp'])}"
        yield Group(tuple(self._attributes()), 3, 40, title, count)
        gear = tuple(self._gear())
        yield Group(gear, len(gear), 46, "Gear, with enchantments")
        supplies = (*self._items(), *self._spells())
        yield Group(supplies, 7, 38, "Items and spells")
        yield Group(tuple(self._potions()), 3, 30, "Potions, and what they do")

    def _attributes(self) -> Iterator[Slot]:
        note = f"of {self.panel.parameters.max_attribute}"
        for name in ATTRIBUTES:
            yield self._slot(name, f"attributes.{name}", ("level_up", name), note)

    def _gear(self) -> Iterator[Slot]:
        pieces = self.panel.rules.inventory_keys["armour"] or ()
        for name in _TOOLS:
            yield self._slot(name, name, ("enchant", name), self._element(name))
        for place, name in enumerate(pieces):
            note = self._element(name)
            yield self._slot(name, f"armour.{place}", ("enchant", "armour"), note)

    def _items(self) -> Iterator[Slot]:
        for name, row in self.panel.rules.data["inventory"].items():
            if "tiers" not in row and "each" not in row:
                yield self._slot(name, name, self.panel.uses.get(name))

    def _spells(self) -> Iterator[Slot]:
        known = () if self.now is None else self.now.spells
        for number, name in enumerate(self.panel.rules.spells):
            path = f"learned_spells.{number}"
            yield self._slot(name, path, ("cast", name), amount=name in known)

    def _potions(self) -> Iterator[Slot]:
        for place, name in enumerate(self.panel.rules.inventory_keys["potions"] or ()):
            colour = name.removeprefix("potion_")
            does = self.learned.get(name, _UNKNOWN)
            note = does if self.has[name] else f"{colour} {does}"
            yield self._slot(name, f"potions.{place}", ("drink", colour), note)

    def _element(self, name: str) -> str:
        """Returns the enchantment of a piece of gear, or ''."""
        return "" if self.now is None else self.now.enchantments.get(name, "")

    def _slot(
        self, name: str, path: str, use: Use | None, note: str = "", amount: Any = None
    ) -> Slot:
        """Returns the slot of something that the picture shows at a path."""
        panel = self.panel
        action = panel.actions.get(use)
        amount = self.has[name] if amount is None else amount
        icons = panel.icons
        icon = icons.get(f"inventory.{path}") or icons.get(path)
        icon = icon or sprites.Icon((0, 0), path, ("", name))
        stem = icon.stems[min(int(amount), len(icon.stems) - 1)] if amount else ""
        return Slot(
            called(name).capitalize(),
            (stem, *self._glow(icon, name)) if stem else (),
            str(int(amount)) if amount and icon.digits else "",
            note,
            None if action is None else action.name,
            works(self._player, action),
        )

    def _glow(self, icon: sprites.Icon, name: str) -> Sequence[str]:
        """Returns the image of an enchantment; that of the bow is on its arrows."""
        element = self._element("bow" if name == "arrows" else name)
        ids = {row.name: row.id for row in self.panel.rules.elements.values()}
        return (icon.glows[ids[element]],) if icon.glows and element else ()
