"""The loop of the window: keys in, steps, pictures out."""

import collections
import math
import pathlib
import time
from typing import Any

import pygame

from crafter.gui import help_view, keys, savefile
from crafter.gui.panel import Mode
from crafter.gui.replay import Replay
from crafter.gui.screen import Overlay, Screen
from crafter.gui.session import Session

#: The speeds that the keys + and - go through, in steps per second.
SPEEDS = (1, 2, 3, 5, 8, 12, 20, 30, 60, 120)
_SMOOTH = 30  # The window answers at least so many times a second.
_NOTICE_TIME = 4.0  # seconds
_NOTICES = 4  # shown at once
_FAR = 50  # steps


class App:
    """What playing and replaying share. Use `GameApp` or `ReplayApp`.

    Args:
      source: What is shown and stepped.
      screen: The window.
      fps: Steps per second.
      directory: Where screenshots go.
      recording: Whether the light of a recording is lit.

    Attributes:
      running: Whether the window stays open.
      rate: Steps per second.
      paused: Whether the game is paused.
      help: Whether the help is shown; no steps are made meanwhile.
    """

    commands: tuple[keys.Command, ...]
    source: Any

    def __init__(
        self,
        source: Session | Replay,
        screen: Screen,
        *,
        fps: int = 5,
        directory: str | pathlib.Path = ".",
        recording: bool = False,
    ) -> None:
        self.source = source
        self.screen = screen
        self.running = True
        self.rate = fps
        self.paused = False
        self.help = False
        self._bindings: dict[str, str] = {}
        self._directory = pathlib.Path(directory)
        self._recording = recording
        self._ticks = 0
        self._clock = pygame.time.Clock()
        self._notices: collections.deque = collections.deque(maxlen=_NOTICES)
        self._commands = {
            pygame.key.key_code(key): getattr(self, command.name)
            for command in self.commands
            for key in command.keys
        }

    def run(self) -> None:
        """Plays until the window is closed or the source is over."""
        self.source.notices.append("H shows the keys.")
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
        if self.running and due and not (self.paused or self.help):
            self.step()
        if self.source.over:
            self.running = False
        self.draw()

    def draw(self) -> None:
        """Draws the window."""
        self._collect_notices()
        mode = Mode(
            rate=self.rate,
            paused=self.paused,
            recording=self._recording,
            replay=isinstance(self.source, Replay),
            pending=self._pending_action(),
        )
        notices = tuple(text for _, text in self._notices)
        self.screen.draw(self.source, mode, Overlay(notices, self._help_tables()))

    def step(self) -> None:
        """Makes one step."""
        raise NotImplementedError

    def notify(self, text: str) -> None:
        """Prints a text and shows it in the window for a while."""
        print(text)
        self.source.notices.append(text)

    # Commands; `keys` names them.

    def quit(self) -> None:
        """Closes the window."""
        self.running = False

    def toggle_pause(self) -> None:
        """Pauses, or goes on."""
        self.paused = not self.paused

    def single_step(self) -> None:
        """Makes one step while paused."""
        if self.paused and not self.help:
            self.step()

    def faster(self) -> None:
        """Raises the speed to the next one."""
        self.rate = min((s for s in SPEEDS if s > self.rate), default=self.rate)

    def slower(self) -> None:
        """Lowers the speed to the next one."""
        self.rate = max((s for s in SPEEDS if s < self.rate), default=self.rate)

    def toggle_panel(self) -> None:
        """Shows or hides the side panel."""
        self.screen.toggle_panel()

    def toggle_help(self) -> None:
        """Shows or hides the help."""
        self.help = not self.help

    def screenshot(self) -> None:
        """Saves what the window shows."""
        name = f"crafter-{time.strftime('%Y%m%dT%H%M%S')}-{time.time_ns() % 10**6}.png"
        path = self._directory / name
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            self.screen.save(path)
        except OSError as error:
            self.notify(f"Cannot write {path}: {error.strerror or error}.")
        else:
            self.notify(f"Saved a picture as {path}.")

    @property
    def _ticks_per_step(self) -> int:
        return math.ceil(_SMOOTH / self.rate)

    def _handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.quit()
        if event.type == pygame.KEYDOWN:
            self._press(event.key)

    def _press(self, key: int) -> None:
        if key in self._commands:
            self._commands[key]()

    def _pending_action(self) -> str | None:
        return None

    def _help_tables(self) -> list[help_view.Section]:
        if not self.help:
            return []
        return help_view.sections(self.commands, self._bindings)

    def _collect_notices(self) -> None:
        """Takes over new notices and drops those that have been shown long enough."""
        now = time.monotonic()
        while self.source.notices:
            self._notices.append((now, self.source.notices.pop(0)))
        while self._notices and self._notices[0][0] < now - _NOTICE_TIME:
            self._notices.popleft()


class GameApp(App):
    """The window of a person who plays.

    Args:
      source: The game.
      screen: The window.
      wait: Whether to wait for a key before each step, except while asleep.
      save_path: Where the game is saved to and loaded from.
      **options: Those of `App`.
    """

    commands = keys.GAME
    source: Session

    def __init__(
        self,
        source: Session,
        screen: Screen,
        *,
        wait: bool = False,
        save_path: str | pathlib.Path = "crafter-save.npz",
        **options: Any,
    ) -> None:
        super().__init__(source, screen, **options)
        self._wait = wait
        self._save_path = save_path
        self._pressed: str | None = None
        self._bindings = keys.bindings(source.rules.actions)
        self._actions = {
            pygame.key.key_code(key): action for key, action in self._bindings.items()
        }

    def step(self) -> None:
        """Plays the action of the key pressed last, or else of a held one.

        Source:
          Crafter 1.8.3: a key-down event wins over held keys, of which the first in
          the order of the table counts.
        """
        action = self._pressed or self._held_action()
        self._pressed = None
        asleep = self.source.sleeping
        if action or asleep or self.paused or not self._wait:
            self.source.advance(action)

    def save(self) -> None:
        """Saves the game."""
        try:
            self.source.save(self._save_path)
        except savefile.SaveError as error:
            self.notify(f"Not saved: {error}.")

    def load(self) -> None:
        """Goes on with the saved game."""
        try:
            self.source.load(self._save_path)
        except savefile.SaveError as error:
            self.notify(f"Not loaded: {error}.")

    def _press(self, key: int) -> None:
        super()._press(key)
        if not self.help:
            self._pressed = self._actions.get(key, self._pressed)

    def _held_action(self) -> str | None:
        held = pygame.key.get_pressed()
        return next((name for key, name in self._actions.items() if held[key]), None)

    def _pending_action(self) -> str | None:
        return self._pressed if self.paused else None


class ReplayApp(App):
    """The window in which a recorded episode is played back.

    Args:
      source: The episode.
      screen: The window.
      **options: Those of `App`.
    """

    commands = keys.REPLAY
    source: Replay

    def step(self) -> None:
        """Shows the next moment; pauses when the last one is reached."""
        self.source.advance()
        self.paused = self.paused or self.source.at_end

    def toggle_pause(self) -> None:
        """Pauses, or goes on; at the end, goes on from the beginning."""
        if self.paused and self.source.at_end:
            self.source.seek(0)
        super().toggle_pause()

    def back(self) -> None:
        """Shows the moment before."""
        self._seek(self.source.index - 1)

    def forward(self) -> None:
        """Shows the moment after."""
        self._seek(self.source.index + 1)

    def far_back(self) -> None:
        """Shows a moment long before."""
        self._seek(self.source.index - _FAR)

    def far_forward(self) -> None:
        """Shows a moment long after."""
        self._seek(self.source.index + _FAR)

    def first(self) -> None:
        """Shows the first moment."""
        self._seek(0)

    def last(self) -> None:
        """Shows the last moment."""
        self._seek(self.source.last)

    def _seek(self, index: int) -> None:
        self.paused = True
        self.source.seek(index)
