"""The loop of the window: keys in, steps, pictures out."""

import collections
import math
import pathlib
import time
from typing import Any

import pygame

from crafter.gui import cards, help_view, savefile
from crafter.gui.keyboard import Keyboard
from crafter.gui.keys import Bindings
from crafter.gui.panel import Mode
from crafter.gui.replay import Replay
from crafter.gui.screen import Overlay, Screen
from crafter.gui.session import Session

#: The speeds that can be chosen while playing, in steps per second.
SPEEDS = (1, 2, 3, 5, 8, 12, 20, 30, 60, 120)
_SMOOTH = 30  # The window answers at least so many times a second.
_NOTICE_TIME = 4.0  # seconds
_NOTICES = 4  # kept at once
_FLASH_TIME = 0.4  # seconds
_FAR = 50  # steps
_QUEUE = 8  # presses that wait for their step; more push out the oldest


class App:
    """What playing and replaying share. Use `GameApp` or `ReplayApp`.

    Args:
      source: What is shown and stepped.
      screen: The window.
      bindings: What every key does.
      fps: Steps per second.
      directory: Where screenshots go.
      recording: Whether the light of a recording is lit.

    Attributes:
      running: Whether the window stays open.
      rate: Steps per second.
      paused: Whether the game is paused.
      help: Whether the help is shown; no steps are made meanwhile.
    """

    source: Any

    def __init__(
        self,
        source: Session | Replay,
        screen: Screen,
        bindings: Bindings,
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
        self._bindings = bindings
        self._keyboard = Keyboard(bindings.meanings)
        self._directory = pathlib.Path(directory)
        self._recording = recording
        self._ticks = 0
        self._clock = pygame.time.Clock()
        self._notices: collections.deque = collections.deque(maxlen=_NOTICES)
        self._seen = source.version
        self._hurt_at = -math.inf
        self._commands = {
            command.name: getattr(self, command.name) for command in bindings.commands
        }

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
        return self.help

    def draw(self) -> None:
        """Draws the window."""
        self._collect_notices()
        mode = Mode(
            rate=self.rate,
            paused=self.paused or self.waiting,
            recording=self._recording,
            replay=isinstance(self.source, Replay),
        )
        self.screen.draw(self.source, mode, self._overlay())

    def _overlay(self) -> Overlay:
        status = self.source.status()
        if self.source.version != self._seen:
            self._seen = self.source.version
            self._hurt_at = time.monotonic() if status.hurt else -math.inf
        notices = [text for _, text in self._notices]
        if self.paused:
            notices.append(self._pause_text())
        return Overlay(
            notices=tuple(notices),
            idle="" if self.waiting else self._idle_text(),
            tables=self._help_tables(),
            card=self._card(),
            flash=1 - (time.monotonic() - self._hurt_at) / _FLASH_TIME,
        )

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
        if self.paused and not self.waiting:
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

    def toggle_full_screen(self) -> None:
        """Fills the screen, or goes back to a window."""
        self.screen.toggle_full_screen()

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
        elif event.type == pygame.KEYDOWN:
            meaning = self._keyboard.press(event.scancode, event.key)
            if meaning in self._commands:
                self._commands[meaning]()
            elif meaning is not None:
                self._press(meaning)
        elif event.type == pygame.KEYUP:
            self._keyboard.release(event.scancode)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._keyboard.release_all()

    def _press(self, action: str) -> None:
        """Answers the key of an action."""

    def _card(self) -> cards.Card | None:
        """Returns the card that covers the picture, if there is one."""
        return None

    def _pause_text(self) -> str:
        hint = self._bindings.hint(("single_step", "step"), ("toggle_pause", "resume"))
        return f"Paused. {hint}"

    def _idle_text(self) -> str:
        """Returns what is said when nothing else is."""
        return self._bindings.hint(("toggle_help", "help"), ("toggle_pause", "pause"))

    def _help_tables(self) -> list[help_view.Section]:
        if not self.help:
            return []
        return help_view.sections(self._bindings, self.source.game)

    def _collect_notices(self) -> None:
        """Takes over new notices and drops those that have been shown long enough.

        One that comes again is not repeated, it stays for longer.
        """
        now = time.monotonic()
        while self.source.notices:
            text = self.source.notices.pop(0)
            kept = [notice for notice in self._notices if notice[1] != text]
            self._notices.clear()
            self._notices.extend([*kept, (now, text)])
        while self._notices and self._notices[0][0] < now - _NOTICE_TIME:
            self._notices.popleft()


class GameApp(App):
    """The window of a person who plays.

    Args:
      source: The game.
      screen: The window.
      bindings: What every key does.
      wait: Whether to wait for a key before each step, except while asleep.
      nonstop: Whether to begin, and to go on after the end of an episode, without
        being told to.
      save_path: Where the game is saved to and loaded from.
      **options: Those of `App`.
    """

    source: Session

    def __init__(
        self,
        source: Session,
        screen: Screen,
        bindings: Bindings,
        *,
        wait: bool = False,
        nonstop: bool = False,
        save_path: str | pathlib.Path = "crafter-save.npz",
        **options: Any,
    ) -> None:
        super().__init__(source, screen, bindings, **options)
        self._wait = wait
        self._nonstop = nonstop
        self._begun = nonstop
        self._save_path = save_path
        self._queue: collections.deque[str] = collections.deque(maxlen=_QUEUE)

    @property
    def waiting(self) -> bool:
        """Whether something is shown that has to be answered or closed first."""
        return self.help or not self._begun or self.source.ending is not None

    def step(self) -> None:
        """Plays the action of the next key pressed, or else of a held one.

        Source:
          Crafter 1.8.3: a pressed key wins over held ones, of which the first in the
          order of the table counts. Of several presses it plays the last only.
        """
        action = self._queue.popleft() if self._queue else self._held_action()
        asleep = self.source.sleeping
        if action or asleep or self.paused or not self._wait:
            self.source.advance(action)
        if asleep or self.source.sleeping:
            self._queue.clear()  # Nobody knows how long ago these were meant.
        if self._nonstop:
            self.source.next_episode()

    def toggle_pause(self) -> None:
        """Pauses, or goes on; on a card, begins with the game or the next episode."""
        if self.source.ending is not None:
            self.source.next_episode()
            self._queue.clear()
        elif not self._begun:
            self._begun = True
        else:
            super().toggle_pause()

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
        else:
            self._begun = True
            self._queue.clear()

    def _press(self, action: str) -> None:
        if self.help or self.source.ending is not None:
            return
        self._begun = True
        self._queue.append(action)

    def _held_action(self) -> str | None:
        held = self._keyboard.held()
        actions = self._bindings.actions
        return next((action for key, action in actions.items() if key in held), None)

    def _card(self) -> cards.Card | None:
        if self.source.ending is not None:
            return cards.end(self.source.ending, self._bindings)
        if not self._begun:
            return cards.start(self.source.game, self._bindings)
        return None

    def _pause_text(self) -> str:
        if not self._queue:
            return super()._pause_text()
        actions = ", ".join(name.replace("_", " ") for name in self._queue)
        return f"Paused. {self._bindings.hint(('single_step', actions))}"


class ReplayApp(App):
    """The window in which a recorded episode is played back.

    Args:
      source: The episode.
      screen: The window.
      bindings: What every key does.
      **options: Those of `App`.
    """

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

    def _pause_text(self) -> str:
        hint = self._bindings.hint(
            ("back", "back"), ("forward", "on"), ("toggle_pause", "resume")
        )
        return f"Paused. {hint}"

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
