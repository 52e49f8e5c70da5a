"""A game in the terminal: one key a step, in the words and signs that models read."""

from __future__ import annotations

import argparse
import contextlib
import locale
import os
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from crafter.gui import keys
from crafter.gui.game import Game, adapter, adapter_of
from crafter.lm import CrafterACI
from crafter.lm.rendering.observation import Observation

_COMMANDS = ("toggle_pause", "again", "toggle_map", "toggle_help", "quit")
#: Key as curses names it -> its name here, where these differ.
_NAMES = {
    **{f"KEY_{name.upper()}": name for name in ("left", "right", "up", "down")},
    **{f"KEY_F({n})": f"f{n}" for n in range(1, 13)},
    "\t": "tab",
    " ": "space",
    "\n": "return",
    "\r": "return",
    "\x1b": "escape",
    "KEY_ENTER": "return",
}
_ASLEEP = 100  # milliseconds of a step
_NARROW = 40  # columns that are too few for the text beside the map


def play(args: argparse.Namespace) -> None:
    """Plays until the player leaves.

    Args:
      args: Options of the command line; see `crafter.gui.options`.

    Raises:
      ValueError: If an option does not fit, or there is no terminal.
    """
    try:
        import curses
    except ImportError:
        raise ValueError("--terminal needs curses, which Python lacks here") from None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("--terminal needs a terminal")
    env = adapter(args.game).environment(args)
    task = {name: getattr(args, name) for name in ("task", "difficulty", "split")}
    seed = None if args.task is None else args.seed
    aci, game = CrafterACI(env, seed=seed, **task), adapter_of(env)
    commands = tuple(c for c in keys.GAME if c.name in _COMMANDS)
    bindings = keys.Bindings(game.keys, commands)
    if args.keys is not None:
        bindings = keys.read_file(args.keys, bindings, game.action_names)
    locale.setlocale(locale.LC_ALL, "")
    os.environ.setdefault("ESCDELAY", "25")
    curses.wrapper(Terminal(aci, game, bindings).run)
    done, every = aci.observe().achievements, len(game.achievements)
    print(f"{aci.steps_taken} steps, {len(done)} of {every} achievements.")
    print(f"Seed {aci.env.world_seed}, world {aci.env.episode}.")


class Terminal:
    """A game in a terminal.

    Args:
      aci: The game.
      game: Its adapter.
      bindings: What every key does.

    Attributes:
      running: Whether to go on.
      cover: Lines that cover the game, until they were all shown.
    """

    def __init__(self, aci: CrafterACI, game: Game, bindings: keys.Bindings) -> None:
        self._aci, self._game, self._bindings = aci, game, bindings
        self.running, self._leaving = True, False
        self.cover: list[str] = []
        self._now: Observation = aci.starting_obs
        self.toggle_help()

    def run(self, window: Any) -> None:
        """Answers keys in a window of curses."""
        import curses

        with contextlib.suppress(curses.error):  # Some terminals cannot hide it.
            curses.curs_set(0)
        self._window = window
        while self.running:
            self._draw()
            window.timeout(_ASLEEP if self._idle else -1)
            try:
                key = window.getkey()
            except curses.error:  # No key came in time.
                key = ""
            if key or not self._idle:
                self._answer(_NAMES.get(key, key.lower()))
            else:
                self._play("noop")

    @property
    def _idle(self) -> bool:
        """Whether the player sleeps or rests, so that steps come by themselves."""
        now = self._now
        resting = bool(now.status.get("resting"))
        return (now.asleep or resting) and not (now.done or self.cover)

    def _answer(self, key: str) -> None:
        meaning = self._bindings.meanings.get(key, "")
        if self.cover:
            self.cover = self.cover[self._rows :] if meaning != "quit" else []
        elif meaning in _COMMANDS:
            getattr(self, meaning)()
        elif meaning and not self._now.done:
            self._play(meaning)

    def _play(self, action: str) -> None:
        self._now, self._leaving = self._aci.act([action]).observation, False

    # Commands.

    def toggle_help(self) -> None:
        """Shows what it is about, and the keys."""
        self.cover = [*self._game.goal, "", *self._help()]

    def _help(self) -> Iterator[str]:
        bindings, game = self._bindings, self._game
        for action in dict.fromkeys(bindings.actions.values()):
            needs = f": {game.needs[action]}" if action in game.needs else ""
            yield f"{bindings.labels(action):10} {game.title_of(action)}{needs}"
        for command in bindings.commands:
            yield f"{bindings.labels(command.name):10} {command.help}"

    def toggle_map(self) -> None:
        """Shows all that was seen."""
        self.cover = self._aci.memory_text().splitlines()

    def toggle_pause(self) -> None:
        """Begins the next world after an end."""
        if self._now.done:
            self._now = self._aci.reset(next=True)

    def again(self) -> None:
        """Begins the same world again after an end."""
        if self._now.done:
            self._now = self._aci.reset()

    def quit(self) -> None:
        """Leaves, if nothing is lost or it is asked for twice."""
        kept = self._leaving or self._now.done or not self._aci.steps_taken
        self.running, self._leaving = not kept, True

    # Drawing.

    @property
    def _rows(self) -> int:
        """Lines of the window above the last one."""
        return max(int(self._window.getmaxyx()[0]) - 1, 1)

    def _draw(self) -> None:
        self._window.erase()
        width = self._window.getmaxyx()[1]
        if self.cover:
            self.cover = [part for line in self.cover for part in _cut(line, width)]
            self._write(0, 0, self.cover[: self._rows])
            self._write(self._rows, 0, ["Any key: on"])
        else:
            self._draw_game(width)
        self._window.refresh()

    def _draw_game(self, width: int) -> None:
        picture = [" ".join(row) for row in self._now.ascii().splitlines()]
        left, top = max(map(len, picture)) + 3, 0
        if width - left < _NARROW:
            left, top = 0, len(picture) + 1
        told = self._now.text().splitlines()
        self._write(0, 0, picture)
        lines = [part for line in told for part in _cut(line, width - left)]
        self._write(top, left, lines[: self._rows - top])
        self._write(self._rows, 0, [self._hint()])

    def _hint(self) -> str:
        if self._leaving:
            return self._bindings.hint(("quit", "leave, the game is lost"))
        first = ("toggle_help", "help"), ("toggle_map", "map"), ("quit", "leave")
        if self._now.done:
            first = ("toggle_pause", "next world"), ("again", "same world"), first[-1]
        return self._bindings.hint(*first)

    def _write(self, top: int, left: int, lines: list[str]) -> None:
        """Writes lines as far as the window has room; never its last cell."""
        height, width = self._window.getmaxyx()
        for row, line in enumerate(lines[: max(height - top, 0)], top):
            if width - left > 1:
                self._window.addnstr(row, left, line, width - left - 1)


def _cut(line: str, width: int) -> list[str]:
    """Returns a line in parts of a width; what goes on is indented, blanks are kept."""
    if len(line) < width:
        return [line]
    return textwrap.wrap(line, max(width - 1, 20), subsequent_indent="  ")
