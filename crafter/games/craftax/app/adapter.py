"""Adapter of Craftax for the app: keys, options, panel, map, menu.

Source:
  Craftax 1.6.1 for the keys; the arrow keys are additions.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.pictures import Pack
from crafter.games.craftax import Env, parameters, sprites, tables
from crafter.games.craftax.affordances import refusal
from crafter.games.craftax.app import messages
from crafter.games.craftax.app.messages import called, counted, effect
from crafter.games.craftax.lookahead import possible, seen
from crafter.games.craftax.player import ATTRIBUTES, Player
from crafter.games.craftax.rows import Action
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.textures import Textures
from crafter.games.craftax.views import MapView, Scene
from crafter.gui import game
from crafter.gui.game import Entry, Map, Menu, PanelLayout, Tier, VisibleCells
from crafter.gui.keys import is_key, readable
from crafter.gui.sentences import listed, one
from crafter.gui.status import Depth, Facts, Goal, Group, Slot, clock_at

_ARROWS = ("left", "right", "up", "down")


def keys(rules: Tables) -> dict[str, str]:
    """Returns the keys that the rules give actions, and the arrow keys."""
    published = {row.key: row.name for row in rules.actions if is_key(row.key)}
    moves = {row.what: row.name for row in rules.actions if row.verb == "move"}
    return {**published, **{way: moves[way] for way in _ARROWS if way in moves}}


#: Key -> action, in the published rules.
KEYS = keys(tables.load())

_GOAL = (
    "Go down through {floors} floors, and defeat the necromancer in the lowest. On the "
    "way, unlock as many of the {count} achievements as you can.",
    "Below the overworld, a ladder opens when {monsters} creatures of its floor are "
    "defeated. Each new floor gives a point of experience to spend. Bring torches, "
    "food and water.",
)
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

# The tiers in the order of the panel. The first two stand in one column, the others in
# the other, so that both are about as long.
_TIERS = ("basic", "very_advanced", "intermediate", "advanced")

_TITLES = {
    "noop": "Wait",
    "do": "Collect, hit, eat, drink, open",
    "left": "Move left",
    "right": "Move right",
    "up": "Move up",
    "down": "Move down",
    "descend": "Go down a ladder",
    "ascend": "Go up a ladder",
}


class App(game.Game):
    """Adapter of Craftax for the app.

    Args:
      rules: The rules of the game.
      env: An environment whose parameters count; by default the usual ones.
    """

    key = "craftax"
    name = "Craftax"
    victory = "The necromancer is defeated, and the world is saved."
    view = sprites.frame_cells(tables.load())
    largest_picture = (528, 624)  # 48 pixels a cell, three for each of a texture
    least_cell = sprites.LEAST_CELL
    idles = True
    layout = PanelLayout(
        size=(614, 600),
        goals=182,
        vitals=(206, 26),
        achievements=(314, 26, 284, 544),
        groups=(288, 590),
    )
    colors = {
        "health": (226, 88, 88),
        "food": (226, 152, 82),
        "drink": (86, 158, 232),
        "energy": (232, 206, 88),
        "mana": (150, 122, 232),
    }
    icon = ("grass", "necromancer")
    textures = Textures
    load_rules = staticmethod(lambda option: tables.load(option or "published"))
    hurts = messages.HURTS
    called = staticmethod(called)

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
        numbers = {
            "floors": len(rules.floors),
            "count": len(rules.achievement_names),
            "monsters": rules.data["ladders"]["monsters"],
        }
        self.goal = [text.format(**numbers) for text in _GOAL]
        self.usual_keys = keys(rules)
        self.action_names = rules.action_names
        self.achievements = rules.achievement_names
        self.items = items(rules)
        drinks = (row for row in rules.actions if row.verb == "drink")
        drinking = {row.name: f"Drink {row.what} potion" for row in drinks}
        self.action_titles = {**_TITLES, **drinking}
        self.recipes = dict(_recipes(rules))
        self.map = Map(
            floors=tuple(name.replace("_", " ") for name in rules.floor_names),
            size=(self.parameters.map_size,) * 2,
            layers=2,
            look=self.visible_cells,
            player=lambda now: now.position,
            draw=self._draw_map,
        )

    @property
    def tiers(self) -> list[list[Tier]]:
        """The achievements by tier, in two columns."""
        every = self.rules.data["achievements"]
        tiers = [
            Tier(
                tier.replace("_", " ").capitalize(),
                tuple(name for name, own in every.items() if own == tier),
            )
            for tier in dict.fromkeys([*_TIERS, *every.values()])
        ]
        return [tiers[:2], tiers[2:]]

    # Making games.

    @classmethod
    def check(cls, parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
        """Ends the program if options do not fit the game, and fills in the others."""
        super().check(parser, args)
        view, own = ("{} x {}".format(*size) for size in (args.view, cls.view))
        wide, high = args.area or (0, 0)
        if view != own:
            parser.error(
                f"argument --view: Craftax shows {own} cells and no others, got {view}"
            )
        if args.health is not None:
            text = "in Craftax health depends on strength; omit --health"
            parser.error(f"argument --health: {text}")
        if args.length == 0:
            parser.error("argument --length: Craftax has a limit; expected at least 1")
        if wide != high:
            parser.error(
                f"argument --area: floors of Craftax are square, got {wide} x {high}"
            )

    @staticmethod
    def rules_of(env: Env) -> Tables:
        """Returns the rules of an environment."""
        return env.tables

    @classmethod
    def environment(cls, args: argparse.Namespace) -> Env:
        """Returns the environment that options describe."""
        changes = {"god_mode": args.god_mode}
        changes |= {"map_size": args.area[0]} if args.area else {}
        changes |= {"max_timesteps": args.length} if args.length else {}
        return Env(
            "pixels",
            rules=args.rules or "published",
            seed=args.seed,
            textures=args.textures,
            events=True,
            **changes,
        )

    @classmethod
    def resume(
        cls,
        start: Mapping[str, np.ndarray],
        rules: Tables,
        textures: str | os.PathLike | None = None,
    ) -> Env:
        """Returns an environment in which a saved game goes on; see `Game.resume`."""
        names = [field.name for field in dataclasses.fields(parameters.Parameters)]
        changes = {name: start[f"config_{name}"].item() for name in names}
        env = Env("pixels", rules=rules.data, events=True, textures=textures, **changes)
        env.set_state(start)
        return env

    # Playing.

    def cells(self, env: Env) -> game.Size:
        """Returns the columns and rows of the pictures of an environment."""
        return sprites.frame_cells(env.tables)

    def learned(self, now: Snapshot) -> dict[str, str]:
        """Returns what potions that were just drunk have done: name -> effect."""
        return {
            f"potion_{event['colour']}": effect(event["name"], event["change"])
            for event in now.events
            if event["type"] == "potion"
        }

    def messages(self, events: Sequence[game.Event], now: Snapshot) -> list[str]:
        """Returns what a player should know of a step."""
        return messages.messages(self.rules, events, now)

    def possible(self, now: Snapshot) -> dict[str, str]:
        """Returns the achievements that an action would serve now, and the action."""
        return possible(self.rules, now)

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

    # The map.

    def visible_cells(self, now: Snapshot) -> VisibleCells:
        """Returns blocks and items that the player sees; what is dark is not seen."""
        ids = self.rules.item_ids
        seen = now.light > self.rules.data["view"]["dim"]
        if now.level == 0:
            seen &= game.by_daylight(seen.shape, now.daylight)
        cells = now.items
        if not now.ladder_open:
            shut = np.uint8(ids["ladder_down_blocked"])
            cells = np.where(cells == ids["ladder_down"], shut, cells)
        both = np.stack([now.blocks, cells], -1)
        return VisibleCells(now.level, now.corner, both, seen)

    def _draw_map(self, pack: Pack, cells: np.ndarray) -> np.ndarray:
        assert isinstance(pack, Textures)
        shape = cells.shape[0], cells.shape[1]
        view = MapView(pack, game.MAP_CELL, shape, self.rules)
        light = np.ones(shape, np.float32)
        return view(Scene(cells[..., 0], cells[..., 1], light, []))


def items(rules: Tables) -> list[str]:
    """Returns the names of all that the player has as a number."""
    names = [*rules.maxima, "xp", *ATTRIBUTES]
    for name, parts in rules.inventory_keys.items():
        names += [name] if parts is None else parts
    return names


def _recipes(rules: Tables) -> Iterator[tuple[str, str]]:
    """Yields what actions take."""
    for action in rules.actions:
        what = action.what or ""
        if action.verb == "place":
            yield action.name, _amounts(rules.place[what].uses)
        elif action.verb == "make":
            recipe = rules.recipes[what]
            near = [one(called(rules.block_names[block])) for block in recipe.near]
            yield action.name, f"{_amounts(recipe.uses)}, near {listed(near, 'and')}"
        elif action.verb == "cast":
            yield action.name, f"{rules.spells[what].mana} mana"
        elif action.verb == "enchant":
            gems = [element.gem for element in rules.elements.values()]
            mana = rules.data["enchanting"]["mana"]
            yield action.name, f"{mana} mana, a {listed(gems)}"


def _amounts(uses: Mapping[str, int]) -> str:
    return ", ".join(counted(number, item) for item, number in uses.items())


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
      game: The adapter.
      has: What the player has, by name.
      now: The moment; `None` where only the amounts were recorded.
      learned: Name of a potion -> what it does.
    """

    game: App
    has: Mapping[str, float]
    now: Snapshot | None
    learned: Mapping[str, str]

    @functools.cached_property
    def _player(self) -> Player | None:
        return active(self.game.rules, self.now)

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
        note = f"of {self.game.parameters.max_attribute}"
        for name in ATTRIBUTES:
            yield self._slot(name, f"attributes.{name}", ("level_up", name), note)

    def _gear(self) -> Iterator[Slot]:
        pieces = self.game.rules.inventory_keys["armour"] or ()
        for name in _TOOLS:
            yield self._slot(name, name, ("enchant", name), self._element(name))
        for place, name in enumerate(pieces):
            note = self._element(name)
            yield self._slot(name, f"armour.{place}", ("enchant", "armour"), note)

    def _items(self) -> Iterator[Slot]:
        for name, row in self.game.rules.data["inventory"].items():
            if "tiers" not in row and "each" not in row:
                yield self._slot(name, name, self.game.uses.get(name))

    def _spells(self) -> Iterator[Slot]:
        known = () if self.now is None else self.now.spells
        for number, name in enumerate(self.game.rules.spells):
            path = f"learned_spells.{number}"
            yield self._slot(name, path, ("cast", name), amount=name in known)

    def _potions(self) -> Iterator[Slot]:
        for place, name in enumerate(self.game.rules.inventory_keys["potions"] or ()):
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
        action = self.game.actions.get(use)
        amount = self.has[name] if amount is None else amount
        icons = self.game.icons
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
        ids = {row.name: row.id for row in self.game.rules.elements.values()}
        return (icon.glows[ids[element]],) if icon.glows and element else ()
