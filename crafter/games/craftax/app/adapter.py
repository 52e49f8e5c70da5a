"""Adapter of Craftax for the app: keys, options, map, costs.

Source:
  Craftax 1.6.1 for the keys; the arrow keys are additions.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from crafter.core.pictures import Pack
from crafter.games.craftax import Env, sprites, tables
from crafter.games.craftax.affordances import possible
from crafter.games.craftax.app import messages
from crafter.games.craftax.app.messages import called, counted, effect
from crafter.games.craftax.app.panel import Panel
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import ATTRIBUTES
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.textures import Textures
from crafter.games.craftax.views import MapView, Scene
from crafter.gui import game, map_tiles
from crafter.gui.game import Map, PanelLayout, Tier, VisibleCells
from crafter.gui.keys import is_key
from crafter.gui.sentences import listed, one

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
# Which tiers stand below each other, so that the columns are about as long.
_COLUMNS = (("basic", "very_advanced"), ("intermediate", "advanced"))

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


class App(Panel):
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
        super().__init__(rules, env)
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
        known = [tier for column in _COLUMNS for tier in column]
        others = [tier for tier in dict.fromkeys(every.values()) if tier not in known]
        columns = [*_COLUMNS[:-1], (*_COLUMNS[-1], *others)]
        return [
            [
                Tier(
                    tier.replace("_", " ").capitalize(),
                    tuple(name for name, own in every.items() if own == tier),
                )
                for tier in column
            ]
            for column in columns
        ]

    # Making games.

    @classmethod
    def check(cls, parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
        """Ends the program if options do not fit the game, and fills in the others."""
        super().check(parser, args)
        view, own = ("{} x {}".format(*size) for size in (args.view, cls.view))
        area = args.area or (0, 0)
        for wrong, fault in (
            (
                view != own,
                f"--view: Craftax shows {own} cells and no others, got {view}",
            ),
            (
                args.health is not None,
                "--health: in Craftax health depends on strength; omit --health",
            ),
            (args.length == 0, "--length: Craftax has a limit; expected at least 1"),
            (
                area[0] != area[1],
                f"--area: floors of Craftax are square, got {area[0]} x {area[1]}",
            ),
        ):
            if wrong:
                parser.error(f"argument {fault}")

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
        names = [field.name for field in dataclasses.fields(Parameters)]
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

    def visible_cells(self, now: Snapshot) -> VisibleCells:
        """Returns blocks and items that the player sees; what is dark is not seen."""
        ids = self.rules.item_ids
        seen = now.light > self.rules.data["view"]["dim"]
        if now.level == 0:
            seen &= map_tiles.by_daylight(seen.shape, now.daylight)
        cells = now.items
        if not now.ladder_open:
            shut = np.uint8(ids["ladder_down_blocked"])
            cells = np.where(cells == ids["ladder_down"], shut, cells)
        both = np.stack([now.blocks, cells], -1)
        return VisibleCells(now.level, now.corner, both, seen)

    def _draw_map(self, pack: Pack, cells: np.ndarray) -> np.ndarray:
        assert isinstance(pack, Textures)
        shape = cells.shape[0], cells.shape[1]
        view = MapView(pack, map_tiles.CELL, shape, self.rules)
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
