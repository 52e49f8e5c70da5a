"""The games in a window, for people: `python -m crafter.run_gui --game craftax`.

With `--task` it is an attempt at a task: the window says what is to be done.

Needs pygame, which the extra `gui` brings: `pip install crafter[gui]`. F1 shows the
keys. The window holds the picture of the game and, beside it, a panel with the floor,
the time of day, the vitals, what is carried and the achievements.

A recording (`--record`) is kept whatever ends the program: the window, the Escape key,
Ctrl-C, SIGTERM or an error. Loading a saved game (F9) ends the recording of the running
episode as a partial one and starts another at the loaded moment.

Source:
  Crafter 1.8.3, `run_gui`, for the options down to `--death`, the keys of the actions
  and the printed lines; Craftax 1.6.1, `play_craftax`, for its keys and the god mode.
  The rest are additions.
"""

import argparse
import contextlib
import dataclasses
import os
import pathlib
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium

from crafter.core.pictures import Pack
from crafter.gui import keyfile, keys, layout
from crafter.gui.game import Game, adapter
from crafter.gui.options import SAVE_NAME, check_arguments, games, make_parser
from crafter.gui.replay import Replay
from crafter.gui.rerun import Rerun, RerunError
from crafter.gui.session import Session
from crafter.gui.task_replay import TaskReplay, is_attempt
from crafter.gui.task_session import TaskSession
from crafter.recorder import Recorder, load_episode, load_game, load_start
from crafter.tasks.scenes.scene import SceneError

if TYPE_CHECKING:
    from crafter.gui.app import App

_HINT = "The window needs pygame. Install it with: pip install crafter[gui]"
_VIDEO = (512, 512)  # largest size of videos
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
    args = read_arguments(parser, argv)
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        print(_HINT)
        raise
    try:
        textures = adapter(args.game).textures(args.textures)
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
    except SceneError as error:
        sys.exit(f"There is no scene to begin from. {error}")
    finally:
        source.close()
        pygame.quit()


def read_arguments(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None
) -> argparse.Namespace:
    """Returns the options of a command line, as the game needs them.

    Raises:
      SystemExit: If they are wrong.
    """
    args = parser.parse_args(argv)
    if args.replay and args.task:
        parser.error("argument --replay: not allowed with --task")
    if args.replay and args.record:
        parser.error("argument --replay: a replay cannot be recorded; omit --record")
    if args.replay:
        try:
            args.game = _recorded_game(args)
        except ValueError as error:
            parser.error(str(error))
    check_arguments(parser, args)
    return args


def _recorded_game(args: argparse.Namespace) -> str:
    """Returns the game of the recording that is replayed."""
    if is_attempt(args.replay):
        return args.game or games()[0]
    with _explained(args.replay):
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


def open_session(args: argparse.Namespace) -> Session:
    """Returns the game that the options describe.

    Raises:
      ValueError: If the environment refuses an option.
      OSError: If the folder of recordings cannot be written.
      gymnasium.error.DependencyNotInstalled: If the video writer is missing.
    """
    game = adapter(args.game)
    size = _largest(_VIDEO, tuple(args.view), game)
    if args.task is None:
        env = Recorder(game.environment(args), args.record, video_size=size)
        return Session(env, death=args.death)
    env = Recorder(game.task_environment(args), args.record, video_size=size)
    return TaskSession(env, args.seed, args.record, death=args.death)


def _largest(box: layout.Size, view: layout.Size, game: type[Game]) -> layout.Size:
    """Returns the largest size in a box with square cells, if these can be drawn."""
    width, height = layout.fitting(box, view)
    least = game.least_cell
    return max(width, least * view[0]), max(height, least * view[1])


def open_replay(args: argparse.Namespace) -> Replay:
    """Returns the recorded episode that the options name.

    Raises:
      ValueError: If the file cannot be read or is not a recorded episode.
    """
    path = pathlib.Path(args.replay).expanduser()
    game = adapter(args.game)
    rules = game.load_rules(args.rules)

    def resume(start: Any) -> Any:
        return game.resume(start, rules, args.textures)

    with _explained(args.replay):
        if is_attempt(path):
            return TaskReplay(path, args.textures)
        episode = load_episode(path)
        rerun, reason = _play_again(path, episode, resume)
        replay = Replay(episode, rerun.game if rerun else game(rules), rerun)
    replay.notices += [reason] if reason else []
    return replay


@contextlib.contextmanager
def _explained(path: str) -> Iterator[None]:
    """Says which file cannot be read or replayed."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"cannot replay {path}: {error}") from error


def _play_again(
    path: pathlib.Path, episode: dict[str, Any], resume: Callable[[Any], Any]
) -> tuple[Rerun | None, str]:
    """Returns the game of a recording, or why its own pictures have to do."""
    try:
        return Rerun(load_start(path), episode, resume), ""
    except RerunError as error:
        return None, f"Shown as recorded: {error}."
    except ValueError:
        return None, "Shown as recorded: the file does not hold the start of the game."


def bind_keys(args: argparse.Namespace) -> keys.Bindings:
    """Returns what every key does.

    Raises:
      crafter.gui.keys.KeysError: If the file of keys is wrong.
      crafter.core.ruleset.RulesError: If the rules are wrong.
    """
    kind = adapter(args.game)
    game = kind(kind.load_rules(args.rules))
    if args.replay:
        bindings = keys.Bindings({}, _useful(keys.REPLAY, game))
    else:
        bindings = keys.Bindings(game.keys, _useful(keys.GAME, game, args.task))
    if args.keys is None:
        return bindings
    commands = dict.fromkeys(command.name for command in (*keys.GAME, *keys.REPLAY))
    path = pathlib.Path(args.keys).expanduser()
    return keyfile.read(path, bindings, game.action_names, list(commands))


def _useful(
    commands: Sequence[keys.Command], game: Game, task: str | None = None
) -> tuple[keys.Command, ...]:
    """Returns the commands that a game, or a task in it, has a use for."""
    floors = () if game.map is None else game.map.floors
    useless = [] if len(floors) > 1 else ["next_floor", "previous_floor"]
    if not floors:
        useless.append("toggle_map")
    if task is not None:
        useless += ["save", "load"]  # What a goal has seen is not in a saved game.
    return tuple(command for command in commands if command.name not in useless)


def open_window(
    args: argparse.Namespace,
    source: Session | Replay,
    textures: Pack | None,
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
    game = adapter(args.game)
    largest = game.largest_picture
    size = args.window or _largest(largest, source.proportions, game)
    try:
        _start_pygame()
        bindings = dataclasses.replace(bindings, printed=keyboard.printed())
        labels = {name: bindings.label(name) for name in bindings.actions.values()}
        window = screen.Screen(
            tuple(size),
            tuple(args.size),
            args.panel,
            textures,
            source.game,
            labels,
            title,
            source.status().task is not None
            if args.replay
            else isinstance(source, TaskSession),
        )
    except pygame.error as error:
        sys.exit(f"The window cannot be shown: {error}.")
    directory = pathlib.Path(args.record or ".").expanduser()
    name = SAVE_NAME.format(args.game)
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
        save_path=pathlib.Path(args.save or directory / name).expanduser(),
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
