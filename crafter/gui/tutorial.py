"""Tutorial: hints on what to do next, each shown until it has been followed once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from crafter.gui import saves
from crafter.gui.game import Game, Status
from crafter.gui.settings import WORDS


class Hint(NamedTuple):
    """A hint.

    Attributes:
      until: Achievement that ends the hint.
      text: Its text; `{keys[sleep]}` is replaced by the main key of an action, and
        `{needs[place_table]}` by its costs.
      after: Achievements that must be unlocked first in the episode.
      low: Vital that must be low.
    """

    until: str
    text: str
    after: tuple[str, ...] = ()
    low: str = ""


class Tutorial:
    """Hints of a game, without those already followed in any episode.

    Args:
      game: The game; hints on things missing from its rules are dropped.
      label: Action -> display name of its main key.
    """

    def __init__(self, game: Game, label: Callable[[str], str]) -> None:
        self._game, self._label = game, label
        self._hints = [*self._fill_in()]
        self._followed = set(saves.recall("known.json").get(game.key, ()))

    def _fill_in(self) -> Iterator[Hint]:
        keys = {name: self._label(name) for name in self._game.action_names}
        for row in self._game.hints:
            hint = Hint(**row)
            with contextlib.suppress(KeyError):
                text = hint.text.format(keys=keys, needs=self._game.needs)
                if hint.until in self._game.achievements:
                    yield hint._replace(text=text)

    def hint(self, status: Status) -> str:
        """Returns the current hint; empty if there is none."""
        self._followed |= {*status.unlocked}
        for hint in self._hints:
            due = {*hint.after} <= {*status.unlocked}
            due = due and (not hint.low or hint.low in status.low)
            if due and hint.until not in self._followed:
                action = status.possible.get(hint.until)
                now = WORDS["now"].format(key=self._label(action)) if action else ""
                return f"{hint.text} {now}".rstrip()
        return ""

    def keep(self) -> None:
        """Stores which hints were followed, if possible."""
        followed = {
            **saves.recall("known.json"),
            self._game.key: sorted(self._followed),
        }
        saves.remember("known.json", followed)
