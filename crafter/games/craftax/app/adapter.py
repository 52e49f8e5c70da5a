"""App adapter of Craftax: keys, options, panel, map, menu.

Source:
  Craftax 1.6.1 for the keys; the arrow keys are new.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from crafter.core import ruleset
from crafter.core.pictures import Pack
from crafter.games.craftax import Env, parameters, sprites, tables, views
from crafter.games.craftax.achievement_graph import requirements
from crafter.games.craftax.lookahead import possible
from crafter.games.craftax.rows import ATTRIBUTES
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.textures import Textures
from crafter.games.craftax.views import MapView, Scene
from crafter.gui import game
from crafter.gui.game import Amounts, Folder, Names, State, Texts, Tier, VisibleCells
from crafter.gui.keys import PLACES, readable
from crafter.lm.rendering.messages import Notices

TEXTS = ruleset.read(pathlib.Path(__file__).with_name("words.yaml"))
_ARROWS = ("left", "right", "up", "down")


def keys(rules: Tables) -> dict[str, str]:
    """Returns the key bindings defined by the rules, plus the arrow keys."""
    published = {row.key: row.name for row in rules.actions if row.key in PLACES}
    moves = {row.what: row.name for row in rules.actions if row.verb == "move"}
    return {**published, **{way: moves[way] for way in _ARROWS if way in moves}}


#: Key -> action, in the published rules.
KEYS = keys(tables.load())

_TOOLS = ("sword", "pickaxe", "bow")
_UNKNOWN = "?"


class App(game.Game):
    """App adapter of Craftax.

    Args:
      rules: The rules of the game.
      env: Environment that determines the parameters; a default one if omitted.
    """

    key = "craftax"
    name = "Craftax"
    victory = TEXTS["victory"]
    view = sprites.frame_cells(tables.load())
    largest_picture = (528, 624)  # 48 pixels per cell, three per texture pixel
    least_cell = sprites.LEAST_CELL
    wide = True
    icon = ("grass", "necromancer")
    textures = Textures
    load_rules = staticmethod(tables.load)

    def __init__(self, rules: Tables, env: Env | None = None) -> None:
        super().__init__(rules)
        usual = parameters.make(rules.data["parameters"], {})
        self.parameters = usual if env is None else env.parameters
        self.icons = {icon.value: icon for icon in sprites.icons(rules)}
        self.actions = {(row.verb, row.what): row.name for row in rules.actions}
        self._elements = {row.name: row.id for row in rules.elements.values()}
        self._time = {**rules.data["time"], "day": self.parameters.day_length}
        numbers = {
            "floors": len(rules.floors),
            "count": len(rules.achievement_names),
            "monsters": rules.data["ladders"]["monsters"],
        }
        self.goal = [text.format(**numbers) for text in TEXTS["goal"]]
        self.usual_keys = keys(rules)
        self.action_names = rules.action_names
        self.achievements = rules.achievement_names
        self.action_titles, self.hints = TEXTS["titles"], TEXTS["hints"]
        self.requirements = requirements(rules)
        self.notices = Notices(self.key, rules)
        self.needs = self.notices.needs
        self.floors = [name.replace("_", " ") for name in rules.floor_names]
        self.map_shape = (self.parameters.map_size, self.parameters.map_size, 2)

    @property
    def tiers(self) -> list[list[Tier]]:
        """Achievements by tier, in two columns."""
        known = self.notices.words.tiers
        tiers = [
            Tier(readable(tier), known.get(tier, ()))
            for tier in dict.fromkeys([*TEXTS["tiers"], *known])
        ]
        return [tiers[:2], tiers[2:]]

    # Making games.

    @classmethod
    def environment(cls, args: argparse.Namespace) -> Env:
        """Returns the environment for command-line options; see `Game.environment`."""
        more = {} if args.length is None else {"max_timesteps": args.length}
        return Env(seed=args.seed, events=True, **cls.arguments(args), **more)

    @classmethod
    def arguments(cls, args: argparse.Namespace) -> dict[str, Any]:
        """Returns environment arguments; see `Game.arguments`."""
        if tuple(args.view) != cls.view or args.health is not None:
            raise ValueError(
                "Craftax always shows {} x {} cells, and health depends on strength: "
                "omit --view and --health".format(*cls.view)
            )
        changes: dict[str, Any] = {"god_mode": args.god_mode}
        if args.area:
            changes["map_size"], high = args.area
            if changes["map_size"] != high:
                raise ValueError("argument --area: floors of Craftax are square")
        kind = {"observation": "pixels", "rules": args.rules}
        return {**kind, "textures": args.textures, **changes}

    @classmethod
    def resume(cls, start: State, rules: Tables, textures: Folder = None) -> Env:
        """Returns an environment that continues a saved game; see `Game.resume`."""
        names = [field.name for field in dataclasses.fields(parameters.Parameters)]
        changes = {name: start[f"config_{name}"].item() for name in names}
        env = Env("pixels", rules=rules.data, events=True, textures=textures, **changes)
        env.set_state(start)
        return env

    # Playing.

    def learned(self, now: Snapshot) -> dict[str, str]:
        """Returns the effects of potions just drunk: name -> effect."""
        return {
            f"potion_{event['colour']}": f"{event['change']:+g} {event['name']}"
            for event in now.events
            if event["type"] == "potion"
        }

    def possible(self, env: Any) -> dict[str, str]:
        """Returns achievements available now -> action for each."""
        masks = dict(zip(self.action_names, env.action_masks()))
        available = possible(env.player)
        return {name: action for name, action in available.items() if masks[action]}

    def facts(
        self, has: Amounts | None, now: Snapshot | None, learned: Texts, ready: Names
    ) -> game.Facts:
        """Returns the contents of the panel; see `Game.facts`."""
        limits = self.limits(has or self.rules.data["player"])
        if has is None:
            return game.Facts(inventory=None, limits=limits)
        groups = tuple(self._groups(has, now, learned, ready))
        if now is None:
            return game.Facts(inventory=has, limits=limits, groups=groups)
        clock = None  # no time of day below the overworld
        if not now.level:
            clock = game.clock_at(now.clock, now.daylight, self._time)
        return game.Facts(
            inventory=has,
            limits=limits,
            groups=groups,
            idle="asleep" if now.sleeping else "resting" if now.resting else "",
            clock=clock,
            floor=f"Floor {now.level}: {self.floors[now.level]}",
            goals=(self._goal(now),),
        )

    def limits(self, amounts: Amounts) -> dict[str, int]:
        """Returns the maxima of health, food, drink, energy and mana."""
        return {name: row.of(amounts) for name, row in self.rules.maxima.items()}

    def _goal(self, now: Snapshot) -> game.Goal:
        if now.level == self.rules.boss_floor:
            most = self.rules.data["boss"]["hits"]
            text = "hit it now" if now.boss_vulnerable else "defeat its creatures"
            text = text if now.boss_progress < most else "defeated"
            return game.Goal(f"Necromancer: {text}", now.boss_progress, most)
        if now.ladder_open:
            return game.Goal("The ladder down is open", 1, 1)
        most = self.rules.data["ladders"]["monsters"]
        return game.Goal(
            "Defeat creatures to open the ladder", now.monsters_killed, most
        )

    def _groups(
        self, has: Amounts, now: Snapshot | None, learned: Texts, ready: Names
    ) -> Iterator[game.Group]:
        """Yields attributes, gear, items with spells, and potions; see `Game.facts`."""
        keys, data = self.rules.inventory_keys, self.rules.data["inventory"]
        elements = {} if now is None else now.enchantments
        spells = () if now is None else now.spells
        amounts = {**has, **{name: name in spells for name in self.rules.spells}}

        def slot(name: str, use: Any, note: str = "", about: str = "") -> game.Slot:
            """Returns the slot of something with an icon."""
            amount, action = int(amounts[name]), self.actions.get(use)
            icon = self.icons.get(name) or self.icons.get(f"learned_{name}")
            icon = icon or sprites.Icon((0, 0), name, ("", name))
            stems = [icon.stems[min(amount, len(icon.stems) - 1)]] if amount else [""]
            element = elements.get("bow" if name == "arrows" else name)
            if stems[0] and icon.glows and element:
                stems.append(icon.glows[self._elements[element]])
            text = str(amount) if amount and icon.digits else ""
            shown = tuple(stems) if stems[0] else ()
            is_ready = action in ready
            return game.Slot(readable(name), shown, text, note, action, is_ready, about)

        most = f"of {self.parameters.max_attribute}"
        rows = [slot(n, ("level_up", n), most) for n in ATTRIBUTES]
        title, count = ", ".join(ATTRIBUTES), f"Experience {int(has['xp'])}"
        yield game.Group(tuple(rows), 3, 40, title.capitalize(), count)
        rows = [slot(n, ("enchant", n), elements.get(n, "")) for n in _TOOLS]
        for name in keys["armour"] or ():
            rows.append(slot(name, ("enchant", "armour"), elements.get(name, "")))
        yield game.Group(tuple(rows), len(rows), 46, "Gear, with enchantments")
        names = [n for n, row in data.items() if not {"tiers", "each"} & {*row}]
        rows = [slot(name, tuple(TEXTS["uses"].get(name, ()))) for name in names]
        rows += [slot(name, ("cast", name)) for name in self.rules.spells]
        yield game.Group(tuple(rows), 7, 38, "Items and spells")
        rows = []
        for name in keys["potions"] or ():
            colour, does = name.removeprefix("potion_"), learned.get(name, _UNKNOWN)
            note = does if has[name] else f"{colour} {does}"
            about = TEXTS["untried"] if does == _UNKNOWN else does
            rows.append(slot(name, ("drink", colour), note, about))
        yield game.Group(tuple(rows), 3, 30, "Potions and their effects")

    # The map.

    def look(self, now: Snapshot) -> VisibleCells:
        """Returns the visible blocks and items; dark cells are not visible."""
        both = np.stack([now.blocks, now.items], -1)
        both[now.light <= self.rules.dim] = 0
        return VisibleCells(now.level, now.corner, both, now.facing)

    def draw_map(self, pack: Pack, cells: np.ndarray) -> np.ndarray:
        """Returns a picture of a floor in full light."""
        assert isinstance(pack, Textures)
        shape = cells.shape[0], cells.shape[1]
        view = MapView(pack, game.MAP_CELL, shape, self.rules)
        light = np.ones(shape, np.float32)
        return view(Scene(cells[..., 0], cells[..., 1], light, []))

    # HTML replays.

    def lit_map(self, env: Env, side: int) -> Callable[[Any], np.ndarray]:
        """Returns a function that draws the map in full light; see `Game.lit_map`."""
        cells = tuple(self.rules.data["view"]["cells"])
        view = MapView(Textures(), side, cells, self.rules)
        light = np.ones(cells, np.float32)

        def draw(now: Any) -> np.ndarray:
            player = now.player
            corner = player.row - cells[0] // 2, player.col - cells[1] // 2
            scene = views.look(now.world, player.level, player, corner, cells)
            return view(scene._replace(light=light, daylight=1.0, sleeping=False))

        return draw

    def shine(self, now: Snapshot) -> game.Shine:
        """Returns the lighting of a snapshot."""
        day = 1.0 if now.level else now.daylight
        eyes, depth = 0.5 if now.sleeping else 1.0, max(0.0, 2 * (views.DARK - day))
        cells = np.rint(255 * now.light).astype(np.uint8)
        return game.Shine(eyes * day, eyes * 0.5 * (1 - day), depth, False, cells)

    def night(self, env: Env, side: int) -> dict[str, Any]:
        """Returns the effect of night on colours; see `Game.night`."""
        rows, columns = self.rules.data["view"]["cells"]
        return {
            "luma": [0, 0, 0],
            "saturation": 1,
            "tint": views.NIGHT_TINT.tolist(),
            "sleep": [0, 0, 0],
            "noise": list(views.NOISE),
            "hiding": views.night_distance((rows * side, columns * side)),
        }
