"""Plays a game in the terminal, one key per step, with the text that models read."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import locale
import os
import re
import sys
import textwrap
from typing import Any

from crafter.gui import keys
from crafter.gui.game import Game, key_tables
from crafter.lm import CrafterACI
from crafter.lm.rendering.observation import Observation

_COMMANDS = ("toggle_pause", "again", "toggle_map", "toggle_help", "quit")
_NAMES = {"\t": "tab", " ": "space", "\n": "return", "\x1b": "escape"}
_ASLEEP = 100  # milliseconds per step
_NARROW = 40  # columns below which text does not fit beside the map


def play(
    args: argparse.Namespace, env: Any, game: Game, bindings: keys.Bindings
) -> None:
    """Plays until the player leaves.

    Args:
      args: Command-line options; see `crafter.gui.options`.
      env: The environment for these options.
      game: The adapter of its game.
      bindings: Key bindings.

    Raises:
      ValueError: If an option does not fit, or there is no terminal.
    """
    try:
        import curses
    except ImportError:
        raise ValueError("--terminal needs curses, which Python lacks here") from None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("--terminal needs a terminal")
    task = {name: getattr(args, name) for name in ("task", "difficulty", "split")}
    aci = CrafterACI(env, seed=args.seed if args.task else None, **task)
    locale.setlocale(locale.LC_ALL, "")
    os.environ.setdefault("ESCDELAY", "25")
    curses.wrapper(Terminal(aci, game, bindings).run)
    count = f"{sum(map(bool, aci.achievements.values()))} of {len(game.achievements)}"
    print(f"{aci.steps_taken} steps, {count} achievements.")
    print(f"Seed {aci.env.world_seed}, world {aci.env.episode}.")


class Terminal:
    """A game in a terminal.

    Args:
      aci: The game.
      game: Its adapter.
      bindings: Key bindings.

    Attributes:
      running: Whether the loop continues.
      cover: Lines that cover the game until all have been shown.
    """

    def __init__(self, aci: CrafterACI, game: Game, bindings: keys.Bindings) -> None:
        commands = tuple(c for c in bindings.commands if c.name in _COMMANDS)
        self._bindings = dataclasses.replace(bindings, commands=commands)
        self._aci, self._game = aci, game
        self.running, self._leaving = True, False
        self.cover: list[str] = []
        self._now: Observation = aci.starting_obs
        self.toggle_help()

    def run(self, window: Any) -> None:
        """Handles key presses in a curses window."""
        import curses

        with contextlib.suppress(curses.error):  # Some terminals cannot hide it.
            curses.curs_set(0)
        self._window = window
        while self.running:
            self._draw()
            resting = self._now.asleep or self._now.status.get("resting")
            idle = bool(resting) and not (self._now.done or self.cover)
            window.timeout(_ASLEEP if idle else -1)
            try:
                self.press(window.getkey())
            except curses.error:  # timeout
                if idle:
                    self._play("noop")

    def press(self, key: str) -> None:
        """Handles a key, as named by curses."""
        name = _NAMES.get(key, re.sub(r"key_|[()]", "", key.lower()))
        meaning = self._bindings.meanings.get(name, "")
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
        """Shows the aim of the game and the keys."""
        tables = key_tables(self._bindings, self._game, frozenset())
        rows = [f"{row.key:10} {row.text}" for table in tables for row in table.rows]
        self.cover = [*self._game.goal, "", *rows]

    def toggle_map(self) -> None:
        """Shows the map of everything seen."""
        self.cover = self._aci.memory_text().splitlines()

    def toggle_pause(self) -> None:
        """Starts the next world after an end."""
        self.again(after=True)

    def again(self, after: bool = False) -> None:
        """Restarts the same world after an end, or starts the next one."""
        if self._now.done:
            self._now = self._aci.reset(next=after)

    def quit(self) -> None:
        """Leaves, after confirmation if progress would be lost."""
        kept = self._leaving or self._now.done or not self._aci.steps_taken
        self.running, self._leaving = not kept, True

    # Drawing.

    @property
    def _rows(self) -> int:
        """Lines of the window without the last one."""
        return max(int(self._window.getmaxyx()[0]) - 1, 1)

    def _draw(self) -> None:
        self._window.erase()
        (height, width), hint = self._window.getmaxyx(), "Any key: continue"
        if self.cover:
            self.cover = _cut(self.cover, width)
            self._write(0, 0, self.cover)
        else:
            hint = self._hint()
            lines = [" ".join(row) for row in self._now.ascii().splitlines()]
            left, top = max(map(len, lines)) + 3, 0
            if width - left < _NARROW:
                left, top = 0, len(lines) + 1
            self._write(0, 0, lines)
            self._write(top, left, _cut(self._now.text().splitlines(), width - left))
        self._window.addnstr(height - 1, 0, hint, width - 1)
        self._window.refresh()

    def _hint(self) -> str:
        if self._leaving:
            return self._bindings.hint(("quit", "quit without saving"))
        hints = [("toggle_help", "help"), ("toggle_map", "map"), ("quit", "leave")]
        if self._now.done:
            hints[:2] = ("toggle_pause", "next world"), ("again", "same world again")
        return self._bindings.hint(*hints)

    def _write(self, top: int, left: int, lines: list[str]) -> None:
        """Writes lines as far as they fit above the last one."""
        width = self._window.getmaxyx()[1] - left - 1
        for row, line in enumerate(lines[: max(self._rows - top, 0)], top):
            self._window.addnstr(row, left, line, max(width, 0))


def _cut(lines: list[str], width: int) -> list[str]:
    """Wraps lines to a width; continuation lines are indented."""
    wide = max(width - 1, 20)
    return [
        part
        for line in lines
        for part in (
            [line]  # keep blanks, as in maps
            if len(line) < width
            else textwrap.wrap(line, wide, subsequent_indent="  ")
        )
    ]
