"""Command-line options of the app."""

from __future__ import annotations

import argparse
import contextlib
import math
import pathlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crafter.core import arguments, options
from crafter.core import game as core_game
from crafter.core.agents import agent_names, load_agent
from crafter.core.validation import raising
from crafter.gui import saves, settings
from crafter.gui.game import adapter
from crafter.gui.session import DEATHS
from crafter.gui.tasks import is_attempt
from crafter.recording.reader import load_game

#: File name for F5, with the name of the game; it is put into the recording folder, or
#: else the working directory.
SAVE_NAME = "{}-save.npz"

_CELLS = 1_000_000  # of a map
_VIDEOS = (".mp4", ".gif", ".avi", ".mkv", ".webm")
_SIZE = {"nargs": 2, "metavar": ("WIDTH", "HEIGHT"), "type": arguments.positive}
_DRAWN = {**_SIZE, "type": arguments.not_negative}
_FILE = {"metavar": "FILE"}
_TRUTH = {"nargs": "?", "default": False, "const": True, "type": arguments.truth}

_GAME: options.Table = {
    "episode": (None, arguments.positive, "number of the first world of the seed"),
    "view": (
        None,
        _SIZE,
        "view in cells, inventory included (if adjustable)",
    ),
    "length": (None, arguments.not_negative, "steps after which an episode ends"),
    "health": (
        None,
        arguments.positive,
        "maximum and initial health (if adjustable)",
    ),
    "god-mode": (False, None, "have every item; nothing harms or stops the player"),
    "death": ("reset", DEATHS, "what to do at the end of an episode"),
    "agent": (None, str, f"who plays: {', '.join(agent_names())}, or a file"),
}
_TASK: options.Table = {
    "task": (None, str, "task to play: a name, an expression or a task file"),
    "difficulty": (None, str, "simple, medium or hard (default: simple)"),
    "split": (
        None,
        str,
        "split of the scenes: train (default), val or test; --seed is the index",
    ),
}
_WINDOW: options.Table = {
    "window": (None, _SIZE, "size of the picture in pixels (default: the game's)"),
    "size": ((0, 0), _DRAWN, "size to draw at before scaling; 0: the window's"),
    "fps": (5, arguments.positive, "steps per second"),
    "wait": (None, _TRUTH, "wait for a key before each step, except while asleep"),
    "terminal": (False, None, "play in this terminal, one key per step, no window"),
    "tutorial": (False, _TRUTH, "show what to do next, until done once"),
    "sound": (False, _TRUTH, "play short sound effects"),
    "colours": (*settings.COLOURS, "usual, or distinct for red-green colour blindness"),
    "nonstop": (False, None, "start without a key press, also after a death"),
}
_FILES: options.Table = {
    "record": (None, {"metavar": "DIR"}, "record all episodes into this folder"),
    "save": (None, _FILE, "file for F5 to save and F9 to load (default: in --record)"),
    "resume": (None, _FILE, "resume a saved game, with its own options"),
    "keys": (None, _FILE, "YAML file of keys: 'actions: {do: e, sleep: [z, tab]}'"),
    "replay": (None, _FILE, "play back a recorded episode (npz) or attempt (jsonl.gz)"),
    "html": (None, _FILE, "write --replay as an HTML page, without a window"),
}
#: Mutually exclusive options.
_EXCLUSIVE = (
    *(("replay", name) for name in ("task", "record", "resume")),
    *(("terminal", name) for name in ("replay", "record", "resume", "agent")),
    ("replay", "agent"),
    *((name, "task") for name in ("episode", "length", "health", "save", "resume")),
)
_GROUPS = {"game": _GAME, "task": _TASK, "window": _WINDOW, "files": _FILES}


def make_parser() -> argparse.ArgumentParser:
    """Returns the command-line parser."""
    names = core_game.names("app")  # default first
    parser = options.Parser(
        prog="crafter", description="Play a game in a window. F1 shows the keys."
    )
    parser.add_argument(
        "--game",
        choices=names,
        help=f"game to play (default: {names[0]}; of a replay, the recorded one)",
    )
    options.add_options(parser, arguments.WORLD)
    parser.set_defaults(area=None)
    for title, table in _GROUPS.items():
        options.add_options(parser.add_argument_group(title), table)
    return parser


def read_arguments(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None
) -> argparse.Namespace:
    """Returns parsed options; omitted ones get the game's defaults.

    Raises:
      SystemExit: If an option is invalid, or two contradict each other.
    """
    args = parser.parse_args(argv)
    try:
        return complete(args)
    except ValueError as error:
        parser.error(str(error))


def chooses(given: argparse.Namespace) -> bool:
    """Returns whether options determine what to open, without a title screen."""
    tables = ("game", "nonstop", *arguments.WORLD, *_GAME, *_TASK, *_FILES)
    names = [name.replace("-", "_") for name in tables]
    usual = make_parser()
    return any(getattr(given, n) != usual.get_default(n) for n in names)


def complete(args: argparse.Namespace) -> argparse.Namespace:
    """Returns options, with omitted ones set to the game's defaults.

    Raises:
      ValueError: If an option is invalid, or two contradict each other.
    """
    args = argparse.Namespace(**vars(args))
    for name, other in _EXCLUSIVE:
        if getattr(args, name) and getattr(args, other):
            raise ValueError(f"argument --{name}: not allowed with --{other}")
    if args.html and not args.replay:
        raise ValueError("argument --html: needs --replay")
    for name in _TASK:
        if getattr(args, name) and args.task is None:
            raise ValueError(f"argument --{name}: needs --task")
    if args.area and math.prod(args.area) > _CELLS:
        most = f"at most {_CELLS:,} cells, such as 1000 1000"
        raise ValueError(f"argument --area: {most}")
    if args.task and (args.seed or 0) < 0:
        raise ValueError("argument --seed: scenes are numbered from 0")
    if args.resume:
        with explained(args.resume, "resume"):
            save = saves.read(args.resume)
            vars(args).update(save.options, resume=save.path)
    if args.replay and not is_attempt(args.replay):
        _check_kind(args.replay)
        with explained(args.replay):
            args.game = load_game(pathlib.Path(args.replay).expanduser())
    if args.agent:
        args.game = args.game or load_agent(args.agent).game
    kind = adapter(args.game or core_game.names("app")[0])
    args.game = kind.key
    args.view, args.area = args.view or kind.view, args.area or kind.area
    usual = pathlib.Path(args.record or ".", SAVE_NAME.format(args.game))
    args.save = pathlib.Path(args.save or usual).expanduser()
    return args


def same_game(args: argparse.Namespace, origin: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the non-default options that start the same game.

    Args:
      args: All options.
      origin: Options that choose the world, from a session.
    """
    usual = vars(complete(make_parser().parse_args(["--game", args.game])))
    given = {**vars(args), **origin}
    if given["rules"] and pathlib.Path(given["rules"]).is_file():
        given["rules"] = str(pathlib.Path(given["rules"]).resolve())
    if given["episode"] == 1:
        given["episode"] = None
    names = (
        name.replace("-", "_") for name in ("seed", "area", "rules", *_GAME, *_TASK)
    )
    changed = {name: given[name] for name in names if given[name] != usual[name]}
    first = args.game == core_game.names("app")[0]
    return changed if first else {"game": args.game, **changed}


def command(given: Mapping[str, Any]) -> str:
    """Returns the command line for options.

    Example:
      >>> command({"seed": 4, "area": (32, 32), "god_mode": True})
      'crafter --seed 4 --area 32 32 --god-mode'
    """
    words = ["crafter"]
    for name, value in given.items():
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            words += map(str, value if isinstance(value, (list, tuple)) else [value])
    return shlex.join(words)


def _check_kind(path: str) -> None:
    """Raises `ValueError` for files that are easily mistaken for recordings."""
    if path.lower().endswith(_VIDEOS):
        raise ValueError(f"{path} is a video; replay the .npz beside it")
    if pathlib.Path(path).expanduser().is_dir():
        raise ValueError(f"{path} is a folder; replay one of the .npz files in it")


@contextlib.contextmanager
def explained(path: str, verb: str = "replay") -> Iterator[None]:
    """Context manager that raises `ValueError` naming the unreadable file."""
    try:
        with raising(ValueError, f"cannot {verb} {path}: "):
            yield
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
