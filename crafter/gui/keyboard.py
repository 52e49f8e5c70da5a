"""Keyboard: pressed keys, and what is printed on them.

A key has a place, SDL's scancode, and what is printed on it, SDL's keycode; the latter
depends on the country.
"""

from __future__ import annotations

import string
import sys
from collections.abc import Mapping
from typing import Any

import pygame

from crafter.gui.keys import PLACES, name_of

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


def pressed(event: pygame.event.Event, meanings: Mapping[str, str]) -> str | None:
    """Returns the name of the key that went down, if it has a meaning.

    Args:
      event: The event.
      meanings: Key -> what it does; see `crafter.gui.keys.Bindings.meanings`.
    """
    symbol = chr(event.key) if 0 < event.key <= sys.maxunicode else ""
    return name_of(event.scancode, symbol, meanings)
