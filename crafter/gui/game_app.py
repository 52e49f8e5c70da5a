"""Window of a game that a person plays."""

import collections
from typing import Any

import pygame

from crafter.gui import dialogs, savefile
from crafter.gui.app import App
from crafter.gui.keys import COMMANDS
from crafter.gui.screen import Overlay
from crafter.gui.session import Session
from crafter.gui.status import Dialog, Slot

_QUEUE = 8  # presses that wait for their step; more push out the oldest


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
            self.notify(f"Not saved: {error}.")

    def load(self) -> None:
        """Goes on with the saved game."""
        try:
            self.source.load(self._args.save)
        except savefile.SaveError as error:
            self.notify(f"Not loaded: {error}.")
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
