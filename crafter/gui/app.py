"""Main loop of the window: keys in, steps, pictures out.

`GameApp` is the one for a game that a person plays, `ReplayApp` that for a recording.
"""

import argparse
import collections
import math
import sys
import time
from typing import Any

import pygame

from crafter.gui import dialogs, savefile, tables_view
from crafter.gui.keyboard import pressed
from crafter.gui.keys import COMMANDS, Bindings
from crafter.gui.panel import Mode
from crafter.gui.replay import Replay
from crafter.gui.screen import Overlay, Screen
from crafter.gui.session import Session
from crafter.gui.source import Source
from crafter.gui.status import Dialog, Slot

#: The speeds that can be chosen while playing, in steps per second.
SPEEDS = (1, 2, 3, 5, 8, 12, 20, 30, 60, 120)
_SMOOTH = 30  # The window answers at least so many times a second.
_NOTICE_TIME = 4.0  # seconds
_NOTICES = 4  # kept at once
_FLASH_TIME = 0.4  # seconds
_QUEUE = 8  # presses that wait for their step; more push out the oldest

#: Command -> how many steps to go; positions beyond an end are the end.
_JUMPS = {
    "back": -1,
    "forward": 1,
    "far_back": -50,
    "far_forward": 50,
    "first": -sys.maxsize,
    "last": sys.maxsize,
}
#: Command -> how many floors to go, while the map is shown.
_FLOORS = {"far_back": -1, "far_forward": 1}


class App:
    """Main loop, shared by playing and replaying.

    Args:
      source: What is shown and stepped.
      screen: The window.
      bindings: What every key does.
      args: Options of the command line; see `crafter.gui.options`.

    Attributes:
      running: Whether the window stays open.
      rate: Steps per second.
      paused: Whether the game is paused.
      help: Whether the help is shown; no steps are made meanwhile.
      floor: Number of the floor that the map shows; None while it is not shown. No
        steps are made while it is.
    """

    source: Any

    def __init__(
        self,
        source: Source,
        screen: Screen,
        bindings: Bindings,
        args: argparse.Namespace,
    ) -> None:
        self.source = source
        self.screen = screen
        self.running = True
        self.rate: int = args.fps
        self.paused = False
        self.help = False
        self.floor: int | None = None
        self._bindings, self._args = bindings, args
        self._held: dict[int, str] = {}  # place of a key -> its name
        self._ticks = 0
        self._clock = pygame.time.Clock()
        self._notices: dict[str, float] = {}  # text -> when it came
        self._seen = source.version
        self._hurt_at = -math.inf

    def run(self) -> None:
        """Plays until the window is closed or the source is over."""
        self.draw()
        while self.running:
            self._clock.tick(self.rate * self._ticks_per_step)
            self.tick()

    def tick(self) -> None:
        """Answers the events that have come, makes a step if one is due, and draws."""
        for event in pygame.event.get():
            self._handle(event)
        self._ticks += 1
        due = self._ticks % self._ticks_per_step == 0
        if self.running and due and not (self.paused or self.waiting):
            self.step()
        if self.source.over:
            self.running = False
        self.draw()

    @property
    def waiting(self) -> bool:
        """Whether something is shown that has to be answered or closed first."""
        return self.help or self.floor is not None

    def draw(self) -> None:
        """Draws the window."""
        self._collect_notices()
        mode = Mode(
            rate=self.rate,
            paused=self.paused or self.waiting,
            recording=bool(self._args.record),
        )
        self.screen.draw(self.source, mode, self._overlay())

    def _overlay(self) -> Overlay:
        if self.source.version != self._seen:
            self._seen = self.source.version
            hurt = self.source.status().hurt
            self._hurt_at = time.monotonic() if hurt else -math.inf
        paused = (self._pause_text(),) if self.paused else ()
        overlay = Overlay(
            notices=(*self._notices, *paused),
            idle="" if self.waiting else self._idle_text(),
            floor=self.floor,
            flash=1 - (time.monotonic() - self._hurt_at) / _FLASH_TIME,
        )
        if self.help:
            tables = tables_view.help_tables(self._bindings, self.source.game)
            return overlay._replace(tables=tables)
        if self.floor is not None:
            others = ("next_floor", "next floor"), ("previous_floor", "floor before")
            hint = self._bindings.hint(*others, ("toggle_map", "back to the game"))
            overlay = overlay._replace(hint=hint)
        return overlay

    def step(self) -> None:
        """Makes one step."""
        raise NotImplementedError

    # Commands; `keys` names them, and some of the screen.

    def quit(self) -> None:
        """Closes the window."""
        self.running = False

    def toggle_pause(self) -> None:
        """Pauses, or goes on."""
        self.paused = not self.paused

    def single_step(self) -> None:
        """Makes one step while paused."""
        if self.paused and not self.waiting:
            self.step()

    def faster(self) -> None:
        """Raises the speed to the next one."""
        self.rate = min((s for s in SPEEDS if s > self.rate), default=self.rate)

    def slower(self) -> None:
        """Lowers the speed to the next one."""
        self.rate = max((s for s in SPEEDS if s < self.rate), default=self.rate)

    def toggle_help(self) -> None:
        """Shows or hides the help."""
        self.help = not self.help

    def toggle_map(self) -> None:
        """Shows or hides the map of what the player has seen."""
        if self.floor is not None:
            self.floor = None
        elif self.source.memory.seen.any():
            self.floor = self.source.place()[0]
        else:
            self.source.log("There is no map: the recording cannot be played again.")

    def next_floor(self, step: int = 1) -> None:
        """Shows the next floor on the map."""
        if self.floor is not None:
            last = len(self.source.memory.seen) - 1
            self.floor = min(max(self.floor + step, 0), last)

    def previous_floor(self) -> None:
        """Shows the floor before on the map."""
        self.next_floor(-1)

    def screenshot(self) -> None:
        """Saves what the window shows."""
        key, now = self.source.game.key, time.strftime("%Y%m%dT%H%M%S")
        path = self._args.directory / f"{key}-{now}-{time.time_ns() % 10**6}.png"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.screen.save(path)
        except OSError as error:
            self.source.log(f"Cannot write {path}: {error.strerror or error}.")
        else:
            self.source.log(f"Saved a picture as {path}.")

    @property
    def _ticks_per_step(self) -> int:
        return math.ceil(_SMOOTH / self.rate)

    def _handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.quit()
        elif event.type == pygame.KEYDOWN:
            key = pressed(event, self._bindings.meanings)
            if key is not None:
                self._held[event.scancode] = key
                self._press(self._bindings.meanings[key])
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._click(event.pos)
        elif event.type == pygame.KEYUP:
            self._held.pop(event.scancode, None)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._held.clear()

    def _press(self, meaning: str) -> None:
        """Answers the key of a command or an action."""
        if meaning in COMMANDS:
            (getattr(self, meaning, None) or getattr(self.screen, meaning))()

    def _click(self, place: tuple[int, int]) -> None:
        """Answers a click into the window."""
        what = self.screen.at(place)
        if isinstance(what, int):
            self.floor = what

    def _pause_text(self) -> str:
        hint = self._bindings.hint(("single_step", "step"), ("toggle_pause", "resume"))
        return f"Paused. {hint}"

    def _idle_text(self) -> str:
        """Returns the text of an empty message strip."""
        return self._bindings.hint(("toggle_help", "help"), ("toggle_pause", "pause"))

    def _collect_notices(self) -> None:
        """Takes over new notices and drops those that have been shown long enough.

        One that comes again is not repeated, it stays for longer.
        """
        now = time.monotonic()
        for text in self.source.notices:
            self._notices.pop(text, None)
            self._notices[text] = now
        self.source.notices.clear()
        latest = list(self._notices.items())[-_NOTICES:]
        self._notices = {text: at for text, at in latest if at >= now - _NOTICE_TIME}


class GameApp(App):
    """Window of a game that a person plays.

    Args:
      *parts: Those of `App`; the source is a `Session`.

    Attributes:
      menu: Whether the menu is shown; no steps are made meanwhile.
    """

    source: Session

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.menu = False
        self._begun: bool = self._args.nonstop
        self._queue: collections.deque[str] = collections.deque(maxlen=_QUEUE)

    @property
    def waiting(self) -> bool:
        """Whether something is shown that has to be answered or closed first."""
        shown = super().waiting or self.menu or not self._begun
        return shown or self.source.ending is not None

    def step(self) -> None:
        """Plays the action of the next key pressed, or else of a held one.

        Source:
          Crafter 1.8.3: a pressed key wins over held ones, of which the first in the
          order of the table counts. Of several presses it plays the last only.
          Both published programs wait for who sleeps, and that of Craftax 1.6.1 for
          who rests.
        """
        action = self._queue.popleft() if self._queue else self._held_action()
        idle = self.source.idle
        if action or idle or self.paused or not self._args.wait:
            self.source.advance(action)
        if idle or self.source.idle:
            self._queue.clear()  # Nobody knows how long ago these were meant.
        if self._args.nonstop:
            self.source.next_episode()

    def toggle_pause(self) -> None:
        """Pauses, or goes on; on a dialog, begins with the game or the next episode."""
        if self.source.ending is not None:
            self.source.next_episode()
            self._queue.clear()
        elif not self._begun:
            self._begun = True
        else:
            super().toggle_pause()

    def toggle_menu(self) -> None:
        """Shows or hides the menu."""
        self.menu = not self.menu and self.source.ending is None

    def save(self) -> None:
        """Saves the game."""
        try:
            self.source.save(self._args.save)
        except savefile.SaveError as error:
            self.source.log(f"Not saved: {error}.")

    def load(self) -> None:
        """Goes on with the saved game."""
        try:
            self.source.load(self._args.save)
        except savefile.SaveError as error:
            self.source.log(f"Not loaded: {error}.")
        else:
            self._begun = True
            self._queue.clear()

    def _press(self, meaning: str) -> None:
        super()._press(meaning)
        covered = self.help or self.floor is not None or self.source.ending is not None
        if meaning not in COMMANDS and not covered:
            self._begun, self.menu = True, False
            self._queue.append(meaning)

    def _click(self, place: tuple[int, int]) -> None:
        super()._click(place)
        what = self.screen.at(place)
        if self.menu:
            self.menu = False
            if isinstance(what, str):
                self._press(what)
        elif isinstance(what, Slot) and what.action and not self.waiting:
            self._press(what.action)

    def _overlay(self) -> Overlay:
        overlay = super()._overlay()._replace(dialog=self._dialog())
        if not self.menu or self.help:
            return overlay
        hint = self._bindings.hint(("toggle_menu", "back to the game"))
        return overlay._replace(
            tables=self.source.menu(self._bindings.label), hint=hint
        )

    def _idle_text(self) -> str:
        slot = self.screen.at(pygame.mouse.get_pos())
        if not isinstance(slot, Slot) or slot.action is None:
            return super()._idle_text()
        key = self._bindings.label(slot.action) or "click"
        return f"{slot.name}. {self.source.game.title_of(slot.action)}: {key}"

    def _held_action(self) -> str | None:
        held = self._held.values()
        actions = self._bindings.actions
        return next((action for key, action in actions.items() if key in held), None)

    def _dialog(self) -> Dialog | None:
        if not self._begun and self.source.ending is None:
            return dialogs.start(self.source, self._bindings)
        return dialogs.end(self.source, self._bindings)

    def _pause_text(self) -> str:
        if not self._queue:
            return super()._pause_text()
        actions = ", ".join(name.replace("_", " ") for name in self._queue)
        return f"Paused. {self._bindings.hint(('single_step', actions))}"


class ReplayApp(App):
    """Window of a recorded episode that is played back.

    Args:
      source: The episode.
      screen: The window.
      bindings: What every key does.
      args: Options of the command line; see `crafter.gui.options`.
    """

    source: Replay

    def step(self) -> None:
        """Shows the next moment; pauses when the last one is reached."""
        self.source.seek(self.source.index + 1)
        self.paused = self.paused or self.source.at_end

    def toggle_pause(self) -> None:
        """Pauses, or goes on; at the end, goes on from the beginning."""
        if self.paused and self.source.at_end:
            self.source.seek(0)
        super().toggle_pause()

    def _pause_text(self) -> str:
        ways = ("back", "back"), ("forward", "on")
        return f"Paused. {self._bindings.hint(*ways, ('toggle_pause', 'resume'))}"

    def _press(self, meaning: str) -> None:
        if self.floor is not None and meaning in _FLOORS:
            self.next_floor(_FLOORS[meaning])
        elif meaning in _JUMPS:
            self.paused = True
            self.source.seek(self.source.index + _JUMPS[meaning])
        else:
            super()._press(meaning)
