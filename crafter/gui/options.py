"""Command line of the app."""

from __future__ import annotations

import argparse
import contextlib
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crafter.core import arguments
from crafter.core import game as core_game
from crafter.gui.game import adapter
from crafter.gui.session import DEATHS
from crafter.gui.tasks import is_attempt
from crafter.recording.reader import load_game

#: What F5 saves to, in the folder of the recording or else the working directory, after
#: the name of the game.
SAVE_NAME = "{}-save.npz"

_SIZE = {"nargs": 2, "metavar": ("WIDTH", "HEIGHT"), "type": arguments.positive}
_FILE = {"metavar": "FILE"}
_ON = {"action": "store_true"}
_TRUTH = {"nargs": "?", "const": True, "default": False, "type": arguments.truth}

# Group -> option -> what it does, and how it is read.
_OPTIONS: Mapping[str, Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "game": {
        "--view": (
            "cells shown, rows of the inventory included, where the game lets them be "
            "chosen",
            _SIZE,
        ),
        "--length": (
            "steps after which an episode ends (default: the limit of the game, or "
            "none)",
            {"type": arguments.not_negative},
        ),
        "--health": (
            "maximum and initial health, where the game lets it be chosen (default: "
            "that of the rules)",
            {"type": arguments.positive},
        ),
        "--god-mode": (
            "have everything, and be harmed and stopped by nothing, in games with it",
            _ON,
        ),
        "--death": (
            "what to do when an episode is done (default: %(default)s)",
            {"choices": DEATHS, "default": "reset"},
        ),
    },
    "task": {
        "--task": (
            "attempt a task: its name, an expression or a task file",
            {"metavar": "TASK"},
        ),
        "--difficulty": ("simple, medium or hard (default: simple)", {}),
        "--split": (
            "train, val or test: from which scenes attempts begin (default: train); "
            "--seed is the number of the first one then",
            {},
        ),
    },
    "window": {
        "--window": (
            "size of the picture in pixels; the panel and the messages come on top "
            "(default: as large as usual for the game, with square cells)",
            _SIZE,
        ),
        "--size": (
            "size at which the picture is drawn before it is scaled to the window; 0 "
            "is that of the window (default: 0 0)",
            {**_SIZE, "type": arguments.not_negative, "default": (0, 0)},
        ),
        "--fps": (
            "steps per second (default: %(default)s)",
            {"type": arguments.positive, "default": 5},
        ),
        "--wait": (
            "wait for a key before each step, except while asleep (default: False)",
            {**_TRUTH, "metavar": "True/False"},
        ),
        "--no-panel": (
            "begin without the side panel; F2 shows it",
            {"dest": "panel", "action": "store_false"},
        ),
        "--nonstop": (
            "begin, and go on with the next world after a death, without waiting for "
            "a key",
            _ON,
        ),
    },
    "files": {
        "--record": (
            "record statistics, videos and episodes into this folder",
            {"metavar": "DIR"},
        ),
        "--save": (
            "where F5 saves the game and F9 loads it from (default: "
            f"{SAVE_NAME.format('GAME')} in the folder of --record, or else in the "
            "working directory)",
            _FILE,
        ),
        "--keys": (
            "YAML file with other keys, such as 'actions: {do: e, sleep: [z, tab]}'",
            _FILE,
        ),
        "--replay": (
            "play back a recorded episode, an npz file, or an attempt at a task, a "
            "jsonl.gz file, instead of a new game",
            _FILE,
        ),
    },
}


def games() -> tuple[str, ...]:
    """Returns the names of the games that the app plays, the usual one first."""
    return core_game.names("app")


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="crafter",
        description="Play a game in a window. F1 shows the keys.",
    )
    parser.add_argument(
        "--game",
        choices=games(),
        help=f"what to play (default: {games()[0]}; of a replay, what was recorded)",
    )
    arguments.add_world_arguments(parser, area=None)
    for title, options in _OPTIONS.items():
        group = parser.add_argument_group(title)
        for name, (text, settings) in options.items():
            group.add_argument(name, help=text, **settings)
    return parser


def read_arguments(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None
) -> argparse.Namespace:
    """Returns the options of a command line; those not given get the game's values.

    Raises:
      SystemExit: If one is wrong, the game has no use for it, or two contradict.
    """
    args = parser.parse_args(argv)
    if args.replay and args.task:
        parser.error("argument --replay: not allowed with --task")
    if args.replay and args.record:
        parser.error("argument --replay: a replay cannot be recorded; omit --record")
    try:
        args.game = _recorded_game(args) if args.replay else args.game or games()[0]
    except ValueError as error:
        parser.error(str(error))
    game = adapter(args.game)
    _check_task(parser, args)
    path = args.save and pathlib.Path(args.save).expanduser()
    if path and (not path.name or path.is_dir()):
        parser.error(
            "argument --save: expected the name of a file, such as "
            f"{SAVE_NAME.format(args.game)}, not the folder {args.save!r}"
        )
    game.check(parser, args)
    smallest = [game.least_cell * cells for cells in args.view]
    for name, size in (("--window", args.window), ("--size", args.size)):
        if size and any(0 < given < low for given, low in zip(size, smallest)):
            parser.error(
                f"argument {name}: a view of {args.view[0]} x {args.view[1]} cells "
                f"needs at least {smallest[0]} x {smallest[1]} pixels, "
                f"not {size[0]} x {size[1]}"
            )
    return args


def _recorded_game(args: argparse.Namespace) -> str:
    """Returns the game of the recording that is replayed."""
    if is_attempt(args.replay):
        return args.game or games()[0]
    with explained(args.replay):
        game = load_game(pathlib.Path(args.replay).expanduser())
    if game not in games():
        known = ", ".join(games())
        raise ValueError(
            f"cannot replay {args.replay}: it is of {game}, and not of {known}"
        )
    if args.game not in (None, game):
        raise ValueError(
            f"argument --game: {args.replay} is of {game}, not of {args.game}"
        )
    return game


@contextlib.contextmanager
def explained(path: str) -> Iterator[None]:
    """Names the file that cannot be read or replayed, in a `ValueError`."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"cannot replay {path}: {error}") from error


def _check_task(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program if options of tasks do not fit the others; fills them in."""
    given = [name for name in ("difficulty", "split") if getattr(args, name)]
    if args.task is None:
        if given:
            parser.error(f"argument --{given[0]}: it needs --task")
        return
    if not adapter(args.game).has_tasks:
        having = " and ".join(name for name in games() if adapter(name).has_tasks)
        parser.error(f"argument --task: {args.game} has no tasks; {having} has")
    for name in ("length", "health", "save"):
        if getattr(args, name):
            parser.error(f"argument --{name}: not allowed with --task")
    if args.seed is not None and args.seed < 0:
        parser.error("argument --seed: scenes are counted from 0")
    args.difficulty = args.difficulty or "simple"
    args.split = args.split or "train"
