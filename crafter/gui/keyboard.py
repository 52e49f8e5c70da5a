"""Keyboard: what is printed on the keys, which depends on the country."""

from __future__ import annotations

from typing import Any

import pygame

from crafter.gui.keys import PLACES

_SCANCODES = 512
_SYMBOLS = [chr(n) for n in range(ord("!"), 0x600)]  # Latin, Greek, Cyrillic, Hebrew


def printed() -> dict[str, str]:
    """Returns what is printed on keys, where that is not what American ones have.

    On a French keyboard, what is `w` elsewhere has a Z on it.

    Returns:
      Name of a key -> character.
    """
    # Indexed by a keycode, it gives the entry at the scancode of that key.
    place_of: Any = pygame.key.ScancodeWrapper(range(_SCANCODES))  # type: ignore[arg-type]
    found = {place_of[ord(symbol)]: symbol for symbol in _SYMBOLS}
    names = [name for name in PLACES if len(name) == 1 and not name.isdigit()]
    return {name: found.get(PLACES[name], name) for name in names}
