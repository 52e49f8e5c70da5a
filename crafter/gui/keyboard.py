"""Keyboard: pressed and held keys, and what is printed on them.

A key has a place, SDL's scancode, and what is printed on it, SDL's keycode; the latter
depends on the country.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import pygame

from crafter.gui.keys import PLACES, name_of

_LARGEST = 0x10FFFF  # of the characters
_SCANCODES = 512
_PRINTED = range(ord("!"), 0x600)  # Latin, Greek, Cyrillic, Hebrew


def printed() -> dict[str, str]:
    """Returns what is printed on letter keys, where it is another letter.

    On a French keyboard, what is `w` elsewhere has a Z on it.

    Returns:
      Name of a key -> letter.
    """
    # Indexed by a keycode, it gives the entry at the scancode of that key.
    place_of: Any = pygame.key.ScancodeWrapper(range(_SCANCODES))  # type: ignore[arg-type]
    found = {place_of[n]: chr(n) for n in _PRINTED if chr(n).isalpha()}
    letters = {name: found.get(PLACES[name], name) for name in string.ascii_lowercase}
    return {name: letter for name, letter in letters.items() if letter != name}


class Keyboard:
    """The keys that have a meaning, and which of them are held.

    Args:
      meanings: Key -> what it does; see `crafter.gui.keys.Bindings.meanings`.

    Attributes:
      held: Place of a key that is held -> its name.
    """

    def __init__(self, meanings: Mapping[str, str]) -> None:
        self._meanings = meanings
        self.held: dict[int, str] = {}

    def press(self, place: int, code: int) -> str | None:
        """Notes that a key went down and returns what it does.

        Args:
          place: Its place on the keyboard, SDL's scancode.
          code: What is printed on it, SDL's keycode.
        """
        symbol = chr(code) if 0 < code <= _LARGEST else ""
        name = name_of(place, symbol, self._meanings)
        if name is None:
            return None
        self.held[place] = name
        return self._meanings[name]
