"""What the keys that are pressed and held mean."""

from __future__ import annotations

from collections.abc import Mapping

from crafter.gui.keys import name_of

_LARGEST = 0x10FFFF  # of the characters


class Keyboard:
    """The keys that have a meaning, and which of them are held.

    Args:
      meanings: Key -> what it does; see `crafter.gui.keys.Bindings.meanings`.
    """

    def __init__(self, meanings: Mapping[str, str]) -> None:
        self._meanings = meanings
        self._held: dict[int, str] = {}

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
        self._held[place] = name
        return self._meanings[name]

    def release(self, place: int) -> None:
        """Notes that a key went up."""
        self._held.pop(place, None)

    def release_all(self) -> None:
        """Notes that no key is held, as when the window loses the keyboard."""
        self._held.clear()

    def held(self) -> set[str]:
        """Returns the names of the keys that are held."""
        return set(self._held.values())
