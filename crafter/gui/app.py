"""Main loops of the window.

`GameApp` runs a game played by a person, `ReplayApp` a recording. Both extend `App`;
`Loop` needs no game.
"""

import argparse
import collections
import math
import pathlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pygame

from crafter.gui import best_runs, layout, saves
from crafter.gui.autowalk import walk
from crafter.gui.game import Page, Row, Slot, Table, key_tables
from crafter.gui.gamepads import Pads
from crafter.gui.keys import ARROWS, COMMANDS, NAMES, PADS, Bindings
from crafter.gui.options import command, same_game
from crafter.gui.replay import Replay
from crafter.gui.screen import Hud, Screen
from crafter.gui.session import Session
from crafter.gui.settings import WORDS
from crafter.gui.sounds import Sounds
from crafter.gui.source import Source
from crafter.gui.tutorial import Tutorial

_FASTEST = 120  # steps per second
_SMOOTH = 30  # minimum ticks per second, so that the window stays responsive
_NOTICE_TIME = 4.0  # seconds
_KEEP_EVERY = 60.0  # seconds
_QUEUE = 8  # presses waiting for their step; more push out the oldest
_ORIGIN = {"game", "seed", "episode"}  # options that choose a world
_HISTORY = 24  # messages

#: Command -> steps to jump; positions are clipped to the recording.
_JUMPS = {
    "back": -1,
    "forward": 1,
    "far_back": -50,
    "far_forward": 50,
    "first": -sys.maxsize,
    "last": sys.maxsize,
}
_LARGEST = 8  # maximum zoom of the map


class Loop:
    """Event loop of the window.

    Args:
      bindings: Key bindings.

    Attributes:
      running: Whether the loop continues.
      closed: Whether the window was closed, which ends the program.
      choice: Options of what to open next; `None` for the title screen.
    """

    choice: Mapping[str, Any] | None = None

    def __init__(self, bindings: Bindings) -> None:
        self._bindings = bindings
        self.running, self.closed = True, False
        self._held: dict[int, str] = {}  # scancode -> key name
        self._clock, self._pads = pygame.time.Clock(), Pads()

    def run(self) -> None:
        """Runs until the window is closed or its content ends."""
        self.draw()
        while self.running:
            self._clock.tick(self._rate)
            self.tick()

    def tick(self) -> None:
        """Handles pending events and draws."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draws the window."""
        raise NotImplementedError

    @property
    def _rate(self) -> float:
        """Ticks per second."""
        return _SMOOTH

    def _handle_events(self) -> bool:
        """Handles pending events; returns whether there were any."""
        events = [e for event in pygame.event.get() for e in self._pads.keys(event)]
        for event in events:
            self._handle(event)
        return bool(events)

    def _handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.closed = True
            self.close()
        elif event.type == pygame.KEYDOWN:
            key = NAMES.get(event.scancode)
            if key in self._bindings.meanings:
                self._held[event.scancode] = key
                self._press(self._bindings.meanings[key])
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._click(event.pos)
        elif event.type == pygame.KEYUP:
            self._held.pop(event.scancode, None)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._held.clear()

    def close(self) -> None:
        """Handles the window's close button."""
        self.running = False

    def leave(self) -> None:
        """Ends the content of the window."""

    def _press(self, meaning: str) -> None:
        """Handles the key of a command or an action."""
        if meaning in COMMANDS:
            getattr(self, meaning)()

    def _click(self, place: tuple[int, int]) -> None:
        """Handles a mouse click in the window."""


class App(Loop):
    """Main loop for playing and replaying.

    Args:
      source: The game or recording to show.
      screen: The window.
      bindings: Key bindings.
      args: Command-line options; see `crafter.gui.options`.

    Attributes:
      rate: Steps per second.
      paused: Whether the game is paused.
      help: Whether the help is shown; pauses the game.
      floor: Floor that the map shows; None while the map is closed. Pauses the game.
      history: Step and text of recent messages. Pauses the game while `recalling`.
      tree: Whether the achievement tree is shown; pauses the game.
      looking: Whether the arrow keys move `cell`; pauses the game.
      cell: The cell being described, as (column, row) offset from the player, if any.
      zoom: Magnification of the map; at 1 the whole floor fits.
    """

    source: Any

    def __init__(
        self,
        source: Source,
        screen: Screen,
        bindings: Bindings,
        args: argparse.Namespace,
    ) -> None:
        super().__init__(bindings)
        self.source, self.screen = source, screen
        self.rate: int = args.fps
        self.paused = self.help = self.recalling = self.looking = self.tree = False
        self.cell: tuple[int, int] | None = None
        self.zoom = 1
        self.history: collections.deque[tuple[int, str]]
        self.history = collections.deque(maxlen=_HISTORY)
        self.floor: int | None = None
        self._args = args
        self._ticks = 0
        self._notices: dict[str, float] = {}  # text -> time it appeared
        self._drawn: Any = None  # what was last drawn

    def tick(self) -> None:
        """Handles pending events, steps if one is due, and draws."""
        handled = self._handle_events()
        self._ticks += 1
        due = self.pressing or self._ticks % self._ticks_per_step == 0
        if self.running and due and not (self.paused or self.waiting):
            self.step()
        if self.source.over:
            self.running = False
        self._collect_notices()
        if handled or self._drawn != self._seen:
            self.draw()

    @property
    def _seen(self) -> tuple[Any, ...]:
        """A value that changes whenever the window needs redrawing."""
        moving = self.screen.effects.follow(self.source)
        return self.source.version, moving, *self._notices

    @property
    def waiting(self) -> bool:
        """Whether the game waits for the user to answer or close something."""
        return self._covered

    @property
    def _covered(self) -> bool:
        """Whether an overlay that Escape closes covers the game."""
        asked = self.help or self.recalling or self.looking or self.tree
        return asked or self.floor is not None

    @property
    def pressing(self) -> bool:
        """Whether a step is due immediately."""
        return False

    def draw(self) -> None:
        """Draws the window."""
        self._collect_notices()
        self._drawn = self._seen
        still = self.paused or self.waiting
        page = self.page()
        if page is not None or self.floor is not None:
            self.looking, self.cell = False, None
        notices = [*self._notices, *([self._pause_text()] * self.paused)]
        if self.cell is not None:
            notices.append(self.source.about(self.cell))
        hints = [("faster", "larger"), ("slower", "smaller"), ("toggle_map", "back")]
        hints = [("toggle_tree", "back")] if self.tree else hints
        hud = Hud(
            speed="paused" if still else f"{self.rate} steps/s",
            recording=bool(self._args.record),
            notices=tuple(notices),
            idle="" if self.waiting else self._idle_text(),
            advice="" if still else self._advice(),
            page=page,
            cell=self.cell,
            floor=self.floor,
            zoom=self.zoom,
            tree=self.tree,
            hint=self._bindings.hint(*hints),
        )
        self.screen.draw(self.source, hud)

    def page(self) -> Page | None:
        """Returns the current page, if any."""
        if self.recalling:
            rows = tuple(Row(f"{step}", text) for step, text in self.history)
            footer = self._bindings.hint(("toggle_history", "back"))
            empty = () if rows else ("None yet.",)
            table = (Table("Step", rows),) if rows else ()
            return Page("Latest messages", empty, table, footer)
        return self._keys(("toggle_help", "back")) if self.help else None

    def _keys(self, *hints: tuple[str, str]) -> Page:
        """Returns the help page: the game and its key bindings."""
        tables = key_tables(self._bindings, self.source.game, self.source.ready)
        footer = self._bindings.hint(*hints)
        return self.source.briefing._replace(tables=tables, footer=footer)

    def _advice(self) -> str:
        """Returns the current hint, if any."""
        return ""

    def step(self) -> None:
        """Performs one step."""
        raise NotImplementedError

    # Commands, named in `keys`.

    def quit(self) -> None:
        """Closes the overlay, or the window if there is none."""
        self.running = self._covered
        self.help = self.recalling = self.looking = self.tree = False
        self.floor = self.cell = None

    def toggle_pause(self) -> None:
        """Pauses or resumes."""
        self.paused = not self.paused

    def faster(self) -> None:
        """Doubles the speed, or the zoom while the map is open."""
        if self.floor is not None:
            self.zoom = min(2 * self.zoom, _LARGEST)
            return
        self.rate = max(min(2 * self.rate, _FASTEST), self.rate)

    def slower(self) -> None:
        """Halves the speed, or the zoom while the map is open."""
        if self.floor is not None:
            self.zoom = max(self.zoom // 2, 1)
            return
        self.rate = max(self.rate // 2, 1)

    def toggle_help(self) -> None:
        """Shows or hides the help."""
        self.help = not self.help

    def toggle_history(self) -> None:
        """Shows or hides recent messages."""
        self.recalling = not self.recalling

    def toggle_tree(self) -> None:
        """Shows or hides the achievement tree."""
        self.tree = not self.tree and bool(self.source.game.requirements)

    def toggle_map(self) -> None:
        """Shows or hides the map of what the player has seen."""
        if self.floor is not None:
            self.floor = None
        elif self.source.memory.seen.any():
            self.floor = self.source.memory.place[0]
        else:
            self.source.log("No map: the recording cannot be replayed.")

    def clip(self) -> None:
        """Writes recent frames as a GIF next to the saved game."""
        name = f"{self.source.game.key}-{time.strftime('%Y%m%dT%H%M%S')}.gif"
        path = self._args.save.with_name(name)
        why = _failure(self.screen.clip.write, path, rate=self.rate)
        message = f"Cannot write {path}: {why}." if why else f"Wrote a clip: {path}"
        self.source.log(message)

    def toggle_look(self) -> None:
        """Starts looking at the cell in front of the player, or stops looking."""
        if self.looking or not self._grid.has((0, 0)):
            self.looking, self.cell = False, None
        else:
            down, right = self.source.memory.facing
            self.looking, self.cell = True, (right, down)

    @property
    def _grid(self) -> layout.Grid:
        """Map grid of the picture, in window coordinates."""
        return self.screen.grid(self.source)

    def _with_file(
        self, verb: str, use: Callable[[pathlib.Path], None], done: str
    ) -> bool:
        """Applies a function to the save file; returns whether it succeeded."""
        path = self._args.save
        why = _failure(use, path)
        self.source.log(f"Cannot {verb} {path}: {why}." if why else f"{done} {path}.")
        return not why

    def leave(self) -> None:
        """Ends the content of the window."""
        self.source.close()

    @property
    def _ticks_per_step(self) -> int:
        return math.ceil(_SMOOTH / self.rate)

    @property
    def _rate(self) -> float:
        return self.rate * self._ticks_per_step

    def _handle(self, event: pygame.event.Event) -> None:
        key = NAMES.get(getattr(event, "scancode", 0))
        if event.type == pygame.KEYDOWN and self.looking and key in ARROWS:
            self._look(ARROWS[key])
        elif event.type == pygame.MOUSEWHEEL and self.floor is not None:
            (self.faster if event.y > 0 else self.slower)()
        elif event.type == pygame.MOUSEMOTION:
            self.cell = self._grid.at(event.pos)
            self.looking = self.looking and self.cell is not None
        else:
            super()._handle(event)

    def _look(self, by: tuple[int, int]) -> None:
        """Moves the inspected cell by (columns, rows)."""
        assert self.cell is not None
        cell = self.cell[0] + by[0], self.cell[1] + by[1]
        self.cell = cell if self._grid.has(cell) else self.cell

    def _click(self, place: tuple[int, int]) -> None:
        what = self.screen.at(place)
        if isinstance(what, int):
            self.floor = what

    def _pause_text(self) -> str:
        return f"Paused. {self._bindings.hint(('toggle_pause', 'resume'))}"

    def _idle_text(self) -> str:
        """Returns the text of an empty message strip."""
        return self._bindings.hint(("toggle_help", "help"), ("toggle_pause", "pause"))

    def _collect_notices(self) -> None:
        """Adds new notices and drops expired ones.

        A repeated notice is not added twice; it is shown for longer.
        """
        now = time.monotonic()
        for text in self.source.notices:
            self._notices.pop(text, None)
            self._notices[text] = now
            self.history.append((self.source.status().step, text))
        self.source.notices.clear()
        recent = now - _NOTICE_TIME
        self._notices = {n: at for n, at in self._notices.items() if at >= recent}


class GameApp(App):
    """Window for a game played by a person.

    Args:
      *parts: Arguments of `App`; the source is a `Session`.
    """

    source: Session

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._started: bool = self._args.nonstop
        self._slot: pathlib.Path = self._args.resume or saves.slot(self.source.game.key)
        self._kept = -1  # source version that it holds
        self._keeps_at = time.monotonic() + _KEEP_EVERY
        self._tutorial: Tutorial | None = None
        played = self._args.task is None and not self.source.pilot
        if self._args.tutorial and played:
            self._tutorial = Tutorial(self.source.game, self._bindings.label)
        self._sounds = Sounds() if self._args.sound else None
        if self._sounds and self._sounds.problem:
            self.source.log(f"No sound: {self._sounds.problem}.")
        self._lost = ""  # why it cannot be saved, while asking whether to leave
        self._walk: Iterator[str] = iter(())  # actions of automatic walks
        # In turn-based play, only the latest press counts.
        self._queue: collections.deque[str] = collections.deque(
            maxlen=1 if self._args.wait else _QUEUE
        )

    @property
    def waiting(self) -> bool:
        """Whether the game waits for the user to answer or close something."""
        ended = self.source.ending is not None
        return super().waiting or bool(self._lost) or not self._started or ended

    @property
    def pressing(self) -> bool:
        """Whether a step is due immediately: a key press in turn-based play."""
        return bool(self._args.wait and self._queue)

    def step(self) -> None:
        """Plays the action of the next key press, or else of a held key.

        Source:
          Crafter 1.8.3: a pressed key takes precedence over held keys, of which the
          first in table order counts. Of several presses, it plays only the last.
          Both published programs wait while the player sleeps; Craftax 1.6.1 also
          while it rests.
        """
        self._ticks = 0
        action = self._queue.popleft() if self._queue else self._held_action()
        action = action or next(self._walk, None)
        idle = self.source.idle
        piloted = self.source.pilot and self.source.pilot.on
        if action or idle or piloted or not self._args.wait:
            self.source.advance(action)
            if self._sounds:
                self._sounds.play(self.source.happened)
        if idle or self.source.idle:
            self._queue.clear()  # They may be stale.
            self._walk = iter(())
        self._compare()
        if time.monotonic() > self._keeps_at:
            self._keeps_at = time.monotonic() + _KEEP_EVERY
            self.keep()
        if self._args.nonstop and (page := self.source.ending) is not None:
            self.source.next_episode()
            self.source.notices.append(" ".join([f"{page.title}.", *page.paragraphs]))

    def _compare(self) -> None:
        """Adds the comparison with the best run to the end page, for default games."""
        page = self.source.ending
        if page is None or page.run is None:
            return
        if {*same_game(self._args, self.source.origin)} <= _ORIGIN:
            comparison = best_runs.compare(self.source.game.key, page.run)
            paragraphs = (*page.paragraphs, *([comparison] if comparison else []))
            self.source.ending = page._replace(paragraphs=paragraphs)

    def page(self) -> Page | None:
        """Returns the current page, if any."""
        if self._covered:
            return super().page()
        if self._lost:
            hints = (
                ("quit", "quit"),
                ("save", "save first"),
                ("toggle_pause", "continue"),
            )
            text = f"It cannot be saved: {self._lost}."
            return Page("Quit the game?", (text,), footer=self._bindings.hint(*hints))
        if self.source.ending is not None:
            after = ("again", "same world again"), ("load", "load the saved game")
            first, last = ("toggle_pause", self.source.next), ("quit", "quit")
            footer = self._bindings.hint(first, *after, last)
            return self.source.ending._replace(footer=footer)
        return None if self._started else self._keys(("toggle_pause", "begin"))

    def toggle_pause(self) -> None:
        """Pauses or resumes; on a page, starts the game or the next episode."""
        if self._lost:
            self._stay()
        elif self.source.ending is not None:
            self.again(same=False)
        elif not self._started:
            self._started = True
        else:
            super().toggle_pause()

    def again(self, same: bool = True) -> None:
        """Starts the next episode after an end, in the same world or another."""
        self.source.next_episode(same)
        self._queue.clear()

    def quit(self) -> None:
        """Closes the overlay, or the game if there is none."""
        if super().waiting:
            super().quit()
        else:
            self.close()

    def close(self) -> None:
        """Saves and leaves the game; asks first if it cannot be saved."""
        asked, self._lost = self._lost, self.keep()
        self.running = bool(self._lost) and not asked

    def keep(self) -> str:
        """Saves a running game for later; returns the reason if it cannot, or ''."""
        if self._kept == self.source.version:
            return ""
        if not self.source.lasting:
            return _failure(pathlib.Path.unlink, self._slot, missing_ok=True)
        options = same_game(self._args, self.source.origin)
        why = _failure(self.source.save, self._slot, options=options)
        if not why:
            self._kept = self.source.version
        return why

    def _stay(self) -> None:
        """Dismisses the question and continues the game."""
        self._lost, self.closed = "", False

    def save(self) -> None:
        """Saves the game."""
        if self._with_file("save", self.source.save, "Saved to"):
            self._stay()

    def load(self) -> None:
        """Loads the saved game."""
        if self._with_file("load", self.source.load, "Loaded"):
            self._started = True
            self._stay()
            self._queue.clear()

    def _press(self, meaning: str) -> None:
        self._walk = iter(())
        super()._press(meaning)
        covered = self.floor is not None or self.source.ending is not None
        if meaning not in COMMANDS and not covered:
            self._started, self.help, self.recalling = True, False, False
            self.looking, self.tree, self.cell = False, False, None
            self._stay()
            self._queue.append(meaning)

    def _click(self, place: tuple[int, int]) -> None:
        super()._click(place)
        what, cell = self.screen.at(place), self._grid.at(place)
        self._walk = iter(())
        if any(cell or ()):
            self._go(cell)
        if isinstance(what, Slot) and what.action and not self.waiting:
            self._press(what.action)

    def explore(self) -> None:
        """Walks towards unexplored cells."""
        self._go()

    def _go(self, *to: tuple[int, int] | None) -> None:
        """Walks to a cell, or explores, in turn-based play."""
        if self._args.wait and not (self.paused or self.waiting):
            self._walk = walk(self.source, *to)

    def achieve(self) -> None:
        """Performs the next available achievement that has no key of its own.

        Achievements already unlocked come last.
        """
        status, meanings = self.source.status(), self._bindings.meanings
        pad_actions = {meanings.get(key or "") for key in PADS["hat"]}
        names = sorted(status.possible, key=status.unlocked.__contains__)
        actions = (status.possible[name] for name in names)
        if action := next((a for a in actions if a not in pad_actions), None):
            self._press(action)
        else:
            self.source.log("No other achievement is possible now.")

    def toggle_agent(self) -> None:
        """Takes over from the agent, or hands back control."""
        assert self.source.pilot is not None  # otherwise the command does not exist
        self.source.pilot.on = not self.source.pilot.on

    def leave(self) -> None:
        """Ends the game; saves it and the progress of the tutorial."""
        if self._tutorial:
            self._tutorial.keep()
        if why := self.keep():
            print(f"The game could not be saved: {why}.")
        super().leave()
        if self._kept == self.source.version:
            print(f"Game saved: {self._slot}")

    def _keys(self, *hints: tuple[str, str]) -> Page:
        page, given = super()._keys(*hints), same_game(self._args, self.source.origin)
        again = WORDS["again"].format(command=command(given))
        return page._replace(paragraphs=(*page.paragraphs, again))

    def _advice(self) -> str:
        return self._tutorial.hint(self.source.status()) if self._tutorial else ""

    def _idle_text(self) -> str:
        if self.source.pilot:
            plays, other = ("The agent plays", "take over")
            if not self.source.pilot.on:
                plays, other = ("You play", "let the agent continue")
            return f"{plays}. {self._bindings.hint(('toggle_agent', other))}"
        slot = self.screen.at(pygame.mouse.get_pos())
        if not isinstance(slot, Slot) or slot.action is None:
            return super()._idle_text()
        key = self._bindings.label(slot.action) or "click"
        what = ": ".join(filter(None, [slot.name, slot.about]))
        return f"{what}. {self.source.game.title_of(slot.action)}: {key}"

    def _held_action(self) -> str | None:
        held = self._held.values()
        actions = self._bindings.actions
        return next((action for key, action in actions.items() if key in held), None)


class ReplayApp(App):
    """Window for replaying a recorded episode.

    Args:
      source: The episode.
      screen: The window.
      bindings: Key bindings.
      args: Command-line options; see `crafter.gui.options`.
    """

    source: Replay

    def step(self) -> None:
        """Shows the next frame; pauses at the last one."""
        self.source.seek(self.source.index + 1)
        self.paused = self.paused or self.source.at_end

    def save(self) -> None:
        """Saves this moment as a game that can be loaded and played."""
        self._with_file("save", self.source.save, "Saved to")

    def play_on(self) -> None:
        """Continues from this moment as a game, which is saved like any other."""
        slot = saves.slot(self.source.game.key)
        options = same_game(self._args, self.source.origin)
        if why := _failure(self.source.save, slot, options=options):
            self.source.log(f"Cannot continue: {why}.")
        else:
            self.choice, self.running = {"replay": None, "resume": slot}, False

    def toggle_pause(self) -> None:
        """Pauses or resumes; at the end, restarts."""
        if self.paused and self.source.at_end:
            self.source.seek(0)
        super().toggle_pause()

    def _pause_text(self) -> str:
        hints = ("back", "back"), ("forward", "on"), ("toggle_pause", "resume")
        if self.source.at_end:
            again = "toggle_pause", "from the beginning"
            return f"The end. {self._bindings.hint(('back', 'back'), again)}"
        return f"Paused. {self._bindings.hint(*hints)}"

    def _click(self, place: tuple[int, int]) -> None:
        super()._click(place)
        if (part := self.screen.part_at(place)) is not None:
            self.paused = True
            self.source.seek(round(part * self.source.last))

    def _press(self, meaning: str) -> None:
        if meaning in _JUMPS:
            self.paused = True
            self.source.seek(self.source.index + _JUMPS[meaning])
        else:
            super()._press(meaning)


def _failure(use: Callable[..., Any], path: pathlib.Path, **options: Any) -> str:
    """Applies a function to a file; returns the error message, or '' on success."""
    try:
        use(path, **options)
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error).rstrip(".")
    return ""
