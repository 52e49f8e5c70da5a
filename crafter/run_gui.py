"""Plays games in a window: `python -m crafter.run_gui --game craftax`.

With `--task` the player attempts a task, and the window shows the goal. With `--agent`
a trained agent plays until a key press takes over.

Needs pygame, from the extra `gui`: `pip install crafter[gui]`. F1 shows the keys. The
window shows the picture of the game and, beside it, a panel with floor, time of day,
vitals, inventory and achievements.

Without options that determine what to open, it starts with a title screen.

A recording (`--record`) and a running game are saved however the program ends: by
closing the window, the Escape key, Ctrl-C, SIGTERM or an error. Loading a saved game
(F9) ends the recording of the running episode as a partial one and starts another at
the loaded state.

Source:
  Crafter 1.8.3, `run_gui`, for the options down to `--death`, the keys of the actions
  and the printed lines; Craftax 1.6.1, `play_craftax`, for its keys and the god mode.
  The rest is new.
"""

import argparse
import contextlib
import io
import os
import pathlib
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium

from crafter import run_terminal
from crafter.core import game as core_game
from crafter.core.agents import load_agent
from crafter.core.pictures import Pack
from crafter.core.validation import raising
from crafter.gui import html, keys, layout, replay, settings
from crafter.gui.game import Game, adapter, adapter_of
from crafter.gui.options import (
    chooses,
    complete,
    explained,
    make_parser,
    read_arguments,
)
from crafter.gui.replay import Replay
from crafter.gui.session import Session, read_saved
from crafter.gui.tasks import TaskReplay, TaskSession, is_attempt
from crafter.lm.runs import playback
from crafter.recorder import Recorder
from crafter.tasks.language.parse import TaskSyntaxError
from crafter.tasks.scenes import SceneError

if TYPE_CHECKING:
    from crafter.gui.app import App, Loop
    from crafter.gui.title import Title

_HINT = "the window needs pygame; install it with: pip install 'crafter[gui]'"
_VIDEO = (512, 512)  # maximum size of videos


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program.

    Args:
      argv: Command-line arguments; those of the process by default.

    Raises:
      SystemExit: If an argument is invalid, pygame is missing, or the window cannot be
        opened.
    """
    parser = make_parser()
    parser.set_defaults(**settings.read())
    args = read_arguments(parser, argv)
    try:
        if args.html:
            write_page(args)
        elif args.terminal:
            with _refusing():
                env = adapter(args.game).environment(args)
                game = adapter_of(env)
                run_terminal.play(args, env, game, bind_keys(args, game))
        else:
            show(parser.parse_args(argv))
    except KeyboardInterrupt:
        print("Interrupted.")
    except Refused as error:
        parser.error(str(error))


def show(given: argparse.Namespace) -> None:
    """Shows the title screen or the content chosen by the options, and what follows.

    Raises:
      Refused: If pygame is missing, or the content cannot be opened.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise Refused(_HINT) from None
    program = Program(given)
    try:
        with _signals(program.interrupt):
            program.open({} if chooses(given) else None)
            program.run()
    finally:
        pygame.quit()


class Refused(ValueError):
    """A game or a recording cannot be opened; the message says why."""


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """Context manager that converts errors in the options to `Refused`."""
    try:
        yield
    except OSError as error:
        raise Refused(f"cannot use {error.filename}: {error.strerror}") from error
    except TaskSyntaxError as error:
        problem = error.problem if error.line == 1 else error
        raise Refused(f"argument --task: {problem}") from error
    except SceneError as error:
        raise Refused(f"no scene to start from: {error}") from error
    except (ValueError, gymnasium.error.DependencyNotInstalled) as error:
        raise Refused(str(error)) from error


class Program:
    """The program, from opening the window to its end.

    Args:
      given: The given options, without defaults of a game.

    Attributes:
      app: The current screen; `None` before and after.
    """

    def __init__(self, given: argparse.Namespace) -> None:
        self.app: Loop | None = None
        self._given = given
        self._returns = self._interrupted = False
        self._asked = self._size = (0, 0)  # window sizes: as opened, and as resized

    def open(self, choice: Mapping[str, Any] | None, notice: str = "") -> None:
        """Opens a game, a recording or the title screen.

        Args:
          choice: Options in addition to the given ones; `None` for the title screen, to
            which every game then returns.
          notice: First notice on the title screen.

        Raises:
          Refused: If the options do not fit, or no scene can be found.
          SystemExit: If there is no display.
        """
        with _refusing():
            if choice is None:
                self._returns = True
                self.app = open_title(self._given, self._preview, notice, self._size)
            else:
                self.app = open_game(self._with(choice), self._size)
        self._asked = _window_size()

    def run(self) -> None:
        """Runs until the window is closed or a signal arrives; games are saved."""
        while self.app is not None:
            try:
                self.app.run()
            finally:
                self.app.leave()
            self.follow()
        if self._interrupted:
            print("Interrupted.")

    def follow(self) -> None:
        """Opens the choice of the last screen, or else the title screen."""
        assert self.app is not None
        left, self.app = self.app, None
        if _window_size() != self._asked:
            self._size = _window_size()
        leads = self._returns or left.choice is not None
        if self._interrupted or left.closed or not leads:
            return
        try:
            self.open(left.choice)
        except Refused as error:
            self.open(None, str(error))

    def interrupt(self, *_: Any) -> None:
        """Ends the program before the next step, or now if nothing is shown yet."""
        if self.app is None or self._interrupted:
            raise KeyboardInterrupt
        self._interrupted, self.app.running = True, False

    def _with(self, choice: Mapping[str, Any]) -> argparse.Namespace:
        """Returns the complete options of a choice."""
        return complete(argparse.Namespace(**{**vars(self._given), **choice}))

    def _preview(self, choice: Mapping[str, Any]) -> Session | Replay:
        """Opens a choice for its preview, without printing."""
        with _refusing(), contextlib.redirect_stdout(io.StringIO()):
            args = self._with(choice)
            source = open_source(args)
            begin(source, args)
        return source


@contextlib.contextmanager
def _signals(handler: Callable[..., None]) -> Iterator[None]:
    """Calls a handler on Ctrl-C, termination and hangup signals."""
    named = (getattr(signal, f"SIG{n}", None) for n in ("INT", "TERM", "HUP"))
    handlers = {number: signal.getsignal(number) for number in named if number}
    heard = {n: old for n, old in handlers.items() if old is not signal.SIG_IGN}
    for number in heard:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, before in heard.items():
            signal.signal(number, before)


def write_page(args: argparse.Namespace) -> None:
    """Writes the web page of a replay."""
    path, began = pathlib.Path(args.html).expanduser(), time.monotonic()
    with _refusing():
        source = open_source(args)
        assert isinstance(source, Replay)
        title = f"{source.game.name}: {pathlib.Path(args.replay).name}"
        with raising(ValueError, f"cannot replay {args.replay}: "):
            html.write(source, path, title)
    size, seconds = path.stat().st_size / 2**20, time.monotonic() - began
    print(f"Wrote {path}: {size:.2f} MiB in {seconds:.1f} s.")


def open_game(args: argparse.Namespace, size: layout.Size) -> "App":
    """Opens the window for a new or saved game, or a recording.

    Args:
      args: All options.
      size: Window size; by default determined by options and game.
    """
    source = open_source(args)
    with contextlib.ExitStack() as stack:
        stack.callback(source.close)
        textures = source.game.textures(args.textures)
        bindings = bind_keys(args, source.game)
        app = open_window(args, source, textures, bindings, size)
        if bindings.actions:
            print("Actions:")
        for action in dict.fromkeys(bindings.actions.values()):
            print(f"  {bindings.keys_of(action)[0]}: {action}")
        begin(source, args)
        stack.pop_all()
    return app


def open_source(args: argparse.Namespace) -> Session | Replay:
    """Returns the game or recording described by the options.

    Raises:
      ValueError: If the environment rejects an option, or a recording cannot be read.
      OSError: If the folder of recordings cannot be written.
      gymnasium.error.DependencyNotInstalled: If the video writer is missing.
    """
    game = adapter(args.game)
    if args.replay:
        path = pathlib.Path(args.replay).expanduser()
        rules = game.load_rules(args.rules)
        with explained(args.replay):
            if is_attempt(path) and playback.is_rollout(path):
                return spoken(path, args.textures)
            if is_attempt(path):
                return TaskReplay(path, args.textures)
            return replay.load(path, game, rules, args.textures)
    size = _largest(_VIDEO, tuple(args.view), game)
    env = Recorder(_environment(args, game), args.record, video_size=size)
    agent = load_agent(args.agent) if args.agent else None
    if args.task is None:
        return Session(env, death=args.death, episode=args.episode, agent=agent)
    return TaskSession(env, args.seed, args.record, death=args.death, agent=agent)


def spoken(path: pathlib.Path, textures: str | None) -> Replay:
    """Returns the replay of a language model's log, with its replies.

    Raises:
      ValueError: If the log is damaged, or its game cannot be played.
    """
    rollout = playback.play(path)
    env = adapter(rollout.game).resume(rollout.start, rollout.rules, textures)
    return Replay(rollout.episode, adapter_of(env), env, rollout.words)


def _environment(args: argparse.Namespace, game: type[Game]) -> gymnasium.Env:
    """Returns the environment for the options, or of a game to continue."""
    if args.task is not None:
        return game.task_environment(args)
    if not args.resume:
        return game.environment(args)
    unfit = raising(ValueError, "it does not match: ", KeyError)
    with explained(args.resume, "resume"), unfit:
        state, _ = read_saved(args.resume)
        return game.resume(state, game.load_rules(args.rules), args.textures)


def _largest(box: layout.Size, view: layout.Size, game: type[Game]) -> layout.Size:
    """Returns the largest size in a box with square cells, if those can be drawn."""
    width, height = layout.fitting(box, view)
    least = game.least_cell
    return max(width, least * view[0]), max(height, least * view[1])


def bind_keys(args: argparse.Namespace, game: Game) -> keys.Bindings:
    """Returns the key bindings of a game.

    Raises:
      crafter.gui.keys.KeysError: If the key file is invalid.
    """
    useless = [] if game.floors else ["toggle_map", "toggle_look"]
    if args.agent is None:
        useless.append("toggle_agent")
    if not (args.wait and game.floors):
        useless.append("explore")
    if args.task is not None:
        useless += ["save", "load"]  # Saved games lack the progress of a goal.
    every = keys.REPLAY if args.replay else keys.GAME
    commands = tuple(command for command in every if command.name not in useless)
    bindings = keys.Bindings({} if args.replay else game.keys, commands)
    if args.keys is None:
        return bindings
    return keys.read_file(args.keys, bindings, game.action_names)


def open_window(
    args: argparse.Namespace,
    source: Session | Replay,
    textures: Pack,
    bindings: keys.Bindings,
    size: layout.Size = (0, 0),
) -> "App":
    """Opens the window for a game or a recording; see `open_game`.

    Raises:
      SystemExit: If there is no display.
    """
    game, name = source.game, pathlib.Path(args.replay or "").name
    usual = args.window or _largest(
        game.largest_picture, source.proportions, type(game)
    )
    frame = layout.Frame(tuple(usual), layout.PANELS[game.wide])
    with _display():
        from crafter.gui import screen, theme
        from crafter.gui.app import GameApp, ReplayApp

        title = f"{game.name}: {name}" if name else game.name
        screen.show(size if any(size) else frame.size, title, game.icon, textures)
        drawn = tuple(args.size)
        window = screen.Screen(game, textures, bindings.label, frame, drawn)
        theme.use(args.colours)
    kind = ReplayApp if args.replay else GameApp
    return kind(source, window, bindings, args)


def open_title(
    given: argparse.Namespace,
    preview: Callable[[Mapping[str, Any]], Session | Replay],
    notice: str,
    size: layout.Size,
) -> "Title":
    """Opens the title screen; see `crafter.gui.title.Title`.

    Raises:
      SystemExit: If there is no display.
    """
    with _display():
        from crafter.gui import screen, title

        first = adapter(core_game.names("app")[0])
        wanted = size if any(size) else title.WIDE
        screen.show(wanted, first.name, first.icon, first.textures(None))
    return title.Title(given, preview, notice)


@contextlib.contextmanager
def _display() -> Iterator[None]:
    """Initialises pygame's display and fonts; sound would be slow.

    Raises:
      SystemExit: If there is no display.
    """
    import pygame

    from crafter.gui import theme
    from crafter.gui.screen import INVISIBLE

    try:
        pygame.display.init()
        pygame.font.init()
        theme.forget_fonts()
        seen = pygame.display.get_driver() not in INVISIBLE
        if not seen and not os.getenv("SDL_VIDEODRIVER"):
            raise pygame.error(
                "there is no display (SDL_VIDEODRIVER=dummy runs the game without one)"
            )
        yield
    except pygame.error as error:
        sys.exit(f"The window cannot be shown: {error}.")


def _window_size() -> layout.Size:
    """Returns the window size."""
    import pygame

    return pygame.display.get_window_size()


def begin(source: Session | Replay, args: argparse.Namespace) -> None:
    """Starts the first episode, or resumes a saved game."""
    if isinstance(source, Session):
        if args.resume:
            source.load(args.resume)
        else:
            source.start()


if __name__ == "__main__":
    main()
