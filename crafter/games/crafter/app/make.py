"""Makes games of Crafter: from the options of the command line, and from files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core import arguments
from crafter.games.crafter import rules
from crafter.games.crafter.app import game
from crafter.games.crafter.env import Env
from crafter.games.crafter.views import Textures
from crafter.gui.game import Game, Maker

_AREA, _VIEW = (64, 64), (9, 9)
_PICTURE = (600, 600)
_OBSERVATION = (64, 64)  # also part of the game: at night it draws a number per pixel
_CELL = 7  # pixels of a cell in that observation
_LARGEST = 4096  # pixels of an observation; more would fill the memory


def check(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program if options do not fit the game, and fills in the others."""
    if args.god_mode:
        parser.error("argument --god-mode: Crafter has none; Craftax has")
    args.area = args.area or _AREA
    args.view = args.view or _VIEW


def environment(args: argparse.Namespace) -> Env:
    """Returns the environment that the options describe.

    Raises:
      ValueError: If it refuses an option.
    """
    return Env(
        area=tuple(args.area),
        view=tuple(args.view),
        size=observation_size(tuple(args.view)),
        length=args.length,
        seed=args.seed,
        textures=args.textures,
        events=True,
        items=arguments.item_overrides(args.health),
        rules=args.rules,
    )


def observation_size(view: tuple[int, int]) -> tuple[int, int]:
    """Returns the size of the observation for a view: the usual one if it is enough.

    Example:
      >>> observation_size((9, 9)), observation_size((40, 40))
      ((64, 64), (280, 280))
    """
    if all(game.LEAST * n <= most for n, most in zip(view, _OBSERVATION)):
        return _OBSERVATION
    return view[0] * _CELL, view[1] * _CELL


def describe_env(env: Any) -> Game:
    """Returns what a window has to know of the game of an environment."""
    return game.game(env.rules, env.area)


def resume(
    start: Mapping[str, np.ndarray],
    table: rules.Rules,
    textures: str | os.PathLike | None = None,
) -> Env:
    """Returns an environment in which a saved game goes on.

    Args:
      start: The saved game.
      table: The rules that it was played by.
      textures: Folder of a texture pack; by default our own.

    Raises:
      KeyError: If the saved game lacks an array.
      ValueError: If it does not fit the rules or this version.
    """
    if max(_pair(start["config_size"])) > _LARGEST:
        raise ValueError(f"its observations have more than {_LARGEST} pixels a side")
    env = Env(
        area=_pair(start["config_area"]),
        view=_pair(start["config_view"]),
        size=_pair(start["config_size"]),
        reward=bool(start["config_reward"]),
        length=int(start["config_length"]),
        night_noise="published" if start["config_draws_noise"] else "private",
        textures=textures,
        events=True,
        rules=_with_limits(table, start["config_limits"]),
    )
    env.set_state(start)
    return env


def _with_limits(table: rules.Rules, limits: np.ndarray) -> rules.Rules:
    """Returns rules with other limits of items, of which one begins with as much."""
    if len(limits) != len(table.items):
        return table
    changes = {
        name: {"max": int(limit), "initial": int(limit)}
        for (name, item), limit in zip(table.items.items(), limits)
        if item["max"] != limit
    }
    return table.changed({"items": changes}) if changes else table


def _pair(values: np.ndarray) -> tuple[int, int]:
    first, second = map(int, values)
    return first, second


MAKER = Maker(
    key="crafter",
    picture=_PICTURE,
    least_pixels=game.LEAST,
    check=check,
    rules=rules.load,
    describe=game.game,
    describe_env=describe_env,
    environment=environment,
    resume=resume,
    textures=Textures,
)
