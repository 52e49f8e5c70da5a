"""The game in a window, for people: `python -m crafter.run_gui`.

Needs pygame, which the extra `gui` brings: `pip install crafter[gui]`. H or F1 shows
the keys. The window holds the picture of the game and, beside it, a panel with the
time of day, the vitals and the achievements.

A recording (`--record`) is kept whatever ends the program: the window, the Escape key,
Ctrl-C, SIGTERM or an error. Loading a saved game (F9) ends the recording of the running
episode as a partial one and starts another at the loaded moment.

Source:
  Crafter 1.8.3, `run_gui`, for the options down to `--death`, the keys of the actions
  and the printed lines. The rest are additions.
"""

import argparse
import contextlib
import os
import pathlib
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium

from crafter import arguments, rules
from crafter.env import Env
from crafter.gui import keys
from crafter.gui.replay import Replay
from crafter.gui.session import DEATHS, Session
from crafter.recorder import Recorder, load_episode
from crafter.views import Textures

if TYPE_CHECKING:
    from crafter.gui.app import App

_HINT = "The window needs pygame. Install it with: pip install crafter[gui]"
_SAVE_NAME = "crafter-save.npz"
_PIXELS_PER_CELL = 2
# What SDL falls back to: nobody sees the window.
_INVISIBLE = ("dummy", "offscreen", "evdev")


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program.

    Args:
      argv: Command line arguments; those of the process by default.

    Raises:
      ImportError: If pygame is missing.
      SystemExit: If the arguments are wrong, or the window cannot be opened.
    """
    parser = make_parser()
    args = parser.parse_args(argv)
    check_arguments(parser, args)
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        print(_HINT)
        raise
    try:
        textures = Textures(args.textures)
        source = open_replay(args) if args.replay else open_session(args)
    except (ValueError, OSError, gymnasium.error.DependencyNotInstalled) as error:
        parser.error(str(error))
    try:
        app = open_window(args, source, textures)
        if isinstance(source, Session):
            print_actions(source.rules.actions)
            source.start()
        with stopped_by_signals(), warnings_shown(source.notices):
            app.run()
    except KeyboardInterrupt:
        print("Interrupted.")
    finally:
        source.close()
        pygame.quit()


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="crafter", description="Play Crafter in a window. H shows the keys."
    )
    arguments.add_world_arguments(parser)
    _add_game_arguments(parser.add_argument_group("game"))
    _add_window_arguments(parser.add_argument_group("window"))
    _add_file_arguments(parser.add_argument_group("files"))
    return parser


def _add_game_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--view",
        nargs=2,
        type=arguments.positive,
        default=(9, 9),
        metavar=("WIDTH", "HEIGHT"),
        help="cells shown, rows of the inventory included (default: 9 9)",
    )
    group.add_argument(
        "--length",
        type=arguments.not_negative,
        help="steps after which an episode ends (default: no limit)",
    )
    group.add_argument(
        "--health",
        type=arguments.positive,
        help="maximum and initial health (default: that of the rules, 9)",
    )
    group.add_argument(
        "--death",
        choices=DEATHS,
        default="reset",
        help="what to do when an episode is done (default: %(default)s)",
    )


def _add_window_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--window",
        nargs=2,
        type=arguments.positive,
        default=(600, 600),
        metavar=("WIDTH", "HEIGHT"),
        help="size of the picture in pixels; the panel comes on top (default: 600 600)",
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
        f"{_SAVE_NAME} in the folder of --record, or else in the working directory)",
    )
    group.add_argument(
        "--replay",
        metavar="FILE",
        help="play back a recorded episode, an npz file, instead of a new game",
    )


def check_arguments(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program with a message if options are too small or contradict."""
    smallest = [_PIXELS_PER_CELL * cells for cells in args.view]
    for name, size in (("--window", args.window), ("--size", args.size)):
        if any(0 < given < least for given, least in zip(size, smallest)):
            parser.error(
                f"argument {name}: a view of {args.view[0]} x {args.view[1]} cells "
                f"needs at least {smallest[0]} x {smallest[1]} pixels, "
                f"not {size[0]} x {size[1]}"
            )
    if args.replay and args.record:
        parser.error("argument --replay: a replay cannot be recorded; omit --record")


def open_session(args: argparse.Namespace) -> Session:
    """Returns the game that the options describe.

    Raises:
      ValueError: If the environment refuses an option.
      OSError: If the folder of recordings cannot be written.
      gymnasium.error.DependencyNotInstalled: If the video writer is missing.
    """
    env: gymnasium.Env = Env(
        area=tuple(args.area),
        view=tuple(args.view),
        length=args.length,
        seed=args.seed,
        textures=args.textures,
        items=arguments.item_overrides(args.health),
        rules=args.rules,
    )
    env = Recorder(env, args.record)
    return Session(env, death=args.death)


def open_replay(args: argparse.Namespace) -> Replay:
    """Returns the recorded episode that the options name.

    Raises:
      ValueError: If the file cannot be read or is not a recorded episode.
    """
    try:
        episode = load_episode(pathlib.Path(args.replay).expanduser())
        return Replay(episode, rules.load(args.rules))
    except OSError as error:
        raise ValueError(f"cannot read {args.replay}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"cannot replay {args.replay}: {error}") from error


def open_window(
    args: argparse.Namespace, source: Session | Replay, textures: Textures
) -> "App":
    """Opens the window.

    Raises:
      SystemExit: If there is no display.
    """
    import pygame

    from crafter.gui import app, screen

    title = f"Crafter: {pathlib.Path(args.replay).name}" if args.replay else "Crafter"
    try:
        _start_pygame()
        window = screen.Screen(
            tuple(args.window), tuple(args.size), args.panel, textures.get, title
        )
    except pygame.error as error:
        sys.exit(f"The window cannot be shown: {error}.")
    directory = pathlib.Path(args.record or ".").expanduser()
    if isinstance(source, Replay):
        return app.ReplayApp(source, window, fps=args.fps, directory=directory)
    return app.GameApp(
        source,
        window,
        fps=args.fps,
        directory=directory,
        recording=bool(args.record),
        wait=args.wait,
        save_path=pathlib.Path(args.save or directory / _SAVE_NAME).expanduser(),
    )


def _start_pygame() -> None:
    """Starts the parts that are needed: all would include a search for sound."""
    import pygame

    pygame.display.init()
    pygame.font.init()
    if pygame.display.get_driver() in _INVISIBLE and not os.getenv("SDL_VIDEODRIVER"):
        raise pygame.error(
            "there is no display (SDL_VIDEODRIVER=dummy runs the game without one)"
        )


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Lets a signal to end the program, or its terminal's end, act as Ctrl-C does."""
    numbers = [getattr(signal, n) for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]
    before = {n: signal.signal(n, signal.default_int_handler) for n in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def warnings_shown(notices: list[str]) -> Iterator[None]:
    """Shows warnings in the window too, such as that of a full disk."""
    show = warnings.showwarning

    def show_twice(message: Warning | str, *args: Any, **kwargs: Any) -> None:
        show(message, *args, **kwargs)
        notices.append(str(message))

    with warnings.catch_warnings():
        warnings.showwarning = show_twice
        yield


def print_actions(actions: Sequence[str]) -> None:
    """Prints the keys of the actions."""
    print("Actions:")
    for key, action in keys.bindings(actions).items():
        print(f"  {key}: {action}")


if __name__ == "__main__":
    main()
