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
import dataclasses
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
from crafter.gui import keyfile, keys, layout, of_crafter
from crafter.gui.options import (
    PIXELS_PER_CELL,
    SAVE_NAME,
    check_arguments,
    make_parser,
)
from crafter.gui.replay import Replay
from crafter.gui.rerun import Rerun, RerunError
from crafter.gui.session import Session
from crafter.recorder import Recorder, load_episode, load_start
from crafter.views import Textures

if TYPE_CHECKING:
    from crafter.gui.app import App

_HINT = "The window needs pygame. Install it with: pip install crafter[gui]"
# Largest size of the picture, and of videos, if no other is asked for.
_PICTURE, _VIDEO = (600, 600), (512, 512)
_OBSERVATION = (64, 64)  # also part of the game: at night it draws a number per pixel
_CELL = 7  # pixels of a cell in that observation
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
        bindings = bind_keys(args)
        source = open_replay(args) if args.replay else open_session(args)
    except (ValueError, OSError, gymnasium.error.DependencyNotInstalled) as error:
        parser.error(str(error))
    try:
        app = open_window(args, source, textures, bindings)
        if isinstance(source, Session):
            print_actions(bindings)
            source.start()
        with stopped_by_signals(), warnings_shown(source.notices):
            app.run()
    except KeyboardInterrupt:
        print("Interrupted.")
    finally:
        source.close()
        pygame.quit()


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
        size=observation_size(tuple(args.view)),
        length=args.length,
        seed=args.seed,
        textures=args.textures,
        events=True,
        items=arguments.item_overrides(args.health),
        rules=args.rules,
    )
    env = Recorder(env, args.record, video_size=_largest(_VIDEO, tuple(args.view)))
    return Session(env, death=args.death)


def observation_size(view: layout.Size) -> layout.Size:
    """Returns the size of the observation for a view: the usual one if it is enough.

    Example:
      >>> observation_size((9, 9)), observation_size((40, 40))
      ((64, 64), (280, 280))
    """
    if all(PIXELS_PER_CELL * n <= most for n, most in zip(view, _OBSERVATION)):
        return _OBSERVATION
    return view[0] * _CELL, view[1] * _CELL


def _largest(box: layout.Size, view: layout.Size) -> layout.Size:
    """Returns the largest size in a box with square cells, if these can be drawn."""
    width, height = layout.fitting(box, view)
    return max(width, PIXELS_PER_CELL * view[0]), max(height, PIXELS_PER_CELL * view[1])


def open_replay(args: argparse.Namespace) -> Replay:
    """Returns the recorded episode that the options name.

    Raises:
      ValueError: If the file cannot be read or is not a recorded episode.
    """
    path = pathlib.Path(args.replay).expanduser()
    table = rules.load(args.rules)
    try:
        episode = load_episode(path)
        rerun, reason = _play_again(path, episode, table, args.textures)
        replay = Replay(episode, table, rerun)
    except OSError as error:
        raise ValueError(f"cannot read {args.replay}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"cannot replay {args.replay}: {error}") from error
    replay.notices += [reason] if reason else []
    return replay


def _play_again(
    path: pathlib.Path, episode: dict[str, Any], table: rules.Rules, textures: Any
) -> tuple[Rerun | None, str]:
    """Returns the game of a recording, or why its own pictures have to do."""
    try:
        return Rerun(load_start(path), episode, table, textures), ""
    except RerunError as error:
        return None, f"Shown as recorded: {error}."
    except ValueError:
        return None, "Shown as recorded: the file does not hold the start of the game."


def bind_keys(args: argparse.Namespace) -> keys.Bindings:
    """Returns what every key does.

    Raises:
      crafter.gui.keys.KeysError: If the file of keys is wrong.
      crafter.rules.RulesError: If the rules are wrong.
    """
    game = of_crafter.game(rules.load(args.rules))
    if args.replay:
        bindings = keys.Bindings({}, keys.REPLAY)
    else:
        bindings = keys.Bindings(game.actions, keys.GAME)
    if args.keys is None:
        return bindings
    actions = rules.load(args.rules).actions
    commands = dict.fromkeys(command.name for command in (*keys.GAME, *keys.REPLAY))
    path = pathlib.Path(args.keys).expanduser()
    return keyfile.read(path, bindings, actions, list(commands))


def open_window(
    args: argparse.Namespace,
    source: Session | Replay,
    textures: Textures,
    bindings: keys.Bindings,
) -> "App":
    """Opens the window.

    Raises:
      SystemExit: If there is no display.
    """
    import pygame

    from crafter.gui import game_app, keyboard, replay_app, screen

    title = source.game.name
    if args.replay:
        title += f": {pathlib.Path(args.replay).name}"
    size = args.window or _largest(_PICTURE, source.proportions)
    try:
        _start_pygame()
        bindings = dataclasses.replace(bindings, printed=keyboard.printed())
        labels = {name: bindings.label(name) for name in bindings.actions.values()}
        window = screen.Screen(
            tuple(size),
            tuple(args.size),
            args.panel,
            textures.get,
            source.game,
            labels,
            title,
        )
    except pygame.error as error:
        sys.exit(f"The window cannot be shown: {error}.")
    directory = pathlib.Path(args.record or ".").expanduser()
    if isinstance(source, Replay):
        return replay_app.ReplayApp(
            source, window, bindings, fps=args.fps, directory=directory
        )
    return game_app.GameApp(
        source,
        window,
        bindings,
        fps=args.fps,
        directory=directory,
        recording=bool(args.record),
        wait=args.wait,
        nonstop=args.nonstop,
        save_path=pathlib.Path(args.save or directory / SAVE_NAME).expanduser(),
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


def print_actions(bindings: keys.Bindings) -> None:
    """Prints the main key of every action."""
    print("Actions:")
    for action in dict.fromkeys(bindings.actions.values()):
        print(f"  {bindings.keys_of(action)[0]}: {action}")


if __name__ == "__main__":
    main()
