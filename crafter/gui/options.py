"""Command line of the app."""

from __future__ import annotations

import argparse
import pathlib

from crafter.core import arguments
from crafter.core import game as core_game
from crafter.gui.game import adapter
from crafter.gui.session import DEATHS

#: What F5 saves to, in the folder of the recording or else the working directory, after
#: the name of the game.
SAVE_NAME = "{}-save.npz"


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
    _add_game_arguments(parser.add_argument_group("game"))
    _add_task_arguments(parser.add_argument_group("task"))
    _add_window_arguments(parser.add_argument_group("window"))
    _add_file_arguments(parser.add_argument_group("files"))
    return parser


def _add_game_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--view",
        nargs=2,
        type=arguments.positive,
        metavar=("WIDTH", "HEIGHT"),
        help="cells shown, rows of the inventory included, where the game lets them be "
        "chosen",
    )
    group.add_argument(
        "--length",
        type=arguments.not_negative,
        help="steps after which an episode ends (default: the limit of the game, or "
        "none)",
    )
    group.add_argument(
        "--health",
        type=arguments.positive,
        help="maximum and initial health, where the game lets it be chosen (default: "
        "that of the rules)",
    )
    group.add_argument(
        "--god-mode",
        action="store_true",
        help="have everything, and be harmed and stopped by nothing, in games with it",
    )
    group.add_argument(
        "--death",
        choices=DEATHS,
        default="reset",
        help="what to do when an episode is done (default: %(default)s)",
    )


def _add_task_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--task",
        metavar="TASK",
        help="attempt a task: its name, an expression or a task file",
    )
    group.add_argument(
        "--difficulty",
        help="simple, medium or hard (default: simple)",
    )
    group.add_argument(
        "--split",
        help="train, val or test: from which scenes attempts begin (default: train); "
        "--seed is the number of the first one then",
    )


def _add_window_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--window",
        nargs=2,
        type=arguments.positive,
        metavar=("WIDTH", "HEIGHT"),
        help="size of the picture in pixels; the panel and the messages come on top "
        "(default: as large as usual for the game, with square cells)",
    )
    group.add_argument(
        "--size",
        nargs=2,
        type=arguments.not_negative,
        default=(0, 0),
        metavar=("WIDTH", "HEIGHT"),
        help="size at which the picture is drawn before it is scaled to the window; "
        "0 is that of the window (default: 0 0)",
    )
    group.add_argument(
        "--fps",
        type=arguments.positive,
        default=5,
        help="steps per second (default: %(default)s)",
    )
    group.add_argument(
        "--wait",
        nargs="?",
        type=arguments.truth,
        const=True,
        default=False,
        metavar="True/False",
        help="wait for a key before each step, except while asleep (default: False)",
    )
    group.add_argument(
        "--no-panel",
        dest="panel",
        action="store_false",
        help="begin without the side panel; F2 shows it",
    )
    group.add_argument(
        "--nonstop",
        action="store_true",
        help="begin, and go on with the next world after a death, without waiting "
        "for a key",
    )


def _add_file_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--record",
        metavar="DIR",
        help="record statistics, videos and episodes into this folder",
    )
    group.add_argument(
        "--save",
        metavar="FILE",
        help="where F5 saves the game and F9 loads it from (default: "
        f"{SAVE_NAME.format('GAME')} in the folder of --record, or else in the "
        "working directory)",
    )
    group.add_argument(
        "--keys",
        metavar="FILE",
        help="YAML file with other keys, such as 'actions: {do: e, sleep: [z, tab]}'",
    )
    group.add_argument(
        "--replay",
        metavar="FILE",
        help="play back a recorded episode, an npz file, or an attempt at a task, a "
        "jsonl.gz file, instead of a new game",
    )


def check_arguments(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program with a message if options are too small or contradict.

    What a game has no use for is refused. Options that were not given get the values
    of the game.
    """
    args.game = args.game or games()[0]
    game = adapter(args.game)
    _check_task(parser, args)
    _check_save(parser, args)
    game.check(parser, args)
    least = game.least_cell
    smallest = [least * cells for cells in args.view]
    for name, size in (("--window", args.window), ("--size", args.size)):
        if size and any(0 < given < low for given, low in zip(size, smallest)):
            parser.error(
                f"argument {name}: a view of {args.view[0]} x {args.view[1]} cells "
                f"needs at least {smallest[0]} x {smallest[1]} pixels, "
                f"not {size[0]} x {size[1]}"
            )


def _check_save(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program with a message if games cannot be saved where they should."""
    if not args.save:
        return
    path = pathlib.Path(args.save).expanduser()
    if not path.name or path.is_dir():
        parser.error(
            "argument --save: expected the name of a file, such as "
            f"{SAVE_NAME.format(args.game)}, not the folder {args.save!r}"
        )


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
    others = ("length", "health", "save")
    wrong = [name for name in others if getattr(args, name)]
    if wrong:
        parser.error(f"argument --{wrong[0]}: not allowed with --task")
    if args.seed is not None and args.seed < 0:
        parser.error("argument --seed: scenes are counted from 0")
    args.difficulty = args.difficulty or "simple"
    args.split = args.split or "train"
