"""Adapter of Crafter for the app: keys, options, panel, map, menu.

Source:
  Crafter 1.8.3 for the keys; the arrow keys are additions.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import arguments
from crafter.core.pictures import Pack
from crafter.games.crafter import keyboard, rules
from crafter.games.crafter.affordances import Seen, available
from crafter.games.crafter.app import messages
from crafter.games.crafter.env import Env
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.snapshot import Snapshot
from crafter.games.crafter.views import Textures
from crafter.gui import game
from crafter.gui.game import Entry, Map, Menu, VisibleCells
from crafter.gui.keys import readable
from crafter.gui.sentences import one
from crafter.gui.status import Facts, Group, Slot, clock_at
from crafter.tasks.envs import TaskEnv

_NAMES = {" ": "space", "\t": "tab"}
_ARROWS = {f"move_{way}": way for way in ("left", "right", "up", "down")}

#: Key -> action, in the default rules. There is no key for noop.
KEYS: dict[str, str] = {
    name: action
    for key, action in keyboard.KEYS.items()
    for name in (_NAMES.get(key, key), _ARROWS.get(action))
    if name is not None
}

_GOAL = (
    "Survive, and unlock as many of the {count} achievements as you can.",
    "Collect wood, build a table, make tools, mine, fight and farm. Eat, drink and "
    "sleep before it is too late, and beware of the night.",
)
_IN_A_ROW = 6  # slots of the inventory

_SIZES = ("area", "view", "size")  # of saved games
_AREA = (64, 64)
_OBSERVATION = (64, 64)  # also part of the game: at night it draws a number per pixel
_CELL = 7  # pixels of a cell in that observation
_LARGEST = 4096  # pixels of an observation; more would fill the memory


class App(game.Game):
    """Adapter of Crafter for the app.

    Args:
      rules: The rules of the game.
      env: An environment whose map has its size; by default 64 x 64 cells.
    """

    key = "crafter"
    name = "Crafter"
    least_cell = 2
    has_tasks = True
    colors = {
        "health": (226, 88, 88),
        "food": (226, 152, 82),
        "drink": (86, 158, 232),
        "energy": (232, 206, 88),
    }
    icon = ("grass", "player-down")
    action_titles = {"do": "Collect, hit, eat, drink"}
    usual_keys = KEYS
    textures = Textures
    load_rules = staticmethod(rules.load)
    hurts = messages.HURTS

    def __init__(self, rules: Rules, env: Env | None = None) -> None:
        super().__init__(rules)
        self.goal = [text.format(count=len(rules.achievements)) for text in _GOAL]
        self.action_names, self.achievements = rules.actions, rules.achievements
        self.items = list(rules.items)
        self.recipes = dict(_recipes(rules))
        vitals = [need["item"] for need in rules.life.values() if "item" in need]
        self.limits = {name: rules.items[name]["max"] for name in ["health", *vitals]}
        width, height = _AREA if env is None else env.area
        self.map = Map(
            floors=("world",),
            size=(height, width),
            layers=1,
            look=visible_cells,
            player=lambda now: (now.position[1], now.position[0]),
            draw=self._draw_map,
        )

    # Making games.

    @classmethod
    def check(cls, parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
        """Ends the program if options do not fit the game, and fills in the others."""
        if args.god_mode:
            parser.error("argument --god-mode: Crafter has none; Craftax has")
        super().check(parser, args)
        args.area = args.area or _AREA

    @classmethod
    def environment(cls, args: argparse.Namespace) -> Env:
        """Returns the environment that options describe."""
        return Env(
            **_sizes(args),
            length=args.length,
            seed=args.seed,
            events=True,
            items=arguments.item_overrides(args.health),
        )

    @classmethod
    def task_environment(cls, args: argparse.Namespace) -> TaskEnv:
        """Returns the environment of the task that options describe."""
        return TaskEnv(
            args.task,
            args.difficulty,
            **_sizes(args),
            split=args.split,
            record=bool(args.record),
            continue_after_done=args.death == "continue",
        )

    @classmethod
    def resume(
        cls,
        start: Mapping[str, np.ndarray],
        rules: Rules,
        textures: str | os.PathLike | None = None,
    ) -> Env:
        """Returns an environment in which a saved game goes on; see `Game.resume`."""
        sizes: dict[str, Any] = {
            n: tuple(start[f"config_{n}"].tolist()) for n in _SIZES
        }
        if max(sizes["size"]) > _LARGEST:
            raise ValueError(
                f"its observations have more than {_LARGEST} pixels a side"
            )
        env = Env(
            **sizes,
            reward=bool(start["config_reward"]),
            length=int(start["config_length"]),
            night_noise="published" if start["config_draws_noise"] else "private",
            textures=textures,
            events=True,
            rules=_with_limits(rules, start["config_limits"]),
        )
        env.set_state(start)
        return env

    # Playing.

    def greeting(self, env: Env) -> str:
        """Returns what the published program prints of a new world."""
        if "diamond" not in self.rules.materials:
            return ""
        assert env.world is not None
        return f"Diamonds exist: {env.world.count('diamond')}"

    def facts(
        self,
        amounts: Mapping[str, float] | None,
        now: Snapshot | None,
        learned: Mapping[str, str],
    ) -> Facts:
        """Returns what the panel shows; see `Game.facts`."""
        time = self.rules.time
        return Facts(
            inventory=amounts,
            limits=self.limits,
            idle="asleep" if now is not None and now.sleeping else "",
            clock=None if now is None else clock_at(now.clock, now.daylight, time),
            groups=() if amounts is None else (self._inventory(amounts),),
        )

    def _inventory(self, amounts: Mapping[str, float]) -> Group:
        """Returns a slot for each item, in two rows, or more where these are full."""
        slots = tuple(
            Slot(name, (name,) if amount else (), str(amount) if amount else "")
            for name, amount in amounts.items()
            if name not in self.limits
        )
        rows = max(2, -(-len(slots) // _IN_A_ROW))
        top, bottom = self.layout.groups
        return Group(slots, max(1, -(-len(slots) // rows)), (bottom - top) / rows)

    def messages(self, events: Sequence[game.Event], now: Snapshot) -> list[str]:
        """Returns what a player should know of a step."""
        return messages.messages(self.rules, events, now)

    def menu(self, now: Snapshot, learned: Mapping[str, str]) -> list[Menu]:
        """Returns what can be placed and made, and what it takes."""
        works = () if now.sleeping or now.dead else available(Seen(self.rules, now))
        lines = [
            Entry(name, f"{readable(name)}: {takes}", name in works)
            for name, takes in _recipes(self.rules)
        ]
        return [
            Menu(title, tuple(e for e in lines if e.action.startswith(title.lower())))
            for title in ("Place", "Make")
        ]

    def possible(self, now: Snapshot) -> dict[str, str]:
        """Returns the achievements that an action would serve now, and the action."""
        if now.sleeping:
            return {}
        scene = Seen(self.rules, now)
        serves = {"do": _use(scene), "sleep": "wake_up"}
        found = {serves.get(action, action): action for action in available(scene)}
        return {name: found[name] for name in self.achievements if name in found}

    def _draw_map(self, pack: Pack, cells: np.ndarray) -> np.ndarray:
        names = [name or "path" for name in self.rules.semantic_names]
        size = game.MAP_CELL, game.MAP_CELL
        tiles = np.stack([pack.get(name, size)[..., :3] for name in names])
        rows = tiles[cells[..., 0]].swapaxes(1, 2)  # of cells, then of their pixels
        return rows.reshape(rows.shape[0] * rows.shape[1], -1, 3)


def observation_size(view: tuple[int, int]) -> tuple[int, int]:
    """Returns the size of the observation for a view: the usual one if it is enough.

    Example:
      >>> observation_size((9, 9)), observation_size((40, 40))
      ((64, 64), (280, 280))
    """
    if all(App.least_cell * n <= most for n, most in zip(view, _OBSERVATION)):
        return _OBSERVATION
    return view[0] * _CELL, view[1] * _CELL


def visible_cells(now: Snapshot) -> VisibleCells:
    """Returns the materials that the player sees; rows and columns, as of pictures."""
    ground = np.ascontiguousarray(now.ground.T)
    seen = (ground > 0) & game.by_daylight(ground.shape, now.daylight)
    rows, columns = ground.shape
    corner = now.position[1] - rows // 2, now.position[0] - columns // 2
    return VisibleCells(0, corner, ground[..., None], seen)


def _sizes(args: argparse.Namespace) -> dict[str, Any]:
    view = tuple(args.view)
    return {
        "area": tuple(args.area),
        "view": view,
        "size": observation_size(view),
        "textures": args.textures,
        "rules": args.rules,
    }


def _with_limits(table: Rules, limits: np.ndarray) -> Rules:
    """Returns rules with other limits of items, of which one begins with as much."""
    if len(limits) != len(table.items):
        return table
    changes = {
        name: {"max": int(limit), "initial": int(limit)}
        for (name, item), limit in zip(table.items.items(), limits)
        if item["max"] != limit
    }
    return table.changed({"items": changes}) if changes else table


def _recipes(rules: Rules) -> Iterator[tuple[str, str]]:
    for name, placing in rules.place.items():
        yield f"place_{name}", _amounts(placing["uses"])
    for name, making in rules.make.items():
        near = " and ".join(map(one, making["nearby"]))
        place = f", near {near}" if near else ""
        yield f"make_{name}", _amounts(making["uses"]) + place


def _amounts(uses: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {item.replace('_', ' ')}" for item, n in uses.items())


def _use(scene: Seen) -> str:
    """Returns the achievement that `do` may bring, or ''."""
    rules = scene.rules
    if scene.kind is not None and scene.kind in rules.do:
        return str(rules.do[scene.kind].get("achievement", ""))
    rule = rules.collect.get(scene.material or "")
    return f"collect_{next(iter(rule['receive']), '')}" if rule else ""
