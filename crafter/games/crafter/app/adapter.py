"""App adapter of Crafter: keys, options, panel, map, menu."""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np

from crafter.core import arguments, ruleset
from crafter.core.pictures import Pack
from crafter.games.crafter import achievement_graph, rules
from crafter.games.crafter.env import Env
from crafter.games.crafter.keyboard import KEYS as KEYS
from crafter.games.crafter.objects import Player
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.snapshot import Snapshot
from crafter.games.crafter.views import FrameView, Textures, around
from crafter.gui import game
from crafter.gui.game import Amounts, Folder, Names, State, Texts, VisibleCells
from crafter.lm.rendering.messages import Notices

TEXTS = ruleset.read(pathlib.Path(__file__).with_name("words.yaml"))

_IN_A_ROW, _ROOM = 6, 72  # slots per inventory row; height of all rows

_SIZES = ("area", "view", "size")  # of saved games
_OBSERVATION = (64, 64)  # affects the game: at night it draws a number per pixel
_CELL = 7  # pixels per cell in that observation


class App(game.Game):
    """App adapter of Crafter.

    Args:
      rules: The rules of the game.
      env: Environment that determines the size of the map; by default 64 x 64 cells.
    """

    key = "crafter"
    name = "Crafter"
    area = (64, 64)
    least_cell = 2
    icon = ("grass", "player-down")
    action_titles, hints = TEXTS["titles"], TEXTS["hints"]
    usual_keys = KEYS
    textures = Textures
    load_rules = staticmethod(rules.load)

    def __init__(self, rules: Rules, env: Env | None = None) -> None:
        super().__init__(rules)
        count = len(rules.achievements)
        self.goal = [text.format(count=count) for text in TEXTS["goal"]]
        self.action_names, self.achievements = rules.actions, rules.achievements
        self.requirements = achievement_graph.requirements(rules)
        self.notices = Notices(self.key, rules)
        self.needs = self.notices.needs
        vitals = self.notices.words.vitals
        self._limits = {name: rules.items[name]["max"] for name in vitals}
        width, height = self.area if env is None else env.area
        self.floors, self.map_shape = ["world"], (height, width, 1)

    # Making games.

    @classmethod
    def environment(cls, args: argparse.Namespace) -> Env:
        """Returns the environment for command-line options; see `Game.environment`."""
        if args.god_mode:
            raise ValueError("argument --god-mode: Crafter has none; Craftax has")
        return Env(
            **cls.arguments(args),
            length=args.length,
            seed=args.seed,
            events=True,
            items=arguments.item_overrides(args.health),
        )

    @classmethod
    def arguments(cls, args: argparse.Namespace) -> dict[str, Any]:
        """Returns environment arguments; see `Game.arguments`."""
        width, height = args.view
        enough = max(width, height) * cls.least_cell <= min(_OBSERVATION)
        return {
            "area": tuple(args.area),
            "view": (width, height),
            "size": _OBSERVATION if enough else (_CELL * width, _CELL * height),
            "textures": args.textures,
            "rules": args.rules,
        }

    @classmethod
    def resume(cls, start: State, rules: Rules, textures: Folder = None) -> Env:
        """Returns an environment that continues a saved game; see `Game.resume`."""
        sizes: dict[str, Any] = {
            n: tuple(start[f"config_{n}"].tolist()) for n in _SIZES
        }
        limits = zip(rules.items.items(), start["config_limits"].tolist())
        env = Env(
            **sizes,
            reward=bool(start["config_reward"]),
            length=int(start["config_length"]),
            night_noise="published" if start["config_draws_noise"] else "private",
            textures=textures,
            events=True,
            rules=rules,
            items={
                name: {"max": limit, "initial": limit}
                for (name, item), limit in limits
                if item["max"] != limit
            },
        )
        env.set_state(start)
        return env

    # Playing.

    def greeting(self, env: Env) -> str:
        """Returns the line that the published program prints after a reset."""
        if "diamond" not in self.rules.materials:
            return ""
        assert env.world is not None
        return f"Diamonds exist: {env.world.count('diamond')}"

    def facts(
        self, has: Amounts | None, now: Snapshot | None, learned: Texts, ready: Names
    ) -> game.Facts:
        """Returns the contents of the panel; see `Game.facts`."""
        time = self.rules.time
        return game.Facts(
            inventory=has,
            limits=self._limits,
            idle="asleep" if now is not None and now.sleeping else "",
            clock=None if now is None else game.clock_at(now.clock, now.daylight, time),
            groups=() if has is None else (self._inventory(has),),
        )

    def _inventory(self, amounts: Amounts) -> game.Group:
        """Returns a slot for each item, in two rows, or more if these are full."""
        slots = tuple(
            game.Slot(name, (name,) if amount else (), str(amount) if amount else "")
            for name, amount in amounts.items()
            if name not in self._limits
        )
        rows = max(2, -(-len(slots) // _IN_A_ROW))
        return game.Group(slots, max(1, -(-len(slots) // rows)), _ROOM / rows)

    def possible(self, env: Any) -> dict[str, str]:
        """Returns achievements available now -> action for each."""
        names = {"do": _use(env.player), "sleep": "wake_up"}
        unmasked = (a for a, on in zip(self.action_names, env.action_masks()) if on)
        available = {names.get(action, action): action for action in unmasked}
        return {
            name: available[name] for name in self.achievements if name in available
        }

    def look(self, now: Snapshot) -> VisibleCells:
        """Returns the visible materials, in rows and columns like pictures."""
        ground = np.ascontiguousarray(now.ground.T)
        rows, columns = ground.shape
        corner = now.position[1] - rows // 2, now.position[0] - columns // 2
        return VisibleCells(0, corner, ground[..., None], now.facing[::-1])

    def draw_map(self, pack: Pack, cells: np.ndarray) -> np.ndarray:
        """Returns a picture of the world."""
        names = [name or "path" for name in self.rules.semantic_names]
        size = game.MAP_CELL, game.MAP_CELL
        tiles = np.stack([pack.get(name, size)[..., :3] for name in names])
        rows = tiles[cells[..., 0]].swapaxes(1, 2)  # of cells, then of their pixels
        return rows.reshape(rows.shape[0] * rows.shape[1], -1, 3)

    # HTML replays.

    def lit_map(self, env: Env, side: int) -> Callable[[Any], np.ndarray]:
        """Returns a function that draws the map in full light; see `Game.lit_map`."""
        view = self._frame_view(env, side)
        return lambda now: view.local_view(around(now.player, view.grid), 1.0, False)

    def _frame_view(self, env: Env, side: int) -> FrameView:
        size = side * env.view[0], side * env.view[1]
        return FrameView(Textures(), env.view, size, self.rules)

    def shine(self, now: Snapshot) -> game.Shine:
        """Returns the lighting of a snapshot."""
        day, dark = now.daylight, self.rules.time["dark"]
        depth, cells = max(0.0, (dark - day) / dark), np.zeros(0, np.uint8)
        return game.Shine(day, 0.5 * (1 - day), depth, now.sleeping, cells)

    def night(self, env: Env, side: int) -> dict[str, Any]:
        """Returns the effect of night on colours; see `Game.night`."""
        light = self.rules.light
        return {
            "luma": [part / 2**16 for part in light["luma"]],
            "saturation": light["saturation"],
            "tint": list(light["night_tint"]),
            "sleep": list(light["sleep_tint"]),
            "noise": list(light["noise"]),
            "hiding": self._frame_view(env, side).local_view.vignette,
        }


def _use(player: Player) -> str:
    """Returns the achievement that `do` may unlock, or ''."""
    rules, (material, target) = player.world.rules, player.world[player.target]
    if target is not None and target.kind in rules.do:
        return str(rules.do[target.kind].get("achievement", ""))
    rule = rules.collect.get(material or "")
    return f"collect_{next(iter(rule['receive']), '')}" if rule else ""
