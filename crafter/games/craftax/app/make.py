"""Makes games of Craftax: from the options of the command line, and from files."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.games.craftax import Env, tables
from crafter.games.craftax.app import game
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.textures import Textures
from crafter.gui.game import Game, Maker

_PICTURE = (528, 624)  # 48 pixels a cell, three for each of a texture


def check(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program if options do not fit the game, and fills in the others."""
    columns, rows = game.CELLS
    args.view = args.view or game.CELLS
    if tuple(args.view) != game.CELLS:
        parser.error(
            f"argument --view: Craftax shows {columns} x {rows} cells and no others, "
            f"got {args.view[0]} x {args.view[1]}"
        )
    if args.health is not None:
        parser.error(
            "argument --health: in Craftax health depends on strength; omit --health"
        )
    if args.length == 0:
        parser.error("argument --length: Craftax has a limit; expected at least 1")
    if args.area and args.area[0] != args.area[1]:
        parser.error(
            f"argument --area: floors of Craftax are square, got {args.area[0]} x "
            f"{args.area[1]}"
        )


def environment(args: argparse.Namespace) -> Env:
    """Returns the environment that the options describe.

    Raises:
      ValueError: If it refuses an option.
    """
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


def describe_env(env: Any) -> Game:
    """Returns what a window has to know of the game of an environment."""
    return game.game(env.tables, env.parameters)


def resume(
    start: Mapping[str, np.ndarray],
    rules: tables.Tables,
    textures: str | os.PathLike | None = None,
) -> Env:
    """Returns an environment in which a saved game goes on.

    Args:
      start: The saved game.
      rules: The rules that it was played by.
      textures: Folder of a texture pack; by default our own.

    Raises:
      KeyError: If the saved game lacks an array.
      ValueError: If it does not fit the rules or this version.
    """
    names = [field.name for field in dataclasses.fields(Parameters)]
    parameters = {name: start[f"config_{name}"].item() for name in names}
    env = Env("pixels", rules=rules.data, events=True, textures=textures, **parameters)
    env.set_state(start)
    return env


def load_rules(rules: Any) -> tables.Tables:
    """Returns the rules of the option `--rules`, by default the published ones.

    Raises:
      crafter.games.craftax.rules.RulesError: If they are impossible.
    """
    return tables.load(rules or "published")


MAKER = Maker(
    key="craftax",
    picture=_PICTURE,
    least_pixels=game.LEAST,
    check=check,
    rules=load_rules,
    describe=game.game,
    describe_env=describe_env,
    environment=environment,
    resume=resume,
    textures=Textures,
)
